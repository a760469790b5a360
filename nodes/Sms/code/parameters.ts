import type { ILoadOptionsFunctions, INodeProperties, ResourceMapperFields } from 'n8n-workflow';

import { language } from '../../shared/language';
import { mapPlaceholders } from '../outgoing/formLists';
import { concurrency, messageText, noReport, retries, timeout } from '../outgoing/options';
import { chooseMessage, dlrUrl, fillMessage } from '../outgoing/parameters';
import { codeLength, maxAttempts, maxCodesPerHour, purpose, validMinutes } from './options';

const sendOnly = { show: { operation: ['sendCode'] } };
const checkOnly = { show: { operation: ['checkCode'] } };

export const codeProperties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Check Code',
				value: 'checkCode',
				description: 'Whether the code that was typed is the one that was sent',
				action: 'Check a one time code',
			},
			{
				name: 'Send Code',
				value: 'sendCode',
				description: 'Send a code of digits to a mobile phone',
				action: 'Send a one time code by SMS',
			},
		],
		default: 'sendCode',
	},
	...chooseMessage(['sendCode']),
	{
		displayName: 'Recipient',
		name: 'recipient',
		type: 'string',
		required: true,
		displayOptions: sendOnly,
		default: '',
		placeholder: 'e.g. 690 000 0001',
		description: 'The Greek mobile number to verify, with or without +30, spaces and dashes',
	},
	{
		displayName: 'Code Position',
		name: 'codePosition',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 50 },
		displayOptions: sendOnly,
		default: 1,
		description: 'Which placeholder of the message takes the code, from 1. Leave it out of the values below.',
	},
	...fillMessage(['sendCode'], ['codePosition']),
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		displayOptions: sendOnly,
		default: {},
		options: [
			codeLength,
			concurrency,
			dlrUrl,
			language,
			maxAttempts,
			maxCodesPerHour,
			{ ...messageText, placeholder: 'e.g. Ο κωδικός σας είναι {Κωδικός,1}' },
			noReport,
			purpose,
			retries,
			timeout,
			validMinutes,
		],
	},
	{
		displayName: 'Verification ID',
		name: 'verificationId',
		type: 'string',
		required: true,
		displayOptions: checkOnly,
		default: '',
		placeholder: "e.g. {{ $('SMS Code').item.json.verificationId }}",
		description:
			'The verificationId that Send Code put out. It says nothing about code or number, so a page may contain it.',
	},
	{
		displayName: 'Code',
		name: 'code',
		type: 'string',
		required: true,
		displayOptions: checkOnly,
		default: '',
		placeholder: 'e.g. {{ $json.code }}',
		description: 'The code as it was typed in. Spaces and dashes do no harm.',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		displayOptions: checkOnly,
		default: {},
		options: [language, purpose],
	},
];

/** A field for each placeholder of the chosen message but the code's own, which the node fills in. */
export async function mapOtherPlaceholders(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const mapped = await mapPlaceholders.call(this);
	if (mapped.fields.length === 0) return mapped;
	// The fields are in the order of their positions, which count from 1 without gaps.
	const position = Number(this.getCurrentNodeParameter('codePosition') ?? 1);
	const fields = mapped.fields.filter((_, index) => index !== position - 1);
	return {
		fields,
		...(fields.length === 0 && {
			emptyFieldsNotice: 'The code is the only placeholder of this message: there is nothing else to fill in.',
		}),
	};
}

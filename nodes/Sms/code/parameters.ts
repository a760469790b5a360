import type { ILoadOptionsFunctions, INodeProperties, ResourceMapperFields, IExecuteFunctions } from 'n8n-workflow';

import { language, optionsCollection } from '../../shared/node';
import { mapPlaceholders, withNotice } from '../outgoing/formLists';
import {
	concurrency,
	messageText,
	noReport,
	retries,
	timeout,
	chooseMessage,
	dlrUrl,
	fillMessage,
} from '../outgoing/parameters';
import { getOption, readOptionalText } from '../../shared/parameter';
import { badParameter } from '../../shared/problem';

/* The options that SMS Code alone has. Their readers take name, label, default and bounds from here. */

const wholeNumber = (minValue: number, maxValue: number) => ({
	type: 'number' as const,
	typeOptions: { minValue, maxValue },
});

export const codeLength: INodeProperties = {
	displayName: 'Code Length',
	name: 'codeLength',
	...wholeNumber(4, 10),
	default: 6,
	description: 'How many digits the code has, from 4 to 10',
};

export const maxAttempts: INodeProperties = {
	displayName: 'Max Attempts',
	name: 'maxAttempts',
	...wholeNumber(1, 10),
	default: 5,
	description:
		'How many wrong codes may be typed, from 1 to 10. Then nothing is verified and no code sent until the time is over.',
};

export const maxCodesPerHour: INodeProperties = {
	displayName: 'Max Codes per Hour',
	name: 'maxCodesPerHour',
	...wholeNumber(0, 10_000),
	default: 500,
	description:
		'For this workflow, so that nobody spends your credits by an open form; 0 is no limit. The last 60 to 70 minutes and the first item count.',
};

export const purpose: INodeProperties = {
	displayName: 'Purpose',
	name: 'purpose',
	type: 'string',
	default: '',
	placeholder: 'e.g. password reset',
	description:
		'What the code is for: it is not valid for anything else. Write the same in Send Code and in Check Code.',
};

export const validMinutes: INodeProperties = {
	displayName: 'Valid (Minutes)',
	name: 'validMinutes',
	...wholeNumber(1, 60),
	default: 10,
	description:
		'How long the code is valid at least, from 1 to 60; twice as long at most. Who asks again may get the same code again.',
};

/** In UTF-16 units. */
const LONGEST_PURPOSE = 200;

/**
 * What a code is for. It keeps codes for one thing from being used for another, so an expression that evaluates to empty
 * is an error, never "for anything".
 */
export function readPurpose(context: IExecuteFunctions, itemIndex: number): string {
	const text = getOption(context, purpose, itemIndex);
	if (text === undefined || text === null)
		throw badParameter('Purpose', 'has no value', 'Check the expression: there is no column of that name');
	return readOptionalText(text, 'Purpose', LONGEST_PURPOSE) ?? '';
}

const sendOnly = { displayOptions: { show: { operation: ['sendCode'] } } };
const checkOnly = { displayOptions: { show: { operation: ['checkCode'] } } };
const requiredText = { type: 'string' as const, required: true, default: '' };

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
		...requiredText,
		...sendOnly,
		placeholder: 'e.g. 690 000 0001',
		description: 'The Greek mobile number to verify, with or without +30, spaces and dashes',
	},
	{
		displayName: 'Code Position',
		name: 'codePosition',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 50 },
		...sendOnly,
		default: 1,
		description: 'Which placeholder of the message takes the code, from 1. Leave it out of the values below.',
	},
	...fillMessage(['sendCode'], ['codePosition']),
	{
		...optionsCollection,
		...sendOnly,
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
		...requiredText,
		...checkOnly,
		placeholder: "e.g. {{ $('SMS Code').item.json.verificationId }}",
		description:
			'The verificationId that Send Code put out. It says nothing about code or number, so a page may contain it.',
	},
	{
		displayName: 'Code',
		name: 'code',
		...requiredText,
		...checkOnly,
		placeholder: 'e.g. {{ $json.code }}',
		description: 'The code as it was typed in. Spaces and dashes do no harm.',
	},
	{
		...optionsCollection,
		...checkOnly,
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
	const onlyTheCode = 'The code is the only placeholder of this message: there is nothing else to fill in.';
	return fields.length > 0 ? withNotice(fields) : { fields, emptyFieldsNotice: onlyTheCode };
}

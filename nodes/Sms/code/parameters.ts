import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { badParameter } from '../../shared/problem';
import { readOptionalText } from '../../shared/read';
import type { Platform } from '../credential';

const checkOnly = { show: { operation: ['checkCode'] } };

const purpose: INodeProperties = {
	displayName: 'Purpose',
	name: 'purpose',
	type: 'string',
	default: '',
	placeholder: 'e.g. password reset',
	description: 'What the code is for, in your own words. A code that was sent for one purpose is not valid for another, so write the same in Send Code and in Check Code.',
};

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
	{
		displayName: 'Verification ID',
		name: 'verificationId',
		type: 'string',
		required: true,
		displayOptions: checkOnly,
		default: '',
		placeholder: "e.g. {{ $('Send Code').item.json.verificationId }}",
		description: 'What Send Code gave out as verificationId. It says nothing about the code or the number, so a page may hold it.',
	},
	{
		displayName: 'Code',
		name: 'code',
		type: 'string',
		required: true,
		displayOptions: checkOnly,
		default: '',
		placeholder: 'e.g. {{ $json.code }}',
		description: 'The code as it was typed in. Blanks and dashes do no harm.',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		displayOptions: checkOnly,
		default: {},
		options: [purpose],
	},
];

/** In UTF-16 units. */
const LONGEST_PURPOSE = 200;

/**
 * What a code is for. It keeps codes for one thing from being used for another, so an expression that gives nothing is
 * an error, never "for anything".
 */
export function readPurpose(context: IExecuteFunctions, itemIndex: number): string {
	const text: unknown = context.getNodeParameter('options.purpose', itemIndex, '');
	if (text === undefined || text === null) throw badParameter('Purpose', 'has no value', 'Check the expression: there is no column of that name');
	return readOptionalText(text, 'Purpose', LONGEST_PURPOSE) ?? '';
}

/** A number as messages to it go out. */
export const toRecipient = (mobile: string, { mobileFormat }: Pick<Platform, 'mobileFormat'>): string => (mobileFormat === 'international' ? `30${mobile}` : mobile);

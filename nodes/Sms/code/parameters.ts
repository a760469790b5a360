import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { language, optionsCollection, TEXT, timeout } from '../../shared/node';
import { chooseMessage, concurrency, dlrUrl, fillMessage, noReport, replacements } from '../outgoing/parameters';
import { getOption, readOptionalText } from '../../shared/parameter';
import { badParameter } from '../../shared/problem';

/* The options that SMS Code alone has. Their readers take name, label, default and bounds from here. */

const wholeNumber = (
	[displayName, name]: [string, string],
	[minValue, maxValue]: [number, number],
	standard: number,
	description: string,
): INodeProperties => ({
	displayName,
	name,
	type: 'number',
	typeOptions: { minValue, maxValue, numberPrecision: 0 },
	default: standard,
	description,
});

export const codeLength = wholeNumber(
	['Code Length', 'codeLength'],
	[4, 10],
	6,
	'How many digits the code has, from 4 to 10',
);

export const codePosition = wholeNumber(
	['Code Position', 'codePosition'],
	[1, 50],
	1,
	'Which placeholder of the message takes the code, from 1. Leave it out of the other values.',
);

export const maxAttempts = wholeNumber(
	['Max Attempts', 'maxAttempts'],
	[1, 10],
	5,
	'How many wrong codes may be typed, from 1 to 10. Then nothing is verified and no code sent until the time is over.',
);

export const maxCodesPerHour = wholeNumber(
	['Max Codes per Hour', 'maxCodesPerHour'],
	[0, 10_000],
	500,
	"How many codes the workflow sends in an hour, so that an open form can't spend your credits; 0 is no limit",
);

export const validMinutes = wholeNumber(
	['Valid (Minutes)', 'validMinutes'],
	[1, 60],
	10,
	'How long the code is valid, from 1 to 60. Whoever asks again before then gets the same code, with a new end.',
);

export const purpose: INodeProperties = {
	displayName: 'Purpose',
	name: 'purpose',
	...TEXT,
	placeholder: 'e.g. password reset',
	description:
		'What the code is for: it is not valid for anything else. Write the same in Send Code and in Check Code.',
};

const LONGEST_PURPOSE = 200;

/** What a code is for. An expression that evaluates to empty is an error, never "for anything". */
export function readPurpose(context: IExecuteFunctions, itemIndex: number): string {
	const text = getOption(context, purpose, itemIndex);
	if (text === undefined || text === null)
		throw badParameter('Purpose', 'has no value', 'Check the expression: there is no column of that name');
	return readOptionalText(text, 'Purpose', LONGEST_PURPOSE) ?? '';
}

const sendOnly = { displayOptions: { show: { operation: ['sendCode'] } } };
const checkOnly = { displayOptions: { show: { operation: ['checkCode'] } } };
const requiredText = { ...TEXT, required: true };

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
	...fillMessage(['sendCode'], ['options.codePosition'], true),
	{
		...optionsCollection,
		...sendOnly,
		options: [
			...[codeLength, codePosition, concurrency, dlrUrl, language, maxAttempts],
			...[maxCodesPerHour, noReport, purpose, replacements, timeout, validMinutes],
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
	{ ...optionsCollection, ...checkOnly, options: [language, purpose] },
];

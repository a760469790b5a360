import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import {
	choiceField,
	includeInputFieldsByDefault,
	language,
	noticeField,
	optionsCollection,
	textField,
	wholeNumberField,
} from '../../lib/n8n/fields';
import { chooseMessage, fillMessage, replacements } from '../../lib/smsPlatform/properties';
import { getOption, readOptionalText } from '../../lib/n8n/parameters';
import { invalidParameter } from '../../lib/texts/problem';

/* The options that only SMS Code has. The functions that read an option take its name, label, default and bounds from here. */

export const codeLength = wholeNumberField('Code Length', 'codeLength', [4, 10], 6, {
	description: 'How many digits the code has, from 4 to 10',
});

export const codePosition = wholeNumberField('Code Position', 'codePosition', [1, 50], 1, {
	description:
		'The number of the placeholder that the code goes into: 1 means the first. The node fills in this placeholder, so do not enter a value for it.',
});

export const maxAttempts = wholeNumberField('Max Attempts', 'maxAttempts', [1, 10], 5, {
	description:
		'How many wrong codes a person may type, from 1 to 10. After the last wrong code, the node does not accept any code for this mobile number, and does not send a new code to it, until the code that was sent has expired.',
});

export const maxCodesPerHour = wholeNumberField('Max Codes per Hour', 'maxCodesPerHour', [0, 10_000], 500, {
	description:
		'How many codes the workflow may send in an hour. The limit protects your credits from misuse of an open form. 0 means no limit.',
});

export const validMinutes = wholeNumberField('Valid (Minutes)', 'validMinutes', [1, 60], 10, {
	description:
		'How many minutes the code is valid, from 1 to 60. A person who asks for a code again within that time gets the same code, and the time starts again.',
});

export const purpose = textField('Purpose', 'purpose', {
	placeholder: 'e.g. password reset',
	description:
		'What the code is for. The code is not valid for any other purpose. Enter the same text in Send Code and in Check Code.',
});

const LONGEST_PURPOSE = 200;

/**
 * Reads the purpose of a code. @throws Problem if the purpose can't be used, or if the expression returns no value, because that
 * must not mean "any purpose"
 */
export function readPurpose(context: IExecuteFunctions, itemIndex: number): string {
	const text = getOption(context, purpose, itemIndex);
	if (text === undefined || text === null)
		throw invalidParameter('Purpose', 'has no value', 'Correct the expression: the column name in it may be wrong');
	return readOptionalText(text, 'Purpose', LONGEST_PURPOSE)?.normalize('NFC') ?? '';
}

const sendOnly = { displayOptions: { show: { operation: ['sendCode'] } } };
const checkOnly = { displayOptions: { show: { operation: ['checkCode'] } } };

export const codeProperties: INodeProperties[] = [
	choiceField('Operation', 'operation', 'sendCode', {
		noDataExpression: true,
		options: [
			{
				name: 'Check Code',
				value: 'checkCode',
				description: 'Check whether the typed code is the one that was sent',
				action: 'Check code',
			},
			{
				name: 'Send Code',
				value: 'sendCode',
				description: 'Send a one-time code to a mobile phone',
				action: 'Send code',
			},
		],
	}),
	noticeField(
		'sendToolNotice',
		{ show: { operation: ['sendCode'], '@tool': [true] } },
		'Choose <b>Service</b> and <b>Message</b> yourself, and take the number from your records. If you let the model choose the number, a stranger can enter their own number and pretend to be somebody else.',
	),
	noticeField(
		'checkToolNotice',
		{ show: { operation: ['checkCode'], '@tool': [true] } },
		'Let the model fill in only <b>Verification ID</b> and <b>Code</b>. Decide in your workflow what a verified person may do, because a model can be talked into accepting a wrong code.',
	),
	...chooseMessage(['sendCode']),
	textField('Recipient', 'recipient', {
		displayOptions: { show: { operation: ['sendCode'], '@tool': [false] } },
		placeholder: 'e.g. 690 000 0001',
		description:
			'The Greek mobile number to verify, in any format. If Recipient is empty and there is no column such as Κινητό, the node reads the column Τηλέφωνο.',
		hint: 'If empty, the node reads the column Κινητό (or Αρ. κινητού, Mobile …)',
	}),
	textField('Recipient', 'recipient', {
		required: true,
		displayOptions: { show: { operation: ['sendCode'], '@tool': [true] } },
		placeholder: 'e.g. 690 000 0001',
		description: 'The Greek mobile number that gets the code, in any format',
	}),
	...fillMessage(['sendCode'], ['options.codePosition']),
	{
		...optionsCollection,
		...sendOnly,
		options: [
			...[codeLength, codePosition, includeInputFieldsByDefault, language, maxAttempts],
			...[maxCodesPerHour, purpose, replacements, validMinutes],
		],
	},
	textField('Verification ID', 'verificationId', {
		required: true,
		...checkOnly,
		placeholder: "e.g. {{ $('SMS Code').item.json.verificationId }}",
		description:
			'The verificationId from the output of Send Code. The ID reveals neither the code nor the number, so you may put it into a web page.',
	}),
	textField('Code', 'code', {
		required: true,
		...checkOnly,
		placeholder: 'e.g. {{ $json.code }}',
		description:
			'The code that the person typed. Spaces, dashes and punctuation are ignored. The whole text of the SMS is accepted too.',
	}),
	{ ...optionsCollection, ...checkOnly, options: [language, purpose] },
];

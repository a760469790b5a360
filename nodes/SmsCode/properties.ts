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
	description: 'Which placeholder of the message takes the code, from 1. Leave it out of the other values.',
});

export const maxAttempts = wholeNumberField('Max Attempts', 'maxAttempts', [1, 10], 5, {
	description:
		'How many wrong codes may be typed, from 1 to 10. After that nothing is verified and no code is sent until the code expires.',
});

export const maxCodesPerHour = wholeNumberField('Max Codes per Hour', 'maxCodesPerHour', [0, 10_000], 500, {
	description:
		"How many codes the workflow sends in an hour, so that an open form can't spend your credits; 0 is no limit",
});

export const validMinutes = wholeNumberField('Valid (Minutes)', 'validMinutes', [1, 60], 10, {
	description:
		'How long the code is valid, from 1 to 60. A person who asks again before then gets the same code, with a new expiry.',
});

export const purpose = textField('Purpose', 'purpose', {
	placeholder: 'e.g. password reset',
	description:
		'What the code is for: it is not valid for anything else. Write the same in Send Code and in Check Code.',
});

const LONGEST_PURPOSE = 200;

/** Reads the purpose of a code. @throws Problem if the expression gives no value, because that must not mean "any purpose" */
export function readPurpose(context: IExecuteFunctions, itemIndex: number): string {
	const text = getOption(context, purpose, itemIndex);
	if (text === undefined || text === null)
		throw invalidParameter('Purpose', 'has no value', 'Check the expression: there is no column of that name');
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
				description: 'Whether the code that was typed is the one that was sent',
				action: 'Check code',
			},
			{
				name: 'Send Code',
				value: 'sendCode',
				description: 'Send a code of digits to a mobile phone',
				action: 'Send code',
			},
		],
	}),
	noticeField(
		'sendToolNotice',
		{ show: { operation: ['sendCode'], '@tool': [true] } },
		'Choose <b>Service</b> and <b>Message</b> yourself, and take the number from your records. If the model may choose the number, a stranger can name a phone of their own and pass as somebody else.',
	),
	noticeField(
		'checkToolNotice',
		{ show: { operation: ['checkCode'], '@tool': [true] } },
		'Let the model fill in only the two fields. What a verified person may do belongs in your workflow: a model can be talked into accepting a wrong code.',
	),
	...chooseMessage(['sendCode']),
	textField('Recipient', 'recipient', {
		displayOptions: { show: { operation: ['sendCode'], '@tool': [false] } },
		placeholder: 'e.g. 690 000 0001',
		description:
			'The Greek mobile number to verify, in any spelling. If no column is called Κινητό or similar, Τηλέφωνο is taken.',
		hint: 'Left empty: the column Κινητό (Αρ. κινητού, Mobile …)',
	}),
	textField('Recipient', 'recipient', {
		required: true,
		displayOptions: { show: { operation: ['sendCode'], '@tool': [true] } },
		placeholder: 'e.g. 690 000 0001',
		description: 'The Greek mobile number that gets the code, in any spelling',
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
			'The verificationId that Send Code put out. It says nothing about code or number, so a page may contain it.',
	}),
	textField('Code', 'code', {
		required: true,
		...checkOnly,
		placeholder: 'e.g. {{ $json.code }}',
		description:
			'The typed code. Spaces, dashes and punctuation around it do no harm; a whole SMS with the code is read too.',
	}),
	{ ...optionsCollection, ...checkOnly, options: [language, purpose] },
];

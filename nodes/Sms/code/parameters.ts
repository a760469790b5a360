import type { INodeProperties } from 'n8n-workflow';

import { chooseMessage, concurrency, dlrUrl, fillMessage, messageText, noReport, retries, timeout } from '../send/messageParameters';

const sendOnly = { show: { operation: ['sendCode'] } };
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
		description: 'Which placeholder of the message takes the code. The node fills it in, so leave it out of the values below.',
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
			{
				displayName: 'Code Length',
				name: 'codeLength',
				type: 'number',
				typeOptions: { minValue: 4, maxValue: 10 },
				default: 6,
				description: 'How many digits the code has',
			},
			concurrency,
			dlrUrl,
			{
				displayName: 'Max Attempts',
				name: 'maxAttempts',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 10 },
				default: 5,
				description: 'How many wrong codes may be typed. After that nothing is verified and no new code is sent until the time is over.',
			},
			{
				displayName: 'Max Codes per Hour',
				name: 'maxCodesPerHour',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: 10_000 },
				default: 500,
				description: 'How many codes this workflow sends in an hour, so that nobody spends your credits with an open form; 0 is no limit. Taken from the first item.',
			},
			{ ...messageText, placeholder: 'e.g. Ο κωδικός σας είναι {Κωδικός,1}' },
			noReport,
			purpose,
			retries,
			timeout,
			{
				displayName: 'Valid (Minutes)',
				name: 'validMinutes',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 60 },
				default: 10,
				description: 'How long the code is valid at least, and at most twice as long. Asked again within it, a number gets the same code.',
			},
		],
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

import type { INodeProperties } from 'n8n-workflow';

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
		description:
			'Which placeholder of the message is filled with the code, from 1 to 50. The node fills it in: leave it out of the values below.',
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
			'The verificationId of the item that Send Code put out. In the expression, replace SMS Code by the name of your node that sends the code. The ID says nothing about the code or the number, so a page may contain it.',
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
		options: [purpose],
	},
];

import type { INodeProperties } from 'n8n-workflow';

import { decimalComma } from '../outgoing/decimalComma';
import { doNotSendTo } from '../outgoing/doNotSendTo';
import { allowEmptyValues, concurrency, messageText, noReport, reference, retries, timeout } from '../outgoing/options';
import { chooseMessage, dlrUrl, fillMessage } from '../outgoing/parameters';
import { followUpProperties } from './followUp';
import * as own from './options';

const ALL = ['send', 'reply', 'review', 'sendAndWait'];
const MANY = { show: { '/operation': ['send', 'reply', 'review'] } };

const ifAlreadySent = (operations: string[], value: 'skip' | 'send'): INodeProperties => ({
	displayName: 'If Already Sent',
	name: 'ifAlreadySent',
	type: 'options',
	displayOptions: { show: { operation: operations } },
	default: value,
	description:
		'What to do if this node has already sent the same message to the same person, not longer ago than Skip Within (Hours). It protects people after a double click, a stop, a restart, or with a corrected list.',
	options: [
		{
			name: 'Skip',
			value: 'skip',
			description:
				'Do not send it again; the item says so. A message that the platform accepted counts as sent, even if it was not delivered later.',
		},
		{
			name: 'Send',
			value: 'send',
			description:
				'Send it again, for example an alarm that may repeat. For reminders to a list the option Duplicate Key is safer.',
		},
	],
});

export const sendProperties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Reply',
				value: 'reply',
				description: 'Answer the incoming message that started this workflow',
				action: 'Reply to the message that came in',
			},
			{
				name: 'Review a List',
				value: 'review',
				description:
					'Check a whole list and send nothing: one item that says how many messages would go out, who is skipped, and what is wrong with which rows',
				action: 'Review a list before it is sent',
			},
			{
				name: 'Send',
				value: 'send',
				description: 'Send a predefined message to the recipient of each item, once',
				action: 'Send a message to each row',
			},
			{
				name: 'Send and Wait for Delivery Report',
				value: 'sendAndWait',
				description: 'Send one message, and go on when its delivery report arrives or when the time is over',
				action: 'Send a message and wait for its delivery report',
			},
			{
				name: 'Who Got It',
				value: 'followUp',
				description:
					'Join what was sent with the delivery reports: who got it, who did not, as items for a table, a sheet, a page, or rows to send again',
				action: 'See who got a message',
			},
		],
		default: 'send',
	},
	{
		displayName:
			'The workflow pauses until the delivery report comes, and goes on with delivered true or false. It accepts one item; for more, put a Loop Over Items node before it.',
		name: 'waitNotice',
		type: 'notice',
		displayOptions: { show: { operation: ['sendAndWait'] } },
		default: '',
	},
	{
		displayName:
			'The reply goes to whoever sent the incoming message that started this workflow. There is no number to fill in.',
		name: 'replyNotice',
		type: 'notice',
		displayOptions: { show: { operation: ['reply'] } },
		default: '',
	},
	{
		displayName:
			'Nothing is sent. The node puts out one item for the whole list, with a page (the field html) that a form can show to whoever approves it. Fill in the same values as in the node that sends. This node does not know what another node has sent.',
		name: 'reviewNotice',
		type: 'notice',
		displayOptions: { show: { operation: ['review'] } },
		default: '',
	},
	...chooseMessage(ALL),
	{
		displayName: 'Recipient',
		name: 'recipient',
		type: 'string',
		required: true,
		displayOptions: { show: { operation: ['send', 'review', 'sendAndWait'] } },
		default: '',
		placeholder: 'e.g. 690 000 0001',
		description:
			'Mobile number of the recipient, or a user name of your institution. Greek numbers can be written with or without +30, spaces and dashes. Numbers abroad begin with + or 00.',
	},
	...fillMessage(ALL),
	ifAlreadySent(['send', 'reply', 'review'], 'skip'),
	ifAlreadySent(['sendAndWait'], 'send'),
	{ ...dlrUrl, displayOptions: { show: { operation: ['send', 'reply'] } } },
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		displayOptions: { show: { operation: ALL } },
		default: {},
		options: [
			allowEmptyValues,
			{ ...concurrency, displayOptions: MANY },
			decimalComma,
			{ ...doNotSendTo, displayOptions: { show: { '/operation': ['send', 'review'] } } },
			own.dryRun,
			own.duplicateKey,
			own.includeInputFields,
			own.maxWaitMinutes,
			messageText,
			own.messagesPerSecond,
			{ ...noReport, displayOptions: { show: { '/operation': ['send', 'reply'] } } },
			own.normaliseRecipient,
			reference,
			retries,
			own.skipWithinHours,
			own.smsForwardId,
			timeout,
		],
	},
	...followUpProperties,
];

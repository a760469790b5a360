import type { INodeProperties } from 'n8n-workflow';

import { language } from '../../shared/language';
import { concurrency, messageText, noReport, reference, retries, timeout } from '../outgoing/options';
import { chooseMessage, dlrUrl, fillMessage } from '../outgoing/parameters';
import { doNotSendTo } from './doNotSendTo';
import { followUpProperties } from './followUp';
import * as own from './options';

const ALL = ['send', 'reply', 'review', 'sendAndWait'];
const in_ = (...operations: string[]) => ({ show: { operation: operations } });
const optionIn = (...operations: string[]) => ({ show: { '/operation': operations } });

const ifAlreadySent = (operations: string[], value: 'skip' | 'send'): INodeProperties => ({
	displayName: 'If Already Sent',
	name: 'ifAlreadySent',
	type: 'options',
	displayOptions: { show: { operation: operations } },
	default: value,
	description: 'What to do if this workflow has sent the same message to the same person lately',
	options: [
		{
			name: 'Skip',
			value: 'skip',
			description: 'Send it once, also after a double click, a stop or a restart; the item says so',
		},
		{
			name: 'Send',
			value: 'send',
			description: 'Send it again, as an alarm that may repeat',
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
				description: 'Check a whole list and send nothing: what would go out, and what is wrong with which rows',
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
				description: 'Send one message, and go on when its delivery report arrives or the time is over',
				action: 'Send a message and wait for its delivery report',
			},
			{
				name: 'Who Got It',
				value: 'followUp',
				description: 'Join what was sent with the delivery reports: as a sheet, a page, or rows to send again',
				action: 'See who got a message',
			},
		],
		default: 'send',
	},
	{
		displayName:
			'The workflow pauses until the delivery report comes. It accepts one item; for more, put a Loop Over Items node before it.',
		name: 'waitNotice',
		type: 'notice',
		displayOptions: in_('sendAndWait'),
		default: '',
	},
	{
		displayName:
			'The reply goes to whoever sent the incoming message that started this workflow. There is no number to fill in.',
		name: 'replyNotice',
		type: 'notice',
		displayOptions: in_('reply'),
		default: '',
	},
	{
		displayName: 'Nothing is sent. Fill in the same values as in the node that sends.',
		name: 'reviewNotice',
		type: 'notice',
		displayOptions: in_('review'),
		default: '',
	},
	...chooseMessage(ALL),
	{
		displayName: 'Recipient',
		name: 'recipient',
		type: 'string',
		displayOptions: in_('send', 'review', 'sendAndWait'),
		default: '',
		placeholder: 'empty: the column Κινητό',
		description:
			'Who gets it. Left empty: the column Κινητό (Κινητό τηλέφωνο, Αρ. κινητού, Mobile …; if there is none, Τηλέφωνο)',
	},
	...fillMessage(ALL),
	ifAlreadySent(['send', 'reply', 'review'], 'skip'),
	ifAlreadySent(['sendAndWait'], 'send'),
	{
		displayName: 'Review Output',
		name: 'reviewOutput',
		type: 'options',
		displayOptions: in_('review'),
		default: 'summary',
		description: 'What comes out for the whole list',
		options: [
			{ name: 'Summary', value: 'summary', description: 'One item for an approval, with a page that a form can show' },
			{ name: 'Rows', value: 'rows', description: 'An item for each row: its text, and what is wrong with it' },
		],
	},
	{ ...dlrUrl, displayOptions: in_('send', 'reply') },
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		displayOptions: { show: { operation: ALL } },
		default: {},
		options: [
			own.allowEmptyValues,
			{ ...concurrency, displayOptions: optionIn('send', 'reply', 'review') },
			{ ...doNotSendTo, displayOptions: optionIn('send', 'review') },
			own.duplicateKey,
			own.includeInputFields,
			{ ...language, displayOptions: optionIn('send', 'review', 'sendAndWait') },
			own.maxWaitMinutes,
			messageText,
			own.messagesPerSecond,
			{ ...noReport, displayOptions: optionIn('send', 'reply') },
			reference,
			retries,
			own.skipWithinHours,
			own.smsForwardId,
			timeout,
		],
	},
	...followUpProperties,
];

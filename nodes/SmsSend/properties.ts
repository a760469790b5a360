import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import * as fields from '../../lib/n8n/fields';
import { getParameter, readChoice } from '../../lib/n8n/parameters';
import { CHOICES, type RememberFor } from '../../lib/sentMessages/periods';
import * as outgoing from '../../lib/smsPlatform/properties';
import { doNotSendTo } from './doNotSendTo';

/* The fields that only SMS Send has. The functions that read a field take its name, label, default and bounds from here. */

/** The choices of If Already Sent, which is about messages that were sent before or may have been. */
export const IF_ALREADY_SENT = ['skip', 'resendUnknown', 'send'] as const;
type IfAlreadySent = (typeof IF_ALREADY_SENT)[number];

const ALL = ['send', 'reply', 'review', 'sendAndWait'];
/** Returns display options that show a field only in these operations. */
const shownIn = (...operations: string[]) => ({ show: { operation: operations } });
/** Returns display options that show an entry of the collection Options only in these operations. */
const optionShownIn = (...operations: string[]) => ({ show: { '/operation': operations } });

export const allowEmptyValues = fields.switchField('Allow Empty Values', 'allowEmptyValues', {
	description:
		'Whether the value of a placeholder may be empty. If this is off, an item with an empty value is refused.',
});

export const repeatKey = fields.textField('Repeat Key', 'repeatKey', {
	placeholder: 'e.g. {{ $today.toISODate() }}',
	description:
		'Text of your choice. If you change it, the same message is treated as a new one. If the text is the current date, the same message may go out again each day.',
});

const INCLUDED =
	'If a column has the same name as a field that this node writes, such as accepted or recipient, the value of this node replaces the value of the column.';

/** The option for Send and Review. It is on by default, because the nodes after this one usually need the columns of the row. */
export const includeInputFields = fields.switchField('Include Input Fields', 'includeInputFields', {
	default: true,
	displayOptions: optionShownIn('send', 'review'),
	description: `Whether each output item includes the columns of its row. ${INCLUDED}`,
});

/** The option for Reply. It is off by default, because the input of a reply is usually the incoming message. */
export const includeInputFieldsInReply = fields.switchField('Include Input Fields', 'includeInputFields', {
	displayOptions: optionShownIn('reply'),
	description: `Whether each output item also contains the fields of the item that reached this node. ${INCLUDED}`,
});

// The longest wait is a week, because carriers try to deliver a message that long.
export const maxWaitMinutes = fields.numberField('Max Wait (Minutes)', 'maxWaitMinutes', [0.001, 10_080], 60, {
	displayOptions: optionShownIn('sendAndWait'),
	description:
		'How long the node waits for the report, up to 10080 minutes (a week). If no report comes in that time, the status is TIMEOUT.',
});

export const messagesPerSecond = fields.numberField('Messages per Second', 'messagesPerSecond', [0, 10_000], 0, {
	displayOptions: optionShownIn('send', 'reply'),
	description: 'The largest number of messages that are sent per second, such as 5 or 0.5. 0 means no limit.',
});

const ifAlreadySent = (operations: string[], value: IfAlreadySent) =>
	fields.choiceField('If Already Sent', 'ifAlreadySent', value, {
		displayOptions: { show: { operation: operations } },
		description: 'What to do if this workflow has recently sent the same message to the same person',
		options: [
			fields.choice(
				'Skip',
				'skip',
				'Send each message once, even after a double click, a stop or a restart. Messages of unknown outcome, which may have been sent, are skipped too.',
			),
			fields.choice(
				'Skip Sent, Resend Unknown',
				'resendUnknown',
				'Send messages of unknown outcome again. Use this for a list of just the people who did not get the message. Do not use it while another worker of n8n sends a list of this workflow.',
			),
			fields.choice(
				'Send Again',
				'send',
				'Send the message every time. Use this, for example, for an alarm that may repeat.',
			),
		],
	});

export const rememberFor = fields.choiceField('Remember For', 'rememberFor', 'day', {
	displayOptions: { show: { operation: ALL, ifAlreadySent: ['skip', 'resendUnknown'] } },
	description:
		'How long the node remembers that it has sent a message. The workflow can remember at least 30,000 messages at a time. If there is no room for another message, the node refuses to send that message.',
	options: [
		fields.choice('A Day', 'day', '10 to 20 hours: the same message may go out again the next day'),
		fields.choice('A Week', 'week', '7 to 14 days: choose this for a list that you may correct and send again later'),
	],
});

/** Reads how long a run remembers its messages. @throws Problem if an expression gives none of the choices */
export function readRememberFor(context: IExecuteFunctions): RememberFor {
	const { name, displayName } = rememberFor;
	return readChoice(getParameter(context, name, displayName, 0, 'day'), displayName, CHOICES);
}

export const sendProperties: INodeProperties[] = [
	fields.choiceField('Operation', 'operation', 'send', {
		noDataExpression: true,
		options: [
			{
				name: 'Send',
				value: 'send',
				description:
					'Send a predefined message to the recipient of each item. By default, a message that went out recently is not sent again.',
				action: 'Send message',
			},
			{
				name: 'Review a List',
				value: 'review',
				description: 'Check a whole list without sending it: see what would be sent, and which rows contain errors',
				action: 'Review list',
			},
			{
				name: 'Reply',
				value: 'reply',
				description: 'Answer the incoming message that started this workflow',
				action: 'Reply to message',
			},
			{
				name: 'Send and Wait for Delivery Report',
				value: 'sendAndWait',
				description: 'Send one message, and wait until its delivery report arrives or the time is up',
				action: 'Send message and wait for report',
			},
		],
	}),
	fields.noticeField(
		'approvalNotice',
		shownIn('sendAndWait'),
		"If you came here from <b>Human in the Loop</b>: this node can't collect approvals. Use Slack, Gmail or Chat for approvals. To let an AI agent send messages, add SMS Send as a tool.",
	),
	fields.noticeField(
		'waitNotice',
		shownIn('sendAndWait'),
		'The workflow pauses until the delivery report arrives. For several items, put Loop Over Items before this node.',
	),
	fields.noticeField(
		'severalReportsNotice',
		shownIn('sendAndWait'),
		'If a message takes several SMS, each SMS may get its own report. The first final report ends the pause, even if it is about only one SMS.',
	),
	fields.noticeField(
		'replyNotice',
		shownIn('reply'),
		'The reply goes to the person who sent the incoming message, so there is no number to fill in. The values of placeholders come from the item that reaches this node.',
	),
	fields.noticeField(
		'reviewNotice',
		shownIn('review'),
		'Fill in the same values as in the node that sends. The easiest way is to copy that node, and to change only the operation of the copy.',
	),
	fields.noticeField(
		'reviewRowsNotice',
		{ show: { operation: ['review'], reviewOutput: ['summary'] } },
		'To pass the rows on to the node that sends, use a Merge node (Choose Branch, output Input 2). Connect Input 2 of the Merge node to the node that comes before the review.',
	),
	fields.noticeField(
		'toolNotice',
		{ show: { operation: ALL, '@tool': [true] } },
		'Choose <b>Service</b> and <b>Message</b> yourself, and enter the recipient. Let the model fill in only the values of placeholders. A model that may choose the recipient can text anybody.',
	),
	...outgoing.chooseMessage(ALL),
	fields.textField('Recipient', 'recipient', {
		displayOptions: { ...shownIn('send', 'review', 'sendAndWait'), hide: { '@tool': [true] } },
		placeholder: 'e.g. 690 000 0001',
		description:
			'The mobile number that gets the message, in any format. If Recipient is empty and there is no column such as Κινητό, the node reads the column Τηλέφωνο.',
		hint: 'If empty, the node reads the column Κινητό (or Αρ. κινητού, Mobile …)',
	}),
	fields.textField('Recipient', 'recipient', {
		displayOptions: { show: { operation: ['send', 'review', 'sendAndWait'], '@tool': [true] } },
		placeholder: 'e.g. 690 000 0001',
		description: 'The mobile number that gets the message, in any format',
	}),
	...outgoing.fillMessage(ALL),
	ifAlreadySent(['send', 'reply', 'review'], 'skip'),
	ifAlreadySent(['sendAndWait'], 'send'),
	fields.noticeField(
		'sendAgainNotice',
		{ show: { operation: ['send', 'reply'], ifAlreadySent: ['send'] } },
		'Nothing protects against duplicates: each run sends every message again. Select <b>Skip</b> again when you are done.',
	),
	rememberFor,
	fields.choiceField('Review Output', 'reviewOutput', 'summary', {
		displayOptions: shownIn('review'),
		description: 'What the review returns',
		options: [
			fields.choice(
				'Summary',
				'summary',
				'One item for the person who approves the list, with a page that a form can show',
			),
			fields.choice(
				'Rows',
				'rows',
				'One item for each row, with the text of the message or what is wrong with the row',
			),
		],
	}),
	{
		...fields.optionsCollection,
		displayOptions: { show: { operation: ALL } },
		options: [
			allowEmptyValues,
			{ ...outgoing.concurrency, displayOptions: optionShownIn('send', 'reply', 'review') },
			{ ...outgoing.dlrUrl, displayOptions: optionShownIn('send', 'reply') },
			{ ...doNotSendTo, displayOptions: optionShownIn('send', 'review') },
			includeInputFields,
			includeInputFieldsInReply,
			{ ...fields.language, displayOptions: optionShownIn('send', 'review', 'sendAndWait') },
			maxWaitMinutes,
			messagesPerSecond,
			{ ...outgoing.noReport, displayOptions: optionShownIn('send', 'reply') },
			outgoing.reference,
			repeatKey,
			outgoing.replacements,
			fields.timeout,
		],
	},
];

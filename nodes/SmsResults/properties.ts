import type { INodeProperties } from 'n8n-workflow';

import * as fields from '../../lib/n8n/fields';

/* The form of SMS Results. The functions that read an option take its name, label, default and bounds from here. */

const SHOWN = { show: { operation: ['whoGotIt'] } };

/** Returns an option that is shown only for the operation Who Got It. */
const ofWhoGotIt = (option: INodeProperties): INodeProperties => ({
	...option,
	displayOptions: { show: { '/operation': ['whoGotIt'], ...option.displayOptions?.show } },
});

export const lateAfterHours = fields.numberField('Late After (Hours)', 'lateAfterHours', [0, 1000], 1, {
	description: 'The number of hours after which a message without a final report is treated as late',
});

export const includeUnknown = fields.switchField('Include Unknown', 'includeUnknown', {
	displayOptions: { show: { '/whoGotItOutput': ['again', 'summary'] } },
	description:
		'Whether the rows to send again include messages that were only partly delivered, or whose outcome has been unknown for over a day. If this is on, some people may get a message twice.',
});

export const answers = fields.textField('Answers', 'answers', {
	placeholder: 'e.g. ΝΑΙ, ΟΧΙ',
	description: 'The words that people can answer with, separated by commas. If Answers is empty, answers are not read.',
});

export const answerWithinDays = fields.numberField('Answer Within (Days)', 'answerWithinDays', [0, 366], 7, {
	description: 'How many days people have to answer a message. Later answers do not count.',
});

export const onlyUnanswered = fields.switchField('Only Unanswered', 'onlyUnanswered', {
	displayOptions: { show: { '/whoGotItOutput': ['again', 'summary'] } },
	description:
		'Whether the rows to send again are those of people who need a reminder. If this is on, you get the rows of people who got the message, or may have got it, but have not answered.',
});

export const resultsProperties: INodeProperties[] = [
	fields.choiceField('Operation', 'operation', 'whoGotIt', {
		noDataExpression: true,
		options: [
			{
				name: 'Who Got It',
				value: 'whoGotIt',
				description:
					'Combine messages with their delivery reports and answers, as a sheet, a page, or rows to send again',
				action: 'See who got messages',
			},
			{
				name: 'Usage',
				value: 'usage',
				description: 'Count messages and SMS by month and service, and return the counts as items or as a page',
				action: 'Count messages by month',
			},
		],
	}),
	fields.noticeField(
		'toolNotice',
		{ show: { '@tool': [true] } },
		'This node does not work as a tool of an AI agent. Put it into the workflow after a node that outputs a list of messages.',
	),
	fields.noticeField(
		'whoGotItNotice',
		SHOWN,
		"Connect the output from SMS Send (with <b>Include Input Fields</b>) and SMS Trigger, or the rows from a data table that stores this node's output <b>Messages</b>. This node sends nothing.",
	),
	fields.choiceField('Output', 'whoGotItOutput', 'summary', {
		displayOptions: SHOWN,
		description: 'What the node outputs',
		options: [
			fields.choice('Messages', 'messages', 'One item for each message, ready for a data table'),
			fields.choice(
				'Rows to Send Again',
				'again',
				'The rows whose message was not delivered. With Only Unanswered: the rows of people who got the message, or may have got it, and have not answered. Put a node that sends messages after this one.',
			),
			fields.choice('Sheet', 'sheet', 'The columns in the list, and the outcome of each row'),
			fields.choice(
				'Summary',
				'summary',
				'One item with the counts of each list. Its fields html and formFields contain a page that you can show in a form.',
			),
		],
	}),
	fields.textField('List', 'list', {
		displayOptions: SHOWN,
		placeholder: 'e.g. Βαθμοί Ιανουαρίου',
		description:
			'The name of the list that you want to see. If List is empty, you see all lists. With the output Messages, you always get all lists, and messages without a list name get the name that you enter here.',
	}),
	fields.noticeField(
		'usageNotice',
		{ show: { operation: ['usage'] } },
		'Counts messages by month and service. Connect the rows of a data table that stores messages and, if you have one, the rows of a data table that stores earlier counts. The node adds up all counts.',
	),
	fields.choiceField('Output', 'usageOutput', 'items', {
		displayOptions: { show: { operation: ['usage'] } },
		description: 'The format of the output',
		options: [
			fields.choice('Items', 'items', 'One item for each month and service'),
			fields.choice('Page', 'page', 'One item whose field html contains a table that you can show in a form'),
		],
	}),
	{
		...fields.optionsCollection,
		options: [
			...[answers, answerWithinDays, includeUnknown].map(ofWhoGotIt),
			fields.language,
			...[lateAfterHours, onlyUnanswered].map(ofWhoGotIt),
		],
	},
];

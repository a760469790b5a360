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
	description: 'How many hours without a final report make a message late',
});

export const includeUnknown = fields.switchField('Include Unknown', 'includeUnknown', {
	displayOptions: { show: { '/whoGotItOutput': ['again', 'summary'] } },
	description:
		'Whether to also send again messages that are unknown for over a day or only partly delivered. Recipients may get them twice.',
});

export const answers = fields.textField('Answers', 'answers', {
	placeholder: 'e.g. ΝΑΙ, ΟΧΙ',
	description: 'The words people answer with, separated by commas. Empty: no answers are read.',
});

export const answerWithinDays = fields.numberField('Answer Within (Days)', 'answerWithinDays', [0, 366], 7, {
	description: 'For how many days after its message an answer counts',
});

export const onlyUnanswered = fields.switchField('Only Unanswered', 'onlyUnanswered', {
	displayOptions: { show: { '/whoGotItOutput': ['again', 'summary'] } },
	description: 'Whether to send again, as a reminder, to those who got it, or may have, and did not answer',
});

export const resultsProperties: INodeProperties[] = [
	fields.choiceField('Operation', 'operation', 'whoGotIt', {
		noDataExpression: true,
		options: [
			{
				name: 'Who Got It',
				value: 'whoGotIt',
				description: 'Join what was sent with delivery reports and answers: as a sheet, a page, or rows to send again',
				action: 'See who got a message',
			},
			{
				name: 'Usage',
				value: 'usage',
				description: 'Count messages and SMS by month and service: as items, or as a page',
				action: 'Count messages by month',
			},
		],
	}),
	fields.noticeField(
		'toolNotice',
		{ show: { '@tool': [true] } },
		'As the tool of an AI agent this node only gives an error. Put it into the workflow after a node with a list of messages.',
	),
	fields.noticeField(
		'whoGotItNotice',
		SHOWN,
		"The input is the output of SMS Send (with Include Input Fields), reports, answers, or a table's rows. Nothing is sent.",
	),
	fields.choiceField('Output', 'whoGotItOutput', 'summary', {
		displayOptions: SHOWN,
		description: 'What comes out',
		options: [
			fields.choice('Messages', 'messages', 'One item for each message, ready for a data table'),
			fields.choice(
				'Rows to Send Again',
				'again',
				'The rows whose message was not delivered, or not answered, for a node that sends',
			),
			fields.choice('Sheet', 'sheet', 'The columns of the list, and the outcome of each row'),
			fields.choice(
				'Summary',
				'summary',
				'One item: the counts of each list, and a page for a form (html, or formFields)',
			),
		],
	}),
	fields.textField('List', 'list', {
		displayOptions: SHOWN,
		placeholder: 'e.g. Βαθμοί Ιανουαρίου',
		description:
			'With Messages: the name for messages that have none. Otherwise: the one list to look at; empty for all.',
	}),
	fields.noticeField(
		'usageNotice',
		{ show: { operation: ['usage'] } },
		"Counts messages by month and service. The input is a table's rows. Rows of earlier counts are added up.",
	),
	fields.choiceField('Output', 'usageOutput', 'items', {
		displayOptions: { show: { operation: ['usage'] } },
		description: 'How the counts come out',
		options: [
			fields.choice('Items', 'items', 'One item for each month and service'),
			fields.choice('Page', 'page', 'One item with a table for a form (html)'),
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

import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { failEveryRow } from '../../../shared/items';
import { language, optionsCollection, readLanguage, warn } from '../../../shared/node';
import type { Language } from '../../../shared/notice';
import {
	getParameter,
	readChoice,
	readFlagOption,
	readNumberOption,
	readOptionalText,
} from '../../../shared/parameter';
import { asProblem } from '../../../shared/problem';
import { fold, type Message } from './fold';
import { againItem, messageItem, reportItem, sheetRows, toSendAgain } from './outputs';
import { summaryItem } from './page';

const SHOWN = { show: { operation: ['followUp'] } };
const OUTPUTS = ['messages', 'sheet', 'again', 'summary'] as const;

export const lateAfterHours: INodeProperties = {
	displayName: 'Late After (Hours)',
	name: 'lateAfterHours',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 1000, numberPrecision: 2 },
	default: 1,
	description: 'After how many hours without a final report a message is late',
};

const includeUnknown: INodeProperties = {
	displayName: 'Include Unknown',
	name: 'includeUnknown',
	type: 'boolean',
	displayOptions: { show: { '/followUpOutput': ['again', 'summary'] } },
	default: false,
	description: 'Whether those are included of whom nobody has known for more than a day. They may get it twice.',
};

/** The form of the operation. Its values are internal names: they do not change. */
export const followUpProperties: INodeProperties[] = [
	{
		displayName:
			"It sends nothing. Give it, in any order, what SMS Send put out (with Include Input Fields), delivery reports, or a table's rows.",
		name: 'followUpNotice',
		type: 'notice',
		displayOptions: SHOWN,
		default: '',
	},
	{
		displayName: 'Output',
		name: 'followUpOutput',
		type: 'options',
		displayOptions: SHOWN,
		default: 'messages',
		description: 'What comes out',
		options: [
			{ name: 'Messages', value: 'messages', description: 'One item for each message, ready for a data table' },
			{
				name: 'Rows to Send Again',
				value: 'again',
				description: 'The rows of those whose message was not delivered, for a node that sends',
			},
			{ name: 'Sheet', value: 'sheet', description: 'The columns of the list, and what became of each row' },
			{
				name: 'Summary',
				value: 'summary',
				description: 'One item: the counts of each list, and a page (the field html) for a form',
			},
		],
	},
	{
		displayName: 'List',
		name: 'list',
		type: 'string',
		displayOptions: SHOWN,
		default: '',
		placeholder: 'e.g. Βαθμοί Ιανουαρίου',
		description:
			'With Messages the name of the list, for what has none; otherwise the one list that is wanted. Empty: all lists.',
	},
	{
		...optionsCollection,
		displayOptions: SHOWN,
		options: [includeUnknown, language, lateAfterHours],
	},
];

/**
 * Joins what was sent with what was reported: asks nobody, and sends nothing.
 *
 * @returns the items of the chosen output
 * @throws NodeApiError or NodeOperationError where a parameter can't be read and On Error says to stop
 */
export function followUp(context: IExecuteFunctions): INodeExecutionData[] {
	let words: Language = 'el';
	try {
		words = readLanguage(context);
		return itemsOf(context, words);
	} catch (error) {
		return failEveryRow(context, asProblem(error), words)[0] ?? [];
	}
}

function itemsOf(context: IExecuteFunctions, words: Language): INodeExecutionData[] {
	const output = readChoice(getParameter(context, 'followUpOutput', 'Output', 0, 'messages'), 'Output', OUTPUTS);
	const list = readOptionalText(getParameter(context, 'list', 'List', 0, ''), 'List', 500) ?? '';
	const late = readNumberOption(context, lateAfterHours);
	const withUnknown = (output === 'again' || output === 'summary') && readFlagOption(context, includeUnknown);
	const now = Date.now();
	const inputs = context.getInputData().map(({ json }) => json);
	const { messages: all, reports } = fold(inputs, now, late, output === 'messages' ? list : '');
	const messages = output === 'messages' || list === '' ? all : all.filter((message) => message.list === list);
	if (output === 'sheet' || output === 'again') hintAtColumns(context, messages);
	const itemOf = (json: IDataObject, { items }: Pick<Message, 'items'>): INodeExecutionData => ({
		json,
		pairedItem: items.map((item) => ({ item })),
	});
	switch (output) {
		case 'messages':
			return [
				...messages.map((message) => itemOf(messageItem(message, words), message)),
				...reports.map((report) => itemOf(reportItem(report), report)),
			];
		case 'sheet':
			return sheetRows(messages, words, context.getTimezone()).map((row, index) => itemOf(row, messages[index]!));
		case 'again':
			return toSendAgain(messages, withUnknown, now).map((message) => itemOf(againItem(message), message));
		case 'summary': {
			const json = summaryItem(messages, reports.length, withUnknown, now, words);
			return [{ json, pairedItem: inputs.map((_, item) => ({ item })) }];
		}
	}
}

/** Without the columns of the list nobody can be told by name, and nothing can be filled in again. */
function hintAtColumns(context: IExecuteFunctions, messages: Message[]): void {
	if (messages.length === 0 || messages.some(({ columns }) => Object.keys(columns).length > 0)) return;
	warn(context, [
		'The columns of the list are not known. Switch on Include Input Fields in the node that sends, and keep the field row in the table.',
	]);
}

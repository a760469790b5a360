import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failEveryRow } from '../../../lib/n8n/items';
import { readLanguage, addWarnings } from '../../../lib/n8n/node';
import { clip, type Language } from '../../../lib/texts/notice';
import {
	getOption,
	getParameter,
	readChoice,
	readFlagOption,
	readList,
	readNumberOption,
	readOptionalText,
} from '../../../lib/n8n/parameters';
import { toProblem, invalidParameter } from '../../../lib/texts/problem';
import { groupBy } from '../../../lib/texts/groups';
import { answers, answerWithinDays, includeUnknown, lateAfterHours, onlyUnanswered } from '../properties';
import { foldWord, withAnswers, type Question } from './answers';
import { joined, type Message } from './join';
import { againItem, lacksColumns, messageItem, reportItem, sheetRows } from './outputs';
import { toSendAgain, type Again } from './sendAgain';
import { summaryItem } from './summaryItem';

const LONGEST_LIST = 500;
const OUTPUTS = ['messages', 'sheet', 'again', 'summary'] as const;

/** Joins what was sent with what was reported: asks nobody, and sends nothing. @returns the items of the chosen output */
export function whoGotIt(context: IExecuteFunctions): INodeExecutionData[] {
	let words: Language = 'el';
	try {
		words = readLanguage(context);
		return itemsOf(context, words);
	} catch (error) {
		return failEveryRow(context, toProblem(error), words)[0] ?? [];
	}
}

function itemsOf(context: IExecuteFunctions, words: Language): INodeExecutionData[] {
	const output = readChoice(getParameter(context, 'whoGotItOutput', 'Output', 0, 'summary'), 'Output', OUTPUTS);
	// A name that is too long is cut: refused, it would lose what was sent.
	const name = readOptionalText(getParameter(context, 'list', 'List', 0, ''), 'List', 10_000) ?? '';
	const list = [...name].slice(0, LONGEST_LIST).join('');
	const late = readNumberOption(context, lateAfterHours);
	const question = readQuestion(context);
	const which = output === 'again' || output === 'summary' ? readAgain(context, question) : 'notDelivered';
	const now = Date.now();
	const inputs = context.getInputData().map(({ json }) => json);
	const { messages: all, reports } = joined(inputs, now, late, output === 'messages' ? list : '');
	const wanted = output === 'messages' || list === '' ? all : all.filter((message) => message.list === list);
	const messages = withAnswers(wanted, inputs, question);
	const noSuch = wanted.length === 0 && all.length > 0 ? { list, messages: all } : undefined;
	if (output === 'sheet' || output === 'again')
		addWarnings(context, [noSuch && listHint(noSuch), columnsHint(messages)]);
	const itemOf = (json: IDataObject, { items }: Pick<Message, 'items'>): INodeExecutionData => ({
		json,
		pairedItem: items.map((item) => ({ item })),
	});
	if (output === 'messages') {
		const known = messages.map((message) => itemOf(messageItem(message, words), message));
		return [...known, ...reports.map((report) => itemOf(reportItem(report), report))];
	}
	if (output === 'sheet') {
		const rows = sheetRows(messages, question !== undefined, words, context.getTimezone());
		return rows.map((row, index) => itemOf(row, messages[index]!));
	}
	if (output === 'again')
		return toSendAgain(messages, which, now).map((message) => itemOf(againItem(message), message));
	const json = summaryItem(messages, reports.length, which, question, now, words, noSuch);
	return [{ json, pairedItem: inputs.map((_, item) => ({ item })) }];
}

/** @returns undefined where no answers are read. @throws Problem where a word of an answer is none */
function readQuestion(context: IExecuteFunctions): Question | undefined {
	const words = readList(getOption(context, answers, 0), answers.displayName);
	const withinDays = readNumberOption(context, answerWithinDays);
	const wrong = words.find((word) => /\s/u.test(word) || foldWord(word) === '');
	if (wrong !== undefined) {
		const rule = `has "${wrong}", which is not one word`;
		throw invalidParameter(answers.displayName, rule, 'Write single words, as in ΝΑΙ, ΟΧΙ');
	}
	const once = [...groupBy(words, foldWord).values()].map(([first]) => first!);
	return words.length === 0 ? undefined : { words: once, withinDays };
}

function readAgain(context: IExecuteFunctions, question: Question | undefined): Again {
	const isUnknownToo = readFlagOption(context, includeUnknown);
	if (!readFlagOption(context, onlyUnanswered)) return isUnknownToo ? 'unknownToo' : 'notDelivered';
	if (question !== undefined) return 'unanswered';
	// Nobody would have answered, and everybody would get a reminder.
	throw invalidParameter(onlyUnanswered.displayName, 'needs the words of the answers', 'Fill in the option Answers');
}

/** Where there is no list of the name that was asked for: which there are. */
function listHint({ list, messages }: { list: string; messages: Message[] }): string {
	const names = [...groupBy(messages, (message) => message.list).keys()].filter(Boolean).map((name) => `"${name}"`);
	const todo =
		names.length === 0
			? 'Leave List empty: the messages have no list.'
			: `Put one of these into List: ${names.join(', ')}.`;
	return `There is no list of the name "${list}". ${clip(todo, LONGEST_LIST)}`;
}

/** Without the columns of the list nobody can be told by name, and nothing can be filled in again. */
const columnsHint = (messages: Message[]) =>
	messages.length > 0 && lacksColumns(messages)
		? 'The columns of the list are not known. Switch on Include Input Fields in the node that sends, and keep the field row in the table.'
		: undefined;

import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failEveryRow } from '../../../lib/n8n/items';
import { addWarnings, readLanguage } from '../../../lib/n8n/node';
import {
	getOption,
	getParameter,
	readChoice,
	readFlagOption,
	readList,
	readNumberOption,
	readOptionalText,
} from '../../../lib/n8n/parameters';
import { groupBy } from '../../../lib/texts/groups';
import { clip, type Language } from '../../../lib/texts/notice';
import { toProblem, invalidParameter } from '../../../lib/texts/problem';
import { ignoredHint, readItems } from '../items/readItems';
import { joinMessages } from '../messages/join';
import type { Message } from '../messages/message';
import { answers, answerWithinDays, includeUnknown, lateAfterHours, onlyUnanswered } from '../properties';
import { withAnswers } from './answers';
import { foldWord, type Question } from './answerWords';
import { toSendAgain, type Again } from './sendAgain';
import { lacksColumns, sheetRows } from './sheet';
import { summaryItem } from './summaryItem';
import { againItem, messageItem, reportItem } from './tableItems';

/*
 * The operation Who Got It joins messages with their delivery reports and answers, and makes the items of the chosen output. It
 * sends no request.
 */

const LONGEST_LIST = 500;
const OUTPUTS = ['messages', 'sheet', 'again', 'summary'] as const;

export function whoGotIt(context: IExecuteFunctions): INodeExecutionData[] {
	let language: Language = 'el';
	try {
		language = readLanguage(context);
		return makeItems(context, readSettings(context), language);
	} catch (error) {
		return failEveryRow(context, toProblem(error), language)[0] ?? [];
	}
}

type Settings = ReturnType<typeof readSettings>;

/** Reads the parameters. @throws Problem if a parameter breaks its rule */
function readSettings(context: IExecuteFunctions) {
	const output = readChoice(getParameter(context, 'whoGotItOutput', 'Output', 0, 'summary'), 'Output', OUTPUTS);
	// A long name, of up to 10,000 characters, is cut and not refused. A refusal would lose the results of messages that were
	// sent.
	const name = readOptionalText(getParameter(context, 'list', 'List', 0, ''), 'List', 10_000) ?? '';
	const question = readQuestion(context);
	return {
		output,
		list: [...name].slice(0, LONGEST_LIST).join(''),
		lateAfterHours: readNumberOption(context, lateAfterHours),
		question,
		which: output === 'again' || output === 'summary' ? readAgain(context, question) : ('notDelivered' as const),
	};
}

function makeItems(context: IExecuteFunctions, settings: Settings, language: Language): INodeExecutionData[] {
	const { output, list, question, which } = settings;
	const now = Date.now();
	const facts = readItems(context.getInputData().map(({ json }) => json));
	const lateness = { now, lateAfterHours: settings.lateAfterHours };
	const unnamed = output === 'messages' ? list : '';
	const { messages: all, otherReports } = joinMessages(facts.messages, facts.reports, lateness, unnamed);

	const isWanted = (message: Message) => output === 'messages' || list === '' || message.list === list;
	const [wanted, others] = [all.filter(isWanted), all.filter((message) => !isWanted(message))];
	const { messages, otherAnswers } = withAnswers(wanted, facts.incoming, question, others);
	const noSuch = wanted.length === 0 && all.length > 0 ? { list, messages: all } : undefined;

	const isList = output === 'sheet' || output === 'again';
	addWarnings(context, [
		ignoredHint(facts.ignored),
		isList ? noSuch && listHint(noSuch) : undefined,
		isList ? columnsHint(messages) : undefined,
	]);

	switch (output) {
		case 'messages':
			return [
				...messages.map((message) => itemFrom(messageItem(message, language), message.items)),
				...otherReports.map((report) => itemFrom(reportItem(report), report.items)),
			];
		case 'sheet': {
			const items = [...messages.map((message) => message.items), ...otherAnswers.map(({ index }) => [index])];
			const shown = question === undefined ? undefined : otherAnswers;
			return sheetRows({ messages, otherAnswers: shown, language, timeZone: context.getTimezone() }).map((row, index) =>
				itemFrom(row, items[index]!),
			);
		}
		case 'again':
			return toSendAgain(messages, which, now).map((message) => itemFrom(againItem(message), message.items));
		case 'summary': {
			const counts = { otherReports: otherReports.length, otherAnswers: otherAnswers.length };
			const json = summaryItem({ messages, which, question, now, language, noSuch, ...counts });
			return [itemFrom(json, [...context.getInputData().keys()])];
		}
	}
}

/** Makes an output item. @param from the indices of its input items */
const itemFrom = (json: IDataObject, from: number[]): INodeExecutionData => ({
	json,
	pairedItem: from.map((item) => ({ item })),
});

/**
 * Reads the options about answers. Undefined: there is no question, so no answers are read.
 * @throws Problem if an answer is not a single word
 */
function readQuestion(context: IExecuteFunctions): Question | undefined {
	const words = readList(getOption(context, answers, 0), answers.displayName);
	const withinDays = readNumberOption(context, answerWithinDays);
	const wrong = words.find((word) => /\s/u.test(word) || foldWord(word) === '');
	if (wrong !== undefined) {
		const rule = `has "${wrong}", which is not one word`;
		throw invalidParameter(answers.displayName, rule, 'Write single words, as in ΝΑΙ, ΟΧΙ');
	}
	const different = [...groupBy(words, foldWord).values()].map(([first]) => first!);
	return words.length === 0 ? undefined : { words: different, withinDays };
}

/** Reads which messages may be sent again. */
function readAgain(context: IExecuteFunctions, question: Question | undefined): Again {
	const isUnknownToo = readFlagOption(context, includeUnknown);
	if (!readFlagOption(context, onlyUnanswered)) return isUnknownToo ? 'unknownToo' : 'notDelivered';
	if (question !== undefined) return 'unanswered';
	// Without the words of the answers, no message would have an answer, and all people would get a reminder.
	throw invalidParameter(
		onlyUnanswered.displayName,
		'works only if you say which words count as answers',
		'Fill in the option Answers',
	);
}

/** Returns the hint that the requested list does not exist. It names the lists that exist. */
function listHint({ list, messages }: { list: string; messages: Message[] }): string {
	const names = [...groupBy(messages, (message) => message.list).keys()].filter(Boolean).map((name) => `"${name}"`);
	const todo =
		names.length === 0
			? 'Leave List empty: the messages have no list name.'
			: `Enter one of these names in List: ${names.join(', ')}.`;
	return `There is no list with the name "${list}". ${clip(todo, LONGEST_LIST)}`;
}

/**
 * Returns a hint if the columns in the list are not known. Without them, a sheet can't name the people, and the placeholders of a
 * message can't be filled in again.
 */
const columnsHint = (messages: Message[]) =>
	messages.length > 0 && lacksColumns(messages)
		? 'The columns in the list are not known. Switch on Include Input Fields in the node that sends, and keep the column "row" in the data table.'
		: undefined;

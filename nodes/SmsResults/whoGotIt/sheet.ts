import type { IDataObject } from 'n8n-workflow';

import { namesInOrder } from '../../../lib/n8n/columns';
import { openResultSheet, type Headings } from '../../../lib/n8n/resultSheet';
import { ANSWER_NAMES, STATE_NAMES } from '../../../lib/texts/messageStates';
import type { Language } from '../../../lib/texts/notice';
import { WHO_GOT_IT_CELLS as CELLS, WHO_GOT_IT_SHEET } from '../../../lib/texts/resultSheets';
import type { Answer } from '../items/facts';
import type { Message } from '../messages/message';
import type { IncomingAnswer } from './answers';
import { OTHER } from './answerWords';
import { nameOfState, noticeOfMessage } from './stateTexts';

/*
 * Makes the rows of the output Sheet. They have the columns in the list and the outcome of each message. Answers that belong to
 * no message follow at the end, each in a separate row.
 */

const { headings, answerHeadings } = WHO_GOT_IT_SHEET;

/** Returns the headings of the result columns. A sheet without answers has only the first four. */
const headingsOf = (hasAnswers: boolean): Headings => ({
	names: hasAnswers
		? { el: [...headings.el, ...answerHeadings.el], en: [...headings.en, ...answerHeadings.en] }
		: headings,
	firstCells: new Set(
		[...Object.values(STATE_NAMES).map(({ one }) => one), CELLS.answerWithoutQuestion].flatMap(({ el, en }) => [
			el,
			en,
		]),
	),
	mark: 'SMS',
});

/** Returns whether the columns in the list are missing in all rows, or in a row whose recipient is known. */
export const lacksColumns = (messages: Message[]): boolean => {
	const without = messages.filter(({ columns }) => Object.keys(columns).length === 0);
	return without.length === messages.length || without.some(({ recipient }) => recipient !== undefined);
};

export interface SheetInput {
	messages: Message[];
	/** The answers that belong to no message. Undefined: there is no question, and the sheet has no columns for answers. */
	otherAnswers: IncomingAnswer[] | undefined;
	language: Language;
	/** The time zone of the times in the sheet. */
	timeZone: string;
}

/**
 * Returns a row for each message, and then a row for each answer without a message. All rows have the same columns in the same
 * order.
 */
export function sheetRows({ messages, otherAnswers, language, timeZone }: SheetInput): IDataObject[] {
	const sheetLanguage = language === 'en' ? 'en' : 'el';
	const rows = messages.map(({ columns }) => columns);
	const headings = headingsOf(otherAnswers !== undefined);
	const sheet = openResultSheet({ rows, columns: namesInOrder(rows), headings, language: sheetLanguage, timeZone });
	const isRecipientShown = sheet.listColumns.length === 0 || lacksColumns(messages) || (otherAnswers?.length ?? 0) > 0;
	const recipientColumn = isRecipientShown ? CELLS.recipient[sheetLanguage] : undefined;

	const clock = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'short', timeStyle: 'short' });
	const timeOf = (time?: number | string) => (time === undefined ? '' : clock.format(new Date(time)).replace(',', ''));
	const answerCells = (answer?: Answer) => {
		const word = answer?.answer === OTHER ? ANSWER_NAMES.other[sheetLanguage] : answer?.answer;
		return [word ?? '', answer?.text ?? '', timeOf(answer?.at)];
	};
	const rowOf = (columns: IDataObject, recipient: string, cells: string[]): IDataObject => {
		if (recipientColumn === undefined) return sheet.row(columns, cells);
		// The list itself may have a column with the name of the recipient column. Then rows in the list keep their own cell,
		// and only rows without any cells get the recipient.
		const missing: Record<string, string> = Object.keys(columns).length === 0 ? { [recipientColumn]: recipient } : {};
		return { [recipientColumn]: recipient, ...sheet.row(columns, cells, missing) };
	};

	const ofMessages = messages.map((message) => {
		const { columns, recipient = '', sentAt, report, answer } = message;
		const why = noticeOfMessage(message, sheetLanguage) ?? '';
		const cells = [nameOfState(message).one[sheetLanguage], why, timeOf(sentAt), timeOf(report?.reportedAt)];
		return rowOf(columns, recipient, [...cells, ...answerCells(answer)]);
	});
	const ofOthers = (otherAnswers ?? []).map((answer) => {
		const cells = [CELLS.answerWithoutQuestion[sheetLanguage], CELLS.whyWithoutQuestion[sheetLanguage], '', ''];
		return rowOf({}, answer.from, [...cells, ...answerCells(answer)]);
	});
	return [...ofMessages, ...ofOthers];
}

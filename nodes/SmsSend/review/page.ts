import type { INodeExecutionData } from 'n8n-workflow';

import type { Remembers } from '../../../lib/texts/advice';
import { isKnownTomorrow } from '../../../lib/sentMessages/periods';
import { clip, type Language } from '../../../lib/texts/notice';
import type { Results } from '../../../lib/n8n/workerPool';
import { Problem } from '../../../lib/texts/problem';
import type { InBoth } from '../../../lib/texts/reasons';
import { REVIEW_PAGE as TEXTS } from '../../../lib/texts/reviewPage';
import type { RowNumbers } from '../../../lib/texts/rowNumber';
import { toText } from '../../../lib/values/text';
import { bullets, countTable, escapeHtml, inLanguage, shown } from '../../../lib/texts/html';
import { warningBullets } from '../../../lib/smsPlatform/warnings/show';
import type { ItemResult } from '../result';
import { OF_THE_LIST, type Review } from './summary';

/*
 * Limits of the page: how many faults and rows it lists, and the longest texts in characters. Longer lists and texts are cut,
 * so that people can still read the page.
 */
const MOST_FAULTS = 10;
export const MOST_ROWS_OF_FAULT = 100;
const LONGEST_NOTICE = 450;
const LONGEST_TEXT = 1000;
const LONGEST_NAME = 30;
/** The longest cell that is shown as the name of a row. */
const LONGEST_CELL = 200;
/**
 * The largest number of rows of unknown outcome that are named. An outage leaves about this many messages unknown if Concurrency
 * has its default.
 */
const MOST_UNKNOWN = 30;

/**
 * Returns the names of the rows by row number, and the numbers of the rows that are skipped because their outcome is unknown. A
 * row is named by its recipient, or otherwise by its first cell with a text or number. Mobile numbers are shown in full (not as
 * 691…678), because the readers of the page have the sheet anyway. Only a very long cell is cut.
 */
export function nameRows(results: Results<ItemResult>, inputs: INodeExecutionData[], rowNumbers: RowNumbers) {
	const { numbers, areOfSheet } = rowNumbers;
	const names = results.map((result, index) => {
		const recipient = result instanceof Problem ? result.details.recipient : result?.about.recipient;
		const cells = [recipient, ...Object.values(inputs[index]?.json ?? {})];
		const found = cells.find((cell) => typeof cell === 'number' || (typeof cell === 'string' && cell.trim() !== ''));
		return [numbers[index]!, clip(toText(found).slice(0, 1000), LONGEST_CELL).trim()] as const;
	});
	const isUnknown = (result: Results<ItemResult>[number]) =>
		!(result instanceof Problem) && result?.kind === 'skipped' && result.skipReason === 'unknown';
	const unknown = numbers.filter((_, index) => isUnknown(results[index]));
	return { areOfSheet, names: new Map(names), unknown };
}

/**
 * Returns the page of a review as HTML, with every value escaped.
 * @param quietUntil the end of the current quiet hours, as a text
 * @param rememberFor how long the node remembers messages. This and the counts decide whether the whole list may be sent again
 * after quiet hours
 */
export function reviewPage(
	review: Review,
	language: Language,
	rows: ReturnType<typeof nameRows>,
	quietUntil?: string,
	rememberFor?: Remembers,
): string {
	const html = (text: InBoth) => inLanguage(text, language, ' / ');
	const { messages, nothing, samples, faults, doubts } = review;
	const first =
		nothing === undefined
			? `<h2>${html(TEXTS.willBeSent)}</h2>`
			: `<h2>${html(TEXTS.nothing)}</h2><p>${shown(nothing.notice, LONGEST_NOTICE)}</p>`;
	if (review.listFault !== undefined) return first;

	const withoutHeadings = html(TEXTS.withoutHeadings);
	const section = (heading: string, content: string) => (content === '' ? '' : `<h3>${heading}</h3>${content}`);
	const rowNamed = (row: number) => {
		const name = rows.names.get(row) ?? '';
		return name === '' ? String(row) : `${row} (${escapeHtml(name)})`;
	};
	const which = (count: number, examples: number[]) => {
		const named = examples.map(rowNamed).join(', ') + (count > examples.length ? ' …' : '');
		if (rows.areOfSheet) return `${count === 1 ? html(TEXTS.row) : html(TEXTS.rows(count))} ${named}`;
		// The row numbers of the spreadsheet are not known, so the page speaks of entries instead of rows.
		if (count === 1) return `${html(TEXTS.entry)} ${named}, ${withoutHeadings}`;
		return `${html(TEXTS.entries(count))}, ${withoutHeadings}: ${named}`;
	};
	const faultLines = faults.map(
		(fault) =>
			`${shown(fault.notice, LONGEST_NOTICE)}<br>${which(fault.rows, fault.rowNumbers.slice(0, MOST_ROWS_OF_FAULT))}`,
	);
	const more = faults.length - MOST_FAULTS;
	const moreFaults = html(TEXTS.otherFaults(more));
	// If nothing would be sent although no row has a fault, the first paragraph already says what to do.
	const isAdviceGiven = nothing !== undefined && review.faulty === 0;
	const notKnown = html(TEXTS.unknown);
	const whoIsUnknown = `${notKnown}: ${which(rows.unknown.length, rows.unknown.slice(0, MOST_UNKNOWN))}`;
	const texts = samples.map(({ row, recipient, text, segments }) => {
		const content = text === undefined ? html(TEXTS.noText) : shown(text, LONGEST_TEXT);
		const sms = segments === undefined ? '' : ` (${segments} SMS)`;
		const which = rows.areOfSheet ? `${html(TEXTS.row)} ${row}` : `${html(TEXTS.entry)} ${row}, ${withoutHeadings}`;
		return `<p><b>${which}: ${shown(recipient, LONGEST_NAME)}</b>${sms}<br>${content}</p>`;
	});
	const isForAll = isKnownTomorrow(rememberFor) || review.alreadySent + review.unknown === 0;
	const parts = [
		first,
		messages > 0 &&
			quietUntil !== undefined &&
			`<p><b>${html(TEXTS.quietHours(quietUntil, isForAll ? 'sameList' : 'onlyUnsent'))}</b></p>`,
		messages > 0 &&
			countTable([
				[html(TEXTS.messages), messages],
				[html(TEXTS.people), review.people],
				[html(TEXTS.segments), review.segments],
				[html(TEXTS.longest), review.longest?.segments],
			]),
		section(
			nothing === undefined ? html(TEXTS.notSent) : html(TEXTS.why),
			countTable([
				[html(TEXTS.alreadySent), review.alreadySent || undefined],
				[notKnown, review.unknown || undefined],
				[html(TEXTS.twice), review.twice || undefined],
				[html(TEXTS.doNotSend), review.doNotSend || undefined],
				[html(TEXTS.faulty), review.faulty || undefined],
			]),
		),
		rows.unknown.length > 0 &&
			`<p>${isAdviceGiven ? whoIsUnknown : `${whoIsUnknown}<br>${html(TEXTS.askRecipients)}`}</p>`,
		bullets([...faultLines.slice(0, MOST_FAULTS), ...(more > 0 ? [moreFaults] : [])]),
		nothing === undefined &&
			faults.some(({ reason }) => !OF_THE_LIST.has(reason)) &&
			`<p>${html(TEXTS.correctAfterwards)}</p>`,
		section(html(TEXTS.toCheck), warningBullets(doubts, which)),
		section(messages > samples.length ? html(TEXTS.firstMessages) : html(TEXTS.allMessages), texts.join('')),
		messages > 0 && `<p>${html(TEXTS.whileSending)}</p>`,
	];
	return parts.filter((part) => part !== false).join('');
}

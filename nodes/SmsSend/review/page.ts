import type { INodeExecutionData } from 'n8n-workflow';

import type { Remembers } from '../../../lib/texts/advice';
import { isKnownTomorrow } from '../../../lib/sentMessages/periods';
import { clip, type Language } from '../../../lib/texts/notice';
import type { Results } from '../../../lib/n8n/workerPool';
import { Problem } from '../../../lib/texts/problem';
import { REASONS } from '../../../lib/texts/reasons';
import type { RowNumbers } from '../../../lib/texts/rowNumber';
import { toText } from '../../../lib/values/text';
import { bullets, countTable, escapeHtml, inLanguage, shown } from '../../../lib/texts/html';
import type { ItemResult } from '../result';
import { OF_THE_LIST, type Review } from './summary';

/** Longer lists and texts are cut, so that people can still read the page. */
const MOST_FAULTS = 10;
export const MOST_ROWS_OF_FAULT = 100;
const LONGEST_NOTICE = 450;
const LONGEST_TEXT = 1000;
const LONGEST_NAME = 30;
/** A cell that names its row is shown in full up to this length. */
const LONGEST_CELL = 200;
/** An outage leaves about this many messages unknown. */
const MOST_UNKNOWN = 30;

/** Names each row by its recipient, or by its first cell. Both are shown in full, because readers of the page have the sheet. */
export function nameRows(results: Results<ItemResult>, inputs: INodeExecutionData[], list: RowNumbers) {
	const { numbers, areOfSheet } = list;
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
 * Returns a review as HTML, with every value escaped.
 * @param quietUntil the end of the current quiet hours, as text
 * @param rememberFor whether the whole list may be uploaded again after them
 */
export function reviewPage(
	review: Review,
	language: Language,
	rows: ReturnType<typeof nameRows>,
	quietUntil?: string,
	rememberFor?: Remembers,
): string {
	const say = (el: string, en: string) => inLanguage(el, en, language, ' / ');
	const paragraph = (el: string, en: string) => `<p>${say(el, en)}</p>`;
	const { messages, nothing, samples, faults, doubts } = review;
	const first =
		nothing === undefined
			? `<h2>${say('Τι θα σταλεί', 'What will be sent')}</h2>`
			: `<h2>${say('Δεν θα σταλεί τίποτα', 'Nothing will be sent')}</h2><p>${shown(nothing.notice, LONGEST_NOTICE)}</p>`;
	if (review.listFault !== undefined) return first;

	const withoutHeadings = say('χωρίς τις επικεφαλίδες', 'without the headings');
	const section = (heading: string, content: string) => (content === '' ? '' : `<h3>${heading}</h3>${content}`);
	const rowNamed = (row: number) => {
		const name = rows.names.get(row) ?? '';
		return name === '' ? String(row) : `${row} (${escapeHtml(name)})`;
	};
	const which = (count: number, examples: number[]) => {
		const named = examples.map(rowNamed).join(', ') + (count > examples.length ? ' …' : '');
		if (rows.areOfSheet)
			return `${count === 1 ? say('Γραμμή', 'Row') : say(`${count} γραμμές:`, `${count} rows:`)} ${named}`;
		// The row numbers of the spreadsheet are not known, so the page calls them entries.
		if (count === 1) return `${say('Εγγραφή', 'Entry')} ${named}, ${withoutHeadings}`;
		return `${say(`${count} εγγραφές`, `${count} entries`)}, ${withoutHeadings}: ${named}`;
	};
	const faultLines = faults.map(
		(of) => `${shown(of.notice, LONGEST_NOTICE)}<br>${which(of.rows, of.rowNumbers.slice(0, MOST_ROWS_OF_FAULT))}`,
	);
	const more = faults.length - MOST_FAULTS;
	const moreFaults = say(`Άλλα είδη λαθών: ${more}`, `Other kinds of faults: ${more}`);
	const { el, en } = REASONS.allUnknown.todo;
	const isSaid = nothing !== undefined && review.faulty === 0;
	const notKnown = say('Άγνωστο αν έχουν ήδη σταλεί', 'Not known whether already sent');
	const whoIsUnknown = `${notKnown}: ${which(rows.unknown.length, rows.unknown.slice(0, MOST_UNKNOWN))}`;
	const doubtLines = doubts.map(({ notice, rows: count, examples, values }) => {
		const cells = values.map((value) => shown(value, LONGEST_NAME)).join(', ');
		return `${shown(notice, LONGEST_NOTICE)}${cells === '' ? '' : `<br>${which(count, examples)}: ${cells}`}`;
	});
	const texts = samples.map(({ row, recipient, text, segments }) => {
		const content =
			text === undefined ? say('Το κείμενο δεν είναι γνωστό', 'The text is not known') : shown(text, LONGEST_TEXT);
		const sms = segments === undefined ? '' : ` (${segments} SMS)`;
		const which = rows.areOfSheet
			? `${say('Γραμμή', 'Row')} ${row}`
			: `${say('Εγγραφή', 'Entry')} ${row}, ${withoutHeadings}`;
		return `<p><b>${which}: ${shown(recipient, LONGEST_NAME)}</b>${sms}<br>${content}</p>`;
	});
	const isForAll = isKnownTomorrow(rememberFor) || review.alreadySent + review.unknown === 0;
	const [whatEl, whatEn] = isForAll
		? ['την ίδια λίστα', 'the same list']
		: ['μόνο τις γραμμές που δεν έχουν σταλεί', 'only the rows that were not sent'];
	const parts = [
		first,
		messages > 0 &&
			quietUntil !== undefined &&
			`<p><b>${say(`Είναι ώρες ησυχίας έως τις ${quietUntil}: αν στείλετε τώρα, δεν θα σταλεί τίποτα. Στείλτε ${whatEl} μετά από αυτή την ώρα.`, `Messages are held during quiet hours, until ${quietUntil}: nothing goes out now. Send ${whatEn} after that.`)}</b></p>`,
		messages > 0 &&
			countTable([
				[say('Μηνύματα που θα σταλούν', 'Messages that will be sent'), messages],
				[say('Παραλήπτες', 'Recipients'), review.people],
				[say('SMS συνολικά', 'SMS in all'), review.segments],
				[say('SMS για το μεγαλύτερο μήνυμα', 'SMS that the longest message takes'), review.longest?.segments],
			]),
		section(
			nothing === undefined ? say('Δεν θα σταλούν', 'Will not be sent') : say('Γιατί', 'Why'),
			countTable([
				[say('Έχουν ήδη σταλεί', 'Already sent'), review.alreadySent || undefined],
				[notKnown, review.unknown || undefined],
				[say('Υπάρχουν ήδη σε προηγούμενη γραμμή', 'The same as an earlier row'), review.twice || undefined],
				[say('Παραλήπτες που δεν θέλουν μηνύματα', 'People who want no messages'), review.doNotSend || undefined],
				[say('Γραμμές με λάθη', 'Rows with faults'), review.faulty || undefined],
			]),
		),
		rows.unknown.length > 0 && `<p>${isSaid ? whoIsUnknown : `${whoIsUnknown}<br>${say(el, en)}`}</p>`,
		bullets([...faultLines.slice(0, MOST_FAULTS), ...(more > 0 ? [moreFaults] : [])]),
		nothing === undefined &&
			faults.some(({ reason }) => !OF_THE_LIST.has(reason)) &&
			paragraph(
				'Αν στείλετε τώρα τα υπόλοιπα, διορθώστε μετά τα λάθη και ανεβάστε μόνο τις διορθωμένες γραμμές.',
				'If you send the others now, correct the faults afterwards and upload only the corrected rows.',
			),
		section(say('Σημεία προς έλεγχο', 'Points to check'), bullets(doubtLines)),
		section(
			messages > samples.length ? say('Τα πρώτα μηνύματα', 'The first messages') : say('Τα μηνύματα', 'The messages'),
			texts.join(''),
		),
		messages > 0 &&
			paragraph(
				'Όσο στέλνεται η λίστα, η σελίδα δεν αλλάζει: για χιλιάδες μηνύματα μπορεί να χρειαστούν πολλά λεπτά. Αν κλείσετε τη σελίδα, η αποστολή συνεχίζεται.',
				'While the list goes out, the page stays as it is: thousands of messages may take many minutes. If you close it, the list still goes out.',
			),
	];
	return parts.filter((part) => part !== false).join('');
}

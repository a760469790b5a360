import { clip, shownNumbers, type Language } from '../../shared/notice';
import type { Fault, Review } from './review';
import { escapeHtml, inLanguage, shown, table } from './page';

/** Longer lists and texts are cut, so that the page stays one that people read. */
const MOST_FAULTS = 10;
const LONGEST_NOTICE = 450;
const LONGEST_TEXT = 1000;
const LONGEST_NAME = 30;

/** What the page says beside the review itself. */
interface Beside {
	/** The first cell of each row, by which people find it. */
	firstCells: string[];
	/** When quiet hours that have begun are over, in words. */
	quietUntil: string | undefined;
}

/**
 * A review as HTML for an element of n8n's forms, which keep tables, headings, paragraphs and lists and drop what styles
 * them. Every value is escaped.
 */
export function reviewPage(review: Review, language: Language, { firstCells, quietUntil }: Beside): string {
	const say = (el: string, en: string) => inLanguage(el, en, language, ' / ');
	const heading = (level: 2 | 3, text: string) => `<h${level}>${text}</h${level}>`;
	const counted = (rows: Array<[label: string, count: number]>) =>
		table(
			[],
			rows.map(([label, count]) => [label, `<b>${count}</b>`]),
		);
	const title = heading(2, say('Έλεγχος της λίστας πριν από την αποστολή', 'The list before it is sent'));
	if (review.listFault !== undefined) {
		const nothing = say('Δεν μπορεί να σταλεί τίποτα', 'Nothing can be sent');
		return `${title}<p><b>${nothing}</b></p><p>${shown(review.listFault.notice, LONGEST_NOTICE)}</p>`;
	}
	const { messages, people, segments, longest, samples, faults, doubts } = review;
	const counts: Array<[string, number | undefined]> = [
		[say('Μηνύματα που θα σταλούν', 'Messages that will be sent'), messages],
		[say('Παραλήπτες', 'Recipients'), people],
		[say('SMS συνολικά', 'SMS in all'), segments],
		[say('SMS που χρειάζεται το μεγαλύτερο μήνυμα', 'SMS that the longest message takes'), longest?.segments],
	];
	const left: Array<[string, number]> = [
		[say('Έχουν ήδη σταλεί', 'Already sent'), review.alreadySent],
		[say('Ίσως έχουν ήδη σταλεί', 'Perhaps already sent'), review.unknown],
		[say('Δεν θέλουν μηνύματα', 'Want no messages'), review.doNotSend],
		[say('Γραμμές με λάθος', 'Rows with a fault'), review.faulty],
	];
	const rowsLeft = left.filter(([, number]) => number > 0);
	const which = (rows: number, examples: number[]) => {
		const named = examples.map((row) => nameOf(row, firstCells[row - 1] ?? ''));
		return `${say(rows === 1 ? 'Γραμμή' : `${rows} γραμμές`, rows === 1 ? 'Row' : `${rows} rows`)}: ${named.join(', ')}${rows > examples.length ? ' …' : ''}`;
	};
	const list = (items: string[]) => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
	const more = faults.length - MOST_FAULTS;
	return [
		title,
		quietUntil === undefined
			? ''
			: `<p><b>${say(`Είναι ώρες ησυχίας: τα μηνύματα φεύγουν μετά τις ${quietUntil}`, `It is quiet hours: messages go out after ${quietUntil}`)}</b></p>`,
		counted(counts.filter((entry): entry is [string, number] => entry[1] !== undefined)),
		rowsLeft.length === 0 ? '' : heading(3, say('Δεν θα σταλούν', 'Will not be sent')) + counted(rowsLeft),
		faults.length === 0
			? ''
			: list([
					...faults
						.slice(0, MOST_FAULTS)
						.map((fault: Fault) => `${shown(fault.notice, LONGEST_NOTICE)}<br>${which(fault.rows, fault.examples)}`),
					...(more > 0 ? [say(`Και ${more} ακόμα είδη λαθών`, `And ${more} more kinds of faults`)] : []),
				]),
		doubts.length === 0
			? ''
			: heading(3, say('Δείτε το πριν στείλετε', 'Look at this before you send')) +
				list(
					doubts.map(({ notice, rows, examples, values }) => {
						const where =
							examples.length === 0
								? ''
								: `<br>${which(rows, examples)} (${values.map((value) => shown(value, LONGEST_NAME)).join(', ')})`;
						return `${shown(notice, LONGEST_NOTICE)}${where}`;
					}),
				),
		samples.length === 0
			? ''
			: heading(
					3,
					messages > samples.length
						? say('Τα πρώτα μηνύματα', 'The first messages')
						: say('Τα μηνύματα', 'The messages'),
				),
		...samples.map(({ row, recipient, text, segments: sms }) => {
			const content =
				text === undefined ? say('Το κείμενο δεν είναι γνωστό', 'The text is not known') : shown(text, LONGEST_TEXT);
			return `<p><b>${row}. ${shown(recipient, LONGEST_NAME)}</b>${sms === undefined ? '' : ` (${sms} SMS)`}<br>${content}</p>`;
		}),
		faults.length + doubts.length === 0
			? ''
			: `<p>${say('Οι γραμμές μετρούν από το 1, χωρίς τη γραμμή με τις επικεφαλίδες και χωρίς κενές γραμμές.', 'Rows count from 1, without the line of headings and without empty lines.')}</p>`,
	].join('');
}

/** A row by its number, and by its first cell, because the sheet's own number can't be known. */
function nameOf(row: number, firstCell: string): string {
	const cell = clip(shownNumbers(firstCell.slice(0, 1000)), LONGEST_NAME).trim();
	return cell === '' ? String(row) : `${row} (${escapeHtml(cell)})`;
}

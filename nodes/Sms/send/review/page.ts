import { clip, noticeOf, shownNumbers, type Language } from '../../../shared/notice';
import { failuresOf, type Results } from '../../../shared/pool';
import { Problem } from '../../../shared/problem';
import { groupsOf } from '../../../shared/summary';
import type { QuietEnd } from '../../outgoing/quietHours';
import { doubtsOf } from './doubts';
import { bullets, countTable, escapeHtml, inLanguage, shown } from '../html';
import type { About, RowResult } from '../result';

/** How many messages, and rows of a fault, are shown for example. */
export const SAMPLES = 5;
const EXAMPLES = 3;

/** Longer lists and texts are cut, so that the page stays one that people read. */
const MOST_FAULTS = 10;
const LONGEST_NOTICE = 450;
const LONGEST_TEXT = 1000;
const LONGEST_NAME = 30;

/** A whole list as somebody has to see it who is to approve it. */
export type Review = ReturnType<typeof reviewOf>;

/** The one item of a review, without its page. @param quiet the end of quiet hours that would hold the list up now */
export function reviewOf(results: Results<RowResult>, language: Language, quiet: QuietEnd | undefined) {
	const wouldSend: Array<{ row: number; about: About; same: string }> = [];
	const skipped = { sentBefore: 0, unknown: 0, doNotSend: 0, twice: 0 };
	for (const [index, result] of results.entries()) {
		if (result === undefined || result instanceof Problem) continue;
		if (result.kind === 'wouldSend') wouldSend.push({ row: index + 1, ...result });
		if (result.kind === 'skipped') skipped[result.skipReason]++;
	}
	const sizes = wouldSend.flatMap(({ row, about: { segments } }) =>
		segments === undefined ? [] : [{ row, segments }],
	);
	const [longest] = [...sizes].sort((one, other) => other.segments - one.segments);
	const failed = failuresOf(results);
	const groups = groupsOf(failed);
	return {
		messages: wouldSend.length,
		people: new Set(wouldSend.map(({ same }) => same)).size,
		// Of those whose text is known; left out where no text is.
		...((sizes.length > 0 || wouldSend.length === 0) && {
			segments: sizes.reduce((sum, { segments }) => sum + segments, 0),
		}),
		...(longest !== undefined && { longest }),
		alreadySent: skipped.sentBefore,
		...(skipped.twice > 0 && { twice: skipped.twice }),
		unknown: skipped.unknown,
		doNotSend: skipped.doNotSend,
		faulty: failed.length,
		...listFaultOf(wouldSend.length > 0 ? [] : groups, results.length, language),
		// The most frequent first, each with some of its rows, from 1.
		faults: groups.map(({ problem, rows }) => ({
			reason: problem.why.reason,
			error: inFull(problem),
			notice: noticeOf(problem.why, language),
			rows: rows.length,
			examples: rows.slice(0, EXAMPLES).map((row) => row + 1),
		})),
		doubts: doubtsOf(results, language),
		samples: wouldSend.slice(0, SAMPLES).map(({ row, about: { recipient, text, segments } }) => ({
			row,
			recipient,
			...(text !== undefined && { text, segments }),
		})),
		...(quiet !== undefined && { quietUntil: quiet.at }),
	};
}

/** Reasons that are of the list or the run, where all rows have them. */
const OF_THE_LIST = new Set(['emptyList', 'missingColumn', 'tooManyRows', 'setting', 'unknownMessage']);

/** Why nothing can go out, because of the list or the run as a whole: a column that no row has is missing to all of them. */
function listFaultOf(groups: ReturnType<typeof groupsOf>, rows: number, language: Language) {
	const found = groups.find(({ problem: { why }, rows: of }) =>
		of.length === rows ? OF_THE_LIST.has(why.reason) : ['missingColumn', 'emptyList'].includes(why.reason),
	);
	if (found === undefined) return {};
	const { why } = found.problem;
	return { listFault: { reason: why.reason, notice: noticeOf(why, language) } };
}

/** In one text. */
export const inFull = ({ message, description }: Problem) => [message, description].filter(Boolean).join('. ');

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
	const title = `<h2>${say('Έλεγχος της λίστας πριν από την αποστολή', 'The list before it is sent')}</h2>`;
	if (review.listFault !== undefined) {
		const nothing = say('Δεν μπορεί να σταλεί τίποτα', 'Nothing can be sent');
		return `${title}<p><b>${nothing}</b></p><p>${shown(review.listFault.notice, LONGEST_NOTICE)}</p>`;
	}
	const { messages, samples, faults, doubts } = review;
	const section = (heading: string, content: string) => (content === '' ? '' : `<h3>${heading}</h3>${content}`);
	const which = (rows: number, examples: number[]) => {
		const named = examples.map((row) => nameOf(row, firstCells[row - 1] ?? '')).join(', ');
		const label = rows === 1 ? say('Γραμμή', 'Row') : say(`${rows} γραμμές`, `${rows} rows`);
		return `${label}: ${named}${rows > examples.length ? ' …' : ''}`;
	};
	const faultLines = faults.map(
		({ notice, rows, examples }) => `${shown(notice, LONGEST_NOTICE)}<br>${which(rows, examples)}`,
	);
	const more = faults.length - MOST_FAULTS;
	const moreFaults = say(`Άλλα είδη λαθών: ${more}`, `Other kinds of faults: ${more}`);
	const doubtLines = doubts.map(({ notice, rows, examples, values }) => {
		const cells = values.map((value) => shown(value, LONGEST_NAME)).join(', ');
		return `${shown(notice, LONGEST_NOTICE)}${cells === '' ? '' : `<br>${which(rows, examples)} (${cells})`}`;
	});
	const texts = samples.map(({ row, recipient, text, segments }) => {
		const content =
			text === undefined ? say('Το κείμενο δεν είναι γνωστό', 'The text is not known') : shown(text, LONGEST_TEXT);
		const sms = segments === undefined ? '' : ` (${segments} SMS)`;
		return `<p><b>${row}. ${shown(recipient, LONGEST_NAME)}</b>${sms}<br>${content}</p>`;
	});
	return [
		title,
		quietUntil === undefined
			? ''
			: `<p><b>${say(`Είναι ώρες ησυχίας ως τις ${quietUntil}: αν επιλέξετε τώρα «Αποστολή», δεν θα σταλεί τίποτα. Ανεβάστε ξανά την ίδια λίστα μετά.`, `It is quiet hours until ${quietUntil}: nothing goes out now. Upload the same list again after that.`)}</b></p>`,
		countTable([
			[say('Μηνύματα που θα σταλούν', 'Messages that will be sent'), messages],
			[say('Παραλήπτες', 'Recipients'), review.people],
			[say('SMS συνολικά', 'SMS in all'), review.segments],
			[say('SMS που χρειάζεται το μεγαλύτερο μήνυμα', 'SMS that the longest message takes'), review.longest?.segments],
		]),
		section(
			say('Δεν θα σταλούν', 'Will not be sent'),
			countTable([
				[say('Έχουν ήδη σταλεί', 'Already sent'), review.alreadySent || undefined],
				[say('Ίσως έχουν ήδη σταλεί', 'Perhaps already sent'), review.unknown || undefined],
				[say('Δεν θέλουν μηνύματα', 'Want no messages'), review.doNotSend || undefined],
				[say('Γραμμές με λάθος', 'Rows with a fault'), review.faulty || undefined],
			]),
		),
		bullets([...faultLines.slice(0, MOST_FAULTS), ...(more > 0 ? [moreFaults] : [])]),
		section(say('Δείτε το πριν στείλετε', 'Look at this before you send'), bullets(doubtLines)),
		section(
			messages > samples.length ? say('Τα πρώτα μηνύματα', 'The first messages') : say('Τα μηνύματα', 'The messages'),
			texts.join(''),
		),
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

import { clip, shownNumbers, type Language } from '../../shared/notice';
import type { Message } from './fold';
import type { Counts, ListCounts } from './followUpOutputs';
import { STATES } from './followUpFact';
import { labelOf } from './followUpWords';
import { inLanguage, shown, table } from './page';

/** More lists than people look through; the sheet has them all. */
const MOST_LISTS = 20;
const LONGEST_NAME = 100;
/** As many reasons, and names beside one, as people read. */
const MOST_REASONS = 8;
const NAMED = 3;
const LONGEST_NOTICE = 450;
const LONGEST_CELL = 30;

/**
 * Who got it, as a page for a form: how the messages of each list stand, how many people could get theirs again, and what to
 * do next.
 *
 * @param byList the newest first
 * @param otherReports how many reports are on messages that are not there
 */
export function followUpPage(byList: ListCounts[], all: Counts, otherReports: number, language: Language): string {
	const say = (el: string, en: string, between?: string) => inLanguage(el, en, language, between);
	const heading = `<h2>${say('Τι έγινε με τα μηνύματα', 'What became of the messages', ' / ')}</h2>`;
	if (byList.length === 0) {
		return `${heading}<p>${say('Δεν έχει σταλεί ακόμη τίποτα.', 'Nothing has been sent yet.')}</p><p>${say(
			'Στείλτε πρώτα μια λίστα, και ανοίξτε ξανά αυτή τη σελίδα.',
			'Send a list first, then open this page again.',
		)}</p>`;
	}
	const named = (list: string) =>
		list === '' ? say('Χωρίς όνομα λίστας', 'Without a name of a list', ' / ') : shown(list, LONGEST_NAME);
	const lists = byList
		.slice(0, MOST_LISTS)
		.map((counts) => `<h3>${named(counts.list)}</h3>${countTable(counts, language)}${reasons(counts, language)}`);
	const more = byList.length - lists.length;
	const rest =
		more > 0
			? `<p>${say(`Παλαιότερες λίστες: ${more}. Όλες μαζί:`, `Older lists: ${more}. All together:`)}</p>${countTable(all, language)}`
			: '';
	const others =
		otherReports > 0
			? `<p>${say(
					`Αναφορές για άλλα μηνύματα, που δεν είναι σε αυτές τις λίστες: ${otherReports}`,
					`Reports on other messages, which are not in these lists: ${otherReports}`,
				)}</p>`
			: '';
	return `${heading}${lists.join('')}${rest}${others}${nextSteps(all, language)}`;
}

function countTable(counts: Counts, language: Language): string {
	const say = (el: string, en: string) => inLanguage(el, en, language);
	const line = (label: string, value: string | number) => [label, `<b>${value}</b>`];
	const states = STATES.filter((state) => counts[state] > 0).map((state) => {
		const { el, en } = labelOf(state);
		return line(say(capital(el), capital(en)), counts[state]);
	});
	const { again, againSegments, atLeast, unknownToo } = counts;
	const sms = atLeast
		? say(`τουλάχιστον ${againSegments} SMS`, `at least ${againSegments} SMS`)
		: say(`${againSegments} SMS`, `${againSegments} SMS`).split('<br>')[0];
	return table(
		[],
		[
			line(say('Μηνύματα', 'Messages'), counts.messages),
			...states,
			...(again > 0
				? [line(say('Άτομα που μπορούν να το πάρουν ξανά', 'People who could get it again'), `${again}<br>${sms}`)]
				: []),
			...(unknownToo > 0
				? [
						line(
							say(
								'Άτομα για τα οποία έμεινε άγνωστο αν στάλθηκε, και ίσως το έχουν ήδη',
								'People of whom it stayed unknown whether it was sent, and who may have it already',
							),
							unknownToo,
						),
					]
				: []),
		],
	);
}

/** Who got nothing, and why: by reason, with a few of those whom it concerns. */
function reasons({ left }: ListCounts, language: Language): string {
	const lines = left.slice(0, MOST_REASONS).map(({ notice, messages }) => {
		const names = messages
			.slice(0, NAMED)
			.map(nameOf)
			.filter((name) => name !== '');
		const who = `${messages.length}${names.length > 0 ? `: ${names.join(', ')}` : ''}${messages.length > names.length ? ' …' : ''}`;
		return `<li>${shown(notice, LONGEST_NOTICE)} <b>(${who})</b></li>`;
	});
	const more = left.length - lines.length;
	if (more > 0)
		lines.push(
			`<li>${inLanguage(`Και ${more} ακόμα λόγοι: δείτε το φύλλο.`, `And ${more} more reasons: see the sheet.`, language, ' / ')}</li>`,
		);
	return lines.length > 0 ? `<ul>${lines.join('')}</ul>` : '';
}

/** By the first cell of their row people find somebody; its numbers are shortened. */
function nameOf({ columns, recipient = '' }: Message): string {
	const cell = String(Object.values(columns)[0] ?? recipient);
	return shown(clip(shownNumbers(cell.slice(0, 1000)), LONGEST_CELL).trim(), LONGEST_CELL);
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** What to do, as far as something of the kind is there. */
function nextSteps(all: Counts, language: Language): string {
	const say = (el: string, en: string) => inLanguage(el, en, language);
	const steps = [
		all.onItsWay > 0
			? say(
					'Περιμένετε λίγο και ανοίξτε ξανά τη σελίδα: κάποιες αναφορές δεν έχουν έρθει ακόμη.',
					'Wait a little and open this page again: some reports have not come yet.',
				)
			: '',
		all.late > 0
			? say(
					'Όπου δεν έχει έρθει αναφορά, το μήνυμα ίσως έφτασε: μην το στείλετε ξανά. Αν είναι πολλά, πείτε το στον διαχειριστή.',
					'Where no report has come, the message may have arrived: do not send it again. If there are many, tell the admin.',
				)
			: '',
		all.again > 0
			? say(
					'Σε όσους δεν παραδόθηκε, ελέγξτε τον αριθμό και στείλτε ξανά.',
					'For those it was not delivered to, check the number and send again.',
				)
			: '',
		all.unknown > 0
			? say(
					'Όπου είναι άγνωστο αν στάλθηκε, ρωτήστε το άτομο πριν στείλετε ξανά.',
					'Where it is not known whether it was sent, ask the person before you send again.',
				)
			: '',
		all.notSent > 0
			? say(
					'Για όσα δεν στάλθηκαν, διορθώστε τη λίστα και ανεβάστε την ξανά: όσα στάλθηκαν δεν στέλνονται δεύτερη φορά.',
					'For what was not sent, correct the list and upload it again: what was sent is not sent a second time.',
				)
			: '',
	].filter((step) => step !== '');
	const nothing = say('Δεν χρειάζεται να κάνετε κάτι.', 'There is nothing to do.');
	const list = steps.length > 0 ? `<ul>${steps.map((step) => `<li>${step}</li>`).join('')}</ul>` : `<p>${nothing}</p>`;
	return `<h3>${inLanguage('Τι να κάνετε τώρα', 'What to do now', language, ' / ')}</h3>${list}`;
}

import { escapeHtml, inLanguage, shown } from '../../../lib/texts/html';
import type { Language } from '../../../lib/texts/notice';
import { sumOf, type Counts, type Usage } from './countUsage';

/* Makes the page of usage: a table for a form, narrow enough for a phone. */

const LONGEST_SERVICE = 30;

/** Returns HTML for a form. */
export function usagePage(all: Usage[], language: Language): string {
	const inLanguages = (el: string, en: string, between?: string) => inLanguage(el, en, language, between);
	const heading = `<h2>${inLanguages('Χρήση', 'Usage', ' / ')}</h2>`;
	if (all.length === 0)
		return `${heading}<p>${inLanguages('Δεν έχει σταλεί ακόμη κανένα μήνυμα.', 'No message has been sent yet.')}</p>`;

	const sms = ({ segments = 0, withoutText = 0 }: Counts) =>
		withoutText === 0 ? String(segments) : inLanguages(`τουλάχιστον ${segments}`, `at least ${segments}`);
	const row = (cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
	const countCells = (counts: Counts) => [
		`<b>${counts.messages}</b>`,
		`<b>${sms(counts)}</b>`,
		String(counts.delivered ?? 0),
	];
	const total = sumOf(all);
	const rows = [
		row([
			inLanguages('Μήνας', 'Month'),
			inLanguages('Υπηρεσία', 'Service'),
			inLanguages('Μηνύματα', 'Messages'),
			'SMS',
			inLanguages('Παραδόθηκαν', 'Delivered'),
		]),
		...all.map(({ month, serviceId = '', counts }) =>
			row([
				month === undefined ? inLanguages('Άγνωστος', 'Not known') : escapeHtml(shownMonth(month)),
				shown(serviceId, LONGEST_SERVICE),
				...countCells(counts),
			]),
		),
		...(all.length > 1 ? [row([inLanguages('Σύνολο', 'Total'), '', ...countCells(total)])] : []),
	];
	const { withoutText = 0 } = total;
	const missing = inLanguages(
		`Μηνύματα χωρίς γνωστό κείμενο: ${withoutText}. Τα SMS τους δεν μετρούν εδώ.`,
		`Messages whose text is not known: ${withoutText}. Their SMS do not count here.`,
	);
	const note = withoutText === 0 ? '' : `<p>${missing}</p>`;
	return `${heading}<table>${rows.join('')}</table>${note}`;
}

/** Returns 2026-01 as 01/2026. */
const shownMonth = (month: string) => month.split('-').reverse().join('/');

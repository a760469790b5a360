import { escapeHtml, inLanguage, shown } from '../../../lib/texts/html';
import type { Language } from '../../../lib/texts/notice';
import type { InBoth } from '../../../lib/texts/reasons';
import { USAGE_PAGE as TEXTS } from '../../../lib/texts/usagePage';
import { sumOf, type Counts, type Usage } from './countUsage';

/* Makes the page of the operation Usage: a table for an n8n form, narrow enough for a phone. */

const LONGEST_SERVICE = 30;

/** Returns the page as HTML for a form. */
export function usagePage(all: Usage[], language: Language): string {
	const html = (text: InBoth, between?: string) => inLanguage(text, language, between);
	const heading = `<h2>${html(TEXTS.heading, ' / ')}</h2>`;
	if (all.length === 0) return `${heading}<p>${html(TEXTS.nothing)}</p>`;

	// A plus stands for the words "at least", which would make the table wider than a phone.
	const sms = ({ segments = 0, withoutText = 0 }: Counts) => `${segments}${withoutText === 0 ? '' : '+'}`;
	const row = (cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
	const countCells = (counts: Counts) => [
		`<b>${counts.messages}</b>`,
		`<b>${sms(counts)}</b>`,
		String(counts.delivered ?? 0),
	];
	const total = sumOf(all);
	const rows = [
		row([html(TEXTS.month), html(TEXTS.service), html(TEXTS.messages), 'SMS', html(TEXTS.delivered)]),
		...all.map(({ month, serviceId = '', counts }) =>
			row([
				month === undefined ? html(TEXTS.unknownMonth) : escapeHtml(shownMonth(month)),
				shown(serviceId, LONGEST_SERVICE),
				...countCells(counts),
			]),
		),
		...(all.length > 1 ? [row([html(TEXTS.total), '', ...countCells(total)])] : []),
	];
	const { withoutText = 0 } = total;
	const note = withoutText === 0 ? '' : `<p>${html(TEXTS.withoutText(withoutText))}</p>`;
	return `${heading}<table>${rows.join('')}</table>${note}`;
}

/** Returns 2026-01 as 01/2026. */
const shownMonth = (month: string) => month.split('-').reverse().join('/');

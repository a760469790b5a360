import type { Language } from '../../shared/notice';

/* What the pages of the nodes are made of: n8n's forms keep headings, paragraphs, lists and tables, and drop what styles them. */

const ENTITIES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
	'{': '&#123;',
	'}': '&#125;',
	$: '&#36;',
};

/**
 * A value as text of a page. Braces and the dollar too: n8n's forms evaluate `{{ … }}` in an HTML element, also where it
 * came with a value, and put the element in place with a function to which `$` means something.
 */
export const escapeHtml = (text: string): string => text.replace(/[&<>"'{}$]/g, (character) => ENTITIES[character]!);

/** Words of a page; a value among them is escaped. */
export const inLanguage = (el: string, en: string, language: Language): string =>
	language === 'both' ? `${escapeHtml(el)} / ${escapeHtml(en)}` : escapeHtml(language === 'el' ? el : en);

/** @param text escaped */
export const heading = (level: 2 | 3, text: string): string => `<h${level}>${text}</h${level}>`;

/** Counts by what they count. @param rows labels escaped */
export const table = (rows: Array<[label: string, count: number]>): string =>
	`<table>${rows.map(([label, count]) => `<tr><td>${label}</td><td><b>${count}</b></td></tr>`).join('')}</table>`;

import type { Language } from './notice';
import type { InBoth } from './reasons';

/*
 * Makes HTML for n8n's forms. The forms keep tables, headings, paragraphs and lists, and remove styles. Tables need few and
 * narrow columns, because people read the forms on phones.
 */

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
 * Escapes a text for a page. Braces are escaped, because n8n's forms evaluate `{{ … }}` in an HTML element, even inside a value.
 * `$` is escaped, because the forms compose a page with `String.replace`, in which `$` has a special meaning.
 */
export const escapeHtml = (text: string): string => text.replace(/[&<>"'{}$]/g, (character) => ENTITIES[character]!);

/** Returns a text of this package in the language of the page, escaped. @param between the HTML between the two languages */
export function inLanguage({ el, en }: InBoth, language: Language, between = '<br>'): string {
	if (language !== 'both') return escapeHtml(language === 'el' ? el : en);
	return `${escapeHtml(el)}${between}${escapeHtml(en)}`;
}

/**
 * Matches 20 characters without a space that are followed by another one. A phone of 360 px can't show more in one of two
 * columns.
 */
const LONGEST_WORD = /[^\s\u200b]{20}(?=[^\s\u200b])/gu;

/**
 * Returns a value of the list as HTML. It is escaped, cut after a number of characters, and keeps its line breaks. Long words may
 * break after every 20 characters, so that people don't have to scroll sideways.
 */
export function shown(value: string, longest: number): string {
	// Only the beginning is split into characters, because a cell can contain a very long text.
	const characters = [...value.slice(0, 2 * longest + 2)];
	const cut = characters.length > longest ? `${characters.slice(0, longest).join('')} …` : value;
	return escapeHtml(cut.replace(LONGEST_WORD, '$&\u200b')).replace(/\r\n|\r|\n/g, '<br>');
}

/**
 * Returns a table of labels and counts as HTML. Undefined counts are left out. The third part of a line is HTML after the count.
 */
export function countTable(lines: Array<[label: string, count: number | undefined, more?: string]>): string {
	const rows = lines.flatMap(([label, count, more = '']) =>
		count === undefined ? [] : `<td>${label}</td><td><b>${count}${more}</b></td>`,
	);
	return enclosed('table', 'tr', rows);
}

export const bullets = (lines: string[]): string => enclosed('ul', 'li', lines);

const enclosed = (all: string, each: string, lines: string[]) =>
	lines.length === 0 ? '' : `<${all}>${lines.map((line) => `<${each}>${line}</${each}>`).join('')}</${all}>`;

import type { Language } from './notice';

/* n8n's forms keep tables, headings, paragraphs and lists, no styles; phones show few and narrow columns. */

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
 * A text as a page shows it. n8n's forms evaluate `{{ … }}` in an HTML element, also where it came with a value, and put a
 * page together with `String.replace`, for which `$` is special.
 */
export const escapeHtml = (text: string): string => text.replace(/[&<>"'{}$]/g, (character) => ENTITIES[character]!);

/** Words of ours in the language of the page, escaped. `between`: HTML that stands between two languages. */
export function inLanguage(el: string, en: string, language: Language, between = '<br>'): string {
	if (language !== 'both') return escapeHtml(language === 'el' ? el : en);
	return `${escapeHtml(el)}${between}${escapeHtml(en)}`;
}

/** How many characters without a space a phone of 360 px shows in a cell beside another. */
const LONGEST_WORD = /[^\s\u200b]{20}(?=[^\s\u200b])/gu;

/**
 * A value of the list: escaped, cut where it is longer than so many characters, with its line breaks. A long word may break
 * anywhere, so that nobody has to scroll sideways.
 */
export function shown(value: string, longest: number): string {
	// Not every character has to be looked at: a cell may hold a whole book.
	const characters = [...value.slice(0, 2 * longest + 2)];
	const cut = characters.length > longest ? `${characters.slice(0, longest).join('')} …` : value;
	return escapeHtml(cut.replace(LONGEST_WORD, '$&\u200b')).replace(/\r\n|\r|\n/g, '<br>');
}

/** Counts beside their labels, in HTML; those that are undefined are left out. @param more what stands below a count */
export function countTable(lines: Array<[label: string, count: number | undefined, more?: string]>): string {
	const rows = lines.flatMap(([label, count, more = '']) =>
		count === undefined ? [] : `<td>${label}</td><td><b>${count}${more}</b></td>`,
	);
	return enclosed('table', 'tr', rows);
}

export const bullets = (lines: string[]): string => enclosed('ul', 'li', lines);

const enclosed = (all: string, each: string, lines: string[]) =>
	lines.length === 0 ? '' : `<${all}>${lines.map((line) => `<${each}>${line}</${each}>`).join('')}</${all}>`;

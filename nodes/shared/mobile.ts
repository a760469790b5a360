import { tidy } from './greek';

/** What people write between the digits of a number, for a class of characters. A minus sign is no dash to Unicode. */
export const SEPARATORS = '\\s().\\p{Pd}\\u2212/';

const SEPARATOR = new RegExp(`[${SEPARATORS}]`, 'gu');

/** A number without what is between its digits. */
export const withoutSeparators = (text: string): string => text.replace(SEPARATOR, '');

/**
 * The ten digits of a Greek mobile number, whichever way it was written: with 30, +30 or 0030 before it, with
 * spaces, dots or dashes, in full-width digits, as spreadsheets export it (an apostrophe before it, .0 behind).
 * Undefined for anything else: landlines, foreign numbers, the user names that a recipient may be, 11 digits
 * with a stray 0, and what is longer than any number is written.
 *
 * @see Hellenic numbering plan: mobile ranges 69 and 68; 94 is in use as well.
 */
export function greekMobile(text: string): string | undefined {
	if (text.length > 100) return undefined;
	const written = tidy(text.normalize('NFKC'))
		.replace(/^['’]/, '')
		.replace(/^(\+?\d+)[.,]0+$/, '$1');
	return /^(?:\+30|0030|30)?((?:69|68|94)\d{8})$/.exec(withoutSeparators(written))?.[1];
}

/**
 * A number that a spreadsheet has turned into 6.9E9: its digits are lost. The letter may be Greek.
 *
 * @param text of bounded length
 */
export function isScientificNotation(text: string): boolean {
	const compact = text.normalize('NFKC').replace(/\s/gu, '');
	return /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)[eε][+-]?\d+$/iu.test(compact);
}

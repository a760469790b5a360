import { clean } from './letters';

/*
 * Reads phone numbers as people and spreadsheets write them: Greek mobiles and landlines, and foreign numbers. All nodes use
 * these functions.
 */

/**
 * The characters that people write between digits, for a character class of a regular expression. The minus sign (U+2212) is
 * listed, because Unicode does not count it as a dash.
 */
export const SEPARATORS = '\\s().\\p{Pd}\\u2212/';

const SEPARATOR = new RegExp(`[${SEPARATORS}]`, 'gu');

/** The longest text that can be a phone number, in UTF-16 units. Longer texts are not read. */
const LONGEST = 100;

/** Matches a country code and the zero of national calls, which some people write behind it: +49 (0)151 … */
const NATIONAL_ZERO = /^(\(?(?:\+|00)[^(]{1,6})\(0\)/;

const GREEK_CODE = /^(?:\+30|0030|30(?=\d{10}$))/;

/**
 * Removes characters that people and spreadsheets add to digits: separators, an apostrophe in front, `.0` or `,0` at the end, and
 * the zero of `NATIONAL_ZERO`. Full-width digits become ordinary digits.
 */
function compact(text: string): string {
	return clean(text.normalize('NFKC'))
		.replace(/^['’]/, '')
		.replace(/^(\+?\d+)[.,]0+$/, '$1')
		.replace(NATIONAL_ZERO, '$1')
		.replace(SEPARATOR, '');
}

/**
 * Returns the ten digits of a Greek mobile (ranges 69, 68 and 94). It may be written with or without 30, +30 or 0030, with
 * separators, in full-width digits, and with the changes that spreadsheets make. Undefined: the text is no Greek mobile.
 */
export function greekMobile(text: string): string | undefined {
	if (text.length > LONGEST) return undefined;
	return /^(?:\+30|0030|30)?((?:69|68|94)\d{8})$/.exec(compact(text))?.[1];
}

/** Returns the ten digits of a Greek landline in any spelling. Undefined: the text is no Greek landline. */
export function greekLandline(text: string): string | undefined {
	if (text.length > LONGEST) return undefined;
	return /^2\d{9}$/.exec(nationalDigits(text))?.[0];
}

/**
 * Returns a number without separators and without the country code of Greece. The result may contain characters other than
 * digits. A text that is too long for a number stays unchanged.
 */
export const nationalDigits = (text: string): string =>
	text.length > LONGEST ? text : compact(text).replace(GREEK_CODE, '');

/**
 * Returns the digits of a foreign number with its country code. The number has to begin with + or 00. Undefined: the text is no
 * foreign number. A slash is not allowed, because it separates two numbers. The codes 693 to 699 are not allowed, because no
 * country has them: such a number is a Greek mobile without its 30.
 */
export function foreignNumber(text: string): string | undefined {
	if (text.length > LONGEST || text.normalize('NFKC').includes('/')) return undefined;
	return /^(?:\+|00)(?!0|30|69[3-9])(\d{7,15})$/.exec(compact(text))?.[1];
}

/** Returns the Greek mobiles and landlines in a text, without separators. A text that is too long for a number has none. */
export const greekNumbersIn = (text: string): string[] =>
	text.length > LONGEST ? [] : (compact(text).match(/(?:69|68|94|2\d)\d{8}/g) ?? []);

/**
 * Returns a form that is the same for all spellings of a phone number. A Greek number may be written without its country code. A
 * text that is no number, such as a user name, is returned in small letters and without separators.
 */
export function phoneKey(text: string): string {
	const start = text.slice(0, LONGEST);
	return (
		greekMobile(start) ??
		nationalDigits(start)
			.replace(/^(?:\+|00)/, '')
			.toLowerCase()
	);
}

/** Returns whether a spreadsheet shortened a number to a form such as 6.9E9, so that digits are lost. The E may be Greek. */
export function isScientificNotation(text: string): boolean {
	const plain = text.normalize('NFKC').replace(/\s/gu, '');
	return /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)[eε][+-]?\d+$/iu.test(plain);
}

/**
 * Returns whether a number may come from a rounded form such as 6.91E+09 or 3.06912E+11 in a .csv file. A mobile with all its
 * digits may end in six zeros too.
 */
export const isRounded = (number: number): boolean => number % 1_000_000 === 0;

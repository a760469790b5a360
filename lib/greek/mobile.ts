import { clean } from './letters';

/*
 * Phone numbers as people and spreadsheets write them: Greek mobiles and landlines, and numbers abroad. Recipients, Who Got It,
 * Compare and reports all read numbers here.
 */

/**
 * The characters that people write between digits, for a character class. The minus sign is named by itself, because for
 * Unicode it is not a dash.
 */
export const SEPARATORS = '\\s().\\p{Pd}\\u2212/';

const SEPARATOR = new RegExp(`[${SEPARATORS}]`, 'gu');

/** Longer texts are not a phone number and are not searched. In UTF-16 units. */
const LONGEST = 100;

/** The zero of national calls that people write behind a country code: +49 (0)151 … */
const NATIONAL_ZERO = /^(\(?(?:\+|00)[^(]{1,6})\(0\)/;

const GREEK_CODE = /^(?:\+30|0030|30(?=\d{10}$))/;

/** Removes what people and spreadsheets write around digits: separators, an apostrophe in front, `.0` at the end. */
function compact(text: string): string {
	return clean(text.normalize('NFKC'))
		.replace(/^['’]/, '')
		.replace(/^(\+?\d+)[.,]0+$/, '$1')
		.replace(NATIONAL_ZERO, '$1')
		.replace(SEPARATOR, '');
}

/**
 * Returns the ten digits of a Greek mobile (ranges 69, 68 and 94) in any spelling: with or without 30, +30 or 0030, with
 * separators, in full-width digits, and as spreadsheets change it. Returns undefined for anything else.
 */
export function greekMobile(text: string): string | undefined {
	if (text.length > LONGEST) return undefined;
	return /^(?:\+30|0030|30)?((?:69|68|94)\d{8})$/.exec(compact(text))?.[1];
}

/** Returns the ten digits of a Greek landline in any spelling, or undefined. */
export function greekLandline(text: string): string | undefined {
	if (text.length > LONGEST) return undefined;
	return /^2\d{9}$/.exec(nationalDigits(text))?.[0];
}

/** Returns a number without separators and without the country code of Greece. It may contain other characters. */
export const nationalDigits = (text: string): string =>
	text.length > LONGEST ? text : compact(text).replace(GREEK_CODE, '');

/**
 * Returns the digits of a number abroad, which begins with + or 00, with its country code. A text with a slash is refused,
 * because a slash separates two numbers. No country has a code from 693 to 699: such a number is a Greek mobile without its 30.
 */
export function foreignNumber(text: string): string | undefined {
	if (text.length > LONGEST || text.normalize('NFKC').includes('/')) return undefined;
	return /^(?:\+|00)(?!0|30|69[3-9])(\d{7,15})$/.exec(compact(text))?.[1];
}

/** Returns the Greek numbers in a text that can contain several, without separators. */
export const greekNumbersIn = (text: string): string[] =>
	text.length > LONGEST ? [] : (compact(text).match(/(?:69|68|94|2\d)\d{8}/g) ?? []);

/**
 * Returns a form that is the same for all spellings of one phone number, with or without its country code. A user name is
 * returned in small letters and without separators.
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

/** Returns whether a spreadsheet shortened a number to 6.9E9, so that its digits are lost. The letter may be Greek. */
export function isScientificNotation(text: string): boolean {
	const plain = text.normalize('NFKC').replace(/\s/gu, '');
	return /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)[eε][+-]?\d+$/iu.test(plain);
}

/**
 * Returns whether a number can come from 6.91E+09 or 3.06912E+11 in a .csv file. A mobile that was typed as text may end like
 * this too.
 */
export const isRounded = (number: number): boolean => number % 1_000_000 === 0;

/** Finds the keyword in a text that a person typed on a phone. These functions have no side effects. */

/** The capitals that look the same in both alphabets, Latin to Greek. */
const greekFor: Readonly<Record<string, string>> = {
	A: 'Α',
	B: 'Β',
	E: 'Ε',
	H: 'Η',
	I: 'Ι',
	K: 'Κ',
	M: 'Μ',
	N: 'Ν',
	O: 'Ο',
	P: 'Ρ',
	T: 'Τ',
	X: 'Χ',
	Y: 'Υ',
	Z: 'Ζ',
};

/**
 * Returns a text with the capitals that both alphabets share as Greek letters: `STOP` becomes `SΤΟΡ`. Aggregators pass texts on
 * like this, because the alphabet of phones (3GPP TS 23.038, GSM 7 bit) has one character for both.
 */
export const inGreekLetters = (text: string): string =>
	text.replace(/[ABEHIKMNOPTXYZ]/g, (letter) => greekFor[letter]!);

/**
 * Returns the form in which keywords are compared: without case and accents, and with letters that look the same as one
 * letter.
 */
const compared = (word: string): string => inGreekLetters(word.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase());

/** Finds the keyword of the list that equals a word in any spelling. */
export const findKeyword = (word: string, keywords: string[]): string | undefined =>
	keywords.find((keyword) => compared(keyword) === compared(word));

/** The institution's name, which people type first if institutions share a short code. */
export const institutionsPrefix = 'UNI';

export const prefixes = [
	/** People type no prefix. */
	'none',
	/** People have to type it, and the platform removes it. */
	'dropped',
	/** People have to type it, and the platform passes it on as the keyword. The keyword itself begins the body. */
	'keyword',
] as const;

export interface Habits {
	/** Whether texts arrive with the letters that both alphabets share as Greek letters. */
	greekLetters: boolean;
	/** Whether the keyword is passed on in its registered spelling instead of the typed one. */
	canonicalKeyword: boolean;
	prefix: (typeof prefixes)[number];
}

/** A text for an institution. */
export interface Routed {
	/** The registered keyword, which determines the URL. Empty: the text has no keyword after the prefix. */
	registered: string;
	/** The keyword of the request. */
	keyword: string;
	body: string;
}

/** Splits a text into its first word and the rest. */
const split = (text: string): [string, string] => {
	const [, word = '', rest = ''] = /^\s*(\S*)\s*([^]*)$/.exec(text) ?? [];
	return [word, rest];
};

/**
 * @param text the whole SMS
 * @param keywords as they were registered
 * @returns undefined if the first word (after the prefix, if there is one) is not a keyword
 */
export function route(
	text: string,
	keywords: string[],
	{ greekLetters, canonicalKeyword, prefix }: Habits,
): Routed | undefined {
	const arrived = greekLetters ? inGreekLetters(text) : text;
	const [first, afterFirst] = split(arrived);
	if (prefix === 'none') return asKeyword(first, afterFirst);

	if (!findKeyword(first, [institutionsPrefix])) return undefined;
	const [second, afterSecond] = split(afterFirst);
	if (prefix === 'dropped') return asKeyword(second, afterSecond);
	return {
		registered: findKeyword(second, keywords) ?? '',
		keyword: canonicalKeyword ? institutionsPrefix : first,
		body: afterFirst,
	};

	function asKeyword(word: string, body: string): Routed | undefined {
		const registered = findKeyword(word, keywords);
		return registered === undefined ? undefined : { registered, keyword: canonicalKeyword ? registered : word, body };
	}
}

/** What the platform makes of the text that somebody has typed on a phone. Pure. */

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
 * The capitals that both alphabets share as Greek ones: `STOP` becomes `SΤΟΡ`. Aggregators hand texts on like this,
 * because the alphabet of phones (3GPP TS 23.038, GSM 7 bit) has one character for both.
 */
export const inGreekLetters = (text: string): string =>
	text.replace(/[ABEHIKMNOPTXYZ]/g, (letter) => greekFor[letter]!);

/** The form in which keywords are compared: no case, no accents, look-alikes as one letter. */
const compared = (word: string): string => inGreekLetters(word.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase());

/** @returns the keyword of the list that this word is, however it was typed */
export const findKeyword = (word: string, keywords: string[]): string | undefined =>
	keywords.find((keyword) => compared(keyword) === compared(word));

/** The institution's name, which people type first where a short code is shared. */
export const institutionsPrefix = 'UNI';

export const prefixes = [
	/** Nobody types one. */
	'none',
	/** It has to be typed, and the platform takes it off. */
	'dropped',
	/** It has to be typed, and is what goes as keyword; the keyword itself begins the body. */
	'keyword',
] as const;

export interface Habits {
	/** What arrives has the letters that both alphabets share as Greek ones. */
	greekLetters: boolean;
	/** The keyword goes as it was registered, not as it was typed. */
	canonicalKeyword: boolean;
	prefix: (typeof prefixes)[number];
}

/** A text that an institution is to get. */
export interface Routed {
	/** The registered keyword by which its address is found; empty: there is none behind the prefix. */
	registered: string;
	/** What goes into the request. */
	keyword: string;
	body: string;
}

/** The first word, and what follows it. */
const split = (text: string): [string, string] => {
	const [, word = '', rest = ''] = /^\s*(\S*)\s*([^]*)$/.exec(text) ?? [];
	return [word, rest];
};

/**
 * @param text the whole SMS
 * @param keywords as they were registered
 * @returns undefined where nobody is to get it: the first word (behind the prefix, where there is one) is no keyword
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

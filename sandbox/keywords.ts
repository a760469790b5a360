/* Functions that find the keyword in a text that a person typed on a phone. They have no side effects. */

/** For each Latin capital the Greek capital that looks the same. */
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
 * Replaces each Latin capital that has a Greek counterpart of the same form by that Greek letter: `STOP` becomes `SΤΟΡ`. SMS
 * aggregators pass texts on like this, because the alphabet of phones (3GPP TS 23.038, GSM 7 bit) has one character for both.
 */
export const inGreekLetters = (text: string): string =>
	text.replace(/[ABEHIKMNOPTXYZ]/g, (letter) => greekFor[letter]!);

/**
 * Returns a word in the form in which keywords are compared: in capitals, without accents, and with Greek letters in place of
 * Latin letters that look the same.
 */
const compared = (word: string): string => inGreekLetters(word.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase());

/** Returns the keyword of the list that equals a word, apart from case, accents and alphabet. */
export const findKeyword = (word: string, keywords: string[]): string | undefined =>
	keywords.find((keyword) => compared(keyword) === compared(word));

/** The institution's name, which people type before the keyword if several institutions share one short number. */
export const institutionsPrefix = 'UNI';

export const prefixes = [
	/** People type no prefix. */
	'none',
	/** People have to type the prefix, and the platform removes it. */
	'dropped',
	/** People have to type the prefix. The platform passes it on as the keyword, and the real keyword begins the body. */
	'keyword',
] as const;

/** The switches for the differences between platforms in how they treat keywords. */
export interface KeywordSwitches {
	/** Whether Latin capitals that look like Greek ones arrive as Greek letters (see `inGreekLetters`). */
	greekLetters: boolean;
	/** Whether the platform passes the keyword on as it was registered, instead of as the user typed it. */
	canonicalKeyword: boolean;
	prefix: (typeof prefixes)[number];
}

/** An SMS for an institution, split into keyword and body. */
export interface Routed {
	/** The registered keyword, which determines the URL. Empty: no known keyword follows the prefix. */
	registered: string;
	/** The field `keyword` of the request to the institution. */
	keyword: string;
	body: string;
}

/** Splits a text into its first word and the rest. */
const split = (text: string): [string, string] => {
	const [, word = '', rest = ''] = /^\s*(\S*)\s*([^]*)$/.exec(text) ?? [];
	return [word, rest];
};

/**
 * Finds the keyword of an SMS.
 * @param text the whole SMS
 * @param keywords the registered keywords
 * @returns undefined if the SMS is for no institution: a required prefix is missing, or the word at the place of the keyword is
 * not a registered keyword. With the prefix `keyword` any word may follow the prefix
 */
export function route(
	text: string,
	keywords: string[],
	{ greekLetters, canonicalKeyword, prefix }: KeywordSwitches,
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

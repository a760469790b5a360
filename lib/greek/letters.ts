/** Greek capitals that look the same as the Latin capitals at the same place in `LATIN`. */
const GREEK = 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ';
const LATIN = 'ABEZHIKMNOPTYX';

/**
 * Writes a letter in one alphabet, if it is a capital that looks the same in both (Greek Α and Latin A). Any other letter stays
 * unchanged.
 * @param alphabet `GREEK` or `LATIN`
 */
const writtenIn = (alphabet: string, letter: string): string =>
	alphabet[Math.max(GREEK.indexOf(letter), LATIN.indexOf(letter))] ?? letter;

/** Matches accents and other marks of a Greek letter in decomposed form (NFD), except the dialytika (U+0308). */
const MARKS_BUT_DIALYTIKA = /(?<=\p{Script=Greek}\p{M}*)[\u0300-\u0307\u0309-\u036f]/gu;

/** Matches accents that are separate characters before a Greek letter, usually a capital (΄Α). Old data have such accents. */
const ACCENTS_BEFORE =
	/[\u0384\u00b4\u1fbd\u1fbf\u1fc0\u1fcd-\u1fcf\u1fdd-\u1fdf\u1fef\u1ffd\u1ffe]+(?=\p{Script=Greek})/gu;

/** The Greek capitals for mathematical signs (U+2206, U+2211, U+220F) that some fonts and phones use in their place. */
const LETTER_OF_SIGN: Record<string, string> = { '∆': 'Δ', '∑': 'Σ', '∏': 'Π' };

/**
 * Removes invisible characters, which are copied with a text from a web page or spreadsheet: format characters (zero-width
 * spaces, direction marks) anywhere, and white space at both ends. `trim()` alone would not remove U+200B.
 */
export const clean = (text: string): string => text.replace(/\p{Cf}/gu, '').trim();

/** Returns a text without the punctuation, symbols and blanks at its ends. Empty: the text has no letter and no digit. */
export const withoutPunctuation = (text: string): string =>
	/[\p{L}\p{N}].*[\p{L}\p{N}]|[\p{L}\p{N}]/su.exec(text)?.[0] ?? '';

/**
 * Returns the form in which two words are compared: without case, accents and dialytika, with one form of sigma, with single
 * spaces, and with Latin letters in place of Greek letters that look the same.
 * @param text a text of limited length, because normalising 100,000 combining marks takes seconds
 */
export function foldForComparison(text: string): string {
	return clean(text)
		.replace(ACCENTS_BEFORE, '')
		.replace(/[∆∑∏]/gu, (sign) => LETTER_OF_SIGN[sign]!)
		.normalize('NFKC')
		.normalize('NFD')
		.replace(/\p{M}/gu, '')
		.toUpperCase()
		.replace(/\p{Script=Greek}/gu, (letter) => writtenIn(LATIN, letter))
		.replace(/\s+/gu, ' ')
		.trim();
}

/**
 * Returns a name as the registry writes names: in capitals without tonos. A typed dialytika stays, and no dialytika is added.
 * JavaScript's own functions can't do this: `toLocaleUpperCase('el')` turns Μάιος into ΜΑΪΟΣ, and `toUpperCase()` keeps the
 * tonos.
 */
export function capitalsWithoutTonos(text: string): string {
	return text
		.replace(ACCENTS_BEFORE, '')
		.normalize('NFD')
		.replace(MARKS_BUT_DIALYTIKA, '')
		.toUpperCase()
		.normalize('NFC');
}

/**
 * Returns a word in one alphabet. SMS aggregators turn capitals that look the same in Greek and Latin into Greek ones, so STOP
 * arrives as SΤΟΡ. If the word has a letter that only Latin has, these capitals become Latin, and otherwise Greek. Small letters
 * and letters with an accent count as letters of only one alphabet. A word with such letters of both alphabets stays unchanged.
 */
export function inOneAlphabet(word: string): string {
	const letters = [...word];
	const isShared = (letter: string) => writtenIn(GREEK, letter) !== writtenIn(LATIN, letter);
	const hasOwn = (script: RegExp) => letters.some((letter) => script.test(letter) && !isShared(letter));
	const [hasLatin, hasGreek] = [hasOwn(/\p{Script=Latin}/u), hasOwn(/\p{Script=Greek}/u)];
	if (hasLatin && hasGreek) return word;
	return letters.map((letter) => writtenIn(hasLatin ? LATIN : GREEK, letter)).join('');
}

/** Returns whether a text has at least one Greek letter. */
export const hasGreekLetter = (text: string): boolean => /\p{Script=Greek}/u.test(text);

/** Returns whether a text has both Greek and Latin letters, for example because A was typed on a Latin keyboard. */
export const mixesGreekAndLatin = (text: string): boolean => hasGreekLetter(text) && /\p{Script=Latin}/u.test(text);

/** Greek capitals and, in the same order, the Latin capitals that look the same on a phone or a form. */
const GREEK = 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ';
const LATIN = 'ABEZHIKMNOPTYX';

/** Returns a capital that both alphabets have in the spelling of one of them, and any other letter unchanged. */
const writtenIn = (alphabet: string, letter: string): string =>
	alphabet[Math.max(GREEK.indexOf(letter), LATIN.indexOf(letter))] ?? letter;

/** Marks that join with the Greek letter before them (NFD), except the dialytika (U+0308). */
const MARKS_BUT_DIALYTIKA = /(?<=\p{Script=Greek}\p{M}*)[\u0300-\u0307\u0309-\u036f]/gu;

/** Accents of Greek and Greek Extended that are characters of their own before a capital (΄Α), as in old data. */
const ACCENTS_BEFORE =
	/[\u0384\u00b4\u1fbd\u1fbf\u1fc0\u1fcd-\u1fcf\u1fdd-\u1fdf\u1fef\u1ffd\u1ffe]+(?=\p{Script=Greek})/gu;

/** Mathematical signs (U+2206, U+2211, U+220F) that some fonts and phones use instead of the capitals. */
const LETTER_OF_SIGN: Record<string, string> = { '∆': 'Δ', '∑': 'Σ', '∏': 'Π' };

/**
 * Removes invisible characters that come with a copy from a web page or spreadsheet: format characters (zero-width spaces,
 * direction marks) anywhere, and white space at both ends. `trim()` alone would leave U+200B.
 */
export const clean = (text: string): string => text.replace(/\p{Cf}/gu, '').trim();

/** Returns a text without the punctuation, symbols and blanks at its ends; empty if it has nothing else. */
export const withoutPunctuation = (text: string): string =>
	/[\p{L}\p{N}].*[\p{L}\p{N}]|[\p{L}\p{N}]/su.exec(text)?.[0] ?? '';

/**
 * Returns the form in which two words are compared: without case, accents and dialytika, with one sigma, with single spaces,
 * and with Latin letters in place of Greek letters that look the same.
 * @param text of limited length, because ordering 100,000 combining marks takes seconds
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
 * Returns a name as the registry writes names, in capitals without tonos. A typed dialytika stays, and no dialytika is added:
 * `toLocaleUpperCase('el')` would turn Μάιος into ΜΑΪΟΣ, and plain `toUpperCase()` would keep the tonos.
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
 * Returns a word in one alphabet. Aggregators return the capitals that look the same in Greek and Latin as Greek, so that STOP
 * arrives as SΤΟΡ. If the word has a letter that only Latin has, these capitals become Latin, otherwise Greek. Small letters
 * and letters with an accent look different in the two alphabets, so they stay unchanged and show the alphabet. A word that has
 * letters of both alphabets that look different stays unchanged.
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

/** Returns whether a text has both Greek and Latin letters, as when Α was typed with a Latin keyboard. */
export const mixesGreekAndLatin = (text: string): boolean => hasGreekLetter(text) && /\p{Script=Latin}/u.test(text);

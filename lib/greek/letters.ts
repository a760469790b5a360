/** Greek capitals and, in the same order, the Latin capitals that look the same on a phone or a form. */
const GREEK = 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ';
const LATIN = 'ABEZHIKMNOPTYX';

/** Returns a capital that both alphabets have as one of them writes it, and any other letter as it is. */
const writtenIn = (alphabet: string, letter: string): string =>
	alphabet[Math.max(GREEK.indexOf(letter), LATIN.indexOf(letter))] ?? letter;

/** Marks that join with the Greek letter before them (NFD), the dialytika (U+0308) left out. */
const MARKS_BUT_DIALYTIKA = /(?<=\p{Script=Greek}\p{M}*)[\u0300-\u0307\u0309-\u036f]/gu;

/** Accents before a capital as characters of their own (΄Α), as old data has them: of Greek and Greek Extended. */
const ACCENTS_BEFORE =
	/[\u0384\u00b4\u1fbd\u1fbf\u1fc0\u1fcd-\u1fcf\u1fdd-\u1fdf\u1fef\u1ffd\u1ffe]+(?=\p{Script=Greek})/gu;

/** Signs of mathematics (U+2206, U+2211, U+220F) that some fonts and phones have in place of the capitals. */
const LETTER_OF_SIGN: Record<string, string> = { '∆': 'Δ', '∑': 'Σ', '∏': 'Π' };

/**
 * Removes what a copy from a web page or spreadsheet brings along unseen: format characters (zero-width
 * spaces, direction marks) anywhere, and white space at both ends. `trim()` alone leaves U+200B.
 */
export const clean = (text: string): string => text.replace(/\p{Cf}/gu, '').trim();

/** Returns a text without the punctuation, symbols and blanks at its ends; empty if it has nothing else. */
export const withoutPunctuation = (text: string): string =>
	/[\p{L}\p{N}].*[\p{L}\p{N}]|[\p{L}\p{N}]/su.exec(text)?.[0] ?? '';

/**
 * The form in which two words are compared: no case, no accents or dialytika, one sigma, Greek letters as their Latin
 * look-alikes, single spaces. @param text of bounded length: ordering 100,000 combining marks takes seconds
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
 * A name as the registry writes names: capitals without tonos. A dialytika that was typed stays, and none is
 * added: `toLocaleUpperCase('el')` would turn Μάιος into ΜΑΪΟΣ, and plain `toUpperCase()` keeps the tonos.
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
 * Returns a word in one alphabet. Aggregators return the capitals that look the same in Greek and Latin as Greek, so that
 * STOP arrives as SΤΟΡ. If the word has a letter that only Latin has, these capitals become Latin, otherwise Greek. Small
 * letters and letters with an accent look different in the two alphabets, so they stay as they are and tell the alphabet.
 * A word with letters of its own from both alphabets stays as it is.
 */
export function inOneAlphabet(word: string): string {
	const letters = [...word];
	const isShared = (letter: string) => writtenIn(GREEK, letter) !== writtenIn(LATIN, letter);
	const hasOwn = (script: RegExp) => letters.some((letter) => script.test(letter) && !isShared(letter));
	const [hasLatin, hasGreek] = [hasOwn(/\p{Script=Latin}/u), hasOwn(/\p{Script=Greek}/u)];
	if (hasLatin && hasGreek) return word;
	return letters.map((letter) => writtenIn(hasLatin ? LATIN : GREEK, letter)).join('');
}

/** True where a text has at least one Greek letter. */
export const hasGreekLetter = (text: string): boolean => /\p{Script=Greek}/u.test(text);

/** True where one text has Greek and Latin letters, as when Α was typed with the Latin keyboard. */
export const mixesGreekAndLatin = (text: string): boolean => hasGreekLetter(text) && /\p{Script=Latin}/u.test(text);

import { foldForComparison, clean } from '../../lib/greek/letters';
import { phoneKey } from '../../lib/greek/mobile';

/*
 * Comparison of two values of a field. Two values are the same if their normal forms are equal. A normal form drops only
 * differences of spelling, which never distinguish two people, and the end of a prefecture's name, which the registry does not
 * store.
 */

/**
 * The longest value of a field, in UTF-16 units. A longer value of the institution is refused. Of a longer value of the
 * registry the rest is ignored.
 */
export const LONGEST_VALUE = 1000;

/** The kind of a field. It decides when two values of the field are the same. */
export type Kind = 'text' | 'number' | 'phone' | 'sex' | 'country' | 'prefecture';

/** Returns the form in which values are compared. An empty form means that there is no value. */
export const normalForm = (value: string, kind: Kind): string => FORMS[kind](clean(value));

const FORMS: Record<Kind, (value: string) => string> = {
	text: lettersAndDigits,
	number: (value) => withoutLeadingZeros(lettersAndDigits(withoutDecimals(value))),
	phone,
	sex: (value) => SEXES.get(lettersAndDigits(value)) ?? lettersAndDigits(value),
	country: (value) => (GREECE.has(lettersAndDigits(value)) ? 'GREECE' : lettersAndDigits(value)),
	// The registry stores only the first four letters of a prefecture's name.
	prefecture: (value) =>
		[...lettersAndDigits(foldForComparison(value).replace(PREFECTURE, ''))]
			.slice(0, 4)
			.join('')
			.replace(SHORT_NAME, '$1'),
};

/** Matches Νομός, Ν., Π.Ε. and Περιφερειακή Ενότητα before a prefecture's name, in the form for comparison. */
const PREFECTURE = /^(?:NOMO[ΣY] |N\.|Π\. ?E\.|ΠE |ΠEPIΦEPEIAKHΣ? ENOTHTAΣ? )/u;

/**
 * Matches the first four letters of Χίος, Χίου, Άρτα and Άρτης. Only in these two names does the grammatical case change the fourth
 * letter, so their first three letters are compared. No other prefecture begins with these three letters.
 */
const SHORT_NAME = /^(XIO|APT).$/u;

/**
 * Returns only the letters and digits of a text, in one case, without accents, and with Latin letters in place of Greek capitals
 * that look the same. This is needed because documents leave accents out, people type dashes, and a keyboard may be set to Latin.
 */
export function lettersAndDigits(text: string): string {
	return foldForComparison(text.slice(0, LONGEST_VALUE)).replace(/[^\p{L}\p{N}]/gu, '');
}

/** Removes the decimals that some programs add to whole numbers of a sheet: 12345678.0. */
const withoutDecimals = (text: string) => text.replace(/^(\d+)[.,]0+$/, '$1');

/** Removes leading zeros. Spreadsheets remove them too, so a tax number of nine digits may arrive with eight. */
const withoutLeadingZeros = (number: string) => (/^\d+$/.test(number) ? number.replace(/^0+(?=\d)/, '') : number);

/** Returns a phone number in one spelling. A value without digits is compared as a text. */
function phone(value: string): string {
	return lettersAndDigits(/\d/.test(value) ? phoneKey(value) : value);
}

/** The words for the two sexes, in the form for comparison. The registry uses some, and sheets in Greek or English the others. */
const SEXES = new Map(
	Object.entries({
		male: ['Α', 'Μ', 'άνδρας', 'άντρας', 'άρρεν', 'άρρενας', 'αρσενικό', 'male', 'man'],
		female: ['Θ', 'Γ', 'F', 'γυναίκα', 'θήλυ', 'θηλυκό', 'female', 'woman'],
	}).flatMap(([sex, words]) => words.map((word) => [lettersAndDigits(word), sex] as const)),
);

/**
 * Words for Greece, in the form for comparison. The registry has the name of the country, and sheets often have the adjective.
 * For other countries the registry and the sheet must have the same word.
 */
const GREECE = new Set(
	['Ελλάδα', 'Ελλάς', 'Ελλάδος', 'Ελληνική', 'Έλληνας', 'Ελληνίδα', 'ΕΛ']
		.concat(['GR', 'GRC', 'Greece', 'Greek', 'Hellas', 'Hellenic'])
		.map(lettersAndDigits),
);

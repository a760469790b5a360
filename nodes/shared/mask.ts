import { BETWEEN_DIGITS, greekMobile } from './mobile';

const LONG_NUMBER_WITH_PREFIX = new RegExp(`(?:\\+|%2B)?\\p{Nd}(?:${BETWEEN_DIGITS}\\p{Nd}){6,}`, 'giu');

const LONG_NUMBER = new RegExp(`\\p{Nd}(?:${BETWEEN_DIGITS}\\p{Nd}){6,}`, 'giu');

/**
 * Hides every long number in a text (an AMKA, a mobile number, a tax number), for messages and logs. Seven digits
 * or more count as long, with or without separators between them, in a URL too; two digits at the end stay.
 */
export function maskNumbers(text: string): string {
	return text.replace(LONG_NUMBER, (number) => `•••${number.slice(-2)}`);
}

/**
 * Hides what can be a person's number in a text from outside: a mobile number, one of a country abroad, or an AMKA with its
 * eleven digits. Other numbers stay: a service or an error may have one as long.
 */
export function hidePeoplesNumbers(text: string): string {
	return text.replace(LONG_NUMBER_WITH_PREFIX, (number) => {
		const digits = number.replace(/[^\p{Nd}]/gu, '').normalize('NFKC');
		const isAPersons = greekMobile(digits) !== undefined || digits.length === 11 || /^(?:\+|%2B|00)/i.test(number);
		return isAPersons ? `•••${digits.slice(-2)}` : number;
	});
}

/**
 * Takes a person's own number out of a text, however its digits are separated. Other numbers stay: a code of the
 * platform may be as long.
 *
 * @param number a recipient or an AMKA; what has fewer than seven digits is not a number and is left alone
 */
export function hideNumber(text: string, number: string): string {
	// As the service may write it: a mobile number with or without its country code, in the digits that were typed or plain ones.
	const digits = [...(greekMobile(number) ?? number)].filter((character) => /\p{Nd}/u.test(character));
	if (digits.length < 7) return text;
	const anyOf = (digit: string) => `[${digit}${digit.normalize('NFKC')}${'０１２３４５６７８９'[Number(digit)] ?? ''}]`;
	const spelling = digits.map(anyOf).join(BETWEEN_DIGITS);
	return text.replace(new RegExp(spelling, 'giu'), `•••${digits.slice(-2).join('')}`);
}

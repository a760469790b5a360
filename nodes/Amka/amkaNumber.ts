import { tidy } from '../shared/greek';
import { isCalendarDate } from './date';

/** Why it is no AMKA, the first that applies. `leadingZero`: it lost that. `personalNumber`: a Προσωπικός Αριθμός. */
export type AmkaFault = 'leadingZero' | 'personalNumber' | 'length' | 'characters' | 'date' | 'checkDigit';

type AmkaCheck =
	| { ssn: string; valid: false; reason: AmkaFault }
	| { ssn: string; valid: true; birthDayAndMonth: string; sex: 'male' | 'female' };

/** Longer than any number is written: not even looked through. In UTF-16 units. */
export const LONGEST_NUMBER = 100;

/** The number as it is checked and sent: without spaces, dashes, an apostrophe or `.0` around it, in ASCII digits. */
export function tidyAmka(text: string): string {
	if (text.length > LONGEST_NUMBER) return text;
	return tidy(text)
		.replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
		.replace(/\s/gu, '')
		.replace(/^['‘’]/u, '')
		.replace(/(?<=\d)[\p{Pd}\u2212]+(?=\d)/gu, '')
		.replace(/^(\d+)[.,]0+$/, '$1');
}

/**
 * Whether a number is a well-formed AMKA: DDMMYY of birth, four serial digits of which the last is odd for men and even
 * for women, and a digit by which all pass the Luhn test. Only the registry knows whether it is registered, and in
 * which century.
 */
export function checkAmkaNumber(text: string): AmkaCheck {
	const ssn = tidyAmka(text);
	const reason = faultOf(ssn);
	if (reason !== undefined) return { ssn, valid: false, reason };
	return {
		ssn,
		valid: true,
		birthDayAndMonth: `${ssn.slice(0, 2)}/${ssn.slice(2, 4)}`,
		sex: Number(ssn[9]) % 2 === 1 ? 'male' : 'female',
	};
}

/** A number, tidy, with the zero that a spreadsheet took away. */
export function withItsZero(text: string): string {
	const check = checkAmkaNumber(text);
	return !check.valid && check.reason === 'leadingZero' ? `0${check.ssn}` : check.ssn;
}

/** Whether two numbers are the same person's, however each is written: spreadsheets and numbers in JSON lose the zeros at the front. */
export function isSameAmka(one: string, other: string): boolean {
	const digits = (text: string) => (text.length > LONGEST_NUMBER ? text : tidyAmka(text).replace(/^0+/, ''));
	return digits(one) === digits(other);
}

function faultOf(ssn: string): AmkaFault | undefined {
	if (ssn.length === 10 && faultOf(`0${ssn}`) === undefined) return 'leadingZero';
	if (/^\S{3}\d{9}$/u.test(ssn)) return 'personalNumber';
	if (ssn.length > LONGEST_NUMBER || [...ssn].length !== 11) return 'length';
	if (!/^\d{11}$/.test(ssn)) return 'characters';
	if (!startsWithDate(ssn)) return 'date';
	return passesLuhn(ssn) ? undefined : 'checkDigit';
}

/** 29 February counts where either century has it: 29/02/00 was a day in 2000. */
function startsWithDate(ssn: string): boolean {
	const [day, month, year] = [ssn.slice(0, 2), ssn.slice(2, 4), ssn.slice(4, 6)].map(Number);
	return [1900, 2000].some((century) => isCalendarDate(century + year!, month!, day!));
}

/** ISO/IEC 7812-1, annex B: every second digit from the right doubled, the digit sum divisible by ten. */
function passesLuhn(digits: string): boolean {
	let sum = 0;
	for (let i = 0; i < digits.length; i++) {
		const digit = Number(digits[digits.length - 1 - i]);
		const weighted = i % 2 === 1 ? digit * 2 : digit;
		sum += weighted > 9 ? weighted - 9 : weighted;
	}
	return sum % 10 === 0;
}

import { clean } from './letters';
import { isCalendarDate } from '../values/calendarDate';

/**
 * Why a number can't be an AMKA, in the order in which they are looked for. `leadingZero`: ten digits that are valid with
 * the zero a spreadsheet lost. `personalNumber`: the Προσωπικός Αριθμός, whose last nine characters are the tax number.
 */
export type AmkaFault = 'leadingZero' | 'personalNumber' | 'length' | 'characters' | 'date' | 'checkDigit';

type AmkaCheck =
	| { ssn: string; valid: false; reason: AmkaFault }
	| { ssn: string; valid: true; reason?: undefined; birthDayAndMonth: string; sex: 'male' | 'female' };

/** Longer than any number is written: not even looked through. In UTF-16 units. */
export const LONGEST_NUMBER = 100;

/**
 * The number as it is checked and sent: without what forms and spreadsheets put around its digits, which is spaces,
 * dashes between them, an apostrophe before them, `.0` behind them. Of digits in other scripts the full-width ones are
 * read, which Asian keyboards write; others stay, and are no digits of an AMKA.
 */
export function tidyAmka(text: string): string {
	if (text.length > LONGEST_NUMBER) return text;
	return clean(text)
		.replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
		.replace(/\s/gu, '')
		.replace(/^['‘’]/u, '')
		.replace(/(?<=\d)[\p{Pd}\u2212]+(?=\d)/gu, '')
		.replace(/^(\d+)[.,]0+$/, '$1');
}

/**
 * Whether a number is a well-formed AMKA. Well formed is not registered: only the registry knows that.
 *
 * An AMKA is DDMMYY of birth, four serial digits of which the last is odd for men and even for women, and a
 * check digit by which all 11 digits pass the Luhn test. The two-digit year has no century, so the answer
 * contains the day and month of birth (DD/MM) and no year.
 * @param text the number as typed
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
	const { ssn, reason } = checkAmkaNumber(text);
	return reason === 'leadingZero' ? `0${ssn}` : ssn;
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

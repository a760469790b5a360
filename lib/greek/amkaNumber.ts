import { clean } from './letters';
import { isCalendarDate } from '../values/calendarDate';

/**
 * The reasons why a number can't be an AMKA, in the order of the checks. `leadingZero`: it has ten digits and would be valid with
 * a zero at the front, which a spreadsheet may have removed. `personalNumber`: it is a Προσωπικός Αριθμός, whose last nine
 * characters are the tax number.
 */
export type AmkaFault = 'leadingZero' | 'personalNumber' | 'length' | 'characters' | 'date' | 'checkDigit';

type AmkaCheck =
	| { ssn: string; valid: false; reason: AmkaFault }
	| { ssn: string; valid: true; reason?: undefined; birthDayAndMonth: string; sex: 'male' | 'female' };

/** The longest text that can be a number, in UTF-16 units. Longer texts are not read. */
export const LONGEST_NUMBER = 100;

/**
 * Returns the number in the form that is checked and sent. Characters that forms and spreadsheets add to the digits are removed:
 * spaces, dashes between digits, an apostrophe in front and `.0` or `,0` at the end. Full-width digits, which Asian keyboards
 * type, become ordinary digits. Digits of other scripts stay, so the number is not valid.
 */
export function cleanAmka(text: string): string {
	if (text.length > LONGEST_NUMBER) return text;
	return clean(text)
		.replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
		.replace(/\s/gu, '')
		.replace(/^['‘’]/u, '')
		.replace(/(?<=\d)[\p{Pd}\u2212]+(?=\d)/gu, '')
		.replace(/^(\d+)[.,]0+$/, '$1');
}

/**
 * Checks whether a number is a well-formed AMKA. Only the registry knows whether a well-formed number is registered.
 *
 * An AMKA has the date of birth as DDMMYY, four serial digits and a check digit. The last serial digit is odd for men and even
 * for women. All 11 digits together pass the Luhn test. The year has two digits and so no century. That is why the result has the
 * day and month of birth (DD/MM) without a year.
 * @param text the number as typed
 */
export function checkAmkaNumber(text: string): AmkaCheck {
	const ssn = cleanAmka(text);
	const reason = faultOf(ssn);
	if (reason !== undefined) return { ssn, valid: false, reason };
	return {
		ssn,
		valid: true,
		birthDayAndMonth: `${ssn.slice(0, 2)}/${ssn.slice(2, 4)}`,
		sex: Number(ssn[9]) % 2 === 1 ? 'male' : 'female',
	};
}

/** Returns a number in the form of `cleanAmka`, and restores the leading zero if a spreadsheet removed it. */
export function withItsZero(text: string): string {
	const { ssn, reason } = checkAmkaNumber(text);
	return reason === 'leadingZero' ? `0${ssn}` : ssn;
}

/**
 * Returns whether two numbers are the same AMKA in any spelling. Leading zeros are ignored, because spreadsheets and numbers
 * in JSON lose them.
 */
export function isSameAmka(one: string, other: string): boolean {
	const digits = (text: string) => (text.length > LONGEST_NUMBER ? text : cleanAmka(text).replace(/^0+/, ''));
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

/** Returns whether a number begins with a date of the years 1900 to 2099. 29/02/00 is accepted, because it was a day in 2000. */
function startsWithDate(ssn: string): boolean {
	const [day, month, year] = [ssn.slice(0, 2), ssn.slice(2, 4), ssn.slice(4, 6)].map(Number);
	return [1900, 2000].some((century) => isCalendarDate(century + year!, month!, day!));
}

/**
 * Does the Luhn test (ISO/IEC 7812-1, annex B). Every second digit from the right is doubled, and the sum of the digits of all
 * results must be a multiple of ten.
 */
function passesLuhn(digits: string): boolean {
	let sum = 0;
	for (let i = 0; i < digits.length; i++) {
		const digit = Number(digits[digits.length - 1 - i]);
		const weighted = i % 2 === 1 ? digit * 2 : digit;
		sum += weighted > 9 ? weighted - 9 : weighted;
	}
	return sum % 10 === 0;
}

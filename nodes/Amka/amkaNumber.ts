import { tidy } from '../shared/greek';

/** Why a number can't be an AMKA. `leadingZero`: ten digits that are valid with the zero a spreadsheet lost. */
export type AmkaFault = 'length' | 'leadingZero' | 'characters' | 'date' | 'checkDigit';

export type AmkaCheck =
	| { ssn: string; valid: false; reason: AmkaFault }
	| { ssn: string; valid: true; birthDayAndMonth: string; sex: 'male' | 'female' };

/** The rules in words, for messages: they say what is wrong and never repeat the number. */
export const AMKA_FAULTS: Record<AmkaFault, string> = {
	length: 'an AMKA has 11 digits',
	leadingZero: 'it has ten digits: the zero at its front was lost, as spreadsheets do with numbers',
	characters: 'it holds characters other than digits',
	date: 'its first six digits are not a date (DDMMYY)',
	checkDigit: 'its check digit is wrong, so a digit is mistyped or two are swapped',
};

/**
 * The number as it is checked and sent: without white space, invisible characters and full-width digits. What is
 * longer than any number is written stays as it is: normalising marks takes seconds there.
 */
export function tidyAmka(text: string): string {
	if (text.length > 100) return text;
	return tidy(text.normalize('NFKC')).replace(/\s/gu, '');
}

/**
 * Whether a number is a well-formed AMKA. Well formed is not registered: only the registry knows that.
 *
 * An AMKA is DDMMYY of birth, four serial digits of which the last is odd for men and even for women, and a
 * check digit by which all 11 digits pass the Luhn test. The two-digit year has no century, so the answer
 * holds the day and month of birth (DD/MM) and no year.
 *
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

function faultOf(ssn: string): AmkaFault | undefined {
	if (ssn.length === 10 && faultOf(`0${ssn}`) === undefined) return 'leadingZero';
	if (ssn.length !== 11) return 'length';
	if (!/^\d{11}$/.test(ssn)) return 'characters';
	if (!startsWithDate(ssn)) return 'date';
	return passesLuhn(ssn) ? undefined : 'checkDigit';
}

/** 29 February counts where either century has it: 29/02/00 was a day in 2000. */
function startsWithDate(ssn: string): boolean {
	const [day, month, year] = [ssn.slice(0, 2), ssn.slice(2, 4), ssn.slice(4, 6)].map(Number);
	return [1900, 2000].some((century) => isCalendarDate(century + year!, month!, day!));
}

/** Whether a day exists in the Gregorian calendar. */
export function isCalendarDate(year: number, month: number, day: number): boolean {
	// Date.UTC reads the years 0 to 99 as 1900 to 1999, so those are never calendar dates here.
	const date = new Date(Date.UTC(year, month - 1, day));
	return (
		date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
	);
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

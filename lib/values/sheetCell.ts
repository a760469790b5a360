import { columnKey } from '../n8n/columns';
import { dateAsText } from './dateText';
import { isRounded } from '../greek/mobile';
import { toText, isDateObject } from './text';

/** The longest text that can be a number of days. Longer texts are not searched. */
const LONGEST = 100;

/** The day of the number 0 in Excel. Excel has a 29 February 1900, so its count is right only from March 1900 on. */
const FIRST_DAY = Date.UTC(1899, 11, 30);
const MARCH_1900 = 61;

/**
 * Returns whether a spreadsheet may store a day as this value: four or five digits that are not a year, optionally with a
 * time.
 */
const isDayCount = (value: unknown): boolean =>
	['number', 'string'].includes(typeof value) &&
	/^(?!(?:19|20)\d\d$)\d{4,5}(?:[.,]\d+)?$/.test(toText(value).slice(0, LONGEST).trim());

/** Returns the day that a spreadsheet shows for a number, as YYYY-MM-DD. The number need not be a day. */
export function countedDay(value: unknown): string | undefined {
	const count = isDayCount(value) ? Number.parseInt(toText(value), 10) : 0;
	return count < MARCH_1900 ? undefined : new Date(FIRST_DAY + count * 86_400_000).toISOString().slice(0, 10);
}

/** Turns a day from YYYY-MM-DD into DD/MM/YYYY, as people read it. */
export const asPeopleRead = (day: string): string => day.split('-').reverse().join('/');

/** Returns whether a column has dates according to its heading. A number alone does not show that it is a date. */
export const isDateColumn = (name: string) =>
	/^(?:HMEPOMHNIA|HMNIA)/.test(columnKey(name)) || /^ημ(?:ερ)?\.|\bdate\b/iu.test(name);

/** Matches a date object as JSON text. A reader of sheets turns each date of an .ods file into such an object. */
const JSON_DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * Returns whether a spreadsheet shows a number as 6,9E+09 in a column of the usual width, such as a mobile or an AMKA. A
 * number that may have lost digits does not count: it stays a number, so that people see it.
 */
const isTooWide = (number: number) => Number.isSafeInteger(number) && number >= 1_000_000_000 && !isRounded(number);

/**
 * Returns a cell of a list as people read it: a date as DD/MM/YYYY, with its time if it has one, a time as HH:MM, and a
 * mobile with all its digits. @param timeZone IANA name of the workflow's time zone
 */
export function shownCell<Cell>(name: string, value: Cell, timeZone: string): Cell | string {
	const written = isDateObject(value) ? value.toJSON() : value;
	if (typeof written === 'number' && isDateColumn(name)) {
		const day = countedDay(written);
		return day === undefined ? value : asPeopleRead(day);
	}
	if (typeof written === 'number' && isTooWide(written)) return String(written);
	const isDate = isDateObject(value) || (typeof written === 'string' && JSON_DATE.test(written));
	return (isDate ? dateAsText(written, timeZone) : undefined) ?? value;
}

import { columnKey } from '../n8n/columns';
import { dateAsText } from './dateText';
import { countedDay } from './excelDate';
import { isRounded } from '../greek/mobile';
import { isDateObject } from './text';

/** Turns a day from YYYY-MM-DD into DD/MM/YYYY, as people read it. */
export const asPeopleRead = (day: string): string => day.split('-').reverse().join('/');

/** Returns whether a column contains dates according to its heading. A number by itself does not show that it is a date. */
export const isDateColumn = (name: string) =>
	/^(?:HMEPOMHNIA|HMNIA)/.test(columnKey(name)) || /^ημ(?:ερ)?\.|\bdate\b/iu.test(name);

/** Matches a date object as JSON text. n8n's node for spreadsheets turns each date of an .ods file into such an object. */
const JSON_DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * Returns whether a spreadsheet shows a number (such as a mobile or an AMKA) as 6,9E+09 in a column of the usual width. The
 * result is false for a number that may have lost digits. Such a number stays a number, so that people see the loss.
 */
const isTooWide = (number: number) => Number.isSafeInteger(number) && number >= 1_000_000_000 && !isRounded(number);

/**
 * Returns a cell of a list as people read it: a date as DD/MM/YYYY, with its time if it has one, a time as HH:MM, and a mobile
 * with all its digits. A date that is stored as a number is shown without its time.
 * @param name the name of the column
 * @param timeZone IANA name of the workflow's time zone
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

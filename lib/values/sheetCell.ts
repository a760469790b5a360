import { columnKey } from '../n8n/columns';
import { dateAsText } from './dateText';
import { isRounded } from '../greek/mobile';
import { toText, isDateObject } from './text';

/** Longer than any count of days: not even looked through. */
const LONGEST = 100;

/** Days of Excel begin on this one; it believes in a 29 February 1900, so that those from March of that year on are right. */
const FIRST_DAY = Date.UTC(1899, 11, 30);
const MARCH_1900 = 61;

/** Whether a spreadsheet may store a day so: four or five digits that are no year, perhaps with a time behind. */
const isDayCount = (value: unknown): boolean =>
	['number', 'string'].includes(typeof value) &&
	/^(?!(?:19|20)\d\d$)\d{4,5}(?:[.,]\d+)?$/.test(toText(value).slice(0, LONGEST).trim());

/** The day that a spreadsheet shows for a number, as YYYY-MM-DD: it may be no day at all. */
export function countedDay(value: unknown): string | undefined {
	const count = isDayCount(value) ? Number.parseInt(toText(value), 10) : 0;
	return count < MARCH_1900 ? undefined : new Date(FIRST_DAY + count * 86_400_000).toISOString().slice(0, 10);
}

/** A day of a calendar, YYYY-MM-DD, as people read it: DD/MM/YYYY. */
export const asPeopleRead = (day: string): string => day.split('-').reverse().join('/');

/** Whether a column has dates, by its heading: a number alone may be anything. */
export const isOfDates = (name: string) =>
	/^(?:HMEPOMHNIA|HMNIA)/.test(columnKey(name)) || /^ημ(?:ερ)?\.|\bdate\b/iu.test(name);

/** A date object as JSON has it: a reader of sheets makes one of each date of an .ods. Other dates stay as they were typed. */
const JSON_DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Whether a spreadsheet shows 6,9E+09 in a column of its usual width: a mobile, an AMKA. What may have lost its digits stays a number, by which that is seen. */
const isTooWide = (number: number) => Number.isSafeInteger(number) && number >= 1_000_000_000 && !isRounded(number);

/**
 * A cell of a list as people read it: a date is DD/MM/YYYY, with its time where it has one, a time HH:MM, and a mobile has
 * its digits. @param timeZone of the workflow
 */
export function shownCell<Cell>(name: string, value: Cell, timeZone: string): Cell | string {
	const written = isDateObject(value) ? value.toJSON() : value;
	if (typeof written === 'number' && isOfDates(name)) {
		const day = countedDay(written);
		return day === undefined ? value : asPeopleRead(day);
	}
	if (typeof written === 'number' && isTooWide(written)) return String(written);
	const isDate = isDateObject(value) || (typeof written === 'string' && JSON_DATE.test(written));
	return (isDate ? dateAsText(written, timeZone) : undefined) ?? value;
}

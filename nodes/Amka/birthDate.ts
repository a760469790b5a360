import { clean } from '../../lib/greek/letters';
import { countedDay } from '../../lib/values/excelDate';
import { asPeopleRead } from '../../lib/values/sheetCell';
import { isDateObject } from '../../lib/values/text';
import { isCalendarDate } from '../../lib/values/calendarDate';

/** The largest number of characters in a date. Longer texts are not read. */
const LONGEST = 100;

/** Matches an ISO date, optionally with a time and a time zone. */
const ISO =
	/^(\d{4})-(\d{2})-(\d{2})(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?)\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;
/** Matches a Greek date, optionally with the time that a spreadsheet writes after a day. */
const GREEK =
	/^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?:,? (?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?: ?(?:[πμ]\.?μ|[ap]\.?m)\.?)?)?$/i;

/**
 * Returns a birth date of a form or spreadsheet as YYYY-MM-DD. Undefined: it can't be read for certain, for example 31/1/95 or
 * 12/31/1995. A date object is read as its JSON text. A spreadsheet's date number, which counts days, is not read here, but by
 * `dayOfCount`.
 *
 * If a text has a date, a time and a time zone, the result is the written date. There is one exception: an instant that is
 * exactly midnight in the workflow's time zone counts as the day that begins then. The reason is that n8n's
 * `'1995-01-31'.toDateTime()` and the sheets of a computer in Greece are written in UTC. In UTC, midnight in Greece is 21:00 or
 * 22:00 of the day before.
 * @param timeZone IANA name of the workflow's time zone
 */
export function readBirthDate(value: unknown, timeZone: string): string | undefined {
	const written = isDateObject(value) ? value.toJSON() : value;
	if (typeof written !== 'string' || written.length > LONGEST) return undefined;
	const text = clean(written.normalize('NFKC'));

	const greek = GREEK.exec(text);
	if (greek) return ofParts(greek[4]!, greek[3]!, greek[1]!);
	const [, year, month, date, time, zone] = ISO.exec(text) ?? [];
	const day = year === undefined ? undefined : ofParts(year, month!, date!);
	if (day === undefined || zone === undefined) return day;
	return dayThatBegins(`${day}T${time!.replace(',', '.')}${offsetOf(zone)}`, timeZone) ?? day;
}

/**
 * Converts a spreadsheet's date number, which counts days, to YYYY-MM-DD. Undefined: the value is no such number, or the AMKA
 * does not begin with its day, so the number may mean something else.
 */
export function dayOfCount(value: unknown, ssn: string): string | undefined {
	const day = countedDay(value);
	return day !== undefined && ssn.startsWith(dayInAmka(day)) ? day : undefined;
}

/** Returns a cell's date as the spreadsheet shows it, DD/MM/YYYY. Undefined: the cell contains no date that can be read. */
export function shownDate(value: unknown, timeZone: string): string | undefined {
	const day = readBirthDate(value, timeZone) ?? countedDay(value);
	return day === undefined ? undefined : asPeopleRead(day);
}

/** Returns the first six digits of the AMKA of a person born on a day. */
export const dayInAmka = (day: string): string => `${day.slice(8)}${day.slice(5, 7)}${day.slice(2, 4)}`;

function ofParts(year: string, month: string, day: string): string | undefined {
	if (!isCalendarDate(Number(year), Number(month), Number(day))) return undefined;
	return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** Returns a time zone such as `Z`, `+02`, `+0200` or `+02:00` in the form that JavaScript reads. */
const offsetOf = (zone: string) => zone.toUpperCase().replace(/(\d\d):?(\d\d)?$/, (_, h, m = '00') => `${h}:${m}`);

/**
 * Returns the day that begins at an instant. A day begins at 00:00, or later if the change to summer time skips 00:00.
 * Undefined: no day begins at this instant, or the text is no instant.
 */
function dayThatBegins(isoInstant: string, timeZone: string): string | undefined {
	const instant = Date.parse(isoInstant);
	if (Number.isNaN(instant)) return undefined;
	// The Swedish locale formats dates as YYYY-MM-DD.
	const { format } = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
	return format(instant) === format(instant - 1) ? undefined : format(instant);
}

import { DateTime } from 'luxon';

import { clean } from '../greek/letters';
import { isDateObject } from './text';

/** The longest text that can be a date, in UTF-16 units. Longer texts are not read. */
const LONGEST = 100;

/**
 * Matches an ISO 8601 date or date-time. There may be a blank in place of the T, as databases write it, and Java's
 * `[Europe/Athens]` at the end.
 */
const ISO =
	/^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)\s?(Z|[+-]\d\d(?::?\d\d)?)?(?:\[[\w/+-]{1,50}\])?)?$/i;

/** The first year of real dates. Spreadsheets store a time of day without a date as a time on one of the last days of 1899. */
const FIRST_YEAR = 1900;

/**
 * Returns a date as people in Greece write it: `DD/MM/YYYY`, or `DD/MM/YYYY HH:mm` if it has a time. A date before 1900 is
 * written as its time of day, `HH:mm`.
 *
 * An instant (a Date, a DateTime, or a text with a time zone) counts as a day without a time if it is midnight in the workflow's
 * time zone or in UTC. The reason is that n8n's nodes for spreadsheets and databases write a day as midnight in one of these
 * zones. A date-time without a zone is not converted.
 * @param value a Date, a luxon DateTime, or an ISO text: a date, or a date-time with or without a zone
 * @param timeZone IANA name of the workflow's time zone
 * @returns undefined if the value is no date
 */
export function dateAsText(value: unknown, timeZone: string): string | undefined {
	const written = isDateObject(value) ? value.toJSON() : value;
	if (typeof written !== 'string' || written.length > LONGEST) return undefined;
	const [, day, time, zone] = ISO.exec(clean(written)) ?? [];
	if (day === undefined) return undefined;
	const text = time === undefined ? day : `${day}T${time.replace(',', '.')}`;
	if (zone === undefined) return asWritten(wholeSecond(DateTime.fromISO(text, { zone: 'utc' })));
	const instant = wholeSecond(DateTime.fromISO(`${text}${zone.toUpperCase()}`, { zone: timeZone }));
	if (instant.year < FIRST_YEAR) return timeOfDay(instant);
	const inUtc = instant.toUTC();
	return asWritten(isMidnight(inUtc) && !isMidnight(instant) ? inUtc : instant);
}

/** Formats a date. If it is before 1900, only its time of day is written. Undefined: the date is not valid. */
function asWritten(date: DateTime): string | undefined {
	if (!date.isValid) return undefined;
	if (date.year < FIRST_YEAR) return date.toFormat('HH:mm');
	return date.toFormat(isMidnight(date) ? 'dd/MM/yyyy' : 'dd/MM/yyyy HH:mm');
}

/** Returns whether a day begins at this time. It begins at 00:00, or at 01:00 if summer time skips midnight, as in Cairo. */
const isMidnight = (date: DateTime): boolean =>
	date.hour + date.minute + date.second === 0 || date.toMillis() === date.startOf('day').toMillis();

/** Rounds to a whole second. Spreadsheets store a time as a fraction of a day, so it may end in 59.999 seconds. */
const wholeSecond = (date: DateTime): DateTime => date.plus(500).startOf('second');

/**
 * Returns a time of day without a date. Google Sheets writes it in the time zone of the sheet, and SheetJS in the zone of n8n's
 * computer. In 1899 the offsets of most zones had odd seconds (Athens: 1 h 34 min 52 s). So the zone in which the instant has
 * whole minutes is the right one.
 */
const timeOfDay = (instant: DateTime): string | undefined =>
	asWritten(instant.second === 0 ? instant : instant.setZone('system'));

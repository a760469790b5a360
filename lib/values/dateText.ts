import { DateTime } from 'luxon';

import { clean } from '../greek/letters';
import { isDateObject } from './text';

/** The longest text that can be a date, in UTF-16 units. Longer texts are not searched. */
const LONGEST = 100;

/**
 * Matches ISO 8601, also with a blank in place of the T, as databases write it, and with Java's `[Europe/Athens]` at the end.
 */
const ISO =
	/^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)\s?(Z|[+-]\d\d(?::?\d\d)?)?(?:\[[\w/+-]{1,50}\])?)?$/i;

/** Spreadsheets store a time of day without a date as a time on the last days of 1899. */
const FIRST_YEAR = 1900;

/**
 * Returns a date as people in Greece write it: `DD/MM/YYYY`, or `DD/MM/YYYY HH:mm` if it has a time.
 *
 * An instant (a Date, a DateTime, a text with a zone) is a day without a time if it is midnight in the workflow's zone,
 * or else in UTC: readers of sheets and databases write a day as either. A date-time without a zone is already what the
 * clock on the wall shows.
 * @param value a Date, a luxon DateTime, or ISO text: a date, or a date-time with or without a zone
 * @param timeZone IANA name of the workflow's time zone
 * @returns undefined for everything that is not a date
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

function asWritten(date: DateTime): string | undefined {
	if (!date.isValid) return undefined;
	if (date.year < FIRST_YEAR) return date.toFormat('HH:mm');
	return date.toFormat(isMidnight(date) ? 'dd/MM/yyyy' : 'dd/MM/yyyy HH:mm');
}

/** Returns whether a day begins at this time: at 00:00, or at 01:00 if the clocks skip midnight, as in Cairo. */
const isMidnight = (date: DateTime): boolean =>
	date.hour + date.minute + date.second === 0 || date.toMillis() === date.startOf('day').toMillis();

/** Spreadsheets keep a time as a fraction of a day, so it may end in 59.999 seconds. */
const wholeSecond = (date: DateTime): DateTime => date.plus(500).startOf('second');

/**
 * Returns a time of day alone. Google Sheets writes it in the zone of the sheet, SheetJS in the zone of n8n's computer. In 1899
 * the clocks of most zones were off by odd seconds (Athens: 1 h 34 min 52 s), so whole minutes show which one it was.
 */
const timeOfDay = (instant: DateTime): string | undefined =>
	asWritten(instant.second === 0 ? instant : instant.setZone('system'));

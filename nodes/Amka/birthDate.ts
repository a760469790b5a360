import { tidy } from '../shared/greek';
import { isCalendarDate } from './amkaNumber';

/**
 * A birth date as forms and spreadsheets hold it, as YYYY-MM-DD; undefined where it can't be read for certain.
 *
 * Taken: an ISO date or date-time, of which the date that is written counts, whatever zone follows; D/M/YYYY,
 * D-M-YYYY and D.M.YYYY, day first as in Greece; a Date object, which is the day it shows in UTC where that is
 * midnight (so spreadsheets and `new Date('1995-01-31')` make them), in the server's time zone where it is midnight
 * there alone (`new Date(1995, 0, 31)`), and in the workflow's time zone otherwise; a luxon DateTime, which is the
 * day it shows in its own zone.
 * Not taken: two-digit years, month-first dates (13 as a month is refused, not turned round), day counts.
 *
 * @param timeZone IANA name of the workflow's time zone, for Date objects only
 */
export function readBirthDate(value: unknown, timeZone: string): string | undefined {
	if (value instanceof Date) return ofInstant(value, timeZone);
	if (isLuxon(value)) return readBirthDate(value.toISODate(), timeZone);
	// Longer than any date: it is not even normalised, which takes seconds for long runs of marks.
	if (typeof value !== 'string' || value.length > 100) return undefined;

	const text = tidy(value.normalize('NFKC'));
	const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?\s?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;
	const greek = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})$/;

	const isoParts = iso.exec(text);
	if (isoParts) return ofParts(isoParts[1]!, isoParts[2]!, isoParts[3]!);
	const greekParts = greek.exec(text);
	if (greekParts) return ofParts(greekParts[4]!, greekParts[3]!, greekParts[1]!);
	return undefined;
}

/** A luxon DateTime, as n8n's own date functions give it; its copy of luxon is not necessarily ours. */
function isLuxon(value: unknown): value is { toISODate(): unknown } {
	return typeof (value as { toISODate?: unknown } | null | undefined)?.toISODate === 'function';
}

function ofParts(year: string, month: string, day: string): string | undefined {
	if (!isCalendarDate(Number(year), Number(month), Number(day))) return undefined;
	return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

function ofInstant(date: Date, timeZone: string): string | undefined {
	if (Number.isNaN(date.getTime())) return undefined;
	const iso = date.toISOString();
	if (iso.endsWith('T00:00:00.000Z')) return readBirthDate(iso, timeZone);
	// Sweden writes dates as YYYY-MM-DD HH:MM:SS.
	const inZone = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(date);
	const isMidnightOnServer = date.getHours() === 0 && date.getMinutes() === 0 && date.getSeconds() === 0;
	if (!isMidnightOnServer || inZone.endsWith(' 00:00:00')) return readBirthDate(inZone, timeZone);
	return ofParts(String(date.getFullYear()), String(date.getMonth() + 1), String(date.getDate()));
}

import { DateTime } from 'luxon';

import { clean } from '../greek/letters';
import type { Remembers } from '../texts/advice';
import { isKnownTomorrow } from '../sentMessages/periods';
import { clip } from '../texts/notice';
import { isBlank } from '../n8n/parameters';
import { invalidParameter, fault, type Problem } from '../texts/problem';

/**
 * The hours during which no messages are sent, except replies and codes: from the minute `from` until before the minute `until`.
 * Both are minutes of the day in an IANA time zone.
 */
type QuietHours = NonNullable<ReturnType<typeof readQuietHours>>;

const LABEL = 'Quiet Hours in the credential';
const HOW_TO_WRITE =
	'Enter two times between 00:00 and 23:59, as in 22:00-08:00. A time zone may follow, as in 22:00-08:00 Europe/Athens. If there are no quiet hours, leave the field empty';

/**
 * Reads quiet hours: `HH:MM-HH:MM`, optionally followed by an IANA time zone. Undefined: the field is empty.
 * @throws Problem if the field can't be read, because that must not mean "no quiet hours"
 */
export function readQuietHours(value: unknown, workflowTimeZone: string) {
	if (isBlank(value)) return undefined;
	const text = typeof value === 'string' && value.length <= 200 ? clean(value) : '';
	const [, first, second, own] =
		/^(\d{1,2}:\d\d)\s*[-\u2010-\u2015\u2212]\s*(\d{1,2}:\d\d)(?:\s+([A-Za-z]\S*))?$/u.exec(text) ?? [];
	const [from, until] = [minuteOf(first), minuteOf(second)];
	if (from === undefined || until === undefined)
		throw invalidParameter(LABEL, text === '' ? "can't be read" : `can't be read (${clip(text, 60)})`, HOW_TO_WRITE);
	if (from === until) throw invalidParameter(LABEL, `begin and end at the same time (${second})`, HOW_TO_WRITE);
	const zone = own ?? workflowTimeZone;
	if (DateTime.local({ zone }).isValid) return { from, until, zone };
	const todo =
		'Add a time zone after the hours, as in 22:00-08:00 Europe/Athens, or choose one in the workflow settings';
	throw invalidParameter(LABEL, `have an unknown time zone (${clip(zone, 60)})`, todo);
}

/** Returns the minute of the day of a time such as 08:30. Undefined: the text is no time. */
function minuteOf(time: string | undefined): number | undefined {
	const [hours, minutes] = (time ?? '').split(':').map(Number);
	return time === undefined || hours! > 23 || minutes! > 59 ? undefined : hours! * 60 + minutes!;
}

/**
 * Returns the Problem of a message during quiet hours. Undefined: the message may be sent.
 * @param now in milliseconds since 1970
 * @param rememberFor how long the node remembers messages. It decides whether the same list may be sent again afterwards
 */
export function quietProblem(hours: QuietHours | undefined, now: number, rememberFor: Remembers): Problem | undefined {
	const end = hours && quietEnd(hours, now);
	if (end === undefined) return undefined;
	const where = 'The hours are set in the credential, under Quiet Hours';
	const isSoon = rememberFor === 'day' && Date.parse(end.at) - now <= SOON;
	const todo = isKnownTomorrow(rememberFor) ? '' : isSoon ? 'sameListSoon' : 'onlyThese';
	return fault('quietHours', { todo, until: end.text }, where).withDetails({ quietUntil: end.at });
}

/**
 * Nine hours, in milliseconds. If the quiet hours end within this time, the same list may be sent again after them with Remember
 * For *A Day*. That choice remembers a message for at least ten hours. One hour is left for sending the list again.
 */
const SOON = 9 * 3_600_000;

export type QuietEnd = NonNullable<ReturnType<typeof quietEnd>>;

/**
 * Returns when the current quiet hours end: the first minute at which a clock in their zone shows a time outside of them.
 * Undefined: there are no quiet hours now.
 * @param now in milliseconds since 1970
 */
export function quietEnd({ from, until, zone }: QuietHours, now: number) {
	const isQuiet = (minute: number) =>
		from < until ? minute >= from && minute < until : minute >= from || minute < until;
	if (!isQuiet(minuteShown(now, zone))) return undefined;
	let instant = now - (now % MINUTE);
	for (let minute = minuteShown(instant, zone); isQuiet(minute); minute = minuteShown(instant, zone)) {
		// If summer time begins or ends before this end, the clock is read again at the change, because the change may skip the
		// end.
		const end = instant + ((until - minute + DAY) % DAY) * MINUTE;
		instant = clockChange(instant, end, zone) ?? end;
	}
	const end = DateTime.fromMillis(instant, { zone });
	return {
		/** The end in ISO 8601 with the offset of the zone, such as `2026-11-23T08:00:00+02:00`. n8n's Wait node accepts it. */
		at: end.toFormat("yyyy-MM-dd'T'HH:mm:ssZZ"),
		/** The end for people, such as "08:00 (Europe/Athens)". */
		text: `${end.toFormat('HH:mm')} (${zone})`,
	};
}

/** Milliseconds in a minute. */
const MINUTE = 60_000;
/** Minutes in a day. */
const DAY = 24 * 60;

/** Returns the minute of the day that a clock in the zone shows. @param instant in milliseconds since 1970 */
function minuteShown(instant: number, zone: string): number {
	const { hour, minute } = DateTime.fromMillis(instant, { zone });
	return hour * 60 + minute;
}

/**
 * Returns the minute at which summer time begins or ends in a zone, if that is after `start` and not after `end`. Undefined:
 * `start` and `end` have the same offset. All times are in milliseconds since 1970.
 */
function clockChange(start: number, end: number, zone: string): number | undefined {
	const offset = (instant: number) => DateTime.fromMillis(instant, { zone }).offset;
	if (offset(start) === offset(end)) return undefined;
	let [before, after] = [start, end];
	while (after - before > MINUTE) {
		const middle = before + Math.floor((after - before) / MINUTE / 2) * MINUTE;
		if (offset(middle) === offset(start)) before = middle;
		else after = middle;
	}
	return after;
}

/** Returns quiet hours for the output item of Review a List, with both times as `HH:MM`. */
export const describeQuietHours = ({ from, until, zone }: QuietHours) => ({
	from: timeOf(from),
	until: timeOf(until),
	zone,
});

const timeOf = (minute: number) => `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`;
const twoDigits = (number: number) => String(number).padStart(2, '0');

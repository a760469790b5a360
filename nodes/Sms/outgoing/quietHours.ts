import { DateTime } from 'luxon';

import { tidy } from '../../shared/greekLetters';
import type { Remembers } from '../../shared/advice';
import { isKnownTomorrow } from '../memory/periods';
import { clip } from '../../shared/notice';
import { isNothing } from '../../shared/parameter';
import { badParameter, fault, type Problem } from '../../shared/problem';

/** The hours in which lists don't go out: minutes of the day, the first inclusive, the second exclusive, and an IANA zone. */
type QuietHours = NonNullable<ReturnType<typeof readQuietHours>>;

const LABEL = 'Quiet Hours of the credential';
const HOW_TO_WRITE =
	'Write two times between 00:00 and 23:59, as in 22:00-08:00 or 22:00-08:00 Europe/Athens, or leave the field empty for none';

/** Reads `HH:MM-HH:MM`, perhaps with an IANA zone; undefined: empty. @throws Problem where it can't, never "none" */
export function readQuietHours(value: unknown, workflowTimeZone: string) {
	if (isNothing(value)) return undefined;
	const text = typeof value === 'string' && value.length <= 200 ? tidy(value) : '';
	const [, first, second, own] =
		/^(\d{1,2}:\d\d)\s*[-\u2010-\u2015\u2212]\s*(\d{1,2}:\d\d)(?:\s+([A-Za-z]\S*))?$/u.exec(text) ?? [];
	const [from, until] = [minuteOf(first), minuteOf(second)];
	if (from === undefined || until === undefined)
		throw badParameter(LABEL, text === '' ? "can't be read" : `can't be read (${clip(text, 60)})`, HOW_TO_WRITE);
	if (from === until) throw badParameter(LABEL, `begin and end at the same time (${second})`, HOW_TO_WRITE);
	const zone = own ?? workflowTimeZone;
	if (DateTime.local({ zone }).isValid) return { from, until, zone };
	const todo =
		'Write one after the hours, as in 22:00-08:00 Europe/Athens, or choose one in the settings of the workflow';
	throw badParameter(LABEL, `go by a time zone that is not known (${clip(zone, 60)})`, todo);
}

/** The minute of the day; undefined for no time. */
function minuteOf(time: string | undefined): number | undefined {
	const [hours, minutes] = (time ?? '').split(':').map(Number);
	return time === undefined || hours! > 23 || minutes! > 59 ? undefined : hours! * 60 + minutes!;
}

/**
 * Whether a message may go out at this time.
 * @param now in milliseconds since 1970 @param rememberFor whether the same list may be sent again when they are over
 * @returns undefined where it may
 */
export function quietProblem(hours: QuietHours | undefined, now: number, rememberFor: Remembers): Problem | undefined {
	const end = hours && quietEnd(hours, now);
	if (end === undefined) return undefined;
	const where = 'The hours are in the credential, under Quiet Hours';
	const isSoon = rememberFor === 'day' && Date.parse(end.at) - now <= SOON;
	const todo = isKnownTomorrow(rememberFor) ? '' : isSoon ? 'sameListSoon' : 'onlyThese';
	return fault('quietHours', { todo, until: end.words }, where).with({ quietUntil: end.at });
}

/** What is remembered for a day is known for ten hours at least; an hour of these is left to send the list again. */
const SOON = 9 * 3_600_000;

export type QuietEnd = NonNullable<ReturnType<typeof quietEnd>>;

/** When quiet hours that have begun are over, by a clock in their zone; undefined outside of them. @param now in ms */
export function quietEnd({ from, until, zone }: QuietHours, now: number) {
	const local = DateTime.fromMillis(now, { zone });
	const minute = local.hour * 60 + local.minute;
	const isQuiet = from < until ? minute >= from && minute < until : minute >= from || minute < until;
	if (!isQuiet) return undefined;
	const day = minute < until ? local : local.plus({ days: 1 });
	const end = day.set({ hour: Math.floor(until / 60), minute: until % 60, second: 0, millisecond: 0 });
	return {
		/** ISO 8601 with the zone's own offset, as in `2026-11-23T08:00:00+02:00`: n8n's Wait node takes it. */
		at: end.toFormat("yyyy-MM-dd'T'HH:mm:ssZZ"),
		/** As in "08:00 (Europe/Athens)". */
		words: `${end.toFormat('HH:mm')} (${zone})`,
	};
}

import { tidy } from '../../shared/greek';
import { hidePeoplesNumbers } from '../../shared/hide';
import { badParameter } from '../../shared/problem';
import { isNothing } from '../../shared/parameter';

/** When quiet hours that have begun are over. */
export interface QuietEnd {
	/** ISO 8601 with the zone's own offset, as in `2026-11-23T08:00:00+02:00`: n8n's Wait node takes it. */
	at: string;
	/** As in "08:00 (Europe/Athens)". */
	words: string;
}

/**
 * Whether an instant lies in quiet hours.
 *
 * @param now in milliseconds since 1970
 * @returns when they are over; undefined outside of them
 */
export type QuietHours = (now: number) => QuietEnd | undefined;

/** The field's name as the editor shows it. */
const LABEL = 'Quiet Hours of the credential';
const MINUTE = 60_000;
/** In minutes. Clocks change at a quarter of an hour of UTC, everywhere. */
const QUARTER = 15;

/**
 * Reads quiet hours: `HH:MM-HH:MM`, the first minute inclusive, the second exclusive, also over midnight, and behind
 * them perhaps an IANA time zone. They go by what a clock on the wall of that zone shows, also when it changes.
 *
 * @param workflowTimeZone for hours without a zone of their own
 * @returns undefined where the field is empty
 * @throws Problem where it can't be read: that is an error, never "none"
 */
export function readQuietHours(value: unknown, workflowTimeZone: string): QuietHours | undefined {
	if (isNothing(value)) return undefined;
	const text = typeof value === 'string' && value.length <= 200 ? tidy(value) : '';
	const [, from, until, zone] =
		/^(\d{1,2}:\d\d)\s*[-\u2010-\u2015\u2212]\s*(\d{1,2}:\d\d)(?:\s+(\S+))?$/u.exec(text) ?? [];
	const [start, end] = [minuteOf(from), minuteOf(until)];
	if (start === undefined || end === undefined) {
		throw badParameter(
			LABEL,
			text === '' ? "can't be read" : `can't be read (${hidePeoplesNumbers(text.slice(0, 60))})`,
			HOW_TO_WRITE,
		);
	}
	if (start === end) throw badParameter(LABEL, `begin and end at the same time (${until})`, HOW_TO_WRITE);
	const clock = zone === undefined ? openClock(workflowTimeZone) : /^[A-Za-z]/.test(zone) ? openClock(zone) : undefined;
	if (clock === undefined) {
		throw zone === undefined
			? badParameter(
					LABEL,
					`go by the time zone of the workflow, which is not known (${workflowTimeZone.slice(0, 60)})`,
					'Choose a time zone in the settings of the workflow, or write one behind the hours, as in 22:00-08:00 Europe/Athens',
				)
			: badParameter(
					LABEL,
					`name a time zone that is not known (${hidePeoplesNumbers(zone.slice(0, 60))})`,
					'Write it as in 22:00-08:00 Europe/Athens, or leave it out for that of the workflow',
				);
	}
	return remembering(start, end, clock);
}

const HOW_TO_WRITE =
	'Write two times between 00:00 and 23:59, as in 22:00-08:00 or 22:00-08:00 Europe/Athens, or leave the field empty for none';

/** The minute of the day; undefined for no time. */
function minuteOf(time: string | undefined): number | undefined {
	const [hours, minutes] = (time ?? '').split(':').map(Number);
	return time === undefined || hours! > 23 || minutes! > 59 ? undefined : hours! * 60 + minutes!;
}

interface Clock {
	zone: string;
	/** What it shows, in milliseconds as if it were UTC. */
	shows(instant: number): number;
}

/** @returns undefined for a time zone that the host does not know */
function openClock(timeZone: string): Clock | undefined {
	let format: Intl.DateTimeFormat;
	try {
		// Swedish dates are those of ISO 8601.
		format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
	} catch {
		return undefined;
	}
	return {
		zone: timeZone,
		shows: (instant) => Date.parse(`${format.format(instant).replace(' ', 'T')}Z`),
	};
}

/** A long list asks again for each message: until the hours are over the answer is the one that was found. */
function remembering(start: number, end: number, clock: Clock): QuietHours {
	let found: { since: number; over: number; end: QuietEnd } | undefined;
	return (now) => {
		if (found !== undefined && now >= found.since && now < found.over) return found.end;
		const over = endOf(start, end, clock, now);
		if (over === undefined) return undefined;
		found = { since: now, over, end: describe(over, clock) };
		return found.end;
	};
}

/**
 * The first minute from now on at which the clock shows no quiet time. It is looked for in steps that no change of the
 * clock can hide in: the hours may end where it is put forward, and be longer where it is put back.
 *
 * @returns undefined where that is now
 */
function endOf(start: number, end: number, clock: Clock, now: number): number | undefined {
	let minute = Math.floor(now / MINUTE);
	const first = minute;
	for (;;) {
		const shown = (clock.shows(minute * MINUTE) / MINUTE) % 1440;
		const isQuiet = start < end ? shown >= start && shown < end : shown >= start || shown < end;
		if (!isQuiet) return minute === first ? undefined : minute * MINUTE;
		minute += Math.min((end - shown + 1440) % 1440, QUARTER - (minute % QUARTER));
	}
}

function describe(instant: number, clock: Clock): QuietEnd {
	const shown = clock.shows(instant);
	const local = new Date(shown).toISOString();
	const offset = (shown - instant) / MINUTE;
	const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60].map((part) =>
		String(part).padStart(2, '0'),
	);
	return {
		at: `${local.slice(0, 19)}${offset < 0 ? '-' : '+'}${hours}:${minutes}`,
		words: `${local.slice(11, 16)} (${clock.zone})`,
	};
}

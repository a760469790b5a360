import fc from 'fast-check';

import { Problem } from '../../../../lib/texts/problem';
import { quietEnd, quietProblem, readQuietHours } from '../../../../lib/smsPlatform/quietHours';

const MINUTE = 60_000;
const ask = (value: unknown, instant: string, workflowZone = 'Europe/Athens') =>
	quietEnd(readQuietHours(value, workflowZone)!, Date.parse(instant));

describe('quiet hours', () => {
	it.each<[string, string, string, string | undefined]>([
		['the minute before quiet hours', '22:00-08:00', '2026-01-10T21:59:59.999+02:00', undefined],
		['the first minute of quiet hours', '22:00-08:00', '2026-01-10T22:00:00+02:00', '2026-01-11T08:00:00+02:00'],
		['the last minute of quiet hours', '22:00-08:00', '2026-01-11T07:59:59.999+02:00', '2026-01-11T08:00:00+02:00'],
		['the minute after quiet hours', '22:00-08:00', '2026-01-11T08:00:00+02:00', undefined],
		['the end of quiet hours within a day', '14:30-17:15', '2026-07-01T17:15:00+03:00', undefined],
		['quiet hours until midnight', '22:00-00:00', '2026-07-01T23:59:00+03:00', '2026-07-02T00:00:00+03:00'],
		[
			'quiet hours of a day except for one minute',
			'00:01-00:00',
			'2026-07-01T00:01:00+03:00',
			'2026-07-02T00:00:00+03:00',
		],
		[
			'quiet hours with their own time zone',
			'22:00-08:00 America/New_York',
			'2026-07-01T07:00:00Z',
			'2026-07-01T08:00:00-04:00',
		],
		[
			'a time zone with an offset of 45 minutes',
			'22:00-08:00  Asia/Kathmandu',
			'2026-07-01T00:00:00Z',
			'2026-07-01T08:00:00+05:45',
		],
		[
			'a time zone in small letters',
			'22:00-08:00 europe/athens',
			'2026-01-11T00:00:00+02:00',
			'2026-01-11T08:00:00+02:00',
		],
		['spaces, a dash, no zero', ' 9:00 – 10:00\u200b', '2026-07-01T09:30:00+03:00', '2026-07-01T10:00:00+03:00'],
		// On 29 March 2026 three o'clock becomes four, on 25 October 2026 four becomes three.
		['the night in which summer time begins', '22:00-08:00', '2026-03-28T22:00:00+02:00', '2026-03-29T08:00:00+03:00'],
		[
			'an end in the hour that summer time skips',
			'22:00-03:30',
			'2026-03-29T02:59:00+02:00',
			'2026-03-29T04:00:00+03:00',
		],
		[
			'an end in the skipped hour, asked the evening before',
			'22:00-03:30',
			'2026-03-28T22:00:00+02:00',
			'2026-03-29T04:00:00+03:00',
		],
		[
			'an end in the hour that winter time repeats',
			'22:00-03:30',
			'2026-10-25T02:00:00+03:00',
			'2026-10-25T03:30:00+03:00',
		],
		[
			'an end in the repeated hour, asked in its second run',
			'22:00-03:30',
			'2026-10-25T03:10:00+02:00',
			'2026-10-25T03:30:00+02:00',
		],
		['an end after the repeated hour', '22:00-04:00', '2026-10-25T03:10:00+03:00', '2026-10-25T04:00:00+02:00'],
		['the night in which winter time begins', '22:00-08:00', '2026-10-24T22:00:00+03:00', '2026-10-25T08:00:00+02:00'],
	])('have the expected end, and no end at a time outside of quiet hours: %s', (_, value, instant, at) => {
		const zone = /[a-z]+\/\w+$/i.exec(value)?.[0] ?? 'Europe/Athens';
		expect(ask(value, instant)).toEqual(at && { at, text: `${at.slice(11, 16)} (${zone})` });
	});

	it.each([undefined, null, '', ' \u200b'])('are off if the field contains %p', (value) => {
		expect(readQuietHours(value, 'nowhere')).toBeUndefined();
	});

	const unreadable = [
		...['22-08', '22:00-08:00-09:00', '22:00-24:00', '22:60-08:00', '14:00-17:00, 22:00-08:00', '10 μμ - 8 πμ'],
		...['6900000001', `22:00-08:00 ${'a'.repeat(100_000)}`, '22:00-08:00 Αθήνα', '22:00-08:00 +02:00'],
		...[8, true, ['22:00-08:00']],
	];
	it.each<[unknown, RegExp]>([
		['22:00', /can't be read \(22:00\)/],
		...unreadable.map((value): [unknown, RegExp] => [value, /can't be read/]),
		['08:00-08:00', /begin and end at the same time/],
		['8:00-08:00 Europe/Athens', /begin and end at the same time/],
		['22:00-08:00 Europe/Athen', /unknown time zone \(Europe\/Athen\)/],
	])('with the value %j are an error that names the field Quiet Hours', (value, text) => {
		expect(() => readQuietHours(value, 'Europe/Athens')).toThrow(text);
		expect(() => readQuietHours(value, 'Europe/Athens')).toThrow(Problem);
		expect(() => readQuietHours(value, 'Europe/Athens')).toThrow(/^Quiet Hours in the credential/);
	});

	it('use the time zone of the workflow only if they name no time zone', () => {
		expect(() => readQuietHours('22:00-08:00', 'Mars/Base')).toThrow(/unknown time zone \(Mars\/Base\)/);
		expect(ask('22:00-08:00 UTC', '2026-01-11T00:00:00Z', 'Mars/Base')).toEqual({
			at: '2026-01-11T08:00:00+00:00',
			text: '08:00 (UTC)',
		});
	});
});

/**
 * Returns a function that gives the local minute of the day at an instant. The function uses Intl, so that the test does
 * not repeat a mistake of luxon, which the code uses.
 */
function wallClock(zone: string): (instant: number) => number {
	const clock = new Intl.DateTimeFormat('en-GB', {
		timeZone: zone,
		hour: '2-digit',
		minute: '2-digit',
		hourCycle: 'h23',
	});
	const known = new Map<number, number>();
	return (instant) => {
		// No zone changes its offset within a quarter of an hour that begins at :00, :15, :30 or :45 UTC.
		const quarter = instant - (instant % (15 * MINUTE));
		let atQuarter = known.get(quarter);
		if (atQuarter === undefined) {
			const [hour, minute] = clock.format(quarter).split(':').map(Number);
			atQuarter = hour! * 60 + minute!;
			known.set(quarter, atQuarter);
		}
		return (atQuarter + Math.floor((instant - quarter) / MINUTE)) % 1440;
	};
}

/** Finds the end of quiet hours by testing every minute. Returns undefined outside of quiet hours. */
function reference(from: number, until: number, shows: (instant: number) => number, now: number): number | undefined {
	const isQuiet = (instant: number) => {
		const minute = shows(instant);
		return from < until ? minute >= from && minute < until : minute >= from || minute < until;
	};
	let instant = now - (now % MINUTE);
	if (!isQuiet(instant)) return undefined;
	while (isQuiet(instant)) instant += MINUTE;
	return instant;
}

const HOUR = 60 * MINUTE;
const YEAR = { min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) };
const time = (minute: number) =>
	`${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

it.each([
	...['UTC', 'Europe/Athens', 'Europe/London', 'America/New_York', 'America/St_Johns', 'Asia/Kathmandu'],
	// In these zones the clocks change by half an hour, or at midnight, or additionally for Ramadan.
	...['Australia/Lord_Howe', 'Africa/Cairo', 'America/Santiago', 'Africa/Casablanca'],
])('quiet hours end at the same minute that a test of every minute finds, all year round, in %s', (zone) => {
	const shows = wallClock(zone);
	const changes: number[] = [];
	for (let instant = YEAR.min; instant < YEAR.max; instant += HOUR)
		if ((shows(instant + HOUR) - shows(instant) + 1440) % 1440 !== 60) changes.push(instant);
	const near = changes.map((change) => fc.integer({ min: change - 26 * HOUR, max: change + 4 * HOUR }));
	const instants = fc.oneof(fc.integer(YEAR), ...near);
	const minutes = fc.oneof(fc.integer({ min: 0, max: 1439 }), fc.integer({ min: 0, max: 270 }));
	fc.assert(
		fc.property(minutes, minutes, instants, (from, until, now) => {
			fc.pre(from !== until);
			const over = reference(from, until, shows, now);
			const end = quietEnd(readQuietHours(`${time(from)}-${time(until)} ${zone}`, 'UTC')!, now);
			expect(end && Date.parse(end.at)).toBe(over);
			if (over !== undefined) expect(end?.text).toBe(`${time(shows(over))} (${zone})`);
		}),
		{ numRuns: 300, seed: 23 },
	);
});

it('the error for messages in quiet hours states the end of the quiet hours: with the time zone in its text, and as a timestamp in its details', () => {
	const hours = readQuietHours('22:00-08:00', 'Europe/Athens');
	expect(quietProblem(hours, Date.parse('2026-01-10T21:59:00+02:00'), 'week')).toBeUndefined();
	expect(quietProblem(hours, Date.parse('2026-01-10T23:00:00+02:00'), 'week')).toMatchObject({
		message: 'Quiet hours last until 08:00 (Europe/Athens). No messages are sent before then',
		description: expect.stringContaining('Send the same list again after that'),
		details: { outcome: 'rejected', quietUntil: '2026-01-11T08:00:00+02:00' },
	});
});

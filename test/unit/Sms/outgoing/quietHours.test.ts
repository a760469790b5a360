import fc from 'fast-check';

import { Problem } from '../../../../nodes/shared/problem';
import { quietEnd, quietProblem, readQuietHours } from '../../../../nodes/Sms/outgoing/quietHours';

const MINUTE = 60_000;
const ask = (value: unknown, instant: string, workflowZone = 'Europe/Athens') =>
	quietEnd(readQuietHours(value, workflowZone)!, Date.parse(instant));

describe('quiet hours', () => {
	it.each<[string, string, string, string | undefined]>([
		['the minute before them', '22:00-08:00', '2026-01-10T21:59:59.999+02:00', undefined],
		['their first minute', '22:00-08:00', '2026-01-10T22:00:00+02:00', '2026-01-11T08:00:00+02:00'],
		['their last minute', '22:00-08:00', '2026-01-11T07:59:59.999+02:00', '2026-01-11T08:00:00+02:00'],
		['the minute after them', '22:00-08:00', '2026-01-11T08:00:00+02:00', undefined],
		['the end of hours in one day', '14:30-17:15', '2026-07-01T17:15:00+03:00', undefined],
		['hours until midnight', '22:00-00:00', '2026-07-01T23:59:00+03:00', '2026-07-02T00:00:00+03:00'],
		['all but a minute', '00:01-00:00', '2026-07-01T00:01:00+03:00', '2026-07-02T00:00:00+03:00'],
		['their own zone', '22:00-08:00 America/New_York', '2026-07-01T07:00:00Z', '2026-07-01T08:00:00-04:00'],
		['a zone of 45 minutes', '22:00-08:00  Asia/Kathmandu', '2026-07-01T00:00:00Z', '2026-07-01T08:00:00+05:45'],
		['other letters', '22:00-08:00 europe/athens', '2026-01-11T00:00:00+02:00', '2026-01-11T08:00:00+02:00'],
		['spaces, a dash, no zero', ' 9:00 – 10:00\u200b', '2026-07-01T09:30:00+03:00', '2026-07-01T10:00:00+03:00'],
		// On 29 March 2026 three o'clock becomes four, on 25 October 2026 four becomes three.
		['an hour less of night', '22:00-08:00', '2026-03-28T22:00:00+02:00', '2026-03-29T08:00:00+03:00'],
		['an end that is leapt over', '22:00-03:30', '2026-03-29T02:59:00+02:00', '2026-03-29T04:30:00+03:00'],
		['an hour more of night', '22:00-08:00', '2026-10-24T22:00:00+03:00', '2026-10-25T08:00:00+02:00'],
	])('%s', (_, value, instant, at) => {
		const zone = /[a-z]+\/\w+$/i.exec(value)?.[0] ?? 'Europe/Athens';
		expect(ask(value, instant)).toEqual(at && { at, words: `${at.slice(11, 16)} (${zone})` });
	});

	it.each([undefined, null, '', ' \u200b'])('are none where the field holds %p', (value) => {
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
		['22:00-08:00 Europe/Athen', /time zone that is not known \(Europe\/Athen\)/],
	])('that are %j are an error that names them', (value, text) => {
		expect(() => readQuietHours(value, 'Europe/Athens')).toThrow(text);
		expect(() => readQuietHours(value, 'Europe/Athens')).toThrow(Problem);
		expect(() => readQuietHours(value, 'Europe/Athens')).toThrow(/^Quiet Hours of the credential/);
	});

	it('need the time zone of the workflow only where they name none', () => {
		expect(() => readQuietHours('22:00-08:00', 'Mars/Base')).toThrow(/time zone that is not known \(Mars\/Base\)/);
		expect(ask('22:00-08:00 UTC', '2026-01-11T00:00:00Z', 'Mars/Base')).toEqual({
			at: '2026-01-11T08:00:00+00:00',
			words: '08:00 (UTC)',
		});
	});
});

/** What a clock on the wall shows, minute by minute, from the rules of summer time themselves: Athens is two or three hours before UTC. */
const athens = (instant: number) =>
	instant + (instant >= Date.UTC(2026, 2, 29, 1) && instant < Date.UTC(2026, 9, 25, 1) ? 3 : 2) * 60 * MINUTE;

/** The same question, answered by looking at every minute. */
function reference(from: number, until: number, shows: (instant: number) => number, now: number): number | undefined {
	const quiet = new Set<number>();
	for (let minute = from; minute !== until; minute = (minute + 1) % 1440) quiet.add(minute);
	const isQuiet = (instant: number) => {
		const clock = new Date(shows(instant));
		return quiet.has(clock.getUTCHours() * 60 + clock.getUTCMinutes());
	};
	let instant = now - (now % MINUTE);
	if (!isQuiet(instant)) return undefined;
	while (isQuiet(instant)) instant += MINUTE;
	return instant;
}

const time = (minute: number) =>
	`${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
const minutes = fc.oneof(fc.integer({ min: 0, max: 1439 }), fc.integer({ min: 150, max: 270 }));
const hours = fc.tuple(minutes, minutes).filter(([from, until]) => from !== until);
const within = (start: string, hoursLong: number) =>
	fc.integer({ min: Date.parse(start), max: Date.parse(start) + hoursLong * 60 * MINUTE });

it.each<[string, string, (instant: number) => number, fc.Arbitrary<number>]>([
	['UTC', 'UTC', (instant) => instant, within('2026-03-28T00:00:00Z', 72)],
	['Athens where summer time begins', 'Europe/Athens', athens, within('2026-03-28T12:00:00Z', 30)],
	['Athens where summer time ends', 'Europe/Athens', athens, within('2026-10-24T12:00:00Z', 30)],
])('are over when looking at every minute says so: %s', (_, zone, shows, instants) => {
	fc.assert(
		fc.property(hours, instants, ([from, until], now) => {
			const over = reference(from, until, shows, now);
			const end = quietEnd(readQuietHours(`${time(from)}-${time(until)} ${zone}`, 'UTC')!, now);
			expect(end === undefined).toBe(over === undefined);
			// Where the clock changes within the hour at which they end, the end that is said may be an hour off (docs/limits.md).
			if (end === undefined || (zone !== 'UTC' && [from, until].some((minute) => minute >= 120 && minute <= 300)))
				return;
			expect(Date.parse(end.at)).toBe(over);
			expect(end.words).toBe(`${time((shows(over!) / MINUTE) % 1440)} (${zone})`);
		}),
		{ numRuns: 150, seed: 23 },
	);
});

it('quiet hours say until when and in which zone, for people and for a workflow', () => {
	const hours = readQuietHours('22:00-08:00', 'Europe/Athens');
	expect(quietProblem(hours, Date.parse('2026-01-10T21:59:00+02:00'), 'week')).toBeUndefined();
	expect(quietProblem(hours, Date.parse('2026-01-10T23:00:00+02:00'), 'week')).toMatchObject({
		message: 'It is quiet hours until 08:00 (Europe/Athens)',
		description: expect.stringContaining('Send the same list again after that'),
		details: { outcome: 'rejected', quietUntil: '2026-01-11T08:00:00+02:00' },
	});
});

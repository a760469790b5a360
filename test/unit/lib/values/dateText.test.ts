import fc from 'fast-check';
import { DateTime } from 'luxon';

import { dateAsText } from '../../../../lib/values/dateText';

const ZONES = [
	...['Europe/Athens', 'UTC', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Kiritimati', 'Pacific/Apia'],
	// In these zones the clocks change at midnight, so a day may have no midnight or two.
	...['Africa/Cairo', 'America/Havana', 'America/Santiago', 'Asia/Beirut'],
];
const MINUTE = 60_000;

const clocks = new Map(
	ZONES.map((timeZone) => [
		timeZone,
		new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
	]),
);

/**
 * Returns the local time. The function uses Intl, so that the test does not repeat a mistake of luxon, which the code uses.
 */
function wall(instant: number, timeZone: string) {
	const [day, time] = clocks.get(timeZone)!.format(instant).split(', ') as [string, string];
	return { day, time, text: `${day} ${time.slice(0, 5)}` };
}

/** Returns whether a day begins at an instant. */
const isMidnight = (instant: number, timeZone: string) =>
	wall(instant, timeZone).time === '00:00:00' || wall(instant, timeZone).day !== wall(instant - 1, timeZone).day;

/** Instants in the months in which clocks change: March to May, and September to November. */
const nights = fc
	.record({
		year: fc.integer({ min: 1975, max: 2037 }),
		day: fc.integer({ min: 0, max: 61 }),
		from: fc.constantFrom('03-10', '09-05'),
		minute: fc.integer({ min: -8 * 60, max: 8 * 60 }),
	})
	.map(
		({ year, day, from, minute }) => Date.parse(`${year}-${from}T00:00:00Z`) + day * 24 * 60 * MINUTE + minute * MINUTE,
	);
const anyTime = fc.integer({ min: -40 * 365 * 24 * 60, max: 90 * 365 * 24 * 60 }).map((minute) => minute * MINUTE);
const instants = fc.oneof(nights, anyTime);
const zones = fc.constantFrom(...ZONES);

/** Returns the forms of an instant that a node may get: objects and texts. */
const spellings = (instant: number): unknown[] => [
	new Date(instant),
	new Date(instant).toJSON(),
	new Date(instant).toJSON().replace('.000Z', 'Z'),
	new Date(instant).toJSON().replace('T', ' ').replace('.000Z', '+00:00'),
	DateTime.fromMillis(instant, { zone: 'Asia/Tokyo' }),
	DateTime.fromMillis(instant, { zone: 'America/New_York' }).toISO(),
	DateTime.fromMillis(instant, { zone: 'Asia/Kathmandu' }).toISO({ format: 'extended', suppressMilliseconds: true }),
];

describe('an instant', () => {
	test("is read as a day if it is midnight in the workflow's time zone or in UTC, and otherwise as a day with a time", () => {
		fc.assert(
			fc.property(instants, zones, (instant, zone) => {
				const inUtc = wall(instant, 'UTC');
				const isOfUtc = isMidnight(instant, 'UTC') && !isMidnight(instant, zone);
				const { day, text } = wall(instant, zone);
				const expected = isOfUtc ? inUtc.day : isMidnight(instant, zone) ? day : text;
				for (const spelling of spellings(instant)) expect(dateAsText(spelling, zone)).toBe(expected);
			}),
			{ numRuns: 3000, seed: 6 },
		);
	});

	test('at the beginning of a day in the time zone is read as that day, even when the clocks change', () => {
		const days = fc.record({ year: fc.integer({ min: 1920, max: 2090 }), day: fc.integer({ min: 1, max: 366 }) });
		fc.assert(
			fc.property(days, zones, ({ year, day }, zone) => {
				const begin = DateTime.fromObject({ year, month: 1, day: 1 }, { zone })
					.plus({ days: day - 1 })
					.startOf('day');
				expect(dateAsText(begin.toUTC().toISO(), zone)).toBe(begin.toFormat('dd/MM/yyyy'));
			}),
			{ numRuns: 2000, seed: 6 },
		);
	});

	it.each([
		['Europe/Athens', '2026-03-28T22:00:00Z', '29/03/2026'],
		['Europe/Athens', '2026-03-29T01:00:00Z', '29/03/2026 04:00'],
		['Europe/Athens', '2026-10-25T00:30:00Z', '25/10/2026 03:30'],
		['Europe/Athens', '2026-10-25T01:30:00Z', '25/10/2026 03:30'],
		// A spreadsheet stores a time as a fraction of a day, so it may be off by a fraction of a second.
		['Europe/Athens', '2026-05-07T20:59:59.999Z', '08/05/2026'],
		['Europe/Athens', '2026-05-08T05:59:59.600Z', '08/05/2026 09:00'],
		['Europe/Athens', '2026-05-08T09:30+03:00[Europe/Athens]', '08/05/2026 09:30'],
		['Europe/Athens', '2026-05-08t06:30z', '08/05/2026 09:30'],
		['Europe/Athens', '2026-05-08T06:30:00,5+00', '08/05/2026 09:30'],
		// Google Sheets writes a time without a date with the time zone offset of 1899.
		['Europe/Athens', '1899-12-30T09:25:08.000Z', '11:00'],
	])('in the time zone %s: %s is read as %s', (zone, value, written) => {
		expect(dateAsText(value, zone)).toBe(written);
	});

	it('of 31 December 1899, as readers of spreadsheets return a time without a date, is read as that time', () => {
		expect(dateAsText(new Date(1899, 11, 31, 9, 30), 'Europe/Athens')).toBe('09:30');
	});
});

describe('a date-time without a zone', () => {
	test('is read literally in any time zone', () => {
		fc.assert(
			fc.property(
				instants,
				zones,
				fc.constantFrom('T', ' '),
				fc.constantFrom(16, 19, 23),
				(instant, zone, between, end) => {
					const value = new Date(instant).toJSON().slice(0, end).replace('T', between);
					const { day, time, text } = wall(instant, 'UTC');
					expect(dateAsText(value, zone)).toBe(time === '00:00:00' ? day : text);
				},
			),
			{ numRuns: 1000, seed: 6 },
		);
	});

	it.each([
		['2026-03-29T03:30', '29/03/2026 03:30'],
		['2026-05-08', '08/05/2026'],
		['2026-05-08T24:00', '09/05/2026'],
		['1899-12-30T09:30:00', '09:30'],
	])('such as %s is read as %s', (value, written) => {
		expect(dateAsText(value, 'Europe/Athens')).toBe(written);
	});
});

it.each([
	...[
		'8/5/2026',
		'08.05.2026',
		'2026',
		'2026-05',
		'2026-5-8',
		'20260508',
		'2026-13-45',
		'2026-02-30',
		'2026-05-08T25:00',
	],
	...[
		'2026-05-08T',
		'2026-05-08T09',
		'στις 2026-05-08',
		'2026-05-08 και 2026-05-09',
		'2026-W19-5',
		'',
		'09:30',
		'PT1H',
	],
	...[46_150, 0.5, null, undefined, true, {}, new Date(Number.NaN), DateTime.invalid('no'), '2'.repeat(1000)],
])('the value %p is not read as a date', (value) => {
	expect(dateAsText(value, 'Europe/Athens')).toBeUndefined();
});

import { DateTime } from 'luxon';

import { shownCell } from '../../../../lib/values/sheetCell';

/** A day as readers of spreadsheets return it: midnight in the time zone of the computer. */
const day = new Date(2026, 0, 31);
const OF_COMPUTER = Intl.DateTimeFormat().resolvedOptions().timeZone;
const cell = (name: string, value: unknown, timeZone = OF_COMPUTER) => shownCell(name, value, timeZone);

describe('a cell of a result sheet', () => {
	it.each<[unknown, unknown]>([
		[day, '31/01/2026'],
		[day.toJSON(), '31/01/2026'],
		[DateTime.fromJSDate(day).toUTC(), '31/01/2026'],
		[new Date(1900, 0, 1), '01/01/1900'],
		[new Date(2026, 0, 31, 9, 5), '31/01/2026 09:05'],
		[new Date(1899, 11, 31, 9, 30), '09:30'],
	])('with the date %p is written as %p, even if its heading is not about dates', (value, shown) => {
		expect(cell('Εγγραφή', value)).toBe(shown);
	});

	it.each([
		['2026-05-07T21:00:00.000Z', '08/05/2026'],
		['2026-05-07T00:00:00.000Z', '07/05/2026'],
		['2026-05-07T06:05:00.000Z', '07/05/2026 09:05'],
	])('with the instant %s has the day and time in the time zone of the workflow', (value, shown) => {
		expect(cell('Εγγραφή', value, 'Europe/Athens')).toBe(shown);
	});

	it.each(['Ημερομηνία εξέτασης', 'Ημ. εξέτασης', 'ΗΜ/ΝΙΑ', 'Exam Date'])(
		'with a serial number of a spreadsheet is written as a day under the heading %s',
		(name) => {
			expect(cell(name, 46_053)).toBe('31/01/2026');
		},
	);

	it.each([6_900_000_001, 1_000_000_001, 306_900_000_001])(
		'with the number %p is written as text, because a spreadsheet would shorten it',
		(value) => {
			expect(cell('Κινητό', value)).toBe(String(value));
		},
	);

	it.each([
		6_910_000_000,
		306_912_000_000,
		999_999_999,
		-6_900_000_001,
		6_900_000_001.5,
		1e20,
		46_053,
		8.5,
		0.375,
		'31/1/2026',
		'2026-01-31',
		'9999-99-99T99:99:99.999Z',
		null,
		'',
		true,
	])('with the value %p stays unchanged', (value) => {
		expect(cell('Κωδικός', value)).toBe(value);
	});

	it.each([8.5, 7, '46053', new Date(Number.NaN)])(
		'with the value %p is not written as a day, even under a heading for dates',
		(value) => {
			expect(cell('Ημ. εξέτασης', value)).toBe(value);
		},
	);
});

import { DateTime } from 'luxon';

import { dayOfCount, readBirthDate, shownDate } from '../../../../nodes/Amka/birthDate';

const read = (value: unknown, timeZone = 'Europe/Athens') => readBirthDate(value, timeZone);

describe('a birth date', () => {
	it.each([
		...['1985-01-31', '1985-01-31T00:00:00.000Z', '1985-01-31T00:00:00.000+02:00', '1985-01-31T23:59:59-11:00'],
		...['1985-01-31 00:00:00', '1985-01-31 00:00:00+02', '1985-01-31T00:00', '31/1/1985', '31/01/1985'],
		...['31-01-1985', '31.1.1985', ' 31/01/1985\u200b ', '３１/０１/１９８５'],
		...['31/1/1985 00:00:00', '31/1/1985 0:00', '31/1/1985 12:00:00 πμ', '31/1/1985, 12:00 a.m.'],
	])('such as %j is read as 31 January 1985', (value) => {
		expect(read(value)).toBe('1985-01-31');
	});

	it('has the day before the month, and may be 29 February of a leap year', () => {
		expect(['05/06/1985', '29/02/2000'].map((value) => read(value))).toEqual(['1985-06-05', '2000-02-29']);
	});

	it.each<unknown>([
		...['01/31/1985', '31/01/85', '31/01-1985', '1985/01/31', '29/02/1900', '29/02/1999', '30/02/1985', '31/04/1985'],
		...[
			'00/01/1985',
			'0050-01-01',
			'1985-1-31',
			'1985-01-31x',
			'31/01/1985 or so',
			'31/01/1985 24:00',
			'31/01/1985 0',
			'1985-01-31T24:00:00Z',
		],
		...['1985-01-31T99:99Z', '31075', 31075, '', null, undefined, [], ['1985-01-31'], {}, { toJSON: 'x' }, true],
		...[new Date(Number.NaN), DateTime.invalid('x'), '1'.repeat(1_000_000)],
	])('is not read from %p', (value) => {
		expect(read(value)).toBeUndefined();
	});
});

describe('a birth date that is an instant', () => {
	it.each([
		// n8n and spreadsheet programs store a date as midnight in their time zone, for example in Athens.
		['1985-01-30T22:00:00.000Z', 'Europe/Athens', '1985-01-31'],
		['1985-07-30T21:00:00Z', 'Europe/Athens', '1985-07-31'],
		['1985-01-30T17:00:00-0500', 'Europe/Athens', '1985-01-31'],
		['1985-01-31T05:00:00Z', 'America/New_York', '1985-01-31'],
		['1985-01-30T10:00:00+00', 'Pacific/Kiritimati', '1985-01-30'],
		// Summer time began at this midnight, so that the day began at one o'clock.
		['1980-03-31T22:00:00Z', 'Europe/Athens', '1980-04-01'],
		// Until 1916, Athens was 1 hour, 34 minutes and 52 seconds ahead of UTC.
		['1910-03-14T22:25:08Z', 'Europe/Athens', '1910-03-15'],
		// Any other instant is read as the day in its text.
		['1985-01-30T22:00:00.001Z', 'Europe/Athens', '1985-01-30'],
		['1985-01-30T21:59:59.999Z', 'Europe/Athens', '1985-01-30'],
		['1985-01-30T22:00:00Z', 'America/New_York', '1985-01-30'],
		['1985-01-30T22:00:00', 'Europe/Athens', '1985-01-30'],
	])(
		'such as %s, in the time zone %s, is read as %s (from a text, and from a Date if it ends in Z)',
		(text, zone, expected) => {
			expect(read(text, zone)).toBe(expected);
			if (/Z$/.test(text) && !/\.\d{4}/.test(text)) expect(read(new Date(text), zone)).toBe(expected);
		},
	);

	it('is read as the same day from a Date, from a DateTime, and from the JSON text of each', () => {
		for (const text of ['1985-01-31', '1985-01-30T22:00Z', '1985-01-31T23:30-08:00', '1980-03-31T22:00Z']) {
			for (const zone of ['Europe/Athens', 'America/New_York', 'Pacific/Auckland', 'UTC']) {
				const times = [DateTime.fromISO(text, { setZone: true }), DateTime.fromISO(text, { zone })];
				for (const value of [new Date(text), ...times])
					expect([text, zone, read(value, zone)]).toEqual([text, zone, read(JSON.parse(JSON.stringify(value)), zone)]);
			}
		}
	});
});

describe('a day as a serial number of a spreadsheet', () => {
	it.each<[unknown, string, string]>([
		[30488, '21068302674', '1983-06-21'],
		['30488', '21068302674', '1983-06-21'],
		[' 30488 ', '21068302674', '1983-06-21'],
		[30488.75, '21068302674', '1983-06-21'],
		['30488,5', '21068302674', '1983-06-21'],
		[36585, '29020000013', '2000-02-29'],
	])('such as %j is read as a day, because the AMKA number %s begins with that day: %s', (count, ssn, day) => {
		expect(dayOfCount(count, ssn)).toBe(day);
	});

	it.each<unknown>([
		...[30489, -30488, 21, 2106, 210683, '30488x', '', null, [30488], Number.NaN],
		// A negative number would be a day before 1900, which spreadsheets do not support.
		-6036,
	])(
		'such as %j is not read as a day if it is no positive number, or if the AMKA number 21068302674 begins with another day',
		(count) => {
			expect(dayOfCount(count, '21068302674')).toBeUndefined();
			expect(dayOfCount(30488, '')).toBeUndefined();
		},
	);

	it.each<[unknown, string | undefined]>([
		[30488, '21/06/1983'],
		['30488.5', '21/06/1983'],
		['1983-06-20T21:00:00.000Z', '21/06/1983'],
		['1983-06-21', '21/06/1983'],
		['1.6.1983', '01/06/1983'],
		...['21/06/83', '', null, undefined, 21, {}, 1995, '2005'].map((none): [unknown, undefined] => [none, undefined]),
	])('or another date such as %j is shown to people as %j (undefined: it is not shown)', (cell, shown) => {
		expect(shownDate(cell, 'Europe/Athens')).toBe(shown);
	});
});

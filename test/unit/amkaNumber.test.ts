import { execFileSync } from 'node:child_process';

import { checkAmkaNumber } from '../../nodes/Amka/amkaNumber';
import { readBirthDate } from '../../nodes/Amka/birthDate';

describe('checkAmkaNumber', () => {
	it.each([
		['01013099997', '01/01', 'male'],
		['31018501234', '31/01', 'male'],
		['21068302674', '21/06', 'male'],
		['02058401528', '02/05', 'even'],
		['09095986684', '09/09', 'even'],
		['15039904568', '15/03', 'female'],
		['07090512307', '07/09', 'even'],
		['29020000013', '29/02', 'male'],
	])('%s is well formed', (ssn, birthDayAndMonth, sex) => {
		const expected = sex === 'even' ? (Number(ssn[9]) % 2 === 0 ? 'female' : 'male') : sex;
		expect(checkAmkaNumber(ssn)).toEqual({ ssn, valid: true, birthDayAndMonth, sex: expected });
	});

	it.each([
		['01013099999', 'checkDigit'],
		['21068302673', 'checkDigit'],
		['31029900011', 'date'],
		['12345678903', 'date'],
		['00000000000', 'date'],
		['29020100000', 'date'],
		['1013099997', 'leadingZero'],
		['1013099998', 'length'],
		['', 'length'],
		['123', 'length'],
		['010130999970', 'length'],
		['0101309999X', 'characters'],
		['-1013099997', 'characters'],
	])('%s is refused for %s', (ssn, reason) => {
		expect(checkAmkaNumber(ssn)).toEqual({ ssn, valid: false, reason });
	});

	it.each([
		[' 01013099997 '],
		['010130 99997'],
		['\u200b01013099997\u200e'],
		['０１０１３０９９９９７'],
		['01013099997\u00a0'],
	])('reads %j as a form or a sheet brings it', (typed) => {
		expect(checkAmkaNumber(typed)).toMatchObject({ ssn: '01013099997', valid: true });
	});

	it('takes a 29 February of 2000, and none of 1901 or 2001', () => {
		expect(checkAmkaNumber('29020000013').valid).toBe(true);
		expect(checkAmkaNumber('29020100012')).toMatchObject({ reason: 'date' });
	});

	it('answers a megabyte at once', () => {
		expect(checkAmkaNumber('9'.repeat(1_000_000))).toMatchObject({ valid: false, reason: 'length' });
	});
});

describe('readBirthDate', () => {
	const read = (value: unknown) => readBirthDate(value, 'Europe/Athens');

	it.each([
		['1985-01-31', '1985-01-31'],
		['1985-01-31T00:00:00.000Z', '1985-01-31'],
		['1985-01-31T00:00:00.000+02:00', '1985-01-31'],
		['1985-01-31T23:59:59-11:00', '1985-01-31'],
		['1985-01-31 00:00:00', '1985-01-31'],
		['1985-01-31T00:00', '1985-01-31'],
		['31/1/1985', '1985-01-31'],
		['31/01/1985', '1985-01-31'],
		['31-01-1985', '1985-01-31'],
		['31.1.1985', '1985-01-31'],
		['05/06/1985', '1985-06-05'],
		[' 31/01/1985 ', '1985-01-31'],
		['３１/０１/１９８５', '1985-01-31'],
		['29/02/2000', '2000-02-29'],
	])('reads %j', (value, expected) => {
		expect(read(value)).toBe(expected);
	});

	it.each([
		['01/31/1985'],
		['31/01/85'],
		['31/01-1985'],
		['1985/01/31'],
		['29/02/1900'],
		['31/04/1985'],
		['00/01/1985'],
		['0050-01-01'],
		['1985-1-31'],
		['1985-01-31x'],
		['31075'],
		[31075],
		[''],
		[null],
		[undefined],
		[[]],
		[{}],
		[true],
		[new Date(Number.NaN)],
		['1'.repeat(1_000_000)],
	])('refuses %p', (value) => {
		expect(read(value)).toBeUndefined();
	});

	it('takes the day a date object shows: of its UTC midnight, or else of the workflow time zone', () => {
		expect(read(new Date('1985-01-31T00:00:00Z'))).toBe('1985-01-31');
		// Midnight in Athens, as a spreadsheet on a Greek computer makes it.
		expect(read(new Date('1985-01-30T22:00:00Z'))).toBe('1985-01-31');
		expect(readBirthDate(new Date('1985-01-31T05:00:00Z'), 'America/New_York')).toBe('1985-01-31');
	});

	it("takes midnight on the server for the server's day, where the workflow has another time zone", () => {
		// The process decides what its time zone is when it starts.
		const inAthens = (date: string) =>
			execFileSync(process.execPath, ['-p', `require('./dist/nodes/Amka/birthDate').readBirthDate(${date}, 'America/New_York')`], {
				env: { TZ: 'Europe/Athens' },
				encoding: 'utf8',
			}).trim();
		expect(inAthens('new Date(1985, 0, 31)')).toBe('1985-01-31');
		expect(inAthens("new Date('1985-01-31T05:00:00Z')")).toBe('1985-01-31');
		expect(inAthens("new Date('1985-01-31')")).toBe('1985-01-31');
		expect(inAthens("new Date('1985-01-31T20:00:00Z')")).toBe('1985-01-31');
	});
});

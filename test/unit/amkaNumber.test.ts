import { checkAmkaNumber, isSameAmka } from '../../nodes/Amka/amkaNumber';

describe('checkAmkaNumber', () => {
	it.each([
		['01013099997', '01/01', 'male'],
		['31018501234', '31/01', 'male'],
		['21068302674', '21/06', 'male'],
		['02058401528', '02/05', 'female'],
		['09095986684', '09/09', 'female'],
		['15039904568', '15/03', 'female'],
		['07090512307', '07/09', 'female'],
		['29020000013', '29/02', 'male'],
	])('%s is well formed', (ssn, birthDayAndMonth, sex) => {
		expect(checkAmkaNumber(ssn)).toEqual({ ssn, valid: true, birthDayAndMonth, sex });
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
		['٠١٠١٣٠٩٩٩٩٧', 'characters'],
		['⁰¹⁰¹³⁰⁹⁹⁹⁹⁷', 'characters'],
		['①①①①①①①①①①①', 'characters'],
		['𝟎𝟏𝟎𝟏𝟑𝟎𝟗𝟗𝟗𝟗𝟕', 'characters'],
		['010130.99997', 'length'],
		['01013099.997', 'length'],
		["'1013099997'", 'characters'],
	])('%s is refused for %s', (ssn, reason) => {
		expect(checkAmkaNumber(ssn)).toMatchObject({ valid: false, reason });
	});

	it.each([
		' 01013099997 ',
		'010130 99997',
		'\u200b01013099997\u200e',
		'０１０１３０９９９９７',
		'01013099997\u00a0',
		'010130-99997',
		'010130\u201399997',
		'010130\u2212 99997',
		'010130 - 99997',
		'０１０１３０－９９９９７',
		"'01013099997",
		'’01013099997',
		'＇01013099997',
		'01013099997.0',
		'01013099997,00',
		"' 010130-99997.0 ",
	])('reads %j as a form or a sheet brings it', (typed) => {
		expect(checkAmkaNumber(typed)).toMatchObject({ ssn: '01013099997', valid: true });
	});

	it.each(['1013099997.0', "'1013099997", '101309 9997', '10130-99997'])(
		'knows %j for a number that lost its zero',
		(typed) => {
			expect(checkAmkaNumber(typed)).toEqual({ ssn: '1013099997', valid: false, reason: 'leadingZero' });
		},
	);

	it('takes a 29 February of 2000, and none of 1901 or 2001', () => {
		expect(checkAmkaNumber('29020000013').valid).toBe(true);
		expect(checkAmkaNumber('29020100012')).toMatchObject({ reason: 'date' });
	});

	it('answers a megabyte at once', () => {
		expect(checkAmkaNumber('9'.repeat(1_000_000))).toMatchObject({ valid: false, reason: 'length' });
	});
});

describe('isSameAmka', () => {
	it.each([['1013099997'], ['01013099997 '], ['010130-99997'], ['001013099997']])('%j is 01013099997', (other) => {
		expect(isSameAmka('01013099997', other)).toBe(true);
	});
	it.each([['1013099998'], ['10130999970'], [''], ['x01013099997'], ['0']])('%j is another', (other) => {
		expect(isSameAmka('01013099997', other)).toBe(false);
	});
});

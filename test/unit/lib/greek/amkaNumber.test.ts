import { checkAmkaNumber, isSameAmka } from '../../../../lib/greek/amkaNumber';

/** A text of the greatest length that is searched for a number. */
const LONG = '01013099997'.padStart(100);

describe('checkAmkaNumber', () => {
	it.each([
		['01013099997', '01/01', 'male'],
		['02058401528', '02/05', 'female'],
		['29020000013', '29/02', 'male'],
	])('accepts the number %s', (ssn, birthDayAndMonth, sex) => {
		expect(checkAmkaNumber(ssn)).toEqual({ ssn, valid: true, birthDayAndMonth, sex });
	});

	it.each(
		Object.entries({
			checkDigit: ['01013099999', '21068302673'],
			date: ['31029900011', '12345678903', '00000000000', '29020100000', '29020100012'],
			leadingZero: ['1013099997', '1013099997.0', "'1013099997", '101309 9997', '10130-99997'],
			personalNumber: ['Α1Β123456789', 'x12 123 456 789', '010130999970', 'ΑΒ𐀀123456789'],
			length: [
				...['1013099998', '', '123', '150399', '0101309999700', '010130.99997', '01013099.997'],
				...["010130'99997", 'X1013099997.0', '0101309999.07', ` ${LONG}`],
			],
			characters: [
				...['0101309999X', '1503990456Α', '-1013099997', "'1013099997'", '٠١٠١٣٠٩٩٩٩٧', '⁰¹⁰¹³⁰⁹⁹⁹⁹⁷'],
				...['𝟎𝟏𝟎𝟏𝟑𝟎𝟗𝟗𝟗𝟗𝟕'],
			],
		}),
	)('returns the reason %s for each of these: %j', (reason, numbers) => {
		for (const ssn of numbers) expect([ssn, checkAmkaNumber(ssn)]).toMatchObject([ssn, { valid: false, reason }]);
	});

	it.each([
		...[' 01013099997 ', '010130 99997', '\u200b01013099997\u200e', '０１０１３０９９９９７', '01013099997\u00a0'],
		...['010130-99997', '010130\u201399997', '010130\u2212 99997', '010130 -- 99997', '０１０１３０－９９９９７', LONG],
		...["'01013099997", '’01013099997', '＇01013099997', '01013099997.0', '01013099997,00', "' 010130-99997.0 "],
	])('accepts the spelling %j, as people type it in a form or a sheet', (typed) => {
		expect(checkAmkaNumber(typed)).toMatchObject({ ssn: '01013099997', valid: true });
	});

	it('returns a number whose leading zero is missing, without the characters around it', () => {
		expect(checkAmkaNumber("'10130-99997.0")).toEqual({ ssn: '1013099997', valid: false, reason: 'leadingZero' });
	});
});

describe('isSameAmka', () => {
	it.each(['1013099997', '01013099997 ', '010130-99997', '001013099997', LONG])(
		'returns true for %j and 01013099997',
		(other) => {
			expect(isSameAmka('01013099997', other)).toBe(true);
		},
	);
	const zeros = '1013099997'.padStart(101, '0');
	it.each(['1013099998', '10130999970', '', 'x01013099997', '0', ` ${LONG}`, zeros])(
		'returns false for %j and 01013099997',
		(other) => {
			expect(isSameAmka('01013099997', other)).toBe(false);
		},
	);
});

import {
	foreignNumber,
	greekLandline,
	greekMobile,
	greekNumbersIn,
	isScientificNotation,
	phoneKey,
} from '../../../../lib/greek/mobile';

describe('greekMobile', () => {
	it.each([
		...['6912345678', '306912345678', '+30 691 234 5678', '00306912345678', '(691) 234-5678', '691.234.5678'],
		...['６９１２３４５６７８', '\u200e6912345678\u200f', "'6912345678", '’+30 691 234 5678', '6912345678.0'],
		'306912345678,00',
	])('reads %j as 6912345678', (written) => {
		expect(greekMobile(written)).toBe('6912345678');
	});

	it.each(['6812345678', '9412345678'])('accepts the mobile number %s', (number) => {
		expect(greekMobile(number)).toBe(number);
	});

	it.each([
		...['06912345678', '2101234567', '+447911123456', 'dokimi01', '691234567', '69123456789', '691234567.0'],
		...['6912345678.5', "''6912345678", ''],
	])('returns no number for %j', (written) => {
		expect(greekMobile(written)).toBeUndefined();
	});
});

describe('greekLandline', () => {
	it.each(['2101234567', '+30 210 123 4567', '0030 210-1234567', '302101234567', "'2101234567"])(
		'accepts the landline number %j',
		(written) => {
			expect(greekLandline(written)).toBe('2101234567');
		},
	);

	it.each(['6912345678', '210123456', '21012345678', '+44 2101234567', ''])('returns no number for %j', (written) => {
		expect(greekLandline(written)).toBeUndefined();
	});
});

describe('foreignNumber', () => {
	it.each(['+491511234567', '00491511234567', '+49 (0)151 1234567', '(+49) 151-123.4567'])(
		'accepts the foreign number %j',
		(written) => {
			expect(foreignNumber(written)).toBe('491511234567');
		},
	);

	it.each([
		...['491511234567', '+30 691 234 5678', '+6972345678', '+49151/1234567', '+123456', '+0491511234567'],
		'+1234567890123456',
	])('returns no number for %j', (written) => {
		expect(foreignNumber(written)).toBeUndefined();
	});
});

it('a cell with several Greek phone numbers is split into its numbers', () => {
	expect(greekNumbersIn('6912345678 / 210 1234567')).toEqual(['6912345678', '2101234567']);
	expect(greekNumbersIn('later')).toEqual([]);
});

describe('phoneKey', () => {
	it.each([
		['6912345678', ['+30 691 234 5678', '306912345678', '6912345678.0']],
		['2101234567', ['+302101234567', '00302101234567', '210 1234567', '2101234567.0']],
		['491511234567', ['+49 (0)151 1234567', '0049 151 1234567', '491511234567']],
		['dokimi01', ['Dokimi01', ' dokimi01 ']],
	])('returns %s for each of the spellings %j', (key, spellings) => {
		for (const spelling of spellings) expect([spelling, phoneKey(spelling)]).toEqual([spelling, key]);
	});
});

describe('isScientificNotation', () => {
	it.each([
		...['6.9E9', '6,91234E+09', '6.912345678e9', '7E9', '６．９Ｅ９', '6.9 E 9', '6.9 E+ 09', '6,9Ε9', '6.9ε+09'],
		...['.69E10', '6.E9'],
	])('returns true for %s', (text) => {
		expect(isScientificNotation(text)).toBe(true);
	});
	it.each(['6912345678', 'e9', 'user1e9x', 'E9', '.E9', '6.9.1E9'])('returns false for %s', (text) => {
		expect(isScientificNotation(text)).toBe(false);
	});
});

import { greekMobile, isScientificNotation } from '../../../../lib/greek/mobile';

describe('greekMobile', () => {
	it.each([
		...['6912345678', '306912345678', '+30 691 234 5678', '00306912345678', '(691) 234-5678', '691.234.5678'],
		...['６９１２３４５６７８', '\u200e6912345678\u200f', "'6912345678", '’+30 691 234 5678', '6912345678.0'],
		'306912345678,00',
	])('%j is 6912345678', (written) => {
		expect(greekMobile(written)).toBe('6912345678');
	});

	it.each(['6812345678', '9412345678'])('%s is a mobile number too', (number) => {
		expect(greekMobile(number)).toBe(number);
	});

	it.each([
		...['06912345678', '2101234567', '+447911123456', 'dokimi01', '691234567', '69123456789', '691234567.0'],
		...['6912345678.5', "''6912345678", ''],
	])('%j is none', (written) => {
		expect(greekMobile(written)).toBeUndefined();
	});
});

describe('isScientificNotation', () => {
	it.each([
		...['6.9E9', '6,91234E+09', '6.912345678e9', '7E9', '６．９Ｅ９', '6.9 E 9', '6.9 E+ 09', '6,9Ε9', '6.9ε+09'],
		...['.69E10', '6.E9'],
	])('%s', (text) => {
		expect(isScientificNotation(text)).toBe(true);
	});
	it.each(['6912345678', 'e9', 'user1e9x', 'E9', '.E9', '6.9.1E9'])('not %s', (text) => {
		expect(isScientificNotation(text)).toBe(false);
	});
});

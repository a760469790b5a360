import { hideNumber, hidePeoplesNumbers, maskNumbers } from '../../nodes/shared/mask';

describe('maskNumbers', () => {
	it.each([
		['AMKA 01013099997 is wrong', 'AMKA •••97 is wrong'],
		['AMKA 010130 - 99997', 'AMKA •••97'],
		['to +30 691 234 5678!', 'to +•••78!'],
		['691-234-5678', '•••78'],
		['691 - 234 - 5678', '•••78'],
		['691_234_5678', '•••78'],
		['691\u200b234\u200b5678', '•••78'],
		['691&nbsp;234&nbsp;5678', '•••78'],
		['691\u2212234\u22125678', '•••78'],
		['691%20234%205678, 691+234+5678', '•••78, •••78'],
		['６９１２３４５６７８', '•••７８'],
		['HTTP 500 after 30 s', 'HTTP 500 after 30 s'],
		['2021, 2022, 2023', '2021, 2022, 2023'],
		['E-002', 'E-002'],
	])('%j', (text, expected) => {
		expect(maskNumbers(text)).toBe(expected);
	});

	it('comes back from a megabyte of digits and separators', () => {
		expect(maskNumbers('1'.repeat(1_000_000))).toBe('•••11');
		expect(maskNumbers('1 - - '.repeat(150_000))).toBe('1 - - '.repeat(150_000));
	});
});

describe('hidePeoplesNumbers', () => {
	it.each([
		['6912345678 has opted out', '•••78 has opted out'],
		['+30 691 234 5678', '•••78'],
		['00306912345678', '•••78'],
		['6912345678 10:15 blocked', '•••78 10:15 blocked'],
		['opted out: 6912345678 2026-11-23', 'opted out: •••78 2026-11-23'],
		['2026-11-23 6912345678 opted out', '2026-11-23 •••78 opted out'],
		['2026-11-23 10:15:02 6912345678', '2026-11-23 10:15:02 •••78'],
		['6912345678/6987654321', '•••78/•••21'],
		['6912345678 6987654321 have opted out', '•••78 •••21 have opted out'],
		['6912345678,6987654321', '•••78,•••21'],
		['id 12 6912345678', 'id 12 •••78'],
		['recipient 6912345678 (404)', 'recipient •••78 (404)'],
		['Error 27 6912345678', 'Error 27 •••78'],
		['694 - 555 - 1234', '•••34'],
		['694,555,1234', '•••34'],
		['694_555_1234', '•••34'],
		['69455\u200b51234', '•••34'],
		['694%20555%201234', '•••34'],
		['27%206945551234', '27%20•••34'],
		['{%22recipient%22%3A%226987654321%22}', '{%22recipient%22%3A%22•••21%22}'],
		['to=Maria%206987654321', 'to=Maria%20•••21'],
		["LIKE '%6912345678%'", "LIKE '%•••78%'"],
		["LIKE '%01018012345%' or '%21068302674%'", "LIKE '%•••45%' or '%•••74%'"],
		['%286987654321%29', '%28•••21%29'],
		['ssn=%2201019912345%22', 'ssn=%22•••45%22'],
		['27 694 555 1234 28', '27 •••34 28'],
		['AMKA 01018012345 1', 'AMKA •••45 1'],
		['1 010180 12345', '1 •••45'],
		['010180 - 12345', '•••45'],
		['27 +44 7700 900123', '27 •••23'],
		['0044 7700 900123 blocked', '•••23 blocked'],
		['%2B447700900123', '•••23'],
		['６９１２３４５６７８', '•••78'],
		['service 20261001', 'service 20261001'],
		['code 1000000007 of 2026', 'code 1000000007 of 2026'],
		['2026-11-23 10:15:02.123', '2026-11-23 10:15:02.123'],
		['E-002', 'E-002'],
	])('%j', (text, expected) => {
		expect(hidePeoplesNumbers(text)).toBe(expected);
	});

	it('comes back from a long text of digits and separators', () => {
		for (const part of ['1', '1 ', '1 - ', '1,', '+1', '%2B1', '00 ', '1 , , '])
			expect(hidePeoplesNumbers(part.repeat(20_000)).length).toBeGreaterThan(0);
	});
});

describe('hideNumber', () => {
	it.each([
		['to 6912345678!', 'to •••78!'],
		['to +30 691 234 5678!', 'to +30 •••78!'],
		['691\u2212234\u22125678', '•••78'],
		['691-234-5678, 691%20234%205678', '•••78, •••78'],
		['691,234,5678', '•••78'],
		['code 1000000007, service 2026100', 'code 1000000007, service 2026100'],
		['', ''],
	])("takes the row's own number out of %j, and no other", (text, expected) => {
		expect(hideNumber(text, '6912345678')).toBe(expected);
	});

	it('knows the number however the row wrote it', () => {
		expect(hideNumber('6912345678', '691 234-5678')).toBe('•••78');
		expect(hideNumber('unknown recipient 491701234567', '00491701234567')).toBe('unknown recipient •••67');
		expect(hideNumber('unknown recipient 00491701234567', '+491701234567')).toBe('unknown recipient 00•••67');
	});

	it('comes back from a text that almost has the number, over and over', () => {
		const almost = `${[...'49123456789012'].join('    ')} x `;
		expect(hideNumber(almost.repeat(200), '+491234567890123')).toBe(almost.repeat(200));
		expect(hidePeoplesNumbers(almost.repeat(200)).length).toBeGreaterThan(0);
	});

	it.each(['', 'dokimi01', '123456'])('%j is no number', (name) => {
		expect(hideNumber('dokimi01 123456', name)).toBe('dokimi01 123456');
	});
});

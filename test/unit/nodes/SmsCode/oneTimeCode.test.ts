import { newCode, readTypedCode } from '../../../../nodes/SmsCode/oneTimeCode';

describe('a new code', () => {
	it.each([4, 6, 10])('has %i random digits, and may have leading zeros', (length) => {
		const codes = Array.from({ length: 500 }, () => newCode(length));
		expect(codes.filter((code) => !new RegExp(`^\\d{${length}}$`).test(code))).toEqual([]);
		expect(codes.some((code) => code.startsWith('0'))).toBe(true);
		expect(new Set(codes).size).toBeGreaterThan(400);
	});

	it('has each digit with the same probability', () => {
		const counts = new Array<number>(10).fill(0);
		for (let index = 0; index < 2000; index++) for (const digit of newCode(10)) counts[Number(digit)]! += 1;
		// Each digit is expected 2,000 times. Chi-square with 9 degrees of freedom is over 45 once in a million.
		expect(counts.reduce((sum, count) => sum + (count - 2000) ** 2 / 2000, 0)).toBeLessThan(45);
	});
});

describe('a typed code', () => {
	const RIGHT = [
		...[
			'012345',
			12345,
			'012 345',
			'012-345',
			'012–345',
			'012\u2212345',
			'12345.0',
			'012.345',
			'012,345',
			'0,1,2,3,4,5',
			' 0 1 2 3 4 5\t\n',
		],
		...['０１２３４５', '\u200e012\u200b345\ufeff', '012\u00a0345', "'012345"],
		...[
			'012345.',
			'«012345»',
			'"012345"',
			'(012345)',
			'012345!',
			'#012345',
			'012345👍',
			'> 012-345',
			'*012345*',
			'“012345”;',
		],
		...[
			'０\ufe0f1️⃣2️⃣3️⃣4️⃣5️⃣',
			'Ο κωδικός σας είναι 012345',
			'Κωδικός:012345. Ισχύει 10 λεπτά.',
			'G-012345',
			'012345 Ιωάννης',
		],
		...['Ο κωδικός σας είναι 012345\n\n@eggrafi.example.gr #012345', 'Κωδικός 012345, έως 01/02/2026 στις 10:30'],
		...['UNI: Ο κωδικός σας για την εγγραφή στο Τμήμα Φυσικής είναι 012345. Μην τον δώσετε σε κανέναν. '.repeat(2)],
	];
	const NONE = [
		...['12345', '0123456', '', '      ', 'O12345', 'abcdef', '+12345', '1e5', '-----', 1234567, -12345, 1.5],
		...[
			'κωδικός 12345',
			'it012345',
			'012345ος',
			'012345 ή 543210',
			'τηλ. 2100123456',
			'1.012345',
			'012345,50 ευρώ',
			'«»',
		],
		...[Number.NaN, Number.POSITIVE_INFINITY, null, undefined, true, ['012345'], {}],
	];
	it.each<[unknown, string | undefined]>([
		...RIGHT.map((typed): [unknown, string] => [typed, '012345']),
		...NONE.map((typed): [unknown, undefined] => [typed, undefined]),
		[0, '000000'],
		[123456, '123456'],
		['123456,0', '123456'],
		['012.000', '012000'],
	])('such as %j is read as %j (undefined: as no code)', (typed, expected) => {
		expect(readTypedCode(typed, 6)).toBe(expected);
	});

	it('of ten million characters is rejected within two seconds', () => {
		const start = performance.now();
		expect(readTypedCode('1'.repeat(10_000_000), 6)).toBeUndefined();
		expect(readTypedCode(' '.repeat(10_000_000), 6)).toBeUndefined();
		expect(performance.now() - start).toBeLessThan(2000);
	});
});

import fc from 'fast-check';

import { codeOf, endOf, periodAt, readTypedCode, sameCode, type Period } from '../../../../nodes/Sms/code/oneTimeCode';
import { deriveKeys } from '../../../../nodes/Sms/keys';
import { openVerification, sealVerification, type Verification } from '../../../../nodes/Sms/code/verificationId';
import { holds } from '../../../hostile/property';

/*
 * The expected values were computed outside this code: HKDF with `openssl kdf`, HMAC with Python's hmac, AES-256-GCM
 * with Python's cryptography.
 */
const KEY = 'psk"7&Ω-91';
const keys = {
	code: Buffer.from('65c7b9016206193da03ac812437f7af00d367e73e4882c3ff08f9265432b63bd', 'hex'),
	seal: Buffer.from('9fdeb0c5019fba23460f2993bb9c317022f3b2226d9139c57e5dc1a0bb7874be', 'hex'),
};

const MOBILE = '6912345678';
const period = (changes: Partial<Period> = {}): Period => ({
	mobile: MOBILE,
	purpose: '',
	validMinutes: 10,
	index: 2991700,
	...changes,
});
const verification = (changes: Partial<Verification> = {}): Verification => ({
	...period(),
	codeLength: 6,
	maxAttempts: 5,
	issue: 0,
	earlierIssue: undefined,
	list: 0,
	...changes,
});

describe('the keys', () => {
	it("are what Python's scrypt and HKDF derive, each for its use", async () => {
		const derived = await deriveKeys(KEY);
		expect(derived.code.toString('hex')).toBe('7230ae5277d7362c5aaaddabfeb732a3ff35a11e0110181540bad83e3cbf7465');
		expect(derived.seal.toString('hex')).toBe('bf73a0320d4ef19d2b89943267a927e9a4d76ac06007f159d827d6337eda1592');
		expect(derived.memory.toString('hex')).toBe('fa1644364ba5e292510d3a1774a31b5419408993b25f3170e53a890c02ce1b31');
		expect(derived.reference.toString('hex')).toBe('0d3082ecf7de39937cffe523e1a0608909e445ffea26968bca8b0afeeb781b0c');
	});

	it('are derived once', async () => {
		expect(await deriveKeys(KEY)).toBe(await deriveKeys(KEY));
	});
});

describe('a code', () => {
	it.each<[Partial<Period>, number, number, string]>([
		[{}, 0, 6, '493812'],
		[{}, 1, 6, '005873'],
		[{ index: 2991701 }, 0, 6, '335102'],
		[{ index: 2991745 }, 0, 6, '000710'],
		[{ purpose: 'εγγραφή' }, 0, 6, '928247'],
		[{ mobile: '6812345678' }, 0, 6, '670550'],
		[{ mobile: '9412345678', purpose: 'x', validMinutes: 1, index: 29917000 }, 0, 4, '0648'],
		[{ validMinutes: 60, index: 498616 }, 7, 10, '2517031303'],
		[{}, 0, 8, '23635201'],
	])('of %j, issue %i, %i digits', (changes, issue, length, expected) => {
		expect(codeOf(period(changes), issue, length, keys)).toBe(expected);
	});

	it('comes as often as any other', () => {
		const counts = new Array<number>(10).fill(0);
		for (let index = 0; index < 2000; index++) {
			for (const digit of codeOf(period({ index }), 0, 10, keys)) counts[Number(digit)]! += 1;
		}
		// Ten cells of 2,000 expected; chi-square with 9 degrees of freedom is over 27.9 once in a thousand.
		const chiSquare = counts.reduce((sum, count) => sum + (count - 2000) ** 2 / 2000, 0);
		expect(chiSquare).toBeLessThan(27.9);
	});
});

describe('time', () => {
	holds(
		'it is cut into periods, and a code is valid at least one and at most two',
		2,
		fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 4_000_000_000 })),
		([validMinutes, now]) => {
			const left = endOf({ index: periodAt(now, validMinutes), validMinutes }) - now;
			expect(left).toBeGreaterThan(validMinutes * 60);
			expect(left).toBeLessThanOrEqual(2 * validMinutes * 60);
		},
	);
});

describe('a verification id', () => {
	/** What Python sealed with the nonce 1, 2, … 12. */
	const sealed = 'AQECAwQFBgcICQoLDD1yUJyCHGFlPxBoCXYf30d7v-RJ43JrqbnbD4zU1hkb';

	it('opens where something else sealed it', () => {
		expect(openVerification(sealed, '', keys)).toEqual(verification());
		expect(openVerification('AQECAwQFBgcICQoLDD7YbOQz47M8lCZkBnXi3UblbH9NBy6Jugvk2Au_MGtQ', 'εγγραφή', keys)).toEqual({
			mobile: '9499999999',
			purpose: 'εγγραφή',
			index: 4294967295,
			validMinutes: 60,
			codeLength: 10,
			maxAttempts: 10,
			issue: 3,
			earlierIssue: 2,
			list: 513,
		});
	});

	const anyVerification = fc.record<Verification>({
		mobile: fc.integer({ min: 0, max: 99_999_999 }).map((number) => `69${String(number).padStart(8, '0')}`),
		purpose: fc.string({ maxLength: 20 }),
		index: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
		validMinutes: fc.integer({ min: 1, max: 60 }),
		codeLength: fc.integer({ min: 4, max: 10 }),
		maxAttempts: fc.integer({ min: 1, max: 10 }),
		issue: fc.integer({ min: 0, max: 254 }),
		earlierIssue: fc.option(fc.integer({ min: 0, max: 254 }), { nil: undefined }),
		list: fc.integer({ min: 0, max: 65_535 }),
	});

	holds(
		'it gives back what was sealed, for its purpose and with its key alone',
		2,
		fc.tuple(anyVerification, fc.string({ maxLength: 20 })),
		([content, other]) => {
			const id = sealVerification(content, keys);
			expect(id).toMatch(/^[\w-]{60}$/);
			expect(openVerification(` ${id}\n`, content.purpose, keys)).toEqual(content);
			expect(openVerification(id, content.purpose, { seal: Buffer.from(keys.seal).reverse() })).toBeUndefined();
			if (other !== content.purpose) expect(openVerification(id, other, keys)).toBeUndefined();
		},
	);

	it('is never twice the same, and shows nothing of the number', () => {
		const ids = Array.from({ length: 100 }, () => sealVerification(verification(), keys));
		expect(new Set(ids).size).toBe(100);
		const number = Buffer.from('019c02064e', 'hex');
		expect(Number(MOBILE)).toBe(number.readUIntBE(0, 5));
		expect(ids.filter((id) => Buffer.from(id, 'base64url').includes(number) || id.includes(MOBILE))).toEqual([]);
	});

	it('with any one character changed, dropped or doubled is none', () => {
		const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. ;\0Α';
		for (let at = 0; at < sealed.length; at++) {
			const [before, after] = [sealed.slice(0, at), sealed.slice(at + 1)];
			for (const character of alphabet) {
				if (character === sealed[at]) continue;
				expect(openVerification(`${before}${character}${after}`, '', keys)).toBeUndefined();
			}
			// Whitespace at the end is dropped, and so the last character's neighbour may be.
			expect(openVerification(before + after, '', keys)).toBeUndefined();
			expect(openVerification(before + sealed[at]! + sealed[at]! + after, '', keys)).toBeUndefined();
		}
	});

	it.each<[string, unknown]>([
		...[undefined, null, '', 42, [sealed], { a: 1 }].map((id): [string, unknown] => [JSON.stringify(id) ?? '', id]),
		['words', 'δεν έχω'],
		['padding', `${sealed}==`],
		['two of them', sealed + sealed],
		['another version', `Ag${sealed.slice(2)}`],
		['zeros', 'A'.repeat(60)],
		['a very long text', 'A'.repeat(1_000_000)],
	])('is not %s', (_, id) => {
		expect(openVerification(id, '', keys)).toBeUndefined();
	});
});

describe('what was typed', () => {
	const RIGHT = [
		...['012345', 12345, '012 345', '012-345', '012–345', '012\u2212345', '12345.0', '012.345', ' 0 1 2 3 4 5\t\n'],
		...['０１２３４５', '\u200e012\u200b345\ufeff', '012\u00a0345', "'012345"],
	];
	const NONE = [
		...['12345', '0123456', '', '      ', 'O12345', 'abcdef', '+12345', '1e5', '-----', 1234567, -12345, 1.5],
		...[Number.NaN, Number.POSITIVE_INFINITY, null, undefined, true, ['012345'], {}],
	];
	it.each<[unknown, string | undefined]>([
		...RIGHT.map((typed): [unknown, string] => [typed, '012345']),
		...NONE.map((typed): [unknown, undefined] => [typed, undefined]),
		[0, '000000'],
		[123456, '123456'],
		['123456,0', '123456'],
		['012.000', '012000'],
	])('%j is %j', (typed, expected) => {
		expect(readTypedCode(typed, 6)).toBe(expected);
	});

	it('of any length is looked through in no time', () => {
		expect(readTypedCode('1'.repeat(10_000_000), 6)).toBeUndefined();
		expect(readTypedCode(' '.repeat(10_000_000), 6)).toBeUndefined();
	});

	it('is the code, or is not', () => {
		expect(sameCode('012345', '012345')).toBe(true);
		expect(sameCode('012345', '012346')).toBe(false);
		expect(sameCode('12345', '012345')).toBe(false);
	});
});

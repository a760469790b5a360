import fc from 'fast-check';

import {
	openVerification,
	sealVerification,
	type Scope,
	type Verification,
} from '../../../../nodes/SmsCode/verificationId';
import { holds } from '../../../hostile/property';

const MOBILE = '6912345678';
const scope = (changes: Partial<Scope> = {}): Scope => ({
	platform: { sendUrl: 'https://sms.example.gr/sendSMS', institution: 'example-university' },
	purpose: '',
	keys: { seal: Buffer.from('9fdeb0c5019fba23460f2993bb9c317022f3b2226d9139c57e5dc1a0bb7874be', 'hex') },
	...changes,
});
const verification: Verification = {
	...{ mobile: MOBILE, code: '012345', serial: 'c2VyaWFsLTAx', maxAttempts: 5, end: 1_795_020_630_000 },
};

/** A verification ID that Python's cryptography has sealed with the nonce 1, 2, … 12. */
const sealed =
	'AQIDBAUGBwgJCgsMZ8xko_0uf_deLFk0VMz9dzKXeLeS3lwpNR8GgePi-dcaoO8t_RkgUv4S64HQ7Fo7yiOWD2FQeN5Q4ZHthPAvaaZRpfPEPw';

it('openVerification reads an ID that other software has sealed in the documented format', () => {
	expect(openVerification(sealed, scope())).toEqual(verification);
	expect(openVerification(sealed.padEnd(200), scope())).toEqual(verification);
	expect(
		openVerification(
			'AQIDBAUGBwgJCgsMZ8xrrvUldfpSI1c1VMz9dzKXeLeSykczbw982uGH6d03o-gmk2FUB-0J44TM7100zCOUC2M9raZ6SOG8aj1Frb7WnqMy06W1lW1a',
			scope({ purpose: 'εγγραφή' }),
		),
	).toEqual({
		...{ mobile: '9499999999', code: '0123456789', serial: 'c2VyaWFsLTAy', maxAttempts: 10, end: 1_795_024_200_000 },
	});
});

const anyVerification = fc.record<Verification>({
	mobile: fc.integer({ min: 0, max: 99_999_999 }).map((number) => `69${String(number).padStart(8, '0')}`),
	code: fc.stringMatching(/^\d{4,10}$/),
	serial: fc.stringMatching(/^[\w-]{12}$/),
	maxAttempts: fc.integer({ min: 1, max: 10 }),
	end: fc.integer({ min: 0, max: 2 ** 45 }),
});

holds(
	'a sealed verification can be opened only with the same platform, institution, purpose and key',
	2,
	fc.tuple(anyVerification, fc.string({ maxLength: 20 }), fc.string({ maxLength: 20 })),
	([content, purpose, other]) => {
		const own = scope({ purpose });
		const id = sealVerification(content, own);
		expect(id).toMatch(/^[\w-]{80,150}$/);
		expect(openVerification(` ${id}\n`, own)).toEqual(content);
		const { platform, keys } = own;
		const others: Scope[] = [
			{ ...own, keys: { seal: Buffer.from(keys.seal).reverse() } },
			{ ...own, platform: { ...platform, sendUrl: 'https://other.example.gr/sendSMS' } },
			{ ...own, platform: { ...platform, institution: `${platform.institution}${other || 'x'}` } },
		];
		if (other !== purpose) others.push({ ...own, purpose: other });
		expect(others.map((each) => openVerification(id, each))).toEqual(others.map(() => undefined));
	},
);

it('sealVerification never returns the same ID twice, and an ID shows neither the number nor the code', () => {
	const ids = Array.from({ length: 100 }, () => sealVerification(verification, scope()));
	expect(new Set(ids).size).toBe(100);
	const shows = (text: string) => (id: string) => id.includes(text) || Buffer.from(id, 'base64url').includes(text);
	expect([...ids.filter(shows(MOBILE)), ...ids.filter(shows('012345'))]).toEqual([]);
});

it('openVerification rejects an ID of which one character was changed, removed or doubled', () => {
	const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. ;\0Α';
	for (let at = 0; at < sealed.length; at++) {
		const [before, after] = [sealed.slice(0, at), sealed.slice(at + 1)];
		for (const character of alphabet) {
			if (character === sealed[at]) continue;
			expect(openVerification(`${before}${character}${after}`, scope())).toBeUndefined();
		}
		expect(openVerification(before + after, scope())).toBeUndefined();
		expect(openVerification(before + sealed[at]! + sealed[at]! + after, scope())).toBeUndefined();
	}
});

it.each<[string, unknown]>([
	...[undefined, null, '', 42, [sealed], { a: 1 }].map((id): [string, unknown] => [JSON.stringify(id) ?? '', id]),
	['a text', 'δεν έχω'],
	['an ID with padding', `${sealed}==`],
	['two IDs in one text', sealed + sealed],
	['zeros', 'A'.repeat(sealed.length)],
	['only a nonce and a tag', 'A'.repeat(38)],
	['a very long text', 'A'.repeat(1_000_000)],
	['an ID with more than 200 characters, including spaces', sealed.padEnd(201)],
])('openVerification rejects %s', (_, id) => {
	expect(openVerification(id, scope())).toBeUndefined();
});

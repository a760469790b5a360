import fc from 'fast-check';

import { codeStateOf, openCodeState, type Order } from '../../../../nodes/SmsCode/codeState';
import type { Verification } from '../../../../nodes/SmsCode/verificationId';
import type { Platform } from '../../../../lib/smsPlatform/credential';
import type { Problem } from '../../../../lib/texts/problem';
import { holds } from '../../../hostile/property';

const MOBILE = '6900000001';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const order = (changes: Partial<Order> = {}): Order => ({
	...{ mobile: MOBILE, purpose: '', codeLength: 6, validMinutes: 10, maxAttempts: 5 },
	...changes,
});
const another = (code: string) => String((Number(code) + 1) % 10 ** code.length).padStart(code.length, '0');

type CodeState = ReturnType<typeof openCodeState>;
/** Requests a code. @returns the code, or the rejection */
const ask = (codeState: CodeState, minute: number, changes: Partial<Order> = {}, maxPerHour = 0, workflow = 'one') =>
	codeState.claim(order(changes), workflow, maxPerHour, minute * MINUTE);
const sent = (...asked: Parameters<typeof ask>): Verification => {
	const taken = ask(...asked);
	if ('refused' in taken) throw taken.refused;
	return taken.verification;
};
const refused = (...asked: Parameters<typeof ask>): { problem: Problem; current: Verification | undefined } => {
	const taken = ask(...asked);
	if (!('refused' in taken)) throw new Error('It was sent');
	return { problem: taken.refused, current: taken.current };
};
const typeIn = (codeState: CodeState, id: Verification, typed: unknown, minute: number, purpose = '') =>
	codeState.try(id, purpose, typed, minute * MINUTE);

describe('codes for a number', () => {
	it.each<[string, number[], number, string, string]>([
		['five in ten minutes', [0, 1, 2, 3, 4], 9.9, 'μετά από ένα λεπτό', 'Five codes'],
		['five in ten minutes', [0, 8, 8, 9, 9], 9, 'μετά από ένα λεπτό', 'Five codes'],
		['five in ten minutes', [2, 8, 8, 9, 9], 9, 'μετά από 3 λεπτά', 'Five codes'],
		['twenty in a day', Array.from({ length: 20 }, (_, hour) => hour * 60), 20 * 60, 'μετά από 4 ώρες', 'Twenty codes'],
	])(
		'are limited to %s, for all purposes together: after codes in the minutes %j another code is refused in minute %d',
		(_, minutes, then, when_el, advice) => {
			const codeState = openCodeState();
			for (const minute of minutes) sent(codeState, minute, { purpose: String(minute) });
			const { problem } = refused(codeState, then, { purpose: 'another' });
			expect(problem).toMatchObject({ details: { outcome: 'rejected' }, why: { reason: 'tooManyCodes' } });
			expect([problem.why.about?.when_el, problem.description]).toEqual([when_el, expect.stringContaining(advice)]);
			sent(codeState, then, { mobile: '6900000002' });
		},
	);

	it('are allowed again one by one, each time that an earlier code becomes ten minutes old', () => {
		const codeState = openCodeState();
		for (const minute of [0, 1, 2, 3, 4]) sent(codeState, minute);
		refused(codeState, 10 - 1 / 60_000);
		sent(codeState, 10);
		refused(codeState, 10.5);
		sent(codeState, 11);
	});

	it('do not count towards the limit of the number or the workflow if they were certainly not sent', () => {
		const codeState = openCodeState();
		for (let times = 0; times < 20; times++) {
			const taken = ask(codeState, 1, {}, 3);
			if ('release' in taken) taken.release();
		}
		const codes = [2, 2, 2].map((minute) => sent(codeState, minute, {}, 3));
		expect(new Set(codes.map(({ serial }) => serial)).size).toBe(1);
		expect(refused(codeState, 2, {}, 3).current).toMatchObject({ serial: codes[0]!.serial });
	});

	it('are not returned with the refusal of a later request, unless they were sent or may have been sent', () => {
		const codeState = openCodeState();
		const lost = ask(codeState, 2, { purpose: 'lost' });
		if ('release' in lost) lost.release();
		for (let times = 0; times < 5; times++) sent(codeState, 2);
		expect(refused(codeState, 2, { purpose: 'lost' }).current).toBeUndefined();
	});

	it('stay valid if one message with the code was certainly not sent, but another message was sent', () => {
		const codeState = openCodeState();
		const [one, other] = [ask(codeState, 0), ask(codeState, 0)];
		if ('release' in one) one.release();
		expect(sent(codeState, 1)).toMatchObject({ serial: (other as { verification: Verification }).verification.serial });
	});
});

describe('the codes that a workflow sends in an hour', () => {
	const people = (from: number, count: number) => Array.from({ length: count }, (_, index) => String(from + index));

	it('are limited in a sliding window, and the error names the time of the next code', () => {
		const codeState = openCodeState();
		for (const mobile of people(6_900_000_000, 40)) sent(codeState, 5, { mobile }, 50);
		for (const mobile of people(6_910_000_000, 10)) sent(codeState, 25, { mobile }, 50);
		const { problem, current } = refused(codeState, 30, { mobile: '6920000000' }, 50);
		expect(problem.why).toEqual({
			reason: 'tooManyCodes',
			about: { when_el: 'μετά από 35 λεπτά', when_en: 'in 35 minutes' },
		});
		expect(problem.description).toMatch(
			/^Ask for a new code in 35 minutes\. This workflow sent 50 codes .*Max Codes per/,
		);
		expect(current).toBeUndefined();
		// A node without a limit and another workflow still send codes. After 35 minutes, this workflow sends codes again.
		sent(codeState, 30, { mobile: '6940000000' });
		sent(codeState, 30, {}, 50, 'two');
		for (const mobile of people(6_930_000_000, 60)) sent(codeState, 30, { mobile }, 0, 'three');
		sent(codeState, 65, { mobile: '6920000000' }, 50);
	});

	it('do not include the codes of a node without a limit', () => {
		const codeState = openCodeState();
		sent(codeState, 1, {}, 0);
		sent(codeState, 1, { mobile: '6900000002' }, 1);
		const lost = ask(codeState, 1, { mobile: '6900000003' }, 0);
		if ('release' in lost) lost.release();
		refused(codeState, 1, { mobile: '6900000004' }, 1);
	});
});

describe('the code for a mobile number', () => {
	it('stays the same if it is requested again, with a later expiry and the same count of attempts', () => {
		const codeState = openCodeState();
		const first = sent(codeState, 0);
		expect(typeIn(codeState, first, another(first.code), 1)).toMatchObject({ reason: 'wrong', attemptsLeft: 4 });
		const second = sent(codeState, 9.9);
		expect(second).toEqual({ ...first, end: 19.9 * MINUTE });
		expect(typeIn(codeState, second, another(first.code), 15)).toMatchObject({ attemptsLeft: 3 });
		expect(typeIn(codeState, second, second.code, 19)).toEqual({ reason: 'right' });
	});

	it('is a new code if the earlier code has expired, was used, or has another purpose or length', () => {
		const codeState = openCodeState();
		const first = sent(codeState, 0);
		const others = [
			sent(codeState, 1, { purpose: 'other' }),
			sent(codeState, 2, { codeLength: 8 }),
			sent(codeState, 12),
		];
		typeIn(codeState, others[2]!, others[2]!.code, 13);
		const all = [first, ...others, sent(codeState, 14)];
		expect(new Set(all.map(({ serial }) => serial)).size).toBe(5);
		expect(all.map(({ code }) => code.length)).toEqual([6, 6, 8, 6, 6]);
	});

	it('is a new code if the earlier code has expired, even while wrong attempts are still counted', () => {
		const codeState = openCodeState();
		const first = sent(codeState, 0, { validMinutes: 1 });
		typeIn(codeState, { ...first, serial: 'elsewhere', end: 10 * MINUTE }, another(first.code), 0.5);
		expect(sent(codeState, 1).serial).not.toBe(first.serial);
	});

	it('stays valid if a later code was certainly not sent, but not after a person has used the earlier code', () => {
		const lose = (codeState: CodeState) => {
			const lost = ask(codeState, 1, { codeLength: 8 });
			return () => 'release' in lost && lost.release();
		};
		const codeState = openCodeState();
		const first = sent(codeState, 0);
		lose(codeState)();
		expect(sent(codeState, 2)).toMatchObject({ serial: first.serial });

		const release = lose(codeState);
		const later = sent(codeState, 3, { codeLength: 4 });
		release();
		expect(sent(codeState, 4, { codeLength: 4 })).toMatchObject({ serial: later.serial });

		const others = openCodeState();
		const used = sent(others, 0);
		const releaseOther = lose(others);
		expect(typeIn(others, used, used.code, 1)).toEqual({ reason: 'right' });
		releaseOther();
		expect(sent(others, 2).serial).not.toBe(used.serial);
	});

	it('stays valid if an earlier code of another length is used', () => {
		const codeState = openCodeState();
		const [first, second] = [sent(codeState, 0), sent(codeState, 1, { codeLength: 8 })];
		typeIn(codeState, first, first.code, 2);
		expect(sent(codeState, 3, { codeLength: 8 })).toMatchObject({ serial: second.serial });
	});

	it('is returned with its latest expiry if too many codes were sent, but not after it was used', () => {
		const codeState = openCodeState();
		const [first] = [0, 1, 2, 3].map((minute) => sent(codeState, minute, { validMinutes: 8 }));
		sent(codeState, 4, { validMinutes: 1 });
		const { problem, current } = refused(codeState, 5);
		expect(current).toEqual({ ...first, end: 11 * MINUTE });
		expect(problem.why.about).toMatchObject({ todo: 'codeYouHave' });
		expect(problem.description).toMatch(/^Type the code from the latest SMS, or ask for a new one in 5 minutes/);
		expect(JSON.stringify([problem, problem.message, problem.description])).not.toContain(first!.code);
		typeIn(codeState, first!, first!.code, 6);
		expect(refused(codeState, 7).current).toBeUndefined();
	});
});

describe('wrong codes', () => {
	it('are counted for each number and purpose; after the last attempt no code is verified or sent until the code expires', () => {
		const codeState = openCodeState();
		const id = sent(codeState, 0, { maxAttempts: 2 });
		const wrong = another(id.code);
		expect(typeIn(codeState, id, wrong, 1)).toMatchObject({ reason: 'wrong', attemptsLeft: 1 });
		expect(typeIn(codeState, id, wrong, 1)).toMatchObject({ reason: 'wrong', attemptsLeft: 0, freeAt: 10 * MINUTE });
		for (const typed of [wrong, id.code, '']) {
			const spent = { reason: 'tooManyAttempts', attemptsLeft: 0, freeAt: 10 * MINUTE };
			expect(typeIn(codeState, id, typed, 2)).toEqual(spent);
		}
		const { problem, current } = refused(codeState, 3, { maxAttempts: 2 });
		expect(problem.why).toEqual({
			reason: 'tooManyAttempts',
			about: { when_el: 'μετά από 7 λεπτά', when_en: 'in 7 minutes' },
		});
		expect(problem.description).toContain('No code was sent');
		expect(current).toBeUndefined();
		const other = sent(codeState, 3, { maxAttempts: 2, purpose: 'other' });
		expect(typeIn(codeState, other, other.code, 4, 'other')).toEqual({ reason: 'right' });
		refused(codeState, 9.99, { maxAttempts: 2 });
		const next = sent(codeState, 10, { maxAttempts: 2 });
		expect(next.serial).not.toBe(id.serial);
		expect(typeIn(codeState, next, another(next.code), 11)).toMatchObject({ reason: 'wrong', attemptsLeft: 1 });
	});

	it('do not count as attempts if the typed text cannot be a code', () => {
		const codeState = openCodeState();
		const id = sent(codeState, 0);
		for (const typed of ['', '1', 'abcdef', null, {}]) {
			const verdict = typeIn(codeState, { ...id, end: HOUR }, typed, 1);
			expect(verdict).toMatchObject({ reason: 'wrong', attemptsLeft: 5, freeAt: 10 * MINUTE });
		}
	});

	it('are counted for a verification ID that another process has sent', () => {
		const codeState = openCodeState();
		const id = { mobile: MOBILE, code: '123456', serial: 'elsewhere', maxAttempts: 2, end: 10 * MINUTE };
		for (const left of [1, 0]) expect(typeIn(codeState, id, '000000', 1)).toMatchObject({ attemptsLeft: left });
		expect(typeIn(codeState, id, '123456', 1)).toMatchObject({ reason: 'tooManyAttempts' });
		refused(codeState, 2, { maxAttempts: 2 });
		expect(typeIn(openCodeState(), id, '123456', 1)).toEqual({ reason: 'right' });
	});
});

it('a right code can be used once, with any of its verification IDs, and again if no caller received the answer', () => {
	const codeState = openCodeState();
	const [first, second] = [sent(codeState, 0), sent(codeState, 5)];
	expect(typeIn(codeState, first, first.code, 6)).toEqual({ reason: 'right' });
	codeState.releaseUse(first, '');
	expect(typeIn(codeState, second, first.code, 6)).toEqual({ reason: 'right' });
	for (const id of [first, second]) expect(typeIn(codeState, id, id.code, 9)).toEqual({ reason: 'used' });
});

it('the count of numbers with codes is limited, and expired numbers are removed', () => {
	const codeState = openCodeState(3);
	const ids = [1, 2, 3].map((last) => sent(codeState, 0, { mobile: `690000000${last}` }));
	const elsewhere = { ...ids[0]!, mobile: '6900000004' };
	for (const minute of [0, 20, 24 * 60 - 1]) {
		expect(() => ask(codeState, minute, { mobile: '6900000004' })).toThrow(/not set up/);
		expect(() => typeIn(codeState, elsewhere, elsewhere.code, minute)).toThrow(/not set up/);
	}
	expect(() => ask(codeState, 20, { mobile: '6900000004' })).toThrow(
		expect.objectContaining({
			description: expect.stringContaining('the limit is 3') as string,
			why: { reason: 'setting', about: { field_el: 'τους κωδικούς επαλήθευσης', field_en: 'one-time codes' } },
		}),
	);
	sent(codeState, 30);
	sent(codeState, 24 * 60, { mobile: '6900000004' });
	sent(codeState, 24 * 60, { mobile: '6900000005' });
	// The first number is still counted, because it got another code half an hour later.
	expect(() => ask(codeState, 24 * 60, { mobile: '6900000006' })).toThrow(/not set up/);
});

it('each platform and institution has a separate state of its codes', () => {
	const platform = { sendUrl: 'https://sms.example.gr/sendSMS', institution: 'example-university' } as Platform;
	expect(codeStateOf({ ...platform })).toBe(codeStateOf({ ...platform }));
	for (const other of [{ institution: 'other' }, { sendUrl: 'https://other.example.gr/sendSMS' }])
		expect(codeStateOf({ ...platform, ...other })).not.toBe(codeStateOf(platform));
});

describe('in any order of requests and attempts', () => {
	const MAX = 3;
	const step = fc.record({
		what: fc.constantFrom<'ask' | 'lost' | 'wrong' | 'right'>('ask', 'ask', 'lost', 'wrong', 'wrong', 'wrong', 'right'),
		wait: fc.constantFrom(0, 0, 1, 30_000, 3 * MINUTE, 9 * MINUTE, 2 * HOUR),
		purpose: fc.constantFrom('', '', 'other'),
		which: fc.nat(5),
		validMinutes: fc.constantFrom(1, 10, 10, 60),
		codeLength: fc.constantFrom(6, 6, 6, 4),
	});

	holds(
		'at most five codes are sent in ten minutes and twenty in a day, at most three wrong codes are compared with each code, and each code is used at most once',
		2,
		fc.array(step, { minLength: 40, maxLength: 150 }),
		(steps) => {
			const codeState = openCodeState();
			const ids: Array<Verification & { purpose: string }> = [];
			const out: number[] = [];
			/** The codes with which a wrong typed code was compared, once for each comparison. */
			const guesses: Array<{ serial: string; purpose: string }> = [];
			const used = new Set<string>();
			let now = 0;
			for (const { what, wait, purpose, which, validMinutes, codeLength } of steps) {
				now += wait;
				if (what === 'ask' || what === 'lost') {
					const taken = codeState.claim(order({ purpose, validMinutes, codeLength, maxAttempts: MAX }), 'one', 0, now);
					if ('refused' in taken) continue;
					if (what === 'lost') {
						taken.release();
						continue;
					}
					out.push(now);
					ids.push({ ...taken.verification, purpose });
					expect(used.has(taken.verification.serial)).toBe(false);
					continue;
				}
				const id = ids.filter(({ end }) => end > now).at(-1 - which);
				if (id === undefined) continue;
				const verdict = codeState.try(id, id.purpose, what === 'right' ? id.code : another(id.code), now);
				if (verdict.reason === 'wrong') guesses.push(id);
				if (verdict.reason !== 'right') continue;
				expect(used.has(id.serial)).toBe(false);
				used.add(id.serial);
			}
			for (const at of out) {
				expect(out.filter((one) => one > at - 10 * MINUTE && one <= at).length).toBeLessThanOrEqual(5);
				expect(out.filter((one) => one > at - DAY && one <= at).length).toBeLessThanOrEqual(20);
			}
			for (const { serial } of guesses) {
				expect(guesses.filter((guess) => guess.serial === serial).length).toBeLessThanOrEqual(MAX);
			}
		},
	);
});

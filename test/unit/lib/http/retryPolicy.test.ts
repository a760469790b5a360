import type { Failure } from '../../../../lib/http/transportFailure';
import {
	isOverloaded,
	isKeyRefused,
	isInvalidInput,
	isRejection,
	isRetryableLookup,
	isRetryableSend,
	readRetryAfter,
	outageThreshold,
	secondsBeforeRetry,
	stateAfterLookup,
	stateAfterSend,
} from '../../../../lib/http/retryPolicy';

const status = (code: number, retryAfter?: string): Failure => ({ kind: 'status', status: code, body: '', retryAfter });
const NO_HOST: Failure = { kind: 'notSent', code: 'ECONNREFUSED', passing: true };
const NO_TRUST: Failure = { kind: 'notSent', code: 'CERT_HAS_EXPIRED', passing: false };
const LOST: Failure = { kind: 'lost', code: 'ECONNRESET' };
const ODD: Failure = { kind: 'body', status: 200, body: '<html>' };

it.each([
	// Columns: name, failure, whether a message is retried, whether a lookup is retried, rejected, key refused.
	['no connection', NO_HOST, true, true, false, false],
	['a certificate that is not trusted', NO_TRUST, false, false, false, false],
	['a broken connection', LOST, false, true, false, false],
	['another body', ODD, false, false, false, false],
	['301', status(301), false, false, false, false],
	['400', status(400), false, false, true, false],
	['401', status(401), false, false, true, true],
	['403', status(403), false, false, true, true],
	['404', status(404), false, false, true, false],
	['408', status(408), false, false, false, false],
	['499', status(499, '1'), false, false, false, false],
	['429', status(429), true, true, true, false],
	['500 with Retry-After', status(500, '1'), false, true, false, false],
	['503', status(503), false, true, false, false],
	['503 with Retry-After', status(503, '1'), true, true, true, false],
])(
	'after the failure "%s" (%j): the message is retried: %s, the look-up is retried: %s, the request was rejected: %s, the key was refused: %s',
	(_, failure, ...expected) => {
		expect([isRetryableSend, isRetryableLookup, isRejection, isKeyRefused].map((says) => says(failure))).toEqual(
			expected,
		);
	},
);

it('the retry policy distinguishes an invalid item from an overloaded service', () => {
	const failures = [status(400), status(422), status(404), status(503), status(503, '1'), status(429, '1'), LOST];
	expect(failures.map(isInvalidInput)).toEqual([true, true, false, false, false, false, false]);
	expect(failures.map(isOverloaded)).toEqual([false, false, false, false, true, false, false]);
});

describe('stateAfterLookup', () => {
	it.each([
		['invalid input', status(400), 'answered'],
		['invalid input', status(422), 'answered'],
		['a refused key', status(401), 'keyRefused'],
		['a refused key', status(403), 'keyRefused'],
		['an error of the service', status(500), 'noAnswer'],
		['no connection', NO_HOST, 'noAnswer'],
		['a body without a verdict', ODD, 'noAnswer'],
	])('returns, after %s (%j), the state %s', (_, failure, state) => {
		expect(stateAfterLookup(failure)).toBe(state);
	});
});

describe('stateAfterSend', () => {
	it.each([
		['rejected', status(404), false, 'answered'],
		['rejected', status(404), true, 'keyRefused'],
		['rejected', status(401), false, 'keyRefused'],
		['unknown', ODD, true, 'noAnswer'],
		['unknown', LOST, false, 'noAnswer'],
		['rejected', NO_HOST, false, 'noAnswer'],
		['rejected', status(503, '1'), false, 'noAnswer'],
		['rejected', status(429), false, 'answered'],
	] as const)(
		'returns, for the outcome %s after %j (the platform refuses the sender: %s), the state %s',
		(outcome, failure, refusesSender, state) => {
			expect(stateAfterSend(failure, outcome, refusesSender)).toBe(state);
		},
	);
});

it.each([
	[1, 10],
	[5, 10],
	[6, 12],
	[20, 40],
])('with a concurrency of %i, the outage threshold is %i items without an answer', (concurrency, items) => {
	expect(outageThreshold(concurrency)).toBe(items);
});

describe('the header Retry-After', () => {
	it.each([
		['0', 0],
		['1.5', 1.5],
	])('with the value %j is read as %d seconds', (header, seconds) => {
		expect(readRetryAfter(header)).toBe(seconds);
	});

	it('with a date is read as the seconds until that date', () => {
		expect(readRetryAfter(new Date(Date.now() + 60_000).toUTCString())! / 60).toBeCloseTo(1, 1);
		expect(readRetryAfter('Wed, 21 Oct 2015 07:28:00 GMT')).toBe(0);
	});

	it.each(['Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
		'with a date in the old form %j is read in UTC',
		(header) => {
			jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(1994, 10, 6, 8, 48, 37));
			expect(readRetryAfter(header)).toBe(60);
			jest.restoreAllMocks();
		},
	);

	it.each([undefined, '', '-1', '1,5', '1.5.1', 'soon', '10 s', 'x 5', 'abc 5', 'Sunday'].map((header) => [header]))(
		'with the value %j is ignored',
		(header) => {
			expect(readRetryAfter(header)).toBeUndefined();
		},
	);
});

describe('secondsBeforeRetry', () => {
	it.each([0, 1])('doubles with each retry, with jitter (retry %d)', (attempt) => {
		const waits = Array.from({ length: 200 }, () => secondsBeforeRetry(attempt, LOST)!);
		expect(Math.min(...waits)).toBeGreaterThanOrEqual(0.75 * 2 ** attempt);
		expect(Math.max(...waits)).toBeLessThan(1.25 * 2 ** attempt);
		expect(new Set(waits).size).toBeGreaterThan(1);
	});

	it('returns the seconds of Retry-After up to 300, and undefined for more', () => {
		const wait = secondsBeforeRetry(1, status(429, '17'))!;
		expect([wait >= 17, wait < 17.5]).toEqual([true, true]);
		expect(secondsBeforeRetry(0, status(503, '300'))).toBeGreaterThanOrEqual(300);
		expect(secondsBeforeRetry(0, status(503, '301'))).toBeUndefined();
	});

	it('ignores an unreadable Retry-After', () => {
		expect(secondsBeforeRetry(0, status(429, 'soon'))).toBeLessThan(1.25);
	});

	it('returns undefined after the last retry', () => {
		expect(secondsBeforeRetry(2, LOST)).toBeUndefined();
		expect(secondsBeforeRetry(2, status(429, '1'))).toBeUndefined();
	});
});

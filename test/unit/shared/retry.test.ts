import type { IExecuteFunctions } from 'n8n-workflow';

import { pause, readRetryAfter, secondsBeforeRetry } from '../../../nodes/shared/retry';

describe('Retry-After', () => {
	it.each([
		['0', 0],
		[' 17 ', 17],
		['1.5', 1.5],
	])('%j is %d seconds', (header, seconds) => {
		expect(readRetryAfter(header)).toBe(seconds);
	});

	it('may be a date', () => {
		expect(readRetryAfter(new Date(Date.now() + 60_000).toUTCString())! / 60).toBeCloseTo(1, 1);
		expect(readRetryAfter('Wed, 21 Oct 2015 07:28:00 GMT')).toBe(0);
	});

	it.each([undefined, '', '-1', '1,5', '1.5.1', 'soon', '10 s', 'x 5'].map((header) => [header]))(
		'%j says nothing',
		(header) => {
			expect(readRetryAfter(header)).toBeUndefined();
		},
	);
});

describe('the wait before another try', () => {
	it.each([0, 1, 2, 3])('doubles, with some chance in it (after try %d)', (attempt) => {
		const waits = Array.from({ length: 200 }, () => secondsBeforeRetry(attempt, undefined)!);
		expect(Math.min(...waits)).toBeGreaterThanOrEqual(0.75 * 2 ** attempt);
		expect(Math.max(...waits)).toBeLessThan(1.25 * 2 ** attempt);
		expect(new Set(waits).size).toBeGreaterThan(1);
	});

	it('is what the service asks for, and a little more', () => {
		const wait = secondsBeforeRetry(0, '17')!;
		expect([wait >= 17, wait < 17.5]).toEqual([true, true]);
		expect(secondsBeforeRetry(0, '300')).toBeGreaterThanOrEqual(300);
	});

	it('is none where the service asks for more than is followed', () => {
		expect(secondsBeforeRetry(0, '301')).toBeUndefined();
	});

	it('is what it would be without where the service asks for nothing that can be read', () => {
		expect(secondsBeforeRetry(0, 'soon')).toBeLessThan(1.25);
	});
});

describe('pause', () => {
	const context = (signal?: AbortSignal) =>
		({ getExecutionCancelSignal: () => signal }) as unknown as IExecuteFunctions;

	it('ends with an error where the run was cancelled before', async () => {
		await expect(pause(context(AbortSignal.abort()), 10_000)).rejects.toThrow('cancelled');
	});

	it('ends with an error where the run is cancelled meanwhile, also in its last second', async () => {
		const stop = new AbortController();
		setTimeout(() => stop.abort(), 10);
		await expect(pause(context(stop.signal), 50)).rejects.toThrow('cancelled');
	});

	it('of nothing does not wait', async () => {
		await expect(pause(context(), 0)).resolves.toBeUndefined();
	});
});

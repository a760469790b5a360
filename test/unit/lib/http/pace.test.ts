import type { IExecuteFunctions } from 'n8n-workflow';

import { openPace } from '../../../../lib/http/pace';

const START = 1_000_000;

/** Opens a rate limiter on a fake clock. `after` returns the milliseconds that an action waits. */
function open(perSecond: number, signal?: AbortSignal) {
	const pace = openPace({ getExecutionCancelSignal: () => signal } as unknown as IExecuteFunctions, perSecond);
	const after = async (action: () => Promise<void>) => {
		const begin = Date.now();
		const end = action().then(() => Date.now() - begin);
		await jest.advanceTimersByTimeAsync(10_000);
		return await end;
	};
	return { ...pace, after };
}

describe('the rate limiter', () => {
	beforeEach(() => jest.useFakeTimers({ now: START }));
	afterEach(() => jest.useRealTimers());

	it('starts the first request immediately, and spaces the next requests evenly', async () => {
		const { take, after } = open(2);
		const starts: number[] = [];
		await after(async () => {
			await Promise.all([1, 2, 3].map(async () => await take().then(() => starts.push(Date.now() - START))));
		});
		expect(starts).toEqual([0, 500, 1000]);
	});

	it('allows no burst of requests after a time without requests', async () => {
		const { take, after } = open(1);
		await after(take);
		expect(await after(take)).toBe(0);
		expect(await after(async () => void (await Promise.all([take(), take()])))).toBe(1000);
	});

	it('lets several calls of `wait` continue at the same time, because `wait` reserves no start', async () => {
		const { take, wait, after } = open(0.5);
		const waits = [take, wait, wait].map(async (action) => await action().then(() => Date.now() - START));
		await after(async () => void (await Promise.all(waits)));
		expect(await Promise.all(waits)).toEqual([0, 2000, 2000]);
	});

	it('never waits if there is no limit', async () => {
		const { take, wait, after } = open(0);
		expect(await after(async () => void (await Promise.all([take(), take(), wait()])))).toBe(0);
	});

	it('rejects if the run was cancelled', async () => {
		const stop = new AbortController();
		const { take, wait } = open(1, stop.signal);
		await take();
		stop.abort();
		await expect(wait()).rejects.toThrow('cancelled');
		await expect(take()).rejects.toThrow('cancelled');
	});
});

import { getEventListeners } from 'node:events';

import type { IExecuteFunctions } from 'n8n-workflow';

import { withDeadline, withTimeout } from '../../../../lib/http/timeout';

const context = (signal?: AbortSignal) => ({ getExecutionCancelSignal: () => signal }) as unknown as IExecuteFunctions;

describe('withTimeout', () => {
	/** Resolves when the signal aborts. */
	const untilAborted = async (signal: AbortSignal) =>
		await new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve('aborted')));

	it('returns the result or throws the error of the work, and passes the work a signal that is not aborted', async () => {
		await expect(withTimeout(context(), 10_000, async ({ aborted }) => await Promise.resolve(aborted))).resolves.toBe(
			false,
		);
		const fails = async () => await Promise.reject(new Error('broken'));
		await expect(withTimeout(context(), 10_000, fails)).rejects.toThrow('broken');
	});

	it('aborts the work when the time is over', async () => {
		await expect(withTimeout(context(new AbortController().signal), 1, untilAborted)).resolves.toBe('aborted');
	});

	it('aborts the work when a person stops the run', async () => {
		const run = new AbortController();
		const work = withTimeout(context(run.signal), 2 ** 40, untilAborted);
		run.abort();
		await expect(work).resolves.toBe('aborted');
	});

	it('passes an aborted signal if the run was stopped before', async () => {
		const isAborted = withTimeout(context(AbortSignal.abort()), 10_000, async ({ aborted }) => {
			return await Promise.resolve(aborted);
		});
		await expect(isAborted).resolves.toBe(true);
	});

	it("removes its listener from the run's signal when the work ends", async () => {
		const { signal } = new AbortController();
		await Promise.all(
			Array.from({ length: 60 }, async (_, index) =>
				withTimeout(context(signal), 10_000, async () => {
					expect(getEventListeners(signal, 'abort').length).toBeGreaterThan(0);
					await Promise.resolve();
					if (index % 2 === 0) throw new Error('broken');
				}).catch(String),
			),
		);
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});
});

describe('withDeadline', () => {
	it.each([33.3, 1, 2 ** 40])('accepts a timeout of %d ms', (timeout) => {
		expect(withDeadline({ url: '', timeout }).abortSignal).toMatchObject({ aborted: false });
	});
	it.each([undefined, 0])('sets no deadline for the timeout %p, which means no limit', (timeout) => {
		expect(withDeadline({ url: '', timeout })).toEqual({ url: '', timeout });
	});
	it('aborts the request when the execution is cancelled', () => {
		const execution = new AbortController();
		const { abortSignal } = withDeadline({ url: '', timeout: 60_000, abortSignal: execution.signal });
		execution.abort();
		expect(abortSignal?.aborted).toBe(true);
	});
});

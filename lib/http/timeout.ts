import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { isCancelled } from './cancel';

/*
 * Time limits for whole requests. The HTTP client's own time-out covers only the time without any data. So an answer that arrives
 * slowly would never end.
 */

/** The longest time of a timer in Node, in milliseconds. It is about 25 days. */
const LONGEST = 2 ** 31 - 1;

/** Returns a signal that aborts when the time is over. @param timeout in milliseconds, above 0 */
const timeUp = (timeout: number): AbortSignal => AbortSignal.timeout(Math.min(Math.ceil(timeout), LONGEST));

/**
 * Runs `work` with a signal that aborts when the time is over or when the run is cancelled. Afterwards the listeners are removed
 * from the signal of the run. `AbortSignal.any` is not used, because it would keep 0.7 kB in that signal for each request until
 * its time is over.
 * @param timeout the time in milliseconds, above 0
 */
export async function withTimeout<T>(
	context: IExecuteFunctions,
	timeout: number,
	work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	const end = new AbortController();
	const stop = () => end.abort();
	const signals = [timeUp(timeout), context.getExecutionCancelSignal()];
	for (const signal of signals) signal?.addEventListener('abort', stop);
	if (isCancelled(context)) stop();
	try {
		return await work(end.signal);
	} finally {
		for (const signal of signals) signal?.removeEventListener('abort', stop);
	}
}

/**
 * Returns a request that ends when its `timeout` is over (in milliseconds; 0: none), even if data still arrive slowly. It also
 * ends when n8n's own signal aborts, because the execution was cancelled.
 * @param known the signal that ends a request of this package. It covers both cases already
 */
export function withDeadline(options: IHttpRequestOptions, known?: AbortSignal): IHttpRequestOptions {
	const { timeout = 0, abortSignal } = options;
	if (known !== undefined) return { ...options, abortSignal: known };
	if (!(timeout > 0)) return options;
	const end = timeUp(timeout);
	return { ...options, abortSignal: abortSignal ? AbortSignal.any([abortSignal as AbortSignal, end]) : end };
}

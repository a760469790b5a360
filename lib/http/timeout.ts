import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { isCancelled } from './cancel';

/* Time limits for whole requests. The HTTP client's own time-out counts only silence, so a slow answer would never end. */

/** The longest time that a timer of Node can run, about 25 days. In milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** Returns a signal that aborts when the time is over. @param timeout in milliseconds, above 0 */
const timeUp = (timeout: number): AbortSignal => AbortSignal.timeout(Math.min(Math.ceil(timeout), LONGEST));

/**
 * Runs work with a signal that aborts when its time is over or when the run is cancelled. Afterwards the listeners are removed
 * from the run's own signal. `AbortSignal.any` would leave 0.7 kB there for each request until its time is over.
 * @param timeout in milliseconds, above 0
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
 * Ends a request when its `timeout` is over (in milliseconds; 0: none), even if the answer keeps arriving slowly. The signal
 * that n8n sets for a cancelled execution still ends the request too.
 * @param own the signal of a request of this package, which already combines both
 */
export function withDeadline(options: IHttpRequestOptions, own?: AbortSignal): IHttpRequestOptions {
	const { timeout = 0, abortSignal } = options;
	if (own !== undefined) return { ...options, abortSignal: own };
	if (!(timeout > 0)) return options;
	const end = timeUp(timeout);
	return { ...options, abortSignal: abortSignal ? AbortSignal.any([abortSignal as AbortSignal, end]) : end };
}

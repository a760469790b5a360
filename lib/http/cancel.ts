import { sleep, type IExecuteFunctions } from 'n8n-workflow';

/** Returns whether the run was cancelled, so that no more requests may begin. */
export const isCancelled = (context: IExecuteFunctions) => context.getExecutionCancelSignal()?.aborted === true;

export function throwIfCancelled(context: IExecuteFunctions): void {
	if (isCancelled(context)) throw new Error('The run was cancelled before this item was tried');
}

/** Waits for a number of milliseconds. Waits in short steps, so that a cancelled run ends soon. */
export async function pause(context: IExecuteFunctions, milliseconds: number): Promise<void> {
	const end = Date.now() + milliseconds;
	for (;;) {
		throwIfCancelled(context);
		const left = end - Date.now();
		if (left <= 0) return;
		await sleep(Math.min(left, 1000));
	}
}

/** The longest time that a timer of Node can run, about 25 days. In milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** Returns a signal that aborts when the time is over. @param timeout in milliseconds, above 0 */
export const timeUp = (timeout: number): AbortSignal => AbortSignal.timeout(Math.min(Math.ceil(timeout), LONGEST));

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

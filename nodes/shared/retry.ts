import { sleep, type IExecuteFunctions } from 'n8n-workflow';

/** Longest wait that a service's Retry-After is followed for; what asks for more is not tried again. In seconds. */
export const LONGEST_WAIT = 300;

/**
 * How long to wait before another try: a second, doubled each time, with some chance in it, so that many places do
 * not come back at the same moment. A Retry-After counts instead.
 *
 * @param attempt 0 after the first try
 * @returns seconds; undefined where the service asks for a longer wait than is followed
 */
export function secondsBeforeRetry(attempt: number, retryAfter: string | undefined): number | undefined {
	const asked = readRetryAfter(retryAfter);
	if (asked === undefined) return 2 ** attempt * (0.75 + Math.random() / 2);
	return asked <= LONGEST_WAIT ? asked + Math.random() / 2 : undefined;
}

/** Retry-After as seconds or as a date, which names its day (RFC 9110, 10.2.3); in seconds from now. */
export function readRetryAfter(value: string | undefined): number | undefined {
	if (value === undefined) return undefined;
	if (/^\s*\d+(?:\.\d+)?\s*$/.test(value)) return Number(value);
	// Date.parse takes any number for a year or a month.
	const date = /^\s*[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}

/** @throws Error where the run was cancelled: nothing more begins */
export function throwIfCancelled(context: IExecuteFunctions): void {
	if (context.getExecutionCancelSignal()?.aborted === true)
		throw new Error('The run was cancelled before this item was tried');
}

/** Waits, in short steps, so that a cancelled run does not wait to the end. In milliseconds. */
export async function pause(context: IExecuteFunctions, milliseconds: number): Promise<void> {
	const end = Date.now() + milliseconds;
	for (;;) {
		throwIfCancelled(context);
		const left = end - Date.now();
		if (left <= 0) return;
		await sleep(Math.min(left, 1000));
	}
}

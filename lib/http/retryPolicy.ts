import type { Failure } from './transportErrors';

/* What both services' answers mean for what comes next. No message may go out twice; a look-up may be repeated. */

/** How often a request is made again at most. */
export const RETRIES = 2;

/**
 * Whether a request was certainly not worked on, for a reason that may pass: no connection was made, or the service names
 * itself too busy (429, and 503 with Retry-After; RFC 6585, 4 and RFC 9110, 15.6.4). So a message may be sent again.
 */
export function isRetryableSend(failure: Failure): boolean {
	if (failure.kind === 'notSent') return failure.passing;
	return failure.kind === 'status' && (failure.status === 429 || isOverloaded(failure));
}

/** Whether a look-up may be asked again, which changes nothing: also after a broken connection, a time-out and any 5xx. */
export const isRetryableLookup = (failure: Failure): boolean =>
	isRetryableSend(failure) || failure.kind === 'lost' || (failure.kind === 'status' && failure.status >= 500);

/**
 * Whether an HTTP status says that the request was certainly not worked on. A 4xx refuses it before; 408 and 499 say that
 * time ran out on the way, 409 that it may have come before. Of the 5xx only 503 with Retry-After says so.
 */
export const isRejection = (failure: Failure): boolean =>
	failure.kind === 'status' &&
	((isClientError(failure.status) && !UNCLEAR.has(failure.status)) || isOverloaded(failure));

/** Whether the service says that it is not available, and when it will be: a row after it would fare no better. */
export const isOverloaded = (failure: Failure): boolean =>
	failure.kind === 'status' && failure.status === 503 && failure.retryAfter !== undefined;

/** Whether a look-up is refused for what its row has (400, 422; RFC 9110, 15.5.1 and 15.5.21), which says nothing of other rows. */
export const isInvalidInput = (failure: Failure): boolean =>
	failure.kind === 'status' && (failure.status === 400 || failure.status === 422);

/** Whether the service refused the key, or whoever stands before it the request: no other row would fare better. */
export const isKeyRefused = (failure: Failure): boolean =>
	failure.kind === 'status' && (failure.status === 401 || failure.status === 403);

const UNCLEAR = new Set([408, 409, 499]);
const isClientError = (status: number) => status >= 400 && status < 500;

/** Longest wait that a service's Retry-After is followed for; what asks for more is not tried again. In seconds. */
export const LONGEST_WAIT = 300;

/**
 * Seconds before another try: one, doubled each time, with some chance in it, or what Retry-After asks. Undefined where
 * there is none: after the last, or where too long a wait is asked. @param attempt 0 after the first try
 */
export function secondsBeforeRetry(attempt: number, failure: Failure): number | undefined {
	if (attempt >= RETRIES) return undefined;
	const asked = failure.kind === 'status' ? readRetryAfter(failure.retryAfter) : undefined;
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

import type { Failure } from './transportFailure';

/*
 * Retry policy for both services. It decides whether a request is sent again, whether a request was certainly rejected, and
 * whether later requests make sense after a failure. A message must never be sent twice. A look-up is idempotent and may be
 * retried.
 */

/** The maximum number of retries of one request. */
export const RETRIES = 2;

/**
 * Returns whether a message may be sent again. Its request must certainly not have been processed, and the cause must be
 * temporary. This is so if no connection was made, or if the service is too busy (429, or 503 with Retry-After; RFC 6585, 4 and
 * RFC 9110, 15.6.4).
 */
export function isRetryableSend(failure: Failure): boolean {
	if (failure.kind === 'notSent') return failure.passing;
	return failure.kind === 'status' && (failure.status === 429 || isOverloaded(failure));
}

/**
 * Returns whether a look-up may be retried. This is so if a message could be sent again, and after a broken connection, a
 * time-out or any 5xx.
 */
export const isRetryableLookup = (failure: Failure): boolean =>
	isRetryableSend(failure) || failure.kind === 'lost' || (failure.kind === 'status' && failure.status >= 500);

/**
 * Returns whether the HTTP status shows that the request was certainly not processed. A 4xx rejects a request before it is
 * processed, with three exceptions: 408 and 499 are time-outs between client and service, and 409 can mean that the message was
 * already processed. Of the 5xx, only 503 with Retry-After is a rejection.
 */
export const isRejection = (failure: Failure): boolean =>
	failure.kind === 'status' &&
	((isClientError(failure.status) && !UNCLEAR.has(failure.status)) || isOverloaded(failure));

/** Returns whether the service says that it is unavailable and when it will be back (503 with Retry-After). */
export const isOverloaded = (failure: Failure): boolean =>
	failure.kind === 'status' && failure.status === 503 && failure.retryAfter !== undefined;

/** Returns whether the service rejected the data of one item (400 or 422; RFC 9110, 15.5.1 and 15.5.21). */
export const isInvalidInput = (failure: Failure): boolean =>
	failure.kind === 'status' && (failure.status === 400 || failure.status === 422);

/** Returns whether the service, or a proxy before it, rejected the key (401 or 403). It would reject every item. */
export const isKeyRefused = (failure: Failure): boolean =>
	failure.kind === 'status' && (failure.status === 401 || failure.status === 403);

/** Client errors after which the request may still have been processed. */
const UNCLEAR = new Set([408, 409, 499]);
const isClientError = (status: number) => status >= 400 && status < 500;

/**
 * The state of the service after a request. `answered`: the service works. `noAnswer`: the service may be down; many requests
 * in a row with this state count as an outage. `keyRefused`: the service will refuse every request.
 */
export type ServiceState = 'answered' | 'noAnswer' | 'keyRefused';

/** Returns the state of the service after a failed look-up. A service that rejected the data of one item works. */
export function stateAfterLookup(failure: Failure): ServiceState {
	if (isKeyRefused(failure)) return 'keyRefused';
	return isInvalidInput(failure) ? 'answered' : 'noAnswer';
}

/**
 * Returns the state of the service after a message that was not accepted. A service that rejected one message works. A message of
 * unknown outcome, a message without a connection, and a 503 with Retry-After may be the beginning of an outage.
 * @param refusesSender whether the text of a rejection is about the institution, its key or this server
 */
export function stateAfterSend(
	failure: Failure,
	outcome: 'rejected' | 'unknown',
	refusesSender: boolean,
): ServiceState {
	if (isKeyRefused(failure) || (outcome === 'rejected' && refusesSender)) return 'keyRefused';
	return outcome === 'unknown' || failure.kind === 'notSent' || isOverloaded(failure) ? 'noAnswer' : 'answered';
}

/** The smallest number of items in a row without an answer that counts as an outage. */
const LEAST_OUTAGE = 10;

/**
 * Returns how many items in a row without an answer count as an outage. A short interruption of the network affects at most the
 * items in progress, so the threshold is twice that number, but at least `LEAST_OUTAGE`.
 * @param concurrency the number of items in progress at the same time
 */
export const outageThreshold = (concurrency: number): number => Math.max(2 * concurrency, LEAST_OUTAGE);

/** The longest Retry-After after which a request is retried, in seconds. */
export const LONGEST_WAIT = 300;

/**
 * Returns the seconds to wait before the next retry. This is the time in Retry-After. Without a readable header it is about one
 * second before the first retry and about two before the second. Both vary a little (jitter), but the time is never shorter than
 * Retry-After. Undefined: no retry is left, or the time in Retry-After is too long.
 * @param attempt the number of retries so far; 0 after the first request
 */
export function secondsBeforeRetry(attempt: number, failure: Failure): number | undefined {
	if (attempt >= RETRIES) return undefined;
	const asked = failure.kind === 'status' ? readRetryAfter(failure.retryAfter) : undefined;
	if (asked === undefined) return 2 ** attempt * (0.75 + Math.random() / 2);
	return asked <= LONGEST_WAIT ? asked + Math.random() / 2 : undefined;
}

/**
 * Reads Retry-After, which has seconds or an HTTP date with its day of the week (RFC 9110, 10.2.3 and 5.6.7). The date is in UTC,
 * also in the old form without GMT.
 * @returns seconds from now; undefined if the header can't be read
 */
export function readRetryAfter(value: string | undefined): number | undefined {
	if (value === undefined) return undefined;
	if (/^\s*\d+(?:\.\d+)?\s*$/.test(value)) return Number(value);
	// The text must begin with a day of the week, because Date.parse would read any number as a year or a month.
	const isDate = /^\s*(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/i.test(value);
	const date = isDate ? Date.parse(/GMT\s*$/i.test(value) ? value : `${value} GMT`) : Number.NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}

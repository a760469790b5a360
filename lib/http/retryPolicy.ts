import type { Failure } from './transportErrors';

/*
 * Retry policy of both services: when a request is sent again, when it was definitely rejected, and what a failure says about
 * the requests after it. A message must never be sent twice. A lookup changes nothing and may be retried.
 */

/** The maximum number of retries of one request. */
export const RETRIES = 2;

/**
 * Returns whether a message may be sent again: the request was definitely not processed, and the cause is transient. Either no
 * connection was made, or the service is too busy (429, or 503 with Retry-After; RFC 6585, 4 and RFC 9110, 15.6.4).
 */
export function isRetryableSend(failure: Failure): boolean {
	if (failure.kind === 'notSent') return failure.passing;
	return failure.kind === 'status' && (failure.status === 429 || isOverloaded(failure));
}

/** Returns whether a lookup may be retried: as a message, and also after a broken connection, a timeout or any 5xx. */
export const isRetryableLookup = (failure: Failure): boolean =>
	isRetryableSend(failure) || failure.kind === 'lost' || (failure.kind === 'status' && failure.status >= 500);

/**
 * Returns whether the HTTP status says that the request was definitely not processed. A 4xx rejects a request before it is
 * processed, with three exceptions: 408 and 499 are timeouts on the way, and 409 can mean that the message came before. Of the
 * 5xx, only 503 with Retry-After is a rejection.
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

const UNCLEAR = new Set([408, 409, 499]);
const isClientError = (status: number) => status >= 400 && status < 500;

/**
 * What a request says about the requests after it. `answered`: the service works. `noAnswer`: many of these in a row are an
 * outage. `keyRefused`: the service will refuse every request.
 */
export type ServiceState = 'answered' | 'noAnswer' | 'keyRefused';

/** Returns what a failed lookup says about the service. Invalid data of one item says that the service works. */
export function stateAfterLookup(failure: Failure): ServiceState {
	if (isKeyRefused(failure)) return 'keyRefused';
	return isInvalidInput(failure) ? 'answered' : 'noAnswer';
}

/**
 * Returns what a message that was not accepted says about the service. The rejection of one message says that the service
 * works. A message of unknown outcome or without a connection can be the beginning of an outage.
 * @param refusesSender whether the text of a rejection refuses the institution, its key or this server
 */
export function stateAfterSend(
	failure: Failure,
	outcome: 'rejected' | 'unknown',
	refusesSender: boolean,
): ServiceState {
	if (isKeyRefused(failure) || (outcome === 'rejected' && refusesSender)) return 'keyRefused';
	return outcome === 'unknown' || failure.kind === 'notSent' || isOverloaded(failure) ? 'noAnswer' : 'answered';
}

/** The lowest number of items in a row without an answer that is an outage. */
const LEAST_OUTAGE = 10;

/**
 * Returns how many items in a row without an answer are an outage. A short interruption of the network hits at most the items
 * in progress, so it takes twice as many.
 * @param concurrency how many items are in progress at the same time
 */
export const outageThreshold = (concurrency: number): number => Math.max(2 * concurrency, LEAST_OUTAGE);

/** The longest Retry-After that is waited for, in seconds. A request with a longer one is not retried. */
export const LONGEST_WAIT = 300;

/**
 * Returns the seconds to wait before the next retry: what Retry-After asks, otherwise one, doubled each time, with jitter.
 * Returns undefined after the last retry, or if Retry-After asks for too long.
 * @param attempt 0 after the first request
 */
export function secondsBeforeRetry(attempt: number, failure: Failure): number | undefined {
	if (attempt >= RETRIES) return undefined;
	const asked = failure.kind === 'status' ? readRetryAfter(failure.retryAfter) : undefined;
	if (asked === undefined) return 2 ** attempt * (0.75 + Math.random() / 2);
	return asked <= LONGEST_WAIT ? asked + Math.random() / 2 : undefined;
}

/** Reads Retry-After, in seconds or as an HTTP date with its day of the week (RFC 9110, 10.2.3). Returns seconds from now. */
export function readRetryAfter(value: string | undefined): number | undefined {
	if (value === undefined) return undefined;
	if (/^\s*\d+(?:\.\d+)?\s*$/.test(value)) return Number(value);
	// Date.parse would take any number for a year or a month.
	const date = /^\s*[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}

import type { IHttpRequestOptions } from 'n8n-workflow';

/** The longest that a timer of Node runs, some 25 days: n8n's own HTTP Request node can use these credentials with any. */
const LONGEST = 2 ** 31 - 1;

/**
 * Ends a request when its time-out is over, however slowly the answer arrives: the HTTP client's own time-out counts
 * silence alone. n8n sets the signal that stops a cancelled execution before it asks the credential for the rest; both count.
 *
 * @param options `timeout` in milliseconds
 */
export function withDeadline(options: IHttpRequestOptions): IHttpRequestOptions {
	const { timeout, abortSignal } = options;
	// 0 is no limit to the client.
	if (timeout === undefined || !(timeout > 0)) return options;
	const deadline = AbortSignal.timeout(Math.min(Math.ceil(timeout), LONGEST));
	return { ...options, abortSignal: abortSignal ? AbortSignal.any([abortSignal as AbortSignal, deadline]) : deadline };
}

import type { IHttpRequestOptions } from 'n8n-workflow';

/**
 * Ends a request when its time-out is over, however slowly the answer arrives: the HTTP client's own time-out counts
 * silence alone. n8n sets the signal that stops a cancelled execution before it asks the credential for the rest; both count.
 *
 * @param options `timeout` in milliseconds
 */
export function withDeadline(options: IHttpRequestOptions): IHttpRequestOptions {
	const { timeout, abortSignal } = options;
	if (timeout === undefined) return options;
	const deadline = AbortSignal.timeout(timeout);
	return { ...options, abortSignal: abortSignal ? AbortSignal.any([abortSignal as AbortSignal, deadline]) : deadline };
}

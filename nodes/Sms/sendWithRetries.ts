import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import type { Credential } from '../shared/request';
import { isOverload, sendMessage, type Row, type Sent } from './send';

/** Longest wait that a platform's Retry-After is followed for; what asks for more fails as rejected. In seconds. */
const LONGEST_WAIT = 300;

/**
 * Sends one message, and sends it again only where it was certainly not taken for a reason that passes: no
 * connection, 429, 503 with Retry-After. The waits grow from a second, doubled each time, with some chance in them,
 * so that many places do not come back at the same moment; a Retry-After of the platform counts instead.
 *
 * @param pace waits for the turn of a request
 */
export async function sendWithRetries(
	context: IExecuteFunctions,
	credential: Credential,
	row: Row,
	retries: number,
	pace: () => Promise<void>,
): Promise<Sent> {
	for (let attempt = 0; ; attempt++) {
		await pace();
		const sent = await sendMessage(context, credential, row.message, row.timeout);
		const wait = attempt < retries ? secondsUntilRetry(sent, attempt) : undefined;
		if (wait === undefined) return sent;
		await pause(context, wait * 1000);
	}
}

/** Seconds, or undefined where the message is not to be sent again. */
function secondsUntilRetry(sent: Sent, attempt: number): number | undefined {
	if (sent.outcome !== 'rejected' || sent.failure === undefined) return undefined;
	const { failure } = sent;
	const backoff = 2 ** attempt * (0.75 + Math.random() / 2);
	if (failure.kind === 'notSent') return failure.passing ? backoff : undefined;
	if (!isOverload(failure)) return undefined;
	const asked = readRetryAfter(failure.retryAfter);
	if (asked === undefined) return backoff;
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

/** Waits, in short steps, so that a cancelled run does not wait to the end. In milliseconds. */
export async function pause(context: IExecuteFunctions, milliseconds: number): Promise<void> {
	const end = Date.now() + milliseconds;
	const signal = context.getExecutionCancelSignal();
	for (let left = milliseconds; left > 0; left = end - Date.now()) {
		if (signal?.aborted === true) throw new Error('The run was cancelled before this message was sent');
		await sleep(Math.min(left, 1000));
	}
}

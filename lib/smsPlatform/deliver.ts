import type { IExecuteFunctions } from 'n8n-workflow';

import type { Remembers } from '../texts/advice';
import { isKnownTomorrow } from '../sentMessages/periods';
import { timeout } from '../n8n/fields';
import { readNumberOption } from '../n8n/parameters';
import { createCircuitBreaker } from '../http/circuitBreaker';
import { openPace } from '../http/pace';
import { isRetryableSend, secondsBeforeRetry } from '../http/retryPolicy';
import { toProblem, fault, Problem } from '../texts/problem';
import { request } from '../http/request';
import { pause, throwIfCancelled } from '../http/cancel';
import { readPlatform } from './credential';
import { sendSmsRequest, sendSmsResponse, type Message } from './api';
import { openCallLimit, readSafetyLimits, requireFewRows } from './safetyLimits';
import { stateAfter, outcomeOf, otherServiceWarning, sendProblem, unseenProblem, type SendOutcome } from './outcome';
import { quietProblem } from './quietHours';

/** The sender of a run's messages, with the settings and the state that all messages share. */
export type Sending = Awaited<ReturnType<typeof openSending>>;

/**
 * Opens the sender of a run's messages.
 * @param concurrency the largest number of messages in progress at the same time
 * @param perSecond the largest number of requests that start in a second; 0: no limit
 * @param advisedFor how long the node remembers messages; undefined: not at all. Only the advice after an outage and during quiet
 * hours depends on it
 * @param timeoutSeconds the time-out of each request; by default the option Timeout
 * @throws Problem if a setting that all items need can't be used, or if the credential allows fewer items
 */
export async function openSending(
	context: IExecuteFunctions,
	concurrency: number,
	perSecond: number,
	advisedFor: Remembers,
	timeoutSeconds = readNumberOption(context, timeout),
) {
	const credential = { type: 'smsPlatformApi', data: await context.getCredentials('smsPlatformApi') };
	const platform = readPlatform(credential);
	const safetyLimits = readSafetyLimits(credential.data, context.getTimezone());
	requireFewRows(safetyLimits, context.getInputData().length);
	// The key of the advice after an outage (`otherTodoEn` in `lib/texts/reasons.en.ts`).
	const todo = isKnownTomorrow(advisedFor) ? '' : advisedFor === 'day' ? 'soonOrOnlyThese' : 'onlyThese';
	return {
		context,
		platform,
		safetyLimits,
		callLimit: openCallLimit(context, safetyLimits, platform),
		/** The time-out of a request, in milliseconds. */
		timeout: timeoutSeconds * 1000,
		/** The rate limiter. */
		pace: openPace(context, perSecond),
		breaker: createCircuitBreaker(concurrency, () => fault('serviceDown', { todo })),
		/** Returns the problem of a message during quiet hours. Undefined: messages may be sent now. */
		quiet: () => quietProblem(safetyLimits.quietHours, Date.now(), advisedFor),
	};
}

/** A message to send now. */
interface Outgoing {
	message: Message;
	/** Whether the message is held during quiet hours. Replies and codes are not. */
	obeysQuietHours: boolean;
	/** Further secrets to remove from the platform's texts, besides the keys. */
	secrets?: string[];
	/** The moment after which no further attempt starts, because the message is useless then. In milliseconds since 1970. */
	until?: number;
}

/** The result of an accepted message. */
export interface Accepted {
	/** When the request was sent, ISO 8601. */
	sentAt: string;
	warning?: string;
}

/**
 * Sends a message, unless the circuit breaker is open, an AI agent has reached its limit of messages, or quiet hours hold the
 * message.
 * @returns the result, or a problem whose details have the outcome. If the outcome is unknown, they also have the time of the
 * request
 */
export async function deliver(sending: Sending, outgoing: Outgoing): Promise<Accepted | Problem> {
	const refused = sending.breaker.problem() ?? sending.callLimit.claim();
	if (refused !== undefined) return refused;
	const result = await sendAndRecord(sending, outgoing);
	if (result instanceof Problem && !isUnknown(result)) sending.callLimit.release();
	return result;
}

/** The last request for a message. */
interface LastRequest {
	/** When it was sent, ISO 8601. */
	sentAt: string;
	/** Its outcome. `unseen`: its answer could not be read, so the outcome is unknown. */
	ended: SendOutcome | { unseen: Problem };
}

/** Sends a message. Any error after the request becomes an unknown outcome. @returns the same as `deliver` */
async function sendAndRecord(sending: Sending, outgoing: Outgoing): Promise<Accepted | Problem> {
	const last = await sendWithRetries(sending, outgoing).catch(toProblem);
	if (last instanceof Problem) return last;
	if ('held' in last) return last.held;

	try {
		return recordOutcome(sending, outgoing, last);
	} catch (error) {
		return unseenProblem(toProblem(error)).withDetails({ sentAt: last.sentAt });
	}
}

/** Records an outcome in the circuit breaker, which decides about the later items. @returns the result of the message */
function recordOutcome(
	{ breaker, platform }: Sending,
	outgoing: Outgoing,
	{ ended, sentAt }: LastRequest,
): Accepted | Problem {
	const { current, previous } = platform.keys;
	const secrets = [current, previous?.key ?? '', ...(outgoing.secrets ?? [])];
	if ('unseen' in ended) {
		breaker.record('noAnswer');
		return ended.unseen.withDetails({ sentAt });
	}
	if (ended.outcome === 'accepted') {
		breaker.record('answered');
		const { otherService: other } = ended;
		return { sentAt, ...(other !== undefined && { warning: otherServiceWarning(other, secrets) }) };
	}
	const problem = sendProblem(ended, outgoing.message, secrets);
	const state = stateAfter(ended);
	// If the key was refused, the later items make no request and get this Problem. Their details have the outcome, but neither
	// HTTP status nor error code, because these belong to the answer to this message.
	breaker.record(state === 'keyRefused' ? problem.copyWith({ details: { outcome: 'rejected' } }) : state);
	return isUnknown(problem) ? problem.withDetails({ sentAt }) : problem;
}

/** Returns whether a result is the Problem of a message of unknown outcome. */
export const isUnknown = (result: unknown) => result instanceof Problem && result.details.outcome === 'unknown';

/**
 * Sends a message. It retries only if the platform certainly did not accept the message and the cause may be temporary.
 * @returns the last request. `held`: quiet hours stopped the message before its first request or before a retry, so it was not
 * accepted
 * @throws if the run was stopped before the first request
 */
async function sendWithRetries(
	sending: Sending,
	{ message, obeysQuietHours, until = Infinity }: Outgoing,
): Promise<LastRequest | { held: Problem }> {
	const { context, platform, pace } = sending;
	const post = {
		method: 'POST' as const,
		url: platform.sendUrl,
		headers: { 'Content-Type': 'application/json' },
		body: sendSmsRequest(message),
		timeout: sending.timeout,
	};
	const isSuccess = (status: number) => status >= 200 && status < 300;
	// n8n sends no request of a cancelled run, and reports the same error as for a request whose answer was lost. So the run is
	// checked first.
	throwIfCancelled(context);
	for (let attempt = 0; ; attempt++) {
		// The quiet hours are checked before each request, because they may begin while a long list is sent.
		const held = obeysQuietHours ? sending.quiet() : undefined;
		if (held !== undefined) return { held };
		const sentAt = new Date().toISOString();
		// `request` and `outcomeOf` return all expected failures and throw only if they have a defect. Even then the message may
		// have been sent, so its outcome is unknown.
		const ended = await request(context, platform.credential, post, sendSmsResponse, isSuccess)
			.then((answer) => outcomeOf(answer, message.serviceId))
			.catch((error: unknown) => ({ unseen: unseenProblem(toProblem(error)) }));
		const isRetryable = !('unseen' in ended) && ended.outcome === 'rejected' && isRetryableSend(ended.failure);
		const wait = isRetryable ? secondsBeforeRetry(attempt, ended.failure) : undefined;
		if (wait === undefined || Date.now() + wait * 1000 > until) return { ended, sentAt };
		try {
			await pause(context, wait * 1000);
			await pace.take();
		} catch {
			return { ended, sentAt }; // The run was stopped. The outcome is known: the platform did not accept the message.
		}
		// Another item opened the breaker during the pause, so there is no further attempt. The outcome is that of the last
		// request.
		if (sending.breaker.problem() !== undefined) return { ended, sentAt };
	}
}

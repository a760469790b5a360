import type { IExecuteFunctions } from 'n8n-workflow';

import type { Remembers } from '../texts/advice';
import { isKnownTomorrow } from '../sentMessages/periods';
import { timeout } from '../n8n/fields';
import { readNumberOption } from '../n8n/parameters';
import { createCircuitBreaker } from '../http/circuitBreaker';
import { isRetryableSend, secondsBeforeRetry } from '../http/retryPolicy';
import { toProblem, fault, Problem } from '../texts/problem';
import { request } from '../http/request';
import { pause, throwIfCancelled } from '../http/cancel';
import { readPlatform } from './credential';
import { sendSmsRequest, sendSmsResponse, type Message } from './api';
import { openCallLimit, readGuards, requireFewRows } from './guards';
import { stateAfter, outcomeOf, otherServiceWarning, sendProblem, unseenProblem, type Outcome } from './outcome';
import { quietProblem } from './quietHours';

export type Sending = Awaited<ReturnType<typeof openSending>>;

/**
 * Opens the sender of a run's messages.
 * @param concurrency how many messages may be in progress in parallel
 * @param perSecond how many requests may begin in a second; 0: no limit
 * @param rememberFor how long the node remembers messages. It decides whether the same list may be sent again the next day
 * @param timeoutSeconds how long each request may take; by default the option Timeout
 * @throws Problem if a setting that all items need can't be used, or if the credential allows fewer items
 */
export async function openSending(
	context: IExecuteFunctions,
	concurrency: number,
	perSecond: number,
	rememberFor: Remembers,
	timeoutSeconds = readNumberOption(context, timeout),
) {
	const credential = { type: 'smsPlatformApi', data: await context.getCredentials('smsPlatformApi') };
	const platform = readPlatform(credential);
	const guards = readGuards(credential.data, context.getTimezone());
	requireFewRows(guards, context.getInputData().length);
	const todo = isKnownTomorrow(rememberFor) ? '' : rememberFor === 'day' ? 'soonOrOnlyThese' : 'onlyThese';
	return {
		context,
		platform,
		guards,
		callLimit: openCallLimit(context, guards, platform),
		/** In milliseconds. */
		timeout: timeoutSeconds * 1000,
		/** Spaces the starts of requests. */
		pace: openPace(context, perSecond),
		breaker: createCircuitBreaker(concurrency, () => fault('serviceDown', { todo })),
		/** Returns the problem of a message during quiet hours. Undefined: messages may be sent now. */
		quiet: () => quietProblem(guards.quietHours, Date.now(), rememberFor),
	};
}

/** A message to send now. */
interface Outgoing {
	message: Message;
	/** Whether quiet hours hold the message back. They don't hold replies and codes back. */
	keepsQuiet: boolean;
	/** Further secrets to remove from the platform's texts, besides the keys. */
	secrets?: string[];
	/** The moment after which no further attempt begins, because the message is worthless then. In Unix milliseconds. */
	until?: number;
}

/** The result of an accepted message. */
export interface Accepted {
	/** When its request left, ISO 8601. */
	sentAt: string;
	warning?: string;
}

/**
 * Sends a message, unless the call limit or the circuit breaker stops it, and records the outcome in the breaker.
 * @returns the result, or a problem whose details have the outcome. If the outcome is unknown, they also have the time of the
 * request
 */
export async function deliver(sending: Sending, outgoing: Outgoing): Promise<Accepted | Problem> {
	const refused = sending.breaker.problem() ?? sending.callLimit.claim();
	if (refused !== undefined) return refused;
	const result = await sendOnce(sending, outgoing);
	if (result instanceof Problem && !isUnknown(result)) sending.callLimit.release();
	return result;
}

/** Sends a message and records its outcome in the circuit breaker. @returns as `deliver` */
async function sendOnce(sending: Sending, outgoing: Outgoing): Promise<Accepted | Problem> {
	const sent = await sendWithRetries(sending, outgoing).catch(toProblem);
	if (sent instanceof Problem) return sent;

	try {
		return concluded(sending, outgoing, sent);
	} catch (error) {
		// The request was sent, so the outcome is unknown after any error here.
		return unseenProblem(toProblem(error)).withDetails({ sentAt: sent.sentAt });
	}
}

/** Turns an outcome into the result of a message, and records in the circuit breaker what it means for later items. */
function concluded(
	{ breaker, platform }: Sending,
	outgoing: Outgoing,
	{ outcome, sentAt }: { outcome: Outcome | Problem; sentAt: string },
): Accepted | Problem {
	const { current, previous } = platform.keys;
	const secrets = [current, previous?.key ?? '', ...(outgoing.secrets ?? [])];
	if (outcome instanceof Problem) {
		breaker.record('noAnswer');
		return outcome.withDetails({ sentAt });
	}
	if (outcome.outcome === 'accepted') {
		breaker.record('answered');
		const { otherService: other } = outcome;
		return { sentAt, ...(other !== undefined && { warning: otherServiceWarning(other, secrets) }) };
	}
	const problem = sendProblem(outcome, outgoing.message, secrets);
	const state = stateAfter(outcome);
	// No request is made for the later items, so they are rejected, even if the outcome of this one is unknown.
	breaker.record(state === 'keyRefused' ? problem.copyWith({ details: { outcome: 'rejected' } }) : state);
	return isUnknown(problem) ? problem.withDetails({ sentAt }) : problem;
}

export const isUnknown = (result: unknown) => result instanceof Problem && result.details.outcome === 'unknown';

/**
 * Sends a message. It retries only if the platform certainly did not accept the message and the cause is temporary.
 * @returns the outcome and the time of the last request, or a problem if quiet hours stopped the first request or a retry
 * @throws if the run was stopped before the first request
 */
async function sendWithRetries(sending: Sending, { message, keepsQuiet, until = Infinity }: Outgoing) {
	const { context, platform, pace } = sending;
	const post = {
		method: 'POST' as const,
		url: platform.sendUrl,
		headers: { 'Content-Type': 'application/json' },
		body: sendSmsRequest(message),
		timeout: sending.timeout,
	};
	const isSuccess = (status: number) => status >= 200 && status < 300;
	// n8n sends no request of a cancelled run, and reports it like a request whose answer was lost.
	throwIfCancelled(context);
	for (let attempt = 0; ; attempt++) {
		// Checked before each message, because a long list can run into the quiet hours.
		const quiet = keepsQuiet ? sending.quiet() : undefined;
		if (quiet !== undefined) return quiet;
		const sentAt = new Date().toISOString();
		// From here on, the outcome is unknown unless an answer comes.
		const outcome = await request(context, platform.credential, post, sendSmsResponse, isSuccess)
			.then((answer) => outcomeOf(answer, message.serviceId))
			.catch((error: unknown) => unseenProblem(toProblem(error)));
		// The platform certainly did not accept the message, and the cause may be temporary.
		const isRetryable =
			!(outcome instanceof Problem) && outcome.outcome === 'rejected' && isRetryableSend(outcome.failure);
		const wait = isRetryable ? secondsBeforeRetry(attempt, outcome.failure) : undefined;
		if (wait === undefined || Date.now() + wait * 1000 > until) return { outcome, sentAt };
		try {
			await pause(context, wait * 1000);
			await pace.take();
		} catch {
			return { outcome, sentAt }; // The run was stopped. The outcome is still known: the message was not accepted.
		}
		if (sending.breaker.problem() !== undefined) return { outcome, sentAt };
	}
}

/** Creates a rate limiter that spaces the starts of requests evenly. @param perSecond how many may start; 0: no limit */
function openPace(context: IExecuteFunctions, perSecond: number) {
	let nextStart = 0;
	const waitUntil = async (start: number) => {
		const now = Date.now();
		if (start > now) await pause(context, start - now);
	};
	return {
		perSecond,
		/** Waits until a request may start. @throws if the run was stopped meanwhile */
		wait: async () => await waitUntil(nextStart),
		/** Waits until a request may start, and reserves this start: the next request has to wait longer. */
		async take(): Promise<void> {
			if (perSecond === 0) return;
			const start = Math.max(Date.now(), nextStart);
			nextStart = start + 1000 / perSecond;
			await waitUntil(start);
		},
	};
}

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
 * Opens what sends a run's messages.
 * @param concurrency how many messages may be in progress in parallel
 * @param perSecond how many requests begin in a second at most; 0: no limit
 * @param rememberFor whether the same list may be sent again: overnight only what is remembered longer than a day
 * @param timeoutSeconds how long each request may take; by default as the option Timeout says
 * @throws Problem where something can't be used that all rows need, or where the credential allows fewer rows
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
		/** Milliseconds. */
		timeout: timeoutSeconds * 1000,
		/** Spaces the starts of requests. */
		pace: openPace(context, perSecond),
		breaker: createCircuitBreaker(concurrency, () => fault('serviceDown', { todo })),
		/** Why no list goes out now: quiet hours. */
		quiet: () => quietProblem(guards.quietHours, Date.now(), rememberFor),
	};
}

/** A message that goes out now. */
interface Outgoing {
	message: Message;
	/** Whether it is refused in quiet hours; replies and codes are not. */
	keepsQuiet: boolean;
	/** What nobody may read in the platform's words, beside the keys. */
	secrets?: string[];
	/** After this moment it is worth nothing, so no further attempt begins; in Unix milliseconds. */
	until?: number;
}

/** What is known of an accepted message. */
export interface Accepted {
	/** When its request left, ISO 8601. */
	sentAt: string;
	warning?: string;
}

/**
 * Sends a message, unless a guard or the breaker speaks against it, and tells the breaker what became of it.
 * @returns otherwise the problem, whose details name the outcome and, where nobody knows it, when the request left
 */
export async function deliver(sending: Sending, outgoing: Outgoing): Promise<Accepted | Problem> {
	const refused = sending.breaker.problem() ?? sending.callLimit.claim();
	if (refused !== undefined) return refused;
	const result = await sendOnce(sending, outgoing);
	if (result instanceof Problem && !isUnknown(result)) sending.callLimit.release();
	return result;
}

/** Sends a message and tells the breaker its outcome. @returns as `deliver` */
async function sendOnce(sending: Sending, outgoing: Outgoing): Promise<Accepted | Problem> {
	const sent = await sendWithRetries(sending, outgoing).catch(toProblem);
	if (sent instanceof Problem) return sent;

	try {
		return concluded(sending, outgoing, sent);
	} catch (error) {
		// The request left: whatever else goes wrong, nobody knows what became of it.
		return unseenProblem(toProblem(error)).withDetails({ sentAt: sent.sentAt });
	}
}

/** What an outcome says of a message and, to the breaker, of the rows after it. */
function concluded(
	{ breaker, platform }: Sending,
	outgoing: Outgoing,
	{ outcome, sentAt }: { outcome: Outcome | Problem; sentAt: string },
): Accepted | Problem {
	const { current, previous } = platform.keys;
	const hidden = [current, previous?.key ?? '', ...(outgoing.secrets ?? [])];
	if (outcome instanceof Problem) {
		breaker.record('noAnswer');
		return outcome.withDetails({ sentAt });
	}
	if (outcome.outcome === 'accepted') {
		breaker.record('answered');
		const { otherService: other } = outcome;
		return { sentAt, ...(other !== undefined && { warning: otherServiceWarning(other, hidden) }) };
	}
	const problem = sendProblem(outcome, outgoing.message, hidden);
	const state = stateAfter(outcome);
	// The later items were not requested, so they are rejected, whatever the outcome of this one.
	breaker.record(state === 'keyRefused' ? problem.copyWith({ details: { outcome: 'rejected' } }) : state);
	return isUnknown(problem) ? problem.withDetails({ sentAt }) : problem;
}

export const isUnknown = (result: unknown) => result instanceof Problem && result.details.outcome === 'unknown';

/**
 * Sends a message, and sends it again only where it was certainly not accepted for a reason that passes.
 * @returns what came of it, and when its last request left; a problem alone where none left, or none again, because of quiet hours
 * @throws where the run was stopped before the first request
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
	// n8n makes no request of a cancelled run, and what comes of it looks like an answer that was lost.
	throwIfCancelled(context);
	for (let attempt = 0; ; attempt++) {
		// For each message, because a long list can run into the night.
		const quiet = keepsQuiet ? sending.quiet() : undefined;
		if (quiet !== undefined) return quiet;
		const sentAt = new Date().toISOString();
		// From this moment on, only an answer can say more than "unknown".
		const outcome = await request(context, platform.credential, post, sendSmsResponse, isSuccess)
			.then((answer) => outcomeOf(answer, message.serviceId))
			.catch((error: unknown) => unseenProblem(toProblem(error)));
		// Certainly not accepted, for a reason that may pass soon.
		const mayPass = !(outcome instanceof Problem) && outcome.outcome === 'rejected' && isRetryableSend(outcome.failure);
		const wait = mayPass ? secondsBeforeRetry(attempt, outcome.failure) : undefined;
		if (wait === undefined || Date.now() + wait * 1000 > until) return { outcome, sentAt };
		try {
			await pause(context, wait * 1000);
			await pace.take();
		} catch {
			return { outcome, sentAt }; // A stop takes nothing away from what is known: this message was not accepted.
		}
		if (sending.breaker.problem() !== undefined) return { outcome, sentAt };
	}
}

/** Spaces the starts of requests evenly. @param perSecond how many may start in a second; 0: no limit */
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
		/** The same, and takes the turn: the next request waits longer. */
		async take(): Promise<void> {
			if (perSecond === 0) return;
			const start = Math.max(Date.now(), nextStart);
			nextStart = start + 1000 / perSecond;
			await waitUntil(start);
		},
	};
}

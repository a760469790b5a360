import type { IExecuteFunctions } from 'n8n-workflow';

import { asProblem, Problem } from '../../shared/problem';
import { request } from '../../shared/request';
import { pause, secondsBeforeRetry, throwIfCancelled } from '../../shared/retry';
import { readPlatform } from '../credential';
import { sendSmsRequest, sendSmsResponse, type Message } from '../wire';
import { quietProblem, readGuards, requireFewRows } from './guards';
import { readRequestOptions } from './parameters';
import { otherServiceWarning, outcomeOf, passingReason, sendProblem, unseenProblem, type Outcome } from './outcome';

/** One message, read and checked. */
export interface Row {
	message: Message;
	/** Where delivery reports go, before it is signed; undefined where none are asked for. */
	dlrUrl: string | undefined;
}

/** What the messages of one run have in common. */
export type Sending = Awaited<ReturnType<typeof openSending>>;

/**
 * Opens what sends a run's messages.
 *
 * @param perSecond how many requests begin in a second at most; 0: no limit
 * @throws Problem where something can't be used that all rows need, or where the credential allows fewer rows
 */
export async function openSending(context: IExecuteFunctions, perSecond: number) {
	const options = readRequestOptions(context);
	const credential = { type: 'smsPlatformApi', data: await context.getCredentials('smsPlatformApi') };
	const platform = readPlatform(credential);
	const guards = readGuards(credential.data, context.getTimezone());
	requireFewRows(guards, context.getInputData().length);
	return { context, platform, guards, options, pace: openPace(context, perSecond) };
}

/** A message that goes out now. */
export interface Outgoing {
	message: Message;
	/** Whether it waits for the end of quiet hours; replies and codes do not. */
	keepsQuiet: boolean;
	/** What nobody may read in the platform's words, beside the keys. */
	secrets?: string[];
	/** After this moment it is worth nothing, so no further attempt begins; in Unix milliseconds. */
	until?: number;
	/** When its request left, ISO 8601: set here, for whoever counts what a kill would leave unknown. */
	sentAt?: string;
}

/** What is known of an accepted message. */
export interface Accepted {
	/** When its request left, ISO 8601. */
	sentAt: string;
	warning?: string;
}

/** @returns what is known of an accepted message; otherwise the problem, whose details name the outcome */
export async function deliver(sending: Sending, outgoing: Outgoing): Promise<Accepted | Problem> {
	const { message, secrets = [] } = outgoing;
	// From the moment a request leaves, only an answer can say more than "unknown".
	const outcome = await sendWithRetries(sending, outgoing).catch((error: unknown) =>
		outgoing.sentAt === undefined ? asProblem(error) : unseenProblem(asProblem(error)),
	);
	const { current, previous } = sending.platform.keys;
	const hidden = [current, previous?.key ?? '', ...secrets];
	const sentAt = outgoing.sentAt!;
	if (!(outcome instanceof Problem) && outcome.outcome === 'accepted') {
		const { otherService: other } = outcome;
		return { sentAt, ...(other !== undefined && { warning: otherServiceWarning(other, hidden) }) };
	}
	const problem = outcome instanceof Problem ? outcome : sendProblem(outcome, message, hidden);
	return isUnknown(problem) ? problem.with({ sentAt }) : problem;
}

export const isUnknown = (result: unknown): boolean =>
	result instanceof Problem && result.details.outcome === 'unknown';

/**
 * Sends a message, and sends it again only where it was certainly not accepted for a reason that passes.
 *
 * @returns a problem where it did not leave, because quiet hours have begun
 */
async function sendWithRetries(sending: Sending, outgoing: Outgoing): Promise<Outcome | Problem> {
	const { context, platform, guards, options, pace } = sending;
	const { message, keepsQuiet, until = Infinity } = outgoing;
	const post = {
		method: 'POST' as const,
		url: platform.sendUrl,
		headers: { 'Content-Type': 'application/json' },
		body: sendSmsRequest(message),
		timeout: options.timeout,
	};
	const isSuccess = (status: number) => status >= 200 && status < 300;
	await pace();
	// n8n makes no request of a cancelled run, and what comes of it looks like an answer that was lost.
	throwIfCancelled(context);
	for (let attempt = 0; ; attempt++) {
		// For each message, because a long list can run into the night.
		const quiet = keepsQuiet ? quietProblem(guards, Date.now()) : undefined;
		if (quiet !== undefined) return quiet;
		outgoing.sentAt = new Date().toISOString();
		const answer = await request(context, platform.credential, post, sendSmsResponse, isSuccess);
		const outcome = outcomeOf(answer, message.serviceId);
		const reason = attempt < options.retries ? passingReason(outcome) : undefined;
		const wait = reason === undefined ? undefined : secondsBeforeRetry(attempt, reason.retryAfter);
		if (wait === undefined || Date.now() + wait * 1000 > until) return outcome;
		try {
			await pause(context, wait * 1000);
			await pace();
		} catch {
			return outcome; // A stop takes nothing away from what is known: this message was not accepted.
		}
	}
}

/** Spaces the starts of requests evenly. @returns waits for the turn of a request */
function openPace(context: IExecuteFunctions, perSecond: number): () => Promise<void> {
	let nextStart = 0;
	return async () => {
		if (perSecond === 0) return;
		const now = Date.now();
		const start = Math.max(now, nextStart);
		nextStart = start + 1000 / perSecond;
		if (start > now) await pause(context, start - now);
	};
}

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Ledger } from '../../shared/ledger';
import { asProblem, Problem } from '../../shared/problem';
import { request } from '../../shared/request';
import { pause, secondsBeforeRetry, throwIfCancelled } from '../../shared/retry';
import type { Platform } from '../credential';
import { sendSmsRequest, sendSmsResponse, type Message } from '../wire';
import { quietProblem, type Guards } from './guards';
import type { RequestOptions } from './options';
import { otherServiceWarning, outcomeOf, passingReason, sendProblem, unseenProblem, type Outcome } from './outcome';

/** One message, read and checked. */
export interface Row {
	message: Message;
	/** The recipient in normal form. */
	sameRecipient: string;
	/** The message's name: the user's own, or one that the node makes. */
	reference: string | undefined;
	/** Where delivery reports go, before it is signed; undefined where none are asked for. */
	dlrUrl: string | undefined;
	/** What the recipient reads, where the text of the message is known, and how many SMS it takes. */
	text?: string;
	segments?: number;
}

/** What is remembered of a row while Retry On Fail may run the node again. A rejected row is not in it: it may be tried again. */
export type Entry =
	| { accepted: IDataObject }
	| { unknown: { message: string; description: string; details: IDataObject; httpCode?: string } };

/** What the messages of one run have in common. */
export interface Sending {
	context: IExecuteFunctions;
	platform: Platform;
	guards: Guards;
	options: RequestOptions;
	ledger: Ledger<Entry>;
	/** Waits for the turn of a request. */
	pace: () => Promise<void>;
}

/** A message that goes out now, and what is special about it. */
export interface Outgoing {
	/** By what its row is known in the ledger. */
	id: string | number;
	message: Message;
	/** What the item, or the error, says of it beside what became of it. */
	name: IDataObject;
	/** What is routed to the output where the message was accepted. */
	toItem: (warning: string | undefined) => IDataObject;
	/** Whether it waits for the end of quiet hours; replies and codes do not. */
	keepsQuiet: boolean;
	/** What nobody may read in the platform's words, beside the keys. */
	secrets?: string[];
	/** After this moment it is worth nothing, so no further attempt begins; in Unix milliseconds. */
	until?: number;
	/** Its request leaves; called before every attempt. */
	leaves?: () => void;
}

/**
 * Sends a message, and remembers immediately what became of it: whatever fails from then on, it is not sent again.
 *
 * @returns the item of an accepted message; otherwise the row's problem, whose details name the outcome
 */
export async function deliver(sending: Sending, outgoing: Outgoing): Promise<IDataObject | Problem> {
	const { ledger, platform } = sending;
	const { id, message, name, secrets = [] } = outgoing;
	let hasLeft = false;
	const leaves = () => {
		hasLeft = true;
		outgoing.leaves?.();
	};
	// From the moment a request leaves, only an answer can say more than "unknown".
	const outcome = await sendWithRetries(sending, outgoing, leaves).catch((error: unknown) =>
		hasLeft ? unseenProblem(asProblem(error)) : asProblem(error),
	);
	if (outcome instanceof Problem) return remember(ledger, id, outcome.with(name));
	const { current, previous } = platform.keys;
	const hidden = [current, previous?.key ?? '', ...secrets];
	if (outcome.outcome !== 'accepted') return remember(ledger, id, sendProblem(outcome, message, hidden).with(name));
	const item = outgoing.toItem(
		outcome.otherService === undefined ? undefined : otherServiceWarning(outcome.otherService, hidden),
	);
	ledger.set(id, { accepted: item });
	return item;
}

export const isUnknown = (result: unknown): boolean =>
	result instanceof Problem && result.details.outcome === 'unknown';

function remember(ledger: Ledger<Entry>, id: string | number, problem: Problem): Problem {
	if (!isUnknown(problem)) ledger.forget(id);
	else {
		const { message, description, details, httpCode } = problem;
		ledger.set(id, { unknown: { message, description, details, httpCode } });
	}
	return problem;
}

/**
 * What an earlier attempt of Retry On Fail left of a row: its item, or the problem of one whose outcome is unknown;
 * undefined where nothing.
 */
export function recall(ledger: Ledger<Entry>, id: string | number): IDataObject | Problem | undefined {
	const entry = ledger.get(id);
	if (entry === undefined || 'accepted' in entry) return entry?.accepted;
	const { message, description, details, httpCode } = entry.unknown;
	return new Problem(message, description, details, httpCode);
}

/**
 * Sends a message, and sends it again only where it was certainly not accepted for a reason that passes.
 *
 * @returns a problem where it did not leave, because quiet hours have begun
 */
async function sendWithRetries(
	sending: Sending,
	{ message, keepsQuiet, until = Infinity }: Outgoing,
	leaves: () => void,
): Promise<Outcome | Problem> {
	const { context, platform, guards, options, pace } = sending;
	await pace();
	// n8n makes no request of a cancelled run, and what comes of it looks like an answer that was lost.
	throwIfCancelled(context);
	for (let attempt = 0; ; attempt++) {
		// For each message, because a long list can run into the night.
		const quiet = keepsQuiet ? quietProblem(guards, Date.now()) : undefined;
		if (quiet !== undefined) return quiet;
		leaves();
		const answer = await request(
			context,
			platform.credential,
			{
				method: 'POST',
				url: platform.sendUrl,
				headers: { 'Content-Type': 'application/json' },
				body: sendSmsRequest(message),
				timeout: options.timeout,
			},
			sendSmsResponse,
			(status) => status >= 200 && status < 300,
		);
		const outcome = outcomeOf(answer, message.serviceId);
		const reason = attempt < options.retries ? passingReason(outcome) : undefined;
		const wait = reason === undefined ? undefined : secondsBeforeRetry(attempt, reason.retryAfter);
		if (wait === undefined || Date.now() + wait * 1000 > until) return outcome;
		// A stop takes nothing away from what is known: this message was not accepted.
		const goesOn = await pause(context, wait * 1000)
			.then(pace)
			.then(
				() => true,
				() => false,
			);
		if (!goesOn) return outcome;
	}
}

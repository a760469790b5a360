import { createHash } from 'node:crypto';

import type { IWebhookFunctions } from 'n8n-workflow';

/*
 * One event, one run: which events this process of n8n has accepted, and which are in progress. n8n forgets them when it
 * restarts. They can't be kept in the workflow's static data: that is the workflow's own, and whoever saves it overwrites
 * what an execution saved there at the same moment.
 */

/** What makes two requests of one node the same event. */
export interface EventKey {
	/** The message that the event is about. */
	message: string;
	/** What tells the events of one message apart; a message without it is one event. */
	status?: string;
}

/** What a request has to do with its event. */
export type Claim =
	/** Start it. */
	| 'first'
	/** Neither start it nor answer success: another request brought it, whose outcome is not known yet. */
	| 'inProgress'
	/** Answer success and start nothing. */
	| 'accepted';

/** Messages whose events one process knows, per node. */
const REMEMBERED = 10_000;

/**
 * How many events of one message are known: who has its URL can report any status, and must not be able to displace the
 * events of all others. Carriers use some ten statuses, and a message meets three or four of them.
 */
const OF_ONE_MESSAGE = 8;

/** By message, the oldest first: each of its statuses. */
type Memory = Map<string, Map<string, 'inProgress' | 'accepted'>>;

const memories = new Map<string, Memory>();

function memoryOf(context: IWebhookFunctions): Memory {
	// By id: a node may be renamed.
	const node = `${context.getWorkflow().id} ${context.getNode().id}`;
	const memory = memories.get(node) ?? (new Map() as Memory);
	memories.set(node, memory);
	return memory;
}

/**
 * Claims an event for this request. Where so many statuses of its message are known already, it counts as accepted.
 *
 * The request's answer decides what becomes of it: an HTTP status below 400 without a `result`, or with the `result` 0, is
 * a success; after anything else the next request may start the event again. n8n answers once the execution is recorded.
 */
export function claimEvent(context: IWebhookFunctions, { message, status = '' }: EventKey): Claim {
	const memory = memoryOf(context);
	// A hash, because a message is named with the number of a person.
	const hash = createHash('sha256').update(message).digest('base64url');
	const states = memory.get(hash) ?? new Map<string, 'inProgress' | 'accepted'>();
	const state = states.get(status);
	if (state !== undefined) return state;
	if (states.size >= OF_ONE_MESSAGE) return 'accepted';

	memory.set(hash, states.set(status, 'inProgress'));
	if (memory.size > REMEMBERED) memory.delete(memory.keys().next().value!);
	whenAnswered(context, (isSuccess) => {
		if (isSuccess) states.set(status, 'accepted');
		else states.delete(status);
	});
	return 'first';
}

/**
 * Watches what n8n answers to a request. It ends the response also where the client has left, of which the response's own
 * events say nothing: `close` comes when the client leaves, and `finish` never then. After Respond to Webhook n8n ends it
 * twice: the first end is the answer.
 */
function whenAnswered(context: IWebhookFunctions, then: (isSuccess: boolean) => void): void {
	const response = context.getResponseObject();
	const end = response.end as (...args: unknown[]) => typeof response;
	response.end = (...args: unknown[]) => {
		response.end = end as typeof response.end;
		then(response.statusCode < 400 && saysSuccess(args[0]));
		return end.apply(response, args);
	};
}

/** Whether an answer has no `result`, or the one that means success. */
function saysSuccess(body: unknown): boolean {
	try {
		const { result } = JSON.parse(String(body)) as { result?: unknown };
		return result === undefined || String(result) === '0';
	} catch {
		return true;
	}
}

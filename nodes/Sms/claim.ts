import { createHash } from 'node:crypto';

import type { IWebhookFunctions } from 'n8n-workflow';

/*
 * Which events this process of n8n has accepted, and which are in progress. An event is claimed by the first request that
 * brings it, and counts as accepted once it is known to have succeeded, however its client behaves: one that leaves sends it
 * again.
 */

/** What a request may do with its event. */
export type Claim =
	/** Start it; it stays in progress until `accept` is called, or the request is answered. */
	| { state: 'first'; accept(): void }
	/** Neither start it nor answer success: another request brought it, whose outcome is not known yet. */
	| { state: 'inProgress' }
	/** Answer success and start nothing. */
	| { state: 'accepted' };

/** Events that one process remembers, per node. */
const REMEMBERED = 10_000;

type Memory = Map<string, 'inProgress' | 'accepted'>;

const memories = new Map<string, Memory>();

function memoryOf(context: IWebhookFunctions): Memory {
	// By id: a node may be renamed.
	const node = `${context.getWorkflow().id} ${context.getNode().id}`;
	const memory = memories.get(node) ?? (new Map() as Memory);
	memories.set(node, memory);
	return memory;
}

/**
 * How many events of one message are known: who has its URL can report any status, and must not be able to displace the
 * events of all others. Carriers use some ten statuses, and a message meets three or four of them.
 */
const OF_ONE_MESSAGE = 8;

/** What makes two requests of one node the same event; only hashes of it are kept. */
export interface EventKey {
	/** The message that the event is about. */
	message: string;
	/** What tells the events of one message apart; a message without it is one event. */
	status?: string;
}

const digest = (text: string, characters: number) =>
	createHash('sha256').update(text).digest('base64url').slice(0, characters);

/** What is kept of a message. 72 bits: among ten thousand a chance meeting is one in 10^14. */
const messageOf = ({ message }: EventKey) => digest(message, 12);

/** What is kept of an event. Of a status 36 bits are enough: it is compared with those of the same message. */
export const hashOf = (key: EventKey) =>
	key.status === undefined ? messageOf(key) : `${messageOf(key)}.${digest(key.status, 6)}`;

/** The hashes of the node's events that were accepted, oldest first. */
export const acceptedBefore = (context: IWebhookFunctions): string[] =>
	[...memoryOf(context)].filter(([, state]) => state === 'accepted').map(([hash]) => hash);

/**
 * Claims an event for this request. Where so many statuses of its message are known already, it counts as accepted.
 *
 * The request's answer decides, where nobody says before that the event was accepted: an HTTP status below 400 without a
 * `result`, or with the `result` 0, is a success; after anything else the next request may start the event again.
 *
 * @param stored hashes of events that were accepted before this process began
 */
export function claimEvent(context: IWebhookFunctions, key: EventKey, stored: string[] = []): Claim {
	const hash = hashOf(key);
	const memory = memoryOf(context);
	const state = stored.includes(hash) ? 'accepted' : memory.get(hash);
	if (state !== undefined) return { state };
	if (key.status !== undefined) {
		const begin = `${messageOf(key)}.`;
		const known = new Set([...stored, ...memory.keys()].filter((each) => each.startsWith(begin)));
		if (known.size >= OF_ONE_MESSAGE) return { state: 'accepted' };
	}

	memory.set(hash, 'inProgress');
	for (const oldest of memory.keys()) {
		if (memory.size <= REMEMBERED) break;
		memory.delete(oldest);
	}
	const accept = () => {
		memory.set(hash, 'accepted');
	};
	whenAnswered(context, (isSuccess) => {
		if (memory.get(hash) === 'accepted') return;
		if (isSuccess) accept();
		else memory.delete(hash);
	});
	return { state: 'first', accept };
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
	if (typeof body !== 'string' && !Buffer.isBuffer(body)) return true;
	try {
		const { result } = JSON.parse(body.toString()) as { result?: unknown };
		return result === undefined || String(result) === '0';
	} catch {
		return true;
	}
}

import { createHash } from 'node:crypto';

import type { IWebhookFunctions } from 'n8n-workflow';

/*
 * Which events this process of n8n has taken, and which are under way. An event is claimed by the first call that brings
 * it and counts as taken once it is known to have succeeded, however its caller behaves: one who leaves calls again.
 */

/** What a call may do with its event. */
export type Claim =
	/** Start it; it stays under way until `take` is called, or the call is answered. */
	| { state: 'first'; take(): void }
	/** Neither start it nor call it a success: another call brought it, whose outcome is not known yet. */
	| { state: 'underWay' }
	/** Answer success and start nothing. */
	| { state: 'taken' };

/** Events that one process remembers, per node. */
const REMEMBERED = 10_000;

type Memory = Map<string, 'underWay' | 'taken'>;

const memories = new Map<string, Memory>();

function memoryOf(context: IWebhookFunctions): Memory {
	// By id: a node may be renamed.
	const node = `${context.getWorkflow().id} ${context.getNode().id}`;
	const memory = memories.get(node) ?? (new Map() as Memory);
	memories.set(node, memory);
	return memory;
}

/** What is kept of an event. 72 bits: among ten thousand events a chance meeting is one in 10^14. */
export const hashOf = (key: string) => createHash('sha256').update(key).digest('base64url').slice(0, 12);

/** The hashes of the node's events that were taken, oldest first. */
export const takenBefore = (context: IWebhookFunctions): string[] =>
	[...memoryOf(context)].filter(([, state]) => state === 'taken').map(([hash]) => hash);

/**
 * Claims an event for this call.
 *
 * The call's answer decides, where nobody says before that the event was taken: an HTTP status below 400 without a
 * `result`, or with the `result` 0, is a success; after anything else the next call may start the event again.
 *
 * @param key what makes two calls of one node the same event; only a hash of it is kept
 */
export function claimEvent(context: IWebhookFunctions, key: string): Claim {
	const hash = hashOf(key);
	const memory = memoryOf(context);
	const state = memory.get(hash);
	if (state !== undefined) return { state };

	memory.set(hash, 'underWay');
	for (const oldest of memory.keys()) {
		if (memory.size <= REMEMBERED) break;
		memory.delete(oldest);
	}
	const take = () => {
		memory.set(hash, 'taken');
	};
	whenAnswered(context, (isSuccess) => {
		if (memory.get(hash) === 'taken') return;
		if (isSuccess) take();
		else memory.delete(hash);
	});
	return { state: 'first', take };
}

/**
 * Watches what n8n answers to a call. It ends the response also where the caller has left, of which the response's own
 * events say nothing: `close` comes when the caller leaves, and `finish` never then.
 */
function whenAnswered(context: IWebhookFunctions, then: (isSuccess: boolean) => void): void {
	const response = context.getResponseObject();
	const end = response.end as (...args: unknown[]) => typeof response;
	response.end = (...args: unknown[]) => {
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

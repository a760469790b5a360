import { createHash } from 'node:crypto';

import type { IWebhookFunctions } from 'n8n-workflow';

/** Events that survive a restart of n8n, per node; all of them are written at every event. */
const STORED = 500;

/** Events that one process remembers, per node. */
const REMEMBERED = 10_000;

/**
 * Each request sees its own copy of the static data, so two calls at the same moment would both pass. This one
 * memory per process stops them. It is a best effort: two processes of n8n share the static data alone.
 */
const processMemory = new Map<string, Map<string, 'pending' | 'answered'>>();

/** 72 bits: among ten thousand events a chance meeting is one in 10^14. */
const hashOf = (key: string) => createHash('sha256').update(key).digest('base64url').slice(0, 12);

/** @returns what this process remembers of the node's events, the new one among them; undefined where it was seen before */
function note(context: IWebhookFunctions, hash: string): Map<string, 'pending' | 'answered'> | undefined {
	const node = `${context.getWorkflow().id} ${context.getNode().id}`;
	const recent = processMemory.get(node) ?? new Map<string, 'pending' | 'answered'>();
	processMemory.set(node, recent);
	if (recent.has(hash)) return undefined;

	recent.set(hash, 'pending');
	const response = context.getResponseObject();
	response.once('finish', () => {
		if (response.statusCode < 400) recent.set(hash, 'answered');
		else recent.delete(hash);
	});
	// A caller who leaves before the answer never reads it, and calls again. Where the workflow answers, it runs.
	const answersAtOnce = context.getNodeParameter('respond', 'onReceived') === 'onReceived';
	response.once('close', () => {
		if (answersAtOnce && recent.get(hash) === 'pending') recent.delete(hash);
	});
	for (const oldest of recent.keys()) {
		if (recent.size <= REMEMBERED) break;
		recent.delete(oldest);
	}
	return recent;
}

/** Whether an event came to this process for the first time, or its earlier calls ended in an error. */
export const isFirstCall = (context: IWebhookFunctions, key: string): boolean => note(context, hashOf(key)) !== undefined;

/** An event that came for the first time. */
export interface FirstSeen {
	/**
	 * Writes the event into the static data. It counts only between the moment in which n8n has recorded the
	 * execution and the moment in which it answers: what is written before is lost when n8n prepares the run.
	 */
	store(): void;
}

/**
 * Notes an event as seen.
 *
 * An event counts as seen only if its call ends well: where n8n can't record the execution, or the workflow that
 * answers fails, the caller gets an error, and the platform's next try has to get through.
 *
 * @param key what makes two calls the same event; only a hash of it is kept
 * @returns undefined where the event was seen before
 */
export function rememberEvent(context: IWebhookFunctions, key: string): FirstSeen | undefined {
	// While an admin tests in the editor, the same message may come as often as they like.
	if (context.getMode() === 'manual') return { store() {} };

	const staticData = context.getWorkflowStaticData('node');
	const stored = Array.isArray(staticData.seen) ? (staticData.seen as string[]) : [];
	const hash = hashOf(key);
	const recent = stored.includes(hash) ? undefined : note(context, hash);
	if (recent === undefined) return undefined;
	return {
		store() {
			recent.set(hash, 'answered');
			const answered = [...recent].filter(([, state]) => state === 'answered').map(([seen]) => seen);
			staticData.seen = [...new Set([...stored, ...answered.slice(-STORED), hash])].slice(-STORED);
		},
	};
}

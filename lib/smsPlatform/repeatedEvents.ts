import { jsonParse, type IWebhookFunctions } from 'n8n-workflow';

import { hashOf } from '../values/digest';
import { toText } from '../values/text';
import { isDelivered } from './api';

/*
 * One event, one run: which events this process of n8n has accepted, and which are in progress. They can't be kept in the
 * workflow's static data: whoever saves it overwrites what an execution saved there at the same moment.
 */

/** What makes two requests of one node the same event: its message, and what tells the events of one message apart. */
export type EventKey = { message: string; status?: string };

/** Messages whose events one process knows, per node. */
export const REMEMBERED = 10_000;

/**
 * Events that are known of one message: who has its URL can report any status, and must not displace the events of others.
 * One of the places is kept for a delivered one, so that made-up statuses can't keep the true report out.
 */
export const OF_ONE_MESSAGE = 8;

type State = 'inProgress' | 'accepted';

/** By node, then by message, the oldest first, each of its statuses. */
const memories = new Map<string, Map<string, Map<string, State>>>();

/**
 * Claims an event for this request. What n8n answers decides what becomes of it: an HTTP status below 400 without a
 * `result`, or with the `result` 0, is a success; after anything else the next request may start it again.
 * @returns whether to start it, or what became of it. Where too many statuses of its message are known: accepted
 */
export function claimEvent(context: IWebhookFunctions, { message, status = '' }: EventKey): 'first' | State {
	// By id: a node may be renamed.
	const node = `${context.getWorkflow().id} ${context.getNode().id}`;
	const memory = memories.get(node) ?? new Map<string, Map<string, State>>();
	memories.set(node, memory);
	// A hash, because a message is named with a person's number and text.
	const hash = hashOf(message);
	const states = memory.get(hash) ?? new Map<string, State>();
	const state = states.get(status);
	if (state !== undefined) return state;
	const keepsPlace = !isDelivered(status) && ![...states.keys()].some(isDelivered);
	if (states.size >= (keepsPlace ? OF_ONE_MESSAGE - 1 : OF_ONE_MESSAGE)) return 'accepted';

	memory.set(hash, states.set(status, 'inProgress'));
	if (memory.size > REMEMBERED) memory.delete(memory.keys().next().value!);
	whenAnswered(context, (isSuccess) => {
		if (isSuccess) states.set(status, 'accepted');
		else states.delete(status);
	});
	return 'first';
}

/** Watches n8n's first answer, also where the client has left: after Respond to Webhook n8n ends the response twice. */
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
	const text = Buffer.isBuffer(body) ? body.toString() : toText(body);
	const { result } = jsonParse<{ result?: unknown } | null>(text, { fallbackValue: null }) ?? {};
	return result === undefined || result === '0' || result === 0;
}

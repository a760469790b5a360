import { jsonParse, type IWebhookFunctions } from 'n8n-workflow';

import { hashOf } from '../values/digest';
import { toText } from '../values/text';
import { isDelivered } from './api';

/*
 * Starts one run for each event. It remembers the events that this process of n8n has accepted, and those in progress. The
 * workflow's static data can't store them, because an execution that saves it overwrites what another one saved meanwhile.
 */

/** Identifies an event of a node: two requests with the same message and status are the same event. */
export type EventKey = { message: string; status?: string };

/** How many messages of a node a process remembers. */
export const REMEMBERED = 10_000;

/**
 * How many events of one message are remembered. A client who knows the message's URL can report any status, and must not
 * displace the events of other messages. One place is reserved for a status that means delivered, so that invented statuses
 * can't keep out the true report.
 */
export const OF_ONE_MESSAGE = 8;

type State = 'inProgress' | 'accepted';

/** The states by node, then by message (the oldest first), then by status. */
const memories = new Map<string, Map<string, Map<string, State>>>();

/**
 * Claims an event for this request. n8n's answer decides the state of the event. It is accepted if the HTTP status is below 400
 * and the answer has no `result` or the `result` 0. After any other answer the next request may start it again.
 * @returns `first` if the request starts the event, otherwise the event's state. If too many statuses of its message are
 * known, that is `accepted`
 */
export function claimEvent(context: IWebhookFunctions, { message, status = '' }: EventKey): 'first' | State {
	// The node's id, because a node may be renamed.
	const node = `${context.getWorkflow().id} ${context.getNode().id}`;
	const memory = memories.get(node) ?? new Map<string, Map<string, State>>();
	memories.set(node, memory);
	// Only a hash is kept, because the message contains a person's number and text.
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

/**
 * Calls back when n8n answers, even if the client has disconnected. Only the first answer counts, because after Respond to
 * Webhook n8n ends the response twice.
 */
function whenAnswered(context: IWebhookFunctions, then: (isSuccess: boolean) => void): void {
	const response = context.getResponseObject();
	const end = response.end as (...args: unknown[]) => typeof response;
	response.end = (...args: unknown[]) => {
		response.end = end as typeof response.end;
		then(response.statusCode < 400 && isAnswerOfSuccess(args[0]));
		return end.apply(response, args);
	};
}

/** Returns whether an answer has no `result`, or the `result` that means success. */
function isAnswerOfSuccess(body: unknown): boolean {
	const text = Buffer.isBuffer(body) ? body.toString() : toText(body);
	const { result } = jsonParse<{ result?: unknown } | null>(text, { fallbackValue: null }) ?? {};
	return result === undefined || result === '0' || result === 0;
}

import { jsonParse, type IWebhookFunctions } from 'n8n-workflow';

import { hashOf } from '../values/digest';
import { toText } from '../values/text';
import { isDelivered } from './api';

/*
 * Memory of events (incoming messages and delivery reports), so that each event starts one run. This process of n8n remembers
 * the events that it has accepted, and those in progress. n8n's static data of a workflow can't store them: an execution that
 * saves it overwrites the changes that another execution saved meanwhile.
 */

/** Identifies an event of a node. Two requests with the same message and status are the same event. */
export type EventKey = { message: string; status?: string };

/** The largest number of messages of a node that a process remembers. */
export const REMEMBERED = 10_000;

/**
 * The largest number of events of one message. A client who knows the URL of a message can report any status. Without this limit,
 * such a client could start any number of runs. One place is reserved for a status that means delivered, so that invented
 * statuses can't prevent the true report.
 */
export const OF_ONE_MESSAGE = 8;

type State = 'inProgress' | 'accepted';

/** The states of events by node, then by message (the oldest first), then by status. */
const memories = new Map<string, Map<string, Map<string, State>>>();

/**
 * Claims an event for this request. The event is in progress until n8n answers. Then it is accepted if the HTTP status is below
 * 400 and the answer has no `result` or the `result` 0. After any other answer, the next request with this event may start the
 * workflow.
 * @returns `first` if this request starts the workflow, otherwise the state of the event. If too many statuses of the message
 * are remembered, the state is `accepted`
 */
export function claimEvent(context: IWebhookFunctions, { message, status = '' }: EventKey): 'first' | State {
	// The node's id is used, because a node may be renamed.
	const node = `${context.getWorkflow().id} ${context.getNode().id}`;
	const memory = memories.get(node) ?? new Map<string, Map<string, State>>();
	memories.set(node, memory);
	// Only a hash is stored, because `message` may contain a person's number and text.
	const hash = hashOf(message);
	const states = memory.get(hash) ?? new Map<string, State>();
	const state = states.get(status);
	if (state !== undefined) return state;
	const mustReservePlace = !isDelivered(status) && ![...states.keys()].some(isDelivered);
	if (states.size >= (mustReservePlace ? OF_ONE_MESSAGE - 1 : OF_ONE_MESSAGE)) return 'accepted';

	memory.set(hash, states.set(status, 'inProgress'));
	if (memory.size > REMEMBERED) memory.delete(memory.keys().next().value!);
	whenAnswered(context, (isSuccess) => {
		if (isSuccess) states.set(status, 'accepted');
		else states.delete(status);
	});
	return 'first';
}

/**
 * Calls `then` when n8n answers, even if the client has disconnected. Only the first answer counts, because n8n ends the response
 * twice after the node Respond to Webhook.
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

/** Returns whether an answer has no `result`, or the `result` 0, which means success. */
function isAnswerOfSuccess(body: unknown): boolean {
	const text = Buffer.isBuffer(body) ? body.toString() : toText(body);
	const { result } = jsonParse<{ result?: unknown } | null>(text, { fallbackValue: null }) ?? {};
	return result === undefined || result === '0' || result === 0;
}

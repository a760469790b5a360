import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isAllowedAddress } from '../shared/ipAllowlist';
import { readDeliveryReport } from './deliveryReport';
import type { Refused } from './refused';
import { rememberEvent } from './seenEvents';
import { readSmsForward } from './smsForward';
import { refusal, SUCCESS } from './wire';

export type Event = 'smsForward' | 'deliveryReport';

/**
 * Deals with one call from the platform: checks in the order that tells a stranger least, then starts the workflow
 * or answers the refusal.
 */
export async function receive(context: IWebhookFunctions, event: Event): Promise<IWebhookResponseData> {
	const events = context.getNodeParameter('events', []) as Event[];
	if (!events.includes(event)) return refuse(context, NOT_SWITCHED_ON);

	const options = context.getNodeParameter('options', {}) as { ipAllowlist?: string; ignoreDuplicates?: boolean };
	const request = context.getRequestObject();
	if (!isAllowedAddress(options.ipAllowlist ?? '', request.ip)) return refuse(context, FORBIDDEN);

	const { preSharedKey } = await context.getCredentials('smsPlatformApi');
	const key = typeof preSharedKey === 'string' ? preSharedKey : '';
	const body = request.method === 'GET' ? context.getQueryData() : readBody(context.getBodyData());

	const call = event === 'smsForward' ? readSmsForward(context, body, key) : readDeliveryReport(context, body, key);
	if ('code' in call) return refuse(context, call);
	if (call.key !== undefined && options.ignoreDuplicates !== false) {
		const workflowAnswers = event === 'smsForward' && context.getNodeParameter('respond', 'onReceived') !== 'onReceived';
		if (!rememberEvent(context, call.key, !workflowAnswers)) return answer(context, 200, SUCCESS);
	}

	const output = events.length > 1 && event === 'deliveryReport' ? 1 : 0;
	const workflowData = Array.from({ length: events.length }, (_, i) => (i === output ? [{ json: call.item }] : []));
	// n8n answers with this once the execution is recorded, so that no acknowledged event can be lost.
	return { workflowData, webhookResponse: SUCCESS };
}

const NOT_SWITCHED_ON: Refused = { status: 404, code: 'NOT_FOUND', reason: 'This service is not available' };
const FORBIDDEN: Refused = { status: 403, code: 'FORBIDDEN_ADDRESS', reason: 'Calls from this address are not accepted' };
export const INTERNAL_ERROR: Refused = {
	status: 500,
	code: 'INTERNAL_ERROR',
	reason: 'The message could not be processed; please send it again later',
};

/** Answers a call that starts nothing, in the platform's own format. */
export function refuse(context: IWebhookFunctions, { status, code, reason }: Refused): IWebhookResponseData {
	return answer(context, status, refusal(code, reason));
}

function answer(context: IWebhookFunctions, status: number, body: object): IWebhookResponseData {
	context.getResponseObject().status(status).json(body);
	return { noWebhookResponse: true };
}

/** Longest body that is parsed here, in characters. */
const LONGEST_TEXT = 200_000;

/** n8n parses bodies that call themselves JSON; one that does not arrives as text. */
export function readBody(body: unknown): unknown {
	if (typeof body !== 'string' || body.length > LONGEST_TEXT) return body;
	try {
		return JSON.parse(body);
	} catch {
		return undefined;
	}
}

import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isAllowedAddress } from '../shared/ipAllowlist';
import { readDeliveryReport } from './deliveryReport';
import { hideKeys, readPreSharedKeys, type PreSharedKeys } from './preSharedKeys';
import type { Refused } from './refused';
import { rememberEvent, type FirstSeen } from './seenEvents';
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

	// Read only for callers who claim to have a key or a signature: n8n spends more on it than on all else here.
	let keys: PreSharedKeys = { current: '' };
	const readKeys = async () => {
		keys = readPreSharedKeys(await context.getCredentials('smsPlatformApi'));
		return keys;
	};
	const body = request.method === 'GET' ? context.getQueryData() : await readBody(context);

	const read = event === 'smsForward' ? readSmsForward : readDeliveryReport;
	const call = await read(context, body, readKeys);
	if ('code' in call) return refuse(context, call);
	let first: FirstSeen | undefined;
	if (call.key !== undefined && options.ignoreDuplicates !== false) {
		first = rememberEvent(context, call.key);
		if (first === undefined) return answer(context, 200, SUCCESS);
	}

	const json = hideKeys(call.item, keys);
	const output = events.length > 1 && event === 'deliveryReport' ? 1 : 0;
	return {
		workflowData: Array.from({ length: events.length }, (_, i) => (i === output ? [{ json }] : [])),
		// n8n asks for this once the execution is recorded, so that no acknowledged event can be lost, and saves the
		// static data right after. Where the workflow answers, n8n does not ask.
		get webhookResponse() {
			first?.store();
			return SUCCESS;
		},
	};
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

/** Longest body that is parsed here, in bytes; n8n has parsed what came as JSON before. */
const LONGEST_BODY = 200_000;

/**
 * The body of a call. n8n parses it by its content type; how the platform names that is not documented, and a body
 * without one, or under any other name than n8n's own for JSON, is JSON all the same. Undefined where nothing
 * can be read: parts of a form that n8n has consumed, a broken compression, a caller who went away.
 */
export async function readBody(context: IWebhookFunctions): Promise<unknown> {
	const request = context.getRequestObject() as RawRequest;
	const parsed: unknown = context.getBodyData();
	if (request.contentType === 'application/json') return parsed;
	try {
		await request.readRawBody?.();
		const { rawBody } = request;
		if (rawBody === undefined || rawBody.length > LONGEST_BODY) return parsed;
		return JSON.parse(rawBody.toString('utf8'));
	} catch {
		return parsed;
	}
}

/** What n8n adds to a request: how it read the content type, and the bytes of the body once they are read. */
interface RawRequest {
	/** The type alone, in lower case; undefined where the caller named none. */
	contentType?: string;
	rawBody?: Buffer;
	readRawBody?: () => Promise<void>;
}

import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { EventKey } from './repeatedEvents';
import { refusal, type RefusalCode } from './api';

/* What a request of the platform leads to, whichever node it is for, and how it is answered. */

/** A request that starts the workflow. */
export interface Started {
	/** What leaves the node, per output. */
	outputs: INodeExecutionData[][];
	/** Requests with the same key are one event; undefined where nothing tells it from others. */
	key: EventKey | undefined;
}

/** A request that starts nothing, and what its client is told. */
export interface Refused {
	/** HTTP status. */
	status: number;
	code: RefusalCode;
	/** In words, with nothing in them that the client sent. */
	reason: string;
	/** What the admin has to know and the client does not, for the log. */
	cause?: string;
}

export const refusedWith = (status: number, code: RefusalCode, reason: string): Refused => ({ status, code, reason });

const AGAIN = 'please send it again later';
export const INTERNAL_ERROR = refusedWith(500, 'INTERNAL_ERROR', `The message could not be processed; ${AGAIN}`);

/** For a request that repeats one whose outcome is not known yet: success would be a promise that may not hold. */
export const IN_PROGRESS: Refused = {
	...INTERNAL_ERROR,
	reason: `An earlier request with the same message is still in progress; ${AGAIN}`,
};

/** Answers a request that starts nothing, in the platform's own format. */
export const refuse = (context: IWebhookFunctions, { status, code, reason }: Refused): IWebhookResponseData =>
	answer(context, status, refusal(code, reason));

/** Answers immediately, before n8n records anything: for refusals and repeats, never for what starts an execution. */
export function answer(context: IWebhookFunctions, status: number, body: object): IWebhookResponseData {
	context.getResponseObject().status(status).json(body);
	return { noWebhookResponse: true };
}

import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { EventKey } from './repeatedEvents';
import { refusal, type RefusalCode } from './api';

/* The results of requests that the platform sends to a webhook, and the answers to them. All nodes share them. */

/** A request that starts the workflow. */
export interface Started {
	/** The items of each output. */
	outputs: INodeExecutionData[][];
	/** Requests with the same key are one event. Undefined if nothing identifies the event. */
	key: EventKey | undefined;
}

/** A request that does not start the workflow, and the answer to its client. */
export interface Refused {
	/** HTTP status. */
	status: number;
	code: RefusalCode;
	/** A text without anything that the client sent. */
	reason: string;
	/** A text for the log: it is for the admin, and the client must not see it. */
	cause?: string;
}

export const refusedWith = (status: number, code: RefusalCode, reason: string): Refused => ({ status, code, reason });

const AGAIN = 'please send it again later';
export const INTERNAL_ERROR = refusedWith(500, 'INTERNAL_ERROR', `The message could not be processed; ${AGAIN}`);

/** The answer to a repeated request while the first is still in progress. An answer of success could turn out to be wrong. */
export const IN_PROGRESS: Refused = {
	...INTERNAL_ERROR,
	reason: `An earlier request with the same message is still in progress; ${AGAIN}`,
};

/** Answers a request that does not start the workflow, in the platform's own format. */
export const refuse = (context: IWebhookFunctions, { status, code, reason }: Refused): IWebhookResponseData =>
	answer(context, status, refusal(code, reason));

/** Answers immediately, before n8n stores anything. Only for rejected and repeated requests, which start no execution. */
export function answer(context: IWebhookFunctions, status: number, body: object): IWebhookResponseData {
	context.getResponseObject().status(status).json(body);
	return { noWebhookResponse: true };
}

import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { EventKey } from './repeatedEvents';
import { rejectionBody, type RejectionCode } from './api';

/*
 * The results of requests that the platform sends to a webhook of a node, and the answers to them. SMS Trigger and SMS Send use
 * both. For SMS Trigger the success answer is chosen in `start` of `nodes/SmsTrigger/receive.ts`.
 */

/** The result for a request that starts the workflow. */
export interface Started {
	kind: 'started';
	/** The items of each output. */
	outputs: INodeExecutionData[][];
	/** Requests with the same key are the same event. Undefined if nothing identifies the event. */
	eventKey: EventKey | undefined;
}

/** The result for a request that does not start the workflow, with the answer to its client. */
export interface Rejection {
	kind: 'rejected';
	/** The HTTP status of the answer. */
	status: number;
	code: RejectionCode;
	/** The text of the answer. It contains nothing that the client sent. */
	reason: string;
	/** A text for the admin in the log. It is not in the answer, because the client must not see it. */
	cause?: string;
}

export const makeRejection = (status: number, code: RejectionCode, reason: string): Rejection => ({
	kind: 'rejected',
	status,
	code,
	reason,
});

const AGAIN = 'please send it again later';
export const INTERNAL_ERROR = makeRejection(500, 'INTERNAL_ERROR', `The message could not be processed; ${AGAIN}`);

/**
 * The answer to a repeated request while the first one is still in progress. The first one may still fail, so this answer can't
 * be a success.
 */
export const IN_PROGRESS: Rejection = {
	...INTERNAL_ERROR,
	reason: `An earlier request with the same message is still in progress; ${AGAIN}`,
};

/** Answers a request that does not start the workflow, in the platform's own format. */
export const answerRejection = (
	context: IWebhookFunctions,
	{ status, code, reason }: Rejection,
): IWebhookResponseData => answer(context, status, rejectionBody(code, reason));

/** Answers immediately, before n8n stores anything. It must be called only for requests that start no execution. */
export function answer(context: IWebhookFunctions, status: number, body: object): IWebhookResponseData {
	context.getResponseObject().status(status).json(body);
	return { noWebhookResponse: true };
}

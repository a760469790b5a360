import type { INodeExecutionData } from 'n8n-workflow';

import type { RejectionCode } from './api';
import type { EventKey } from './repeatedEvents';

/*
 * The results of checking a request that the platform sends to a webhook of a node. `webhookAnswer.ts` writes the answers.
 */

/** The result for a valid request. It starts the workflow, unless the event is a repeat. */
export interface Valid {
	kind: 'valid';
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
 * The rejection of a repeated request while the first one is still in progress. The first one may still fail, so the repeat does
 * not get a success.
 */
export const IN_PROGRESS: Rejection = {
	...INTERNAL_ERROR,
	reason: `An earlier request with the same message is still in progress; ${AGAIN}`,
};

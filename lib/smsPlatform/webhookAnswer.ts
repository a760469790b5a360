import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { rejectionBody, SUCCESS } from './api';
import { logRejection } from './rejectionLog';
import type { Rejection } from './webhookResult';

/*
 * The answers to requests that the platform sends to a webhook of a node. SMS Trigger and SMS Send use them. If the workflow
 * itself answers a message (the option Respond of SMS Trigger), its answer is used in place of `SUCCESS_BY_N8N`.
 */

/**
 * A webhook that returns this lets n8n answer with success. If the webhook also starts the workflow, n8n stores the execution
 * before it answers.
 */
export const SUCCESS_BY_N8N = { webhookResponse: SUCCESS };

/** Answers a repeated event with success. It was accepted before, so the request starts no execution. */
export const answerRepeat = (context: IWebhookFunctions): IWebhookResponseData => answer(context, 200, SUCCESS);

/**
 * Answers a rejected request in the platform's own format, and logs it.
 * @param type the name of the node's type, as the editor shows it
 */
export function answerRejection(context: IWebhookFunctions, type: string, rejection: Rejection): IWebhookResponseData {
	logRejection(context, type, rejection);
	return answer(context, rejection.status, rejectionBody(rejection.code, rejection.reason));
}

/** Answers immediately, before n8n stores anything. It must be called only for requests that start no execution. */
function answer(context: IWebhookFunctions, status: number, body: object): IWebhookResponseData {
	context.getResponseObject().status(status).json(body);
	return { noWebhookResponse: true };
}

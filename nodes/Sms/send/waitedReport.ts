import type { IWebhookDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { z } from 'zod';

import { greekMobile } from '../../shared/greek';
import { secretsOf } from '../../shared/request';
import { hideInData } from '../../shared/hide';
import { isDelivered, isFinal, dlrRequest, SUCCESS } from '../wire';
import { inPlainCharacters } from '../signedUrl';
import { claimEvent, INTERNAL_ERROR, IN_PROGRESS, readBody, readFields, refuse } from '../webhookRequest';

/** The URL under which n8n resumes a waiting execution; n8n signs it and checks the signature itself. */
export const resumeWebhooks: IWebhookDescription[] = [
	{
		name: 'default',
		// How the platform sends it is not documented.
		httpMethod: 'POST,PUT,GET' as 'POST',
		responseMode: 'onReceived',
		responseData: '',
		path: '={{ $nodeId }}',
		restartWebhook: true,
		isFullPath: true,
	},
];

/** What the waiting execution knows of its message, and what leaves the node when the wait ends by time. */
const waiting = z.object({
	serviceId: z.string(),
	messageId: z.string(),
	recipient: z.string(),
	reference: z.string(),
	/** Tells this wait from others of the same execution, whose messages may have the same reference. */
	waitId: z.string(),
});

/**
 * Deals with a request to the resume URL of a waiting execution, whose signature n8n has checked: continues it
 * on a final status of its message, and leaves it waiting otherwise.
 */
export async function receiveReport(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const read = readFields(await readBody(context), dlrRequest);
	if ('code' in read) return refuse(context, read);
	const report = read.fields;

	// The waiting execution's own item, as `sendAndWait` left it.
	const message = waiting.safeParse(context.evaluateExpression('{{ $json }}', 0));
	if (!message.success) return refuse(context, INTERNAL_ERROR);
	const { serviceId, messageId, recipient, reference, waitId } = message.data;
	const { ref, once } = context.getQueryData() as { ref?: unknown; once?: unknown };
	if (
		ref !== inPlainCharacters(reference) ||
		once !== waitId ||
		report.serviceId !== serviceId ||
		!isSameRecipient(recipient, report.recipient)
	) {
		return refuse(context, {
			status: 401,
			code: 'INVALID_SIGNATURE',
			reason: 'The URL of this delivery report belongs to another message',
		});
	}
	if (!isFinal(report.status)) return { webhookResponse: SUCCESS };
	const secrets = await readSecrets(context);
	// n8n 1 goes on once for each of two requests at the same moment, and what follows would be done twice.
	const state = claimEvent(context, { message: waitId });
	if (state === 'accepted') return { webhookResponse: SUCCESS };
	if (state === 'inProgress') return refuse(context, IN_PROGRESS);

	const json = {
		delivered: isDelivered(report.status),
		status: report.status,
		...(report.error !== '' && { errorCode: report.error }),
		serviceId,
		messageId,
		recipient,
		reference,
	};
	return { workflowData: [[{ json: hideInData(json, secrets), pairedItem: { item: 0 } }]], webhookResponse: SUCCESS };
}

/** The keys that a report must not bring into the execution. A credential that was deleted meanwhile has none. */
async function readSecrets(context: IWebhookFunctions): Promise<string[]> {
	try {
		return secretsOf(await context.getCredentials('smsPlatformApi'));
	} catch {
		return [];
	}
}

/**
 * Whether a report can speak of the number that the message was sent to, however either is written. What is no Greek
 * mobile number (a user name, a number abroad, one with a 0 too many) the platform may write in its own way, and the
 * URL of the report says whose it is.
 */
function isSameRecipient(sentTo: string, reported: string): boolean {
	const [one, other] = [greekMobile(sentTo), greekMobile(reported)];
	return one === undefined || other === undefined || one === other;
}

import type { IExecuteFunctions, IWebhookDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { z } from 'zod';

import { greekMobile } from '../../lib/greek/mobile';
import { secretsOf } from '../../lib/http/request';
import { dlrRequest, isDelivered, isFinal } from '../../lib/smsPlatform/api';
import { claimEvent } from '../../lib/smsPlatform/repeatedEvents';
import { inPlainCharacters } from '../../lib/smsPlatform/reportSignature';
import { answerRejection, SUCCESS_BY_N8N } from '../../lib/smsPlatform/webhookAnswer';
import { readBody, readFields } from '../../lib/smsPlatform/webhookBody';
import { INTERNAL_ERROR, IN_PROGRESS, makeRejection } from '../../lib/smsPlatform/webhookResult';
import { redactSecretsInData } from '../../lib/texts/redact';

/*
 * The delivery report for which an execution of Send and Wait waits. The platform sends it to the resume URL of the execution, and
 * not to an SMS Trigger.
 */

/**
 * Returns the URL at which n8n resumes this execution. In a loop, n8n's URL is the same for each message. The query parameters
 * `ref` and `once` distinguish the messages.
 */
export function resumeUrl(context: IExecuteFunctions, reference: string, waitId: string): string {
	return context.getSignedResumeUrl({ ref: inPlainCharacters(reference), once: waitId });
}

/** The webhook at which n8n resumes a waiting execution. n8n signs its URL and checks the signature. */
export const resumeWebhooks: IWebhookDescription[] = [
	{
		name: 'default',
		// The platform's document does not say which method the platform uses.
		httpMethod: 'POST,PUT,GET' as 'POST',
		responseMode: 'onReceived',
		responseData: '',
		path: '={{ $nodeId }}',
		restartWebhook: true,
		isFullPath: true,
	},
];

const text = z.string();
/**
 * The schema of the item of a waiting execution. The node passes this item on when the waiting time is over. `waitId`
 * distinguishes this wait from other waits of the same execution, whose messages may have the same reference.
 */
const waitingItem = z.object({ serviceId: text, messageId: text, recipient: text, reference: text, waitId: text });

/** Handles a request to the resume URL, whose signature n8n has checked. A report with a final status ends the wait. */
export async function receiveReport(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	// Also with GET the fields are read from the body: fields in the query would change the URL, and n8n would refuse its
	// signature.
	const read = readFields(await readBody(context), dlrRequest);
	if (read.kind === 'rejected') return answerRejection(context, 'SMS Send', read);
	const report = read.fields;

	// `$json` is the item of the waiting execution, as `sendAndWait.ts` made it.
	const message = waitingItem.safeParse(context.evaluateExpression('{{ $json }}', 0));
	if (!message.success) return answerRejection(context, 'SMS Send', INTERNAL_ERROR);
	const { waitId, ...ids } = message.data;
	const { ref, once } = context.getQueryData() as { ref?: unknown; once?: unknown };
	const isSameMessage =
		ref === inPlainCharacters(ids.reference) && once === waitId && report.serviceId === ids.serviceId;
	// Only Greek mobiles can be compared, because they have a normal form. For other recipients the URL and the service have to
	// suffice.
	const [sentTo, reported] = [greekMobile(ids.recipient), greekMobile(report.recipient)];
	const isOtherMobile = sentTo !== undefined && reported !== undefined && sentTo !== reported;
	if (!isSameMessage || isOtherMobile) {
		const reason = 'The URL of this delivery report belongs to another message';
		return answerRejection(context, 'SMS Send', makeRejection(401, 'INVALID_SIGNATURE', reason));
	}
	if (!isFinal(report.status)) return SUCCESS_BY_N8N;
	// If the report contains a key of the credential, the key is redacted, so that n8n does not store it with the execution. If
	// the credential was deleted meanwhile, its keys are not known.
	const secrets = await context.getCredentials('smsPlatformApi').then(secretsOf, () => []);
	// The platform may send the same report twice at the same moment.
	const state = claimEvent(context, { message: waitId });
	if (state === 'accepted') return SUCCESS_BY_N8N;
	if (state === 'inProgress') return answerRejection(context, 'SMS Send', IN_PROGRESS);

	const json = {
		delivered: isDelivered(report.status),
		status: report.status,
		...(report.error !== '' && { errorCode: report.error }),
		...ids,
	};
	return {
		workflowData: [[{ json: redactSecretsInData(json, secrets), pairedItem: { item: 0 } }]],
		...SUCCESS_BY_N8N,
	};
}

import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { toProblem } from '../../lib/texts/problem';
import { claimEvent } from '../../lib/smsPlatform/repeatedEvents';
import { answerRejection, answerRepeat, SUCCESS_BY_N8N } from '../../lib/smsPlatform/webhookAnswer';
import { readBody } from '../../lib/smsPlatform/webhookBody';
import {
	INTERNAL_ERROR,
	IN_PROGRESS,
	makeRejection,
	type Rejection,
	type Valid,
} from '../../lib/smsPlatform/webhookResult';
import { holdsAddress, isAllowedAddress } from './ipAllowlist';
import { readGuardingList } from './properties';
import { readReport } from './report';
import { readForward } from './smsForward';

export type Event = 'smsForward' | 'deliveryReport';

/** Handles a request of the platform: starts the workflow, answers a repeated event with success, or rejects the request. */
export async function receive(context: IWebhookFunctions, event: Event): Promise<IWebhookResponseData> {
	try {
		const result = await check(context, event);
		return result.kind === 'rejected' ? answerAndLog(context, event, result) : start(context, event, result);
	} catch (error) {
		return answerAndLog(context, event, { ...INTERNAL_ERROR, cause: toProblem(error).message });
	}
}

/** Checks a request. The order of the checks reveals as little as possible to clients without the key. */
async function check(context: IWebhookFunctions, event: Event): Promise<Valid | Rejection> {
	const events = context.getNodeParameter('events', []) as Event[];
	if (!events.includes(event)) return NOT_SWITCHED_ON;

	const request = context.getRequestObject();
	const refused = refusedAddress(context, request.ip);
	if (refused !== undefined) return refused;

	const body = request.method === 'GET' ? { data: context.getQueryData() } : await readBody(context);
	return event === 'smsForward' ? await readForward(context, body) : await readReport(context, body);
}

/**
 * Returns the rejection of a client whose IP address is not allowed. A field that was left empty allows everybody. An expression
 * without a value, or a list without a readable entry, refuses everybody.
 */
function refusedAddress(context: IWebhookFunctions, ip: string | undefined): Rejection | undefined {
	const { entries, isLeftEmpty, fault } = readGuardingList(context, 'options.ipAllowlist', 'IP Allowlist');
	if (fault !== undefined) return { ...FORBIDDEN, cause: `${fault}, so all requests are refused` };
	const allowlist = entries.join(',');
	if (!isLeftEmpty && !holdsAddress(allowlist)) return { ...FORBIDDEN, cause: NO_ADDRESS };
	return isAllowedAddress(allowlist, ip) ? undefined : FORBIDDEN;
}

/**
 * Starts the workflow, unless the event is in progress or accepted already. A report, and a message with Respond set to
 * Immediately, is answered when n8n has stored the execution. Otherwise the workflow gives the answer.
 */
function start(context: IWebhookFunctions, event: Event, { outputs, eventKey }: Valid): IWebhookResponseData {
	// While an admin tests in the editor, each valid request starts the workflow, even if the same event comes again.
	const mayBeRepeat = eventKey !== undefined && context.getMode() !== 'manual';
	// `claimEvent` itself ends the claim when n8n answers.
	const claim = mayBeRepeat ? claimEvent(context, eventKey) : 'first';
	if (claim === 'accepted') return answerRepeat(context);
	if (claim === 'inProgress') return answerAndLog(context, event, IN_PROGRESS);
	const answersBeforeRun =
		event === 'deliveryReport' || context.getNodeParameter('respond', 'onReceived') === 'onReceived';
	return { workflowData: outputs, ...(answersBeforeRun && SUCCESS_BY_N8N) };
}

const NOT_SWITCHED_ON = makeRejection(404, 'NOT_FOUND', 'This service is not available');
const FORBIDDEN = makeRejection(403, 'FORBIDDEN_ADDRESS', 'Requests from this IP address are not accepted');
const NO_ADDRESS = 'IP Allowlist contains no valid IP address or range, so all requests are refused';

/**
 * Answers a rejected request and logs it. The option Refuse with Status 200 changes the status of the answer to a message,
 * because some platforms read an answer only if its status is 200. Platforms ignore the answers to reports.
 */
function answerAndLog(context: IWebhookFunctions, event: Event, rejection: Rejection): IWebhookResponseData {
	const isAnsweredWith200 =
		event === 'smsForward' && context.getNodeParameter('options.refuseWithStatus200', false) === true;
	const answered = isAnsweredWith200 ? { ...rejection, status: 200 } : rejection;
	return answerRejection(context, 'SMS Trigger', answered);
}

import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { toProblem } from '../../lib/texts/problem';
import { claimEvent } from '../../lib/smsPlatform/repeatedEvents';
import {
	answer,
	INTERNAL_ERROR,
	IN_PROGRESS,
	refuse,
	refusedWith,
	type Refused,
	type Started,
} from '../../lib/smsPlatform/webhookAnswer';
import { readBody } from '../../lib/smsPlatform/webhookBody';
import { SUCCESS } from '../../lib/smsPlatform/api';
import { readForward } from './forward';
import { holdsAddress, isAllowedAddress } from './ipAllowlist';
import { readGuardingList } from './properties';
import { readReport } from './report';

export type Event = 'smsForward' | 'deliveryReport';

/** Handles one request of the platform: starts the workflow, acknowledges a repeated event, or refuses. */
export async function receive(context: IWebhookFunctions, event: Event): Promise<IWebhookResponseData> {
	try {
		const call = await check(context, event);
		return 'code' in call ? refuseAndLog(context, event, call) : start(context, event, call);
	} catch (error) {
		return refuseAndLog(context, event, { ...INTERNAL_ERROR, cause: toProblem(error).message });
	}
}

/** Checks a request, in an order that reveals as little as possible to callers without the key. */
async function check(context: IWebhookFunctions, event: Event): Promise<Started | Refused> {
	const events = context.getNodeParameter('events', []) as Event[];
	if (!events.includes(event)) return NOT_SWITCHED_ON;

	const request = context.getRequestObject();
	const { entries, isLeftEmpty, fault } = readGuardingList(context, 'options.ipAllowlist', 'IP Allowlist');
	if (fault !== undefined) return { ...FORBIDDEN, cause: `${fault}, so everybody is refused` };
	const allowlist = entries.join(',');
	if (!isLeftEmpty && !holdsAddress(allowlist)) return { ...FORBIDDEN, cause: NO_ADDRESS };
	if (!isAllowedAddress(allowlist, request.ip)) return FORBIDDEN;

	const body = request.method === 'GET' ? { data: context.getQueryData() } : await readBody(context);
	return event === 'smsForward' ? await readForward(context, body) : await readReport(context, body);
}

/** Starts the workflow with an event that is neither in progress nor accepted. n8n answers once it is recorded. */
function start(context: IWebhookFunctions, event: Event, { outputs, key }: Started): IWebhookResponseData {
	// While an admin tests in the editor, the same message may come any number of times.
	const isCompared = key !== undefined && context.getMode() !== 'manual';
	const claim = isCompared ? claimEvent(context, key) : 'first';
	if (claim === 'accepted') return answer(context, 200, SUCCESS);
	if (claim === 'inProgress') return refuseAndLog(context, event, IN_PROGRESS);
	const answersAtOnce =
		event === 'deliveryReport' || context.getNodeParameter('respond', 'onReceived') === 'onReceived';
	return { workflowData: outputs, ...(answersAtOnce && { webhookResponse: SUCCESS }) };
}

const NOT_SWITCHED_ON = refusedWith(404, 'NOT_FOUND', 'This service is not available');
const FORBIDDEN = refusedWith(403, 'FORBIDDEN_ADDRESS', 'Requests from this IP address are not accepted');
const NO_ADDRESS = 'IP Allowlist contains no IP address or range that can be read, so everybody is refused';

/** Refuses a request and logs it. Some platforms read an answer only if its status is 200; they ignore answers to reports. */
function refuseAndLog(context: IWebhookFunctions, event: Event, refused: Refused): IWebhookResponseData {
	const isAnsweredWith200 =
		event === 'smsForward' && context.getNodeParameter('options.refuseWithStatus200', false) === true;
	const refusal = isAnsweredWith200 ? { ...refused, status: 200 } : refused;
	logRefusal(context, refusal);
	return refuse(context, refusal);
}

/** Milliseconds between two log lines about the same trigger and code, so that clients can't fill the log. */
const BETWEEN_LINES = 60_000;

/** When the last line of a trigger and a code was written, and how many requests were refused since. */
const written = new Map<string, { at: number; since: number }>();

/** Logs a warning, because n8n shows a rejected request nowhere else. The log line contains nothing that a client sent. */
export function logRefusal(context: IWebhookFunctions, { status, code, reason, cause = reason }: Refused): void {
	const { id, name } = context.getNode();
	const workflow = context.getWorkflow().id;
	const key = `${workflow} ${id} ${code}`;
	const last = written.get(key);
	const now = Date.now();
	if (last !== undefined && now - last.at < BETWEEN_LINES) {
		last.since++;
		return;
	}
	written.set(key, { at: now, since: 0 });
	const more = last !== undefined && last.since > 0 ? `; ${last.since} more since the last line of this kind` : '';
	context.logger.warn(
		`${name} (SMS Trigger, workflow ${workflow}) refused a request with ${code}, HTTP ${status}: ${cause}${more}`,
	);
}

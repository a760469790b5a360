import type { ICredentialDataDecryptedObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { asProblem } from '../../shared/problem';
import { readFlag } from '../../shared/parameter';
import { answer, asRead, INTERNAL_ERROR, readBody, refuse, IN_PROGRESS, type Refused } from '../webhookRequest';
import { SUCCESS } from '../wire';
import type { Accepted, ReadCredential } from './accepted';
import { readForward } from './forward';
import { readGuardingList } from './guardingList';
import { holdsAddress, isAllowedAddress } from './ipAllowlist';
import { logRefusal } from './refusals';
import { readReport } from './report';
import { claimUnseen } from './seen';

export type Event = 'smsForward' | 'deliveryReport';

/** Deals with one request from the platform: starts the workflow, says that it was started before, or refuses. */
export async function receive(context: IWebhookFunctions, event: Event): Promise<IWebhookResponseData> {
	try {
		const call = await check(context, event);
		return 'code' in call ? refuseAndLog(context, event, call) : start(context, event, call);
	} catch (error) {
		return refuseAndLog(context, event, { ...INTERNAL_ERROR, cause: asProblem(error).message });
	}
}

/** The checks, in the order that tells a stranger least. */
async function check(context: IWebhookFunctions, event: Event): Promise<Accepted | Refused> {
	const events = context.getNodeParameter('events', []) as Event[];
	if (!events.includes(event)) return NOT_SWITCHED_ON;

	const request = context.getRequestObject();
	const { entries, isLeftEmpty, fault } = readGuardingList(context, 'options.ipAllowlist', 'IP Allowlist');
	if (fault !== undefined) return { ...FORBIDDEN, cause: `${fault}, so everybody is refused` };
	const allowlist = entries.join(',');
	if (!isLeftEmpty && !holdsAddress(allowlist)) return { ...FORBIDDEN, cause: NO_ADDRESS };
	if (!isAllowedAddress(allowlist, request.ip)) return FORBIDDEN;

	const body = request.method === 'GET' ? asRead(context.getQueryData()) : await readBody(context);
	let credential: Promise<ICredentialDataDecryptedObject> | undefined;
	const readCredential: ReadCredential = async () => await (credential ??= context.getCredentials('smsPlatformApi'));
	return event === 'smsForward'
		? await readForward(context, body, readCredential)
		: await readReport(context, body, readCredential);
}

/** Starts the workflow with an event that is neither in progress nor accepted. */
function start(context: IWebhookFunctions, event: Event, { outputs, key }: Accepted): IWebhookResponseData {
	const isCompared =
		key !== undefined && readFlag(context.getNodeParameter('options.ignoreDuplicates', true), 'Ignore Duplicates');
	const claim = isCompared ? claimUnseen(context, key) : undefined;
	if (claim?.state === 'accepted') return answer(context, 200, SUCCESS);
	if (claim?.state === 'inProgress') return refuseAndLog(context, event, IN_PROGRESS);

	const answersAtOnce =
		event === 'deliveryReport' || context.getNodeParameter('respond', 'onReceived') === 'onReceived';
	if (!answersAtOnce) return { workflowData: outputs };
	return {
		workflowData: outputs,
		// n8n asks for this once the execution is recorded and has its place to run, so that no acknowledged event can be
		// lost, and saves the static data right after.
		get webhookResponse() {
			claim?.accept();
			return SUCCESS;
		},
	};
}

const NOT_SWITCHED_ON: Refused = { status: 404, code: 'NOT_FOUND', reason: 'This service is not available' };
const FORBIDDEN: Refused = {
	status: 403,
	code: 'FORBIDDEN_ADDRESS',
	reason: 'Requests from this IP address are not accepted',
};

const NO_ADDRESS = 'IP Allowlist contains no IP address or range that can be read, so everybody is refused';

/** Some platforms read an answer only where its status is 200; a report has no answer that anybody would read. */
function refuseAndLog(context: IWebhookFunctions, event: Event, refused: Refused): IWebhookResponseData {
	const saysOk = event === 'smsForward' && context.getNodeParameter('options.refuseWithStatus200', false) === true;
	const answered = saysOk ? { ...refused, status: 200 } : refused;
	logRefusal(context, answered);
	return refuse(context, answered);
}

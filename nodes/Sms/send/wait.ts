import { randomUUID } from 'node:crypto';

import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { z } from 'zod';

import { greekMobile } from '../../shared/mobile';
import { openLedger } from '../../shared/ledger';
import { getParameter } from '../../shared/parameter';
import { asProblem, errorItem, nodeError, Problem } from '../../shared/problem';
import { readNumber } from '../../shared/read';
import { secretsOf } from '../../shared/request';
import { hideInData } from '../../shared/secrets';
import { isTool } from '../../shared/tool';
import { claimEvent } from '../claim';
import { readPlatform, type Platform } from '../credential';
import { isDelivered, isFinal } from '../deliveryReport';
import { reportAddressWarnings } from '../dlrUrl';
import { INTERNAL_ERROR, malformed, readBody, refuse, UNDER_WAY } from '../webhookCall';
import { dlrRequest, SUCCESS } from '../wire';
import { openAlreadySent, sameMessageKey } from './alreadySent';
import { isUnknown, liveOf, nameOf, recall, type Entry } from './message';
import { nameProblem, readRow, type Row } from './row';
import { isProduction } from './rows';
import { readRequestOptions, readSkipWindow } from './runOptions';

/** The address under which n8n resumes a waiting execution; n8n signs it and checks the signature itself. */
export const resumeWebhooks: IWebhookDescription[] = [
	{
		name: 'default',
		// How the platform calls is not documented.
		httpMethod: 'POST,PUT,GET' as 'POST',
		responseMode: 'onReceived',
		responseData: '',
		path: '={{ $nodeId }}',
		restartWebhook: true,
		isFullPath: true,
	},
];

/** What the waiting execution holds of its message, and what leaves the node when the wait ends by time. */
const waiting = z.object({
	serviceId: z.string(),
	messageId: z.string(),
	recipient: z.string(),
	reference: z.string(),
});

/** Sends one message and pauses the execution until its delivery report, or until the time is over. */
export async function sendAndWait(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const count = context.getInputData().length;
	if (count === 0) return [];
	try {
		if (count > 1) throw takesOneItem(count);
		return [await sendOneAndWait(context)];
	} catch (error) {
		const problem = count > 1 ? asProblem(error) : nameProblem(context, 0, asProblem(error));
		if (!context.continueOnFail()) throw nodeError(context.getNode(), problem, 0);
		return [errorItem(problem, 0, context.getNode().onError)];
	}
}

function takesOneItem(count: number): Problem {
	return new Problem(
		`Send and Wait takes one item, and ${count} came; nothing was sent`,
		'Put the node after a Loop Over Items node with a batch size of 1, or into a sub-workflow that is called for each item, with what follows the report inside it',
		{ outcome: 'rejected' },
	);
}

async function sendOneAndWait(context: IExecuteFunctions): Promise<INodeExecutionData> {
	if (isTool(context)) {
		throw new Problem(
			'Send and Wait can\'t run as an AI tool: the agent would hang until the report comes; nothing was sent',
			'Choose the operation Send',
			{ outcome: 'rejected' },
		);
	}
	const maxWaitMinutes = readNumber(getParameter(context, 'options.maxWaitMinutes', 'Max Wait (Minutes)', 0, 60), 'Max Wait (Minutes)', 0.001, LONGEST_WAIT, 60);
	const json = await send(context);
	const item: INodeExecutionData = { json, pairedItem: { item: 0 } };
	if (json.skipped === true || json.dryRun === true) return item;
	await context.putExecutionToWait(new Date(Date.now() + maxWaitMinutes * 60_000)).catch((error: unknown) => {
		throw new Problem(
			`The message was sent, and the execution could not wait for its delivery report (${asProblem(error).message})`,
			'Do not send it again: ask the operator or the recipient whether it arrived',
			{ outcome: 'unknown', recipient: json.recipient, reference: json.reference },
		);
	});
	openLedger<Entry>(context).close();
	// When the wait ends by time, n8n runs no code of ours: it passes on the input item. So that is the answer then.
	// The engine made the item for this node alone, so no other node's data changes.
	const input = context.getInputData()[0]!;
	input.json = json;
	delete input.binary;
	return input;
}

/** A week, as long as carriers try. In minutes. */
const LONGEST_WAIT = 10_080;

/**
 * Sends the message, or does not: as one that was sent before, or in a dry run.
 *
 * @returns what leaves the node then, or what it leaves with when no report comes
 */
async function send(context: IExecuteFunctions): Promise<IDataObject> {
	const options = readRequestOptions(context);
	const platform = readPlatform({ type: 'smsPlatformApi', data: await context.getCredentials('smsPlatformApi') });
	// Its report comes to the execution that waits, whatever the credential says of others.
	const row = readRow(context, 0, { ...platform, dlrUrl: undefined });
	const alreadySent = openAlreadySent(context, 1, readSkipWindow(context), () =>
		row.ifAlreadySent === 'send' ? undefined : { key: sameMessageKey(row, platform), isDry: row.dryRun },
	);
	const run = { context, platform, options, ledger: openLedger<Entry>(context), alreadySent, pace: async () => {} };
	const outgoing = { row, makeAddress: (reference: string) => resumeAddress(context, platform, reference), toItem: timedOut };
	try {
		return recall(run.ledger, 0) ?? (await liveOf(run, 0, () => outgoing));
	} catch (error) {
		if (!isUnknown(error)) throw asProblem(error);
		// A report proves that it was taken; without one nobody knows.
		const reference = (error as Problem).details.reference as string;
		return { ...timedOut({ ...row, reference }), unknown: true };
	} finally {
		warn(context, await alreadySent.close());
	}
}

/** The address under which n8n goes on with this execution. In a loop every message has the same, but for these two. */
function resumeAddress(context: IExecuteFunctions, platform: Platform, reference: string): string {
	const address = context.getSignedResumeUrl({ ref: reference, once: randomUUID() });
	requireSignature(context);
	for (const warning of reportAddressWarnings(address, platform.sendUrl, isProduction(context))) warn(context, warning);
	return address;
}

/** What the node leaves with where no report comes. */
function timedOut(row: Row): IDataObject {
	const { serviceId, messageId } = row.message;
	return { delivered: false, status: 'TIMEOUT', serviceId, messageId, ...nameOf(row) };
}

function warn(context: IExecuteFunctions, message: string | undefined): void {
	if (message !== undefined) context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
}

/** n8n 1 checks the signature of a resume address only where a node asks for it; 2.20 and later always do. */
function requireSignature(context: IExecuteFunctions): void {
	(context as { setSignatureValidationRequired?: () => void }).setSignatureValidationRequired?.();
}

/**
 * Deals with a call to the resume address of a waiting execution, whose signature n8n has checked: continues it
 * on a final status of its message, and leaves it waiting otherwise.
 */
export async function receiveReport(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const parsed = dlrRequest.safeParse(await readBody(context));
	if (!parsed.success) return refuse(context, malformed(parsed.error));
	const report = parsed.data;

	// The waiting execution's own item, as `sendAndWait` left it.
	const message = waiting.safeParse(context.evaluateExpression('{{ $json }}', 0));
	if (!message.success) return refuse(context, INTERNAL_ERROR);
	const { serviceId, messageId, recipient, reference } = message.data;
	const { ref, once } = context.getQueryData() as { ref?: unknown; once?: unknown };
	if (ref !== reference || report.serviceId !== serviceId || !isSameRecipient(recipient, report.recipient)) {
		return refuse(context, {
			status: 401,
			code: 'INVALID_SIGNATURE',
			reason: 'The address of this delivery report belongs to another message',
		});
	}
	if (!isFinal(report.status)) return { webhookResponse: SUCCESS };
	const secrets = await readSecrets(context);
	// n8n 1 goes on once for each of two calls at the same moment, and what follows would be done twice.
	if (typeof once === 'string') {
		const { state } = claimEvent(context, once);
		if (state === 'taken') return { webhookResponse: SUCCESS };
		if (state === 'underWay') return refuse(context, UNDER_WAY);
	}

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
 * address of the report says whose it is.
 */
function isSameRecipient(sentTo: string, reported: string): boolean {
	const [one, other] = [greekMobile(sentTo), greekMobile(reported)];
	return one === undefined || other === undefined || one === other;
}

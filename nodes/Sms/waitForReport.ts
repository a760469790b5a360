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

import { credentialOnce } from '../shared/credentialOnce';
import { asProblem, badParameter, Problem } from '../shared/errors';
import { greekMobile } from '../shared/greek';
import { isDelivered } from './deliveryReport';
import { duplicateKeyOf, openDuplicates } from './duplicates';
import { INTERNAL_ERROR, readBody, refuse } from './inbound';
import { openLedger, type Ledger } from './ledger';
import { hideKeys, readPreSharedKeys } from './preSharedKeys';
import { malformed } from './refused';
import { isProduction, reportAddressWarning } from './reportAddress';
import { readRunOptions } from './runOptions';
import { checkCredential, nameOf, nameProblem, readRow, sendProblem, toOutput } from './send';
import { isFirstCall } from './seenEvents';
import { sendWithRetries } from './sendWithRetries';
import { dlrRequest, SUCCESS } from './wire';

/** The address under which n8n resumes a waiting execution; n8n signs it and checks the signature itself. */
export const resumeWebhooks: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
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

/**
 * Sends one message and pauses the execution until its delivery report, or until the time is over.
 *
 * @throws Problem for more than one item, as an AI tool, and where the message was not taken
 */
export async function sendAndWait(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData> {
	const items = context.getInputData();
	if (items.length > 1) {
		throw new Problem(
			`Send and Wait takes one item, and ${items.length} came; nothing was sent`,
			'Put the node after a Loop Over Items node with a batch size of 1, or into a sub-workflow that is called for each item, with what follows the report inside it',
			{ outcome: 'rejected' },
		);
	}
	if (isTool(context)) {
		throw new Problem(
			'Send and Wait can\'t run as an AI tool: the agent would hang until the report comes; nothing was sent',
			'Choose the operation Send',
			{ outcome: 'rejected' },
		);
	}

	const ledger = openLedger(context);
	try {
		// Where n8n runs the node again for a message that was taken, only the wait is left to do.
		const taken = ledger.recall(itemIndex);
		const maxWaitMinutes = readMaxWait(context, itemIndex);
		const { json, isSent } = taken === undefined ? await sendOne(context, itemIndex, ledger) : { json: taken, isSent: true };
		if (!isSent) return { json, pairedItem: { item: itemIndex } };

		await context.putExecutionToWait(new Date(Date.now() + maxWaitMinutes * 60_000));
		// When the wait ends by time, n8n runs no code of ours: it passes on the input item. So that is the answer then.
		// The engine made the item for this node alone, so no other node's data changes.
		const item = items[0]!;
		item.json = json;
		delete item.binary;
		ledger.close();
		return item;
	} catch (error) {
		const problem = asProblem(error);
		throw ledger.countTaken() === 0 ? problem : cannotWait(problem, ledger.recall(itemIndex)!);
	}
}

/** The error of a message that was taken, and whose report has nowhere to come to. */
function cannotWait({ message }: Problem, { recipient, reference }: IDataObject): Problem {
	return new Problem(
		`The message was taken, and the execution could not wait for its delivery report (${message})`,
		'Do not send it again: ask the operator or the recipient whether it arrived',
		{ outcome: 'unknown', recipient, reference },
	);
}

/**
 * Sends the message, or does not: as a duplicate, or in a dry run.
 *
 * @returns what leaves the node then, or what it leaves with when no report comes
 */
async function sendOne(
	context: IExecuteFunctions,
	itemIndex: number,
	ledger: Ledger,
): Promise<{ json: IDataObject; isSent: boolean }> {
	const row = readRow(context, itemIndex);
	const run = readRunOptions(context);
	const credential = await credentialOnce(context, 'smsPlatformApi', checkCredential)();
	const duplicates = run.skipDuplicates
		? openDuplicates(context, 1, !run.dryRun, () => duplicateKeyOf(row))
		: undefined;
	try {
		if ((await duplicates?.isDuplicate(itemIndex)) === true) {
			return { json: { accepted: false, skipped: true, ...toOutput(row) }, isSent: false };
		}
		if (run.dryRun) return { json: { accepted: false, dryRun: true, ...toOutput(row) }, isSent: false };

		const { message } = row;
		row.reference ??= randomUUID();
		// In a loop every message of the execution has the same resume address, but for these two.
		message.dlrUrl = context.getSignedResumeUrl({ ref: row.reference, once: randomUUID() });
		requireSignature(context);
		warn(context, reportAddressWarning(message.dlrUrl, isProduction(context)));
		const sent = await sendWithRetries(context, credential, row, run.retries, async () => {});
		if (sent.outcome !== 'taken') {
			const problem = sendProblem(sent, row);
			if (sent.outcome === 'unknown') ledger.recordUnknown(itemIndex, problem);
			throw problem;
		}
		const { serviceId, messageId, recipient } = message;
		const json = { delivered: false, status: 'TIMEOUT', serviceId, messageId, recipient, reference: row.reference };
		// At once: whatever fails from here on, the message is not sent again.
		ledger.recordTaken(itemIndex, json);
		return { json, isSent: true };
	} catch (error) {
		const problem = nameProblem(asProblem(error), nameOf(row));
		if (problem.details.outcome !== 'unknown') duplicates?.release(itemIndex);
		throw problem;
	} finally {
		warn(context, await duplicates?.close());
	}
}

function warn(context: IExecuteFunctions, message: string | undefined): void {
	if (message !== undefined) context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
}

/** The Max Wait option, in minutes. */
function readMaxWait(context: IExecuteFunctions, itemIndex: number): number {
	const { maxWaitMinutes } = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const minutes = Number(maxWaitMinutes ?? 60);
	// A week, as long as carriers try.
	if (!(minutes > 0 && minutes <= 10_080)) {
		throw badParameter('Max Wait (Minutes)', 'must be more than 0 and at most 10080', 'Set a number such as 60');
	}
	return minutes;
}

/** n8n runs a node as an AI tool under a type of its own, whose name ends so. */
function isTool(context: IExecuteFunctions): boolean {
	// Not in n8n 1: there the type says it alone.
	const { isToolExecution } = context as Partial<IExecuteFunctions>;
	return isToolExecution?.call(context) === true || context.getNode().type.endsWith('Tool');
}

/** n8n 1 checks the signature of a resume address only where a node asks for it; 2.20 and later always do. */
function requireSignature(context: IExecuteFunctions): void {
	(context as { setSignatureValidationRequired?: () => void }).setSignatureValidationRequired?.();
}

/** A status after which another one comes: the wait goes on (field notes 27; ENROUTE and ACCEPTD of SMPP 3.4, 5.2.28). */
const INTERMEDIATE = new Set(['SENT', 'SUBMITTED', 'PENDING', 'ENROUTE', 'ACCEPTD']);

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
	if (INTERMEDIATE.has(report.status.trim().toUpperCase())) return { webhookResponse: SUCCESS };
	const keys = readPreSharedKeys(await context.getCredentials('smsPlatformApi'));
	// n8n 1 goes on once for each of two calls at the same moment, and what follows would be done twice.
	if (typeof once === 'string' && !isFirstCall(context, once)) return { webhookResponse: SUCCESS };

	const json = {
		delivered: isDelivered(report.status),
		status: report.status,
		...(report.error !== '' && { errorCode: report.error }),
		serviceId,
		messageId,
		recipient,
		reference,
	};
	return { workflowData: [[{ json: hideKeys(json, keys), pairedItem: { item: 0 } }]], webhookResponse: SUCCESS };
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

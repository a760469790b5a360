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

import { errorItem } from '../../shared/items';
import { openLedger } from '../../shared/ledger';
import { greekMobile } from '../../shared/mobile';
import { readNumberOption } from '../../shared/parameter';
import { asProblem, nodeError, Problem } from '../../shared/problem';
import { secretsOf } from '../../shared/request';
import { hideInData } from '../../shared/hide';
import { isTool } from '../../shared/tool';
import { claimEvent } from '../claim';
import { readPlatform } from '../credential';
import { isDelivered, isFinal } from '../deliveryReport';
import { reportUrlWarnings } from '../dlrUrl';
import { openMessages } from '../memory/claims';
import { inPlainCharacters } from '../reportAddress';
import { readGuards, trialHint } from '../outgoing/guards';
import { isUnknown, recall, type Entry, type Sending } from '../outgoing/deliver';
import { readRequestOptions } from '../outgoing/options';
import { isProduction } from '../outgoing/reportUrl';
import { nameProblem } from '../outgoing/run';
import { INTERNAL_ERROR, malformed, readBody, refuse, IN_PROGRESS, UNREADABLE } from '../webhookRequest';
import { dlrRequest, SUCCESS } from '../wire';
import { dryItem, itemOfChecked } from './dryRun';
import { maxWaitMinutes, skipWithinHours } from './options';
import { readRow } from './readRow';
import { nameOf, type Named } from './sendItem';
import { sendOnce } from './sendOnce';

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

/** Sends one message and pauses the execution until its delivery report, or until the time is over. */
export async function sendAndWait(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const count = context.getInputData().length;
	if (count === 0) return [];
	try {
		if (count > 1) throw takesOneItem(count);
		return [await sendOneAndWait(context)];
	} catch (error) {
		return failedItems(context, asProblem(error), count);
	}
}

/** @throws NodeApiError or NodeOperationError where On Error says to stop, but for a dry run */
function failedItems(context: IExecuteFunctions, found: Problem, count: number): INodeExecutionData[] {
	try {
		return Array.from({ length: count }, (_, item) => ({
			json: itemOfChecked(context, item, found),
			pairedItem: { item },
		}));
	} catch {
		const problem = count > 1 ? found : nameProblem(context, 0, found);
		if (!context.continueOnFail()) throw nodeError(context.getNode(), problem, 0);
		return [errorItem(problem, 0, context.getNode().onError)];
	}
}

function takesOneItem(count: number): Problem {
	return new Problem(
		`Send and Wait takes one item, and ${count} came; nothing was sent`,
		'Put the node after a Loop Over Items node with a batch size of 1, or into a sub-workflow that runs once for each item and contains everything that comes after the report',
		{ outcome: 'rejected' },
	);
}

async function sendOneAndWait(context: IExecuteFunctions): Promise<INodeExecutionData> {
	if (isTool(context)) {
		throw new Problem(
			"Send and Wait can't run as an AI tool: the agent would hang until the report comes; nothing was sent",
			'Choose the operation Send',
			{ outcome: 'rejected' },
		);
	}
	const minutes = readNumberOption(context, maxWaitMinutes);
	const json = await send(context);
	const item: INodeExecutionData = { json, pairedItem: { item: 0 } };
	if (json.skipped === true || json.dryRun === true) return item;
	await startWaiting(context, json, minutes);
	openLedger<Entry>(context).close();
	// When the wait ends by time, n8n runs no code of ours: it passes on the input item. So that is the answer then.
	// The engine made the item for this node alone, so no other node's data changes.
	const input = context.getInputData()[0]!;
	input.json = json;
	delete input.binary;
	return input;
}

async function startWaiting(context: IExecuteFunctions, json: IDataObject, minutes: number): Promise<void> {
	await context.putExecutionToWait(new Date(Date.now() + minutes * 60_000)).catch((error: unknown) => {
		throw new Problem(
			`The message was sent, and the execution could not wait for its delivery report (${asProblem(error).message})`,
			'Do not send it again: ask the operator or the recipient whether it arrived',
			{ outcome: 'unknown', recipient: json.recipient, reference: json.reference },
		);
	});
}

/**
 * Sends the message, or does not: as one that was sent before, or in a dry run.
 *
 * @returns what leaves the node then, or what it leaves with when no report comes
 */
async function send(context: IExecuteFunctions): Promise<IDataObject> {
	const credential = { type: 'smsPlatformApi', data: await context.getCredentials('smsPlatformApi') };
	const platform = readPlatform(credential);
	const guards = readGuards(credential.data, context.getTimezone());
	warn(context, trialHint(guards));
	const sending: Sending = {
		context,
		platform,
		guards,
		options: readRequestOptions(context),
		ledger: openLedger<Entry>(context),
		pace: async () => {},
	};
	// Its report comes to the execution that waits, whatever the credential says of others.
	const row = readRow(context, 0, {
		platform: { ...platform, dlrUrl: undefined },
		guards,
		doNotSendTo: new Set(),
		answered: undefined,
		isReview: false,
	});
	const messages = openMessages(context, 1, readNumberOption(context, skipWithinHours));
	const waitId = randomUUID();
	const special = {
		reportUrl: (named: Named) => resumeUrl(context, sending, named.reference, waitId),
		toItem: (named: Named) => timedOut(nameOf(named), named, waitId),
		keepsQuiet: true,
	};
	const work = async () => {
		if (!row.dryRun) return recall(sending.ledger, 0) ?? (await sendOnce(sending, messages, 0, row, special));
		const [before] = row.ifAlreadySent === 'skip' ? await messages.look([row.key]) : [];
		return await dryItem(sending, row, before ?? { state: 'new', period: messages.period() }, true);
	};
	const result = await work().finally(async () => warn(context, await messages.close()));
	if (!(result instanceof Problem)) return result;
	if (!isUnknown(result)) throw result;
	// A report proves that it was accepted; without one nobody knows.
	return {
		...timedOut({ recipient: result.details.recipient, reference: result.details.reference }, row, waitId),
		unknown: true,
	};
}

/** The URL under which n8n goes on with this execution. In a loop every message has the same, but for these two. */
function resumeUrl(context: IExecuteFunctions, { platform }: Sending, reference: string, waitId: string): string {
	const url = context.getSignedResumeUrl({ ref: inPlainCharacters(reference), once: waitId });
	requireSignature(context);
	for (const warning of reportUrlWarnings(url, platform.sendUrl, isProduction(context), url.length))
		warn(context, warning);
	return url;
}

/** What the node leaves with where no report comes. */
function timedOut(
	name: IDataObject,
	{ message: { serviceId, messageId } }: Pick<Named, 'message'>,
	waitId: string,
): IDataObject {
	return { delivered: false, status: 'TIMEOUT', serviceId, messageId, ...name, waitId };
}

function warn(context: IExecuteFunctions, message: string | undefined): void {
	if (message !== undefined) context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
}

/** n8n 1 checks the signature of a resume URL only where a node asks for it; 2.20 and later always do. */
function requireSignature(context: IExecuteFunctions): void {
	(context as { setSignatureValidationRequired?: () => void }).setSignatureValidationRequired?.();
}

/**
 * Deals with a request to the resume URL of a waiting execution, whose signature n8n has checked: continues it
 * on a final status of its message, and leaves it waiting otherwise.
 */
export async function receiveReport(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const { data, unreadable } = await readBody(context);
	if (unreadable) return refuse(context, UNREADABLE);
	const parsed = dlrRequest.safeParse(data);
	if (!parsed.success) return refuse(context, malformed(parsed.error));
	const report = parsed.data;

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
	const { state } = claimEvent(context, { message: waitId });
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

import { randomUUID } from 'node:crypto';

import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { IWebhookDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { z } from 'zod';

import { greekMobile } from '../../lib/greek/mobile';
import { redactSecretsInData } from '../../lib/texts/redact';
import { failEveryRow } from '../../lib/n8n/items';
import { isTool } from '../../lib/n8n/aiTool';
import { addWarnings } from '../../lib/n8n/node';
import { noticeOf } from '../../lib/texts/notice';
import { readNumberOption } from '../../lib/n8n/parameters';
import { toProblem, invalidParameter, Problem, tryRead } from '../../lib/texts/problem';
import { secretsOf } from '../../lib/http/request';
import { isUnknown } from '../../lib/smsPlatform/deliver';
import { openRetryState, type RetryState } from '../../lib/smsPlatform/retryState';
import { nameProblem } from '../../lib/smsPlatform/endOfRun';
import { trialHint } from '../../lib/smsPlatform/safetyLimits';
import { isProduction, reportUrlWarnings } from '../../lib/smsPlatform/reportUrl';
import { inPlainCharacters } from '../../lib/smsPlatform/reportSignature';
import { claimEvent } from '../../lib/smsPlatform/repeatedEvents';
import { answerRejection, SUCCESS_BY_N8N } from '../../lib/smsPlatform/webhookAnswer';
import { INTERNAL_ERROR, IN_PROGRESS, makeRejection } from '../../lib/smsPlatform/webhookResult';
import { readBody, readFields } from '../../lib/smsPlatform/webhookBody';
import { warningHints } from '../../lib/smsPlatform/warnings/show';
import { dlrRequest, isDelivered, isFinal } from '../../lib/smsPlatform/api';
import { maxWaitMinutes } from './properties';
import { readItem, readName, readRecipientColumns, rememberedKey } from './readItem';
import { openRun, readOutput, type Output } from './readRun';
import { itemOfResult, messagesOf } from './result';
import { claimOrLookUp, haltOf, sendMessage } from './sendChunks';

/** Sends one message and pauses the execution until its delivery report arrives, or until the waiting time is over. */
export async function sendAndWait(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const count = context.getInputData().length;
	if (count === 0) return [];
	const output = readOutput(context, 'sendAndWait');
	if (count > 1) {
		const todo =
			'Put the node after a Loop Over Items node with a batch size of 1, or into a sub-workflow that runs once for each item and contains everything that comes after the report';
		const problem = invalidParameter('Send and Wait', `takes one item, but ${count} came; nothing was sent`, todo);
		return failEveryRow(context, problem, output.language)[0]!.slice(0, 1);
	}
	const item = await sendOneAndWait(context, output).catch(toProblem);
	if (!(item instanceof Problem)) return [item];
	const name = readName(context, 0, { recipientColumns: tryRead(() => readRecipientColumns(context)) });
	return failEveryRow(context, nameProblem(item, name), output.language)[0]!;
}

async function sendOneAndWait(context: IExecuteFunctions, output: Output): Promise<INodeExecutionData> {
	if (isTool(context)) {
		const rule = "can't run as an AI tool, because the agent would wait until the report comes; nothing was sent";
		throw invalidParameter('Send and Wait', rule, 'Choose the operation Send');
	}
	const minutes = readNumberOption(context, maxWaitMinutes);
	const retryState = openRetryState<IDataObject>(context);
	const json = await send(context, output, retryState);
	if (json.waitId === undefined) return { json, pairedItem: { item: 0 } };
	await context.putExecutionToWait(new Date(Date.now() + minutes * 60_000)).catch((error: unknown) => {
		const unknown = json.unknown ? 'whether the message was sent' : 'whether the accepted message arrives';
		const what = `It is not known ${unknown}: the execution could not wait for its delivery report (${toProblem(error).message})`;
		const todo = 'Do not send it again: ask the operator or the recipient whether it arrived';
		const details = { outcome: 'unknown', recipient: json.recipient, reference: json.reference };
		throw new Problem(what, todo, details, undefined, { reason: 'unknown' });
	});
	retryState.close();
	// When the waiting time is over, n8n does not run this node again but passes on the input item. So this item gets the fields
	// for that case. n8n made the item for this node alone, so the data of other nodes do not change.
	const input = context.getInputData()[0]!;
	input.json = json;
	delete input.binary;
	return input;
}

/**
 * Sends the message, unless it is skipped.
 * @param retryState the results of earlier attempts of the node. They are there even if the wait of an attempt could not begin
 * @returns the fields of the item. If the message was sent, they have a `waitId` and are for the case that no report arrives
 */
async function send(
	context: IExecuteFunctions,
	output: Output,
	retryState: RetryState<IDataObject>,
): Promise<IDataObject> {
	const run = await openRun(context, 'sendAndWait', output.problem).catch(toProblem);
	const item = run instanceof Problem ? run : readItem(context, 0, run).item;
	const retryKey = retryState.keyOf(0, item instanceof Problem ? undefined : item.key);
	// If an earlier attempt sent the message, its result is returned, even if this attempt can't begin.
	const earlier = retryState.find(retryKey);
	if (earlier instanceof Problem) throw earlier;
	if (earlier !== undefined) return earlier;
	if (run instanceof Problem) throw run;
	let valueWarnings: string[] = [];
	try {
		if (item instanceof Problem) throw item;
		const waitId = randomUUID();
		let warnings: string[] = [];
		const sign = (reference: string) => {
			const url = resumeUrl(context, reference, waitId);
			const { length } = url;
			warnings = reportUrlWarnings(url, run.platform.sendUrl, isProduction(context), length, context.getExecutionId());
			addWarnings(context, warnings);
			return url;
		};
		const halt = haltOf(run);
		const key = rememberedKey(item);
		const keys = key === undefined ? [] : [key];
		const resend = new Set(item.ifAlreadySent === 'resendUnknown' ? keys : []);
		const known = (await claimOrLookUp(run, keys, halt, resend)).get(item.key);
		if (known instanceof Problem) throw known;
		const result = await sendMessage(run, { item, known, halt }, sign);
		if (result instanceof Problem && !isUnknown(result)) throw result;
		// From here on, a Problem means that the outcome is unknown. The execution waits, because a report would prove that the
		// message was sent.
		const isOutcomeUnknown = result instanceof Problem;
		if (!isOutcomeUnknown && result.kind === 'skipped') return itemOfResult(result, output.language);
		valueWarnings = warningHints(messagesOf([result], run.rowNumbers.numbers), run.rowNumbers);
		const { serviceId, messageId } = item.message;
		const { recipient, reference } = isOutcomeUnknown ? result.details : result.about;
		const timedOut = {
			...{ delivered: false, status: 'TIMEOUT', serviceId, messageId, recipient, reference, waitId },
			// The item has the warnings too, because n8n drops the hints of a run when its wait ends.
			...(warnings.length > 0 && { warning: warnings.join(' ') }),
		};
		const notice = noticeOf({ reason: 'unknown' }, output.language);
		const json = isOutcomeUnknown ? { ...timedOut, unknown: true, notice } : timedOut;
		retryState.keep(retryKey, json);
		return json;
	} finally {
		const closeWarning = await run.messages.close();
		addWarnings(context, [...valueWarnings, ...run.reportUrls.warnings(), trialHint(run.safetyLimits), closeWarning]);
	}
}

/**
 * Returns the URL at which n8n resumes this execution. In a loop, n8n's URL is the same for each message. These two parameters
 * distinguish the messages.
 */
function resumeUrl(context: IExecuteFunctions, reference: string, waitId: string): string {
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
	const read = readFields(await readBody(context), dlrRequest);
	if (read.kind === 'rejected') return answerRejection(context, read);
	const report = read.fields;

	// `$json` is the item of the waiting execution, as `sendAndWait` made it.
	const message = waitingItem.safeParse(context.evaluateExpression('{{ $json }}', 0));
	if (!message.success) return answerRejection(context, INTERNAL_ERROR);
	const { waitId, ...ids } = message.data;
	const { ref, once } = context.getQueryData() as { ref?: unknown; once?: unknown };
	const isSameMessage =
		ref === inPlainCharacters(ids.reference) && once === waitId && report.serviceId === ids.serviceId;
	// Only Greek mobiles can be compared, because they have a normal form. For other recipients only the signed URL is checked.
	const [sentTo, reported] = [greekMobile(ids.recipient), greekMobile(report.recipient)];
	const isOtherMobile = sentTo !== undefined && reported !== undefined && sentTo !== reported;
	if (!isSameMessage || isOtherMobile) {
		const reason = 'The URL of this delivery report belongs to another message';
		return answerRejection(context, makeRejection(401, 'INVALID_SIGNATURE', reason));
	}
	if (!isFinal(report.status)) return SUCCESS_BY_N8N;
	// The keys are removed from the report, so that they are not stored with the execution. If the credential was deleted
	// meanwhile, no keys are known.
	const secrets = await context.getCredentials('smsPlatformApi').then(secretsOf, () => []);
	// The platform may send the same report twice at the same moment.
	const state = claimEvent(context, { message: waitId });
	if (state === 'accepted') return SUCCESS_BY_N8N;
	if (state === 'inProgress') return answerRejection(context, IN_PROGRESS);

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

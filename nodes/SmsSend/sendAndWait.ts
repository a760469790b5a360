import { randomUUID } from 'node:crypto';

import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failEveryRow } from '../../lib/n8n/items';
import { isTool } from '../../lib/n8n/aiTool';
import { addWarnings } from '../../lib/n8n/node';
import { noticeOf } from '../../lib/texts/notice';
import { readNumberOption } from '../../lib/n8n/parameters';
import { toProblem, invalidParameter, Problem, tryRead } from '../../lib/texts/problem';
import { isUnknown } from '../../lib/smsPlatform/deliver';
import { openRetryState, type RetryState } from '../../lib/smsPlatform/retryState';
import { nameProblem } from '../../lib/smsPlatform/endOfRun';
import { trialHint } from '../../lib/smsPlatform/safetyLimits';
import { isProduction, reportUrlWarnings } from '../../lib/smsPlatform/reportUrl';
import { warningHints } from '../../lib/smsPlatform/warnings/show';
import { resumeUrl } from './awaitedReport';
import { maxWaitMinutes } from './properties';
import { readItem, readName, readRecipientColumns, rememberedKey } from './readItem';
import { openRun, readOutput, type Output } from './openRun';
import { itemOfResult, messagesOf } from './result';
import { claimOrLookUp, haltOf, sendMessage } from './sendChunks';

/** Sends one message and pauses the execution until its delivery report arrives, or until the waiting time is over. */
export async function sendAndWait(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const count = context.getInputData().length;
	if (count === 0) return [];
	const output = readOutput(context, 'sendAndWait');
	if (count > 1) {
		const todo =
			'Put the node after a Loop Over Items node with a batch size of 1. You can also move the node, and all nodes after it, into a sub-workflow that runs once for each item';
		const problem = invalidParameter('Send and Wait', `takes one item, but got ${count}; nothing was sent`, todo);
		return failEveryRow(context, problem, output.language)[0]!.slice(0, 1);
	}
	const item = await sendOneAndWait(context, output).catch(toProblem);
	if (!(item instanceof Problem)) return [item];
	const name = readName(context, 0, { recipientColumns: tryRead(() => readRecipientColumns(context)) });
	return failEveryRow(context, nameProblem(item, name), output.language)[0]!;
}

async function sendOneAndWait(context: IExecuteFunctions, output: Output): Promise<INodeExecutionData> {
	if (isTool(context)) {
		const rule = "can't run as an AI tool, because the agent would have to wait for the report; nothing was sent";
		throw invalidParameter('Send and Wait', rule, 'Choose the operation Send');
	}
	const minutes = readNumberOption(context, maxWaitMinutes);
	const retryState = openRetryState<IDataObject>(context);
	const json = await send(context, output, retryState);
	if (json.waitId === undefined) return { json, pairedItem: { item: 0 } };
	await context.putExecutionToWait(new Date(Date.now() + minutes * 60_000)).catch((error: unknown) => {
		const unknown = json.unknown ? 'whether the message was sent' : 'whether the accepted message arrives';
		const what = `It is not known ${unknown}: the execution could not wait for its delivery report (${toProblem(error).message})`;
		const todo = 'Do not send the message again: ask the operator or the recipient whether it arrived';
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
 * @param retryState the results of earlier attempts of the node. If an attempt sent the message and failed only because the wait
 * could not begin, its result is among them, so the message is not sent again
 * @returns the fields of the item. If the message was sent or its outcome is unknown, they have a `waitId` and are for the case
 * that no report arrives
 */
async function send(
	context: IExecuteFunctions,
	output: Output,
	retryState: RetryState<IDataObject>,
): Promise<IDataObject> {
	const run = output.problem ?? (await openRun(context, 'sendAndWait').catch(toProblem));
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
		let urlWarnings: string[] = [];
		// `sendMessage` calls this before its request, and not for a message that it skips.
		const sign = (reference: string) => {
			const url = resumeUrl(context, reference, waitId);
			const { length } = url;
			urlWarnings = reportUrlWarnings(
				url,
				run.platform.sendUrl,
				isProduction(context),
				length,
				context.getExecutionId(),
			);
			addWarnings(context, urlWarnings);
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
			// The item has the warnings about the URL too, because n8n drops the hints of a run when its wait ends.
			...(urlWarnings.length > 0 && { warning: urlWarnings.join(' ') }),
		};
		const notice = noticeOf({ reason: 'unknown' }, output.language);
		const json = isOutcomeUnknown ? { ...timedOut, unknown: true, notice } : timedOut;
		retryState.keep(retryKey, json);
		return json;
	} finally {
		const closeWarning = await run.messages.close();
		addWarnings(context, [...valueWarnings, trialHint(run.safetyLimits), closeWarning]);
	}
}

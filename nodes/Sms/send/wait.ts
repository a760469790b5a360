import { randomUUID } from 'node:crypto';

import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failEveryRow } from '../../shared/items';
import { readLanguage, isTool } from '../../shared/node';
import { readNumberOption } from '../../shared/parameter';
import { asProblem, badParameter, Problem } from '../../shared/problem';
import { readPlatform } from '../credential';
import { openMessages } from '../memory/messages';
import { isUnknown, type Sending } from '../outgoing/deliver';
import { readGuards, trialHint } from '../outgoing/guards';
import { readRequestOptions } from '../outgoing/parameters';
import { nameProblem, openAnswers, type Answers } from '../outgoing/run';
import { isProduction, reportUrlWarnings } from '../reportUrl';
import { inPlainCharacters } from '../signedUrl';
import { maxWaitMinutes, skipWithinHours } from './parameters';
import { readRecipientColumns, readRow, recipientIn } from './row';
import { itemOfResult, type RowResult } from './rowResult';
import { sendOnce } from './sendOnce';

/** Sends one message and pauses the execution until its delivery report, or until the time is over. */
export async function sendAndWait(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const count = context.getInputData().length;
	if (count === 0) return [];
	if (count > 1) return failEveryRow(context, takesOneItem(count))[0]!.slice(0, 1);
	try {
		return [await sendOneAndWait(context)];
	} catch (error) {
		const problem = nameProblem(context, 0, asProblem(error), () => readRecipientOf(context));
		return failEveryRow(context, problem)[0]!.slice(0, 1);
	}
}

const readRecipientOf = (context: IExecuteFunctions) => recipientIn(context, 0, readRecipientColumns(context));

function takesOneItem(count: number): Problem {
	return badParameter(
		'Send and Wait',
		`takes one item, and ${count} came; nothing was sent`,
		'Put the node after a Loop Over Items node with a batch size of 1, or into a sub-workflow that runs once for each item and contains everything that comes after the report',
	);
}

async function sendOneAndWait(context: IExecuteFunctions): Promise<INodeExecutionData> {
	if (isTool(context)) {
		throw badParameter(
			'Send and Wait',
			"can't run as an AI tool: the agent would hang until the report comes; nothing was sent",
			'Choose the operation Send',
		);
	}
	const minutes = readNumberOption(context, maxWaitMinutes);
	const language = readLanguage(context);
	const answers = openAnswers<Waited>(context, 'run');
	const { result, ids, waitId } = await send(context, answers);
	if (result instanceof Problem && !isUnknown(result)) throw result;
	if (!(result instanceof Problem) && result.kind === 'skipped') {
		return { json: itemOfResult(result, language), pairedItem: { item: 0 } };
	}
	// Where nobody knows whether the message was sent, a report proves that it was.
	const told: IDataObject = result instanceof Problem ? { ...result.details, ...ids } : { ...result.told };
	const json = { ...timedOut(told, waitId), ...(result instanceof Problem && { unknown: true }) };
	await startWaiting(context, json, minutes);
	answers.close();
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
			undefined,
			{ reason: 'unknown' },
		);
	});
}

/** What is kept of a message, also where it can't be waited for at once: its URL goes by this wait. */
interface Waited {
	result: RowResult;
	waitId: string;
}

/** Sends the message, or does not, as one that was sent before. */
async function send(
	context: IExecuteFunctions,
	answers: Answers<Waited>,
): Promise<{ result: RowResult | Problem; ids: { serviceId: string; messageId: string }; waitId: string }> {
	const credential = { type: 'smsPlatformApi', data: await context.getCredentials('smsPlatformApi') };
	const platform = readPlatform(credential);
	const guards = readGuards(credential.data, context.getTimezone());
	warn(context, trialHint(guards));
	const options = readRequestOptions(context);
	const sending: Sending = { context, platform, guards, options, pace: async () => {} };
	const windowHours = readNumberOption(context, skipWithinHours);
	// Its report comes to the execution that waits, whatever the credential says of others.
	const row = readRow(context, 0, {
		platform: { ...platform, dlrUrl: undefined },
		guards,
		doNotSendTo: new Set(),
		answered: undefined,
		recipientColumns: readRecipientColumns(context),
	});
	const { serviceId, messageId } = row.message;
	const ids = { serviceId, messageId };
	const known = answers.ofPlace(0) ?? answers.ofContent(`${row.key} 0`);
	if (known instanceof Problem) return { result: known, ids, waitId: String(known.details.waitId) };
	if (known !== undefined) return { ...known, ids };
	const waitId = randomUUID();
	const messages = openMessages(context, 1, windowHours);
	const sign = (reference: string) => resumeUrl(context, sending, reference, waitId);
	const outgoing = { message: row.message, keepsQuiet: true };
	try {
		const result = await sendOnce(sending, messages, row, outgoing, sign);
		answers.keep(0, `${row.key} 0`, result instanceof Problem ? result.with({ waitId }) : { result, waitId });
		return { result, ids, waitId };
	} finally {
		warn(context, await messages.close());
	}
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
function timedOut({ serviceId, messageId, recipient, reference }: IDataObject, waitId: string): IDataObject {
	return { delivered: false, status: 'TIMEOUT', serviceId, messageId, recipient, reference, waitId };
}

function warn(context: IExecuteFunctions, message: string | undefined): void {
	if (message !== undefined) context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
}

/** n8n 1 checks the signature of a resume URL only where a node asks for it; 2.20 and later always do. */
function requireSignature(context: IExecuteFunctions): void {
	(context as { setSignatureValidationRequired?: () => void }).setSignatureValidationRequired?.();
}

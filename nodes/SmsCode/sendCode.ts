import { randomUUID } from 'node:crypto';

import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { columnsIfLeftEmpty, MOBILE, requireValue } from '../../lib/n8n/columns';
import { toItems } from '../../lib/n8n/items';
import { isTool } from '../../lib/n8n/aiTool';
import { readIncludeInputFields, readLanguage } from '../../lib/n8n/node';
import { readNumberOption } from '../../lib/n8n/parameters';
import { runItems, type Results } from '../../lib/n8n/workerPool';
import { deliver, isUnknown, openSending } from '../../lib/smsPlatform/deliver';
import { deriveKeys, weakKeyWarning } from '../../lib/smsPlatform/derivedKeys';
import { trialHint } from '../../lib/smsPlatform/safetyLimits';
import { checkDlrUrl } from '../../lib/smsPlatform/message';
import { withRemedy } from '../../lib/smsPlatform/outcome';
import { typedRecipient } from '../../lib/smsPlatform/recipient';
import { openReportUrls } from '../../lib/smsPlatform/reportUrl';
import { openRetryState, type RetryState } from '../../lib/smsPlatform/retryState';
import { endRun } from '../../lib/smsPlatform/endOfRun';
import type { ValueWarning } from '../../lib/smsPlatform/warnings/find';
import { warningHints } from '../../lib/smsPlatform/warnings/show';
import { textsOf } from '../../lib/texts/notice';
import { toProblem, tryRead, Problem, toResult } from '../../lib/texts/problem';
import { numberRows } from '../../lib/texts/rowNumber';
import { codeStateOf } from './codeState';
import { maxCodesPerHour } from './properties';
import { adviseVisitors, checkInput, readInput, readTypedRecipient, type CodeRequest } from './readItem';
import { sealVerification, type Verification } from './verificationId';

/** The largest number of codes that are sent at the same time. */
const CONCURRENCY = 10;

/** The time-out of each request, until its answer is complete. In seconds. */
const TIMEOUT = 30;

/** Fields of an earlier node's result. They are not copied to the output, because they would seem to be about the code. */
const NOT_PASSED_ON = new Set([
	...['warning', 'notice', 'reason', 'unknown', 'problem', 'skipped', 'skipReason', 'review'],
	...['verified', 'attemptsLeft', 'sentAt', 'quietUntil'],
]);

type Run = Awaited<ReturnType<typeof openRun>>;

/** Sends a code for each item, at most once, also with Retry On Fail. @returns an output item for each, without the code */
export async function sendCodes(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	// The node can't distinguish a retry of an AI agent from a new request. So as a tool it remembers its results for the whole
	// execution.
	const retryState = openRetryState<IDataObject>(context, isTool(context) ? 'execution' : 'run');
	const problems: Problem[] = [];
	const language = tryRead(() => readLanguage(context), problems) ?? 'el';
	const hasInputFields = tryRead(() => readIncludeInputFields(context), problems);
	const run = problems[0] ?? (await openRun(context).catch(toProblem));
	const ended = run instanceof Problem ? retryState.failAll(run) : await sendEachCode(context, run, retryState);
	const columns = run instanceof Problem ? undefined : run.recipientColumns;
	const named = endRun(context, {
		...{ results: adviseVisitors(ended), retryState, language, isRefused: false },
		nameOf: (itemIndex) => ({
			recipient: tryRead(() => typedRecipient(readTypedRecipient(context, itemIndex, columns))),
		}),
		kindOf: () => 'accepted',
		warnings: run instanceof Problem ? [] : [...warningsOf(run), ...valueWarnings(context, run, ended)],
		rememberFor: 'code',
	});
	return toItems(context, named, hasInputFields === true ? NOT_PASSED_ON : undefined, language)[0] ?? [];
}

/** Reads the items and sends their codes, several at a time. The Problem of one item does not stop the others. */
async function sendEachCode(context: IExecuteFunctions, run: Run, retryState: RetryState<IDataObject>) {
	const { platform } = run.sending;
	const work = async (itemIndex: number) => {
		const request = toResult(() =>
			checkInput(readInput(context, itemIndex, platform, run.recipientColumns), run.sending),
		);
		if (!(request instanceof Problem)) run.valueWarnings.set(itemIndex, request.warnings);
		const retryKey = retryState.keyOf(itemIndex, request instanceof Problem ? undefined : request.key);
		return await retryState.once(retryKey, async () =>
			request instanceof Problem ? request : await sendCode(request, run).catch(toProblem),
		);
	};
	return await runItems<IDataObject>(context, () => ({ concurrency: CONCURRENCY, work }));
}

/** Reads the settings that all items need. @throws Problem if one of them can't be used */
async function openRun(context: IExecuteFunctions) {
	requireValue(context, 'recipient', 'Recipient', MOBILE);
	// The largest number of codes that the workflow sends in an hour. 0: no limit.
	const maxPerHour = readNumberOption(context, maxCodesPerHour);
	const sending = await openSending(context, CONCURRENCY, 0, 'code', TIMEOUT);
	const { platform } = sending;
	const keys = await deriveKeys(platform.keys.current);
	const seal = (verification: Verification, purpose: string) =>
		sealVerification(verification, { platform, purpose, keys });
	return {
		...{ sending, seal, maxPerHour },
		recipientColumns: columnsIfLeftEmpty(context, 'recipient', MOBILE),
		codeState: codeStateOf(platform),
		workflow: String(context.getWorkflow().id),
		/** The URL for delivery reports, not yet signed. Undefined: no report is requested. */
		dlrUrl: checkDlrUrl(platform.dlrUrl),
		reportUrls: openReportUrls(context, platform),
		/** Warnings about the values of each item. */
		valueWarnings: new Map<number, ValueWarning[]>(),
	};
}

/** Makes the warnings about values in the messages of codes that were sent. SMS Send has the same warnings. */
function valueWarnings(context: IExecuteFunctions, run: Run, results: Results<IDataObject>): string[] {
	const rowNumbers = numberRows(context.getInputData());
	const messages = [...run.valueWarnings].flatMap(([itemIndex, warnings]) => {
		const result = results[itemIndex];
		if (result === undefined || result instanceof Problem) return [];
		return { row: rowNumbers.numbers[itemIndex]!, isSent: true, warnings };
	});
	return warningHints(messages, rowNumbers);
}

/**
 * Returns warnings about the credential. The run shows them to the user, because n8n's editor shows no text if the test of a
 * credential succeeds.
 */
const warningsOf = ({ sending: { safetyLimits, platform }, reportUrls }: Run) => [
	...reportUrls.warnings(),
	...[trialHint(safetyLimits), weakKeyWarning(platform.keys.current)],
];

/**
 * Counts a code towards the limits and sends it. If the code was certainly not sent, it no longer counts.
 * @returns the fields of the item
 */
async function sendCode(request: CodeRequest, run: Run): Promise<IDataObject> {
	const { order, place } = request;
	const { dlrUrl } = run;
	const claimed = run.codeState.claim(order, run.workflow, run.maxPerHour, Date.now());
	if ('refused' in claimed) {
		// The person may already have a code. Then the error contains the verificationId of that code, so that a page can still
		// let the person type it.
		const { refused, current } = claimed;
		throw current === undefined ? refused : refused.withDetails({ verificationId: run.seal(current, order.purpose) });
	}
	const { verification, release } = claimed;
	const { code, end } = verification;
	const message = {
		...request.message,
		replacements: request.message.replacements.with(place, code),
		dlrUrl: run.reportUrls.sign({ dlrUrl, message: request.message }, randomUUID()),
	};
	const { serviceId, messageId, recipient } = message;
	// No attempt begins after half of the validity, so that the person has the other half to type the code.
	const until = end - order.validMinutes * 30_000;
	const result = await deliver(run.sending, { message, obeysQuietHours: false, secrets: [code], until });
	if (result instanceof Problem) {
		if (!isUnknown(result)) {
			release();
			throw result.withDetails({ recipient });
		}
		// The SMS may have been sent. So the error contains the verificationId, and a page can let the person type the code.
		const mayCome = result.withAdvice('codeMayCome');
		const description = withRemedy(textsOf(mayCome.why, 'en')[1], mayCome.why);
		throw mayCome
			.copyWith({ description })
			.withDetails({ recipient, verificationId: run.seal(verification, order.purpose) });
	}
	return {
		accepted: true,
		verificationId: run.seal(verification, order.purpose),
		recipient,
		expiresAt: new Date(end).toISOString(),
		serviceId,
		messageId,
		...(result.warning !== undefined && { warning: result.warning }),
	};
}

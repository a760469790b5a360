import type { IExecuteFunctions } from 'n8n-workflow';

import { MOBILE, requireCells, requireValue } from '../../lib/n8n/columns';
import { isTool } from '../../lib/n8n/aiTool';
import { readLanguage } from '../../lib/n8n/node';
import { getParameter, readChoice, readFlagOption, readNumberOption } from '../../lib/n8n/parameters';
import { tryRead, type Problem } from '../../lib/texts/problem';
import { isCancelled } from '../../lib/http/cancel';
import { numberRows } from '../../lib/texts/rowNumber';
import { deriveKeys } from '../../lib/smsPlatform/derivedKeys';
import { openMessages } from '../../lib/sentMessages/messages';
import { openSending } from '../../lib/smsPlatform/deliver';
import * as options from '../../lib/smsPlatform/properties';
import { openReportUrls } from '../../lib/smsPlatform/reportUrl';
import { findAnsweredForward } from './answeredForward';
import { readDoNotSendTo } from './doNotSendTo';
import { includeInputFields, includeInputFieldsInReply, messagesPerSecond, readRememberFor } from './properties';
import { readIfAlreadySent, readRecipientColumns } from './readItem';

/*
 * Reads the settings that all items of a run share. They are read once, from the first item. `readItem.ts` reads the parameters
 * that may differ from item to item.
 */

type Operation = 'send' | 'reply' | 'review' | 'sendAndWait';

/**
 * Columns that an earlier run of the node wrote. They are not copied to the output, because they would seem to be about this run.
 */
const NOT_PASSED_ON = new Set([
	...['skipped', 'skipReason', 'unknown', 'problem', 'reason', 'notice', 'review', 'sentAt', 'quietUntil'],
]);

export type Output = ReturnType<typeof readOutput>;

/** Reads the settings of the output, even for a run that can't begin. A setting that can't be read gets a fallback value. */
export function readOutput(context: IExecuteFunctions, operation: Operation) {
	const problems: Problem[] = [];
	const label = 'Review Output';
	const reviewOutput = () =>
		readChoice(getParameter(context, 'reviewOutput', label, 0, 'summary'), label, ['summary', 'rows']);
	const language = operation === 'reply' ? 'el' : tryRead(() => readLanguage(context), problems);
	const inputOption = operation === 'reply' ? includeInputFieldsInReply : includeInputFields;
	const mayHaveInput = operation !== 'sendAndWait' && !isTool(context);
	const hasInput = mayHaveInput && tryRead(() => readFlagOption(context, inputOption), problems);
	return {
		language: language ?? ('el' as const),
		/** Input columns to leave out of the items. Undefined: copy no input columns. */
		omittedColumns: hasInput === true ? NOT_PASSED_ON : undefined,
		/** Whether a review returns an item for each row. */
		asRows: operation === 'review' && tryRead(reviewOutput, problems) === 'rows',
		/** The Problem of the first setting that can't be read. Every item fails with it. */
		problem: problems[0],
	};
}

export type Run = Awaited<ReturnType<typeof openRun>>;

/**
 * Reads the settings that all items need, and opens the sender and the memory of sent messages.
 * @throws Problem if a setting can't be used
 */
export async function openRun(context: IExecuteFunctions, operation: Operation) {
	const [isReply, isWait] = [operation === 'reply', operation === 'sendAndWait'];
	if (!isReply) {
		requireCells(context, ['recipient']);
		requireValue(context, 'recipient', 'Recipient', MOBILE);
	}
	const concurrency = isWait ? 1 : readNumberOption(context, options.concurrency);
	// If Already Sent may differ from item to item. So the memory is open even if the first item has Send Again.
	const rememberFor = readRememberFor(context);
	/**
	 * How long the node remembers the messages. Advice in errors and hints depends on this. It is taken from the first item,
	 * although other items may differ. Undefined: the messages are not remembered (Send Again), so the same message may be sent
	 * again.
	 */
	const advisedFor = tryRead(() => readIfAlreadySent(context, 0)) === 'send' ? undefined : rememberFor;
	const perSecond = isWait || operation === 'review' ? 0 : readNumberOption(context, messagesPerSecond);
	const sending = await openSending(context, concurrency, perSecond, advisedFor);
	const { platform, safetyLimits } = sending;
	// Deriving the keys takes a moment. Without this line, the first messages would wait for the keys and then be sent all
	// together.
	if (perSecond > 0) await deriveKeys(platform.keys.current);
	return {
		// With Send and Wait the report goes to the resume URL (`sign` in `sendAndWait.ts`). So the URL of the credential is not
		// used, and a fault in it must not stop the item.
		platform: isWait ? { ...platform, dlrUrl: undefined } : platform,
		safetyLimits,
		answered: isReply ? findAnsweredForward(context) : undefined,
		recipientColumns: isReply ? undefined : readRecipientColumns(context),
		/** Recipients who get no message, in normal form. */
		doNotSendTo: isReply || isWait ? new Set<string>() : readDoNotSendTo(context, platform.userNames),
		sending,
		messages: openMessages(context, rememberFor),
		workflow: String(context.getWorkflow().id),
		/** The workflow's time zone. */
		zone: context.getTimezone(),
		advisedFor,
		concurrency,
		reportUrls: openReportUrls(context, platform),
		isTool: isTool(context),
		executionId: context.getExecutionId() as string | undefined,
		itemCount: context.getInputData().length,
		rowNumbers: numberRows(context.getInputData()),
		/** Whether On Error is Stop. Then nothing is sent if an item has a fault (see `refuseList`). */
		stopsAtFaults: !context.continueOnFail(),
		/** Returns whether the execution was stopped. Then no further message is sent. */
		isCancelled: () => isCancelled(context),
	};
}

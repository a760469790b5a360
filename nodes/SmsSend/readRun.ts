import type { IExecuteFunctions } from 'n8n-workflow';

import { MOBILE, requireCells, requireValue } from '../../lib/n8n/columns';
import { isTool } from '../../lib/n8n/aiTool';
import { readLanguage } from '../../lib/n8n/node';
import { getParameter, readChoice, readFlagOption, readNumberOption } from '../../lib/n8n/parameters';
import { tryRead, type Problem } from '../../lib/texts/problem';
import { deriveKeys } from '../../lib/smsPlatform/derivedKeys';
import { openMessages } from '../../lib/sentMessages/messages';
import { openSending } from '../../lib/smsPlatform/deliver';
import * as options from '../../lib/smsPlatform/properties';
import { openReportUrls } from '../../lib/smsPlatform/reportUrl';
import { findAnsweredForward } from './answeredForward';
import { readDoNotSendTo } from './doNotSendTo';
import { includeInputFields, includeInputFieldsInReply, messagesPerSecond, readRememberFor } from './properties';
import { readIfAlreadySent, readRecipientColumns } from './readItem';

/* What the rows of one run share, read once from the first item. */

type Operation = 'send' | 'reply' | 'review' | 'sendAndWait';

/** Columns of an earlier run's result, which would say what is not true of this one. */
const NOT_PASSED_ON = new Set([
	...['skipped', 'skipReason', 'unknown', 'problem', 'reason', 'notice', 'review', 'sentAt', 'quietUntil'],
]);

export type Output = ReturnType<typeof readOutput>;

/** What the items of a run need, also of one that can't begin. What can't be read is as it is by default. */
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
		/** What an item has not of the columns of its row; undefined: it has none of them. */
		leftOut: hasInput === true ? NOT_PASSED_ON : undefined,
		/** Whether a review has an item for each row. */
		asRows: operation === 'review' && tryRead(reviewOutput, problems) === 'rows',
		/** The first of those that can't be read: it is every row's. */
		problem: problems[0],
	};
}

export type Run = Awaited<ReturnType<typeof openRun>>;

/** Opens a run. @param known why it can't begin @throws Problem where something can't be used that all rows need */
export async function openRun(context: IExecuteFunctions, operation: Operation, known: Problem | undefined) {
	if (known !== undefined) throw known;
	const [isReply, isWait] = [operation === 'reply', operation === 'sendAndWait'];
	if (!isReply) {
		requireCells(context, ['recipient']);
		requireValue(context, 'recipient', 'Recipient', MOBILE);
	}
	const concurrency = isWait ? 1 : readNumberOption(context, options.concurrency);
	const window = readRememberFor(context);
	/** Undefined where the same message may go out again: then nothing is remembered. */
	const rememberFor = tryRead(() => readIfAlreadySent(context, 0)) === 'send' ? undefined : window;
	const perSecond = isWait || operation === 'review' ? 0 : readNumberOption(context, messagesPerSecond);
	const sending = await openSending(context, concurrency, perSecond, rememberFor);
	const { platform, guards } = sending;
	// Otherwise the first messages would wait for it, and go out together.
	if (perSecond > 0) await deriveKeys(platform.keys.current);
	return {
		// Where the execution waits for it, the report comes to it, whatever the credential says of others.
		platform: isWait ? { ...platform, dlrUrl: undefined } : platform,
		guards,
		answered: isReply ? findAnsweredForward(context) : undefined,
		recipientColumns: isReply ? undefined : readRecipientColumns(context),
		/** Recipients who get nothing, in normal form. */
		doNotSendTo: isReply || isWait ? new Set<string>() : readDoNotSendTo(context, platform.userNames),
		sending,
		messages: openMessages(context, window),
		workflow: String(context.getWorkflow().id),
		/** The workflow's time zone. */
		zone: context.getTimezone(),
		rememberFor,
		concurrency,
		reportUrls: openReportUrls(context, platform),
	};
}

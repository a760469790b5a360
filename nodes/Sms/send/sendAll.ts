import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toItems } from '../../shared/items';
import { readLanguage } from '../../shared/node';
import type { Language } from '../../shared/notice';
import { readFlagOption, readNumberOption } from '../../shared/parameter';
import type { Opened, Results } from '../../shared/pool';
import { asProblem, Problem } from '../../shared/problem';
import { readPlatform } from '../credential';
import { openMessages, type Messages } from '../memory/messages';
import { type Sending, openPace } from '../outgoing/deliver';
import { readGuards, requireFewRows, trialHint } from '../outgoing/guards';
import { concurrency, readRequestOptions } from '../outgoing/parameters';
import { openAnswers, runMessages, type Answers } from '../outgoing/run';
import { endRun, tallyOf } from '../outgoing/runSummary';
import { openReportUrls, type ReportUrls } from '../reportUrl';
import { findAnsweredForward } from './answeredForward';
import { doubtsHint, forgottenHint } from './doubts';
import { readDoNotSendTo } from './doNotSendTo';
import { includeInputFields, messagesPerSecond, skipWithinHours } from './parameters';
import { readRecipientColumns, readRow, recipientIn, type RowsOf, type SendRow } from './row';
import { itemOfResult, type RowResult } from './rowResult';
import { openRows } from './rows';
import { sendOnce } from './sendOnce';

/** All that the rows of one run share. */
export interface Run extends RowsOf {
	sending: Sending;
	messages: Messages;
	places: number;
	/** What an item has not of the columns of its row; undefined: it has none of them. */
	leftOut: ReadonlySet<string> | undefined;
	reportUrls: ReportUrls;
	language: Language;
}

/** Columns of an earlier run's result, which would say what is not true of this one. */
const NOT_PASSED_ON = new Set([
	...['skipped', 'skipReason', 'unknown', 'problem', 'reason', 'notice', 'review', 'sentAt', 'quietUntil'],
]);

const HOW_TO_GO_ON = 'Run the node again to go on: what was sent is skipped, unless If Already Sent is set to Send.';

/**
 * Sends one message for each row, at most once, whatever n8n's Retry On Fail does around it.
 *
 * @returns one item for each row, in input order
 */
export async function sendAll(context: IExecuteFunctions, operation: 'send' | 'reply'): Promise<INodeExecutionData[]> {
	const answers = openAnswers<RowResult>(context, 'run');
	// What the run has opened is known here once it is open, and not where that failed.
	const opened: { run?: Run } = {};
	const results = await runMessages(
		context,
		answers,
		'SMS Send',
		(itemIndex) => recipientOf(context, itemIndex, opened.run),
		async () => {
			opened.run = await openRun(context, operation);
			return workOf(context, opened.run, answers);
		},
	);
	const { run } = opened;
	const warnings = run === undefined ? [] : await closeRun(run, results);
	if (!results.some((result) => result instanceof Problem)) answers.close();
	const tally = tallyOf(results, (result) => (result.kind === 'skipped' ? result.skipReason : 'accepted'));
	endRun(context, results, tally, warnings, HOW_TO_GO_ON);
	const { language = 'both' } = run ?? {};
	const items = results.map((result) =>
		result === undefined || result instanceof Problem ? result : itemOfResult(result, language),
	);
	return toItems(context, items, run?.leftOut, language)[0] ?? [];
}

/** @throws Problem where something can't be used that all rows need */
export async function openRun(context: IExecuteFunctions, operation: 'send' | 'reply' | 'review'): Promise<Run> {
	const language = operation === 'reply' ? 'both' : readLanguage(context);
	const request = readRequestOptions(context);
	const places = readNumberOption(context, concurrency);
	const windowHours = readNumberOption(context, skipWithinHours);
	const perSecond = operation === 'review' ? 0 : readNumberOption(context, messagesPerSecond);
	const credential = { type: 'smsPlatformApi', data: await context.getCredentials('smsPlatformApi') };
	const platform = readPlatform(credential);
	const guards = readGuards(credential.data, context.getTimezone());
	requireFewRows(guards, context.getInputData().length);
	return {
		platform,
		guards,
		answered: operation === 'reply' ? findAnsweredForward(context) : undefined,
		recipientColumns: operation === 'reply' ? undefined : readRecipientColumns(context),
		doNotSendTo: operation === 'reply' ? new Set() : readDoNotSendTo(context),
		sending: { context, platform, guards, options: request, pace: openPace(context, perSecond) },
		messages: openMessages(context, places, windowHours),
		places,
		leftOut: readFlagOption(context, includeInputFields) ? NOT_PASSED_ON : undefined,
		reportUrls: openReportUrls(context, platform),
		language,
	};
}

function workOf(context: IExecuteFunctions, run: Run, answers: Answers<RowResult>): Opened<RowResult> {
	const { sending, messages, places, answered, reportUrls } = run;
	const contents = new Map<SendRow, string>();
	const seen = new Map<string, number>();
	const read = (itemIndex: number) => {
		if (answers.ofPlace(itemIndex) !== undefined) return undefined;
		const row = readRow(context, itemIndex, run);
		// The same message twice in a list is two, where both are wanted.
		const count = seen.get(row.key) ?? 0;
		seen.set(row.key, count + 1);
		contents.set(row, `${row.key} ${count}`);
		return row;
	};
	const isToClaim = (row: SendRow) =>
		row.ifAlreadySent === 'skip' && !row.doNotSend && answers.ofContent(contents.get(row)!) === undefined;
	const count = context.getInputData().length;
	const rows = openRows(count, read, isToClaim, messages, answered === undefined);

	return {
		places,
		async work(itemIndex) {
			const { row, outgoing } = await rows.take(itemIndex);
			const content = contents.get(row)!;
			contents.delete(row);
			// What an earlier attempt left unknown keeps no other row from being sent.
			const known = answers.ofContent(content);
			if (known !== undefined) {
				rows.done(outgoing);
				return known;
			}
			const sign = (reference: string) => reportUrls.sign(row, reference);
			const send = sendOnce(sending, messages, row, outgoing, sign).finally(() => rows.done(outgoing));
			const result = await send.catch(asProblem);
			answers.keep(itemIndex, content, result);
			if (result instanceof Problem) throw result;
			return result;
		},
	};
}

/** The recipient that a row names, for its error; a reply has none but the sender of what it answers. */
function recipientOf(context: IExecuteFunctions, itemIndex: number, run: Run | undefined): unknown {
	return run?.answered?.msisdn ?? recipientIn(context, itemIndex, run?.recipientColumns);
}

/** Ends the memory's part of a run. @returns what the user has to know of the run as a whole */
export async function closeRun(run: Run, results: Results<RowResult>): Promise<string[]> {
	const fault = await run.messages.close();
	return [
		...run.reportUrls.warnings(),
		trialHint(run.guards),
		doubtsHint(results),
		forgottenHint(results.length),
		fault,
	].filter((hint) => hint !== undefined);
}

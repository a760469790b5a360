import { sleep, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import { requireCells } from '../../shared/columns';
import { toItems } from '../../shared/items';
import { readLanguage } from '../../shared/node';
import { getParameter, readChoice, readFlagOption, readNumberOption } from '../../shared/parameter';
import { giveWay, type Opened, type Results } from '../../shared/pool';
import { asProblem, ifReadable, Problem } from '../../shared/problem';
import { openMessages } from '../memory/messages';
import { openSending, type Outgoing } from '../outgoing/deliver';
import { trialHint } from '../outgoing/guards';
import { concurrency } from '../outgoing/parameters';
import { endRun, openAnswers, runMessages, type Answers } from '../outgoing/run';
import { openReportUrls } from '../reportUrl';
import { findAnsweredForward } from './answeredForward';
import { doubtHints } from './review/doubts';
import { readDoNotSendTo } from './doNotSendTo';
import { includeInputFields, messagesPerSecond, skipWithinHours } from './parameters';
import { readRecipientColumns, readRow, recipientIn, type SendRow } from './row';
import { itemOfResult, sendOnce, type RowResult } from './sendOnce';

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
	const { language, leftOut, problem } = readOutput(context, operation);
	const opened = await openRun(context, operation, problem).catch(asProblem);
	const run = opened instanceof Problem ? undefined : opened;
	// A reply has no recipient but the sender of what it answers.
	const recipientOf = (itemIndex: number): unknown =>
		run?.answered?.msisdn ?? recipientIn(context, itemIndex, run?.recipientColumns);
	const results = await runMessages(context, answers, recipientOf, async () => {
		if (opened instanceof Problem) throw opened;
		return openRows(context, opened, answers);
	});
	const warnings = run === undefined ? [] : await closeRun(run, results);
	if (!results.some((result) => result instanceof Problem)) answers.close();
	const kindOf = (result: RowResult) => (result.kind === 'skipped' ? result.skipReason : 'accepted');
	endRun(context, results, kindOf, language, warnings, HOW_TO_GO_ON);
	const items = results.map((result) =>
		result === undefined || result instanceof Problem ? result : itemOfResult(result, language),
	);
	return toItems(context, items, leftOut, language)[0] ?? [];
}

type Operation = 'send' | 'reply' | 'review' | 'sendAndWait';

/**
 * What the items of a run need, also of one that can't begin. What can't be read is as it is by default.
 *
 * @returns with the problem of the first that can't be read: it is every row's
 */
export function readOutput(context: IExecuteFunctions, operation: Operation) {
	const problems: Problem[] = [];
	const label = 'Review Output';
	const reviewOutput = () =>
		readChoice(getParameter(context, 'reviewOutput', label, 0, 'summary'), label, ['summary', 'rows']);
	const language = operation === 'reply' ? 'el' : ifReadable(() => readLanguage(context), problems);
	const hasInput =
		operation !== 'sendAndWait' && ifReadable(() => readFlagOption(context, includeInputFields), problems);
	return {
		language: language ?? 'el',
		/** What an item has not of the columns of its row; undefined: it has none of them. */
		leftOut: hasInput === true ? NOT_PASSED_ON : undefined,
		/** Whether a review has an item for each row. */
		asRows: operation === 'review' && ifReadable(reviewOutput, problems) === 'rows',
		problem: problems[0],
	};
}

export type Output = ReturnType<typeof readOutput>;

/** All that the rows of one run share. */
export type Run = Awaited<ReturnType<typeof openRun>>;

/** @param known why it can't begin, where that is known. @throws Problem where something can't be used that all rows need */
export async function openRun(context: IExecuteFunctions, operation: Operation, known: Problem | undefined) {
	if (known !== undefined) throw known;
	const [isReply, isWait] = [operation === 'reply', operation === 'sendAndWait'];
	if (!isReply) requireCells(context, ['recipient']);
	const places = isWait ? 1 : readNumberOption(context, concurrency);
	const windowHours = readNumberOption(context, skipWithinHours);
	const perSecond = isWait || operation === 'review' ? 0 : readNumberOption(context, messagesPerSecond);
	const sending = await openSending(context, perSecond);
	const { platform, guards } = sending;
	return {
		// Where the execution waits for it, the report comes to it, whatever the credential says of others.
		platform: isWait ? { ...platform, dlrUrl: undefined } : platform,
		guards,
		answered: isReply ? findAnsweredForward(context) : undefined,
		recipientColumns: isReply ? undefined : readRecipientColumns(context),
		doNotSendTo: isReply || isWait ? new Set<string>() : readDoNotSendTo(context),
		sending,
		messages: openMessages(context, places, windowHours),
		places,
		reportUrls: openReportUrls(context, platform),
	};
}

/** Ends the memory's part of a run. @returns what the user has to know of the run as a whole */
export async function closeRun(run: Run, results: Results<RowResult>): Promise<string[]> {
	const fault = await run.messages.close();
	return [...run.reportUrls.warnings(), trialHint(run.guards), ...doubtHints(results), fault].filter(
		(hint) => hint !== undefined,
	);
}

/** Rows in their order. They are read before their turn comes, so that their messages are claimed in blocks. */
function openRows(context: IExecuteFunctions, run: Run, answers: Answers<RowResult>): Opened<RowResult> {
	const { sending, messages, places, reportUrls } = run;
	const count = context.getInputData().length;
	const ready = new Map<number, ReturnType<typeof read>>();
	/** Those whose turn came: one whose request has not left counts like one whose turn has not come. */
	const inProgress = new Set<Outgoing>();
	const seen = new Map<string, number>();
	/** The rows before this one are read. */
	let next = 0;
	let block = 1;
	let reading: Promise<void> | undefined;

	/** A row, and what it sends: the same message twice in a list is two, where both are wanted. */
	const read = (itemIndex: number): { row: SendRow; content: string } | Problem => {
		try {
			const row = readRow(context, itemIndex, run);
			const times = seen.get(row.key) ?? 0;
			seen.set(row.key, times + 1);
			return { row, content: `${row.key} ${times}` };
		} catch (error) {
			return asProblem(error);
		}
	};
	/** What a kill would leave claimed and never sent is at most a block. */
	const room = () => block - ready.size - [...inProgress].filter(({ sentAt }) => sentAt === undefined).length;

	const readBlock = async (least: number) => {
		// Of a single row nobody has to know how long n8n's list is.
		if (count > 1) block = await messages.blockSize();
		const rows = new Map<number, ReturnType<typeof read>>();
		const keys: string[] = [];
		for (let left = Math.max(least, room()); left > 0 && next < count; left--) {
			await giveWay(left);
			const itemIndex = next++;
			const one = read(itemIndex);
			// An earlier attempt may have dealt with it; where the same follows, it counts all the same.
			if (answers.ofPlace(itemIndex) !== undefined) continue;
			rows.set(itemIndex, one);
			if (one instanceof Problem || one.row.ifAlreadySent === 'send' || one.row.doNotSend) continue;
			if (answers.ofContent(one.content) === undefined) keys.push(one.row.key);
		}
		// A message that could not be claimed here is claimed when its turn comes, or its row says why it can't be.
		const claimedBefore = keys.length > 0 && (await messages.claim(keys).catch(() => false));
		for (const [itemIndex, one] of rows) ready.set(itemIndex, one);
		// Another process may be sending the same list in this moment. Whoever comes second falls back, and both claim less at once.
		if (claimedBefore) await sleep(100 + Math.random() * 200);
	};
	/** @param least rows that somebody waits for */
	const readNext = async (least: number) => await (reading ??= readBlock(least).finally(() => (reading = undefined)));

	return {
		places,
		async work(itemIndex) {
			while (!ready.has(itemIndex)) await readNext(1);
			const one = ready.get(itemIndex)!;
			ready.delete(itemIndex);
			if (one instanceof Problem) throw one;
			const { row, content } = one;
			// What an earlier attempt left unknown keeps no other row from being sent.
			const known = answers.ofContent(content);
			if (known !== undefined) return known;
			const outgoing: Outgoing = { message: row.message, keepsQuiet: run.answered === undefined };
			inProgress.add(outgoing);
			if (next < count && ready.size <= Math.floor(block / 4) && room() > 0) void readNext(0);
			const sign = (reference: string) => reportUrls.sign(row, reference);
			const result = await sendOnce(sending, messages, row, outgoing, sign).catch(asProblem);
			inProgress.delete(outgoing);
			answers.keep(itemIndex, content, result);
			if (result instanceof Problem) throw result;
			return result;
		},
	};
}

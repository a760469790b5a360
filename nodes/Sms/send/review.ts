import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toItems } from '../../shared/items';
import { noticeOf, type Language } from '../../shared/notice';
import { getParameter, readChoice } from '../../shared/parameter';
import { failuresOf, giveWay, type Results } from '../../shared/pool';
import { asProblem, detailsOf, Problem } from '../../shared/problem';
import { throwIfCancelled } from '../../shared/retry';
import { groupsOf } from '../../shared/summary';
import type { Before } from '../memory/asking';
import { quietEnd, type QuietEnd } from '../outgoing/quietHours';
import { nameProblem } from '../outgoing/run';
import { doubtsOf } from './doubts';
import { reviewPage } from './reviewPage';
import { readRow, recipientIn, type SendRow } from './row';
import { closeRun, openRun, type Run } from './sendAll';
import { decide, itemOfResult, type RowResult, type Told } from './sendOnce';

/** How many messages, and rows of a fault, are shown for example. */
const SAMPLES = 5;
const EXAMPLES = 3;

/**
 * Checks a whole list and sends nothing. It never stops the workflow.
 *
 * @returns one item for an approval, or one for each row
 */
export async function review(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const rows = context.getInputData();
	const opened = await openRun(context, 'review').catch(asProblem);
	const run = opened instanceof Problem ? undefined : opened;
	const checked = opened instanceof Problem ? rows.map(() => opened) : await checkAll(context, opened);
	const results = checked.map((result, itemIndex) =>
		result instanceof Problem
			? nameProblem(context, itemIndex, result, () => recipientIn(context, itemIndex, run?.recipientColumns))
			: result,
	);
	const hints = run === undefined ? [] : await closeRun(run, results);
	for (const message of hints) context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
	const { language = 'both', guards, leftOut } = run ?? {};
	const quiet = guards?.quietHours && quietEnd(guards.quietHours, Date.now());
	if (readOutput(context) === 'rows') {
		const items = results.map((result) => ({
			...(result instanceof Problem ? itemOfFault(result, language) : itemOfResult(result, language, quiet?.at)),
			review: true,
		}));
		return toItems(context, items, leftOut, language)[0] ?? [];
	}
	const summary = reviewOf(results, language, quiet);
	const firstCells = rows.map(({ json }) => String(Object.values(json)[0] ?? ''));
	const html = reviewPage(summary, language, { firstCells, quietUntil: quiet?.words });
	return [{ json: { ...summary, html } as unknown as IDataObject, pairedItem: rows.map((_, item) => ({ item })) }];
}

/** What a review puts out; one that can't be read is a fault of the list, in the summary. */
function readOutput(context: IExecuteFunctions): 'summary' | 'rows' {
	const value = getParameter(context, 'reviewOutput', 'Review Output', 0, 'summary');
	return readChoice(value, 'Review Output', ['summary', 'rows']);
}

/** What would become of each row. With Skip the same message twice in the list goes out once. */
async function checkAll(context: IExecuteFunctions, run: Run): Promise<Array<RowResult | Problem>> {
	const { platform, messages, reportUrls } = run;
	const rows: Array<SendRow | Problem> = [];
	for (const itemIndex of context.getInputData().keys()) {
		await giveWay(itemIndex);
		throwIfCancelled(context);
		try {
			const row = readRow(context, itemIndex, run);
			reportUrls.note(row);
			rows.push(row);
		} catch (error) {
			rows.push(asProblem(error));
		}
	}
	const asked = rows.flatMap((row) =>
		row instanceof Problem || row.ifAlreadySent === 'send' || row.doNotSend ? [] : [row.key],
	);
	const found = await messages.look(asked).catch(asProblem);
	const known = found instanceof Problem ? undefined : new Map(asked.map((key, index) => [key, found[index]!]));
	/** A memory that sends nothing: what is settled in it would be sent. */
	const memory = {
		period: messages.period,
		async begin(key: string): Promise<Before> {
			if (known === undefined) throw found as Problem;
			return known.get(key)!;
		},
		async settle(key: string) {
			known!.set(key, { ...known!.get(key)!, state: 'sent' });
		},
	};
	const results: Array<RowResult | Problem> = [];
	for (const row of rows) {
		if (row instanceof Problem) results.push(row);
		else {
			const { doubts, sameRecipient: same } = row;
			const wouldSend = async (told: Told): Promise<RowResult> => ({ kind: 'wouldSend', told, doubts, same });
			results.push(await decide(platform, memory, row, wouldSend).catch(asProblem));
		}
	}
	return results;
}

/** A whole list as somebody has to see it who is to approve it. */
export type Review = ReturnType<typeof reviewOf>;

/** The one item of a review, without its page. @param quiet the end of quiet hours that would hold the list up now */
export function reviewOf(results: Results<RowResult>, language: Language, quiet: QuietEnd | undefined) {
	const wouldSend: Array<{ row: number; told: Told; same: string }> = [];
	const skipped = { sentBefore: 0, unknown: 0, doNotSend: 0 };
	for (const [index, result] of results.entries()) {
		if (result === undefined || result instanceof Problem) continue;
		if (result.kind === 'wouldSend') wouldSend.push({ row: index + 1, ...result });
		if (result.kind === 'skipped') skipped[result.skipReason]++;
	}
	const sizes = wouldSend.flatMap(({ row, told: { segments } }) => (segments === undefined ? [] : [{ row, segments }]));
	const [first, ...others] = sizes;
	const failed = failuresOf(results);
	const groups = groupsOf(failed);
	return {
		messages: wouldSend.length,
		people: new Set(wouldSend.map(({ same }) => same)).size,
		// Of those whose text is known; left out where no text is.
		...((sizes.length > 0 || wouldSend.length === 0) && {
			segments: sizes.reduce((sum, { segments }) => sum + segments, 0),
		}),
		...(first !== undefined && {
			longest: others.reduce((most, one) => (one.segments > most.segments ? one : most), first),
		}),
		alreadySent: skipped.sentBefore,
		unknown: skipped.unknown,
		doNotSend: skipped.doNotSend,
		faulty: failed.length,
		...listFaultOf(groups, results.length, language),
		// The most frequent first, each with some of its rows, from 1.
		faults: groups.map(({ problem, rows }) => ({
			reason: problem.why.reason,
			error: inFull(problem),
			notice: noticeOf(problem.why, language),
			rows: rows.length,
			examples: rows.slice(0, EXAMPLES).map((row) => row + 1),
		})),
		doubts: doubtsOf(results, language),
		samples: wouldSend.slice(0, SAMPLES).map(({ row, told: { recipient, text, segments } }) => ({
			row,
			recipient,
			...(text !== undefined && { text, segments }),
		})),
		...(quiet !== undefined && { quietUntil: quiet.at }),
	};
}

/** Reasons that are of the list or the run, where all rows have them. */
const OF_THE_LIST = new Set(['emptyList', 'missingColumn', 'tooManyRows', 'setting', 'unknownMessage']);

/** Why nothing can go out, because of the list or the run as a whole. */
function listFaultOf([only]: ReturnType<typeof groupsOf>, rows: number, language: Language) {
	if (only === undefined || only.rows.length < rows || !OF_THE_LIST.has(only.problem.why.reason)) return {};
	const { why } = only.problem;
	return { listFault: { reason: why.reason, notice: noticeOf(why, language) } };
}

/** The item of a faulty row, which is no failed one. */
function itemOfFault(problem: Problem, language: Language): IDataObject {
	const { recipient, reference, reason, notice } = detailsOf(problem, language);
	return {
		...(recipient !== undefined && { recipient }),
		accepted: false,
		problem: inFull(problem),
		reason,
		notice,
		...(reference !== undefined && { reference }),
	};
}

const inFull = ({ message, description }: Problem) => [message, description].filter(Boolean).join('. ');

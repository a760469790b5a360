import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toItems } from '../../shared/items';
import { noticeOf, type Language } from '../../shared/notice';
import { getParameter, readChoice } from '../../shared/parameter';
import { giveWay, type Results } from '../../shared/pool';
import { asProblem, Problem } from '../../shared/problem';
import { throwIfCancelled } from '../../shared/retry';
import { groupsOf } from '../../shared/summary';
import { quietEnd, type QuietEnd } from '../outgoing/quietHours';
import { nameProblem } from '../outgoing/run';
import { doubtsOf, type ListDoubt } from './doubts';
import { reviewPage } from './reviewPage';
import { readRow, recipientIn, type SendRow } from './row';
import { itemOfFault, itemOfResult, tell, type RowResult } from './rowResult';
import { closeRun, openRun, type Run } from './sendAll';

/** One thing that is wrong, with how many rows, and which ones for example, from 1. */
export interface Fault {
	reason: string;
	error: string;
	notice: string;
	rows: number;
	examples: number[];
}

/** A message that would go out. */
export interface Sample {
	row: number;
	/** As it would be sent. */
	recipient: string;
	/** With its segments where the text is known. */
	text?: string;
	segments?: number;
}

/** A whole list as somebody has to see it who is to approve it. */
export interface Review {
	/** How many would go out, and to how many recipients. */
	messages: number;
	people: number;
	/** How many SMS they take, those whose text is known; left out where no text is. */
	segments?: number;
	/** The most that one text takes. */
	longest?: { row: number; segments: number };
	/** How many rows would be skipped, because their message went out before, or perhaps did, or is not wanted. */
	alreadySent: number;
	unknown: number;
	doNotSend: number;
	/** How many rows have a fault. */
	faulty: number;
	/** Why nothing can go out, because of the list or the run as a whole. */
	listFault?: { reason: string; notice: string };
	/** The most frequent first. */
	faults: Fault[];
	doubts: ListDoubt[];
	samples: Sample[];
	/** When the quiet hours are over that would hold the list up now. ISO 8601. */
	quietUntil?: string;
}

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
	const checked = opened instanceof Problem ? rows.map(() => opened) : await checkAll(context, opened);
	const { language = 'both', recipientColumns, guards } = opened instanceof Problem ? {} : opened;
	const results = checked.map((result, itemIndex) =>
		result instanceof Problem
			? nameProblem(context, itemIndex, result, () => recipientIn(context, itemIndex, recipientColumns))
			: result,
	);
	const hints = opened instanceof Problem ? [] : await closeRun(opened, results);
	for (const message of hints) context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
	const hours = guards?.quietHours;
	const quiet = hours === undefined ? undefined : quietEnd(hours, Date.now());
	if (readOutput(context) === 'rows') {
		const items = results.map((result) => ({
			...(result instanceof Problem ? itemOfFault(result, language) : itemOfResult(result, language, quiet?.at)),
			review: true,
		}));
		const leftOut = opened instanceof Problem ? undefined : opened.leftOut;
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
	const rows: Array<SendRow | Problem> = [];
	for (const itemIndex of context.getInputData().keys()) {
		await giveWay(itemIndex);
		throwIfCancelled(context);
		rows.push(readSafely(context, itemIndex, run));
		const row = rows[itemIndex]!;
		if (!(row instanceof Problem)) run.reportUrls.note(row);
	}
	const asked = rows.filter((row): row is SendRow => !(row instanceof Problem) && isAsked(row));
	const found = await run.messages.look(asked.map(({ key }) => key)).catch(asProblem);
	const known = new Map(found instanceof Problem ? [] : asked.map((row, index) => [row, found[index]!]));
	const results: Array<RowResult | Problem> = [];
	const seen = new Set<string>();
	for (const row of rows) {
		if (row instanceof Problem || (found instanceof Problem && isAsked(row))) {
			results.push(row instanceof Problem ? row : (found as Problem));
			continue;
		}
		const before = known.get(row) ?? { state: 'new', period: run.messages.period() };
		const state = before.state === 'new' && isAsked(row) && seen.has(row.key) ? 'sent' : before.state;
		seen.add(row.key);
		const told = await tell(run.platform, row, before.period);
		if (row.doNotSend) results.push({ kind: 'skipped', told, skipReason: 'doNotSend' });
		else if (state === 'new') results.push({ kind: 'wouldSend', told, doubts: row.doubts, same: row.sameRecipient });
		else results.push({ kind: 'skipped', told, skipReason: state === 'sent' ? 'sentBefore' : 'unknown' });
	}
	return results;
}

const isAsked = ({ ifAlreadySent, doNotSend }: SendRow) => ifAlreadySent === 'skip' && !doNotSend;

function readSafely(context: IExecuteFunctions, itemIndex: number, run: Run): SendRow | Problem {
	try {
		return readRow(context, itemIndex, run);
	} catch (error) {
		return asProblem(error);
	}
}

/** The one item of a review, without its page. */
export function reviewOf(results: Results<RowResult>, language: Language, quiet: QuietEnd | undefined): Review {
	const skipped = (reason: string) =>
		results.filter(
			(result) => !(result instanceof Problem) && result?.kind === 'skipped' && result.skipReason === reason,
		).length;
	const wouldSend = [...results.entries()].flatMap(([index, result]) =>
		result !== undefined && !(result instanceof Problem) && result.kind === 'wouldSend'
			? [{ row: index + 1, ...result }]
			: [],
	);
	const failed = [...results.entries()].filter((entry): entry is [number, Problem] => entry[1] instanceof Problem);
	const known = wouldSend.filter(({ told }) => told.segments !== undefined);
	const longest = known.reduce<Review['longest']>(
		(most, { row, told }) =>
			most === undefined || told.segments! > most.segments ? { row, segments: told.segments! } : most,
		undefined,
	);
	const groups = groupsOf(failed);
	return {
		messages: wouldSend.length,
		people: new Set(wouldSend.map(({ same }) => same)).size,
		...((known.length > 0 || wouldSend.length === 0) && {
			segments: known.reduce((sum, { told }) => sum + told.segments!, 0),
		}),
		...(longest !== undefined && { longest }),
		alreadySent: skipped('sentBefore'),
		unknown: skipped('unknown'),
		doNotSend: skipped('doNotSend'),
		faulty: failed.length,
		...listFaultOf(groups, results.length, language),
		faults: groups.map(({ problem, rows }) => ({
			reason: problem.why.reason,
			error: [problem.message, problem.description].filter(Boolean).join('. '),
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

function listFaultOf(groups: ReturnType<typeof groupsOf>, rows: number, language: Language) {
	const [only] = groups;
	if (only === undefined || only.rows.length < rows || !OF_THE_LIST.has(only.problem.why.reason)) return {};
	const { why } = only.problem;
	return { listFault: { reason: why.reason, notice: noticeOf(why, language) } };
}

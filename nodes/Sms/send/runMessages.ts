import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Ledger } from '../../shared/ledger';
import { runRows } from '../../shared/pool';
import { asProblem, errorItem, nodeError, Problem } from '../../shared/problem';
import { openProgress } from '../../shared/progress';
import { groupByReason } from '../../shared/summary';
import { recall, type Entry } from './message';
import { inWords, showSummary, tallyOf, type Tally } from './report';
import { nameProblem } from './row';

/** What became of the rows of a run that sends, each in input order. */
export interface RunResult {
	done: Array<[itemIndex: number, item: IDataObject]>;
	failed: Array<[itemIndex: number, problem: Problem]>;
	/** Rows that no try of Retry On Fail came to. */
	notTried: number[];
}

/**
 * Sends the messages of a run, a bounded number of them at once.
 *
 * @param name the node's, for the log
 * @param send the life of a message that no earlier try dealt with; what it throws becomes the row's error, with the recipient in its details
 */
export async function runMessages(
	context: IExecuteFunctions,
	ledger: Ledger<Entry>,
	name: string,
	concurrency: number,
	send: (itemIndex: number) => Promise<IDataObject>,
): Promise<RunResult> {
	const progress = openProgress(context, name);
	const result = await runRows(context, concurrency, async (itemIndex) => {
		const isKnown = ledger.get(itemIndex) !== undefined;
		try {
			return recall(ledger, itemIndex) ?? (await send(itemIndex));
		} catch (error) {
			const problem = nameProblem(context, itemIndex, asProblem(error));
			// What an earlier try left unknown does not keep the rows after it from being sent.
			if (isKnown) return problem;
			throw problem;
		} finally {
			progress();
		}
	});
	return {
		done: result.done.filter((entry): entry is [number, IDataObject] => !(entry[1] instanceof Problem)),
		failed: [...result.failed, ...result.done.filter((entry): entry is [number, Problem] => entry[1] instanceof Problem)].sort(byIndex),
		notTried: result.notTried.filter((itemIndex) => ledger.get(itemIndex) === undefined),
	};
}

const byIndex = ([one]: [number, unknown], [other]: [number, unknown]) => one - other;

/**
 * Ends a run: sums it up for the person who looks at it.
 *
 * @param howToGoOn after a run that left rows untried, whatever stopped it
 * @throws the error that stops the run, where a row failed and On Error says so
 */
export function endRun(context: IExecuteFunctions, ledger: Ledger<Entry>, { done, failed, notTried }: RunResult, warnings: string[], howToGoOn: string): void {
	const tally = tallyOf(done.map(([, item]) => item), failed, notTried.length);
	if (failed.length === 0) ledger.close();
	else if (!context.continueOnFail()) throw stopError(context, failed, { ...tally, ...countKnown(ledger) }, howToGoOn);
	showSummary(context, tally, failed, warnings, howToGoOn);
}

/** Rows that earlier tries of Retry On Fail dealt with count too, also where this try stopped before them. */
function countKnown(ledger: Ledger<Entry>): Pick<Tally, 'taken' | 'unknown'> {
	const entries = ledger.entries().map(([, entry]) => entry);
	const taken = entries.filter((entry) => 'taken' in entry).length;
	return { taken, unknown: entries.length - taken };
}

/** The error of a run that stopped: the first row's, and how the run stands. */
function stopError(context: IExecuteFunctions, failed: Array<[number, Problem]>, tally: Tally, howToGoOn: string): Error {
	const [itemIndex, problem] = failed[0]!;
	const { message, description, details, httpCode } = problem;
	const isOutage = httpCode !== undefined && details.errorCode === undefined;
	const which = failed.length > 1 ? groupByReason(failed) : isOutage ? '' : `It was item ${itemIndex}`;
	const summary = context.getInputData().length > 1 ? [which, inWords(tally)].filter(Boolean).map((part) => `. ${part}`).join('') : '';
	const goesOn = tally.notTried > 0 ? `. ${howToGoOn}` : '';
	return nodeError(context.getNode(), new Problem(message, description + summary + goesOn, details, httpCode), itemIndex);
}

/** A column `error` would send the item to the wrong branch; the others, of an earlier run's result, would say what is not true of this one. */
const NOT_PASSED_ON = new Set(['error', 'skipped', 'unknown', 'dryRun']);

/**
 * One item for each row, in input order.
 *
 * @param withInput whether an item holds the columns of its row as well
 */
export function toItems(context: IExecuteFunctions, { done, failed }: RunResult, withInput = false): INodeExecutionData[] {
	const { onError } = context.getNode();
	const inputs = context.getInputData();
	const columnsOf = (itemIndex: number): IDataObject =>
		Object.fromEntries(Object.entries(inputs[itemIndex]!.json).filter(([column]) => !NOT_PASSED_ON.has(column)));
	const items = [
		...done.map(([itemIndex, json]): [number, INodeExecutionData] => [
			itemIndex,
			{ json: withInput ? { ...columnsOf(itemIndex), ...json } : json, pairedItem: { item: itemIndex } },
		]),
		...failed.map(([itemIndex, problem]): [number, INodeExecutionData] => [
			itemIndex,
			errorItem(withInput ? problem.with({ input: columnsOf(itemIndex) }) : problem, itemIndex, onError),
		]),
	];
	return items.sort(byIndex).map(([, item]) => item);
}

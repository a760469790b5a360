import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { asProblem, badParameter, errorItem, type Problem } from './errors';

export interface Run {
	/** One item for each row that was tried, in input order. */
	items: INodeExecutionData[];
	/** Where On Error says to stop: the rows that failed, the first of them the reason. */
	failures: Array<{ problem: Problem; itemIndex: number }>;
	/** Rows that never started, because the run stopped or was cancelled. */
	notTried: number[];
}

/**
 * Works on every row, a bounded number of them at once. There is no barrier: a slow row holds up one place, not
 * the rest. A row that throws becomes an error item where On Error says to continue; otherwise no row starts any
 * more, those under way finish, and their failures are handed back.
 *
 * @param readPlaces how many rows may be in work at once; where it throws, every row fails with that, because n8n
 * passes rows on as successes when a node throws as a whole and On Error says to continue
 * @param name adds to a row's error what the row is known by
 */
export async function runRows(
	context: IExecuteFunctions,
	readPlaces: () => number,
	work: (itemIndex: number) => Promise<INodeExecutionData>,
	name: (problem: Problem, itemIndex: number) => Problem = (problem) => problem,
): Promise<Run> {
	const count = context.getInputData().length;
	let places = 1;
	let unusable: Problem | undefined;
	try {
		places = readPlaces();
	} catch (error) {
		unusable = asProblem(error);
	}
	const items = new Array<INodeExecutionData | undefined>(count);
	const signal = context.getExecutionCancelSignal();
	const failures: Run['failures'] = [];
	let next = 0;

	const place = async () => {
		while (next < count && failures.length === 0 && signal?.aborted !== true) {
			const itemIndex = next++;
			try {
				if (unusable !== undefined) throw unusable;
				items[itemIndex] = await work(itemIndex);
			} catch (error) {
				const problem = name(asProblem(error), itemIndex);
				if (context.continueOnFail()) items[itemIndex] = errorItem(problem, itemIndex, context.getNode().onError);
				else failures.push({ problem, itemIndex });
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(places, count) }, place));

	const notTried = Array.from({ length: Math.max(0, count - next) }, (_, i) => next + i);
	return { items: items.filter((item) => item !== undefined), failures, notTried };
}

/**
 * An option that holds a whole number, such as Concurrency.
 *
 * @throws Problem that names the option and its bounds
 */
export function readWholeNumber(value: unknown, option: string, fallback: number, min: number, max: number): number {
	const number = value === undefined ? fallback : Number(value);
	if (!Number.isInteger(number) || number < min || number > max) {
		throw badParameter(option, `must be a whole number from ${min} to ${max}`, `Set a number such as ${fallback}`);
	}
	return number;
}

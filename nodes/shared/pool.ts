import type { IExecuteFunctions } from 'n8n-workflow';

import { asProblem, type Problem } from './problem';

/** What became of the rows of a run, by their index. */
export interface Run<T> {
	done: Array<[itemIndex: number, result: T]>;
	failed: Array<[itemIndex: number, problem: Problem]>;
	/** Rows that never started, because the run stopped or was cancelled. */
	notTried: number[];
}

/**
 * Works on every row, a bounded number of them at once. There is no barrier: a slow row holds up one place, not
 * the rest. Where On Error says to stop, no row starts after one that failed, and those under way finish.
 *
 * @param places how many rows may be in work at once
 * @param work what is thrown here becomes the row's problem
 * @returns each list in input order
 */
export async function runRows<T>(
	context: IExecuteFunctions,
	places: number,
	work: (itemIndex: number) => Promise<T>,
): Promise<Run<T>> {
	const count = context.getInputData().length;
	const signal = context.getExecutionCancelSignal();
	const goesOn = context.continueOnFail();
	const run: Run<T> = { done: [], failed: [], notTried: [] };
	let next = 0;

	const place = async () => {
		while (next < count && (goesOn || run.failed.length === 0) && signal?.aborted !== true) {
			const itemIndex = next++;
			try {
				run.done.push([itemIndex, await work(itemIndex)]);
			} catch (error) {
				run.failed.push([itemIndex, asProblem(error)]);
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(places, count) }, place));

	const byIndex = ([one]: [number, unknown], [other]: [number, unknown]) => one - other;
	run.done.sort(byIndex);
	run.failed.sort(byIndex);
	for (; next < count; next++) run.notTried.push(next);
	return run;
}

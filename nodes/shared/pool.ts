import { sleep, type IExecuteFunctions } from 'n8n-workflow';

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

	const goes = () => next < count && (goesOn || run.failed.length === 0) && signal?.aborted !== true;
	const takeTurn = openTurns();
	const place = async () => {
		while (goes()) {
			const itemIndex = next++;
			try {
				run.done.push([itemIndex, await work(itemIndex)]);
			} catch (error) {
				run.failed.push([itemIndex, asProblem(error)]);
			}
			if (goes()) await takeTurn();
		}
	};
	await Promise.all(Array.from({ length: Math.min(places, count) }, place));

	const byIndex = ([one]: [number, unknown], [other]: [number, unknown]) => one - other;
	run.done.sort(byIndex);
	run.failed.sort(byIndex);
	for (; next < count; next++) run.notTried.push(next);
	return run;
}

/**
 * One turn in each round of Node's event loop. Rows that go on in the same round stay together for the whole run: each
 * waits for the work of all the others before its connection opens, and again when the answers come, and so does
 * whatever else n8n has to do. A turn is a timer of no length, because n8n allows nodes no `setImmediate`.
 *
 * @returns waits for the next turn
 */
function openTurns(): () => Promise<void> {
	let last = Promise.resolve();
	return async () => {
		const mine = last;
		last = mine.then(async () => await sleep(0));
		await mine;
	};
}

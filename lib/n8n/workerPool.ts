import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import { toProblem, Problem, toResult } from '../texts/problem';
import { isCancelled } from '../http/cancel';

/** What became of the rows of a run, in input order: undefined for a row that was never tried. */
export type Results<T> = Array<T | Problem | undefined>;

interface Opened<T> {
	/** How many rows may be in work in parallel. */
	concurrency: number;
	/** Works on one row. A problem that it throws ends the run where On Error says to stop, one that it returns does not. */
	work: (itemIndex: number) => Promise<T | Problem>;
}

/**
 * Works on every row, a bounded number of them in parallel. Where On Error says to stop, no row starts after one that
 * failed. @param open where it throws, every row fails with that, or with Stop the first: n8n passes rows on as successes
 * where a node throws
 */
export async function runItems<T>(context: IExecuteFunctions, open: () => Opened<T>): Promise<Results<T>> {
	const results: Results<T> = context.getInputData().map(() => undefined);
	const goesOn = context.continueOnFail();
	let hasFailed = false;
	const opened = toResult(open);
	if (opened instanceof Problem) return results.map((_, itemIndex) => (goesOn || itemIndex === 0 ? opened : undefined));
	const isOver = () => (hasFailed && !goesOn) || isCancelled(context);
	await runWorkers(results.keys(), Math.min(opened.concurrency, results.length), isOver, async (itemIndex) => {
		results[itemIndex] = await opened.work(itemIndex).catch((error: unknown) => {
			hasFailed = true;
			return toProblem(error);
		});
	});
	return results;
}

/**
 * Gives way to the rest of n8n at every tenth row of those that are read one after the other: an answer of n8n takes
 * several rounds of Node's event loop. @param itemIndex of the row
 */
export async function yieldToEventLoop(itemIndex: number): Promise<void> {
	if (itemIndex % 10 === 9) await sleep(0);
}

/** A timer takes at least a millisecond: with one for each draw, a thousand rows would take a second for nothing. */
const IN_A_ROUND = 4;

/**
 * Works on what is given, a bounded number of turns in parallel, without a barrier. None is drawn once the run is over;
 * what was drawn is in somebody's hand, who deals with it, and is waited for. Few are drawn in one round of Node's event
 * loop (a timer of no length begins the next: n8n allows no `setImmediate`), because rows that all go on in the same round
 * would move in lockstep.
 * @param work deals with one turn; it does not throw. At the end the generator is ended too, also where it has more.
 * @throws what the generator throws
 */
export async function runWorkers<Turn>(
	turns: AsyncIterator<Turn, void> | Iterator<Turn, void>,
	concurrency: number,
	isOver: () => boolean,
	work: (turn: Turn) => Promise<void>,
): Promise<void> {
	let draws = 0;
	const draw = async () => {
		if (draws++ % IN_A_ROUND === 0) await sleep(0);
		return isOver() ? undefined : await turns.next();
	};
	let last: Promise<unknown> = Promise.resolve();
	const place = async () => {
		for (;;) {
			const next = last.then(draw);
			last = next.catch(() => {});
			const drawn = await next;
			if (drawn === undefined || drawn.done === true) return;
			await work(drawn.value);
		}
	};
	const ends = await Promise.allSettled(Array.from({ length: concurrency }, place));
	await turns.return?.();
	const failed = ends.find((end) => end.status === 'rejected');
	if (failed !== undefined) throw failed.reason;
}

/** The rows that failed. */
export function failuresOf(results: Results<unknown>): Array<[itemIndex: number, problem: Problem]> {
	return [...results.entries()].filter((entry): entry is [number, Problem] => entry[1] instanceof Problem);
}

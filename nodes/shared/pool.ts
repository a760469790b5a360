import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import { asProblem, Problem } from './problem';

/** What became of the rows of a run, in input order: undefined for a row that was never tried. */
export type Results<T> = Array<T | Problem | undefined>;

/** What a run has opened before its first row. */
export interface Opened<T> {
	/** How many rows may be in work in parallel. */
	places: number;
	/**
	 * Works on one row. What it throws becomes the row's problem, after which no row starts where On Error says to stop;
	 * a problem that it returns does not keep other rows from starting.
	 */
	work: (itemIndex: number) => Promise<T | Problem>;
}

/**
 * Works on every row, a bounded number of them in parallel. There is no barrier: a slow row holds up one place, not the
 * rest. Where On Error says to stop, no row starts after one that failed, and those in work finish.
 *
 * @param open what all rows need. Where it throws, every row fails with that: n8n passes rows on as successes where a
 * node throws as a whole
 */
export async function runRows<T>(
	context: IExecuteFunctions,
	open: () => Opened<T> | Promise<Opened<T>>,
): Promise<Results<T>> {
	const count = context.getInputData().length;
	const signal = context.getExecutionCancelSignal();
	const goesOn = context.continueOnFail();
	const results: Results<T> = new Array<undefined>(count).fill(undefined);
	const { places, work } = await (async () => await open())().catch(failing<T>);
	let next = 0;
	let hasFailed = false;

	const goes = () => next < count && (goesOn || !hasFailed) && signal?.aborted !== true;
	/*
	 * One turn in each round of Node's event loop. Rows that go on in the same round would stay together for the whole run:
	 * each would wait for the work of all the others before its connection opens, and again when the answers come, and so
	 * would whatever else n8n has to do. A turn is a timer of no length, because n8n allows nodes no `setImmediate`.
	 */
	let turn = Promise.resolve();
	const place = async () => {
		while (goes()) {
			const itemIndex = next++;
			try {
				results[itemIndex] = await work(itemIndex);
			} catch (error) {
				hasFailed = true;
				results[itemIndex] = asProblem(error);
			}
			turn = turn.then(async () => await sleep(0));
			if (goes()) await turn;
		}
	};
	await Promise.all(Array.from({ length: Math.min(places, count) }, place));
	return results;
}

/**
 * Works on what a generator gives, a bounded number of turns in parallel. Turns are drawn one after the other, each in a
 * round of its own of Node's event loop, and none once the run is stopped: what was drawn is in somebody's hand, who deals
 * with it. It does not end before all of them have.
 *
 * @param places how many turns may be in work in parallel
 * @param isStopped whether somebody has stopped the run
 * @param work deals with one turn; it does not throw
 * @throws what the generator throws
 */
export async function drawAll<Turn>(
	turns: AsyncGenerator<Turn, void>,
	places: number,
	isStopped: () => boolean,
	work: (turn: Turn) => Promise<void>,
): Promise<void> {
	const draw = async () => {
		await sleep(0);
		return isStopped() ? undefined : await turns.next();
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
	const ends = await Promise.allSettled(Array.from({ length: places }, place));
	const failed = ends.find((end) => end.status === 'rejected');
	if (failed !== undefined) throw failed.reason;
}

/** A run of which every row fails with the same problem. */
export function failing<T>(error: unknown): Opened<T> {
	const problem = asProblem(error);
	return { places: 1, work: async () => await Promise.reject(problem) };
}

/** The rows that failed. */
export function failuresOf(results: Results<unknown>): Array<[itemIndex: number, problem: Problem]> {
	return [...results.entries()].filter((entry): entry is [number, Problem] => entry[1] instanceof Problem);
}

/** Gives way to whatever else n8n does, once in ten rows: parameters take time to read. @param count the rows that are done */
export async function giveWay(count: number): Promise<void> {
	if (count % 10 === 9) await sleep(0);
}

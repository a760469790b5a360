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
	const takeTurn = openTurns();
	const place = async () => {
		while (goes()) {
			const itemIndex = next++;
			try {
				results[itemIndex] = await work(itemIndex);
			} catch (error) {
				hasFailed = true;
				results[itemIndex] = asProblem(error);
			}
			if (goes()) await takeTurn();
		}
	};
	await Promise.all(Array.from({ length: Math.min(places, count) }, place));
	return results;
}

/** A run of which every row fails with the same problem. */
export function failing<T>(error: unknown): Opened<T> {
	const problem = asProblem(error);
	return {
		places: 1,
		async work() {
			throw problem;
		},
	};
}

/** The rows that failed. */
export function failuresOf(results: Results<unknown>): Array<[itemIndex: number, problem: Problem]> {
	return [...results.entries()].filter((entry): entry is [number, Problem] => entry[1] instanceof Problem);
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

/**
 * Says ten times in a run of a hundred rows or more how far it is: in n8n's log, and in the console of the browser
 * that looks at it.
 *
 * @param name the node's, such as "SMS Send"
 * @returns to be called after every row
 */
export function openProgress(context: IExecuteFunctions, name: string): () => void {
	const total = context.getInputData().length;
	let done = 0;
	return () => {
		done++;
		if (total < 100 || done % Math.ceil(total / 10) !== 0) return;
		const progress = `${name}: ${done} of ${total} rows`;
		context.logger.info(progress);
		context.sendMessageToUI(progress);
	};
}

/** After how many rows that are read one after the other whatever else n8n does has its turn: parameters take time to read. */
const ROWS_A_TURN = 10;

/** Gives way to whatever else n8n does, now and then. @param count how many rows of a loop are done */
export async function giveWay(count: number): Promise<void> {
	if (count % ROWS_A_TURN === ROWS_A_TURN - 1) await sleep(0);
}

import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import { toProblem, Problem, toResult } from '../texts/problem';
import { isCancelled } from '../http/cancel';

/** The results of a run's items, in input order. Undefined for an item that was not tried. */
export type Results<T> = Array<T | Problem | undefined>;

interface Opened<T> {
	/** How many items may be in progress at the same time. */
	concurrency: number;
	/** Processes one item. With On Error set to Stop, a problem that it throws ends the run. One that it returns does not. */
	work: (itemIndex: number) => Promise<T | Problem>;
}

/**
 * Processes every item, a limited number at the same time. With On Error set to Stop, no item starts after one that failed.
 * @param open prepares the run. If it throws, every item fails with that problem, or only the first with Stop. The node itself
 * must not throw, because n8n then passes its items on as successes
 */
export async function runItems<T>(context: IExecuteFunctions, open: () => Opened<T>): Promise<Results<T>> {
	const results: Results<T> = context.getInputData().map(() => undefined);
	const continuesOnFail = context.continueOnFail();
	let hasFailed = false;
	const opened = toResult(open);
	if (opened instanceof Problem)
		return results.map((_, itemIndex) => (continuesOnFail || itemIndex === 0 ? opened : undefined));
	const isOver = () => (hasFailed && !continuesOnFail) || isCancelled(context);
	await runWorkers(results.keys(), Math.min(opened.concurrency, results.length), isOver, async (itemIndex) => {
		results[itemIndex] = await opened.work(itemIndex).catch((error: unknown) => {
			hasFailed = true;
			return toProblem(error);
		});
	});
	return results;
}

/**
 * Lets the rest of n8n run after every tenth item that is read. n8n needs several rounds of Node's event loop to answer a
 * request.
 */
export async function yieldToEventLoop(itemIndex: number): Promise<void> {
	if (itemIndex % 10 === 9) await sleep(0);
}

/** How many items are taken in one round of the event loop. A timer costs about 1 ms, so workers yield only this often. */
const IN_A_ROUND = 4;

/**
 * Runs workers that each take the next item until none is left or the run is over. Items that a worker already took are
 * finished before this resolves. Workers yield to the event loop every few items, because otherwise they would run in lockstep.
 * They yield with a timer, because n8n forbids `setImmediate`.
 * @param items gives the items. It is closed at the end, even if it has more
 * @param work processes one item. It must not throw
 * @throws what `items` throws
 */
export async function runWorkers<Item>(
	items: AsyncIterator<Item, void> | Iterator<Item, void>,
	concurrency: number,
	isOver: () => boolean,
	work: (item: Item) => Promise<void>,
): Promise<void> {
	let taken = 0;
	const takeNext = async () => {
		if (taken++ % IN_A_ROUND === 0) await sleep(0);
		return isOver() ? undefined : await items.next();
	};
	let lastTake: Promise<unknown> = Promise.resolve();
	const worker = async () => {
		for (;;) {
			const taking = lastTake.then(takeNext);
			lastTake = taking.catch(() => {});
			const next = await taking;
			if (next === undefined || next.done === true) return;
			await work(next.value);
		}
	};
	const ends = await Promise.allSettled(Array.from({ length: concurrency }, worker));
	await items.return?.();
	const failed = ends.find((end) => end.status === 'rejected');
	if (failed !== undefined) throw failed.reason;
}

/** Returns the items that failed. */
export function failuresOf(results: Results<unknown>): Array<[itemIndex: number, problem: Problem]> {
	return [...results.entries()].filter((entry): entry is [number, Problem] => entry[1] instanceof Problem);
}

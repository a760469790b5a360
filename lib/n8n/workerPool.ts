import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import { toProblem, Problem, toResult } from '../texts/problem';
import { isCancelled } from '../http/cancel';

/** The results of a run's items, in the order of the input. Undefined: the item was not tried. */
export type Results<T> = Array<T | Problem | undefined>;

/** A run that is ready to process items. */
interface Opened<T> {
	/** The largest number of items in progress at the same time. */
	concurrency: number;
	/** Processes an item. If On Error is Stop, a Problem that it throws ends the run, and a Problem that it returns does not. */
	work: (itemIndex: number) => Promise<T | Problem>;
}

/**
 * Processes all items, a limited number of them at the same time. If On Error is Stop, no further item starts after `work` has
 * thrown.
 * @param open prepares the run. If it throws, every item fails with that Problem. If On Error is Stop, only the first item fails.
 * `runItems` itself does not throw, because n8n would then pass the input items on as successes
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
 * Yields to the event loop after every tenth item that is read, so that n8n can do other work meanwhile. n8n needs several rounds
 * of the event loop to answer a request.
 */
export async function yieldToEventLoop(itemIndex: number): Promise<void> {
	if (itemIndex % 10 === 9) await sleep(0);
}

/** The number of items that workers take before one of them yields to the event loop. Yielding costs about 1 ms. */
const IN_A_ROUND = 4;

/**
 * Runs workers. Each worker takes the next item until no item is left or the run is over. Items that a worker has taken are
 * finished before this function resolves. Before every few items the pool yields to the event loop, because otherwise all
 * workers would begin their next items at the same moment again and again. It yields with a timer, because n8n forbids
 * `setImmediate`.
 * @param items the items. The iterator is closed at the end, even if it has more items
 * @param isOver returns whether the run is over
 * @param work processes an item. It must not throw
 * @throws the error that `items` throws
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
			// Each worker waits for the take before its own. So while one of them yields, the others take no items either.
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

/** Returns the items that failed, with their Problems. */
export function failuresOf(results: Results<unknown>): Array<[itemIndex: number, problem: Problem]> {
	return [...results.entries()].filter((entry): entry is [number, Problem] => entry[1] instanceof Problem);
}

import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { asProblem, badParameter, errorItem, type Problem } from './errors';

export interface Run {
	/** One item for each row that was tried, in input order. */
	items: INodeExecutionData[];
	/** Set where the run stopped at its first failure, as On Error says. */
	stopped?: { problem: Problem; itemIndex: number; notTried: number[] };
}

/**
 * Works on every row, a bounded number of them at once. There is no barrier: a slow row holds up one place, not
 * the rest. A row that throws becomes an error item where On Error says to continue; otherwise no row starts any
 * more, those under way finish, and the first failure is handed back.
 *
 * @param readPlaces how many rows may be in work at once; where it throws, every row fails with that, because n8n
 * passes rows on as successes when a node throws as a whole and On Error says to continue
 */
export async function runRows(
	context: IExecuteFunctions,
	readPlaces: () => number,
	work: (itemIndex: number) => Promise<INodeExecutionData>,
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
	let stopped: Run['stopped'];
	let next = 0;

	const place = async () => {
		while (next < count && stopped === undefined && signal?.aborted !== true) {
			const itemIndex = next++;
			try {
				if (unusable !== undefined) throw unusable;
				items[itemIndex] = await work(itemIndex);
			} catch (error) {
				const problem = asProblem(error);
				if (context.continueOnFail()) items[itemIndex] = errorItem(problem, itemIndex);
				else stopped ??= { problem, itemIndex, notTried: [] };
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(places, count) }, place));

	if (stopped !== undefined) {
		for (let i = next; i < count; i++) stopped.notTried.push(i);
	}
	return { items: items.filter((item) => item !== undefined), stopped };
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

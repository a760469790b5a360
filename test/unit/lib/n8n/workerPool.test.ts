import type { IExecuteFunctions } from 'n8n-workflow';

import { failuresOf, runItems } from '../../../../lib/n8n/workerPool';
import { Problem } from '../../../../lib/texts/problem';
import { until } from '../../../../scripts/n8n.js';

const context = (rows: number, more: { goesOn?: boolean; signal?: AbortSignal } = {}) =>
	({
		getInputData: () => Array.from({ length: rows }),
		getExecutionCancelSignal: () => more.signal,
		continueOnFail: () => more.goesOn ?? false,
	}) as unknown as IExecuteFunctions;

/** Runs the work for all rows in a worker pool with the concurrency `places`. */
const pool = async <T>(rows: IExecuteFunctions, places: number, work: (itemIndex: number) => Promise<T | Problem>) =>
	await runItems<T>(rows, () => ({ concurrency: places, work }));

describe('runItems', () => {
	it('runs as many items at once as the concurrency allows, and never more', async () => {
		const waiting: Array<() => void> = [];
		const started: number[] = [];
		const run = pool(context(5), 2, async (itemIndex) => {
			started.push(itemIndex);
			await new Promise<void>((resolve) => waiting.push(resolve));
			return itemIndex;
		});
		await until('two items start', () => started.length >= 2);
		expect(started).toEqual([0, 1]);
		// Each time that an item ends, the next item starts, although the first item is still in progress.
		for (let ends = 1; ends < 5; ends++) {
			waiting[ends]!();
			const now = Math.min(ends + 2, 5);
			await until(`item ${now} starts`, () => started.length >= now);
			expect(started).toEqual([0, 1, 2, 3, 4].slice(0, now));
		}
		waiting[0]!();
		expect(await run).toEqual([0, 1, 2, 3, 4]);
	});

	it('starts at most four items before it yields to the event loop, even if all answers arrive together', async () => {
		const answers: Array<() => void> = [];
		const together: number[] = [];
		let started = 0;
		const run = pool(context(40), 20, async () => {
			const mine = ++started;
			if (mine <= 20) return await new Promise<void>((resolve) => answers.push(resolve));
			// These microtasks run before the event loop continues.
			for (let step = 0; step < 100; step++) await undefined;
			together.push(started - mine + 1);
		});
		await until('twenty items wait', () => answers.length === 20);
		for (const answer of answers) answer();
		await run;
		expect(together).toHaveLength(20);
		expect(Math.max(...together)).toBeLessThanOrEqual(4);
	});

	const failed = expect.any(Problem) as unknown;

	it.each<[string, goesOn: boolean, expected: unknown[]]>([
		['starts no item after one that failed, if continue on fail is off', false, [0, failed, undefined]],
		['continues after an item that failed, if continue on fail is on', true, [0, failed, 2]],
	])('%s', async (_, goesOn, expected) => {
		const run = await pool(context(3, { goesOn }), 1, async (itemIndex) => {
			if (itemIndex === 1) throw 'a text';
			return itemIndex;
		});
		expect(run).toEqual(expected);
		expect(failuresOf(run)).toEqual([[1, expect.objectContaining({ message: 'Unexpected error' })]]);
	});

	it('continues after an item that returns a problem instead of throwing it', async () => {
		const known = new Problem('known', '');
		const run = await pool(context(3), 1, async (itemIndex) => (itemIndex === 1 ? known : itemIndex));
		expect(run).toEqual([0, known, 2]);
	});

	it('starts no further item after the run is cancelled', async () => {
		const cancelling = new AbortController();
		const run = await pool(context(3, { goesOn: true, signal: cancelling.signal }), 1, async () => {
			cancelling.abort();
			return 'done';
		});
		expect(run).toEqual(['done', undefined, undefined]);
	});

	it.each([
		[true, [failed, failed, failed]],
		[false, [failed, undefined, undefined]],
	])('fails with the error that occurs before the first item (continue on fail: %s)', async (goesOn, expected) => {
		const run = await runItems(context(3, { goesOn }), () => {
			throw new Problem('no credential', '');
		});
		expect(run).toEqual(expected);
		expect(failuresOf(run)[0]![1].message).toBe('no credential');
	});
});

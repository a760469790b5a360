import type { IExecuteFunctions } from 'n8n-workflow';

import { runRows } from '../../nodes/shared/pool';
import { until } from '../../scripts/n8n';

const context = (rows: number, more: { goesOn?: boolean; signal?: AbortSignal } = {}) =>
	({
		getInputData: () => Array.from({ length: rows }),
		getExecutionCancelSignal: () => more.signal,
		continueOnFail: () => more.goesOn ?? false,
	}) as unknown as IExecuteFunctions;

const indices = (list: Array<[number, unknown]>) => list.map(([itemIndex]) => itemIndex);

describe('runRows', () => {
	it('keeps the places full, and never has more rows in work', async () => {
		const waiting: Array<() => void> = [];
		const started: number[] = [];
		const run = runRows(context(5), 2, async (itemIndex) => {
			started.push(itemIndex);
			await new Promise<void>((resolve) => waiting.push(resolve));
			return itemIndex;
		});
		expect(started).toEqual([0, 1]);
		// The second row's end makes room, though the first still goes on.
		for (let ends = 1; ends < 5; ends++) {
			waiting[ends]!();
			const now = Math.min(ends + 2, 5);
			await until(`row ${now} starts`, () => started.length >= now);
			expect(started).toEqual([0, 1, 2, 3, 4].slice(0, now));
		}
		waiting[0]!();
		expect(indices((await run).done)).toEqual([0, 1, 2, 3, 4]);
	});

	it('goes on with one row at a time, though all answers come at once', async () => {
		const answers: Array<() => void> = [];
		const together: boolean[] = [];
		let started = 0;
		const run = runRows(context(10), 5, async () => {
			const mine = ++started;
			if (mine <= 5) return await new Promise<void>((resolve) => answers.push(resolve));
			// All that can happen before Node looks for what comes from outside.
			for (let step = 0; step < 100; step++) await undefined;
			together.push(started !== mine);
		});
		for (const answer of answers) answer();
		await run;
		expect(together).toEqual([false, false, false, false, false]);
	});

	it('starts no row after one that failed, where the run shall stop', async () => {
		const run = await runRows(context(4), 1, async (itemIndex) => {
			if (itemIndex === 1) throw new Error('no');
			return itemIndex;
		});
		expect([indices(run.done), indices(run.failed), run.notTried]).toEqual([[0], [1], [2, 3]]);
	});

	it('goes on where it shall, and what was thrown is a problem', async () => {
		const run = await runRows(context(3, { goesOn: true }), 2, async (itemIndex) => {
			if (itemIndex === 1) throw 'a text';
			return itemIndex;
		});
		expect([indices(run.done), run.notTried]).toEqual([[0, 2], []]);
		expect(run.failed).toEqual([[1, expect.objectContaining({ message: 'Unexpected error' })]]);
	});

	it('starts no row once the run was cancelled', async () => {
		const cancelling = new AbortController();
		const run = await runRows(context(3, { goesOn: true, signal: cancelling.signal }), 1, async () => cancelling.abort());
		expect([indices(run.done), run.notTried]).toEqual([[0], [1, 2]]);
	});

	it('of no rows is over at once', async () => {
		expect(await runRows(context(0), 5, async () => 1)).toEqual({ done: [], failed: [], notTried: [] });
	});
});

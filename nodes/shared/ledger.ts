import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * What is known of the rows of one run, kept in the node's execution context. Retry On Fail runs the whole node again
 * when any row failed; what stands here is not done again. It is stored with the execution: no secret, nothing
 * that the node's output would not hold.
 */
export interface Ledger<Entry> {
	/** @param row its index, or what it asks: equal rows are then one. */
	get(row: number | string): Entry | undefined;
	set(row: number | string, entry: Entry): void;
	/** All rows that are known by their index, of this try and those before. */
	entries(): Array<[itemIndex: number, entry: Entry]>;
	/** Forgets the run, once nothing can run it again. */
	close(): void;
}

/** @param Entry JSON data */
export function openLedger<Entry>(context: IExecuteFunctions): Ledger<Entry> {
	const store = context.getContext('node');
	const { $runIndex: run } = context.getWorkflowDataProxy(0);
	// A node in a loop runs many times in one execution; only the latest run can be tried again.
	if ((store.rows as { run?: number } | undefined)?.run !== run) store.rows = { run, entries: {} };
	const { entries } = store.rows as { entries: Record<number | string, Entry> };

	return {
		get: (row) => entries[row],
		set(row, entry) {
			entries[row] = entry;
		},
		entries: () => Object.entries(entries).map(([itemIndex, entry]) => [Number(itemIndex), entry]),
		close() {
			delete store.rows;
		},
	};
}

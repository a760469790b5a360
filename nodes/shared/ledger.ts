import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * What is known of the rows of one run, kept in the node's execution context. Retry On Fail runs the whole node again
 * when any row failed; what is listed here is not done again. It is stored with the execution: no secret, nothing
 * that the node's output would not contain.
 */
export interface Ledger<Entry> {
	/** @param id the row's index, or what it asks: equal rows are then one */
	get(id: string | number): Entry | undefined;
	set(id: string | number, entry: Entry): void;
	forget(id: string | number): void;
	/** Forgets the run, once nothing can run it again. */
	close(): void;
}

/**
 * @param Entry JSON data
 * @param lasts for how long a row is known. A node in a loop runs many times in one execution, and only the latest run can
 * be tried again. The runs of an agent's tool can't be told from attempts: what it does once is known for the whole execution
 */
export function openLedger<Entry>(context: IExecuteFunctions, lasts: 'run' | 'execution' = 'run'): Ledger<Entry> {
	const store = context.getContext('node');
	const run: unknown = lasts === 'run' ? context.getWorkflowDataProxy(0).$runIndex : lasts;
	if ((store.rows as { run?: unknown } | undefined)?.run !== run) store.rows = { run, entries: {} };
	const { entries } = store.rows as { entries: Record<string, Entry> };

	return {
		get: (id) => entries[id],
		set(id, entry) {
			entries[id] = entry;
		},
		forget(id) {
			delete entries[id];
		},
		close() {
			if (lasts === 'run') delete store.rows;
		},
	};
}

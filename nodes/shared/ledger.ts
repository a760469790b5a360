import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * What is known of the rows of one run, kept in the node's execution context. Retry On Fail runs the whole node again
 * when any row failed; what is listed here is not done again. It is stored with the execution: no secret, nothing
 * that the node's output would not contain. An entry's id is the row's index, or what the row asks: equal rows are then one.
 *
 * @param Entry JSON data
 * @param lasts for how long a row is known. A node in a loop runs many times in one execution, and only the latest run can
 * be tried again. The runs of an agent's tool can't be told from attempts: what it does once is known for the whole execution
 */
export function openLedger<Entry>(context: IExecuteFunctions, lasts: 'run' | 'execution' = 'run') {
	const store = context.getContext('node');
	const run: unknown = lasts === 'run' ? context.getWorkflowDataProxy(0).$runIndex : lasts;
	if ((store.rows as { run?: unknown } | undefined)?.run !== run) store.rows = { run, entries: {} };
	const { entries } = store.rows as { entries: Record<string, Entry> };
	return {
		get: (id: string): Entry | undefined => entries[id],
		set: (id: string, entry: Entry) => void (entries[id] = entry),
		forget: (id: string) => delete entries[id],
		/** Forgets the run, once nothing can run it again. */
		close: () => lasts === 'run' && delete store.rows,
	};
}

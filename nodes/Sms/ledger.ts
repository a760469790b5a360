import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { Problem } from '../shared/errors';

/** What is remembered of a row: the item it gave when it was taken, or the error of its unknown outcome. */
type Entry =
	| { taken: IDataObject }
	| { unknown: { message: string; description: string; details: IDataObject; httpCode?: string } };

/**
 * The memory of what one run has sent, in the node's execution context. Retry On Fail runs the whole node again
 * when any row failed; without this memory the rows that were taken would be sent again, and so would those of
 * which nobody knows whether they were. Rejected rows are not in it: those may be tried again.
 */
export interface Ledger {
	/** Whether this row is dealt with, one way or the other. */
	has(itemIndex: number): boolean;
	/** What this row gave before; undefined where it may be sent. Throws the row's error where its outcome is unknown. */
	recall(itemIndex: number): IDataObject | undefined;
	recordTaken(itemIndex: number, output: IDataObject): void;
	recordUnknown(itemIndex: number, problem: Problem): void;
	/** How many rows were taken, in this try and those before. */
	countTaken(): number;
	/** The rows of unknown outcome, of this try and those before. */
	unknownRows(): number[];
	/** Forgets the run, once nothing can run it again. */
	close(): void;
}

export function openLedger(context: IExecuteFunctions): Ledger {
	const store = context.getContext('node');
	const { $runIndex: run } = context.getWorkflowDataProxy(0);
	// A node in a loop runs many times in one execution; only the latest run can be tried again.
	if ((store.sent as { run?: number } | undefined)?.run !== run) store.sent = { run, rows: {} };
	const { rows } = store.sent as { rows: Record<number, Entry> };

	return {
		has: (itemIndex) => itemIndex in rows,
		recall(itemIndex) {
			const entry = rows[itemIndex];
			if (entry === undefined) return undefined;
			if ('taken' in entry) return entry.taken;
			const { message, description, details, httpCode } = entry.unknown;
			throw new Problem(message, description, details, httpCode);
		},
		recordTaken(itemIndex, output) {
			rows[itemIndex] = { taken: output };
		},
		recordUnknown(itemIndex, { message, description, details, httpCode }) {
			rows[itemIndex] = { unknown: { message, description, details, httpCode } };
		},
		countTaken: () => Object.values(rows).filter((entry) => 'taken' in entry).length,
		unknownRows: () =>
			Object.entries(rows)
				.filter(([, entry]) => 'unknown' in entry)
				.map(([itemIndex]) => Number(itemIndex)),
		close() {
			delete store.sent;
		},
	};
}

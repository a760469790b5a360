import type { DeduplicationScope, IDeduplicationOutput, IExecuteFunctions } from 'n8n-workflow';

/*
 * n8n's lists of processed keys, one for each node and one for each workflow: the only memory that a node has across
 * executions. n8n reads a list and writes it back whole.
 */

/** The last turn of each list. */
const lastTurns = new Map<string, Promise<unknown>>();

/**
 * Works with a list while nothing else in this process does: of two changes at once one would be lost. Another process
 * of n8n can still come between.
 *
 * @param list tells it from the others
 */
export async function inTurn<T>(list: string, work: () => Promise<T>): Promise<T> {
	const turn = (lastTurns.get(list) ?? Promise.resolve()).then(work);
	const settled = turn.catch(() => {});
	lastTurns.set(list, settled);
	try {
		return await turn;
	} finally {
		if (lastTurns.get(list) === settled) lastTurns.delete(list);
	}
}

/**
 * Records keys in a list.
 *
 * @param keys no two the same
 * @param mostKeys how many the list holds; the oldest make room
 * @returns which of them are new, and which stood there
 */
export async function recordKeys(
	{ helpers }: IExecuteFunctions,
	keys: string[],
	scope: DeduplicationScope,
	mostKeys: number,
): Promise<IDeduplicationOutput> {
	const check = async () => await helpers.checkProcessedAndRecord(keys, scope, { mode: 'entries', maxEntries: mostKeys });
	return await check().catch(async (error: Error) => {
		// A list's first record is an insert, which fails where another run has made it in this moment: nothing of ours is
		// recorded, and there is a list to look into now. After any other failure ours may be in it.
		if (/unique constraint/i.test(error.message)) return await check();
		throw error;
	});
}

import { sleep, type DeduplicationScope, type IExecuteFunctions } from 'n8n-workflow';

/*
 * n8n's lists of processed keys, one for each node and one for each workflow: the only memory that a node has across
 * executions. n8n reads a list and writes it back whole. It keeps no times, and can be asked only by recording.
 */

/** One of n8n's lists. */
export interface List {
	/** Tells it from the others. */
	name: string;
	/** Works with the list while nothing else in this process does: of two changes in parallel one would be lost. */
	inTurn<T>(work: () => Promise<T>): Promise<T>;
	/** Records entries, no two the same. @returns those that were not there */
	record(entries: string[]): Promise<Set<string>>;
	/** Takes entries out; for each n8n looks through the list from its beginning. */
	remove(entries: string[]): Promise<void>;
	/** How many entries there are. */
	count(): Promise<number>;
}

/** So many entries are taken out in one call: with more, n8n would answer nobody else for too long. */
const REMOVED_AT_ONCE = 60;

/** Before a removal that failed is tried again, in milliseconds: a database may be busy for a moment. */
const PAUSE = 100;

/** The last turn of each list. */
const lastTurns = new Map<string, Promise<unknown>>();

/** @param most how many entries the list has room for; the oldest make room */
export function openList(context: IExecuteFunctions, scope: DeduplicationScope, most: number): List {
	const { helpers } = context;
	const name = `${context.getWorkflow().id} ${scope === 'node' ? context.getNode().id : ''}`;

	return {
		name,
		async inTurn(work) {
			const turn = (lastTurns.get(name) ?? Promise.resolve()).then(work);
			const settled = turn.catch(() => {});
			lastTurns.set(name, settled);
			try {
				return await turn;
			} finally {
				if (lastTurns.get(name) === settled) lastTurns.delete(name);
			}
		},
		async record(entries) {
			if (entries.length === 0) return new Set();
			const check = async () =>
				await helpers.checkProcessedAndRecord(entries, scope, { mode: 'entries', maxEntries: most });
			const { new: fresh, processed } = await check().catch(async (error: Error) => {
				// A list's first record is an insert, which fails where another run has made it in this moment: nothing of ours is
				// recorded, and there is a list to look into now. After any other failure ours may be in it.
				if (/unique constraint/i.test(error.message)) return await check();
				throw error;
			});
			if (fresh.length + processed.length !== entries.length)
				throw new Error('it remembers something else than entries');
			return new Set(fresh as string[]);
		},
		async remove(entries) {
			for (let first = 0; first < entries.length; first += REMOVED_AT_ONCE) {
				const takeOut = async () =>
					await helpers.removeProcessed(entries.slice(first, first + REMOVED_AT_ONCE), scope, { mode: 'entries' });
				// Once more: what stays would be taken for something that was recorded.
				await takeOut().catch(async () => {
					await sleep(PAUSE);
					await takeOut();
				});
			}
		},
		count: async () => await helpers.getProcessedDataCount(scope, { mode: 'entries' }),
	};
}

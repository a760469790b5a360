import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import { hidePeoplesNumbers } from '../../shared/hide';
import { Problem } from '../../shared/problem';

/*
 * n8n's list of a workflow's processed keys: a node's only memory across executions. n8n writes it back whole, keeps no
 * times, and can be asked only by recording. What executions want meanwhile goes together in the next write.
 */

/** The list has room for so many entries; the oldest make room. With more, a single message would take too long. */
export const MOST_ENTRIES = 125_000;

/**
 * So many messages it holds at least, by how long they are remembered: each has four entries of its own choice, or eight or ten
 * with those of the shorter ones. Of a longer list the first ones are forgotten while the last ones are sent.
 */
export const REMEMBERED = { day: 30_000, week: 15_000, always: 12_000 };

/** So many entries are taken out in one call: with more, n8n would answer nobody else for too long. */
const REMOVED_AT_ONCE = 60;

type Helpers = IExecuteFunctions['helpers'];

/** What one execution wants of a list. */
interface Wish {
	kind: 'record' | 'remove';
	entries: string[];
	helpers: Helpers;
	/** @param fresh those that were not there */
	done(fresh: Set<string>): void;
	failed(error: Problem): void;
}

/** The wishes for each list that is being written, which wait for the next write. */
const waiting = new Map<string, Wish[]>();

export function openList(context: IExecuteFunctions) {
	const { helpers } = context;
	const name = String(context.getWorkflow().id);
	const wish = async (kind: Wish['kind'], entries: string[]): Promise<Set<string>> => {
		if (entries.length === 0) return new Set();
		return await new Promise((done, failed) => {
			const one = { kind, entries, helpers, done, failed };
			const queue = waiting.get(name);
			queue?.push(one);
			if (queue !== undefined) return;
			waiting.set(name, [one]);
			void writeAll(name);
		});
	};
	return {
		name,
		/** Records entries. @returns those that were not there, and that nobody before in the same write asked for */
		record: async (entries: string[]) => await wish('record', entries),
		/** Takes entries out; for each n8n looks through the list from its beginning. */
		remove: async (entries: string[]) => void (await wish('remove', entries)),
		count: async () => await helpers.getProcessedDataCount('workflow', { mode: 'entries' }),
	};
}

/**
 * Writes while anybody waits: together all that want the same as the first, but what names an entry of one that has to wait
 * waits too, so that their order stays. Any run's helpers do: the list is the workflow's. It does not throw.
 */
async function writeAll(name: string): Promise<void> {
	for (let queue = waiting.get(name)!; queue.length > 0; queue = waiting.get(name)!) {
		const { kind, helpers } = queue[0]!;
		const [group, rest]: [Wish[], Wish[]] = [[], []];
		const passed = new Set<string>();
		for (const one of queue) {
			const waits = one.kind !== kind || one.entries.some((entry) => passed.has(entry));
			(waits ? rest : group).push(one);
			if (waits) for (const entry of one.entries) passed.add(entry);
		}
		waiting.set(name, rest);
		const entries = [...new Set(group.flatMap((one) => one.entries))];
		try {
			const fresh = await (kind === 'record' ? record : remove)(helpers, entries);
			for (const { entries: own, done } of group) {
				done(new Set(own.filter((entry) => fresh.has(entry))));
				// Of two that asked for the same, one is the first, and the other is told so.
				for (const entry of own) fresh.delete(entry);
			}
		} catch (error) {
			// Nobody knows what of a shared write is in the list, so it failed for each.
			for (const { failed } of group) failed(asListProblem(error));
		}
	}
	waiting.delete(name);
}

async function record(helpers: Helpers, entries: string[]): Promise<Set<string>> {
	const check = async () =>
		await helpers.checkProcessedAndRecord(entries, 'workflow', { mode: 'entries', maxEntries: MOST_ENTRIES });
	const { new: fresh, processed } = await check().catch(async (error: Error) => {
		// A list's first record is an insert, which fails where another process has made it in this moment: nothing of ours is
		// recorded, and there is a list to look into now. After any other failure ours may be in it.
		if (/unique constraint/i.test(error.message)) return await check();
		throw error;
	});
	if (fresh.length + processed.length !== entries.length) throw USED_OTHERWISE;
	return new Set(fresh as string[]);
}

async function remove(helpers: Helpers, entries: string[]): Promise<Set<string>> {
	for (let first = 0; first < entries.length; first += REMOVED_AT_ONCE) {
		const some = entries.slice(first, first + REMOVED_AT_ONCE);
		const takeOut = async () => await helpers.removeProcessed(some, 'workflow', { mode: 'entries' });
		// Once more, because a database may be busy for a moment: what stays would be taken for something that was recorded.
		await takeOut().catch(async () => {
			await sleep(100);
			await takeOut();
		});
	}
	return new Set();
}

/** Where a Remove Duplicates node uses the same list in another way. */
const USED_OTHERWISE = new Problem(
	"A Remove Duplicates node of this workflow has the scope Workflow, and its list is the one in which this node remembers what was sent: it can't be used",
	'Set the scope of that node to Node, and run it once with the operation Clear Deduplication History and the scope Workflow',
	{ outcome: 'rejected' },
	undefined,
	{
		reason: 'setting',
		about: { field_el: 'η μνήμη των μηνυμάτων που στάλθηκαν', field_en: 'the memory of what was sent' },
	},
);

/** The words of n8n's list contain no value of ours: its entries are hashes. */
function asListProblem(error: unknown): Problem {
	const words = String((error as Error).message);
	if (error === USED_OTHERWISE || /incompatible setting|mode "latest"/i.test(words)) return USED_OTHERWISE;
	const what = `n8n's list of what was sent can't be used: ${hidePeoplesNumbers(words.slice(0, 300))}`;
	const todo = 'Try again. If it persists, ask the admin of n8n to look at its database';
	return new Problem(what, todo, { outcome: 'rejected' });
}

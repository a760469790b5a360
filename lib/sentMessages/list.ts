import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import { LIST_ERRORS, LIST_NAME } from '../texts/memory';
import type { Why } from '../texts/notice';
import { Problem } from '../texts/problem';
import { redactPersonalNumbers } from '../texts/redact';

/*
 * Access to n8n's list of a workflow's processed keys. The node Remove Duplicates (scope Workflow) stores its keys there. The
 * list is the only storage that a community package has across executions.
 *
 * Facts, checked on n8n 2.20 and 2.41: the list is one JSON value that n8n reads and writes as a whole. New entries go to its
 * end. If a limit is given, n8n drops the oldest entries from its front. The list stores no times. The only way to query an
 * entry is to record it: n8n answers whether it was new.
 */

/**
 * The number of entries above which n8n drops the oldest ones. Queries and a few other writes may exceed it. n8n keeps the whole
 * list in memory during a change. Up to this length the write for a single message takes less than 0.2 s.
 */
export const MOST_ENTRIES = 125_000;

/**
 * The largest number of entries removed in one call. n8n searches the whole list for each entry, and its process can do nothing
 * else meanwhile.
 */
const REMOVED_AT_ONCE = 200;

type Helpers = IExecuteFunctions['helpers'];

/** A change of the list that an execution asked for. */
interface Change {
	kind: 'record' | 'remove';
	entries: string[];
	/**
	 * Entries that should be in the list. If several changes share a write and one of these entries was new, each change that
	 * expected it learns this.
	 */
	expected: string[];
	/** n8n drops the oldest entries above this number. Infinity: n8n drops nothing. */
	mostEntries: number;
	/** n8n's functions for the list, from the execution that asked for the change. */
	helpers: Helpers;
	/** Receives the entries that were not in the list before. */
	resolve(fresh: Set<string>): void;
	reject(error: Problem): void;
}

/** Changes that wait while n8n writes, by the workflow's id, for each list that is being written. */
const waiting = new Map<string, Change[]>();

export type List = ReturnType<typeof openList>;

/** Opens the list of the workflow that this execution runs. */
export function openList(context: IExecuteFunctions) {
	const { helpers } = context;
	const workflowId = String(context.getWorkflow().id);
	const change = async (
		kind: Change['kind'],
		entries: string[],
		mostEntries: number,
		expected: string[] = [],
	): Promise<Set<string>> => {
		if (entries.length === 0) return new Set();
		return await new Promise((resolve, reject) => {
			const one = { kind, entries, expected, mostEntries, helpers, resolve, reject };
			const queue = waiting.get(workflowId);
			queue?.push(one);
			if (queue !== undefined) return;
			waiting.set(workflowId, [one]);
			void writeAll(workflowId);
		});
	};
	return {
		workflowId,
		/**
		 * Records entries permanently. If two executions record the same entry at once, it is new for one of them, and for each
		 * that expects it.
		 * @param mostEntries n8n drops the oldest entries above this number
		 * @param expected those of the entries that should be in the list: each execution learns if one was missing
		 * @returns the entries that were not in the list
		 */
		record: async (entries: string[], mostEntries: number, expected: string[] = []) =>
			await change('record', entries, mostEntries, expected),
		/**
		 * Records entries in order to learn which are in the list. The caller has to remove the returned entries. A query never
		 * makes n8n drop an entry.
		 * @returns the entries that were not in the list
		 */
		query: async (entries: string[]) => await change('record', entries, Infinity),
		/** Removes entries from the list. */
		remove: async (entries: string[]) => void (await change('remove', entries, Infinity)),
		/** Returns the number of entries in the list. */
		count: async () => await helpers.getProcessedDataCount('workflow', { mode: 'entries' }),
	};
}

/**
 * Writes the waiting changes of a list until none is left. Changes of the same kind go into one write. A change must not overtake
 * an earlier change of the other kind that names the same entry. The write uses the helpers of one of the executions, because the
 * list belongs to the workflow and not to an execution.
 */
async function writeAll(workflowId: string): Promise<void> {
	for (let queue = waiting.get(workflowId)!; queue.length > 0; queue = waiting.get(workflowId)!) {
		const { kind, helpers } = queue[0]!;
		const [group, rest]: [Change[], Change[]] = [[], []];
		const overtaken = new Set<string>();
		for (const one of queue) {
			const waits = one.kind !== kind || one.entries.some((entry) => overtaken.has(entry));
			(waits ? rest : group).push(one);
			if (waits) for (const entry of one.entries) overtaken.add(entry);
		}
		waiting.set(workflowId, rest);
		const entries = [...new Set(group.flatMap((one) => one.entries))];
		// The highest limit of the group is used, so that the limit of one execution does not drop the entries of another.
		const mostEntries = Math.max(...group.map((one) => one.mostEntries));
		try {
			const fresh = await (kind === 'record' ? record(helpers, entries, mostEntries) : remove(helpers, entries));
			// An entry that several changes recorded is new only for the first of them, so it is then deleted from `unreported`. But
			// each change that expected an entry learns that it was missing.
			const unreported = new Set(fresh);
			for (const { entries: own, expected, resolve } of group) {
				resolve(
					new Set([...own.filter((entry) => unreported.has(entry)), ...expected.filter((entry) => fresh.has(entry))]),
				);
				for (const entry of own) unreported.delete(entry);
			}
		} catch (error) {
			// It is not known which entries of a failed write are in the list, so each change fails.
			for (const { reject } of group) reject(asListProblem(error));
		}
	}
	waiting.delete(workflowId);
}

/** Records entries. @returns the entries that were not in the list */
async function record(helpers: Helpers, entries: string[], mostEntries: number): Promise<Set<string>> {
	const limit = mostEntries === Infinity ? {} : { maxEntries: mostEntries };
	const check = async () => await helpers.checkProcessedAndRecord(entries, 'workflow', { mode: 'entries', ...limit });
	const { new: fresh, processed } = await check().catch(async (error: Error) => {
		// n8n creates the list by an SQL insert when entries are recorded for the first time. The insert fails if another process
		// has just created the list. Then none of our entries is recorded, so the call is repeated. After any other failure our
		// entries may be in the list.
		if (/unique constraint/i.test(error.message)) return await check();
		throw error;
	});
	if (fresh.length + processed.length !== entries.length) throw USED_OTHERWISE;
	return new Set(fresh as string[]);
}

/** Removes entries. @returns an empty set, because a removal adds no entries */
async function remove(helpers: Helpers, entries: string[]): Promise<Set<string>> {
	for (let first = 0; first < entries.length; first += REMOVED_AT_ONCE) {
		const some = entries.slice(first, first + REMOVED_AT_ONCE);
		const takeOut = async () => await helpers.removeProcessed(some, 'workflow', { mode: 'entries' });
		// Try twice, because a database may be busy for a moment. An entry that is not removed would count as recorded.
		await takeOut().catch(async () => {
			await sleep(100);
			await takeOut();
		});
	}
	return new Set();
}

/** The error if a Remove Duplicates node uses the same list in a mode that stores no entries. */
const USED_OTHERWISE = listProblem(LIST_ERRORS.usedOtherwise, { reason: 'setting', about: LIST_NAME });

/**
 * Turns an error of n8n's list into a Problem. The entries of the list contain no personal data. The error's text is still
 * redacted, in case it contains a person's number.
 */
function asListProblem(error: unknown): Problem {
	const text = String((error as Error).message);
	if (error === USED_OTHERWISE || /incompatible setting|mode "latest"/i.test(text)) return USED_OTHERWISE;
	return listProblem(LIST_ERRORS.unusable(redactPersonalNumbers(text.slice(0, 300))));
}

/** Makes the Problem of a message that was not sent because the list can't be used. */
export function listProblem({ message, whatToDo }: { message: string; whatToDo: string }, why?: Why): Problem {
	return new Problem(message, whatToDo, { outcome: 'rejected' }, undefined, why);
}

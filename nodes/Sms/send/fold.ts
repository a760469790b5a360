import type { IDataObject } from 'n8n-workflow';

import { attemptOf, decisive, namesOf } from './followUpAttempt';
import { outcomeOf, type Outcome } from './followUpChain';
import { readFact, type Fact, type Names, type Report } from './followUpFact';

/** What became of the message to one person of one list. */
export interface Message extends Outcome {
	/** Empty where it has none. */
	list: string;
	/** The places of the items that say it, in their order, from 0. */
	items: number[];
}

/** A report on a message that is not there. */
export interface LoneReport extends Names {
	reference?: string;
	report: Report;
	items: number[];
}

/** A message of a list. */
interface Entry {
	list: string;
	reference?: string;
	facts: Fact[];
}

/**
 * Joins what was sent with what was reported. The same items in another order, repeated, or with what this makes of them
 * among them, give the same states.
 *
 * @param now in milliseconds since 1970
 * @param lateAfterHours after how long without a final report a message is late
 * @param unnamed the list of messages that have none
 */
export function fold(
	items: IDataObject[],
	now: number,
	lateAfterHours: number,
	unnamed = '',
): { messages: Message[]; reports: LoneReport[] } {
	const all = items.flatMap((json, index) => readFact(json, index) ?? []);
	const facts = all.filter(({ isReport }) => !isReport);
	const reports = groupBy(
		all.filter(({ isReport }) => isReport),
		reportKey,
	);
	const entries = entriesOf(facts, unnamed);
	dropRowsThatWentOut(entries);
	const known = new Set([...entries.values()].map(({ reference }) => reference));
	return {
		messages: peopleOf(entries).map((person) => messageOf(person, reports, now, lateAfterHours)),
		reports: [...reports.values()]
			.filter((said) => said[0]!.reference === undefined || !known.has(said[0]!.reference))
			.map(loneReport),
	};
}

/** The messages of each list: by their references, and rows without one by their own columns. */
function entriesOf(facts: Fact[], unnamed: string): Map<string, Entry> {
	const found = listsByReference(facts);
	const entries = new Map<string, Entry>();
	for (const fact of facts) {
		const { reference } = fact;
		const lists = fact.list !== '' ? [fact.list] : (reference !== undefined && found(reference)) || [unnamed];
		for (const list of lists) {
			const key = JSON.stringify(reference !== undefined ? [list, reference] : [list, null, rowKey(fact)]);
			const entry = entries.get(key);
			if (entry !== undefined) entry.facts.push(fact);
			else entries.set(key, { list, reference, facts: [fact] });
		}
	}
	return entries;
}

/**
 * The lists of messages that name none: those in which the same message stands, or another attempt at the same person. Rows
 * that are sent again do not say which list they are of.
 *
 * @returns of a reference; undefined where there is no such list
 */
function listsByReference(facts: Fact[]): (reference: string) => string[] | undefined {
	const clusters = openClusters<string>();
	for (const { list, reference, againOf } of facts) {
		if (list === '' && reference !== undefined && againOf !== undefined) clusters.join(reference, againOf);
	}
	const lists = new Map<string, Set<string>>();
	for (const { list, reference, againOf } of facts) {
		for (const name of list === '' ? [] : [reference, againOf]) {
			if (name === undefined) continue;
			const cluster = clusters.of(name);
			lists.set(cluster, (lists.get(cluster) ?? new Set()).add(list));
		}
	}
	return (reference) => {
		const found = lists.get(clusters.of(reference));
		return found && [...found];
	};
}

/** By what a row is known: a table may have made texts of its numbers, and changed the order of its columns. */
function rowKey({ columns, recipient, serviceId, messageId }: Fact): unknown[] {
	const cells = Object.entries(columns).map(([name, value]) => [
		name,
		typeof value === 'object' ? JSON.stringify(value) : String(value),
	]);
	if (cells.length === 0) return ['', recipient ?? '', serviceId ?? '', messageId ?? ''];
	return cells.sort(([one], [other]) => (one! < other! ? -1 : 1));
}

/**
 * A row that failed before it had a reference, and went out later, is that message: it counts once. So is one that failed as
 * another attempt at a message that is there.
 */
function dropRowsThatWentOut(entries: Map<string, Entry>): void {
	const failed = [...entries].filter(
		([, { reference, facts }]) => reference === undefined && facts.every(({ outcome }) => outcome === 'notSent'),
	);
	if (failed.length === 0) return;
	const rowOf = (list: string, fact: Fact) => JSON.stringify([list, rowKey(fact)]);
	const known = new Set<string>();
	for (const { list, reference, facts } of entries.values()) {
		if (reference === undefined) continue;
		for (const fact of facts) if (Object.keys(fact.columns).length > 0) known.add(rowOf(list, fact));
	}
	for (const [key, { list, facts }] of failed) {
		const isAgain = facts.some(({ againOf }) => againOf !== undefined && entries.has(JSON.stringify([list, againOf])));
		if (isAgain || known.has(rowOf(list, facts[0]!))) entries.delete(key);
	}
}

/** The attempts at each person, in each list. */
function peopleOf(entries: Map<string, Entry>): Entry[][] {
	const clusters = openClusters<Entry>();
	for (const entry of entries.values()) {
		if (entry.reference === undefined) continue;
		for (const againOf of new Set(entry.facts.map((fact) => fact.againOf))) {
			const earlier = againOf === undefined ? undefined : entries.get(JSON.stringify([entry.list, againOf]));
			if (earlier !== undefined) clusters.join(entry, earlier);
		}
	}
	return [...groupBy(entries.values(), clusters.of).values()];
}

/** What belongs together, by pairs that do: each cluster is known by one of its members. */
function openClusters<T>() {
	const joined = new Map<T, T>();
	const of = (member: T): T => {
		let root = member;
		for (let next = joined.get(root); next !== undefined; next = joined.get(root)) root = next;
		// Whoever asks next has a short way.
		for (let at = member; at !== root; ) {
			const next = joined.get(at)!;
			joined.set(at, root);
			at = next;
		}
		return root;
	};
	const join = (one: T, other: T): void => {
		const [root, otherRoot] = [of(one), of(other)];
		if (root !== otherRoot) joined.set(root, otherRoot);
	};
	return { of, join };
}

/** Reports on one message, or the same report without a reference. */
const reportKey = ({ reference, serviceId, recipient, report }: Fact): string =>
	JSON.stringify(reference !== undefined ? [reference] : [null, serviceId, recipient, report]);

function messageOf(person: Entry[], reports: Map<string, Fact[]>, now: number, lateAfterHours: number): Message {
	const said: Fact[] = [];
	const attempts = person.map(({ reference, facts }) => {
		const reported = reference === undefined ? undefined : reports.get(JSON.stringify([reference]));
		const all = reported === undefined ? facts : [...facts, ...reported];
		for (const fact of all) said.push(fact);
		return attemptOf(all, now, lateAfterHours);
	});
	return { ...outcomeOf(attempts), list: person[0]!.list, items: placesOf(said) };
}

const loneReport = (facts: Fact[]): LoneReport => ({
	...namesOf(facts),
	reference: facts[0]!.reference,
	report: decisive(facts.flatMap(({ report }) => report ?? []))!,
	items: placesOf(facts),
});

const placesOf = (facts: Fact[]): number[] =>
	[...new Set(facts.map(({ index }) => index))].sort((one, other) => one - other);

function groupBy<T, K>(all: Iterable<T>, keyOf: (each: T) => K): Map<K, T[]> {
	const groups = new Map<K, T[]>();
	for (const each of all) {
		const key = keyOf(each);
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [each]);
		else group.push(each);
	}
	return groups;
}

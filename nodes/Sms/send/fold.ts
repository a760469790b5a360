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

/** A message of a list, as long as attempts are not joined: it points to another one of its own person's, or to none. */
interface Entry {
	list: string;
	reference?: string;
	facts: Fact[];
	joined?: Entry;
}

/**
 * Joins what was sent with what was reported. The same items in another order, repeated, or with what this makes of them
 * among them, give the same states.
 *
 * @param now in milliseconds since 1970
 * @param lateAfterHours after how long without a final report a message is late
 * @param unnamed the list of messages that name none
 */
export function fold(
	items: IDataObject[],
	now: number,
	lateAfterHours: number,
	unnamed = '',
): { messages: Message[]; reports: LoneReport[] } {
	const facts = items.flatMap((json, index) => readFact(json, index, unnamed) ?? []);
	const entries = entriesOf(facts.filter(({ isReport }) => !isReport));
	dropRowsThatWentOut(entries);
	const byReference = groupBy(entries.values(), ({ reference }) => reference);
	joinAttempts(entries, byReference);

	const reports = groupBy(
		facts.filter(({ isReport }) => isReport),
		reportKey,
	);
	const people = groupBy(entries.values(), rootOf);
	return {
		messages: [...people.values()].flatMap((person) => messagesOf(person, reports, now, lateAfterHours)),
		reports: [...reports.values()]
			.filter((said) => said[0]!.reference === undefined || !byReference.has(said[0]!.reference))
			.map(loneReport),
	};
}

/** The messages of each list: by their references, and rows without one by their own columns. */
function entriesOf(facts: Fact[]): Map<string, Entry> {
	const entries = new Map<string, Entry>();
	for (const fact of facts) {
		const key = JSON.stringify([
			fact.list,
			fact.reference ?? null,
			...(fact.reference === undefined ? rowKey(fact) : []),
		]);
		const entry = entries.get(key);
		if (entry !== undefined) entry.facts.push(fact);
		else entries.set(key, { list: fact.list, reference: fact.reference, facts: [fact] });
	}
	return entries;
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

/** A row that failed before it had a reference, and went out later, is that message: it counts once. */
function dropRowsThatWentOut(entries: Map<string, Entry>): void {
	const failed = [...entries].filter(
		([, { reference, facts }]) => reference === undefined && facts.every(({ outcome }) => outcome === 'notSent'),
	);
	if (failed.length === 0) return;
	const rowOf = (fact: Fact) => JSON.stringify([fact.list, ...rowKey(fact)]);
	const known = new Set<string>();
	for (const { reference, facts } of entries.values()) {
		if (reference === undefined) continue;
		for (const fact of facts) if (Object.keys(fact.columns).length > 0) known.add(rowOf(fact));
	}
	for (const [key, { facts }] of failed) if (known.has(rowOf(facts[0]!))) entries.delete(key);
}

/** Attempts at one person are joined, also where the later one is in another list, or in none. */
function joinAttempts(entries: Map<string, Entry>, byReference: Map<string | undefined, Entry[]>): void {
	for (const entry of entries.values()) {
		for (const againOf of new Set(entry.facts.map((fact) => fact.againOf))) {
			const earlier = againOf === undefined ? undefined : byReference.get(againOf);
			if (earlier === undefined || againOf === entry.reference) continue;
			const ofList = earlier.filter(({ list }) => list === entry.list);
			for (const other of ofList.length > 0 ? ofList : earlier) join(entry, other);
		}
	}
}

function join(one: Entry, other: Entry): void {
	const [root, otherRoot] = [rootOf(one), rootOf(other)];
	if (root !== otherRoot) root.joined = otherRoot;
}

function rootOf(entry: Entry): Entry {
	let root = entry;
	while (root.joined !== undefined) root = root.joined;
	// Whoever asks next has a short way.
	for (let at = entry; at.joined !== undefined; ) {
		const next: Entry = at.joined;
		if (next !== root) at.joined = root;
		at = next;
	}
	return root;
}

/** Reports on one message, or the same report without a reference. */
const reportKey = ({ reference, serviceId, recipient, report }: Fact): string =>
	JSON.stringify(reference !== undefined ? [reference] : [null, serviceId, recipient, report]);

/** The message to one person, in each list that has it. */
function messagesOf(person: Entry[], reports: Map<string, Fact[]>, now: number, lateAfterHours: number): Message[] {
	const said: Fact[] = [];
	const attempts = [...groupBy(person, ({ reference }) => reference)].map(([reference, ofIt]) => {
		const facts = ofIt.flatMap((entry) => entry.facts);
		const reported = reference === undefined ? undefined : reports.get(JSON.stringify([reference]));
		const all = reported === undefined ? facts : [...facts, ...reported];
		for (const fact of all) said.push(fact);
		return attemptOf(all, now, lateAfterHours);
	});
	const lists = [...new Set(person.map(({ list }) => list))];
	const named = lists.filter((list) => list !== '');
	const message = { ...outcomeOf(attempts), items: placesOf(said) };
	return (named.length > 0 ? named : lists).map((list) => ({ ...message, list }));
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

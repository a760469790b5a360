import { groupBy } from '../../../lib/texts/groups';
import type { MessageFact } from '../items/facts';
import { compareText } from './order';

/*
 * Decides which facts are about the same message: about one person in one list, however often it was sent.
 *
 * 1. Attempts belong together if one names the other in `againOf`, directly or through others.
 * 2. A fact without a list belongs to the list of the others. If they have several lists, it belongs to the one sent last.
 * 3. A row that failed before it had a reference is recognised by its columns.
 */

/** All facts about one message. */
export type MessageFacts = [list: string, facts: MessageFact[]];

/** @param unnamed the name of the list for messages without a list */
export function groupByMessage(facts: MessageFact[], unnamed: string): MessageFacts[] {
	const chainOf = connectAttempts(facts);
	const clusters = groupBy(facts, (fact) =>
		fact.reference === undefined ? rowKey(fact.list || unnamed, fact, fact.row) : chainOf(fact.reference),
	);
	return [...clusters.values()].flatMap((cluster) => {
		const [last] = cluster.filter(({ list }) => list !== '').sort(sentLaterFirst);
		return [...groupBy(cluster, ({ list }) => list || (last?.list ?? unnamed))];
	});
}

/**
 * Connects references by `againOf`. The shorter of two chains is added to the longer, so that each reference moves at most
 * log n times. @returns a function that gives all references of a chain the same key
 */
function connectAttempts(facts: MessageFact[]): (reference: string) => string {
	const chains = new Map<string, string[]>();
	for (const { reference = '', againOf } of facts) {
		if (againOf === undefined) continue;
		const [one, other] = [chains.get(reference) ?? [reference], chains.get(againOf) ?? [againOf]];
		if (one === other) continue;
		const [short, long] = one.length < other.length ? [one, other] : [other, one];
		for (const name of [long[0]!, ...short]) chains.set(name, long);
		for (const name of short) long.push(name);
	}
	return (reference) => JSON.stringify(chains.get(reference)?.[0] ?? reference);
}

const sentLaterFirst = (one: MessageFact, other: MessageFact): number =>
	(other.sentAt ?? 0) - (one.sentAt ?? 0) || compareText(one.list, other.list);

/**
 * Returns a key that identifies a row. It depends neither on the order of the columns nor on whether a number is stored as
 * text, because a table may change both.
 * @param row the number of a faulty row, because two rows may have the same cells
 */
export function rowKey(list: string, fact: MessageFact, row?: number): string {
	const { columns, recipient, serviceId, messageId } = fact;
	if (columns === undefined) return JSON.stringify([list, row, recipient, serviceId, messageId]);
	const cells = Object.entries(columns).map(([name, value]) =>
		JSON.stringify([name, typeof value === 'object' ? value : String(value)]),
	);
	return JSON.stringify([list, row, ...cells.sort()]);
}

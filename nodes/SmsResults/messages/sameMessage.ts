import { groupBy } from '../../../lib/texts/groups';
import type { MessageFact } from '../items/facts';
import { compareText } from './order';

/*
 * Decides which facts are about the same message. A message is for one person in one list, and may have been sent several
 * times.
 *
 * 1. Two attempts belong to the same message if one has the reference of the other in `againOf`, directly or through other
 * attempts.
 * 2. A fact without a list belongs to the list of the other facts about its message. If those facts have several lists, the
 * fact belongs to the list that was sent last.
 * 3. A row that failed before it had a reference is recognised by its columns, or without columns by its recipient and message.
 */

/** All facts about one message. */
export type MessageFacts = [list: string, facts: MessageFact[]];

/** Groups facts by message. @param unnamed the name of the list for messages without a list */
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
 * Connects references by `againOf` to chains of attempts. The shorter of two chains is added to the longer one, so that each
 * reference is moved at most log n times.
 * @returns a function that returns the same key for all references of a chain
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
 * Returns a key that identifies a row. The order of the columns makes no difference, and a number is equal to its text. A data
 * table may change the order, and may store numbers as texts.
 * @param row the number of a faulty row. It distinguishes rows with the same cells
 */
export function rowKey(list: string, fact: MessageFact, row?: number): string {
	const { columns, recipient, serviceId, messageId } = fact;
	if (columns === undefined) return JSON.stringify([list, row, recipient, serviceId, messageId]);
	const cells = Object.entries(columns).map(([name, value]) =>
		JSON.stringify([name, typeof value === 'object' ? value : String(value)]),
	);
	return JSON.stringify([list, row, ...cells.sort()]);
}

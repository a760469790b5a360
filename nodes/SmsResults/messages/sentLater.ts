import type { MessageFact } from '../items/facts';
import { rowKey, type MessageFacts } from './sameMessage';

/*
 * Removes failures of rows that were sent later. For example, a person uploaded the unchanged list again after the quiet hours.
 * Without this rule, the person would be counted twice: as sent and as not sent.
 */

/** Removes the messages that failed and whose row was sent later. */
export function withoutSentLater(messages: MessageFacts[]): MessageFacts[] {
	const failed = messages.filter(([, facts]) => facts.every(mayBeSentLater));
	const lastSent = readLastSent(messages, new Set(failed.map(([list]) => list)));
	// For a failure without a reference, any attempt with a reference counts as later, even a rejected one. A failed message
	// with a reference has a time (`createdAt`) only if it was stored in a table. Without a time, its row does not count as
	// sent later.
	const wasSentLater = (list: string, fact: MessageFact) => {
		const ofRow = rowKey(list, fact);
		return fact.reference === undefined
			? lastSent.has(ofRow)
			: (lastSent.get(rowAndMessageKey(ofRow, fact)) ?? 0) > (fact.createdAt ?? Infinity);
	};
	const dropped = new Set(failed.filter(([list, facts]) => facts.every((fact) => wasSentLater(list, fact))));
	return messages.filter((message) => !dropped.has(message));
}

const mayBeSentLater = ({ reference, state }: MessageFact) => reference === undefined || state === 'notSent';

/**
 * Returns when each row was last sent. 0: the time is not known, or the attempts were rejected. The result has two keys for a
 * row: one of its columns, and one of its columns and its message.
 * @param lists the lists with failures. Rows of other lists are not read
 */
function readLastSent(messages: MessageFacts[], lists: Set<string>): Map<string, number> {
	const lastSent = new Map<string, number>();
	for (const [list, facts] of messages) {
		if (!lists.has(list)) continue;
		for (const fact of facts.filter(({ reference, columns }) => reference !== undefined && columns)) {
			const sentAt = fact.state === 'notSent' ? 0 : (fact.sentAt ?? 0);
			const ofRow = rowKey(list, fact);
			for (const key of [ofRow, rowAndMessageKey(ofRow, fact)])
				lastSent.set(key, Math.max(lastSent.get(key) ?? 0, sentAt));
		}
	}
	return lastSent;
}

const rowAndMessageKey = (ofRow: string, { serviceId, messageId }: MessageFact) =>
	JSON.stringify([ofRow, serviceId, messageId]);

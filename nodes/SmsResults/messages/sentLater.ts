import type { MessageFact } from '../items/facts';
import { rowKey, type MessageFacts } from './sameMessage';

/*
 * Decides which failures no longer count, because the same row was sent later: the office corrected nothing and uploaded
 * the list again, after quiet hours for example. Without this the person would count as sent and as not sent.
 */

/** Returns the messages without those of which every fact is such a failure. */
export function withoutSentLater(messages: MessageFacts[]): MessageFacts[] {
	/** When a row was last sent, by its columns alone, and by its columns and its message. */
	const lastSent = new Map<string, number>();
	for (const [list, facts] of messages) {
		for (const fact of facts.filter(({ reference, columns }) => reference !== undefined && columns)) {
			const sentAt = fact.state === 'notSent' ? 0 : (fact.sentAt ?? 0);
			for (const key of [rowKey(list, fact), rowAndMessageKey(list, fact)])
				lastSent.set(key, Math.max(lastSent.get(key) ?? 0, sentAt));
		}
	}
	// A failure with a reference has a time only if a table has kept it.
	const wasSentLater = (list: string, fact: MessageFact) =>
		fact.reference === undefined
			? lastSent.has(rowKey(list, fact))
			: fact.state === 'notSent' && (lastSent.get(rowAndMessageKey(list, fact)) ?? 0) > (fact.createdAt ?? Infinity);
	return messages.filter(([list, facts]) => !facts.every((fact) => wasSentLater(list, fact)));
}

const rowAndMessageKey = (list: string, fact: MessageFact) =>
	JSON.stringify([rowKey(list, fact), fact.serviceId, fact.messageId]);

import type { MessageFact } from '../items/facts';
import { rowKey, type MessageFacts } from './sameMessage';

/*
 * Decides which failures no longer count because the same row was sent later. For example, the office uploaded the unchanged
 * list again after quiet hours. Without this rule the person would count as both sent and not sent.
 */

/** Removes the messages whose facts are all such failures. */
export function withoutSentLater(messages: MessageFacts[]): MessageFacts[] {
	const failed = messages.filter(([, facts]) => facts.every(mayBeSentLater));
	const lastSent = readLastSent(messages, new Set(failed.map(([list]) => list)));
	// A failed message with a reference has a time only if it was stored in a table.
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
 * Returns when each row was last sent, by its columns alone, and by its columns and its message.
 * @param lists only rows of these lists are read, because most lists have no failures
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

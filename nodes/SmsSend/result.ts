import { createHmac, randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { withoutUndefined } from '../../lib/n8n/items';
import { noticeOf, type Language } from '../../lib/texts/notice';
import { deriveKeys } from '../../lib/smsPlatform/derivedKeys';
import type { Known } from '../../lib/sentMessages/messages';
import type { Period } from '../../lib/sentMessages/periods';
import { periodName } from '../../lib/sentMessages/periods';
import type { Accepted } from '../../lib/smsPlatform/deliver';
import type { ValueWarning } from '../../lib/smsPlatform/warnings/find';
import type { CheckedMessage } from '../../lib/smsPlatform/warnings/summarize';
import { Problem } from '../../lib/texts/problem';
import type { Results } from '../../lib/n8n/workerPool';
import type { Run } from './openRun';
import type { SendItem } from './readItem';

/** The recipient, text and ids of an item's message, and the URL for its report if one was requested, as JSON data. */
export type MessageDescription = Awaited<ReturnType<typeof describeMessage>> & { dlrUrl?: string };

/** Why an item is skipped. `twice`: in a review, an earlier item has the same message. */
type SkipReason = 'sentBefore' | 'unknown' | 'doNotSend' | 'twice';

/** The result of an item that did not fail, as JSON data. `itemOfResult` makes the output item from it. */
export type ItemResult =
	| ({ kind: 'accepted'; about: MessageDescription; warnings: ValueWarning[] } & Accepted)
	| { kind: 'skipped'; about: MessageDescription; skipReason: SkipReason }
	/**
	 * The result in a review: the message would be sent. `normal`: the recipient in normal form. `content`: identifies the
	 * text, so two messages with equal content have the same text. `isResent`: the outcome of the message is unknown, and it
	 * would be sent again.
	 */
	| {
			kind: 'wouldSend';
			about: MessageDescription;
			warnings: ValueWarning[];
			normal: string;
			content: string;
			isResent: boolean;
	  };

/**
 * Describes an item's message. If the user gave no reference, it is made here. A made reference is the same each time for the
 * same message in the same period (see `periods.ts`). So a report, a table or a counter outside of n8n can recognise the
 * message by its reference. The reference is 132 bits of an HMAC with SHA-256, in base64url. Without the institution's key,
 * nobody can find out the recipient and the text from an HMAC. With Send Again the reference is random instead, so that each
 * message has its own.
 * @param period the period in which the message was first claimed; undefined: the current period
 */
export async function describeMessage({ platform, messages, workflow }: Run, item: SendItem, period?: Period) {
	const { message, text, segments, key } = item;
	const made = async () => {
		if (item.ifAlreadySent === 'send') return randomUUID();
		const since = periodName(period ?? messages.periodNow());
		const { reference } = await deriveKeys(platform.keys.current);
		const text = `reference.v1\n${workflow}\n${key}\n${since}`;
		return createHmac('sha256', reference).update(text).digest('base64url').slice(0, 22);
	};
	return {
		recipient: message.recipient,
		...(text !== undefined && { text, segments }),
		serviceId: message.serviceId,
		messageId: message.messageId,
		reference: item.reference ?? (await made()),
	};
}

/**
 * Returns why an item is skipped, given the state of its message in the memory (n8n's list). Undefined: the item is not
 * skipped.
 */
export function skipReasonOf({ item, known }: { item: SendItem; known?: Known }): SkipReason | undefined {
	if (item.doNotSend) return 'doNotSend';
	// This run sends a message that it has claimed, even one of unknown outcome (Skip Sent, Resend Unknown).
	if (known === undefined || known.isClaimed) return undefined;
	if (known.state === 'sent') return 'sentBefore';
	return known.state === 'unknown' ? 'unknown' : undefined;
}

/**
 * Returns a key that identifies a message for a counter outside of n8n. It is the same in every period. It is an HMAC, so that
 * the recipient and the text can't be found out from it without the institution's key.
 */
export async function messageKeyOf({ platform, workflow }: Run, { key }: SendItem): Promise<string> {
	const { reference } = await deriveKeys(platform.keys.current);
	return createHmac('sha256', reference).update(`message.v1\n${workflow}\n${key}`).digest('base64url').slice(0, 22);
}

/** Returns the messages of a run that were accepted or would be sent, for the warnings about them. */
export const messagesOf = (results: Results<ItemResult>, rowNumbers: number[]): CheckedMessage[] =>
	results.flatMap((result, index) => {
		if (result === undefined || result instanceof Problem || result.kind === 'skipped') return [];
		const { reference, recipient } = result.about;
		return { ...result, row: rowNumbers[index]!, reference, recipient, isSent: result.kind === 'accepted' };
	});

/**
 * Makes the output item of a result.
 * @param quietUntil the end of the quiet hours, if a reviewed message would be held now
 */
export function itemOfResult(result: ItemResult, language: Language, quietUntil?: string): IDataObject {
	// `others`: the ids, and the signed URL for the report if one was requested.
	const { recipient, text, segments, ...others } = result.about;
	const about = { recipient, text, segments, accepted: result.kind === 'accepted' };
	if (result.kind === 'wouldSend') return withoutUndefined({ ...about, quietUntil, ...others });
	if (result.kind === 'accepted')
		return withoutUndefined({ ...about, warning: result.warning, ...others, sentAt: result.sentAt });
	const { skipReason } = result;
	const unknown = skipReason === 'unknown' || undefined;
	const notice = noticeOf({ reason: skipReason }, language);
	return withoutUndefined({ ...about, skipped: true, skipReason, unknown, notice, ...others });
}

import { createHmac, randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { withoutUndefined } from '../../lib/n8n/items';
import { noticeOf, type Language } from '../../lib/texts/notice';
import { deriveKeys } from '../../lib/smsPlatform/derivedKeys';
import type { Known } from '../../lib/sentMessages/messages';
import type { Period } from '../../lib/sentMessages/periods';
import { nameOf } from '../../lib/sentMessages/periods';
import type { Accepted } from '../../lib/smsPlatform/deliver';
import type { ValueWarning } from '../../lib/smsPlatform/replacements';
import type { Run } from './readRun';
import type { SendRow } from './readItem';

/** Whom a row's message is for, what it says, and by what the platform knows it. JSON data. */
export type About = Awaited<ReturnType<typeof aboutRow>> & { dlrUrl?: string };

/** Why a row is skipped. `twice`: in a review, because the list has the same message before. */
type SkipReason = 'sentBefore' | 'unknown' | 'doNotSend' | 'twice';

/** What became of a row that did not fail. JSON data, from which its item is made. */
export type RowResult =
	| ({ kind: 'accepted'; about: About; warnings: ValueWarning[] } & Accepted)
	| { kind: 'skipped'; about: About; skipReason: SkipReason }
	/**
	 * In a review. `normal`: the recipient in normal form. `content`: the same for two messages with the same text. `isResent`: it
	 * is of unknown outcome and goes out again.
	 */
	| { kind: 'wouldSend'; about: About; warnings: ValueWarning[]; normal: string; content: string; isResent: boolean };

/**
 * What is said of a row's message, with its reference: the user's own, or one that the node makes. Unless messages repeat,
 * that one is the same wherever the message is spoken of, so that a report, a table or a counter finds it: 128 bits of an
 * HMAC with SHA-256 in base64url. Without the institution's key nobody can tell from it whom the message is for, nor what
 * it says.
 * @param period in which the message was first claimed; undefined: the current one
 */
export async function aboutRow({ platform, messages, workflow }: Run, row: SendRow, period?: Period) {
	const { message, text, segments, key } = row;
	const made = async () => {
		if (row.ifAlreadySent === 'send') return randomUUID();
		const since = nameOf(period ?? messages.periodNow());
		const { reference } = await deriveKeys(platform.keys.current);
		const text = `reference.v1\n${workflow}\n${key}\n${since}`;
		return createHmac('sha256', reference).update(text).digest('base64url').slice(0, 22);
	};
	return {
		recipient: message.recipient,
		...(text !== undefined && { text, segments }),
		serviceId: message.serviceId,
		messageId: message.messageId,
		reference: row.reference ?? (await made()),
	};
}

/** Why an item is skipped, by what is known of its message. Undefined: it goes out. */
export function skipReasonOf({ row, known }: { row: SendRow; known?: Known }): SkipReason | undefined {
	if (row.doNotSend) return 'doNotSend';
	if (known === undefined || known.isClaimed || known.state === 'new' || known.state === 'full') return undefined;
	return known.state === 'sent' ? 'sentBefore' : 'unknown';
}

/**
 * Identifies a message in the memory of its workflow, whatever its period: for a counter outside of n8n's list. An HMAC, so
 * that nobody without the institution's key can tell the recipient or the text from it.
 */
export async function messageKeyOf({ platform, workflow }: Run, { key }: SendRow): Promise<string> {
	const { reference } = await deriveKeys(platform.keys.current);
	return createHmac('sha256', reference).update(`message.v1\n${workflow}\n${key}`).digest('base64url').slice(0, 22);
}

/** The item of a row that did not fail. @param quietUntil the end of quiet hours that would hold up a reviewed row */
export function itemOfResult(result: RowResult, language: Language, quietUntil?: string): IDataObject {
	const { recipient, text, segments, ...ids } = result.about;
	const about = { recipient, text, segments, accepted: result.kind === 'accepted' };
	if (result.kind === 'wouldSend') return withoutUndefined({ ...about, quietUntil, ...ids });
	if (result.kind === 'accepted')
		return withoutUndefined({ ...about, warning: result.warning, ...ids, sentAt: result.sentAt });
	const { skipReason } = result;
	const unknown = skipReason === 'unknown' || undefined;
	const notice = noticeOf({ reason: skipReason }, language);
	return withoutUndefined({ ...about, skipped: true, skipReason, unknown, notice, ...ids });
}

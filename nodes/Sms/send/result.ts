import { createHmac, randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { withoutUndefined } from '../../shared/items';
import { noticeOf, type Language } from '../../shared/notice';
import { deriveKeys } from '../derivedKeys';
import type { Known } from '../memory/periods';
import type { Accepted } from '../outgoing/deliver';
import type { Doubt } from '../outgoing/replacements';
import type { Run } from './openRun';
import type { SendRow } from './row';

/** Whom a row's message is for, what it says, and by what the platform knows it. JSON data. */
export type About = Awaited<ReturnType<typeof aboutRow>> & { dlrUrl?: string };

/** Why a row is skipped. `twice`: in a review, because the list has the same message before. */
type SkipReason = 'sentBefore' | 'unknown' | 'doNotSend' | 'twice';

/** What became of a row that did not fail. JSON data, from which its item is made. */
export type RowResult =
	| ({ kind: 'accepted'; about: About; doubts: Doubt[] } & Accepted)
	| { kind: 'skipped'; about: About; skipReason: SkipReason }
	/** In a review. `normal`: the recipient in normal form; `content`: the same for two messages with the same text. */
	| { kind: 'wouldSend'; about: About; doubts: Doubt[]; normal: string; content: string };

/**
 * What is said of a row's message, with its reference: the user's own, or one that the node makes. Unless messages repeat,
 * that one is the same wherever the message is spoken of, so that a report, a table or a counter finds it: 128 bits of an
 * HMAC with SHA-256 in base64url. Without the institution's key nobody can tell from it whom the message is for, nor what
 * it says.
 * @param known of it, as what is remembered says
 */
export async function aboutRow({ platform, messages }: Run, row: SendRow, known: Known) {
	const { message, text, segments, key } = row;
	const made = async () => {
		if (row.ifAlreadySent === 'send') return randomUUID();
		const since = known.since ?? messages.sinceNow();
		const { reference } = await deriveKeys(platform.keys.current);
		return createHmac('sha256', reference).update(`reference.v1\n${key}\n${since}`).digest('base64url').slice(0, 22);
	};
	return {
		recipient: message.recipient,
		...(text !== undefined && { text, segments }),
		serviceId: message.serviceId,
		messageId: message.messageId,
		reference: row.reference ?? (await made()),
	};
}

/** Why a row is skipped by what is known of its message; undefined where it goes out. */
export function skipReasonOf({ doNotSend }: SendRow, { state }: Known): SkipReason | undefined {
	if (doNotSend) return 'doNotSend';
	if (state === 'new') return undefined;
	return state === 'sent' ? 'sentBefore' : 'unknown';
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

import { createHmac, randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { noticeOf, type Language } from '../../shared/notice';
import { Problem } from '../../shared/problem';
import type { Platform } from '../credential';
import { deriveKeys } from '../keys';
import type { Fate, Messages } from '../memory/messages';
import { deliver, isUnknown, type Accepted, type Outgoing, type Sending } from '../outgoing/deliver';
import type { Doubt } from '../outgoing/replacements';
import type { SendRow } from './row';

/** Whom a row's message is for, what it says, and by what the platform knows it. JSON data. */
export type Told = Awaited<ReturnType<typeof tell>> & { dlrUrl?: string };

/** What became of a row that did not fail. JSON data, from which its item is made. */
export type RowResult =
	| ({ kind: 'accepted'; told: Told; doubts: Doubt[] } & Accepted)
	| { kind: 'skipped'; told: Told; skipReason: 'sentBefore' | 'unknown' | 'doNotSend' }
	/** In a review. `same`: the recipient in normal form. */
	| { kind: 'wouldSend'; told: Told; doubts: Doubt[]; same: string };

/**
 * The life of one message, from "sent before?" to "remember it".
 *
 * @param messages what remembers
 * @param send sends it, where it is to be sent
 * @returns otherwise the problem of a message that was rejected, or of which nobody knows whether it was accepted
 */
export async function decide(
	platform: Platform,
	messages: Pick<Messages, 'period' | 'begin' | 'settle'>,
	row: SendRow,
	send: (told: Told) => Promise<RowResult | Problem>,
): Promise<RowResult | Problem> {
	if (row.doNotSend) {
		return { kind: 'skipped', told: await tell(platform, row, messages.period()), skipReason: 'doNotSend' };
	}
	if (row.ifAlreadySent === 'send') return await send(await tell(platform, row, 0));

	const { state, period } = await messages.begin(row.key);
	if (state !== 'new') {
		const skipReason = state === 'sent' ? 'sentBefore' : 'unknown';
		return { kind: 'skipped', told: await tell(platform, row, period), skipReason };
	}
	let fate: Fate = 'free';
	try {
		const result = await send(await tell(platform, row, period));
		fate = isUnknown(result) ? 'unknown' : result instanceof Problem ? 'free' : 'sent';
		return result;
	} finally {
		await messages.settle(row.key, fate);
	}
}

/**
 * Sends a row's message, where it is to be sent.
 *
 * @param outgoing what is filled in here and sent, which says when its request leaves
 * @param reportUrl the URL for its delivery report; undefined where none is asked for
 * @returns as `decide`
 */
export async function sendOnce(
	sending: Sending,
	messages: Messages,
	row: SendRow,
	outgoing: Outgoing,
	reportUrl: (reference: string) => string | undefined,
): Promise<RowResult | Problem> {
	return await decide(sending.platform, messages, row, async (told) => {
		const { recipient, reference } = told;
		const dlrUrl = reportUrl(reference);
		const report = dlrUrl !== undefined && { dlrUrl };
		outgoing.message = { ...row.message, ...report };
		const result = await deliver(sending, outgoing);
		if (result instanceof Problem) return result.with({ recipient, reference });
		return { kind: 'accepted', told: { ...told, ...report }, doubts: row.doubts, ...result };
	});
}

/**
 * What a row tells of its message, with its reference: the user's own, or one that the node makes. Unless messages repeat,
 * that one is the same wherever the message is spoken of, so that a report, a table or a counter finds it: 128 bits of an
 * HMAC with SHA-256 in base64url. Without the institution's key nobody can tell from it whom the message is for, nor what
 * it says.
 *
 * @param period in which the message was, or would be, first claimed
 */
async function tell(platform: Platform, row: SendRow, period: number) {
	const { message, text, segments, ifAlreadySent, key } = row;
	const made = async () => {
		if (ifAlreadySent === 'send') return randomUUID();
		const { reference } = await deriveKeys(platform.keys.current);
		return createHmac('sha256', reference).update(`reference.v1\n${key}\n${period}`).digest('base64url').slice(0, 22);
	};
	return {
		recipient: message.recipient,
		...(text !== undefined && { text, segments }),
		serviceId: message.serviceId,
		messageId: message.messageId,
		reference: row.reference ?? (await made()),
	};
}

/** The item of a row that did not fail. @param quietUntil the end of quiet hours that would hold up a reviewed row */
export function itemOfResult(result: RowResult, language: Language, quietUntil?: string): IDataObject {
	const { recipient, text, segments, ...ids } = result.told;
	const about = { recipient, ...(text !== undefined && { text, segments }) };
	switch (result.kind) {
		case 'accepted': {
			const { sentAt, warning } = result;
			return { ...about, accepted: true, ...(warning !== undefined && { warning }), ...ids, sentAt };
		}
		case 'skipped': {
			const { skipReason } = result;
			const unknown = skipReason === 'unknown' && { unknown: true };
			const notice = noticeOf({ reason: skipReason }, language);
			return { ...about, accepted: false, skipped: true, skipReason, ...unknown, notice, ...ids };
		}
		case 'wouldSend':
			return { ...about, accepted: false, ...(quietUntil !== undefined && { quietUntil }), ...ids };
	}
}

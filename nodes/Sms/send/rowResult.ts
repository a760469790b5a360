import { randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { noticeOf, type Language } from '../../shared/notice';
import { detailsOf, type Problem } from '../../shared/problem';
import type { Platform } from '../credential';
import { deriveKeys } from '../keys';
import type { Accepted } from '../outgoing/deliver';
import type { Doubt } from '../outgoing/replacements';
import type { SendRow } from './row';
import { referenceOf } from './sameMessage';

/** Whom a row's message is for, what it says, and by what the platform knows it. JSON data. */
export interface Told {
	recipient: string;
	text?: string;
	segments?: number;
	serviceId: string;
	messageId: string;
	reference: string;
	dlrUrl?: string;
}

/** Why a row's message is not sent. */
export type SkipReason = 'sentBefore' | 'unknown' | 'doNotSend';

/** What became of a row that did not fail. JSON data, from which its item is made. */
export type RowResult =
	| ({ kind: 'accepted'; told: Told; doubts: Doubt[] } & Accepted)
	| { kind: 'skipped'; told: Told; skipReason: SkipReason }
	/** In a review. `same`: the recipient in normal form. */
	| { kind: 'wouldSend'; told: Told; doubts: Doubt[]; same: string };

/**
 * What a row tells of its message, with its reference: the user's own, or one that the node makes.
 *
 * @param period in which the message was, or would be, first claimed
 */
export async function tell(platform: Platform, row: SendRow, period: number): Promise<Told> {
	const { message, text, segments, reference, ifAlreadySent, key } = row;
	const made = async () =>
		ifAlreadySent === 'send'
			? randomUUID()
			: referenceOf(key, period, (await deriveKeys(platform.keys.current)).reference);
	return {
		recipient: message.recipient,
		...(text !== undefined && { text, segments }),
		serviceId: message.serviceId,
		messageId: message.messageId,
		reference: reference ?? (await made()),
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

/** The item of a faulty row in a review, which is no failed one. */
export function itemOfFault(problem: Problem, language: Language): IDataObject {
	const { message, description } = problem;
	const { recipient, reference, reason, notice } = detailsOf(problem, language);
	return {
		...(recipient !== undefined && { recipient }),
		accepted: false,
		problem: [message, description].filter((part) => part !== '').join('. '),
		reason,
		notice,
		...(reference !== undefined && { reference }),
	};
}

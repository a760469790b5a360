import { createHash, createHmac } from 'node:crypto';

import { tidy } from '../../shared/greek';
import type { Platform } from '../credential';
import type { Message } from '../wire';

/** What two messages have in common that are the same. */
export interface Sameness {
	/** Service, message, replacements and, where a reply or an answer goes out, the id of the message that it answers. */
	message: Message;
	/** The recipient in normal form. */
	sameRecipient: string;
	/** The user's own key, in place of the replacements alone: one that several people share keeps nobody from theirs. */
	duplicateKey?: string;
	/** For a reply to a message that came without an id: when it came. */
	answersMessageOf?: string;
}

/**
 * The key of a message: by it two messages are the same, whichever run they are in. A hash, so that n8n's list contains
 * no one's number. The pre-shared key is no part of it: after a change of key nobody gets a message twice.
 */
export function keyOf(
	{ message, sameRecipient, duplicateKey, answersMessageOf }: Sameness,
	platform: Platform,
): string {
	const { serviceId, messageId, replacements, smsForwardId } = message;
	const values = duplicateKey === undefined ? replacements.map(tidy) : { duplicateKey: duplicateKey.normalize('NFC') };
	const what = [serviceId, messageId, sameRecipient, values];
	const parts = [platform.sendUrl, platform.institution, what, smsForwardId ?? null, answersMessageOf ?? null];
	return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

/**
 * The name of a message: the same wherever it is spoken of, so that a report, a table or a counter finds it. 128 bits of
 * an HMAC with SHA-256 in base64url, 22 characters: without the institution's key nobody can tell from it whom the
 * message is for, nor what it says.
 *
 * @param key the message's
 * @param period that in which it was first claimed
 * @param referenceKey derived from the pre-shared key
 */
export function referenceOf(key: string, period: number, referenceKey: Buffer): string {
	return createHmac('sha256', referenceKey).update(`reference.v1\n${key}\n${period}`).digest('base64url').slice(0, 22);
}

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

import { tidy } from '../../shared/greek';
import type { DerivedKeys } from '../keys';
import type { Period } from './oneTimeCode';

/** All that Check Code has to know of a code that was sent, but for the code itself. */
export interface Verification extends Period {
	/** Digits. */
	codeLength: number;
	/** How many wrong codes are too many. */
	maxAttempts: number;
	/** Which code of the period was sent, from 0. */
	issue: number;
	/** Which code of the period before this one was the last sent; undefined where none was, or its attempts are spent. */
	earlierIssue: number | undefined;
	/** The tag of the notes of the workflow that sent it. */
	list: number;
}

/*
 * A verification id is base64url of: version (1 byte), nonce (12), content (16) and tag (16), sealed with AES-256-GCM
 * (NIST SP 800-38D). Nobody without the key reads the number in it, makes one, or changes one. Version and purpose are
 * authenticated with it, so that one for another purpose does not open.
 */
const VERSION = 1;
const NONCE = 12;
const CONTENT = 16;
const TAG = 16;
const WHOLE = 1 + NONCE + CONTENT + TAG;

/** What stands for "none" where a code of the period before is named. */
const NONE = 255;

/** The most that an issue can count to. */
export const LAST_ISSUE = NONE - 1;

/** What is authenticated beside the content. */
const context = (purpose: string) => Buffer.from(`verification.v${VERSION}\n${purpose}`);

/** The verification id of a code. Two of the same are never alike: the nonce is random. */
export function sealVerification(verification: Verification, keys: Pick<DerivedKeys, 'seal'>): string {
	const content = Buffer.alloc(CONTENT);
	content.writeUIntBE(Number(verification.mobile), 0, 5);
	content.writeUInt32BE(verification.index, 5);
	const { validMinutes, codeLength, maxAttempts, issue, earlierIssue = NONE } = verification;
	content.set([validMinutes, codeLength, maxAttempts, issue, earlierIssue], 9);
	content.writeUInt16BE(verification.list, 14);

	const nonce = randomBytes(NONCE);
	const cipher = createCipheriv('aes-256-gcm', keys.seal, nonce).setAAD(context(verification.purpose));
	const sealed = Buffer.concat([cipher.update(content), cipher.final()]);
	return Buffer.concat([Buffer.of(VERSION), nonce, sealed, cipher.getAuthTag()]).toString('base64url');
}

/**
 * Opens a verification id, which comes from outside: a form's hidden field, a link, a webhook's body.
 *
 * @param id anything; white space around it, which comes along when it is copied, does no harm
 * @param purpose the one it has to be for
 * @returns undefined for whatever is not one of ours, whole, and for this purpose; it never throws
 */
export function openVerification(
	id: unknown,
	purpose: string,
	keys: Pick<DerivedKeys, 'seal'>,
): Verification | undefined {
	if (typeof id !== 'string' || id.length > 200) return undefined;
	const text = tidy(id);
	const bytes = Buffer.from(text, 'base64url');
	// Other texts have the same bytes, because the decoder passes over what it does not know: only one text is an id.
	if (bytes.length !== WHOLE || bytes[0] !== VERSION || bytes.toString('base64url') !== text) return undefined;

	const [nonce, sealed, tag] = [bytes.subarray(1, 1 + NONCE), bytes.subarray(1 + NONCE, -TAG), bytes.subarray(-TAG)];
	try {
		const decipher = createDecipheriv('aes-256-gcm', keys.seal, nonce, { authTagLength: TAG })
			.setAAD(context(purpose))
			.setAuthTag(tag);
		return read(Buffer.concat([decipher.update(sealed), decipher.final()]), purpose);
	} catch {
		// The tag does not fit: changed, for another purpose, or sealed with another key.
		return undefined;
	}
}

function read(content: Buffer, purpose: string): Verification {
	const earlierIssue = content.readUInt8(13);
	return {
		mobile: String(content.readUIntBE(0, 5)),
		purpose,
		index: content.readUInt32BE(5),
		validMinutes: content.readUInt8(9),
		codeLength: content.readUInt8(10),
		maxAttempts: content.readUInt8(11),
		issue: content.readUInt8(12),
		earlierIssue: earlierIssue === NONE ? undefined : earlierIssue,
		list: content.readUInt16BE(14),
	};
}

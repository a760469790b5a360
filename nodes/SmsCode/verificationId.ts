import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

import { clean } from '../../lib/greek/letters';
import type { Platform } from '../../lib/smsPlatform/credential';
import type { DerivedKeys } from '../../lib/smsPlatform/derivedKeys';

/**
 * The content of a verification id. Send Code returns the id, encrypted, and the workflow passes it to Check Code. So no code
 * has to be stored in a database.
 */
export interface Verification {
	/** The Greek mobile number, ten digits. */
	mobile: string;
	/** The code, 4 to 10 digits. */
	code: string;
	/** Identifies the code. All ids of one code have the same serial. */
	serial: string;
	maxAttempts: number;
	/** When the id expires, in milliseconds since 1970. */
	end: number;
}

/** The scope in which an id is valid: one platform (`sendUrl` and institution), one purpose and one key. */
export interface Scope {
	platform: Pick<Platform, 'sendUrl' | 'institution'>;
	purpose: string;
	keys: Pick<DerivedKeys, 'seal'>;
}

/*
 * A verification id is base64url of three parts: a nonce (12 bytes), the verification as an encrypted JSON list, and a tag (16
 * bytes). It is encrypted and authenticated ("sealed") with AES-256-GCM (NIST SP 800-38D). Only somebody who has the key can read
 * or make an id. Platform and purpose are authenticated too (`contextOf`), so an id is accepted only for the platform and the
 * purpose for which it was made.
 */
const NONCE = 12;
const TAG = 16;

/** The longest id that is read, in UTF-16 units. The ids of this package have 107 to 116 units. */
const LONGEST_ID = 200;

/** Returns the additional data that AES-GCM authenticates besides the content: the version, the platform and the purpose. */
const contextOf = ({ platform: { sendUrl, institution }, purpose }: Scope) =>
	Buffer.from(JSON.stringify(['verification.v1', sendUrl, institution, purpose]));

/** Returns a verification id for a code. Each call returns a different id, because the nonce is random. */
export function sealVerification({ mobile, code, serial, maxAttempts, end }: Verification, scope: Scope): string {
	const nonce = randomBytes(NONCE);
	const cipher = createCipheriv('aes-256-gcm', scope.keys.seal, nonce).setAAD(contextOf(scope));
	const content = JSON.stringify([mobile, code, serial, maxAttempts, end]);
	const sealed = Buffer.concat([cipher.update(content), cipher.final()]);
	return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url');
}

/** Decrypts an id. Undefined: the id was changed, is incomplete, is made up, or belongs to another scope. */
export function openVerification(id: unknown, scope: Scope): Verification | undefined {
	if (typeof id !== 'string' || id.length > LONGEST_ID) return undefined;
	const text = clean(id);
	const bytes = Buffer.from(text, 'base64url');
	// The decoder skips unknown characters, so several texts decode to the same bytes. Only the text that this package makes is
	// accepted.
	if (bytes.length <= NONCE + TAG || bytes.toString('base64url') !== text) return undefined;

	const [nonce, sealed, tag] = [bytes.subarray(0, NONCE), bytes.subarray(NONCE, -TAG), bytes.subarray(-TAG)];
	let content: string;
	try {
		const decipher = createDecipheriv('aes-256-gcm', scope.keys.seal, nonce, { authTagLength: TAG })
			.setAAD(contextOf(scope))
			.setAuthTag(tag);
		content = Buffer.concat([decipher.update(sealed), decipher.final()]).toString();
	} catch {
		// The tag does not match: the id was changed, belongs to another platform or purpose, or was sealed with another key.
		return undefined;
	}
	// The content is authenticated, so its values have the types that `sealVerification` wrote.
	const [mobile, code, serial, maxAttempts, end] = JSON.parse(content) as [string, string, string, number, number];
	return { mobile, code, serial, maxAttempts, end };
}

import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Compares a secret that a client sent with the right one. The duration reveals neither the place of the first difference nor the
 * length of the right secret. A very long text is rejected without being hashed.
 */
export function sameText(claimed: string, right: string): boolean {
	if (claimed.length > 10_000) return false;
	const digest = (text: string) => createHash('sha256').update(text).digest();
	return timingSafeEqual(digest(claimed), digest(right));
}

/** Hashes a value, so that it can be compared without being readable. */
export const hashOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('base64url');

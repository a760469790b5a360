import { encodings } from '../sandbox/echo';

/**
 * Returns the forms in which a secret may be part of a longer text: unchanged, escaped, or encoded. Of base64 only the
 * part counts that is the same at every position of the secret. A short one is searched for only unencoded, because
 * three letters of base64 prove nothing.
 */
export function spellings(secret: string): string[] {
	const { base64, base64url, basic: _, ...escapes } = encodings;
	const escaped = Object.values(escapes).map((escape) => escape(secret));
	if (Buffer.byteLength(secret) < 8) return [...new Set(escaped)];
	const cores = [base64, base64url].flatMap((encode) =>
		[0, 1, 2].map((offset) =>
			encode('x'.repeat(offset) + secret)
				.replace(/=+$/, '')
				.slice(offset === 0 ? 0 : offset + 1, -1),
		),
	);
	return [...new Set([...escaped, ...cores])];
}

/** @returns the spellings of these secrets that stand in a text; empty: none of them */
export function findSecrets(text: string | Buffer, secrets: string[]): string[] {
	return secrets.flatMap(spellings).filter((spelling) => text.includes(spelling));
}

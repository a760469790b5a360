import { encodings } from '../sandbox/echo';

/**
 * Returns the forms in which a longer text may contain a secret: unchanged, escaped or encoded. The base64 forms contain only
 * the characters that do not depend on the text around the secret. A short secret has no base64 forms, because they would be
 * found by chance.
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

/** Returns the spellings of these secrets that a text contains. */
export function findSecrets(text: string | Buffer, secrets: string[]): string[] {
	return secrets.flatMap(spellings).filter((spelling) => text.includes(spelling));
}

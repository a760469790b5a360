import { encodings } from '../sandbox/echo';

/**
 * How a secret may stand in a longer text: as it is, escaped, or encoded. Of base64 only that part counts which is
 * the same wherever the secret stands. A short one is looked for unencoded only: three letters of base64 prove nothing.
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

/**
 * Decodes an answer in the charset that it names (RFC 9110, 8.3.1), otherwise as UTF-8.
 * @returns `unreadable`: whether some bytes could not be decoded and became �
 */
export function decodeBody(bytes: Uint8Array, contentType: unknown): { text: string; unreadable: boolean } {
	const text = decoderOf(charsetIn(contentType)).decode(bytes);
	return { text, unreadable: text.includes('\ufffd') };
}

/**
 * Decodes a body that a client sent, without its byte-order mark. It uses the charset that the content type names, otherwise
 * UTF-8. If the bytes are not UTF-8, they are read as windows-1253, an older charset for Greek.
 * @returns undefined if the bytes cannot be decoded. No byte becomes �
 */
export function decodeStrictly(bytes: Uint8Array, contentType: unknown): string | undefined {
	const named = charsetIn(contentType);
	for (const name of named === undefined ? ['utf-8', 'windows-1253'] : [decoderOf(named).encoding]) {
		try {
			return new TextDecoder(name, { fatal: true }).decode(bytes);
		} catch {
			// The bytes do not fit this charset, so the next one is tried.
		}
	}
	return undefined;
}

/** The charset that a content type names. */
const charsetIn = (contentType: unknown): string | undefined =>
	/;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(typeof contentType === 'string' ? contentType.slice(0, 500) : '')?.[1];

function decoderOf(name = 'utf-8') {
	try {
		return new TextDecoder(name);
	} catch {
		return new TextDecoder('utf-8');
	}
}

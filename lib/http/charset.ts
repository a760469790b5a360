/**
 * Decodes an answer in the charset of its content type (RFC 9110, 8.3.1), otherwise as UTF-8.
 * @returns `unreadable`: whether the text has a �, which replaces bytes that could not be decoded
 */
export function decodeBody(bytes: Uint8Array, contentType: unknown): { text: string; unreadable: boolean } {
	const text = decoderOf(charsetIn(contentType)).decode(bytes);
	return { text, unreadable: text.includes('\ufffd') };
}

/**
 * Decodes a body that a client sent, without its byte-order mark. The charset is that of the content type; an unknown one counts
 * as UTF-8. If the content type names no charset, the body is read as UTF-8, or windows-1253 (an older charset for Greek) if the
 * bytes are not UTF-8.
 * @returns undefined if some bytes can't be decoded
 */
export function decodeStrictly(bytes: Uint8Array, contentType: unknown): string | undefined {
	const named = charsetIn(contentType);
	for (const name of named === undefined ? ['utf-8', 'windows-1253'] : [decoderOf(named).encoding]) {
		try {
			return new TextDecoder(name, { fatal: true }).decode(bytes);
		} catch {
			// The bytes do not fit this charset, so the next one is tried, if there is one.
		}
	}
	return undefined;
}

/** Returns the charset in a content type. Undefined: it names none. */
const charsetIn = (contentType: unknown): string | undefined =>
	/;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(typeof contentType === 'string' ? contentType.slice(0, 500) : '')?.[1];

/** Returns the decoder of a charset. If the charset is unknown, returns the decoder of UTF-8. */
function decoderOf(name = 'utf-8') {
	try {
		return new TextDecoder(name);
	} catch {
		return new TextDecoder('utf-8');
	}
}

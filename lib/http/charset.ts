/** An answer's text, in the charset it names (RFC 9110, 8.3.1) or UTF-8. `unreadable`: a � is in place of some bytes */
export function decodeBody(bytes: Uint8Array, contentType: unknown): { text: string; unreadable: boolean } {
	const text = decoderOf(charsetIn(contentType)).decode(bytes);
	return { text, unreadable: text.includes('\ufffd') };
}

/**
 * The text of a body that a client wrote: in the charset that its content type names, otherwise UTF-8, and where the bytes
 * are none, windows-1253, in which Greek was written before. A byte-order mark is no part of it.
 * @returns undefined where the bytes are not what they would have to be: nothing is made a �
 */
export function decodeStrictly(bytes: Uint8Array, contentType: unknown): string | undefined {
	const named = charsetIn(contentType);
	for (const name of named === undefined ? ['utf-8', 'windows-1253'] : [decoderOf(named).encoding]) {
		try {
			return new TextDecoder(name, { fatal: true }).decode(bytes);
		} catch {
			// The next one, where there is one.
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

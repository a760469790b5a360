/**
 * The text of an answer's body, in the charset that its content type names (RFC 9110, 8.3.1), otherwise UTF-8. A name
 * that nobody knows counts as none.
 *
 * @returns `unreadable` where bytes could not be read; a � stands in their place
 */
export function decodeBody(bytes: Uint8Array, contentType: unknown): { text: string; unreadable: boolean } {
	const name = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(typeof contentType === 'string' ? contentType.slice(0, 500) : '')?.[1];
	const text = decoderOf(name).decode(bytes);
	return { text, unreadable: text.includes('\ufffd') };
}

function decoderOf(name: string | undefined) {
	try {
		return new TextDecoder(name ?? 'utf-8');
	} catch {
		return new TextDecoder('utf-8');
	}
}

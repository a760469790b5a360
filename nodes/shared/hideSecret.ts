/**
 * A text from outside without a secret that it may echo. Where the secret stands as it is, escaped as in JSON or
 * encoded as in an address, it alone is hidden; where it can be read in any other way, the whole text is.
 */
export function hideSecret(text: string, secret: string): string {
	if (secret === '') return text;
	const spellings = [secret, JSON.stringify(secret).slice(1, -1), new URLSearchParams([['', secret]]).toString().slice(1)];
	const hidden = spellings.reduce((left, spelling) => left.replaceAll(spelling, HIDDEN), text);
	return readings(hidden).some((reading) => reading.includes(secret) || reading.replaceAll('+', ' ').includes(secret)) ? HIDDEN : hidden;
}

const HIDDEN = '•••';

/** What a text says to whoever decodes it, also when it was encoded several times over. */
function readings(text: string): string[] {
	const found = [text];
	for (let round = 0; round < 4; round++) {
		for (const decode of [decodePercent, decodeEntities, decodeEscapes]) found.push(decode(found.at(-1)!));
	}
	return found;
}

const decodePercent = (text: string) =>
	text.replace(/(?:%[\da-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString());

const decodeEscapes = (text: string) =>
	text.replace(/\\(?:u([\da-f]{4})|(.))/gis, (_, code: string | undefined, letter: string) =>
		code === undefined ? (CONTROLS[letter] ?? letter) : String.fromCharCode(parseInt(code, 16)),
	);

const CONTROLS: Partial<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

const decodeEntities = (text: string) =>
	text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (entity, decimal?: string, hex?: string, name?: string) => {
		const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
		if (name !== undefined) return NAMED[name.toLowerCase()]!;
		return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
	});

const NAMED: Partial<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

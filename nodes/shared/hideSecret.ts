const HIDDEN = '•••';

/** Shorter secrets are not looked for in data, and not in base64: what is found there would be chance. In bytes. */
const TELLING = 8;

/** Data nested deeper than any answer of the two services is left out. */
const DEEPEST = 50;

/**
 * So are texts that would be more than that many characters in all: to look through megabytes would hold up n8n. The
 * longest message that the trigger takes, with its words once more, is less.
 */
const MOST_CHARACTERS = 100_000;

/**
 * Makes what keeps a secret out of texts from outside: an answer may repeat the request, with the key in it, as it
 * is, escaped for JSON, HTML or an address, once or more often, or as a whole in base64 or hexadecimal.
 */
export function hideSecret(secret: string): (text: string) => string {
	if (secret === '') return (text) => text;
	const oneBackslash = secret.replace(/\\+/g, '\\');
	let pattern: RegExp | undefined;
	return (text) => {
		// No spelling is shorter than the secret, and most texts are: the pattern takes longer to build than they to send.
		if (text.length < oneBackslash.length) return text;
		pattern ??= new RegExp([[...oneBackslash].map(spellingsOf).join(''), ...encodingsOf(secret)].join('|'), 'giu');
		return text.replace(pattern, HIDDEN);
	};
}

/**
 * The same for data: for every text in it, property names included. What a secret of a few letters looks like stands in
 * names and dates by chance, so those are left alone here.
 */
export function hideInData<T>(value: T, secrets: string[]): T {
	const hides = secrets.filter((secret) => byteLength(secret) >= TELLING).map(hideSecret);
	let left = MOST_CHARACTERS;
	const hide = (text: string) => {
		if (text.length > left) return HIDDEN;
		left -= text.length;
		return hides.reduce((hidden, next) => next(hidden), text);
	};
	const walk = (part: unknown, depth: number): unknown => {
		if (typeof part === 'string') return hide(part);
		if (typeof part !== 'object' || part === null) return part;
		if (depth > DEEPEST) return HIDDEN;
		if (Array.isArray(part)) return part.map((entry) => walk(entry, depth + 1));
		return Object.fromEntries(Object.entries(part).map(([name, entry]) => [hide(name), walk(entry, depth + 1)]));
	};
	return walk(value, 0) as T;
}

const byteLength = (text: string) => Buffer.byteLength(text);
const hexOf = (code: number, digits = 2) => code.toString(16).padStart(digits, '0');
const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

const NAMED: Record<string, string> = { '&': 'amp', '"': 'quot', "'": 'apos', '<': 'lt', '>': 'gt' };

/** What JSON writes before a character, and what an address makes of that. */
const BACKSLASH = '(?:\\\\|%(?:25){0,3}5c)';

/**
 * A pattern for one character in all its spellings. Repetitions are bounded, so that no text from outside makes the
 * search slow.
 */
function spellingsOf(char: string): string {
	if (char === '\\') return `(?:${BACKSLASH}|&(?:amp;){0,3}#(?:0{0,4}92|x0{0,4}5c);){1,64}`;
	const inJson = char.split('').map((unit) => `${BACKSLASH}{1,8}u${hexOf(unit.charCodeAt(0), 4)}`).join('');
	const inAddress = [...Buffer.from(char)].map((byte) => `%(?:25){0,3}${hexOf(byte)}`).join('');
	const code = char.codePointAt(0)!;
	const ways = [inAddress, `&(?:amp;){0,3}#(?:0{0,4}${code}|x0{0,4}${code.toString(16)});`, literal(char)];
	if (NAMED[char] !== undefined) ways.push(`&(?:amp;){0,3}${NAMED[char]};`);
	if (char === ' ') ways.push('\\+');
	return `(?:${inJson}|${BACKSLASH}{0,8}(?:${ways.join('|')}))`;
}

/**
 * None for a secret whose encoding would be found by chance; otherwise hexadecimal, and the part of base64 that is the
 * same wherever the secret stands in a longer text.
 */
function encodingsOf(secret: string): string[] {
	if (byteLength(secret) < TELLING) return [];
	const cores = [0, 1, 2].map((offset) =>
		Buffer.from('x'.repeat(offset) + secret)
			.toString('base64')
			.replace(/=+$/, '')
			.slice(offset === 0 ? 0 : offset + 1, -1)
			// base64url writes these two otherwise.
			.replaceAll('+', '[+-]')
			.replaceAll('/', '[\\/_]'),
	);
	return [Buffer.from(secret).toString('hex'), ...cores];
}

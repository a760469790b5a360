import { greekMobile, SEPARATORS } from '../greek/mobile';

export const REDACTED = '•••';

/**
 * The lengths of the shortest secrets that are searched for in data and in base64, in bytes. Shorter secrets would match other
 * text by coincidence.
 */
const MIN_SECRET_BYTES = 8;
const MIN_SECRET_BYTES_BASE64 = 4;

/**
 * The largest depth of nested data that is searched. Deeper data are redacted completely. Answers of both services are less deep.
 */
const DEEPEST = 50;

/**
 * The longest text that is searched, in characters. It is also the limit for all texts of an answer together. A longer text is
 * redacted completely.
 */
const MOST_CHARACTERS = 50_000;

/**
 * Removes secrets from a text of a service. An answer can repeat the request with the key. The key may be unchanged, or encoded
 * for JSON, URLs, forms, HTML, base64 or basic authentication. Each letter may be escaped. A key that was escaped twice is found
 * only if the first escapes are those that JSON requires.
 */
export const redactSecrets = (text: string, secrets: string[]): string => createRedactor(secrets)(text);

/**
 * Removes secrets from every text in data, also from the names of properties. Very short secrets are not removed, because names
 * and dates contain them by coincidence.
 */
export function redactSecretsInData<T>(value: T, secrets: string[]): T {
	const redactIn = createRedactor(secrets.filter((secret) => bytesOf(secret) >= MIN_SECRET_BYTES));
	let left = MOST_CHARACTERS;
	const redact = (text: string) => {
		if (text.length > left) return REDACTED;
		left -= text.length;
		return redactIn(text);
	};
	const walk = (part: unknown, depth: number): unknown => {
		if (typeof part === 'string') return redact(part);
		// If a key consists of digits, an answer may contain it as a number.
		if (typeof part === 'number') return redactIn(String(part)) === String(part) ? part : REDACTED;
		if (typeof part !== 'object' || part === null) return part;
		if (depth > DEEPEST) return REDACTED;
		if (Array.isArray(part)) return part.map((entry) => walk(entry, depth + 1));
		return Object.fromEntries(Object.entries(part).map(([name, entry]) => [redact(name), walk(entry, depth + 1)]));
	};
	return walk(value, 0) as T;
}

/** Returns a function that removes secrets from a text. */
function createRedactor(secrets: string[]): (text: string) => string {
	// Longer secrets are searched first, because a secret can begin with another one.
	const wanted = secrets.filter((secret) => secret !== '').sort((a, b) => b.length - a.length);
	if (wanted.length === 0) return (text) => text;
	const patternWith = (one: (character: string) => string) =>
		new RegExp(wanted.flatMap((secret) => spellingsOf(secret, one)).join('|'), 'gi');
	// A pattern with the escapes of every letter takes twice as long. It is used only for texts with escapes, which are rare.
	const usual = patternWith(anyOf);
	let everyLetter: RegExp | undefined;
	return (text) => {
		if (text.length > MOST_CHARACTERS) return REDACTED;
		if (!ESCAPE.test(text)) return text.replace(usual, REDACTED);
		everyLetter ??= patternWith(anyEscapeOf);
		return text.replace(everyLetter, REDACTED);
	};
}

/** Matches an escape of URLs, HTML or JSON that can stand for a letter. */
const ESCAPE = /%[\da-f]{2}|&#|\\u/i;

/**
 * Returns patterns of a secret inside a longer text. A request contains the secret as JSON text, so its JSON escapes may be
 * escaped again.
 * @param one returns the pattern of a character
 */
function spellingsOf(secret: string, one: (character: string) => string): string[] {
	const plain = Array.from(secret, (character) => {
		const inJson = inJsonText(character);
		const twice = inJson === character ? [] : [Array.from(inJson, one).join('')];
		return `(?:${[one(character), ...twice].join('|')})`;
	}).join('');
	if (bytesOf(secret) < MIN_SECRET_BYTES_BASE64) return [plain];
	const cores = [secret, inJsonText(secret)].flatMap(base64Of).map((core) => Array.from(core, anyOf).join(''));
	// In base64, the first and the last byte of the secret may share a character with a neighbouring byte. The pattern includes
	// these characters.
	return [plain, ...new Set(cores)].map((core, i) => (i === 0 ? core : `[\\w+/-]{0,2}${core}[\\w+/=-]{0,3}`));
}

const bytesOf = (text: string) => Buffer.byteLength(text);
const inJsonText = (text: string) => JSON.stringify(text).slice(1, -1);
const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
const inHex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');

const NAMED: Record<string, string> = { '&': 'amp', '"': 'quot', "'": 'apos', '<': 'lt', '>': 'gt' };

/** Returns a pattern for a character in its usual escaped forms in JSON (RFC 8259, 7), URLs (RFC 3986, 2.1), forms and HTML. */
function anyEscapeOf(character: string): string {
	const code = character.codePointAt(0)!;
	const units = Array.from({ length: character.length }, (_, i) => `\\u${inHex(character.charCodeAt(i), 4)}`);
	const ways = [
		...[character, inJsonText(character), units.join(''), ...(character === '/' ? ['\\/'] : [])],
		...[Array.from(Buffer.from(character), (byte) => `%${inHex(byte, 2)}`).join('')],
		...(character === ' ' ? ['+'] : []),
		...(character in NAMED ? [`&${NAMED[character]};`] : []),
	];
	return `(?:${[...new Set(ways)].map(literal).join('|')}|&#0{0,4}${code};|&#x0{0,4}${inHex(code, 1)};)`;
}

/**
 * Returns the pattern of `anyEscapeOf`, but without the escapes of Latin letters, digits, `_`, `.` and `-`. Most programs do not
 * escape these characters.
 */
const anyOf = (character: string) => (/[\w.-]/.test(character) ? literal(character) : anyEscapeOf(character));

/**
 * Returns the base64 and base64url characters (RFC 4648, 4 and 5) of a text inside a longer text. They depend on the place of the
 * text, so there is a result for each of the three offsets. Characters that also encode a neighbouring byte are left out.
 */
const base64Of = (text: string): string[] =>
	[0, 1, 2].flatMap((before) => {
		const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
		const first = Math.ceil((before * 8) / 6);
		const core = (name: 'base64' | 'base64url') =>
			bytes.toString(name).slice(first, Math.floor((bytes.length * 8) / 6));
		return [core('base64'), core('base64url')];
	});

/**
 * The pattern of characters between two digits of a number. A comma before a space is excluded, because it separates list items.
 */
const BETWEEN = `[${SEPARATORS}_+·'’\\p{Cf}]|,(?=\\p{Nd})|%2[\\da-f]|&nbsp;`;

/*
 * Patterns of ISO dates and IP addresses, which are not personal numbers and are not redacted. The operator needs the IP address
 * to register it. The exception is an IP address with the digits of a Greek mobile, such as 69.112.233.44.
 */
const DAY = '(?:19|20)\\d\\d-[01]\\d-[0-3]\\d(?!-?\\p{Nd})';
const BYTE = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IP_ADDRESS = `${BYTE}\\.${BYTE}\\.${BYTE}\\.${BYTE}(?!\\.?\\p{Nd})`;
const OTHERS = `(?<!\\p{Nd}\\.?)(?:${DAY}|${IP_ADDRESS})`;

const DIGIT = `(?!${OTHERS})\\p{Nd}`;
const NUMBERS = new RegExp(`(${OTHERS})|${DIGIT}(?:${DIGIT}|${BETWEEN}){7,}${DIGIT}`, 'giu');

/** The smallest number of digits of a foreign phone number. Shorter numbers are not searched for. */
const SHORTEST_NUMBER = 7;

/** Matches a digit that URLs, HTML or JSON write as an escape. */
const ESCAPED_DIGIT = /%3\d|&#0{0,4}(?:4[89]|5[0-7]);|&#x0{0,4}3\d;|\\u003\d/gi;

/** Unescapes the digits of a text, if it has so many escaped digits that they may be a personal number. */
function withPlainDigits(text: string): string {
	if ((text.match(ESCAPED_DIGIT)?.length ?? 0) < SHORTEST_NUMBER) return text;
	return text.replace(ESCAPED_DIGIT, (escape) => {
		const decimal = /^&#(\d+);$/.exec(escape)?.[1];
		return decimal === undefined ? escape.match(/\d/g)!.at(-1)! : String.fromCharCode(Number(decimal));
	});
}

/**
 * Redacts every number of nine or more digits in a text, with or without separators, except its last two digits. Such a number
 * may be a mobile, an AMKA or a tax number. ISO dates and IP addresses stay (see `OTHERS`). Shorter numbers stay too, such as a
 * service id or an error code of the platform.
 */
export function redactPersonalNumbers(text: string): string {
	return withPlainDigits(text).replace(NUMBERS, (found, other) => {
		if (other !== undefined && greekMobile(other) === undefined) return other;
		const digits = found.replace(/%2[\da-f]/gi, '').match(/\p{Nd}/gu)!;
		return digits.length < 9 ? found : REDACTED + digits.slice(-2).join('');
	});
}

/**
 * Redacts one given number in a text, with any separators between its digits. Other numbers stay, because an error code of the
 * platform can be as long as a personal number.
 * @param number a recipient or an AMKA. If it has fewer than seven digits, the text stays unchanged
 */
export function redactNumber(text: string, number: string): string {
	// The prefix + or 00 is not searched for, nor the country code of a Greek mobile, because the service may leave them out.
	const digits = (greekMobile(number) ?? number.replace(/^\s*00/u, '')).match(/\p{Nd}/gu) ?? [];
	if (digits.length < SHORTEST_NUMBER) return text;
	const spelling = digits.join(`(?:${BETWEEN}){0,4}`);
	return withPlainDigits(text).replace(new RegExp(spelling, 'giu'), REDACTED + digits.slice(-2).join(''));
}

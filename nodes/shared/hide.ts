import { createHash, timingSafeEqual } from 'node:crypto';

import { tidy, greekMobile, SEPARATORS } from './greek';

const HIDDEN = '•••';

/** Shorter secrets are not looked for, because what is found would be chance: in data, and in base64 and hexadecimal. In bytes. */
const TELLING = 8;
const TELLING_WHEN_PACKED = 4;

/** Data nested deeper than any answer of the two services is left out, and base64 in base64 in base64 is not looked into. */
const DEEPEST = 50;
const DEEPEST_PACKING = 2;

/** In characters, of one text or of all texts of one answer, and of what they can be decoded to. More would hold up n8n. */
const MOST_CHARACTERS = 50_000;
const MOST_DECODED = 200_000;

/** A key as it is used: without the white space and the invisible characters that come along when it is pasted. */
export const keyAsUsed = (key: unknown): string => tidy(String(key ?? ''));

/**
 * Compares what a client claims with what is right, in a time that says nothing of where they differ, nor of
 * the right one's length. Claims of absurd length are not even hashed.
 */
export function sameText(claimed: string, right: string): boolean {
	if (claimed.length > 10_000) return false;
	const digest = (text: string) => createHash('sha256').update(text).digest();
	return timingSafeEqual(digest(claimed), digest(right));
}

/**
 * Takes secrets out of a text from outside. An answer may repeat the request with the key in it: as it is, escaped for
 * JSON, HTML or a URL, once or more often, or in a part that is base64 or hexadecimal. So the secrets are looked for in
 * all that the text can be decoded to: a list of spellings would have to contain each way of escaping inside of each other.
 *
 * @param depth how many layers of base64 or hexadecimal were taken off
 * @returns the text itself where none of them is in it; otherwise its words without them
 */
export function hideSecrets(text: string, secrets: string[], depth = 0): string {
	const wanted = secrets.filter((secret) => secret !== '' && secret.length <= text.length);
	if (wanted.length === 0) return text;
	if (text.length > MOST_CHARACTERS) return HIDDEN;
	// The longest first, because one may begin with another.
	wanted.sort((a, b) => b.length - a.length);
	const pattern = new RegExp(wanted.map(literal).join('|'), 'giu');
	let shown = text;
	let characters = 0;
	// One escape undone can bring another to light, or take the end of a secret with it: so each is undone by itself.
	const decoded = new Set([text]);
	for (const one of decoded) {
		characters += one.length;
		if (characters > MOST_DECODED) return HIDDEN;
		const hidden = one
			.replace(pattern, HIDDEN)
			.replace(PACKED, (word) => (isPacked(word, wanted, depth) ? HIDDEN : word));
		if (hidden === one) for (const undo of ESCAPES) decoded.add(undo(one));
		else {
			shown = hidden;
			decoded.clear();
			decoded.add(hidden);
		}
	}
	return shown;
}

const bytesOf = (text: string) => Buffer.byteLength(text);
const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Words that may be base64 (RFC 4648, 4 and 5) or hexadecimal, perhaps over several lines (RFC 2045, 6.8). */
const PACKED = /(?:[\w+/=-]|[\r\n]|\\[rn]){6,}/g;

/** Whether such a word has a secret in it, which can begin at any of the places that a character of base64 stands for. */
function isPacked(found: string, secrets: string[], depth: number): boolean {
	const word = found.replace(/[\r\n]|\\[rn]/g, '');
	const telling = secrets.filter((secret) => bytesOf(secret) >= TELLING_WHEN_PACKED && bytesOf(secret) < word.length);
	if (telling.length === 0 || depth === DEEPEST_PACKING) return false;
	const base64 = [0, 1, 2, 3].map((start) => Buffer.from(word.slice(start), 'base64'));
	const numbers = word.match(/[\da-f]{8,}/gi) ?? [];
	const hex = numbers.flatMap((digits) => [0, 1].map((start) => Buffer.from(digits.slice(start), 'hex')));
	const inner = [...base64, ...hex].map((bytes) => bytes.toString('utf8'));
	return inner.some((text) => hideSecrets(text, telling, depth + 1) !== text);
}

const NAMED: Record<string, string> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>' };

/** Each undoes one layer of what URLs (RFC 3986, 2.1), forms, HTML or JSON (RFC 8259, 7) make of a text. */
const ESCAPES: Array<(text: string) => string> = [
	(text) =>
		text.replace(/(?:%[\da-f][\da-f])+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8')),
	(text) => text.replaceAll('+', ' '),
	(text) =>
		text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|quot|apos|lt|gt));/gi, (_, decimal, hex, name) =>
			name === undefined ? characterOf(parseInt(decimal ?? hex, decimal ? 10 : 16)) : NAMED[name.toLowerCase()]!,
		),
	// Not what stands for a control character, of which no key is made.
	(text) =>
		text.replace(/\\(?:u([\da-f]{4})|([^\w\s]))/gi, (_, unit, escaped) =>
			unit === undefined ? escaped : String.fromCharCode(parseInt(unit, 16)),
		),
];

const characterOf = (code: number) => (code <= 0x10ffff ? String.fromCodePoint(code) : '');

/**
 * The same for data: for every text in it, property names included. What a secret of a few letters looks like stands
 * in names and dates by chance, so those are left alone here.
 */
export function hideInData<T>(value: T, secrets: string[]): T {
	const telling = secrets.filter((secret) => bytesOf(secret) >= TELLING);
	let left = MOST_CHARACTERS;
	const hide = (text: string) => {
		if (text.length > left) return HIDDEN;
		left -= text.length;
		return hideSecrets(text, telling);
	};
	const walk = (part: unknown, depth: number): unknown => {
		if (typeof part === 'string') return hide(part);
		// A key of digits may come back as a number.
		if (typeof part === 'number') return hideSecrets(String(part), telling) === String(part) ? part : HIDDEN;
		if (typeof part !== 'object' || part === null) return part;
		if (depth > DEEPEST) return HIDDEN;
		if (Array.isArray(part)) return part.map((entry) => walk(entry, depth + 1));
		return Object.fromEntries(Object.entries(part).map(([name, entry]) => [hide(name), walk(entry, depth + 1)]));
	};
	return walk(value, 0) as T;
}

/** What people and URLs write between two digits of a number. A comma alone: with a blank it parts a list. */
const BETWEEN = `[${SEPARATORS}_+·'’\\p{Cf}]|,(?=\\p{Nd})|%2[\\da-f]|&nbsp;`;

/** A day as programs write it, and the IP address that the operator is to register: no numbers of people. */
const DAY = '(?:19|20)\\d\\d-[01]\\d-[0-3]\\d(?!-?\\p{Nd})';
const BYTE = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IP_ADDRESS = `${BYTE}\\.${BYTE}\\.${BYTE}\\.${BYTE}(?!\\.?\\p{Nd})`;
const OTHERS = `(?<!\\p{Nd}\\.?)(?:${DAY}|${IP_ADDRESS})`;

const DIGIT = `(?!${OTHERS})\\p{Nd}`;
const NUMBERS = new RegExp(`(${OTHERS})|${DIGIT}(?:${DIGIT}|${BETWEEN}){7,}${DIGIT}`, 'giu');

/**
 * Hides every long number in a text (a mobile number, an AMKA, a tax number), for messages and logs. Nine digits or more
 * count as long, with or without separators between them, in a URL too; two digits at the end stay. What is shorter stays
 * whole: a service or a code of the platform.
 */
export function hidePeoplesNumbers(text: string): string {
	return text.replace(NUMBERS, (found, other) => {
		if (other !== undefined && greekMobile(other) === undefined) return other;
		const digits = found.replace(/%2[\da-f]/gi, '').match(/\p{Nd}/gu)!;
		return digits.length < 9 ? found : HIDDEN + digits.slice(-2).join('');
	});
}

/**
 * Takes a person's own number out of a text, however its digits are separated. Other numbers stay: a code of the
 * platform may be as long.
 *
 * @param number a recipient or an AMKA; what has fewer than seven digits is not a number and is left alone
 */
export function hideNumber(text: string, number: string): string {
	// As the service may write it: with or without its prefix or country code.
	const digits = (greekMobile(number) ?? number.replace(/^\s*00/u, '')).match(/\p{Nd}/gu) ?? [];
	if (digits.length < 7) return text;
	const spelling = digits.join(`(?:${BETWEEN}){0,4}`);
	return text.replace(new RegExp(spelling, 'giu'), HIDDEN + digits.slice(-2).join(''));
}

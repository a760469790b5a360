import { createHash, timingSafeEqual } from 'node:crypto';

import { tidy } from './greek';

const HIDDEN = '•••';

/** Shorter secrets are not looked for in data: what is found there would be chance. In bytes. */
const TELLING = 8;

/** The same for base64 and hexadecimal, where four bytes are there by chance once in four thousand million times. */
const TELLING_WHEN_PACKED = 4;

/** Data nested deeper than any answer of the two services is left out. */
const DEEPEST = 50;

/** A text that is longer, and all texts of one answer together, are left out: to look through them would hold up n8n. */
const MOST_CHARACTERS = 50_000;

/** The characters of all that one text can be decoded to, step by step. What has more is left out. */
const MOST_DECODED = 200_000;

/** How often base64 may be packed into base64. */
const DEEPEST_PACKING = 2;

/** A key as it is used: without the white space and the invisible characters that come along when it is pasted. */
export const keyAsUsed = (key: unknown): string => tidy(String(key ?? ''));

/**
 * Takes secrets out of a text from outside. An answer may repeat the request with the key in it: as it is, escaped
 * for JSON, HTML, a URL, a log or a mail, once or more often, or in a part that is base64 or a list of bytes. So the
 * secrets are looked for in all that the text can be decoded to: a list of spellings would have to contain each way of
 * escaping inside of each other.
 *
 * @returns the text itself where none of them is in it; otherwise its words without them
 */
export function hideSecrets(text: string, secrets: string[], depth = 0): string {
	const wanted = secrets.filter((secret) => secret !== '' && secret.length <= text.length);
	if (wanted.length === 0) return text;
	if (text.length > MOST_CHARACTERS) return HIDDEN;
	// The longest first, because one may begin with another.
	const pattern = new RegExp(
		wanted
			.sort((a, b) => b.length - a.length)
			.map(spelling)
			.join('|'),
		'giu',
	);
	let shown = text;
	let characters = 0;
	// One escape undone can bring another to light, or take the end of a secret with it: so each is undone by itself.
	const decoded = new Set([text]);
	for (const one of decoded) {
		characters += one.length;
		if (characters > MOST_DECODED) return HIDDEN;
		const hide = (word: string) => (isPacked(word, wanted, depth) ? HIDDEN : word);
		const hidden = one.replace(pattern, HIDDEN).replace(PACKED, hide).replace(LISTED, hide);
		if (hidden === one) {
			for (const undo of ESCAPES) decoded.add(undo(one));
		} else {
			shown = hidden;
			decoded.clear();
			decoded.add(hidden);
		}
	}
	return shown;
}

const bytesOf = (text: string) => Buffer.byteLength(text);
const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** HTML has two thousand names for characters that are no letters or digits of ASCII: any of them may stand for one. */
const spelling = (secret: string) =>
	[...secret]
		.map((character) => (/[a-z\d]/i.test(character) ? character : `(?:${literal(character)}|&[a-z]{2,31}\\d{0,2};)`))
		.join('');

/** Words that may be base64 (RFC 4648, 4 and 5) or hexadecimal, perhaps over several lines (RFC 2045, 6.8). */
const PACKED = /[\w+/-]{6,}(?:[ \t]*(?:[\r\n]|\\[rn])+[ \t]*[\w+/-]{2,})*={0,2}/g;

/** Bytes one by one: hexadecimal, as tools print them, or decimal, as JSON has them. */
const LISTED = /(?:(?:0x)?[\da-f]{2}[\s:,-]{1,3}){3,}(?:0x)?[\da-f]{2}(?![\da-f])|(?:\d{1,3},\s{0,3}){3,}\d{1,3}/gi;

/** Whether such a word has a secret in it, which can begin at any of the places that a character of base64 stands for. */
function isPacked(found: string, secrets: string[], depth: number): boolean {
	const word = found.replace(/\\[rn]/g, ' ');
	const telling = secrets.filter((secret) => bytesOf(secret) >= TELLING_WHEN_PACKED && bytesOf(secret) < word.length);
	if (telling.length === 0 || depth === DEEPEST_PACKING) return false;
	const digits = word.replace(/0x|[\s:,-]/gi, '');
	const hex = /^[\da-f]+$/i.test(digits) ? [Buffer.from(digits, 'hex'), Buffer.from(digits.slice(1), 'hex')] : [];
	const base64 = [0, 1, 2, 3].map((start) => Buffer.from(word.slice(start), 'base64'));
	const list = word.includes(',') ? [Buffer.from(word.split(',').map(Number))] : [];
	return [...hex, ...base64, ...list].some((bytes) => {
		const inner = bytes.toString('utf8');
		return hideSecrets(inner, telling, depth + 1) !== inner;
	});
}

/** What HTML's escapes and those of the others are made of: one can stand inside of another. */
const NAMED: Record<string, string> = {
	amp: '&',
	quot: '"',
	apos: "'",
	lt: '<',
	gt: '>',
	percnt: '%',
	bsol: '\\',
	plus: '+',
	equals: '=',
	sol: '/',
	num: '#',
	semi: ';',
	lbrace: '{',
	lcub: '{',
	rbrace: '}',
	rcub: '}',
	comma: ',',
	lowbar: '_',
	hyphen: '-',
	colon: ':',
};
const BY_NAME = new RegExp(`&(?:#0*(\\d{1,7})|#x0*([\\da-f]{1,6})|(${Object.keys(NAMED).join('|')}));`, 'gi');

/** Each undoes one layer of what URLs (RFC 3986, 2.1), forms, HTML or JSON (RFC 8259, 7) make of a text. */
const ESCAPES: Array<(text: string) => string> = [
	(text) => text.replace(/(?:%[\da-f]{2})+/gi, fromPercent),
	(text) => text.replaceAll('+', ' '),
	(text) =>
		text.replace(BY_NAME, (_, decimal, hex, name) =>
			name === undefined
				? characterOf(decimal === undefined ? parseInt(hex, 16) : Number(decimal))
				: NAMED[name.toLowerCase()]!,
		),
	// Not what stands for a control character, of which no key is made.
	(text) =>
		text.replace(/((?:\\[^\w\s])+)|\\u([\da-f]{4})|\\u\{0*([\da-f]{1,6})\}/gi, (_, escaped, unit, point) => {
			if (escaped !== undefined) return escaped.length === 2 ? escaped[1] : escaped.replace(/\\(.)/gs, '$1');
			return unit === undefined ? characterOf(parseInt(point, 16)) : String.fromCharCode(parseInt(unit, 16));
		}),
	// Bytes, as logs and programming languages write them.
	(text) => text.replace(/(?:\\x[\da-f]{2})+/gi, (bytes) => textOf(Buffer.from(bytes.replace(/\\x/gi, ''), 'hex'))),
	(text) =>
		text.replace(/(?:\\[0-3][0-7]{2})+/g, (bytes) =>
			textOf(
				Buffer.from(
					bytes
						.slice(1)
						.split('\\')
						.map((octal) => parseInt(octal, 8)),
				),
			),
		),
	// Mail (RFC 2045, 6.7): a line that ends in = goes on.
	(text) =>
		text
			.replace(/=[ \t]*\r?\n/g, '')
			.replace(/(?:=[\da-f]{2})+/gi, (bytes) => textOf(Buffer.from(bytes.replaceAll('=', ''), 'hex'))),
];

/** UTF-8 where it is that, otherwise a letter for each byte. */
function textOf(bytes: Buffer): string {
	const text = bytes.toString('utf8');
	return text.includes('\ufffd') ? bytes.toString('latin1') : text;
}

const fromPercent = (bytes: string) =>
	bytes.length === 3 && bytes < '%8'
		? characterOf(parseInt(bytes.slice(1), 16))
		: Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8');
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
		if (typeof part === 'number') return telling.some((secret) => isNumber(part, secret)) ? HIDDEN : part;
		if (typeof part !== 'object' || part === null) return part;
		if (depth > DEEPEST) return HIDDEN;
		if (Array.isArray(part))
			return isBytes(part) && hide(part.join(',')) !== part.join(',')
				? HIDDEN
				: part.map((entry) => walk(entry, depth + 1));
		return Object.fromEntries(Object.entries(part).map(([name, entry]) => [hide(name), walk(entry, depth + 1)]));
	};
	return walk(value, 0) as T;
}

/** Whether a number is a secret of digits, or has one in it; a very long one has lost its last digits. */
const isNumber = (value: number, secret: string) =>
	String(value).length >= TELLING && (Number(secret) === value || String(value).includes(secret));

const isBytes = (list: unknown[]) =>
	list.length >= TELLING &&
	list.length < MOST_CHARACTERS &&
	list.every((byte) => Number.isInteger(byte) && (byte as number) >= 0 && (byte as number) < 256);

/**
 * Compares what a client claims with what is right, in a time that says nothing of where they differ, nor of
 * the right one's length. Claims of absurd length are not even hashed.
 */
export function sameText(claimed: string, right: string): boolean {
	if (claimed.length > 10_000) return false;
	const digest = (text: string) => createHash('sha256').update(text).digest();
	return timingSafeEqual(digest(claimed), digest(right));
}

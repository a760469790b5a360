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
 * for JSON, HTML or an address, once or more often, or in a part that is base64 or hexadecimal. So the secrets are
 * looked for in all that the text can be decoded to.
 *
 * @returns the text itself where none of them is in it; otherwise its words without them
 */
export function hideSecrets(text: string, secrets: string[], depth = 0): string {
	const wanted = secrets.filter((secret) => secret !== '' && secret.length <= text.length);
	if (wanted.length === 0) return text;
	if (text.length > MOST_CHARACTERS) return HIDDEN;
	// The longest first, because one may begin with another.
	const pattern = new RegExp(wanted.sort((a, b) => b.length - a.length).map(literal).join('|'), 'giu');
	let shown = text;
	let characters = 0;
	// One escape undone can bring another to light, or take the end of a secret with it: so each is undone by itself.
	const decoded = new Set([text]);
	for (const one of decoded) {
		characters += one.length;
		if (characters > MOST_DECODED) return HIDDEN;
		const hidden = one.replace(pattern, HIDDEN).replace(PACKED, (word) => (isPacked(word, wanted, depth) ? HIDDEN : word));
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

/** Words that may be base64 (RFC 4648, 4 and 5) or hexadecimal. */
const PACKED = /[\w+/-]{6,}={0,2}/g;

/** Whether such a word has a secret in it, which can begin at any of the places that a character of base64 stands for. */
function isPacked(word: string, secrets: string[], depth: number): boolean {
	const telling = secrets.filter((secret) => bytesOf(secret) >= TELLING_WHEN_PACKED && bytesOf(secret) < word.length);
	if (telling.length === 0 || depth === DEEPEST_PACKING) return false;
	const hex = /^[\da-f]+$/i.test(word) ? [Buffer.from(word, 'hex'), Buffer.from(word.slice(1), 'hex')] : [];
	const base64 = [0, 1, 2, 3].map((start) => Buffer.from(word.slice(start), 'base64'));
	return [...hex, ...base64].some((bytes) => {
		const inner = bytes.toString('utf8');
		return hideSecrets(inner, telling, depth + 1) !== inner;
	});
}

const NAMED: Record<string, string> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>' };

/** Each undoes one layer of what addresses (RFC 3986, 2.1), forms, HTML or JSON (RFC 8259, 7) make of a text. */
const ESCAPES: Array<(text: string) => string> = [
	(text) => text.replace(/(?:%[\da-f]{2})+/gi, fromPercent),
	(text) => text.replaceAll('+', ' '),
	(text) =>
		text.replace(/&(?:#0*(\d{1,7})|#x0*([\da-f]{1,6})|(amp|quot|apos|lt|gt));/gi, (_, decimal, hex, name) =>
			name === undefined ? characterOf(decimal === undefined ? parseInt(hex, 16) : Number(decimal)) : NAMED[name.toLowerCase()]!,
		),
	// Not what stands for a control character, of which no key is made.
	(text) =>
		text.replace(/((?:\\[^\w\s])+)|\\u([\da-f]{4})/gi, (_, escaped, unit) =>
			unit === undefined ? (escaped.length === 2 ? escaped[1] : escaped.replace(/\\(.)/gs, '$1')) : String.fromCharCode(parseInt(unit, 16)),
		),
];

const fromPercent = (bytes: string) =>
	bytes.length === 3 && bytes < '%8' ? characterOf(parseInt(bytes.slice(1), 16)) : Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8');
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
		if (typeof part !== 'object' || part === null) return part;
		if (depth > DEEPEST) return HIDDEN;
		if (Array.isArray(part)) return part.map((entry) => walk(entry, depth + 1));
		return Object.fromEntries(Object.entries(part).map(([name, entry]) => [hide(name), walk(entry, depth + 1)]));
	};
	return walk(value, 0) as T;
}

/**
 * Compares what a caller claims with what is right, in a time that says nothing of where they differ, nor of
 * the right one's length. Claims of absurd length are not even hashed.
 */
export function sameText(claimed: string, right: string): boolean {
	if (claimed.length > 10_000) return false;
	const digest = (text: string) => createHash('sha256').update(text).digest();
	return timingSafeEqual(digest(claimed), digest(right));
}

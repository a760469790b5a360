import { createHash, timingSafeEqual } from 'node:crypto';

import { BETWEEN_DIGITS, greekMobile, tidy } from './greek';

const HIDDEN = '•••';

/** Shorter secrets are not looked for in data: what is found there would be chance. In bytes. */
const TELLING = 8;

/** The same for base64 and hexadecimal, where four bytes are there by chance once in four thousand million times. */
const TELLING_WHEN_PACKED = 4;

/** Data nested deeper than any answer of the two services is left out. */
const DEEPEST = 50;

/** A text that is longer, and all texts of one answer together, are left out: to look through them would hold up n8n. */
const MOST_CHARACTERS = 100_000;

/** How often a text may be encoded over and over. What goes on is left out. */
const MOST_LAYERS = 12;

/** How often base64 may be packed into base64. */
const DEEPEST_PACKING = 2;

/** A key as it is used: without the white space and the invisible characters that come along when it is pasted. */
export const keyAsUsed = (key: unknown): string => tidy(String(key ?? ''));

/**
 * Takes a secret out of a text from outside. An answer may repeat the request with the key in it: as it is, escaped
 * for JSON, HTML or an address, once or more often, or in a part that is base64 or hexadecimal. So the text is decoded
 * until nothing changes, and the secret is looked for in what is left.
 *
 * @returns the text itself where the secret is not in it; otherwise its words without the secret
 */
export function hideSecret(text: string, secret: string, depth = 0): string {
	if (secret === '' || text.length < secret.length) return text;
	if (text.length > MOST_CHARACTERS) return HIDDEN;
	const open = text
		.replaceAll(secret, HIDDEN)
		.replace(PACKED, (word) => (isPacked(word, secret, depth) ? HIDDEN : word));
	const plain = decode(open, secret);
	const wanted = decode(secret, '');
	if (plain === undefined || wanted === undefined) return HIDDEN;
	const hidden = wanted === '' ? plain : plain.replace(new RegExp(literal(wanted), 'giu'), HIDDEN);
	return marksIn(hidden) > marksIn(open) ? hidden : open;
}

const bytesOf = (text: string) => Buffer.byteLength(text);
const marksIn = (text: string) => text.split(HIDDEN).length;
const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Words that may be base64 (RFC 4648, 4 and 5) or hexadecimal. */
const PACKED = /[\w+/-]{6,}={0,2}/g;

/** Whether such a word has the secret in it, which can begin at any of the places that a character of base64 stands for. */
function isPacked(word: string, secret: string, depth: number): boolean {
	if (bytesOf(secret) < TELLING_WHEN_PACKED || word.length <= bytesOf(secret) || depth === DEEPEST_PACKING) return false;
	const hex = /^[\da-f]+$/i.test(word) ? [Buffer.from(word, 'hex'), Buffer.from(word.slice(1), 'hex')] : [];
	const base64 = [0, 1, 2, 3].map((start) => Buffer.from(word.slice(start), 'base64'));
	return [...hex, ...base64].some((bytes) => {
		const inner = bytes.toString('utf8');
		return hideSecret(inner, secret, depth + 1) !== inner;
	});
}

/** Decodes a text until nothing changes, and hides the secret wherever it comes to light; undefined where it never ends. */
function decode(text: string, secret: string): string | undefined {
	let plain = text;
	for (let layer = 0; layer < MOST_LAYERS; layer++) {
		const next = decodeOnce(plain);
		if (next === plain) return plain;
		plain = secret === '' ? next : next.replaceAll(secret, HIDDEN);
	}
	return undefined;
}

const NAMED: Record<string, string> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>' };

/** One layer of what addresses (RFC 3986, 2.1), JSON (RFC 8259, 7) and HTML make of a text. Layers of one kind go at once. */
function decodeOnce(text: string): string {
	return text
		.replace(/(?:%(?:25)*[\da-f]{2})+/gi, (bytes) => Buffer.from(bytes.replace(/%(?:25)*([\da-f]{2})/gi, '$1'), 'hex').toString('utf8'))
		.replace(/&(?:amp;)*(?:#0*(\d{1,7})|#x0*([\da-f]{1,6})|(amp|quot|apos|lt|gt));/gi, (_, decimal, hex, name) =>
			name === undefined ? characterOf(decimal === undefined ? parseInt(hex, 16) : Number(decimal)) : NAMED[name.toLowerCase()]!,
		)
		.replace(/\\+(?:u([\da-f]{4}))?/gi, (_, unit) => (unit === undefined ? '' : String.fromCharCode(parseInt(unit, 16))))
		.replace(/\+/g, ' ');
}

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
		return telling.reduce((hidden, secret) => hideSecret(hidden, secret), text);
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
 * Takes a person's own number out of a text, however its digits are separated. Other numbers stay: a code of the
 * platform may be as long.
 *
 * @param number a recipient or an AMKA; what has fewer than seven digits is not a number and is left alone
 */
export function hideNumber(text: string, number: string): string {
	// As the service may write it: a mobile number with or without its country code, in the digits that were typed or plain ones.
	const digits = [...(greekMobile(number) ?? number)].filter((character) => /\p{Nd}/u.test(character));
	if (digits.length < 7) return text;
	const anyOf = (digit: string) => `[${digit}${digit.normalize('NFKC')}${'０１２３４５６７８９'[Number(digit)] ?? ''}]`;
	const spelling = digits.map(anyOf).join(BETWEEN_DIGITS);
	return text.replace(new RegExp(spelling, 'giu'), `${HIDDEN}${digits.slice(-2).join('')}`);
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

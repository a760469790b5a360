import { createHmac } from 'node:crypto';

import { sameText } from '../values/digest';
import { validKeys, type Keys } from './credential';

/** Seconds that a report URL stays valid: no document says how late a report may come. */
export const LIFETIME = 7 * 24 * 60 * 60;

/** The parameters that a signed URL has. */
const SIGNED = new Set(['ref', 'mid', 'exp', 'sig']);

/** What the URL of a delivery report says of its message. */
interface ReportedMessage {
	serviceId: string;
	/** The user's own, which may repeat, or a random one. */
	reference: string;
	/** Tells the message from every other. */
	mid: string;
}

/** A message's report URL, without key and message id. @param dlrUrl an SMS Trigger's @param now Unix seconds */
export function signReportUrl(dlrUrl: string, message: ReportedMessage, preSharedKey: string, now: number): string {
	const exp = String(Math.floor(now) + LIFETIME);
	const reference = message.reference.normalize('NFC');
	const url = new URL(dlrUrl);
	for (const name of SIGNED) url.searchParams.delete(name);
	const signed = [
		`ref=${inPlainCharacters(reference, '~')}`,
		`mid=${encodeURIComponent(message.mid)}`,
		`exp=${exp}`,
		`sig=${signatureOf({ ...message, reference }, exp, preSharedKey)}`,
	];
	// As text: a URL object would write the mark as %7E, which clients escape again.
	url.search = [url.search, ...signed].filter(Boolean).join('&');
	return url.toString();
}

/** A reference in characters that escaping and HTML leave alone, or as base64url. @param mark tells the two apart */
export const inPlainCharacters = (reference: string, mark = ''): string =>
	/^[\w.-]+$/.test(reference) ? reference : `${mark}${Buffer.from(reference).toString('base64url')}`;

/** The references that a parameter can stand for: itself, as other systems may sign it, and what is written behind the mark. */
function referencesIn(parameter: unknown): string[] {
	if (typeof parameter !== 'string' || parameter.length > 2000) return [];
	const packed = /^~([\w-]+)$/.exec(parameter)?.[1] ?? '';
	return [Buffer.from(packed, 'base64url').toString('utf8'), parameter].filter(isSignable);
}

/** `missing` where none of the query parameters of a signature is there. */
type ReportSignature = { state: 'valid'; reference: string; mid: string } | { state: 'missing' | 'invalid' };

/** Checks a report's URL, in the same time for every wrong signature. @param readKeys asked if all else is in order */
export async function verifyReportUrl(
	query: unknown,
	serviceId: string | undefined,
	readKeys: () => Promise<Keys>,
	now: number,
): Promise<ReportSignature> {
	const { ref, mid, exp, sig } = withoutEscapes(query);
	if ([ref, mid, exp, sig].every((part) => part === undefined)) return { state: 'missing' };
	// Bounded before it is hashed: the client fills it in.
	if (serviceId === undefined || serviceId.length > 256 || serviceId.includes('\n')) return INVALID;
	const references = referencesIn(ref);
	if (references.length === 0 || !isSignable(mid) || typeof sig !== 'string') return INVALID;
	if (typeof exp !== 'string' || exp.length > 12 || !/^\d+$/.test(exp) || Number(exp) < now) return INVALID;
	const keys = validKeys(await readKeys(), now);
	const reference = references.find((one) =>
		keys.some((key) => sameText(sig, signatureOf({ serviceId, reference: one, mid }, exp, key))),
	);
	return reference === undefined ? INVALID : { state: 'valid', reference, mid };
}

const INVALID: ReportSignature = { state: 'invalid' };

/** The parameters of a signature. Software that writes a URL into HTML makes & of it &amp;, and the next name begins with it. */
function withoutEscapes(query: unknown): Record<string, unknown> {
	const parameters: Record<string, unknown> = {};
	for (const [name, value] of Object.entries((query ?? {}) as object)) {
		const plain = name.replace(/^(?:amp;)+/, '');
		// The same parameter twice is two values, which is no signature.
		if (SIGNED.has(plain)) parameters[plain] = plain in parameters ? [parameters[plain], value] : value;
	}
	return parameters;
}

/** What may be a reference: without control characters, two different messages never sign alike. */
const isSignable = (text: unknown): text is string =>
	typeof text === 'string' && text.length > 0 && text.length <= 256 && !/[\p{Cc}\p{Cs}]/u.test(text);

/** Version, service, reference, message id and expiry, each on its line. SECURITY.md has the same for other systems. */
function signatureOf({ serviceId, reference, mid }: ReportedMessage, exp: string, preSharedKey: string): string {
	return createHmac('sha256', preSharedKey)
		.update(`dlr.v1\n${serviceId}\n${reference}\n${mid}\n${exp}`)
		.digest('base64url');
}

import { createHmac } from 'node:crypto';

import { sameText } from '../values/digest';
import { validKeys, type Keys } from './credential';

/** The validity of a signed report URL, in seconds. The platform's document does not say how late a report may arrive. */
export const LIFETIME = 7 * 24 * 60 * 60;

/** The query parameters of a signed URL. */
const SIGNED = new Set(['ref', 'mid', 'exp', 'sig']);

/** The message that the URL of a delivery report identifies. */
interface ReportedMessage {
	serviceId: string;
	/** The reference of the message. Several messages may have the same one. */
	reference: string;
	/** A random id that no other message has. */
	mid: string;
}

/**
 * Returns the signed URL for the delivery report of a message. It contains neither the key nor the platform's message id.
 * @param dlrUrl the URL of an SMS Trigger
 * @param now the current time in Unix seconds
 */
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
	// The query is composed as text. A URL object would escape the mark `~` as %7E, and some clients escape that again.
	url.search = [url.search, ...signed].filter(Boolean).join('&');
	return url.toString();
}

/**
 * Returns a reference in characters that need no escaping in URLs and HTML. A reference that needs escaping becomes base64url.
 * @param mark a prefix that marks base64url
 */
export const inPlainCharacters = (reference: string, mark = ''): string =>
	/^[\w.-]+$/.test(reference) ? reference : `${mark}${Buffer.from(reference).toString('base64url')}`;

/**
 * Returns the references that the parameter `ref` can mean. One is the decoded base64url after the mark `~`. The other is the
 * parameter itself, because other systems may sign a reference that begins with `~`.
 */
function referencesIn(parameter: unknown): string[] {
	if (typeof parameter !== 'string' || parameter.length > 2000) return [];
	const encoded = /^~([\w-]+)$/.exec(parameter)?.[1] ?? '';
	return [Buffer.from(encoded, 'base64url').toString('utf8'), parameter].filter(isSignable);
}

/** The result of a check. `missing`: the URL has none of the query parameters of a signature. */
type ReportSignature = { state: 'valid'; reference: string; mid: string } | { state: 'missing' | 'invalid' };

/**
 * Checks the URL of a delivery report. The time that the comparison takes does not show how much of a wrong signature is right.
 * @param readKeys reads the keys of the credential. It is called only if all other checks succeed
 * @param now the current time in Unix seconds
 */
export async function verifyReportUrl(
	query: unknown,
	serviceId: string | undefined,
	readKeys: () => Promise<Keys>,
	now: number,
): Promise<ReportSignature> {
	const { ref, mid, exp, sig } = withoutEscapes(query);
	if ([ref, mid, exp, sig].every((part) => part === undefined)) return { state: 'missing' };
	// The length is checked before the text is hashed, because a client can send a text of any length.
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

/**
 * Returns the query parameters of a signature. The name of a parameter can begin with `amp;`, because software that writes a URL
 * into HTML turns & into &amp;.
 */
function withoutEscapes(query: unknown): Record<string, unknown> {
	const parameters: Record<string, unknown> = {};
	for (const [name, value] of Object.entries((query ?? {}) as object)) {
		const plain = name.replace(/^(?:amp;)+/, '');
		// If a parameter comes twice, it gets a list of two values, so the signature is invalid.
		if (SIGNED.has(plain)) parameters[plain] = plain in parameters ? [parameters[plain], value] : value;
	}
	return parameters;
}

/**
 * Returns whether a text may be a reference or a message id (`mid`). Control characters are not allowed. The signed text has a
 * line break between its parts, so a part with a line break could give two different messages the same signed text.
 */
const isSignable = (text: unknown): text is string =>
	typeof text === 'string' && text.length > 0 && text.length <= 256 && !/[\p{Cc}\p{Cs}]/u.test(text);

/**
 * Signs version, service, reference, message id and expiry, each on its own line. SECURITY.md describes the signature, so that
 * other systems can make one.
 */
function signatureOf({ serviceId, reference, mid }: ReportedMessage, exp: string, preSharedKey: string): string {
	return createHmac('sha256', preSharedKey)
		.update(`dlr.v1\n${serviceId}\n${reference}\n${mid}\n${exp}`)
		.digest('base64url');
}

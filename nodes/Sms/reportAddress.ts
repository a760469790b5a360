import { createHmac } from 'node:crypto';

import { sameText } from '../shared/secrets';
import type { Keys } from './credential';

/** Seconds that a report address stays valid: carriers try for days, and no report comes after a week. */
const LIFETIME = 7 * 24 * 60 * 60;

/** What the address of a delivery report says of its message. */
export interface ReportedMessage {
	serviceId: string;
	/** The user's own, which may repeat, or a random one. */
	reference: string;
	/** Tells the message from every other. */
	mid: string;
}

/**
 * The address for a message's delivery report. A report carries neither key nor message id; whatever stands in its
 * address comes back, so reference, message id and a signature stand there.
 *
 * @param dlrUrl the Delivery Report URL of an SMS Trigger; its own query stays
 * @param now Unix seconds
 */
export function signReportAddress(dlrUrl: string, message: ReportedMessage, preSharedKey: string, now: number): string {
	const exp = String(Math.floor(now) + LIFETIME);
	const url = new URL(dlrUrl);
	url.searchParams.set('ref', message.reference);
	url.searchParams.set('mid', message.mid);
	url.searchParams.set('exp', exp);
	url.searchParams.set('sig', signatureOf(message, exp, preSharedKey));
	return url.toString();
}

export type ReportSignature =
	| { state: 'valid'; reference: string; mid: string }
	/** None of the query parameters of a signature is there. */
	| { state: 'missing' }
	| { state: 'invalid' };

/**
 * Checks the address that a report came to. It takes the same time for every wrong signature.
 *
 * @param query the parsed query of the request
 * @param serviceId the service that the report names: an address can't be used for another one
 * @param readKeys reads the pre-shared keys; it is asked only where everything else is in order
 * @param now Unix seconds
 */
export async function verifyReportAddress(
	query: unknown,
	serviceId: string | undefined,
	readKeys: () => Promise<Keys>,
	now: number,
): Promise<ReportSignature> {
	const { ref, mid, exp, sig } = (query ?? {}) as Record<string, unknown>;
	if ([ref, mid, exp, sig].every((part) => part === undefined)) return { state: 'missing' };
	if (typeof exp !== 'string' || typeof sig !== 'string') return { state: 'invalid' };
	// Bounded before it is hashed: whoever calls fills it in.
	if (serviceId === undefined || serviceId.length > 256 || serviceId.includes('\n')) return { state: 'invalid' };
	if (!isSignable(ref) || !isSignable(mid)) return { state: 'invalid' };
	if (exp.length > 12 || !/^\d+$/.test(exp) || Number(exp) < now) return { state: 'invalid' };
	const { current, previous } = await readKeys();
	const isSignedWith = (key: string) =>
		key !== '' && sameText(sig, signatureOf({ serviceId, reference: ref, mid }, exp, key));
	const isValid =
		isSignedWith(current) ||
		// However late an expiry somebody signs with it, the previous key opens nothing for longer.
		(previous !== undefined && now <= previous.validUntil && isSignedWith(previous.key));
	return isValid ? { state: 'valid', reference: ref, mid } : { state: 'invalid' };
}

/** What may stand as a reference: without control characters, two different messages never sign alike. */
export function isSignable(text: unknown): text is string {
	return typeof text === 'string' && text.length > 0 && text.length <= 256 && !/[\p{Cc}\p{Cs}]/u.test(text);
}

/** Version, service, reference, message id and expiry, each on its line. SECURITY.md has the same for other systems. */
function signatureOf({ serviceId, reference, mid }: ReportedMessage, exp: string, preSharedKey: string): string {
	return createHmac('sha256', preSharedKey)
		.update(`dlr.v1\n${serviceId}\n${reference}\n${mid}\n${exp}`)
		.digest('base64url');
}

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

/**
 * What is wrong with a Delivery Report URL, as it goes on from the parameter's name; undefined where it may be used.
 * The two addresses of an SMS Trigger stand side by side, and reports that come to the other one are lost.
 */
export function reportAddressFault(dlrUrl: string): string | undefined {
	if (!URL.canParse(dlrUrl) || !/^https?:$/.test(new URL(dlrUrl).protocol)) {
		return 'must be an address that begins with http:// or https://';
	}
	return endsIn(dlrUrl, 'forward') ? 'ends in /forward, which is the address for messages: delivery reports would be lost' : undefined;
}

/** What to do about it. */
export const COPY_REPORT_ADDRESS = 'Copy the other address of the SMS Trigger: Webhook URLs, Production URL, the one that ends in /dlr';

const endsIn = (url: string, last: string) => new URL(url).pathname.replace(/\/+$/, '').endsWith(`/${last}`);

/**
 * Why no report may come to an address, in words; none where nothing speaks against it.
 *
 * @param dlrUrl an address without a fault
 * @param sendUrl the platform's own: one on this computer or in this network reaches addresses here
 * @param isProduction whether the run is one in which n8n does not listen on its test addresses
 */
export function reportAddressWarnings(dlrUrl: string, sendUrl: string, isProduction: boolean): string[] {
	const { protocol, hostname, pathname } = new URL(dlrUrl);
	const warnings: string[] = [];
	if (isProduction && pathname.includes('/webhook-test/')) {
		warnings.push('Delivery reports will not arrive: the Delivery Report URL is a test address, which n8n serves only while you test. Use the Production URL of the SMS Trigger.');
	}
	if (!endsIn(dlrUrl, 'dlr') && !pathname.includes('/webhook-waiting/')) {
		warnings.push('The Delivery Report URL does not end in /dlr, as the address of an SMS Trigger does. Check that something there takes delivery reports.');
	}
	if (isLocal(hostname)) {
		if (!isLocal(new URL(sendUrl).hostname)) {
			warnings.push(`Delivery reports will not arrive: ${hostname} can't be reached from outside. Set WEBHOOK_URL of n8n to its public address.`);
		}
	} else if (protocol === 'http:') {
		warnings.push('The Delivery Report URL is plain http: anyone on the way can read recipients, and the platform may not call it. Use https.');
	}
	return warnings;
}

/** Names without a dot, and the private, loopback and link-local ranges of RFC 1918, 1122, 3927, 4193 and 4291. */
function isLocal(hostname: string): boolean {
	return (
		/^(?:[^.:]+|.*\.(?:local|localhost|internal|lan))$/i.test(hostname) ||
		/^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+$/.test(hostname) ||
		/^\[(?:::1?|f[cd][\da-f]{2}:.*|fe[89ab][\da-f]:.*)\]$/i.test(hostname)
	);
}

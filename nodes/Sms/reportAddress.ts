import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import type { PreSharedKeys } from './preSharedKeys';

/** Seconds that a report address stays valid: carriers try for days, and no report comes after a week. */
export const REPORT_ADDRESS_LIFETIME = 7 * 24 * 60 * 60;

/**
 * The address for a message's delivery report. A report carries neither key nor message id; whatever stands in
 * its address comes back, so the reference and a signature stand there (field notes 30).
 *
 * @param dlrUrl the Delivery Report URL of an SMS Trigger; its own query stays
 * @param now Unix seconds
 */
export function signReportAddress(
	dlrUrl: string,
	serviceId: string,
	reference: string,
	preSharedKey: string,
	now: number,
): string {
	const exp = String(Math.floor(now) + REPORT_ADDRESS_LIFETIME);
	const url = new URL(dlrUrl);
	url.searchParams.set('ref', reference);
	url.searchParams.set('exp', exp);
	url.searchParams.set('sig', signatureOf(serviceId, reference, exp, preSharedKey));
	return url.toString();
}

export type ReportSignature =
	| { state: 'valid'; reference: string }
	/** None of the three query parameters is there. */
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
	readKeys: () => Promise<PreSharedKeys>,
	now: number,
): Promise<ReportSignature> {
	const { ref, exp, sig } = (query ?? {}) as Record<string, unknown>;
	if (ref === undefined && exp === undefined && sig === undefined) return { state: 'missing' };
	if (typeof ref !== 'string' || typeof exp !== 'string' || typeof sig !== 'string') return { state: 'invalid' };
	// Bounded before it is hashed: whoever calls fills it in.
	if (serviceId === undefined || serviceId.length > 256 || serviceId.includes('\n')) return { state: 'invalid' };
	if (!isReference(ref)) return { state: 'invalid' };
	if (exp.length > 12 || !/^\d+$/.test(exp) || Number(exp) < now) return { state: 'invalid' };
	const { current, previous } = await readKeys();
	const isSignedWith = (key: string) => key !== '' && sameText(sig, signatureOf(serviceId, ref, exp, key));
	const isValid =
		isSignedWith(current) ||
		(previous !== undefined && Number(exp) <= previous.lastExpiry && isSignedWith(previous.key));
	return isValid ? { state: 'valid', reference: ref } : { state: 'invalid' };
}

/** What may stand as a reference: without control characters, two different messages never sign alike. */
export function isReference(text: string): boolean {
	return text.length > 0 && text.length <= 256 && !/[\p{Cc}\p{Cs}]/u.test(text);
}

/** "Signed delivery-report address" in README: version, service, reference and expiry, each on its line. */
function signatureOf(serviceId: string, reference: string, exp: string, preSharedKey: string): string {
	return createHmac('sha256', preSharedKey)
		.update(`dlr.v1\n${serviceId}\n${reference}\n${exp}`)
		.digest('base64url');
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

/**
 * Why no report will come to an address, in words; undefined where nothing speaks against it.
 *
 * @param production whether the run is a production run, in which n8n does not listen on its test addresses
 */
export function reportAddressWarning(dlrUrl: string, production: boolean): string | undefined {
	const { protocol, hostname, pathname } = new URL(dlrUrl);
	if (production && pathname.includes('/webhook-test/')) {
		return 'Delivery reports will not arrive: the Delivery Report URL is a test address, which n8n serves only while you test. Use the Production URL of the SMS Trigger.';
	}
	if (isLocal(hostname)) {
		return `Delivery reports will not arrive unless the platform runs beside n8n: ${hostname} can't be reached from outside. Set WEBHOOK_URL of n8n to its public address.`;
	}
	if (protocol === 'http:') {
		return 'The Delivery Report URL is plain http: anyone on the way can read recipients, and the platform may not call it. Use https.';
	}
	return undefined;
}

/** Whether a run is one that counts, rather than somebody trying the workflow in the editor. */
export const isProduction = (context: IExecuteFunctions) =>
	context.getMode() !== 'manual' || context.getWorkflow().active;

/** Names without a dot, and the private, loopback and link-local ranges of RFC 1918, 1122, 3927, 4193 and 4291. */
function isLocal(hostname: string): boolean {
	return (
		/^(?:[^.:]+|.*\.(?:local|localhost|internal|lan))$/i.test(hostname) ||
		/^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+$/.test(hostname) ||
		/^\[(?:::1?|f[cd][\da-f]{2}:.*|fe[89ab][\da-f]:.*)\]$/i.test(hostname)
	);
}

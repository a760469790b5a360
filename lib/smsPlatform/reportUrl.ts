import { randomUUID } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import { isLocal } from '../http/baseUrl';
import type { Platform } from './credential';
import { signReportUrl } from './reportSignature';

/**
 * What is wrong with a Delivery Report URL, as it goes on from the parameter's name; undefined where it may be used.
 * The two URLs of an SMS Trigger are listed side by side, and reports that come to the other one are lost.
 */
export function reportUrlFault(dlrUrl: string): string | undefined {
	if (!URL.canParse(dlrUrl) || !/^https?:$/.test(new URL(dlrUrl).protocol))
		return 'must be a URL that begins with http:// or https://';
	const isForward = endsIn(dlrUrl, 'forward');
	return isForward ? 'ends in /forward, which is the URL for messages: delivery reports would be lost' : undefined;
}

export const COPY_REPORT_URL =
	'Copy the other URL of the SMS Trigger: under Webhook URLs, Production URL, the one that ends in /dlr';

/** Whether n8n serves a URL only while somebody tests there. Nothing but the default name tells it from others. */
export const isTestUrl = (dlrUrl: string) => new URL(dlrUrl).pathname.includes('/webhook-test/');

const endsIn = (url: string, last: string) => new URL(url).pathname.replace(/\/+$/, '').endsWith(`/${last}`);

/** How long a URL is that databases store by default. How long the platform's may be is not known. */
export const SHORTEST_COLUMN = 255;

/**
 * Returns the path before n8n's waiting endpoint in a URL at which n8n resumes an execution; empty if there is none. The
 * endpoint is the part before the execution's id, because N8N_ENDPOINT_WEBHOOK_WAIT can give it any name.
 */
function pathBeforeEndpoint(resumeUrl: string, executionId: string): string {
	const parts = new URL(resumeUrl).pathname.split('/');
	return parts.slice(1, Math.max(1, parts.lastIndexOf(executionId) - 1)).join('/');
}

/**
 * Returns in words why no report may come to a URL.
 * @param dlrUrl a URL without a fault
 * @param sendUrl the platform's own: a platform on this computer or in this network reaches URLs here
 * @param isProduction whether the run is one in which n8n does not listen on its test URLs
 * @param longest how many characters the longest URL has that it was signed as; 0 if none was
 * @param executionId of the execution that the URL resumes, if n8n made the URL; undefined if a person typed it
 */
export function reportUrlWarnings(
	dlrUrl: string,
	sendUrl: string,
	isProduction: boolean,
	longest: number,
	executionId?: string,
): string[] {
	const { protocol, hostname, pathname } = new URL(dlrUrl);
	const isHere = isLocal(hostname);
	const path = executionId === undefined ? '' : pathBeforeEndpoint(dlrUrl, executionId);
	const isResumed = executionId !== undefined || pathname.includes('/webhook-waiting/');
	const warnings = [
		// n8n signs the whole path and checks the signature of the path that the proxy passes on (seen in 2.41.1).
		path !== '' &&
			`The delivery report will not arrive, and the wait ends as TIMEOUT: n8n is under the path /${path}/, and refuses reports on Send and Wait there. Give n8n a host name of its own, without a path in WEBHOOK_URL and N8N_PATH. Or use the operation Send with the Delivery Report URL of an SMS Trigger.`,
		isProduction &&
			executionId === undefined &&
			isTestUrl(dlrUrl) &&
			'Delivery reports will not arrive: the Delivery Report URL is a test URL, which n8n serves only while you test. Use the Production URL of the SMS Trigger.',
		!endsIn(dlrUrl, 'dlr') &&
			!isResumed &&
			'The Delivery Report URL does not end in /dlr, as the URL of an SMS Trigger does. Check that something there accepts delivery reports.',
		longest > SHORTEST_COLUMN &&
			`With reference and signature the URL for delivery reports has ${longest} characters, and some platforms store no more than ${SHORTEST_COLUMN}. Use a shorter ${isResumed ? 'WEBHOOK_URL of n8n' : 'Delivery Report URL'}, or a shorter reference in Latin letters and digits.`,
		isHere &&
			!isLocal(new URL(sendUrl).hostname) &&
			`Delivery reports will not arrive: ${hostname} can't be reached from outside. Set WEBHOOK_URL of n8n to its public https URL.`,
		!isHere &&
			protocol === 'http:' &&
			`The ${isResumed ? 'URL for delivery reports' : 'Delivery Report URL'} is plain http: anyone on the way can read the recipients, and the platform may send no reports there. ${isResumed ? 'Set WEBHOOK_URL of n8n to its public https URL' : 'Use https'}.`,
	];
	return warnings.filter((warning) => warning !== false);
}

type Row = { dlrUrl: string | undefined; message: { serviceId: string } };

/** The URLs for the delivery reports of a run. */
export function openReportUrls(context: IExecuteFunctions, { keys, sendUrl }: Platform) {
	/** Delivery Report URLs that rows named, each with the length of the longest signed one. */
	const named = new Map<string, number>();
	return {
		/** The signed URL for the report of a row's message; undefined where the row asks for none. */
		sign({ dlrUrl, message: { serviceId } }: Row, reference: string): string | undefined {
			if (dlrUrl === undefined) return undefined;
			const signed = { serviceId, reference, mid: randomUUID() };
			const url = signReportUrl(dlrUrl, signed, keys.current, Date.now() / 1000);
			named.set(dlrUrl, Math.max(named.get(dlrUrl) ?? 0, url.length));
			return url;
		},
		/** A row that is only checked names its URL too. */
		note({ dlrUrl }: Row): void {
			if (dlrUrl !== undefined) named.set(dlrUrl, named.get(dlrUrl) ?? 0);
		},
		warnings: (): string[] =>
			[...named].flatMap(([url, longest]) => reportUrlWarnings(url, sendUrl, isProduction(context), longest)),
	};
}

/** Whether a run is one that counts, rather than somebody trying the workflow in the editor. */
export const isProduction = (context: IExecuteFunctions) =>
	context.getMode() !== 'manual' || context.getWorkflow().active;

import { randomUUID } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import { isLocal } from '../http/baseUrl';
import type { Platform } from './credential';
import { signReportUrl } from './reportSignature';

/**
 * Returns the fault of a Delivery Report URL, as a text that follows the parameter's name. Undefined: the URL may be used. A user
 * may have copied the trigger's URL for messages, because n8n lists the two URLs of an SMS Trigger side by side.
 */
export function reportUrlFault(dlrUrl: string): string | undefined {
	if (!URL.canParse(dlrUrl) || !/^https?:$/.test(new URL(dlrUrl).protocol))
		return 'must be a URL that begins with http:// or https://';
	const isForward = endsIn(dlrUrl, 'forward');
	return isForward
		? 'ends in /forward, so it is the URL for incoming messages, and delivery reports would be lost'
		: undefined;
}

export const COPY_REPORT_URL =
	'Open the SMS Trigger. Under Webhook URLs, choose Production URL, and copy the URL that ends in /dlr';

/** Returns whether a URL is a test URL, which n8n serves only during a test. It recognises only the default path of test URLs. */
export const isTestUrl = (dlrUrl: string) => new URL(dlrUrl).pathname.includes('/webhook-test/');

const endsIn = (url: string, last: string) => new URL(url).pathname.replace(/\/+$/, '').endsWith(`/${last}`);

/** The length of a text column that is usual in databases. It is not known how long a URL the platform can store. */
export const SHORTEST_COLUMN = 255;

/**
 * Returns the path before n8n's waiting endpoint in a URL at which n8n resumes an execution. Empty: the URL has no such path. The
 * endpoint is recognised as the part before the execution's id, because N8N_ENDPOINT_WEBHOOK_WAIT can give it any name.
 */
function pathBeforeEndpoint(resumeUrl: string, executionId: string): string {
	const parts = new URL(resumeUrl).pathname.split('/');
	return parts.slice(1, Math.max(1, parts.lastIndexOf(executionId) - 1)).join('/');
}

/**
 * Returns warnings about a URL, such as why reports may not arrive there.
 * @param dlrUrl a URL without a fault
 * @param sendUrl the platform's URL. A platform on this computer or in this network can reach local URLs
 * @param isProduction whether this run is no test in the editor. n8n serves its test URLs only during a test
 * @param longest the length of the longest signed URL in characters; 0 if no URL was signed
 * @param executionId the id of the execution that the URL resumes, if n8n made the URL; undefined if a person typed the URL
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
		// n8n signs the whole path of the URL, but checks the signature against the path that arrives. If n8n runs under a
		// path, a reverse proxy has removed this path from the front (seen in n8n 2.41.1).
		path !== '' &&
			`The delivery report will not arrive, and the wait will end with the status TIMEOUT. n8n runs under the path /${path}/, so it refuses the delivery reports of Send and Wait. Give n8n its own host name, without a path in WEBHOOK_URL and N8N_PATH. Or use the operation Send with the Delivery Report URL of an SMS Trigger.`,
		isProduction &&
			executionId === undefined &&
			isTestUrl(dlrUrl) &&
			'Delivery reports will not arrive: the Delivery Report URL is a test URL, which n8n serves only while you test. Use the Production URL of the SMS Trigger.',
		!endsIn(dlrUrl, 'dlr') &&
			!isResumed &&
			'The Delivery Report URL does not end in /dlr, so it does not seem to be the URL of an SMS Trigger. Check that a server at that URL accepts delivery reports.',
		longest > SHORTEST_COLUMN &&
			`With the reference and the signature, the URL for delivery reports has ${longest} characters, and some platforms store no more than ${SHORTEST_COLUMN}. Use a shorter ${isResumed ? 'URL of n8n in the environment variable WEBHOOK_URL' : 'Delivery Report URL'}, or a shorter reference in Latin letters and digits.`,
		isHere &&
			!isLocal(new URL(sendUrl).hostname) &&
			`Delivery reports will not arrive: ${hostname} can't be reached from outside. Set the environment variable WEBHOOK_URL to the public https URL of n8n.`,
		!isHere &&
			protocol === 'http:' &&
			`The ${isResumed ? 'URL for delivery reports' : 'Delivery Report URL'} uses http without encryption: anyone between the platform and n8n can read the recipients, and the platform may refuse to send reports there. ${isResumed ? 'Set the environment variable WEBHOOK_URL to the public https URL of n8n' : 'Use https'}.`,
	];
	return warnings.filter((warning) => warning !== false);
}

/** The part of an item on which its URL for delivery reports depends. */
type ReportedItem = { dlrUrl: string | undefined; message: { serviceId: string } };

/** Opens the signer of a run's URLs for delivery reports. */
export function openReportUrls(context: IExecuteFunctions, { keys, sendUrl }: Platform) {
	/** The Delivery Report URLs of the items, each with the length of its longest signed URL. */
	const longestByUrl = new Map<string, number>();
	return {
		/** Returns the signed URL for the report on an item's message. Undefined: no report is requested. */
		sign({ dlrUrl, message: { serviceId } }: ReportedItem, reference: string): string | undefined {
			if (dlrUrl === undefined) return undefined;
			const signed = { serviceId, reference, mid: randomUUID() };
			const url = signReportUrl(dlrUrl, signed, keys.current, Date.now() / 1000);
			longestByUrl.set(dlrUrl, Math.max(longestByUrl.get(dlrUrl) ?? 0, url.length));
			return url;
		},
		/** Records the URL of an item that is checked but not sent, so that `warnings` covers it. */
		note({ dlrUrl }: ReportedItem): void {
			if (dlrUrl !== undefined) longestByUrl.set(dlrUrl, longestByUrl.get(dlrUrl) ?? 0);
		},
		warnings: (): string[] =>
			[...longestByUrl].flatMap(([url, longest]) => reportUrlWarnings(url, sendUrl, isProduction(context), longest)),
	};
}

/** Returns whether a run is no test in the editor. A manual run counts as a test only if the workflow is not active. */
export const isProduction = (context: IExecuteFunctions) =>
	context.getMode() !== 'manual' || context.getWorkflow().active;

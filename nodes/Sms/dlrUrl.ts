/**
 * What is wrong with a Delivery Report URL, as it goes on from the parameter's name; undefined where it may be used.
 * The two URLs of an SMS Trigger are listed side by side, and reports that come to the other one are lost.
 */
export function reportUrlFault(dlrUrl: string): string | undefined {
	if (!URL.canParse(dlrUrl) || !/^https?:$/.test(new URL(dlrUrl).protocol)) {
		return 'must be a URL that begins with http:// or https://';
	}
	return endsIn(dlrUrl, 'forward')
		? 'ends in /forward, which is the URL for messages: delivery reports would be lost'
		: undefined;
}

/** What to do about it. */
export const COPY_REPORT_URL =
	'Copy the other URL of the SMS Trigger: under Webhook URLs, Production URL, the one that ends in /dlr';

const endsIn = (url: string, last: string) => new URL(url).pathname.replace(/\/+$/, '').endsWith(`/${last}`);

/** How long a URL is that databases store by default. How long the platform's may be is not known. */
const SHORTEST_COLUMN = 255;

/**
 * Why no report may come to a URL, in words; none where nothing speaks against it.
 *
 * @param dlrUrl a URL without a fault
 * @param sendUrl the platform's own: one on this computer or in this network reaches URLs here
 * @param isProduction whether the run is one in which n8n does not listen on its test URLs
 * @param longest how many characters the longest URL has that it was signed as; 0 where none was
 */
export function reportUrlWarnings(dlrUrl: string, sendUrl: string, isProduction: boolean, longest: number): string[] {
	const { protocol, hostname, pathname } = new URL(dlrUrl);
	const warnings: string[] = [];
	if (isProduction && pathname.includes('/webhook-test/')) {
		warnings.push(
			'Delivery reports will not arrive: the Delivery Report URL is a test URL, which n8n serves only while you test. Use the Production URL of the SMS Trigger.',
		);
	}
	if (!endsIn(dlrUrl, 'dlr') && !pathname.includes('/webhook-waiting/')) {
		warnings.push(
			'The Delivery Report URL does not end in /dlr, as the URL of an SMS Trigger does. Check that something there accepts delivery reports.',
		);
	}
	if (longest > SHORTEST_COLUMN) {
		warnings.push(
			`With reference and signature the URL for delivery reports has ${longest} characters, and some platforms store no more than ${SHORTEST_COLUMN}. Use a shorter Delivery Report URL, or a shorter reference in Latin letters and digits.`,
		);
	}
	if (isLocal(hostname)) {
		if (!isLocal(new URL(sendUrl).hostname)) {
			warnings.push(
				`Delivery reports will not arrive: ${hostname} can't be reached from outside. Set WEBHOOK_URL of n8n to its public https URL.`,
			);
		}
	} else if (protocol === 'http:') {
		warnings.push(
			'The Delivery Report URL is plain http: anyone on the way can read the recipients, and the platform may send no reports there. Use https.',
		);
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

import { clean } from '../greek/letters';
import { invalidParameter } from '../texts/problem';

/* Checks the Base URL of a credential, and makes the URLs of the operations from it. */

/** Returns the fault of a Base URL, as a text that follows the name of the field. Undefined: the URL may be used. */
export function baseUrlFault(baseUrl: unknown): string | undefined {
	if (typeof baseUrl !== 'string' || baseUrl.length > 2000 || !URL.canParse(clean(baseUrl))) return NO_URL;
	const { protocol, hostname, username, password } = new URL(clean(baseUrl));
	// A user name or password in the URL is not allowed, because the HTTP client would then overwrite the header that contains the
	// key.
	if (!/^https?:$/.test(protocol) || username !== '' || password !== '') return NO_URL;
	return protocol === 'http:' && !isLocal(hostname) ? PLAIN : undefined;
}

const NO_URL = 'must be a URL that begins with https:// and contains no user name';
const PLAIN =
	"begins with http://, which would send the key and people's numbers unencrypted. It must begin with https://, unless it leads to the n8n server itself or to a private address";

/**
 * Returns the URL of an operation. People paste different URLs as Base URL. So it may end in a slash or a query, and it may
 * already contain the operation's path or the first parts of that path.
 * @param path the operation's documented path, such as `/sendSMS`
 * @throws Problem if the Base URL can't be used
 */
export function operationUrl(baseUrl: unknown, path: string): string {
	const fault = baseUrlFault(baseUrl);
	if (fault !== undefined) throw invalidParameter('Base URL', fault, 'Correct it in the credential');
	const url = new URL(clean(baseUrl as string));

	const given = url.pathname.split('/').filter(Boolean);
	const wanted = path.split('/').filter(Boolean);
	// If the end of the Base URL is the start of the operation's path, these parts are not repeated.
	let shared = Math.min(given.length, wanted.length);
	while (shared > 0 && inLowerCase(given.slice(-shared)) !== inLowerCase(wanted.slice(0, shared))) shared--;

	url.pathname = [...given.slice(0, given.length - shared), ...wanted].join('/');
	url.search = '';
	url.hash = '';
	return url.toString();
}

const inLowerCase = (segments: string[]) => segments.join('/').toLowerCase();

/**
 * Returns whether a host is this computer or has a private address. Local hosts are names without a dot, names with an ending
 * that no public name has, addresses in the ranges of RFC 1918 and RFC 1122, and the IPv6 addresses `::` and `::1`.
 * @param hostname the host in the spelling of JavaScript's `URL`
 */
export function isLocal(hostname: string): boolean {
	return (
		/^(?:[^.:]+|.*\.(?:local|localhost|internal|lan))$/.test(hostname) ||
		/^(?:0|10|127|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+$/.test(hostname) ||
		/^\[::1?\]$/.test(hostname)
	);
}

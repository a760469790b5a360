import { badParameter } from './problem';
import { tidy } from './greek';

/** What is wrong with a Base URL, as it goes on from the name of the field; undefined where it may be used. */
export function baseUrlFault(baseUrl: unknown): string | undefined {
	if (typeof baseUrl !== 'string' || baseUrl.length > 2000 || !URL.canParse(tidy(baseUrl))) return NO_URL;
	const { protocol, hostname, username, password } = new URL(tidy(baseUrl));
	// A user name in the URL would take the place of the key's header.
	if (!/^https?:$/.test(protocol) || username !== '' || password !== '') return NO_URL;
	return protocol === 'http:' && !isLocal(hostname) ? PLAIN : undefined;
}

const NO_URL = 'must be a URL that begins with https:// and contains no user name';
const PLAIN =
	'begins with http://, by which the key and the numbers of people would go out in the clear. It must begin with https://, except for this computer and private addresses';

/**
 * The URL of an operation. The Base URL comes without the operation's path, but people paste what they have:
 * a trailing slash, a query, and the whole operation URL or the start of it are understood.
 *
 * @param path the operation's documented path, such as `/sendSMS`
 * @throws Problem where the Base URL can't be used
 */
export function operationUrl(baseUrl: unknown, path: string): string {
	const fault = baseUrlFault(baseUrl);
	if (fault !== undefined) throw badParameter('Base URL', fault, 'Correct it in the credential');
	const url = new URL(tidy(baseUrl as string));

	const given = url.pathname.split('/').filter(Boolean);
	const wanted = path.split('/').filter(Boolean);
	// The longest end of what was given that the operation's path starts with is not written twice.
	let shared = Math.min(given.length, wanted.length);
	while (shared > 0 && !endsWith(given, wanted.slice(0, shared))) shared--;

	url.pathname = [...given.slice(0, given.length - shared), ...wanted].join('/');
	url.search = '';
	url.hash = '';
	return url.toString();
}

function endsWith(given: string[], end: string[]): boolean {
	return end.every((segment, i) => given[given.length - end.length + i]!.toLowerCase() === segment.toLowerCase());
}

/**
 * Whether a host is this computer or has a private address: names without a dot or with an ending that no public name has,
 * and the private, loopback and link-local ranges of RFC 1918, 1122, 3927, 4193 and 4291.
 *
 * @param hostname as URL gives it, which writes every spelling of an address or a name in one way
 */
export function isLocal(hostname: string): boolean {
	return (
		/^(?:[^.:]+|.*\.(?:local|localhost|internal|lan))$/.test(hostname) ||
		/^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+$/.test(hostname) ||
		/^\[(?:::1?|f[cd][\da-f]{2}:.*|fe[89ab][\da-f]:.*)\]$/.test(hostname)
	);
}

import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { timeUp } from './cancel';
import { switchField } from '../n8n/fields';
import { clean } from '../greek/letters';
import { invalidParameter } from '../texts/problem';

/* Where requests with a credential of this package go, also where another node makes them. */

/** What is wrong with a Base URL, as it goes on from the name of the field; undefined where it may be used. */
export function baseUrlFault(baseUrl: unknown): string | undefined {
	if (typeof baseUrl !== 'string' || baseUrl.length > 2000 || !URL.canParse(clean(baseUrl))) return NO_URL;
	const { protocol, hostname, username, password } = new URL(clean(baseUrl));
	// A user name in the URL would take the place of the key's header.
	if (!/^https?:$/.test(protocol) || username !== '' || password !== '') return NO_URL;
	return protocol === 'http:' && !isLocal(hostname) ? PLAIN : undefined;
}

const NO_URL = 'must be a URL that begins with https:// and contains no user name';
const PLAIN =
	"begins with http://, which would send the key and people's numbers in the clear. It must begin with https://, except for this computer and private addresses";

/**
 * The URL of an operation. People paste what they have: a trailing slash, a query, and the operation's path or its start
 * are understood.
 * @param path the operation's documented path, such as `/sendSMS`. @throws Problem where the Base URL can't be used
 */
export function operationUrl(baseUrl: unknown, path: string): string {
	const fault = baseUrlFault(baseUrl);
	if (fault !== undefined) throw invalidParameter('Base URL', fault, 'Correct it in the credential');
	const url = new URL(clean(baseUrl as string));

	const given = url.pathname.split('/').filter(Boolean);
	const wanted = path.split('/').filter(Boolean);
	// The longest end of what was given that the operation's path starts with is not written twice.
	let shared = Math.min(given.length, wanted.length);
	while (shared > 0 && inLowerCase(given.slice(-shared)) !== inLowerCase(wanted.slice(0, shared))) shared--;

	url.pathname = [...given.slice(0, given.length - shared), ...wanted].join('/');
	url.search = '';
	url.hash = '';
	return url.toString();
}

const inLowerCase = (segments: string[]) => segments.join('/').toLowerCase();

/**
 * Whether a host, as URL spells it, is this computer or has a private address: names without a dot or with an ending
 * that no public name has, and the ranges of RFC 1918 and 1122.
 */
export function isLocal(hostname: string): boolean {
	return (
		/^(?:[^.:]+|.*\.(?:local|localhost|internal|lan))$/.test(hostname) ||
		/^(?:0|10|127|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+$/.test(hostname) ||
		/^\[::1?\]$/.test(hostname)
	);
}

/** The same switch in both credentials: the services are often reached with a certificate that no system trusts. */
export const allowUnauthorizedCerts = switchField('Ignore SSL Issues (Insecure)', 'allowUnauthorizedCerts', {
	description: 'Whether to connect even if SSL certificate validation is not possible',
});

/** How n8n's own nodes write a request: with `url`, with `uri` as the library request did, or with a part of it in `baseURL`. */
type AnyRequest = IHttpRequestOptions & {
	uri?: unknown;
	followRedirect?: boolean;
	followAllRedirects?: boolean;
	rejectUnauthorized?: boolean;
};

/**
 * Binds a request to the origin of the credential's Base URL, before a key is added to it: any node may use a credential,
 * with any URL, and redirects are followed with the key. What comes out follows none, trusts the certificates that the
 * credential trusts, in both of n8n's request helpers, and ends when its time-out is over.
 * @param credential its name, for errors
 * @throws Error where the request goes to another origin, through a proxy of its own, or where that can't be told
 */
export function boundToCredential(
	options: IHttpRequestOptions,
	data: ICredentialDataDecryptedObject,
	credential: string,
): AnyRequest {
	const { baseUrl, allowUnauthorizedCerts: trustsAny } = data;
	const fault = baseUrlFault(baseUrl);
	if (fault !== undefined)
		throw new Error(`The Base URL of the ${credential} credential ${fault}. Correct it in the credential`);
	const refusal = (words: string) => new Error(`The ${credential} credential ${words}`);
	const own = originOf(clean(baseUrl as string));
	for (const target of targetsOf(options)) {
		if (target === undefined)
			throw refusal("can't tell where this request goes. Write its whole URL, with https:// in front");
		if (target !== own)
			throw refusal(
				`gives its key to its own Base URL alone, and this request goes to ${target}. Correct the URL, or use another credential`,
			);
	}
	if (options.proxy)
		throw refusal(
			'gives its key to no proxy that a request names. Set the proxy for the whole of n8n, with HTTPS_PROXY',
		);
	return {
		...withDeadline(options, ours.get(data)),
		disableFollowRedirect: true,
		followRedirect: false,
		followAllRedirects: false,
		maxRedirects: 0,
		skipSslCertificateValidation: trustsAny === true,
		rejectUnauthorized: trustsAny !== true,
	};
}

/** Every origin to which it may go; undefined: one that can't be told. Which part counts depends on n8n's version. */
function targetsOf({ url, uri, baseURL }: AnyRequest): Array<string | undefined> {
	const isThere = (part: unknown) => (part ?? '') !== '';
	const base = isThere(baseURL) ? String(baseURL) : undefined;
	const targets = [url, uri].filter(isThere).map((part) => originOf(part, base));
	return base !== undefined || targets.length === 0 ? [...targets, originOf(base)] : targets;
}

function originOf(url: unknown, base?: string): string | undefined {
	const text = url instanceof URL ? url.href : url;
	if (typeof text !== 'string' || !URL.canParse(text, base)) return undefined;
	const { protocol, origin } = new URL(text, base);
	return /^https?:$/.test(protocol) ? origin : undefined;
}

/**
 * Ends a request when its `timeout` (ms; 0: none) is over, however slowly the answer arrives: the HTTP client's own
 * counts silence alone. The signal that n8n sets stops a cancelled execution; both count.
 * @param own of a request of this package: the signal that stands for both already
 */
export function withDeadline(options: IHttpRequestOptions, own?: AbortSignal): IHttpRequestOptions {
	const { timeout = 0, abortSignal } = options;
	if (own !== undefined) return { ...options, abortSignal: own };
	if (!(timeout > 0)) return options;
	const end = timeUp(timeout);
	return { ...options, abortSignal: abortSignal ? AbortSignal.any([abortSignal as AbortSignal, end]) : end };
}

/*
 * How a credential knows a request of this package from one of another node, whose user can write anything into it: n8n
 * hands on the very object that our nodes gave it as the credential's data, and makes a new one for other nodes.
 */
const ours = new WeakMap<object, AbortSignal>();

/** A copy of a credential's data that stands for a request of this package. @param end the signal that ends the request */
export function tagAsInternal(data: ICredentialDataDecryptedObject, end: AbortSignal): ICredentialDataDecryptedObject {
	const copy = { ...data };
	ours.set(copy, end);
	return copy;
}

/** Whether the data came from `tagAsInternal`. */
export const isInternal = (data: ICredentialDataDecryptedObject): boolean => ours.has(data);

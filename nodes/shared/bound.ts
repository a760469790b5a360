import type { ICredentialDataDecryptedObject, IHttpRequestOptions, INodeProperties } from 'n8n-workflow';

import { baseUrlFault } from './baseUrl';
import { tidy } from './greek';

/* What every request with a credential of this package is bound to, also where another node makes it. */

/** The same switch in both credentials: the services are often reached with a certificate that no system trusts. */
export const allowUnauthorizedCerts: INodeProperties = {
	displayName: 'Ignore SSL Issues (Insecure)',
	name: 'allowUnauthorizedCerts',
	type: 'boolean',
	default: false,
	description: 'Whether to connect even if SSL certificate validation is not possible',
};

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
 *
 * @param credential its name, for errors
 * @throws Error where the request goes to another origin, through a proxy of its own, or where that can't be told
 */
export function boundToCredential(
	options: IHttpRequestOptions,
	data: ICredentialDataDecryptedObject,
	credential: string,
): IHttpRequestOptions {
	const fault = baseUrlFault(data.baseUrl);
	if (fault !== undefined)
		throw new Error(`The Base URL of the ${credential} credential ${fault}. Correct it in the credential`);
	const own = originOf(tidy(data.baseUrl as string), undefined);
	for (const target of targetsOf(options)) {
		if (target === undefined)
			throw new Error(
				`The ${credential} credential can't tell where this request goes. Write its whole URL, with https:// in front`,
			);
		if (target !== own) {
			throw new Error(
				`The ${credential} credential gives its key to its own Base URL alone, and this request goes to ${target}. Correct the URL, or use another credential`,
			);
		}
	}
	if (options.proxy)
		throw new Error(
			`The ${credential} credential gives its key to no proxy that a request names. Set the proxy for the whole of n8n, with HTTPS_PROXY`,
		);
	const bound: AnyRequest = {
		...withDeadline(options),
		disableFollowRedirect: true,
		followRedirect: false,
		followAllRedirects: false,
		maxRedirects: 0,
		skipSslCertificateValidation: data.allowUnauthorizedCerts === true,
		rejectUnauthorized: data.allowUnauthorizedCerts !== true,
	};
	return bound;
}

/**
 * Every origin to which the request may go; undefined stands for one that can't be told. Which of `url` and `uri` counts
 * where both are there depends on the version of n8n, so both are looked at. So is `baseURL` by itself: what is a whole
 * URL to one library is a part of one to another.
 */
function targetsOf({ url, uri, baseURL }: AnyRequest): Array<string | undefined> {
	const isThere = (part: unknown) => part !== undefined && part !== null && part !== '';
	const targets = [url, uri].filter(isThere).map((part) => originOf(part, baseURL));
	return isThere(baseURL) || targets.length === 0 ? [...targets, originOf(baseURL, undefined)] : targets;
}

function originOf(url: unknown, base: unknown): string | undefined {
	const [text, baseText] = [url, base].map((part) => (part instanceof URL ? part.href : part));
	if (typeof text !== 'string' || text === '') return undefined;
	try {
		const { protocol, origin } =
			baseText === undefined || baseText === null || baseText === '' ? new URL(text) : new URL(text, String(baseText));
		return protocol === 'https:' || protocol === 'http:' ? origin : undefined;
	} catch {
		return undefined;
	}
}

/** The longest that a timer of Node runs, some 25 days: n8n's own HTTP Request node can use these credentials with any. */
const LONGEST = 2 ** 31 - 1;

/**
 * Ends a request when its time-out is over, however slowly the answer arrives: the HTTP client's own time-out counts
 * silence alone. n8n sets the signal that stops a cancelled execution before it asks the credential for the rest; both count.
 *
 * @param options `timeout` in milliseconds
 */
export function withDeadline(options: IHttpRequestOptions): IHttpRequestOptions {
	const { timeout, abortSignal } = options;
	// 0 is no limit to the client.
	if (timeout === undefined || !(timeout > 0)) return options;
	const deadline = AbortSignal.timeout(Math.min(Math.ceil(timeout), LONGEST));
	return { ...options, abortSignal: abortSignal ? AbortSignal.any([abortSignal as AbortSignal, deadline]) : deadline };
}

/*
 * How a credential knows a request of this package from one of another node: n8n gives it nothing but the credential's data
 * and the request, and a user of another node can write anything into a request. So it is the data that is known again, as
 * an object: n8n hands on the very object that our nodes gave it, and makes a new one for every other node. Nothing that
 * is typed, stored or copied can be in this set.
 */
const own = new WeakSet<object>();

/** A copy of a credential's data that stands for a request of this package. */
export function asOwn(data: ICredentialDataDecryptedObject): ICredentialDataDecryptedObject {
	const copy = { ...data };
	own.add(copy);
	return copy;
}

/** Whether the data came from `asOwn`. */
export const isOwn = (data: ICredentialDataDecryptedObject): boolean => own.has(data);

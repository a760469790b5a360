import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { clean } from '../greek/letters';
import { switchField } from '../n8n/fields';
import { baseUrlFault } from './baseUrl';
import { withDeadline } from './timeout';

/*
 * Binds requests to their credential. A credential of this package sends its key only to the origin of its Base URL. This is
 * also true if another node, such as HTTP Request, uses the credential.
 */

/** The switch of both credentials that allows services whose certificate is not trusted. Such services are frequent. */
export const allowUnauthorizedCerts = switchField('Ignore SSL Issues (Insecure)', 'allowUnauthorizedCerts', {
	description: 'Whether to connect even if SSL certificate validation is not possible',
});

/**
 * A request of any node of n8n. Its URL is in `url`, in `uri` (from the library "request", which n8n used before), or partly in
 * `baseURL`.
 */
type AnyRequest = IHttpRequestOptions & {
	uri?: unknown;
	followRedirect?: boolean;
	followAllRedirects?: boolean;
	rejectUnauthorized?: boolean;
};

/**
 * Binds a request to the origin of the credential's Base URL, before the credential adds its key. This is needed because any
 * node may use a credential with any URL, and because n8n follows redirects with the key. The returned request follows no
 * redirects, trusts the certificates that the credential trusts, and ends when its time-out is over. Both of n8n's request
 * helpers accept it.
 * @param credential the name of the credential, for errors
 * @throws Error if the request goes to another origin, names a proxy, or has no URL that can be read, or if the Base URL has a
 * fault
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
	const refusal = (why: string) => new Error(`The ${credential} credential ${why}`);
	const ownOrigin = originOf(clean(baseUrl as string));
	for (const target of targetsOf(options)) {
		if (target === undefined)
			throw refusal("can't tell where this request goes. Enter the full URL of the request, beginning with https://");
		if (target !== ownOrigin)
			throw refusal(
				`sends its key only to its own Base URL, but this request goes to ${target}. Correct the URL, or use another credential`,
			);
	}
	if (options.proxy)
		throw refusal(
			'does not allow a proxy for a single request, because the proxy could read the key. Set a proxy for the whole of n8n, with HTTPS_PROXY',
		);
	return {
		...withDeadline(options, internalRequests.get(data)),
		disableFollowRedirect: true,
		followRedirect: false,
		followAllRedirects: false,
		maxRedirects: 0,
		skipSslCertificateValidation: trustsAny === true,
		rejectUnauthorized: trustsAny !== true,
	};
}

/**
 * Returns every origin that a request may go to. There may be several, because the versions of n8n use different parts of the
 * URL. Undefined: an origin that can't be read.
 */
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

/*
 * The credential data of requests that nodes of this package make, with the signal that ends each request. n8n passes on the same
 * object that our nodes gave it as credential data, and makes a new object for other nodes. So the object shows who made the
 * request. A mark in the request itself would prove nothing, because the user of another node can write anything into it.
 */
const internalRequests = new WeakMap<object, AbortSignal>();

/** Returns a copy of credential data that marks a request of this package. @param end the signal that ends the request */
export function tagAsInternal(data: ICredentialDataDecryptedObject, end: AbortSignal): ICredentialDataDecryptedObject {
	const copy = { ...data };
	internalRequests.set(copy, end);
	return copy;
}

/** Returns whether credential data come from `tagAsInternal`. */
export const isInternal = (data: ICredentialDataDecryptedObject): boolean => internalRequests.has(data);

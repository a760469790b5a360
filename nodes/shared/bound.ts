import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { operationUrl } from './baseUrl';

/** How n8n's own nodes write a request: with `url`, with `uri` as the library request did, or with a part of it in `baseURL`. */
type AnyRequest = IHttpRequestOptions & {
	uri?: unknown;
	followRedirect?: boolean;
	followAllRedirects?: boolean;
	rejectUnauthorized?: boolean;
};

/**
 * Binds a request to the origin of the credential's Base URL, before a key is added to it: any node may use a credential,
 * with any URL, and redirects are followed with the key. What comes out follows none, and trusts the certificates that the
 * credential trusts, in both of n8n's request helpers.
 *
 * @param credential its name, for errors
 * @throws Error where the request goes to another origin, through a proxy of its own, or where that can't be told
 */
export function boundToCredential(
	options: IHttpRequestOptions,
	data: ICredentialDataDecryptedObject,
	credential: string,
): IHttpRequestOptions {
	const own = operationUrl(data.baseUrl, '/');
	if (own === undefined)
		throw new Error(
			`The Base URL of the ${credential} credential is missing, or is no URL. Correct it in the credential`,
		);
	for (const target of targetsOf(options)) {
		if (target === undefined)
			throw new Error(
				`The ${credential} credential can't tell where this request goes. Write its whole URL, with https:// in front`,
			);
		if (target !== new URL(own).origin) {
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
		...options,
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

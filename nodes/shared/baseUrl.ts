import { badParameter } from './problem';
import { tidy } from './greek';

/** What a Base URL has to be, for messages; it goes on from the name of the field. */
export const BASE_URL_RULE = 'must be a URL that begins with http:// or https:// and contains no user name';

/**
 * The URL of an operation. The Base URL comes without the operation's path, but people paste what they have:
 * a trailing slash, a query, and the whole operation URL or the start of it are understood.
 *
 * @param path the operation's documented path, such as `/sendSMS`
 * @returns undefined where the Base URL is not an http or https URL, contains a user name, or is longer than any
 */
export function operationUrl(baseUrl: unknown, path: string): string | undefined {
	if (typeof baseUrl !== 'string' || baseUrl.length > 2000 || !URL.canParse(tidy(baseUrl))) return undefined;
	const url = new URL(tidy(baseUrl));
	if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
	// A user name in the URL would take the place of the key's header.
	if (url.username !== '' || url.password !== '') return undefined;

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

/** The same. @throws Problem where the Base URL breaks its rule */
export function requireOperationUrl(baseUrl: unknown, path: string): string {
	const url = operationUrl(baseUrl, path);
	if (url === undefined) throw badParameter('Base URL', BASE_URL_RULE, 'Correct it in the credential');
	return url;
}

function endsWith(given: string[], end: string[]): boolean {
	return end.every((segment, i) => given[given.length - end.length + i]!.toLowerCase() === segment.toLowerCase());
}

import { tidy } from './greek';

/**
 * The Authorization header of the AMKA service ("Authentication", 1): the word Token, one space, the key, without the
 * white space and the invisible characters that come along when a key is pasted.
 */
export function authorization(apiKey: unknown): string {
	return `Token ${tidy(String(apiKey ?? ''))}`;
}

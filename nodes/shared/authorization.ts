import { tidy } from './greek';

/** The Authorization header of the AMKA service ("Authentication", 1): the word Token, one space, the key. */
export function authorization(apiKey: unknown): string {
	return `Token ${keyAsSent(apiKey)}`;
}

/** The key without the white space and the invisible characters that come along when it is pasted. */
export function keyAsSent(apiKey: unknown): string {
	return tidy(String(apiKey ?? ''));
}

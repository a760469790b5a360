import { keyAsUsed } from '../shared/secrets';

/** The Authorization header of the AMKA service ("Authentication", 1): the word Token, one space, the key. */
export function authorization(apiKey: unknown): string {
	return `Token ${keyAsUsed(apiKey)}`;
}

import { keyAsUsed } from '../shared/hide';

/** The Authorization header of the AMKA service ("Authentication", 1): the word Token, one space, the key. */
export function authorization(apiKey: unknown): string {
	return `Token ${keyAsUsed(apiKey)}`;
}

/** What is wrong with a key, as it goes on from its name; undefined where nothing is. */
export function keyFault(apiKey: unknown): string | undefined {
	const key = keyAsUsed(apiKey);
	if (key === '') return 'is empty';
	// What a header can carry (RFC 9110, 5.5), and no space: one in the middle comes of a key pasted in two lines.
	return /^[\x21-\x7e\x80-\xff]+$/.test(key) ? undefined : 'contains spaces, line breaks or letters that no key has';
}

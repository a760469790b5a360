/** Fewer characters than these can be tried one by one, whatever they are. */
const SHORT = 16;

/** A word, a separator or none, and a year, or the other way round: what people think of when they need a key. */
const WORDS = '[\\p{L}\\p{M}]+(?:[^\\p{L}\\p{M}\\p{N}]+[\\p{L}\\p{M}]+)*';
const BETWEEN = '[^\\p{L}\\p{M}\\p{N}]*';
const YEAR = '(?:19|20)\\d\\d';
const WORD_AND_YEAR = new RegExp(`^(?:${WORDS}${BETWEEN}${YEAR}|${YEAR}${BETWEEN}${WORDS})${BETWEEN}$`, 'u');

/**
 * What speaks against a pre-shared key: whoever sees one signed URL of a delivery report can try keys against it, tens of
 * thousands a second on one thread.
 *
 * @param key as it is used
 * @returns a sentence with what to do, without anything of the key; undefined where nothing speaks against it
 */
export function weakKeyWarning(key: string): string | undefined {
	const length = [...key].length;
	const reason =
		length < SHORT
			? `is short: it has ${length} ${length === 1 ? 'character' : 'characters'}, and should have 16 or more`
			: key.length < 200 && WORD_AND_YEAR.test(key)
				? 'can be guessed: it is made of words and a year'
				: undefined;
	return reason === undefined
		? undefined
		: `The Pre-Shared Key ${reason}. Ask the operator of the SMS platform for a random one.`;
}

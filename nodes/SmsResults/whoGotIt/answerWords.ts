import { foldForComparison, withoutPunctuation } from '../../../lib/greek/letters';
import { toText } from '../items/cells';

/* Reads the answer in an SMS. The possible answers to a question are known words, such as ΝΑΙ and ΟΧΙ. */

/** The number of UTF-16 units of a word that are compared. */
const LONGEST_WORD = 100;
/** The number of UTF-16 units of a text that are read. */
const LONGEST_TEXT = 10_000;

/** The answer of an SMS that contains none of the words, or two different ones. */
export const OTHER = 'other';

/**
 * A question that messages ask. `words`: the words of the answers. `withinDays`: the number of days after its message during
 * which an answer counts.
 */
export type Question = { words: string[]; withinDays: number };

/** Returns a word in a form for comparison. Case, accents and surrounding punctuation make no difference. */
export const foldWord = (word: string): string => foldForComparison(withoutPunctuation(word.slice(0, LONGEST_WORD)));

/**
 * Returns a function that reads the answer from texts, or from lists of texts, which a table may have stored as one text. The
 * answer is the word of the question that the texts contain. If they contain none or several different words, it is `other`.
 */
export function answerReader({ words }: Question): (texts: unknown[]) => string {
	const byFolded = new Map(words.map((word) => [foldWord(word), word]));
	// `foldWord` is slow, and most people answer with the same few words. So each word is looked up once.
	const known = new Map<string, string | undefined>();
	const lookUp = (word: string) => {
		if (!known.has(word)) known.set(word, byFolded.get(foldWord(word)));
		return known.get(word);
	};
	return (texts) => {
		let answer: string | undefined;
		for (const word of wordsOfQuestion(texts, lookUp)) {
			if (answer !== undefined && answer !== word) return OTHER;
			answer = word;
		}
		return answer ?? OTHER;
	};
}

/** Yields the words of the question in the texts. If a whole word is none of them, its parts are looked up: `Ναι.Θα έρθω`. */
function* wordsOfQuestion(texts: unknown[], lookUp: (word: string) => string | undefined): Generator<string, void> {
	for (const each of texts.flat())
		for (const word of (toText(each) ?? '').slice(0, LONGEST_TEXT).split(/[\s,]+/u)) {
			const whole = lookUp(word);
			const found = whole === undefined ? word.split(/[^\p{L}\p{N}\p{M}]+/u).map(lookUp) : [whole];
			for (const one of found) if (one !== undefined) yield one;
		}
}

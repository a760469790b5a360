import { foldForComparison, withoutPunctuation } from '../../../lib/greek/letters';
import { toText } from '../items/cells';

/* Decides what an SMS answers to a question whose answers are known words, such as ΝΑΙ and ΟΧΙ. */

/** In UTF-16 units. Words are compared up to this length, and the rest of a longer text is not read. */
const LONGEST_WORD = 100;
const LONGEST_TEXT = 10_000;

/** An answer that has none of the words, or two different ones. */
export const OTHER = 'other';

/** `words`: the words of the answers, each once. `withinDays`: for how many days after its message an answer counts. */
export type Question = { words: string[]; withinDays: number };

/** Folds a word in the same way as a keyword, so that case, accents and surrounding punctuation make no difference. */
export const foldWord = (word: string): string => foldForComparison(withoutPunctuation(word.slice(0, LONGEST_WORD)));

/**
 * Returns a function that reads the answer from texts, or from lists of texts, which a table may keep as one text.
 * The answer is the only word of the question in them, or `other`.
 */
export function answerReader({ words }: Question): (texts: unknown[]) => string {
	const byFolded = new Map(words.map((word) => [foldWord(word), word]));
	// Most people answer with the same few words, and folding is slow, so each word is folded once.
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

/** Yields the question's words in the texts. If a whole word is not one, its parts are looked up, as in `Ναι.Θα έρθω`. */
function* wordsOfQuestion(texts: unknown[], lookUp: (word: string) => string | undefined): Generator<string, void> {
	for (const each of texts.flat())
		for (const word of (toText(each) ?? '').slice(0, LONGEST_TEXT).split(/[\s,]+/u)) {
			const whole = lookUp(word);
			const found = whole === undefined ? word.split(/[^\p{L}\p{N}\p{M}]+/u).map(lookUp) : [whole];
			for (const one of found) if (one !== undefined) yield one;
		}
}

import type { IDataObject } from 'n8n-workflow';

import { foldForComparison, withoutPunctuation } from '../../../lib/greek/letters';
import { groupBy } from '../../../lib/texts/groups';
import { identifyForward } from '../../../lib/smsPlatform/sameForward';
import { kindOf, personOf, textOf, timeOf, type Answer } from './facts';
import { compare, type Message } from './join';

const DAY = 86_400_000;
/** In UTF-16 units: what is longer is no word, and no answer. */
const LONGEST_WORD = 100;
const LONGEST_BODY = 10_000;

/** What is asked: the words of the answers, none twice, and for how many days after its message an answer counts. */
export type Question = { words: string[]; withinDays: number };

/** An answer that has none of the words, or two different ones. */
export const OTHER = 'other';

/** An SMS that came in. */
interface Forward extends Answer {
	person: string;
	/** What makes two forwards the same; undefined if the forward has no id and so is always another one. */
	identity?: string[];
	index: number;
}

/** A message that went out. */
type Departure = { person: string; at: number; message: Message };

/** A word as two are compared, like keywords; signs around it make no difference. */
export const foldWord = (word: string): string => foldForComparison(withoutPunctuation(word.slice(0, LONGEST_WORD)));

/**
 * The messages with what people answered. An answer belongs to the newest message that went to its number before it,
 * and not too long before; a later one replaces it. The same in any order, and repeated, gives the same.
 */
export function withAnswers(messages: Message[], items: IDataObject[], question: Question | undefined): Message[] {
	if (question === undefined) return messages.map((message) => ({ ...message, answer: undefined }));
	const { words, withinDays } = question;
	const byWord = new Map(words.map((word) => [foldWord(word), word]));
	const read = (texts: unknown[]) => {
		let found: string | undefined;
		for (const asked of askedIn(texts, (word) => byWord.get(foldWord(word)))) {
			if (found !== undefined && found !== asked) return OTHER;
			found = asked;
		}
		return found ?? OTHER;
	};
	const forwards = items.flatMap((json, index) => readForward(json, index, read) ?? []);
	const departures = messages.flatMap((message) =>
		message.departures.map(({ recipient, at }): Departure => ({ person: personOf(recipient), at, message })),
	);

	const answers = new Map<Message, Answer & { index?: number }>();
	for (const message of messages) {
		// What an earlier follow-up said: its words may have been others.
		const { answer } = message;
		if (answer !== undefined) answers.set(message, { ...answer, answer: read([answer.answer, answer.text]) });
	}
	for (const events of groupBy([...departures, ...once(forwards)], ({ person }) => person).values()) {
		let newest: Departure | undefined;
		for (const event of events.sort(inTime)) {
			if ('message' in event) newest = event;
			else if (newest !== undefined && (newest.at === -Infinity || event.at - newest.at <= withinDays * DAY)) {
				if (event.at >= (answers.get(newest.message)?.at ?? 0)) answers.set(newest.message, event);
			}
		}
	}
	return messages.map((message) => {
		const found = answers.get(message);
		if (found === undefined) return message;
		const { index = [], answer, text, at } = found;
		return { ...message, answer: { answer, text, at }, items: message.items.concat(index) };
	});
}

function readForward(json: IDataObject, index: number, read: (texts: unknown[]) => string): Forward | undefined {
	const from = textOf(json.mobile) ?? textOf(json.msisdn);
	const at = timeOf(json.receivedAt) ?? timeOf(json.createdAt);
	if (kindOf(json) !== 'forward' || from === undefined || at === undefined) return undefined;
	const text = textOf(json.body);
	const words = [json.words].flat().some((word) => textOf(word) !== undefined) ? json.words : text;
	const answer = read([json.matchedKeyword, words]);
	const person = personOf(from);
	const smsForwardId = textOf(json.smsForwardId);
	// A table of ours keeps the matched keyword alone.
	const keyword = textOf(json.keyword) ?? textOf(json.matchedKeyword) ?? '';
	const identity =
		smsForwardId === undefined
			? undefined
			: identifyForward({ smsForwardId, msisdn: person, keyword, body: text ?? '' });
	return { person, at, answer, text, identity, index };
}

/**
 * Yields the words of the question that are in texts, or in lists of texts, which a table may keep as one text. If a word
 * is none of them, its parts may be, as in `Ναι.Θα έρθω`.
 */
function* askedIn(texts: unknown[], lookUp: (word: string) => string | undefined): Generator<string, void> {
	for (const each of texts.flat())
		for (const word of (textOf(each) ?? '').slice(0, LONGEST_BODY).split(/[\s,]+/u)) {
			const whole = lookUp(word);
			const asked = whole === undefined ? word.split(/[^\p{L}\p{N}\p{M}]+/u).map(lookUp) : [whole];
			for (const one of asked) if (one !== undefined) yield one;
		}
}

/** Each SMS once, as it came first. What has no id is compared with nothing. */
const once = (forwards: Forward[]): Forward[] =>
	[...groupBy(forwards, ({ identity, index }) => JSON.stringify(identity ?? index)).values()].map(
		(same) => same.sort(inTime)[0]!,
	);

/** What came at the same moment is sorted by what it says; an answer was there before a message of the same moment. */
function inTime(one: Forward | Departure, other: Forward | Departure): number {
	const textIn = (event: Forward | Departure) =>
		JSON.stringify('message' in event ? [event.message.list, event.message.reference] : [event.answer, event.text]);
	const ofKind = Number('message' in one) - Number('message' in other);
	return one.at - other.at || ofKind || compare(textIn(one), textIn(other));
}

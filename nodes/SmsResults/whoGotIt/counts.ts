import { groupBy } from '../../../lib/texts/groups';
import { countSegments } from '../../../lib/smsPlatform/segments';
import { OTHER, type Question } from './answers';
import { STATES, type State } from './facts';
import { latest, type Message } from './join';
import { isUnknownForGood, personIn, toSendAgain, unanswered, type Again } from './sendAgain';

export type ListStatistics = ReturnType<typeof listStatistics>;

/** How a list stands. `newest`: since when its newest message is as it is, in milliseconds since 1970. `again`: people; `againSegments`: SMS of known texts; `unknownToo`: people who may have it. */
export function listStatistics(
	list: string,
	messages: Message[],
	which: Again,
	question: Question | undefined,
	now: number,
) {
	const again = toSendAgain(messages, which, now);
	const sizes = again.map(({ segments, text }) => segments ?? (text === undefined ? undefined : countSegments(text)));
	const byState = groupBy(messages, ({ state }) => state);
	const counts = {
		messages: messages.length,
		...(Object.fromEntries(STATES.map((state) => [state, byState.get(state)?.length ?? 0])) as Record<State, number>),
		again: countPeople(again),
		againSegments: sizes.reduce<number>((sum, size = 0) => sum + size, 0),
		unknownToo: countPeople(messages.filter((message) => isUnknownForGood(message, now))),
	};
	/** Whether `againSegments` is less than it would be, because texts are not known. */
	const isAtLeast = sizes.includes(undefined);
	const newest = messages.reduce((last, { since = 0 }) => Math.max(last, since), 0);
	return { list, messages, newest, counts, isAtLeast, replies: question && repliesTo(messages, question) };
}

/** What the people of a list answered: each counts once, with the last answer. `noAnswer`: of those who may have it. */
function repliesTo(messages: Message[], question: Question) {
	const people = groupBy(messages, personIn).values();
	const byAnswer = groupBy(people, (of) => latest(of.flatMap(({ answer }) => answer ?? []))?.answer);
	return {
		answers: [...new Set([...question.words, OTHER])].map((answer) => ({
			answer,
			people: byAnswer.get(answer)?.length ?? 0,
		})),
		noAnswer: countPeople(unanswered(messages)),
	};
}

const countPeople = (messages: Message[]) => new Set(messages.map(personIn)).size;

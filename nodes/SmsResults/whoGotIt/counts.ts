import { groupBy } from '../../../lib/texts/groups';
import { STATES, type State } from '../items/facts';
import { segmentsOf } from '../messages/attempt';
import { lastAnswer, type Message } from '../messages/message';
import { OTHER, type Question } from './answerWords';
import { isUnknownForGood, personInList, toSendAgain, unanswered, type Again } from './sendAgain';

/* Makes the counts of a list, for its page and for workflows. */

export type ListStatistics = ReturnType<typeof listStatistics>;

export function listStatistics(
	list: string,
	messages: Message[],
	which: Again,
	question: Question | undefined,
	now: number,
) {
	const again = toSendAgain(messages, which, now);
	const sizes = again.map((message) => segmentsOf([message]));
	const byState = groupBy(messages, ({ state }) => state);
	const counts = {
		messages: messages.length,
		...(Object.fromEntries(STATES.map((state) => [state, byState.get(state)?.length ?? 0])) as Record<State, number>),
		/** People, because one person may have several messages. */
		again: countPeople(again),
		/** How many SMS these messages take. Messages of unknown text are not counted. */
		againSegments: sizes.reduce<number>((sum, size = 0) => sum + size, 0),
		/** People who may have the message already. */
		unknownToo: countPeople(messages.filter((message) => isUnknownForGood(message, now))),
	};
	return {
		list,
		messages,
		counts,
		/** Since when the newest message is in its state, in milliseconds since 1970. */
		newest: messages.reduce((last, { since = 0 }) => Math.max(last, since), 0),
		/** Whether `againSegments` is too small, because the text of some message is not known. */
		isAtLeast: sizes.includes(undefined),
		replies: question && countReplies(messages, question),
	};
}

/** Counts each person once, with the last answer. `noAnswer` counts people who may have a message. */
function countReplies(messages: Message[], question: Question) {
	const people = groupBy(messages, personInList).values();
	const byAnswer = groupBy(people, (of) => lastAnswer(of.flatMap(({ answer }) => answer ?? []))?.answer);
	return {
		answers: [...new Set([...question.words, OTHER])].map((answer) => ({
			answer,
			people: byAnswer.get(answer)?.length ?? 0,
		})),
		noAnswer: countPeople(unanswered(messages)),
	};
}

const countPeople = (messages: Message[]) => new Set(messages.map(personInList)).size;

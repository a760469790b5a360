import { groupBy } from '../../../lib/texts/groups';
import { STATES, type State } from '../items/facts';
import { segmentsOf } from '../messages/attempt';
import { lastAnswer, type Message } from '../messages/message';
import { OTHER, type Question } from './answerWords';
import { isUnknownForGood, personInList, toSendAgain, unanswered, type Again } from './sendAgain';

/* Makes the counts of a list. The page shows them, and workflows can use them. */

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
		/** The number of people to whom messages may be sent again. One person may have several messages. */
		again: countPeople(again),
		/** The number of SMS that the messages to send again take. Messages of unknown text are not counted. */
		againSegments: sizes.reduce<number>((sum, size = 0) => sum + size, 0),
		/** The number of people with a message whose outcome will stay unknown. They may have got the message. */
		unknownToo: countPeople(messages.filter((message) => isUnknownForGood(message, now))),
	};
	return {
		list,
		messages,
		counts,
		/**
		 * When the newest message was sent, in milliseconds since 1970. If that is not known: from when the message has had its
		 * state.
		 */
		newest: messages.reduce((last, { since = 0 }) => Math.max(last, since), 0),
		/** Whether `againSegments` is too small, because the text of a message is not known. */
		isAtLeast: sizes.includes(undefined),
		replies: question && countReplies(messages, question),
	};
}

/**
 * Counts the answers. Each person counts once, with the last answer. `noAnswer` counts people who got a message, or may have
 * got one, and did not answer.
 */
function countReplies(messages: Message[], question: Question) {
	const people = groupBy(messages, personInList).values();
	const byAnswer = groupBy(people, (ofPerson) => lastAnswer(ofPerson.flatMap(({ answer }) => answer ?? []))?.answer);
	return {
		answers: [...new Set([...question.words, OTHER])].map((answer) => ({
			answer,
			people: byAnswer.get(answer)?.length ?? 0,
		})),
		noAnswer: countPeople(unanswered(messages)),
	};
}

const countPeople = (messages: Message[]) => new Set(messages.map(personInList)).size;

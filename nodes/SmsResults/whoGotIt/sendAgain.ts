import { personOf, type State } from './facts';
import type { Message } from './join';

/* Who may get a message again, and who is asked once more. */

/** Whether nobody will say any more whether it was sent: that is taken to be so after a day. */
export const isUnknownForGood = ({ state, since }: Message, now: number) =>
	state === 'unknown' && since !== undefined && now - since > 24 * 3_600_000;

/** Several messages of a list may be for one person. */
export const personIn = ({ list, recipient, reference }: Message) =>
	JSON.stringify(recipient === undefined ? [list, '', reference] : [list, personOf(recipient)]);

/** The messages to people who got theirs, or may have, and answered to none of the same list. */
export function unanswered(messages: Message[]): Message[] {
	const answered = new Set(messages.flatMap((message) => (message.answer === undefined ? [] : personIn(message))));
	const mayHaveIt = new Set<State>(['delivered', 'partly', 'late', 'onItsWay', 'unknown']);
	return messages.filter((message) => mayHaveIt.has(message.state) && !answered.has(personIn(message)));
}

/** Which messages may go out again. `unknownToo`: also those that were partly delivered, and those unknown for a day. */
export type Again = 'notDelivered' | 'unknownToo' | 'unanswered';

export function toSendAgain(messages: Message[], which: Again, now: number): Message[] {
	const mayHaveSome = (message: Message) => message.state === 'partly' || isUnknownForGood(message, now);
	const isDue = (message: Message) =>
		message.state === 'notDelivered' || (which === 'unknownToo' && mayHaveSome(message));
	const all = which === 'unanswered' ? unanswered(messages) : messages.filter(isDue);
	return all.filter(({ reference }) => reference !== undefined);
}

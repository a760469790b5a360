import type { State } from '../items/facts';
import { phoneKey } from '../../../lib/greek/mobile';
import type { Message } from '../messages/message';

/* Selects the messages that may be sent again: to people who did not get them, or as a reminder to people who did not answer. */

const DAY = 86_400_000;

/**
 * Returns whether the outcome of a message has been unknown for more than a day. After that, no report is expected any more.
 */
export const isUnknownForGood = ({ state, since }: Message, now: number) =>
	state === 'unknown' && since !== undefined && now - since > DAY;

/**
 * Returns a key that identifies the person of a message in its list, because several messages in a list may be for one person.
 */
export const personInList = ({ list, recipient, reference }: Message) =>
	JSON.stringify(recipient === undefined ? [list, '', reference] : [list, phoneKey(recipient)]);

/** Returns the messages to people who got a message, or may have got one, and answered no message of the same list. */
export function unanswered(messages: Message[]): Message[] {
	const answered = new Set(messages.flatMap((message) => (message.answer === undefined ? [] : personInList(message))));
	const mayHaveIt = new Set<State>(['delivered', 'partly', 'late', 'onItsWay', 'unknown']);
	return messages.filter((message) => mayHaveIt.has(message.state) && !answered.has(personInList(message)));
}

/**
 * The choice of messages to send again. `notDelivered`: undelivered messages. `unknownToo`: also partly delivered messages, and
 * messages of unknown outcome that are older than a day. `unanswered`: a reminder to people who did not answer.
 */
export type Again = 'notDelivered' | 'unknownToo' | 'unanswered';

/**
 * Returns the messages to send again. A message without a reference is left out, because a new attempt could not be joined with
 * it.
 */
export function toSendAgain(messages: Message[], which: Again, now: number): Message[] {
	const mayHaveSome = (message: Message) => message.state === 'partly' || isUnknownForGood(message, now);
	const isDue = (message: Message) =>
		message.state === 'notDelivered' || (which === 'unknownToo' && mayHaveSome(message));
	const all = which === 'unanswered' ? unanswered(messages) : messages.filter(isDue);
	return all.filter(({ reference }) => reference !== undefined);
}

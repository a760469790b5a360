import type { State } from '../items/facts';
import { phoneKey } from '../../../lib/greek/mobile';
import type { Message } from '../messages/message';

/* Decides who may get a message again, and who is reminded because no answer came. */

const DAY = 86_400_000;

/** Returns whether a message is still unknown after a day, when no report will come any more. */
export const isUnknownForGood = ({ state, since }: Message, now: number) =>
	state === 'unknown' && since !== undefined && now - since > DAY;

/** Returns a key of the person in the list: several messages of a list may be for one person. */
export const personInList = ({ list, recipient, reference }: Message) =>
	JSON.stringify(recipient === undefined ? [list, '', reference] : [list, phoneKey(recipient)]);

/** Returns the messages to people who got a message, or may have got one, and answered no message of the same list. */
export function unanswered(messages: Message[]): Message[] {
	const answered = new Set(messages.flatMap((message) => (message.answer === undefined ? [] : personInList(message))));
	const mayHaveIt = new Set<State>(['delivered', 'partly', 'late', 'onItsWay', 'unknown']);
	return messages.filter((message) => mayHaveIt.has(message.state) && !answered.has(personInList(message)));
}

/** `unknownToo`: also messages that were partly delivered, and those unknown for a day. */
export type Again = 'notDelivered' | 'unknownToo' | 'unanswered';

/** Returns the messages that may be sent again. Without a reference a message can't be joined with its next attempt. */
export function toSendAgain(messages: Message[], which: Again, now: number): Message[] {
	const mayHaveSome = (message: Message) => message.state === 'partly' || isUnknownForGood(message, now);
	const isDue = (message: Message) =>
		message.state === 'notDelivered' || (which === 'unknownToo' && mayHaveSome(message));
	const all = which === 'unanswered' ? unanswered(messages) : messages.filter(isDue);
	return all.filter(({ reference }) => reference !== undefined);
}

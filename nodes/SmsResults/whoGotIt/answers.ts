import { groupBy } from '../../../lib/texts/groups';
import { identifyForward } from '../../../lib/smsPlatform/sameForward';
import { toText } from '../items/cells';
import type { Answer, IncomingSms } from '../items/facts';
import { compareText, earliest } from '../messages/order';
import { phoneKey } from '../../../lib/greek/mobile';
import type { Message } from '../messages/message';
import { answerReader, type Question } from './answerWords';

/*
 * Joins incoming SMS, as answers, with the messages that they answer. An SMS answers the newest message that was sent to the same
 * number before it, if that is not too long ago. A later answer replaces an earlier one. An SMS that answers no message is listed
 * separately, as an answer without a question.
 */

const DAY = 86_400_000;

/** An incoming SMS that was read as an answer. */
export interface IncomingAnswer extends Answer {
	/** The sender's number as the platform sent it. */
	from: string;
	/** The sender's number in a form that is the same for all spellings. */
	person: string;
	/** Identifies the SMS. Two items with the same SMS have the same identity. */
	identity: string;
	index: number;
}

export interface Answered {
	messages: Message[];
	/** The answers that belong to no message and came after the first message, the oldest first. */
	otherAnswers: IncomingAnswer[];
}

/**
 * Adds each answer to the message that it answers. If there is no question, all answers are removed.
 * @param messages the messages that are shown
 * @param others the messages that are not shown. Answers to them are not listed among the answers without a question
 */
export function withAnswers(
	messages: Message[],
	incoming: IncomingSms[],
	question: Question | undefined,
	others: Message[] = [],
): Answered {
	if (question === undefined)
		return { messages: messages.map((message) => ({ ...message, answer: undefined })), otherAnswers: [] };
	const answerIn = answerReader(question);
	const answers = once(incoming.map((sms) => readAnswer(sms, answerIn)));
	const shown = matchAnswers(messages, answers, question);
	const matched = new Set([...shown, ...matchAnswers(others, answers, question)].map(([answer]) => answer));
	return {
		messages: addAnswers(messages, shown, answerIn),
		otherAnswers: answers.filter((answer) => !matched.has(answer) && answer.at >= firstSent(messages)).sort(inTime),
	};
}

/**
 * Returns when the first message was sent. -Infinity: this is not known. Infinity: no message was sent. An earlier SMS can't be
 * an answer, and is not listed. Otherwise old answers would be shown with each new list.
 */
function firstSent(messages: Message[]): number {
	const times = messages.flatMap(({ departures }) => departures.map(({ at }) => at));
	if (times.length === 0) return Infinity;
	return earliest(times.filter(Number.isFinite)) ?? -Infinity;
}

function readAnswer(sms: IncomingSms, answerIn: (texts: unknown[]) => string): IncomingAnswer {
	const { index, from, at, body: text, matchedKeyword, smsForwardId } = sms;
	const hasWords = [sms.words].flat().some((word) => toText(word) !== undefined);
	const person = phoneKey(from);
	// An item from a table may have only `matchedKeyword`, and no `keyword`.
	const keyword = sms.keyword ?? matchedKeyword ?? '';
	const identity =
		smsForwardId === undefined
			? [person, at, text]
			: identifyForward({ smsForwardId, msisdn: person, keyword, body: text ?? '' });
	return {
		...{ index, from, person, at, text, identity: JSON.stringify(identity) },
		answer: answerIn([matchedKeyword, hasWords ? sms.words : text]),
	};
}

/** Returns each SMS once. If several items have the same SMS, the earliest one is returned. */
const once = (answers: IncomingAnswer[]): IncomingAnswer[] =>
	[...groupBy(answers, ({ identity }) => identity).values()].map((same) => same.sort(inTime)[0]!);

type Match = [answer: IncomingAnswer, message: Message];

/** One attempt to send a message to a person. The message was sent, or may have been sent. */
type Departure = { person: string; at: number; message: Message };

/** Finds the message that each answer belongs to. An answer without a message is left out. */
function matchAnswers(messages: Message[], answers: IncomingAnswer[], { withinDays }: Question): Match[] {
	const departures = messages.flatMap((message) =>
		message.departures.map(({ recipient, at }): Departure => ({ person: phoneKey(recipient), at, message })),
	);
	const matches: Match[] = [];
	for (const events of groupBy([...departures, ...answers], ({ person }) => person).values()) {
		let newest: Departure | undefined;
		for (const event of events.sort(inTime)) {
			if ('message' in event) newest = event;
			else if (newest !== undefined && (newest.at === -Infinity || event.at - newest.at <= withinDays * DAY))
				matches.push([event, newest.message]);
		}
	}
	return matches;
}

/**
 * Adds answers to their messages. A message from a table may already have an answer. That answer is read again, because the
 * words of the question may have changed.
 */
function addAnswers(messages: Message[], matches: Match[], answerIn: (texts: unknown[]) => string): Message[] {
	const byMessage = groupBy(matches, ([, message]) => message);
	return messages.map((message) => {
		const stored = message.answer && {
			...message.answer,
			answer: answerIn([message.answer.answer, message.answer.text]),
		};
		// The matches are in order of time only within one number. A message with several attempts may have gone to different
		// numbers, so its answers are sorted here.
		const newest = (byMessage.get(message) ?? [])
			.map(([answer]) => answer)
			.sort(inTime)
			.at(-1);
		if (newest === undefined || newest.at < (stored?.at ?? 0)) return { ...message, answer: stored };
		const { answer, text, at, index } = newest;
		return { ...message, answer: { answer, text, at }, items: message.items.concat(index) };
	});
}

/**
 * Sorts answers and messages by time. If an answer and a message have the same time, the answer comes first, because it belongs
 * to an earlier message. Otherwise the content decides.
 */
function inTime(one: IncomingAnswer | Departure, other: IncomingAnswer | Departure): number {
	const content = (event: IncomingAnswer | Departure) =>
		JSON.stringify('message' in event ? [event.message.list, event.message.reference] : [event.answer, event.text]);
	const messagesLast = Number('message' in one) - Number('message' in other);
	return one.at - other.at || messagesLast || compareText(content(one), content(other));
}

import type { IDataObject } from 'n8n-workflow';

import type { Answer, MessageFact, ReportFact } from '../items/facts';
import type { Attempt } from './attempt';
import { compareText, earliest } from './order';
import { chooseReport } from './reports';

/*
 * Decides the state of a message from the attempts to send it. The result has the reference of the newest attempt that counts.
 */

/** A message to one person in one list. Times are in milliseconds since 1970. */
export interface Message extends Omit<MessageFact, 'index'> {
	columns: IDataObject;
	/** The indices of the items about this message. Items with reports that do not count are left out. */
	items: number[];
	/**
	 * The recipient and the time of each attempt to a known recipient that was sent, or may have been sent. The time is
	 * -Infinity if it is not known.
	 */
	departures: Array<{ recipient: string; at: number }>;
}

/**
 * Makes a message from its attempts. If any attempt was delivered, the message is delivered. Otherwise it has the state of its
 * newest attempt. Attempts with the state `notSent` do not count, unless all attempts have it. So the state of an earlier
 * attempt stays, and the message can be sent again.
 */
export function messageOf(list: string, attempts: Attempt[]): Message {
	attempts.sort(
		(one, other) => (other.sentAt ?? 0) - (one.sentAt ?? 0) || compareText(other.reference ?? '', one.reference ?? ''),
	);
	const sent = attempts.filter(({ state }) => state !== 'notSent');
	const counting = sent.length > 0 ? sent : attempts;
	const repeated = new Set(counting.map(({ againOf }) => againOf));
	const newest = counting.find(({ reference }) => !repeated.has(reference)) ?? counting[0]!;
	const { reference, againOf, state, sentAt, since, report } = newest;
	const whole = chooseReport(counting.flatMap(({ ofWhole }) => ofWhole))?.report;

	// The newest attempt may lack some fields, such as the columns. They are taken from earlier attempts.
	const ofNewestFirst = [newest, ...attempts];
	const facts = ofNewestFirst.flatMap((attempt) => attempt.facts);
	const all = [...facts, ...ofNewestFirst.flatMap((attempt) => attempt.reports)];
	const known = merge(all);

	return {
		...known,
		...{ list, reference, againOf, sentAt, since },
		...(whole?.delivered === true ? { state: 'delivered', report: whole } : { state, report }),
		columns: known.columns ?? {},
		attempts: countAttempts(counting, newest),
		answer: lastAnswer(facts.flatMap(({ answer }) => answer ?? [])),
		departures: sent.flatMap(departuresOf),
		items: [...new Set(all.map(({ index }) => index))].sort((one, other) => one - other),
	};
}

/** Merges the fields of all facts. Each field has the value of the first fact that contains it. */
function merge(facts: Array<MessageFact | ReportFact>): Partial<MessageFact> {
	const merged: Record<string, unknown> = {};
	for (const fact of facts) for (const [name, value] of Object.entries(fact)) merged[name] ??= value;
	return merged;
}

/**
 * Returns the number of attempts. It may be larger than the number of attempts among the items, because rows of earlier
 * attempts may be deleted. So each attempt also has a field `attempts`.
 */
const countAttempts = (counting: Attempt[], newest: Attempt): number =>
	counting.reduce((most, each) => Math.max(most, each.attempts + Number(each !== newest)), counting.length);

/**
 * Returns the recipient and the time of an attempt that was sent, or may have been sent. The list is empty if the recipient is
 * not known or is in Do Not Send To. If the time of sending is not known, the time at which the row of the attempt was added to
 * the table takes its place.
 */
function departuresOf({ state, sentAt, facts, reports }: Attempt): Message['departures'] {
	const recipient = [...facts, ...reports].find((fact) => fact.recipient !== undefined)?.recipient;
	if (recipient === undefined || state === 'notWanted') return [];
	return [{ recipient, at: sentAt ?? earliest(facts.flatMap(({ createdAt }) => createdAt ?? [])) ?? -Infinity }];
}

/** Returns the newest of several answers. If two have the same time, their content decides. */
export const lastAnswer = (answers: Answer[]): Answer | undefined =>
	answers.sort((one, other) => other.at - one.at || compareText(JSON.stringify(one), JSON.stringify(other)))[0];

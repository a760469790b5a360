import type { IDataObject } from 'n8n-workflow';

import type { Answer, MessageFact, ReportFact } from '../items/facts';
import type { Attempt } from './attempt';
import { compareText, earliest } from './order';
import { chooseReport } from './reports';

/* Decides the state of a message from its attempts. The result has the reference of the newest attempt. */

/** A message to one person in one list. Times are in milliseconds since 1970. */
export interface Message extends Omit<MessageFact, 'index'> {
	columns: IDataObject;
	/** The indices of the items about this message. Reports that do not count are left out. */
	items: number[];
	/** The recipient and time of each attempt that was sent. -Infinity: the time is not known. */
	departures: Array<{ recipient: string; at: number }>;
}

/**
 * The message is delivered if any attempt was delivered. Otherwise it has the state of its newest attempt. An attempt that was
 * certainly not sent does not count if there is another. So the state of the attempt before it stays, and the message can be
 * sent again.
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

	// Fields that the newest attempt lacks, such as the columns, come from earlier attempts.
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

/** The rows of attempts may be deleted, so each attempt also knows how many there were. */
const countAttempts = (counting: Attempt[], newest: Attempt): number =>
	counting.reduce((most, each) => Math.max(most, each.attempts + Number(each !== newest)), counting.length);

/** If an attempt has no time of its own, the time at which its row was added to the table counts. */
function departuresOf({ state, sentAt, facts, reports }: Attempt): Message['departures'] {
	const recipient = [...facts, ...reports].find((fact) => fact.recipient !== undefined)?.recipient;
	if (recipient === undefined || state === 'notWanted') return [];
	return [{ recipient, at: sentAt ?? earliest(facts.flatMap(({ createdAt }) => createdAt ?? [])) ?? -Infinity }];
}

/** Returns the last of several answers. Answers with the same time are sorted by their content. */
export const lastAnswer = (answers: Answer[]): Answer | undefined =>
	answers.sort((one, other) => other.at - one.at || compareText(JSON.stringify(one), JSON.stringify(other)))[0];

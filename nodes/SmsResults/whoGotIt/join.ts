import type { IDataObject } from 'n8n-workflow';

import { groupBy } from '../../../lib/texts/groups';
import { withoutUndefined } from '../../../lib/n8n/items';
import { countSegments } from '../../../lib/smsPlatform/segments';
import { readFact, STATES, type Answer, type Fact } from './facts';

const HOUR = 3_600_000;

/** What became of the message to one person of one list: all attempts at that person as one, under the newest. */
export interface Message extends Omit<Fact, 'index' | 'isReport' | 'createdAt'> {
	columns: IDataObject;
	/** The places of the items that say it, from 0: of reports the one that counts. */
	items: number[];
	/** When it left, in milliseconds since 1970, and to whom; -Infinity where that is not known. */
	departures: Array<{ recipient: string; at: number }>;
}

/** What is known of one attempt by the items that say it, its reports last. */
type Attempt = Pick<Fact, 'reference' | 'againOf' | 'state' | 'sentAt' | 'since' | 'report' | 'attempts'> & {
	facts: Fact[];
	/** Whether one final report says delivered and another one does not. */
	isMixed: boolean;
};

/**
 * Joins what was sent with what was reported. The same items in another order, repeated, or with what this makes of
 * them among them, give the same states. Each item is looked at for one message alone, and of a reference's reports
 * at most the two that count, so that the time does not grow with the square of the items.
 * @param unnamed the list of messages that have none @returns `reports`: on messages that are not there
 */
export function joined(items: IDataObject[], now: number, lateAfterHours: number, unnamed = '') {
	const all = items.flatMap((json, index) => readFact(json, index) ?? []);
	const facts = all.filter(({ isReport }) => !isReport);
	const reports = groupBy(
		all.filter(({ isReport }) => isReport),
		({ reference, serviceId, recipient, report }) =>
			JSON.stringify(reference === undefined ? [null, serviceId, recipient, report] : [reference]),
	);
	const counting = new Map(
		[...reports.values()].map((of) => [of[0]!.reference, apart(of).flatMap((alike) => decisive(alike) ?? [])]),
	);
	const attempt = (said: Fact[]) => attemptOf(said, now, lateAfterHours);

	const messages = peopleOf(facts, unnamed).map(([list, person]) => {
		const attempts = [...groupBy(person, ({ reference }) => reference)].map(([reference, said]) =>
			attempt(said.concat((reference === undefined ? undefined : counting.get(reference)) ?? [])),
		);
		return messageOf(list, attempts);
	});
	const known = new Set(facts.flatMap(({ reference }) => reference ?? []));
	const lone = [...reports.values()].filter((said) => !known.has(said[0]!.reference ?? '')).flatMap(apart);
	return { messages, reports: lone.map((said) => messageOf('', [attempt(said)])) };
}

/**
 * Who got messages, in each list, with all that is said of them. Attempts belong together by `againOf`; without a list
 * they are of the others' one, of several the last sent. A row that failed without a reference is known by its columns.
 */
function peopleOf(facts: Fact[], unnamed: string): Array<[list: string, person: Fact[]]> {
	// Of each reference those that belong together: the shorter of two chains goes into the longer.
	const chains = new Map<string, string[]>();
	for (const { reference = '', againOf } of facts) {
		if (againOf === undefined) continue;
		const [one, other] = [chains.get(reference) ?? [reference], chains.get(againOf) ?? [againOf]];
		const [short, long] = one.length < other.length ? [one, other] : [other, one];
		if (short === long) continue;
		for (const name of [long[0]!, ...short]) chains.set(name, long);
		for (const name of short) long.push(name);
	}
	const chainOf = (reference: string) => JSON.stringify(chains.get(reference)?.[0] ?? reference);
	const clusters = groupBy(facts, (fact) =>
		fact.reference === undefined ? rowKey(fact.list || unnamed, fact, fact.row) : chainOf(fact.reference),
	);
	const people = [...clusters.values()].flatMap((cluster) => {
		const [newest] = cluster.filter(({ list }) => list !== '').sort(laterFirst);
		return [...groupBy(cluster, ({ list }) => list || (newest?.list ?? unnamed))];
	});
	// Where the row went out later, it counts once; of one with a reference, the row of a table says what is later.
	const wentOut = new Map<string, number>();
	for (const [list, person] of people) {
		for (const fact of person.filter(({ reference, columns }) => reference !== undefined && columns)) {
			const sentAt = fact.state === 'notSent' ? 0 : (fact.sentAt ?? 0);
			for (const key of [rowKey(list, fact), sentKey(list, fact)])
				wentOut.set(key, Math.max(wentOut.get(key) ?? 0, sentAt));
		}
	}
	const wentOutLater = (list: string, fact: Fact) =>
		fact.reference === undefined
			? wentOut.has(rowKey(list, fact))
			: fact.state === 'notSent' && (wentOut.get(sentKey(list, fact)) ?? 0) > (fact.createdAt ?? Infinity);
	return people.filter(([list, person]) => !person.every((fact) => wentOutLater(list, fact)));
}

/** A row, and the message that it was to get. */
const sentKey = (list: string, fact: Fact) => JSON.stringify([rowKey(list, fact), fact.serviceId, fact.messageId]);

const laterFirst = (one: Fact, other: Fact): number =>
	(other.sentAt ?? 0) - (one.sentAt ?? 0) || compare(one.list, other.list);

/** By what a row is known: a table may have made texts of its numbers, and changed the order of its columns. */
function rowKey(list: string, { columns, recipient, serviceId, messageId }: Fact, row?: number): string {
	if (columns === undefined) return JSON.stringify([list, row, recipient, serviceId, messageId]);
	const texts = Object.entries(columns).map(([name, value]) =>
		JSON.stringify([name, typeof value === 'object' ? value : String(value)]),
	);
	return JSON.stringify([list, row, ...texts.sort()]);
}

/** @param said about one message, with its report; at least one */
function attemptOf(said: Fact[], now: number, lateAfterHours: number): Attempt {
	const facts = inOrder(said);
	const { reference, state } = facts[0]!;
	const sentAt = least(facts.flatMap((fact) => fact.sentAt ?? []));
	const since = sentAt ?? least(facts.flatMap((fact) => fact.since ?? []));
	const report = decisive(facts.filter((fact) => fact.report !== undefined))?.report;
	const againOf = facts.flatMap((fact) => fact.againOf ?? []).sort()[0];
	const attempts = facts.reduce((most, fact) => Math.max(most, fact.attempts), 1);
	const isMixed = facts.some(hasFailed) && facts.some((fact) => fact.report?.delivered && !mayBeEarlier(fact));
	const known = { reference, againOf, sentAt, since, report, attempts, facts, isMixed };
	if (report?.final === true) return { ...known, state: report.delivered ? 'delivered' : 'notDelivered' };
	if (report === undefined && STATES.indexOf(state) > STATES.indexOf('onItsWay')) return { ...known, state };
	return { ...known, state: since === undefined || now - since > lateAfterHours * HOUR ? 'late' : 'onItsWay' };
}

/** Who knows most comes first: by state, then the newest; of equals the alphabet decides, not their order. Reports are last. */
const inOrder = (facts: Fact[]): Fact[] =>
	sorted(
		facts,
		(one, other) =>
			Number(one.isReport) - Number(other.isReport) ||
			STATES.indexOf(one.state) - STATES.indexOf(other.state) ||
			(other.createdAt ?? 0) - (one.createdAt ?? 0),
	);

/** The report that counts: the first that says delivered, otherwise the last final one, otherwise the last. */
const decisive = (facts: Fact[]): Fact | undefined =>
	sorted(facts, ({ report: one }, { report: other }) => {
		const sooner = compare(one?.reportedAt ?? '', other?.reportedAt ?? '');
		return (
			Number(other?.delivered) - Number(one?.delivered) ||
			Number(other?.final) - Number(one?.final) ||
			(one?.delivered === true ? sooner : -sooner)
		);
	})[0];

/** Whether a final report says that the message, or a part of it, was not delivered. */
const hasFailed = ({ report }: Fact): boolean => report?.final === true && !report.delivered;

/** Whether the report in a kept item may be the one of an earlier attempt, which was delivered. */
const mayBeEarlier = ({ state, attempts }: Fact): boolean => state === 'delivered' && attempts > 1;

/** The reports on one reference; if one says delivered, the failed ones apart: of several SMS both may be true. */
function apart(reports: Fact[]): Fact[][] {
	if (!reports.some(({ report }) => report?.delivered)) return [reports];
	const byEnd = groupBy(reports, hasFailed);
	return [byEnd.get(false) ?? [], byEnd.get(true) ?? []].filter(({ length }) => length > 0);
}

/** Facts in an order that does not follow from the one in which they came: what is equal is sorted by what it says. */
function sorted(facts: Fact[], by: (one: Fact, other: Fact) => number): Fact[] {
	if (facts.length < 2) return facts;
	const said = facts.map((fact): [Fact, string] => [fact, JSON.stringify([fact.report, { ...fact, index: 0 }])]);
	said.sort(([one, words], [other, otherWords]) => by(one, other) || compare(words, otherWords));
	return said.map(([fact]) => fact);
}

export const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

const least = (times: number[]): number | undefined => times.sort((one, other) => one - other)[0];

/**
 * The attempts at one person as one: delivered if any of them is, otherwise as the newest is. A try that was certainly
 * not sent is none where another was: what the one before it says stays true, and so it can be sent again. The platform
 * reports each SMS of a long message by itself: with a delivered and a failed one the attempt is only partly delivered.
 */
function messageOf(list: string, attempts: Attempt[]): Message {
	attempts.sort(
		(one, other) => (other.sentAt ?? 0) - (one.sentAt ?? 0) || compare(other.reference ?? '', one.reference ?? ''),
	);
	const sent = attempts.filter(({ state }) => state !== 'notSent');
	const counting = sent.length > 0 ? sent : attempts;
	const earlier = new Set(counting.map(({ againOf }) => againOf));
	const newest = counting.find(({ reference }) => !earlier.has(reference)) ?? counting[0]!;
	// What the newest attempt does not say of itself, an earlier one may: its columns, say.
	const { facts: newestFacts, isMixed: _, ...known } = newest;
	const facts = [...newestFacts, ...attempts.flatMap((attempt) => attempt.facts)];
	const said = {} as Fact;
	for (const fact of facts.toReversed()) Object.assign(said, withoutUndefined(fact));
	const segments = said.segments ?? (said.text === undefined ? 1 : countSegments(said.text));
	const isPartly = (each: Attempt) =>
		(each.isMixed && segments > 1) || each.facts.some(({ state }) => state === 'partly');
	const whole = counting.flatMap((each) => (isPartly(each) ? each.facts.filter(mayBeEarlier) : each.facts));
	const best = decisive(whole.filter(({ report }) => report !== undefined))?.report;
	return {
		...said,
		...known,
		...(isPartly(newest) && { state: 'partly', report: decisive(newest.facts.filter(hasFailed))?.report }),
		...(best?.delivered === true && { state: 'delivered', report: best }),
		list,
		columns: said.columns ?? {},
		// Attempts that are not there any more an earlier follow-up has counted.
		attempts: counting.reduce((most, each) => Math.max(most, each.attempts + Number(each !== newest)), counting.length),
		answer: latest(facts.flatMap(({ answer }) => answer ?? [])),
		departures: sent.flatMap(departuresOf),
		items: [...new Set(facts.map(({ index }) => index))].sort((one, other) => one - other),
	};
}

/** When an attempt left, and to whom. Without a time of its own it is as old as the row of the table that says it. */
function departuresOf({ state, sentAt, facts }: Attempt): Message['departures'] {
	const recipient = facts.find((fact) => fact.recipient !== undefined)?.recipient;
	if (recipient === undefined || state === 'notWanted') return [];
	return [{ recipient, at: sentAt ?? least(facts.flatMap(({ createdAt }) => createdAt ?? [])) ?? -Infinity }];
}

/** The last of several answers; of those that came at once the alphabet decides. */
export const latest = (answers: Answer[]): Answer | undefined =>
	answers.sort((one, other) => other.at - one.at || compare(JSON.stringify(one), JSON.stringify(other)))[0];

import type { IDataObject } from 'n8n-workflow';

import { withoutUndefined } from '../../../lib/n8n/items';
import { groupBy } from '../../../lib/texts/groups';
import type { State } from '../items/facts';
import { segmentsOf, type Attempt } from '../messages/attempt';
import { earliest } from '../messages/order';

/*
 * Counts what was sent in each month. Each attempt to send a message counts as one message, if the platform accepted the
 * attempt or if its outcome is unknown. An attempt counts in the month in which it was sent. Two attempts to send one message
 * count as two, and one attempt in two lists counts as one.
 */

/** The counts of one month and service. `delivered`, `partly`, `notDelivered`, `unknown` and `open` add up to `messages`. */
export interface Usage {
	/** The month as YYYY-MM. Undefined: it is not known when the messages were sent. */
	month?: string;
	serviceId?: string;
	counts: Counts;
	/** The indices of the counted items. */
	items: number[];
}

/**
 * The names of the counts. `segments`: the SMS of messages whose length is known. `withoutText`: messages whose length is not
 * known, because their text is missing. `unknown`: messages of unknown outcome without a report. `open`: other messages without
 * a final report so far.
 */
const COUNTS = [
	'messages',
	'segments',
	'withoutText',
	'delivered',
	'partly',
	'notDelivered',
	'unknown',
	'open',
] as const;
export type Counts = Partial<Record<(typeof COUNTS)[number], number>>;

/** The name of the count for each state. Undefined: the attempt was not sent and is not counted. */
const COUNTED_AS: Record<State, keyof Counts | undefined> = {
	delivered: 'delivered',
	partly: 'partly',
	notDelivered: 'notDelivered',
	unknown: 'unknown',
	late: 'open',
	onItsWay: 'open',
	notWanted: undefined,
	notSent: undefined,
};

/** Returns the usage of one attempt. Undefined: the attempt does not count. @param monthOf returns the month of a time */
export function usageOf(attempt: Attempt, monthOf: (time: number) => string): Usage | undefined {
	const { facts, reports, state } = attempt;
	const countedAs = COUNTED_AS[state];
	if (countedAs === undefined) return undefined;
	const time = timeOf(attempt);
	const segments = segmentsOf(facts);
	const count = { messages: 1, segments: segments ?? 0, withoutText: segments === undefined ? 1 : 0, [countedAs]: 1 };
	return {
		month: time === undefined ? undefined : monthOf(time),
		serviceId: facts.find(({ serviceId }) => serviceId !== undefined)?.serviceId,
		counts: count,
		items: [...facts, ...reports].map(({ index }) => index),
	};
}

/**
 * Returns when an attempt was sent. If that is not known, returns when its row was added to the data table, or otherwise when its
 * report arrived.
 */
function timeOf({ sentAt, facts, report }: Attempt): number | undefined {
	if (sentAt !== undefined) return sentAt;
	const createdAt = earliest(facts.flatMap((fact) => fact.createdAt ?? []));
	return createdAt ?? (report?.reportedAt === undefined ? undefined : Date.parse(report.reportedAt));
}

/** Returns a function that returns the month of a time as YYYY-MM. */
export function monthReader(timeZone: string): (time: number) => string {
	// The Swedish locale formats dates as YYYY-MM-DD.
	const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
	return (time) => format.format(time).slice(0, 7);
}

/** Adds up the usage of each month and service, the oldest month first. An unknown month comes before all others. */
export function addUp(all: Usage[]): Usage[] {
	const byMonth = groupBy(all, ({ month = '', serviceId = '' }) => JSON.stringify([month, serviceId]));
	return [...byMonth]
		.sort(([one], [other]) => (one < other ? -1 : 1))
		.map(([, [first, ...more]]) => ({
			...first!,
			counts: sumOf([first!, ...more]),
			items: [...new Set([first!, ...more].flatMap(({ items }) => items))].sort((one, other) => one - other),
		}));
}

/** Returns the sum of all counts. A missing count is 0. */
export const sumOf = (all: Usage[]): Counts =>
	Object.fromEntries(COUNTS.map((name) => [name, all.reduce((sum, { counts }) => sum + (counts[name] ?? 0), 0)]));

export const usageItem = ({ month, serviceId, counts }: Usage): IDataObject =>
	withoutUndefined({ month, serviceId, ...counts });

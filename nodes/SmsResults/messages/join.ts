import { groupBy } from '../../../lib/texts/groups';
import type { MessageFact, ReportFact } from '../items/facts';
import { readAttempt, type Attempt, type Lateness } from './attempt';
import { messageOf, type Message } from './message';
import { chooseReport, groupReports, referenceKey, splitFailed } from './reports';
import { groupByMessage } from './sameMessage';
import { withoutSentLater } from './sentLater';

/*
 * Joins messages with their delivery reports. The order of the items and repeated items make no difference to the result. The
 * items may contain results of earlier runs. The running time does not grow with the square of the number of items, because each
 * fact is read for one message only, and each reference has at most two reports that count.
 */

interface Joined {
	messages: Message[];
	/** The reports that count (see `reports.ts`) and whose message is not among the items. */
	otherReports: OtherReport[];
}

/** A report whose message is not among the items. `items`: the indices of all items about the same message. */
export type OtherReport = Omit<ReportFact, 'index'> & { items: number[] };

/** Joins facts and reports to messages. @param unnamed the name of the list for messages without a list */
export function joinMessages(facts: MessageFact[], reports: ReportFact[], lateness: Lateness, unnamed = ''): Joined {
	const byReference = groupReports(reports);
	const decisive = decisiveReports(byReference);
	const messages = withoutSentLater(groupByMessage(facts, unnamed)).map(([list, of]) =>
		messageOf(list, readAttempts(of, decisive, lateness)),
	);
	const known = new Set(facts.flatMap(({ reference }) => (reference === undefined ? [] : referenceKey(reference))));
	const others = [...byReference].filter(([key]) => !known.has(key)).flatMap(([, group]) => splitFailed(group));
	return { messages, otherReports: others.map(otherReport) };
}

/**
 * Returns the attempts of all lists with their reports. A fact without a reference is left out, because the platform did not
 * accept that attempt.
 */
export function joinAttempts(facts: MessageFact[], reports: ReportFact[], lateness: Lateness): Attempt[] {
	const withReference = facts.filter(({ reference }) => reference !== undefined);
	return readAttempts(withReference, decisiveReports(groupReports(reports)), lateness);
}

const decisiveReports = (byReference: Map<string, ReportFact[]>) =>
	new Map(
		[...byReference].map(([key, group]) => [key, splitFailed(group).flatMap((each) => chooseReport(each) ?? [])]),
	);

const readAttempts = (facts: MessageFact[], reports: Map<string, ReportFact[]>, lateness: Lateness): Attempt[] =>
	[...groupBy(facts, ({ reference }) => reference)].map(([reference, of]) =>
		readAttempt(of, reference === undefined ? [] : (reports.get(referenceKey(reference)) ?? []), lateness),
	);

function otherReport(reports: ReportFact[]): OtherReport {
	const { index: _, ...report } = chooseReport(reports)!;
	return { ...report, items: reports.map(({ index }) => index).sort((one, other) => one - other) };
}

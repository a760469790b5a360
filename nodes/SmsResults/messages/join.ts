import { groupBy } from '../../../lib/texts/groups';
import type { MessageFact, ReportFact } from '../items/facts';
import { readAttempt, type Attempt, type Lateness } from './attempt';
import { messageOf, type Message } from './message';
import { chooseReport, groupReports, referenceKey, splitFailed } from './reports';
import { groupByMessage } from './sameMessage';
import { withoutSentLater } from './sentLater';

/*
 * Joins messages with their delivery reports. The result depends neither on the order of the items nor on repeated ones,
 * and items made from the result may be among them. Each fact is read for one message only, and each reference has at most
 * two reports that count. So the time does not grow with the square of the items.
 */

interface Joined {
	messages: Message[];
	/** The reports that count, but whose message is not among the items. */
	otherReports: OtherReport[];
}

/** `items`: the indices of all items about the same message. */
export type OtherReport = Omit<ReportFact, 'index'> & { items: number[] };

/** @param unnamed the name of the list for messages without a list */
export function joinMessages(facts: MessageFact[], reports: ReportFact[], lateness: Lateness, unnamed = ''): Joined {
	const byReference = groupReports(reports);
	const decisive = decisiveReports(byReference);
	const messages = withoutSentLater(groupByMessage(facts, unnamed)).map(([list, of]) =>
		messageOf(list, readAttempts(of, decisive, lateness)),
	);
	const known = new Set(facts.flatMap(({ reference }) => (reference === undefined ? [] : referenceKey(reference))));
	const others = [...byReference].filter(([key]) => !known.has(key)).flatMap(([, of]) => splitFailed(of));
	return { messages, otherReports: others.map(otherReport) };
}

/** Returns each attempt of all lists with its reports. Without a reference the platform did not accept it, so it is left out. */
export function joinAttempts(facts: MessageFact[], reports: ReportFact[], lateness: Lateness): Attempt[] {
	const taken = facts.filter(({ reference }) => reference !== undefined);
	return readAttempts(taken, decisiveReports(groupReports(reports)), lateness);
}

const decisiveReports = (byReference: Map<string, ReportFact[]>) =>
	new Map([...byReference].map(([key, of]) => [key, splitFailed(of).flatMap((each) => chooseReport(each) ?? [])]));

const readAttempts = (facts: MessageFact[], reports: Map<string, ReportFact[]>, lateness: Lateness): Attempt[] =>
	[...groupBy(facts, ({ reference }) => reference)].map(([reference, of]) =>
		readAttempt(of, reference === undefined ? [] : (reports.get(referenceKey(reference)) ?? []), lateness),
	);

function otherReport(reports: ReportFact[]): OtherReport {
	const { index: _, ...report } = chooseReport(reports)!;
	return { ...report, items: reports.map(({ index }) => index).sort((one, other) => one - other) };
}

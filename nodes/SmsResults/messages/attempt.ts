import { countSegments } from '../../../lib/smsPlatform/segments';
import { STATES, type MessageFact, type Report, type ReportFact, type State } from '../items/facts';
import { earliest, sortFacts } from './order';
import { chooseReport, hasFailed } from './reports';

/*
 * Decides the state of an attempt to send a message, from all facts about it. Facts with the same reference are about the same
 * attempt.
 */

const HOUR = 3_600_000;

/** An attempt to send a message. Times are in milliseconds since 1970. */
export interface Attempt {
	reference?: string;
	/** The reference of the earlier attempt. */
	againOf?: string;
	state: State;
	sentAt?: number;
	since?: number;
	/** The report that counts. */
	report?: Report;
	/** The number of attempts to send the message, including this one. */
	attempts: number;
	/** The facts about the attempt. The fact with the most informative state comes first. */
	facts: MessageFact[];
	reports: ReportFact[];
	/** The facts and reports about the whole message. Others are about one SMS of a message that takes several. */
	ofWhole: Array<MessageFact | ReportFact>;
}

/** The rule for messages without a final report: they are late after some hours. */
export interface Lateness {
	now: number;
	lateAfterHours: number;
}

/** Makes an attempt from all facts and reports about it. @param facts at least one fact */
export function readAttempt(facts: MessageFact[], reports: ReportFact[], lateness: Lateness): Attempt {
	const sorted = sortFacts(facts, byState);
	const { reference, state: bestState } = sorted[0]!;
	const sentAt = earliest(sorted.flatMap((fact) => fact.sentAt ?? []));
	const since = sentAt ?? earliest(sorted.flatMap((fact) => fact.since ?? []));
	const againOf = sorted.flatMap((fact) => fact.againOf ?? []).sort()[0];
	const attempts = sorted.reduce((most, fact) => Math.max(most, fact.attempts), 1);
	const known = { reference, againOf, sentAt, since, attempts, facts: sorted, reports };

	const all = [...sorted, ...reports];
	if (isPartly(sorted, reports)) {
		const report = chooseReport(all.filter((fact) => hasFailed(fact.report)))?.report;
		return { ...known, state: 'partly', report, ofWhole: sorted.filter(mayBeOfEarlierAttempt) };
	}
	const report = chooseReport(all)?.report;
	return { ...known, report, state: stateOf(bestState, report, since, lateness), ofWhole: all };
}

/** Returns the state of an attempt. @param bestState the most informative state among the facts */
function stateOf(bestState: State, report: Report | undefined, since: number | undefined, lateness: Lateness): State {
	if (report?.final === true) return report.delivered ? 'delivered' : 'notDelivered';
	if (report === undefined && STATES.indexOf(bestState) > STATES.indexOf('onItsWay')) return bestState;
	return since === undefined || lateness.now - since > lateness.lateAfterHours * HOUR ? 'late' : 'onItsWay';
}

/** Sorts facts by state, the most informative first, and then by time, the newest first. */
const byState = (one: MessageFact, other: MessageFact): number =>
	STATES.indexOf(one.state) - STATES.indexOf(other.state) || (other.createdAt ?? 0) - (one.createdAt ?? 0);

/** Returns whether the message takes several SMS and only some of them were delivered. */
function isPartly(facts: MessageFact[], reports: ReportFact[]): boolean {
	if (facts.some(({ state }) => state === 'partly')) return true;
	const all = [...facts, ...reports];
	const isDelivered =
		facts.some((fact) => fact.report?.delivered === true && !mayBeOfEarlierAttempt(fact)) ||
		reports.some(({ report }) => report.delivered);
	return isDelivered && all.some(({ report }) => hasFailed(report)) && (segmentsOf(facts) ?? 1) > 1;
}

/** Returns how many SMS the message takes. Undefined: this is not known. */
export function segmentsOf(facts: Array<Pick<MessageFact, 'segments' | 'text'>>): number | undefined {
	const segments = facts.find((fact) => fact.segments !== undefined)?.segments;
	if (segments !== undefined) return segments;
	const text = facts.find((fact) => fact.text !== undefined)?.text;
	return text === undefined ? undefined : countSegments(text);
}

/** Returns whether the report in a row of the messages table may be about an earlier attempt that was delivered. */
const mayBeOfEarlierAttempt = ({ state, attempts }: MessageFact): boolean => state === 'delivered' && attempts > 1;

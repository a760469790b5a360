import { countSegments } from '../../../lib/smsPlatform/segments';
import { STATES, type MessageFact, type Report, type ReportFact, type State } from '../items/facts';
import { earliest, sortFacts } from './order';
import { chooseReport, hasFailed } from './reports';

/* Decides the state of one attempt to send a message, which has one reference, from all facts about it. */

const HOUR = 3_600_000;

export interface Attempt {
	reference?: string;
	/** The reference of the attempt before it. */
	againOf?: string;
	state: State;
	sentAt?: number;
	since?: number;
	report?: Report;
	/** How many attempts there were, this one included. */
	attempts: number;
	/** The fact with the most informative state comes first. */
	facts: MessageFact[];
	reports: ReportFact[];
	/** Facts and reports that are about the whole message, not about one of its SMS parts. */
	ofWhole: Array<MessageFact | ReportFact>;
}

/** When a message without a final report becomes late. */
export interface Lateness {
	now: number;
	lateAfterHours: number;
}

/** @param facts at least one */
export function readAttempt(facts: MessageFact[], reports: ReportFact[], lateness: Lateness): Attempt {
	const sorted = sortFacts(facts, knowsMore);
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

function stateOf(bestState: State, report: Report | undefined, since: number | undefined, lateness: Lateness): State {
	if (report?.final === true) return report.delivered ? 'delivered' : 'notDelivered';
	if (report === undefined && STATES.indexOf(bestState) > STATES.indexOf('onItsWay')) return bestState;
	return since === undefined || lateness.now - since > lateness.lateAfterHours * HOUR ? 'late' : 'onItsWay';
}

/** Sorts by state, the most informative first, and then by time, the newest first. */
const knowsMore = (one: MessageFact, other: MessageFact): number =>
	STATES.indexOf(one.state) - STATES.indexOf(other.state) || (other.createdAt ?? 0) - (one.createdAt ?? 0);

/** Whether the message takes several SMS and only some of them were delivered. */
function isPartly(facts: MessageFact[], reports: ReportFact[]): boolean {
	if (facts.some(({ state }) => state === 'partly')) return true;
	const all = [...facts, ...reports];
	const isDelivered =
		facts.some((fact) => fact.report?.delivered === true && !mayBeOfEarlierAttempt(fact)) ||
		reports.some(({ report }) => report.delivered);
	return isDelivered && all.some(({ report }) => hasFailed(report)) && (segmentsOf(facts) ?? 1) > 1;
}

/** Returns how many SMS the message takes, if that is known. */
export function segmentsOf(facts: Array<Pick<MessageFact, 'segments' | 'text'>>): number | undefined {
	const segments = facts.find((fact) => fact.segments !== undefined)?.segments;
	if (segments !== undefined) return segments;
	const text = facts.find((fact) => fact.text !== undefined)?.text;
	return text === undefined ? undefined : countSegments(text);
}

/** Whether the report in a row of the messages table may belong to an earlier attempt that was delivered. */
const mayBeOfEarlierAttempt = ({ state, attempts }: MessageFact): boolean => state === 'delivered' && attempts > 1;

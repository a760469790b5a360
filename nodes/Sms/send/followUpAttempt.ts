import type { IDataObject } from 'n8n-workflow';

import type { Fact, Names, Report, State } from './followUpFact';

const HOUR = 3_600_000;

/** One message, by all that is known of it. */
export interface Attempt extends Names {
	reference?: string;
	/** The reference of the attempt before it. */
	againOf?: string;
	state: State;
	/** Of one that was not sent: why, for people. */
	notice?: string;
	sentAt?: number;
	/** Since when it is as it is, as far as that is known. */
	since?: number;
	/** The report by which its state is known, or the latest one. */
	report?: Report;
	columns: IDataObject;
	/** How many attempts an earlier follow-up counted up to this one. */
	attempts: number;
}

/**
 * What is known of one message, whatever the order of what says it, and however often it says it.
 *
 * @param facts about this message, with its reports; the first is no report
 */
export function attemptOf(facts: Fact[], now: number, lateAfterHours: number): Attempt {
	// Where two rows of one list are the same message, a review says of the second that it was sent before.
	const isOnlyReviewed = facts.some(({ outcome }) => outcome === 'reviewed');
	const isTaken = ({ outcome }: Fact) => outcome === 'taken' || (outcome === 'reviewedTaken' && !isOnlyReviewed);
	const left = facts.filter((fact) => isTaken(fact) || fact.outcome === 'begun');
	const sentAt = least(left.map((fact) => fact.sentAt));
	const since = sentAt ?? least(left.map(({ createdAt }) => createdAt));
	const report = decisive(facts.flatMap((fact) => fact.report ?? []));

	const known = {
		reference: facts[0]!.reference,
		againOf: leastText(facts.map(({ againOf }) => againOf).filter((againOf) => againOf !== facts[0]!.reference)),
		sentAt,
		since,
		report,
		attempts: facts.reduce((most, { attempts }) => Math.max(most, attempts), 1),
		...namesOf(facts),
	};
	if (report?.final === true) return { ...known, state: report.delivered ? 'delivered' : 'notDelivered' };
	if (report !== undefined || facts.some(isTaken)) return { ...known, state: isLate() ? 'late' : 'onItsWay' };
	if (left.length > 0) return { ...known, state: 'unknown' };
	if (facts.some(({ outcome }) => outcome === 'notWanted')) return { ...known, state: 'notWanted' };
	return { ...known, state: 'notSent', notice: latestNotice(facts) };

	function isLate(): boolean {
		const says = (state: State) => facts.some(({ stated }) => stated === state);
		// What was late once stays so where nobody knows since when: a table's rows are newer than what they say.
		if (sentAt === undefined && says('late')) return true;
		return since === undefined ? !says('onItsWay') : now - since > lateAfterHours * HOUR;
	}
}

/** The report that counts: the first that says delivered, otherwise the last final one, otherwise the last. */
export function decisive(reports: Report[]): Report | undefined {
	let best: Report | undefined;
	for (const report of reports) if (best === undefined || countsMore(report, best)) best = report;
	return best;
}

function countsMore(one: Report, other: Report): boolean {
	if (one.delivered !== other.delivered) return one.delivered;
	if (one.final !== other.final) return one.final;
	const [at, otherAt] = [one.at ?? 0, other.at ?? 0];
	if (at !== otherAt) return one.delivered ? at < otherAt : at > otherAt;
	return wordsOf(one) < wordsOf(other);
}

const wordsOf = ({ status, errorCode }: Report) => JSON.stringify([status, errorCode]);

/**
 * Names and columns as the items say that know them best; between equals the alphabet decides, because their order may not.
 */
export function namesOf(facts: Fact[]): Names & { columns: IDataObject } {
	const pick = <T>(of: (fact: Fact) => T | undefined, inOrder: (value: T) => string = String): T | undefined => {
		let best: { value: T; weight: number; order?: string } | undefined;
		for (const fact of facts) {
			const value = of(fact);
			if (value === undefined || (best !== undefined && fact.weight < best.weight)) continue;
			if (best === undefined || fact.weight > best.weight) best = { value, weight: fact.weight };
			else if (value !== best.value && inOrder(value) < inOrder(best.value)) best.value = value;
		}
		return best?.value;
	};
	const names = {
		recipient: pick(({ recipient }) => recipient),
		serviceId: pick(({ serviceId }) => serviceId),
		messageId: pick(({ messageId }) => messageId),
		text: pick(({ text }) => text),
		segments: pick(({ segments }) => segments),
	};
	const columns = pick(({ columns: each }) => (Object.keys(each).length > 0 ? each : undefined), JSON.stringify);
	return { ...names, columns: columns ?? {} };
}

/** A row may have failed more than once: what it was in the end, where a table says when. */
function latestNotice(facts: Fact[]): string | undefined {
	const said = facts.filter(({ notice }) => notice !== undefined);
	const latest = said.reduce((last, { createdAt }) => Math.max(last, createdAt ?? 0), 0);
	return leastText(said.filter(({ createdAt }) => (createdAt ?? 0) === latest).map(({ notice }) => notice));
}

const least = (times: Array<number | undefined>): number | undefined => {
	let found: number | undefined;
	for (const time of times) if (time !== undefined && (found === undefined || time < found)) found = time;
	return found;
};

function leastText(texts: Array<string | undefined>): string | undefined {
	let found: string | undefined;
	for (const text of texts) if (text !== undefined && (found === undefined || text < found)) found = text;
	return found;
}

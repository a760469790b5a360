import { decisive, type Attempt } from './followUpAttempt';
import type { Report } from './followUpFact';

/** What became of the attempts at one person, as one. */
export interface Outcome extends Attempt {
	/** The latest time at which anything was sent. */
	lastSent?: number;
}

/**
 * The attempts at one person as one: delivered if any of them is, otherwise as the newest is. A try that was certainly not
 * sent is none where another was: what the one before it says stays true, and so it can be sent again under the same name.
 *
 * @param attempts at least one, each with a reference of its own
 */
export function outcomeOf(attempts: Attempt[]): Outcome {
	if (attempts.length === 1 && attempts[0]!.againOf === undefined)
		return { ...attempts[0]!, lastSent: attempts[0]!.since };
	const before = parentsOf(attempts);
	const counts = (attempt: Attempt) => attempt.state !== 'notSent';
	const sent = attempts.some(counts) ? attempts.filter(counts) : attempts;
	const isSent = new Set(sent);
	const depths = depthsOf(attempts, before, isSent);

	const earlier = new Set<Attempt>();
	for (const attempt of sent) {
		for (let at = before.get(attempt); at !== undefined && !earlier.has(at); at = before.get(at)) earlier.add(at);
	}
	const newest = sent
		.filter((attempt) => !earlier.has(attempt))
		.reduce((one, other) => (isNewer(other, one, depths) ? other : one));
	const delivered = decisive(sent.flatMap(({ report }) => (report?.delivered === true ? [report] : [])));
	const named = new Set(attempts.map(({ reference }) => reference));
	const gone = new Set(sent.flatMap(({ againOf }) => (againOf === undefined || named.has(againOf) ? [] : [againOf])));
	return {
		...newest,
		...filledFrom(newest, attempts),
		...deliveredBy(delivered),
		// Where a circle was cut, there is none before it.
		againOf: before.has(newest) || !named.has(newest.againOf) ? newest.againOf : undefined,
		attempts: sent.reduce((most, attempt) => Math.max(most, depths.get(attempt)!), sent.length + gone.size),
		lastSent: sent.reduce<number | undefined>((last, { since }) => (since! > (last ?? 0) ? since : last), undefined),
	};
}

const deliveredBy = (report: Report | undefined): Partial<Attempt> =>
	report === undefined ? {} : { state: 'delivered', report, notice: undefined };

/** The attempt before each, without circles: of those in a circle, the first of the alphabet has none before it. */
function parentsOf(attempts: Attempt[]): Map<Attempt, Attempt> {
	const byReference = new Map(attempts.map((attempt) => [attempt.reference, attempt]));
	const before = new Map<Attempt, Attempt>();
	for (const attempt of attempts) {
		const parent = attempt.againOf === undefined ? undefined : byReference.get(attempt.againOf);
		if (parent !== undefined && parent !== attempt) before.set(attempt, parent);
	}
	const walks = new Map<Attempt, number>();
	for (const [walk, start] of attempts.entries()) {
		let at: Attempt | undefined = start;
		while (at !== undefined && !walks.has(at)) {
			walks.set(at, walk);
			at = before.get(at);
		}
		if (at === undefined || walks.get(at) !== walk) continue;
		let first = at;
		for (let each = before.get(at)!; each !== at; each = before.get(each)!) {
			if (each.reference! < first.reference!) first = each;
		}
		before.delete(first);
	}
	return before;
}

/** How many attempts there were up to each, itself included. */
function depthsOf(attempts: Attempt[], before: Map<Attempt, Attempt>, isSent: Set<Attempt>): Map<Attempt, number> {
	const named = new Set(attempts.map(({ reference }) => reference));
	const depths = new Map<Attempt, number>();
	for (const start of attempts) {
		const path: Attempt[] = [];
		for (let at: Attempt | undefined = start; at !== undefined && !depths.has(at); at = before.get(at)) path.push(at);
		for (const attempt of path.reverse()) {
			const parent = before.get(attempt);
			const isParentGone = attempt.againOf !== undefined && !named.has(attempt.againOf);
			const upTo = parent === undefined ? Number(isParentGone) : depths.get(parent)!;
			depths.set(attempt, Math.max(attempt.attempts, upTo + Number(isSent.has(attempt))));
		}
	}
	return depths;
}

function isNewer(one: Attempt, other: Attempt, depths: Map<Attempt, number>): boolean {
	const [at, otherAt] = [one.since ?? 0, other.since ?? 0];
	if (at !== otherAt) return at > otherAt;
	const deeper = depths.get(one)! - depths.get(other)!;
	return deeper === 0 ? one.reference! > other.reference! : deeper > 0;
}

/** What the newest attempt does not say of itself, an earlier one may: its columns, say. The first of the alphabet that does. */
function filledFrom(newest: Attempt, attempts: Attempt[]): Partial<Attempt> {
	const others = [...attempts].sort((one, other) => (one.reference! < other.reference! ? -1 : 1));
	const find = <T>(of: (attempt: Attempt) => T | undefined) => {
		const found = of(newest);
		return found ?? others.map(of).find((value) => value !== undefined);
	};
	return {
		recipient: find(({ recipient }) => recipient),
		serviceId: find(({ serviceId }) => serviceId),
		messageId: find(({ messageId }) => messageId),
		text: find(({ text }) => text),
		segments: find(({ segments }) => segments),
		columns: find(({ columns }) => (Object.keys(columns).length > 0 ? columns : undefined)) ?? {},
	};
}

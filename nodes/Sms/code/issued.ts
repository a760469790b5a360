import { fault } from '../../shared/problem';
import { countPlaces, nextPlaces, type Counter } from './counters';
import { tooManyCodes } from './limits';
import type { Notes } from './notes';
import type { Period } from './oneTimeCode';
import { LAST_ISSUE, type Verification } from './verificationId';

/*
 * What is remembered of the codes of a period: which were sent, which were used, and how many wrong ones were typed. By
 * number, purpose and period, never by the text of a verification id, of which there may be any number.
 */

const note = (what: string, { mobile, purpose, validMinutes, index }: Period, count: number) =>
	[what, mobile, purpose, validMinutes, index, count].join('\n');

const attempts = (period: Period, most: number): Counter => ({
	noteOf: (place) => note('attempt', period, place),
	most,
});
export const usedNote = (period: Period, issue: number) => note('used', period, issue);
/** A code is sent several times to whoever asks again; more often than this to nobody. */
export const sentCounter = (period: Period, issue: number): Counter => ({
	noteOf: (place) => note(`sent ${issue}`, period, place),
	most: 64,
});

export const before = (period: Period): Period => ({ ...period, index: period.index - 1 });

/** How many wrong codes may still be typed for each of these periods. */
export async function attemptsLeft(notes: Notes, periods: Period[], maxAttempts: number): Promise<number[]> {
	const counts = await countPlaces(
		notes,
		periods.map((period) => attempts(period, maxAttempts)),
	);
	return counts.map((count) => maxAttempts - count);
}

/**
 * Counts one wrong code against a period whose codes it was compared with, so that none of them is tried more often by way
 * of another's id. Where another process counts too, each takes a place of its own.
 *
 * @param left how many were left of each when it was looked up
 * @returns how many are left now; undefined where none was left for this one
 */
export async function countWrong(
	notes: Notes,
	periods: Period[],
	left: number[],
	maxAttempts: number,
): Promise<Array<number | undefined>> {
	const places = left.map((each) => maxAttempts - each);
	const isDone = periods.map(() => false);
	for (;;) {
		const open = periods.flatMap((period, index) =>
			!isDone[index] && places[index]! < maxAttempts ? [{ period, index }] : [],
		);
		if (open.length === 0) break;
		const next = nextPlaces(
			notes,
			open.map(({ period }) => attempts(period, maxAttempts)),
			open.map(({ index }) => places[index]!),
		);
		const areFree = await notes.put(next);
		for (const [which, { index }] of open.entries()) {
			places[index]!++;
			isDone[index] = areFree[which]!;
		}
	}
	return places.map((place, index) => (isDone[index] ? maxAttempts - place : undefined));
}

/** What has to be counted to know which code of a period is the next one. */
export const issueCounters = (period: Period, maxAttempts: number): Counter[] => {
	const earlier = before(period);
	return [
		{ noteOf: (issue) => usedNote(period, issue), most: LAST_ISSUE + 1 },
		{ noteOf: (issue) => sentCounter(earlier, issue).noteOf(0), most: LAST_ISSUE + 1 },
		attempts(period, maxAttempts),
		attempts(earlier, maxAttempts),
	];
};

/**
 * Which code is the one to send: the period's, the same however often it is asked for, or the next one where that was
 * used. The last one of the period before stays valid beside it.
 *
 * @param counts of the issue counters
 * @throws Problem where the attempts of the period are spent: a new code would be new attempts
 */
export function chooseIssue(
	{ validMinutes }: Period,
	maxAttempts: number,
	counts: number[],
): Pick<Verification, 'issue' | 'earlierIssue'> {
	const [used, earlierSent, tried, earlierTried] = counts as [number, number, number, number];
	if (tried === maxAttempts) {
		const wait = validMinutes === 1 ? 'a minute' : `${validMinutes} minutes`;
		throw fault('tooManyAttempts', {}, `No code was sent. The next one can be sent in ${wait} at most`);
	}
	if (used > LAST_ISSUE) throw tooManyCodes('αργότερα', 'later', 'Too many codes of this number were used');
	return {
		issue: used,
		earlierIssue: earlierSent > 0 && earlierTried < maxAttempts ? earlierSent - 1 : undefined,
	};
}

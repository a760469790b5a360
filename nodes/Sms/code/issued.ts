import { Problem } from '../../shared/problem';
import { countPlaces, nextPlaces, type Counter } from './counters';
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
const sentNote = (period: Period, issue: number) => sentCounter(period, issue).noteOf(0);

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
 * Counts one wrong code against every period whose codes it was compared with, so that none of them is tried more often
 * by way of another's id.
 */
export async function countWrong(notes: Notes, periods: Period[], left: number[], maxAttempts: number): Promise<void> {
	const counters = periods.map((period) => attempts(period, maxAttempts));
	await notes.put(
		nextPlaces(
			notes,
			counters,
			left.map((each) => maxAttempts - each),
		),
	);
}

/**
 * Which code is the one to send: the period's, the same however often it is asked for, or the next one where that was
 * used. The last one of the period before stays valid beside it.
 *
 * @throws Problem where the attempts of the period are spent: a new code would be new attempts
 */
export async function chooseIssue(
	notes: Notes,
	period: Period,
	maxAttempts: number,
): Promise<Pick<Verification, 'issue' | 'earlierIssue'>> {
	const earlier = before(period);
	const [isUsed, hasEarlier] = await notes.look([usedNote(period, 0), sentNote(earlier, 0)]);
	const [left, earlierLeft] = await attemptsLeft(notes, hasEarlier ? [period, earlier] : [period], maxAttempts);
	if (left === 0) {
		const wait = period.validMinutes === 1 ? 'a minute' : `${period.validMinutes} minutes`;
		throw new Problem(
			'No code was sent: too many wrong codes were typed for this number',
			`Try again in ${wait}, or later`,
			{ outcome: 'rejected' },
		);
	}
	return {
		issue: isUsed ? await countNotes(notes, (issue) => usedNote(period, issue)) : 0,
		earlierIssue:
			hasEarlier && earlierLeft !== 0 ? (await countNotes(notes, (issue) => sentNote(earlier, issue))) - 1 : undefined,
	};
}

/** How many notes there are of those that are counted from 0, the first of which is there. */
async function countNotes(notes: Notes, noteOf: (issue: number) => string): Promise<number> {
	const [count] = await countPlaces(notes, [{ noteOf, most: LAST_ISSUE + 1 }]);
	if (count! <= LAST_ISSUE) return count!;
	throw new Problem(
		'No code was sent: too many codes were used for this number',
		'Try again when the last one has expired',
		{ outcome: 'rejected' },
	);
}

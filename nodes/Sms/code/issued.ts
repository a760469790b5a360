import { Problem } from '../../shared/problem';
import type { Memory } from './memory';
import type { Period } from './oneTimeCode';
import { LAST_ISSUE, type Verification } from './verificationId';

/*
 * What is remembered of the codes of a period: which were sent, which were used, and how many wrong ones were tried. By
 * number, purpose and period, never by the text of a verification id, of which there may be any number.
 */

const note = (what: string, { mobile, purpose, validMinutes, index }: Period, count: number) =>
	[what, mobile, purpose, validMinutes, index, count].join('\n');

const tryNote = (period: Period, place: number) => note('try', period, place);
export const usedNote = (period: Period, issue: number) => note('used', period, issue);
export const sentNote = (period: Period, issue: number) => note('sent', period, issue);

export const before = (period: Period): Period => ({ ...period, index: period.index - 1 });

/** How many wrong codes may still be tried. */
export async function attemptsLeft(memory: Memory, period: Period, maxAttempts: number): Promise<number> {
	const tried = await memory.look(Array.from({ length: maxAttempts }, (_, place) => tryNote(period, place)));
	return tried.filter((isTried) => !isTried).length;
}

/** Counts one wrong code. @returns how many may still be tried; undefined where it was one too many */
export async function countWrong(memory: Memory, period: Period, maxAttempts: number): Promise<number | undefined> {
	const place = await memory.take(maxAttempts, (each) => tryNote(period, each));
	return place === undefined ? undefined : maxAttempts - 1 - place;
}

/**
 * Which code is the one to send: the period's, the same however often it is asked for, or the next one where that was
 * used. The last one of the period before stays valid beside it.
 *
 * @throws Problem where the tries of the period are spent: a new code would be new tries
 */
export async function chooseIssue(memory: Memory, period: Period, maxAttempts: number): Promise<Pick<Verification, 'issue' | 'earlierIssue'>> {
	const earlier = before(period);
	const lastTry = maxAttempts - 1;
	const [isSpent, isUsed, hasEarlier, isEarlierSpent] = await memory.look([
		tryNote(period, lastTry),
		usedNote(period, 0),
		sentNote(earlier, 0),
		tryNote(earlier, lastTry),
	]);
	if (isSpent) {
		const wait = period.validMinutes === 1 ? 'a minute' : `${period.validMinutes} minutes`;
		throw new Problem('Too many wrong codes were tried for this number, so no other was sent', `Try again in ${wait}, or later`, { outcome: 'rejected' });
	}
	return {
		issue: isUsed ? await countNotes(memory, (issue) => usedNote(period, issue)) : 0,
		earlierIssue: hasEarlier && !isEarlierSpent ? (await countNotes(memory, (issue) => sentNote(earlier, issue))) - 1 : undefined,
	};
}

/** How many notes there are of those that are counted from 0, the first of which is there. */
async function countNotes(memory: Memory, noteOf: (issue: number) => string): Promise<number> {
	for (let count = 1; count <= LAST_ISSUE; count++) {
		const [isThere] = await memory.look([noteOf(count)]);
		if (!isThere) return count;
	}
	throw new Problem('Too many codes were used for this number, so no other was sent', 'Try again when the last one has expired', { outcome: 'rejected' });
}

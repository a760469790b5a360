import { fault, type Problem } from '../../shared/problem';
import type { Counter } from './counters';

/** How many codes may go out: to whom, how many, in what time. */
interface Limit {
	/** Tells its notes from those of the others. */
	name: string;
	most: number;
	/** Time is cut into parts of this length, in seconds. */
	part: number;
	/** The present part counts, and so many before it. */
	earlier: number;
}

/** Five in ten minutes: the next is possible after ten to twenty. */
const IN_TEN_MINUTES: Limit = { name: 'ten minutes', most: 5, part: 10 * 60, earlier: 1 };

/** Twenty in a day: the next is possible after 24 to 36 hours. */
const IN_A_DAY: Limit = { name: 'day', most: 20, part: 12 * 3600, earlier: 2 };

/** For the workflow: the last 60 to 70 minutes count. */
export const IN_AN_HOUR: Omit<Limit, 'most'> = { name: 'hour', part: 10 * 60, earlier: 6 };

/** The present part of a limit's time, and the earlier ones that count. @param now Unix seconds */
export function partsOf({ part, earlier }: Pick<Limit, 'part' | 'earlier'>, now: number): number[] {
	const current = Math.floor(now / part);
	return Array.from({ length: earlier + 1 }, (_, back) => current - back);
}

/** Counts the codes of a limit in one of its parts. @param whom the number; empty for the workflow */
export const limitCounter = (name: string, whom: string, part: number, most: number): Counter => ({
	noteOf: (place) => ['limit', name, whom, part, place].join('\n'),
	most,
});

/** The counters of the limits of one number: for each limit the present part first. */
export function numberCounters(mobile: string, now: number): Counter[][] {
	return [IN_TEN_MINUTES, IN_A_DAY].map((limit) =>
		partsOf(limit, now).map((part) => limitCounter(limit.name, mobile, part, limit.most)),
	);
}

/**
 * Whether another code may go to a number.
 *
 * @param counts of the counters of its limits
 * @throws Problem where a limit is reached
 */
export function checkNumberLimits(counts: number[][]): void {
	const [inTenMinutes, inADay] = counts.map((each) => each.reduce((sum, count) => sum + count, 0));
	if (inTenMinutes! >= IN_TEN_MINUTES.most) {
		throw tooManyCodes(
			'σε δέκα ως είκοσι λεπτά',
			'in ten to twenty minutes',
			'Five codes went to this number within ten minutes. The code that was sent is valid until it expires',
		);
	}
	if (inADay! >= IN_A_DAY.most) {
		throw tooManyCodes(
			'σε 24 ως 36 ώρες',
			'in 24 to 36 hours',
			'Twenty codes went to this number within a day. Check that nobody misuses the form',
		);
	}
}

/** @param when how it goes on from "try again" @param advice for the admin */
export const tooManyCodes = (el: string, en: string, advice: string): Problem =>
	fault('tooManyCodes', { when_el: el, when_en: en }, advice);

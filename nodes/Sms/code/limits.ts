import { Problem } from '../../shared/problem';
import { countPlaces, type Counter } from './counters';
import type { Notes } from './notes';

/** How many codes may go out: to whom, how many, in what time. */
interface Limit {
	/** Tells its notes from those of the others. */
	name: string;
	most: number;
	/** Time is cut into parts of this length, in seconds. */
	part: number;
	/** The present part counts, and so many before it. */
	earlier: number;
	/** What a user reads where the limit is reached. */
	refusal: Problem;
}

const refusal = (message: string, description: string) => new Problem(message, description, { outcome: 'rejected' });

/** Five in ten minutes: the next is possible after ten to twenty. */
const IN_TEN_MINUTES: Limit = {
	name: 'ten minutes',
	most: 5,
	part: 10 * 60,
	earlier: 1,
	refusal: refusal(
		'Five codes went to this number within ten minutes, so this one was not sent',
		'The next one can be sent after ten to twenty minutes. The code that was sent is valid until it expires',
	),
};

/** Twenty in a day: the next is possible after 24 to 36 hours. */
const IN_A_DAY: Limit = {
	name: 'day',
	most: 20,
	part: 12 * 3600,
	earlier: 2,
	refusal: refusal(
		'Twenty codes went to this number within a day, so this one was not sent',
		'The next one can be sent after 24 to 36 hours. Check that nobody misuses the form',
	),
};

/** So many in an hour, for the workflow: the last 60 to 70 minutes count. */
const inAnHour = (most: number): Limit => ({
	name: 'hour',
	most,
	part: 10 * 60,
	earlier: 6,
	refusal: refusal(
		`This workflow sent ${most} codes within the hour, so this one was not sent`,
		'Check that nobody misuses the form. If all is in order, set the option Max Codes per Hour higher',
	),
});

/**
 * Whether another code may go out.
 *
 * @returns the counters that count it, and how far they are
 * @param maxPerHour for the workflow; 0: no limit
 * @param now Unix seconds
 * @throws Problem where a limit is reached
 */
export async function checkLimits(
	notes: Notes,
	mobile: string,
	maxPerHour: number,
	now: number,
): Promise<{ counters: Counter[]; counts: number[] }> {
	const limits: Array<[limit: Limit, whom: string]> = [
		[IN_TEN_MINUTES, mobile],
		[IN_A_DAY, mobile],
		...(maxPerHour > 0 ? [[inAnHour(maxPerHour), ''] as [Limit, string]] : []),
	];
	const parts = limits.flatMap(([limit, whom]) => partsOf(limit, now).map((part) => ({ limit, whom, part })));
	const counters = parts.map(
		({ limit, whom, part }): Counter => ({
			noteOf: (place) => ['limit', limit.name, whom, part, place].join('\n'),
			most: limit.most,
		}),
	);
	const counts = await countPlaces(notes, counters);
	const current: number[] = [];
	for (const [limit] of limits) {
		const of = [...parts.keys()].filter((index) => parts[index]!.limit === limit);
		if (of.reduce((sum, index) => sum + counts[index]!, 0) >= limit.most) throw limit.refusal;
		current.push(of[0]!);
	}
	const ofNow = current.map((index) => counters[index]!);
	return { counters: ofNow, counts: current.map((index) => counts[index]!) };
}

/** The present part of a limit's time, and the earlier ones that count. */
function partsOf({ part, earlier }: Limit, now: number): number[] {
	const current = Math.floor(now / part);
	return Array.from({ length: earlier + 1 }, (_, back) => current - back);
}

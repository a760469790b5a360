import { DateTime } from 'luxon';

import { almostFull, whenFull } from '../../lib/texts/memory';
import { aboutCount } from '../../lib/texts/notice';
import type { Results } from '../../lib/n8n/workerPool';
import { fault, Problem } from '../../lib/texts/problem';
import type { MemoryState } from '../../lib/sentMessages/messages';
import { LEAST_REMEMBERED } from '../../lib/sentMessages/room';
import type { ItemResult } from './result';

/*
 * Texts for the case that the memory of sent messages is full or nearly full. The memory is a list that n8n stores for each
 * workflow.
 */

/**
 * Makes the Problem of a message for which the memory has no room. Such a message is not sent.
 * @param zone the workflow's time zone
 * @param isPartOut whether some messages of the user's list were sent, in this run or before
 */
export function memoryFull(state: MemoryState, zone: string, isPartOut: boolean): Problem {
	const from =
		state.againAt === undefined ? '' : DateTime.fromMillis(state.againAt, { zone }).toFormat('dd/MM/yyyy HH:mm');
	const about = {
		...aboutCount('most', LEAST_REMEMBERED),
		from,
		...(state.isBroken && { what: 'memoryBroken' }),
	};
	return problemOf(about, isPartOut);
}

/** Makes the Problem from the values of its text. */
function problemOf(about: Record<string, string | number>, isPartOut: boolean): Problem {
	const { from } = about;
	const todo = from === '' ? 'memoryTooSmall' : isPartOut ? 'memoryFullPart' : 'memoryFullWhole';
	return fault('memoryFull', { ...about, todo }, whenFull(String(from), isPartOut));
}

/**
 * Returns whether some messages of the user's list were accepted in this run, or were skipped because they were sent before or
 * may have been.
 */
export const isPartOut = (results: Results<ItemResult>): boolean =>
	results.some(
		(result) =>
			result !== undefined &&
			!(result instanceof Problem) &&
			(result.kind === 'accepted' ||
				(result.kind === 'skipped' && ['sentBefore', 'unknown'].includes(result.skipReason))),
	);

/** Returns the same Problem with the advice for a user's list that was partly sent. */
export const afterPart = (problem: Problem): Problem => {
	const { message, description, why } = problemOf({ ...problem.why.about }, true);
	return problem.copyWith({ message, description, why });
};

/** Returns a text about how full the memory is, from 80 % on. Undefined: less of it is in use. */
export const memoryHint = ({ percent, room }: Pick<MemoryState, 'percent' | 'room'>): string | undefined =>
	percent === undefined ? undefined : almostFull(percent, room);

import type { List } from './list';

/**
 * What is remembered of one thing: that it is so. A mark is two entries of n8n's list, and is there only where both are.
 *
 * n8n can't look without recording, and another process that works with an older copy of the list can bring back what was
 * recorded only to look, or what was taken out since. Whoever looks records the first entry alone: brought back, it is no mark.
 */
export type Mark = readonly [first: string, second: string];

/** Which entries of a mark were not there before it was put. Neither: the mark was there. */
export interface Put {
	isFirstNew: boolean;
	isSecondNew: boolean;
}

/** Puts marks there, all in one call. @returns for each what was new */
export async function putMarks(list: List, marks: Mark[]): Promise<Put[]> {
	const fresh = await list.record([...new Set(marks.flat())]);
	return marks.map(([first, second]) => ({ isFirstNew: fresh.has(first), isSecondNew: fresh.has(second) }));
}

/** How many of a mark's entries are there: two where the mark is. */
export type Found = 0 | 1 | 2;

/** Looks for marks. None is left that was not there. */
export async function lookForMarks(list: List, marks: Mark[]): Promise<Found[]> {
	const firsts = await list.record([...new Set(marks.map(([first]) => first))]);
	const known = marks.filter(([first]) => !firsts.has(first));
	const seconds = await list.record([...new Set(known.map(([, second]) => second))]);
	await list.remove([...firsts, ...seconds]);
	return marks.map(([first, second]) => (firsts.has(first) ? 0 : seconds.has(second) ? 1 : 2));
}

/** Takes marks away. */
export async function removeMarks(list: List, marks: Mark[]): Promise<void> {
	await list.remove(marks.flat());
}

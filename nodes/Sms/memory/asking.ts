import type { List } from './list';

/*
 * How n8n's list is asked about messages. Time is cut into periods as long as a message is remembered at least. A claim, and
 * the mark of an accepted message, are two entries each, for their period and for the next one: so a message is known for one
 * period at least and for two at most. Asking is recording, so what was put there by asking has to be taken out again. A kill
 * between the two leaves half of a claim, which counts as none, or half of a mark, which is none either.
 */

/** What is known of a message before its row is dealt with; `period`: that in which it was, or would be, first claimed. */
export interface Before {
	state: 'new' | 'sent' | 'unknown';
	period: number;
}

/** A message that was claimed, and when. */
type Found = [key: string, period: number];

/** Questions about the messages of one length of the window. Each puts what has to be taken out again into `takeOut`. */
export interface Questions {
	/** The entry of a claim in a period. */
	entry(key: string, period: number): string;
	claimOf(key: string, period: number): string[];
	markOf(key: string, period: number): string[];
	/**
	 * Which of these messages were claimed before, and when.
	 *
	 * @param keys those of whose claim at least one entry was there
	 * @param fresh what of both entries was put there by asking
	 */
	claimedBefore(keys: string[], fresh: Set<string>, period: number, takeOut: string[]): Promise<Found[]>;
	/**
	 * Which messages that were claimed are marked as sent.
	 *
	 * @param accepted messages that this process knows to be accepted, with the period of their claim
	 */
	statesOf(found: Found[], accepted: ReadonlyMap<string, number>, takeOut: string[]): Promise<Map<string, Before>>;
}

/** @param windowHours for how long a message is remembered at least: another length means other entries */
export function openQuestions(list: List, windowHours: number): Questions {
	const entry = (key: string, period: number) => `${windowHours}h${period} ${key}`;
	const claimOf = (key: string, period: number) => [entry(key, period), entry(key, period + 1)];
	const markOf = (key: string, period: number) => claimOf(`${key} sent`, period);

	return {
		entry,
		claimOf,
		markOf,
		async claimedBefore(keys, fresh, period, takeOut) {
			takeOut.push(...keys.flatMap((key) => claimOf(key, period)).filter((each) => fresh.has(each)));
			const halves = keys.filter((key) => fresh.has(entry(key, period + 1)));
			// Half of a claim is one of the period before, or what a question left behind that was killed.
			const early = await list.record(halves.map((key) => entry(key, period - 1)));
			takeOut.push(...early);
			const isHalf = new Set(halves);
			// Where the first entry alone is missing, the clock went back.
			const since = (key: string) =>
				isHalf.has(key) ? period - 1 : fresh.has(entry(key, period)) ? period + 1 : period;
			return keys
				.filter((key) => !isHalf.has(key) || !early.has(entry(key, period - 1)))
				.map((key): Found => [key, since(key)]);
		},
		async statesOf(found, accepted, takeOut) {
			// In two questions, so that no question is taken for a mark.
			const asked = found.filter(([key, period]) => accepted.get(key) !== period);
			const firsts = await list.record(asked.map(([key, period]) => markOf(key, period)[0]!));
			const half = asked.filter(([key, period]) => !firsts.has(markOf(key, period)[0]!));
			const seconds = await list.record(half.map(([key, period]) => markOf(key, period)[1]!));
			takeOut.push(...firsts, ...seconds);
			const marked = half.filter(([key, period]) => !seconds.has(markOf(key, period)[1]!));
			const isMarked = new Set(marked.map(([key]) => key));
			return new Map(
				found.map(([key, period]) => {
					const isSent = accepted.get(key) === period || isMarked.has(key);
					return [key, { state: isSent ? 'sent' : 'unknown', period }];
				}),
			);
		},
	};
}

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

/**
 * Opens the questions about messages.
 *
 * @param windowHours for how long a message is remembered at least: another length means other entries
 * @param isAccepted whether a message that was claimed in a period is known to be accepted
 */
export function openQuestions(list: List, windowHours: number, isAccepted: (key: string, period: number) => boolean) {
	const entry = (key: string, period: number) => `${windowHours}h${period} ${key}`;
	const claimOf = (key: string, period: number): [string, string] => [entry(key, period), entry(key, period + 1)];
	const markOf = (key: string, period: number) => claimOf(`${key} sent`, period);

	return {
		claimOf,
		markOf,
		/**
		 * What is known of messages that were claimed before.
		 *
		 * @param keys those of whose claim in this period at least one entry was there
		 * @param fresh what of these entries was put there by asking
		 * @param takeOut gets what has to be taken out again
		 * @returns nothing of a message that was not claimed
		 */
		async knownOf(keys: string[], fresh: ReadonlySet<string>, period: number, takeOut: string[]) {
			const ask = async (entries: string[]) => {
				const added = await list.record(entries);
				takeOut.push(...added);
				return added;
			};
			const known = new Map(keys.map((key): [string, Before] => [key, { state: 'sent', period }]));
			// Half of a claim is one of the period before, or what a question left behind that was killed.
			const halves = keys.filter((key) => fresh.has(entry(key, period + 1)));
			const early = await ask(halves.map((key) => entry(key, period - 1)));
			for (const key of halves) {
				if (early.has(entry(key, period - 1))) known.delete(key);
				else known.get(key)!.period--;
			}
			// In two questions, so that no question is taken for a mark.
			let unsure = [...known].filter(([key, before]) => !isAccepted(key, before.period));
			for (const half of [0, 1]) {
				const markIn = ([key, before]: [string, Before]) => markOf(key, before.period)[half]!;
				const added = await ask(unsure.map(markIn));
				for (const each of unsure) if (added.has(markIn(each))) each[1].state = 'unknown';
				unsure = unsure.filter((each) => !added.has(markIn(each)));
			}
			return known;
		},
	};
}

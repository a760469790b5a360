import { createHmac } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import type { DerivedKeys } from '../keys';
import { openList } from '../memory/list';

/**
 * What is remembered of codes: notes, each of which is there or not. They are in n8n's list of the workflow, which keeps
 * no times, so whatever a note is about has its period in its name. Asking is recording: what was not there is taken out
 * again. A kill between the two leaves half of a note, which counts as none; of a place that only counts something there
 * is no half, and one more is counted.
 */
export interface Notes {
	/** Tells the notes of one workflow and one key from others. */
	of: string;
	/** For each of these notes, whether it is there. None is left that was not. */
	look(notes: string[]): Promise<boolean[]>;
	/** Puts notes there. @returns for each whether it was not there before */
	put(notes: string[]): Promise<boolean[]>;
	remove(notes: string[]): Promise<void>;
}

/** Notes that only count something: one entry each. */
export const COUNTED = /^(?:limit|attempt)\n/;

/**
 * The notes of this workflow. Whoever asks for the same at the same time does so in turn (`inTurn`).
 *
 * @param keys those that the notes are made unreadable with: n8n's list contains no number
 */
export function openNotes(context: IExecuteFunctions, keys: DerivedKeys): Notes {
	const list = openList(context);
	const entriesOf = (note: string): string[] => {
		const entry = `smsCode ${createHmac('sha256', keys.memory).update(note).digest('base64url')}`;
		return COUNTED.test(note) ? [entry] : [entry, `${entry} 2`];
	};
	return {
		of: `${list.name} ${entriesOf('')[0]}`,
		async look(notes) {
			const entries = notes.map(entriesOf);
			const firsts = await list.record(entries.map(([first]) => first!));
			const halves = entries.filter(([first, second]) => second !== undefined && !firsts.has(first!));
			const seconds = await list.record(halves.map(([, second]) => second!));
			await list.remove([...firsts, ...seconds]);
			return entries.map(([first, second]) => !firsts.has(first!) && !seconds.has(second ?? ''));
		},
		async put(notes) {
			const entries = notes.map(entriesOf);
			const fresh = await list.record(entries.flat());
			return entries.map((own) => own.some((entry) => fresh.has(entry)));
		},
		remove: async (notes) => await list.remove(notes.flatMap(entriesOf)),
	};
}

/** The last of those who wait, by what they wait for. */
const turns = new Map<string, Promise<unknown>>();

/** Works while nobody else in this process does who gave the same name. */
export async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
	const turn = (turns.get(name) ?? Promise.resolve()).then(work);
	const over = turn
		.catch(() => {})
		.then(() => {
			if (turns.get(name) === over) turns.delete(name);
		});
	turns.set(name, over);
	return await turn;
}

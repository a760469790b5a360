import { createHmac } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import { Problem } from '../../shared/problem';
import { inTurn, recordKeys } from '../keyList';
import type { CodeKeys } from './oneTimeCode';

/**
 * How many entries a workflow remembers; n8n rewrites the whole list whenever it changes. A code takes at most
 * twenty-four, so the last 4,000 codes are remembered at least.
 */
const REMEMBERED = 100_000;

/**
 * What is remembered of codes: notes, each of which is there or not. They stand in n8n's list of processed keys of the
 * workflow, which keeps no times, so whatever a note is about has its period in its name.
 */
export interface Memory {
	/** For each of these notes, whether it is there. None is left that was not. */
	look(notes: string[]): Promise<boolean[]>;
	/** Puts notes there. @returns those that were not there before */
	note(notes: string[]): Promise<string[]>;
	/**
	 * Takes the first free one of numbered places, which are taken in order.
	 *
	 * @param placeOf the note of a place, from 0
	 * @returns its number; undefined where all are taken
	 */
	take(places: number, placeOf: (place: number) => string): Promise<number | undefined>;
	/** Takes notes away. */
	forget(notes: string[]): Promise<void>;
}

/**
 * Works with the memory of this workflow while nothing else in this process does.
 *
 * @param keys those that the notes are made unreadable with: n8n's store holds no number
 * @throws Problem where n8n's store fails; nobody is verified then, and nothing is sent
 */
export async function withMemory<T>(context: IExecuteFunctions, keys: CodeKeys, work: (memory: Memory) => Promise<T>): Promise<T> {
	return await inTurn(`${context.getWorkflow().id}`, async () => await work(openMemory(context, keys)));
}

function openMemory(context: IExecuteFunctions, { memory: key }: CodeKeys): Memory {
	const entryOf = (note: string) => `smsCode ${createHmac('sha256', key).update(note).digest('base64url')}`;

	const record = async (notes: string[]): Promise<boolean[]> => {
		const entries = notes.map(entryOf);
		const { new: fresh, processed } = await recordKeys(context, entries, 'workflow', REMEMBERED).catch((error: Error) => {
			throw storeFailed(error.message);
		});
		if (fresh.length + processed.length !== entries.length) throw storeFailed('it remembers something else for this workflow');
		const isNew = new Set(fresh);
		return entries.map((entry) => isNew.has(entry));
	};

	const memory: Memory = {
		async look(notes) {
			const isNew = await record(notes);
			await memory.forget(notes.filter((_, index) => isNew[index]));
			return isNew.map((each) => !each);
		},
		async note(notes) {
			const isNew = await record(notes);
			return notes.filter((_, index) => isNew[index]);
		},
		async take(places, placeOf) {
			// Twice as many places each time: few are taken as a rule, and hundreds are soon looked through.
			for (let from = 0, count = 1; from < places; from += count, count *= 2) {
				const asked = Array.from({ length: Math.min(count, places - from) }, (_, index) => placeOf(from + index));
				const [taken, ...surplus] = await memory.note(asked);
				if (taken === undefined) continue;
				await memory.forget(surplus);
				return from + asked.indexOf(taken);
			}
			return undefined;
		},
		async forget(notes) {
			if (notes.length === 0) return;
			await context.helpers.removeProcessed(notes.map(entryOf), 'workflow', { mode: 'entries' }).catch((error: Error) => {
				throw storeFailed(error.message);
			});
		},
	};
	return memory;
}

/** The words of n8n's store hold no value of ours: its entries are hashes. */
function storeFailed(words: string): Problem {
	return new Problem(
		'n8n could not look up which codes were sent and tried',
		`n8n's store said: ${words.slice(0, 300)}. Where a Remove Duplicates node of this workflow remembers items by date or number with the scope Workflow, set its scope to Node: both use the same list`,
		{ outcome: 'rejected' },
	);
}

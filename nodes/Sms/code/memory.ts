import { createHmac } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import { Problem } from '../../shared/problem';
import { inTurn, recordKeys } from '../keyList';
import type { CodeKeys } from './oneTimeCode';

/**
 * How many entries a workflow remembers; n8n rewrites the whole list whenever it changes. A code takes at most forty-eight,
 * so the last 3,000 codes are remembered at least.
 */
const REMEMBERED = 150_000;

/** So many places are gone through one by one. */
const FEW_PLACES = 20;

/** Where the first free one of many places was last, by workflow: `of` tells which places, and of which key. A guess: other processes take places too. */
const guesses = new Map<string, { of: string; place: number }>();

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
	const workflow = `${context.getWorkflow().id}`;
	const entryOf = (note: string) => `smsCode ${createHmac('sha256', key).update(note).digest('base64url')}`;
	/**
	 * A note is two entries, and is there where both are. n8n can't look without recording, and another process that works
	 * with an older copy of the list can bring back what was recorded only to look. That is the first entry alone.
	 */
	const second = (note: string) => `${note}\nsecond`;

	/** @returns for each of these entries, whether it is new */
	const record = async (unhashed: string[]): Promise<boolean[]> => {
		if (unhashed.length === 0) return [];
		const entries = unhashed.map(entryOf);
		const { new: fresh, processed } = await recordKeys(context, entries, 'workflow', REMEMBERED).catch((error: Error) => {
			throw storeFailed(error.message);
		});
		if (fresh.length + processed.length !== entries.length) throw storeFailed('it remembers something else for this workflow');
		const isNew = new Set(fresh);
		return entries.map((entry) => isNew.has(entry));
	};
	const remove = async (unhashed: string[]) => {
		if (unhashed.length === 0) return;
		await context.helpers.removeProcessed(unhashed.map(entryOf), 'workflow', { mode: 'entries' }).catch((error: Error) => {
			throw storeFailed(error.message);
		});
	};

	const memory: Memory = {
		async look(notes) {
			const isNew = await record(notes);
			const known = notes.filter((_, index) => !isNew[index]);
			const isSecondNew = await record(known.map(second));
			const there = new Set(known.filter((_, index) => !isSecondNew[index]));
			const broughtBack = known.filter((note) => !there.has(note));
			await remove([...notes.filter((note) => !there.has(note)), ...broughtBack.map(second)]);
			return notes.map((note) => there.has(note));
		},
		async note(notes) {
			const isNew = await record(notes.flatMap((note) => [note, second(note)]));
			return notes.filter((_, index) => isNew[2 * index] || isNew[2 * index + 1]);
		},
		async take(places, placeOf) {
			for (let place = await firstFree(places, placeOf); place < places; place++) {
				if ((await memory.note([placeOf(place)])).length === 0) continue;
				if (places > FEW_PLACES) guesses.set(workflow, { of: entryOf(placeOf(0)), place: place + 1 });
				return place;
			}
			return undefined;
		},
		async forget(notes) {
			guesses.delete(workflow);
			await remove(notes.flatMap((note) => [note, second(note)]));
		},
	};

	/** Places are taken in order, so that many are halved until the first free one is found. */
	const firstFree = async (places: number, placeOf: (place: number) => string): Promise<number> => {
		if (places <= FEW_PLACES) return 0;
		const guess = guesses.get(workflow);
		if (guess?.of === entryOf(placeOf(0))) return guess.place;
		let [low, high] = [0, places];
		while (low < high) {
			const middle = Math.floor((low + high) / 2);
			const [isTaken] = await memory.look([placeOf(middle)]);
			if (isTaken) low = middle + 1;
			else high = middle;
		}
		return low;
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

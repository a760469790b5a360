import type { IExecuteFunctions } from 'n8n-workflow';

import type { DerivedKeys } from '../keys';
import { withNotes, type Notes } from './notes';

/**
 * What is counted by notes: a note for each place, taken from the first one on without a gap. Which of them is whose, nobody
 * has to know: who gives a place back takes away the last one.
 */
export interface Counter {
	/** The note of a place, from 0. */
	noteOf: (place: number) => string;
	/** More places are not looked for. */
	most: number;
}

/** How far the counters of this process were found to be; other processes count too, so it is only a guess. */
const guesses = new Map<string, number>();

/** Guesses that a process keeps. */
const KEPT = 5_000;

/** How many places of each counter are taken. The counters are asked together, because every look rewrites n8n's list. */
export async function countPlaces(notes: Notes, counters: Counter[]): Promise<number[]> {
	const bounds = counters.map(({ noteOf, most }) => ({ noteOf, name: nameOf(notes, noteOf), low: 0, high: most }));
	for (let round = 0; ; round++) {
		const open = bounds.filter(({ low, high }) => low < high);
		if (open.length === 0) break;
		const places = open.map(({ name, low, high }) => {
			const guess = guesses.get(name) ?? 0;
			// First what is likely: taken as far as it was found the last time, and not further.
			if (round === 0) return Math.min(guess, high - 1);
			if (round === 1 && high === guess) return guess - 1;
			return low + Math.floor((high - low) / 2);
		});
		const areTaken = await notes.look(open.map(({ noteOf }, index) => noteOf(places[index]!)));
		for (const [index, bound] of open.entries()) {
			if (areTaken[index]) bound.low = places[index]! + 1;
			else bound.high = places[index]!;
		}
	}
	for (const { name, low } of bounds) keepGuess(name, low);
	return bounds.map(({ low }) => low);
}

/** The notes of the next place of each counter; to be put together with others. */
export function nextPlaces(notes: Notes, counters: Counter[], counts: number[]): string[] {
	return counters.map(({ noteOf }, index) => {
		keepGuess(nameOf(notes, noteOf), counts[index]! + 1);
		return noteOf(counts[index]!);
	});
}

/** Gives the places of a code back that was certainly not sent, so that it does not count. It does not throw. */
export async function giveBack(context: IExecuteFunctions, keys: DerivedKeys, counters: Counter[]): Promise<void> {
	try {
		await withNotes(context, keys, async (notes) => await giveBackPlaces(notes, counters));
	} catch {
		// The row has an error already, which says more than this one.
		context.logger.warn("SMS Code: a code that was not sent counts as sent, because n8n's list could not be written");
	}
}

/** Gives one place of each counter back. */
export async function giveBackPlaces(notes: Notes, counters: Counter[]): Promise<void> {
	const counts = await countPlaces(notes, counters);
	const last = counters.flatMap(({ noteOf }, index) => (counts[index]! > 0 ? [noteOf(counts[index]! - 1)] : []));
	await notes.remove(last);
}

const nameOf = (notes: Notes, noteOf: Counter['noteOf']) => `${notes.of} ${noteOf(0)}`;

function keepGuess(name: string, count: number): void {
	guesses.delete(name);
	guesses.set(name, count);
	for (const oldest of guesses.keys()) {
		if (guesses.size <= KEPT) break;
		guesses.delete(oldest);
	}
}

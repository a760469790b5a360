import type { Notes } from './notes';

/**
 * What is counted by notes: a note for each place, taken from the first one on without a gap. Which of them is whose, nobody
 * has to know: who gives a place back takes away the last one. A counter with one place is a note that is there or not.
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
const KEPT = 20_000;

/** How many places of each counter are taken. The counters are asked together, because every look rewrites n8n's list. */
export async function countPlaces(notes: Notes, counters: Counter[]): Promise<number[]> {
	const bounds = counters.map(({ noteOf, most }) => ({ noteOf, name: nameOf(notes, noteOf), low: 0, high: most }));
	for (let round = 0; ; round++) {
		const open = bounds.filter(({ low, high }) => low < high);
		if (open.length === 0) break;
		const asked = open.flatMap((bound) => placesToAsk(bound, round).map((place) => ({ bound, place })));
		const areTaken = await notes.look(asked.map(({ bound, place }) => bound.noteOf(place)));
		for (const [index, { bound, place }] of asked.entries()) {
			if (areTaken[index]) bound.low = Math.max(bound.low, place + 1);
			else bound.high = Math.min(bound.high, place);
		}
	}
	for (const { name, low } of bounds) keepGuess(name, low);
	return bounds.map(({ low }) => low);
}

/** First what is likely: taken as far as it was found the last time, and not further. */
function placesToAsk({ name, low, high }: { name: string; low: number; high: number }, round: number): number[] {
	if (round > 0) return [low + Math.floor((high - low) / 2)];
	const guess = guesses.get(name) ?? 0;
	return [guess - 1, guess].filter((place) => place >= 0 && place < high);
}

/** The notes of the next place of each counter, to be put together with others. */
export function nextPlaces(notes: Notes, counters: Counter[], counts: number[]): string[] {
	return counters.map(({ noteOf }, index) => {
		keepGuess(nameOf(notes, noteOf), counts[index]! + 1);
		return noteOf(counts[index]!);
	});
}

/** The notes of the last place of each counter that this process counted, to be taken away. */
export function lastPlaces(notes: Notes, counters: Counter[]): string[] {
	return counters.flatMap(({ noteOf }) => {
		const count = guesses.get(nameOf(notes, noteOf)) ?? 0;
		if (count === 0) return [];
		keepGuess(nameOf(notes, noteOf), count - 1);
		return [noteOf(count - 1)];
	});
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

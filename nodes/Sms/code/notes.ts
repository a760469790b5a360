import { createHmac } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import type { DerivedKeys } from '../keys';
import { Problem } from '../../shared/problem';
import { MOST_ENTRIES, openList } from '../memory/list';
import type { Period } from './oneTimeCode';
import { LAST_ISSUE } from './verificationId';

/**
 * What is remembered of codes: notes, each of which is there or not. They are in n8n's list of the workflow, which keeps
 * no times, so whatever a note is about has its period in its name. Asking is recording: what was not there is taken out
 * again. A kill between the two leaves half of a note, which counts as none; of a place that only counts something there
 * is no half, and one more is counted.
 */
export type Notes = ReturnType<typeof openNotes>;

/** Notes that only count something: one entry each. */
const COUNTED = /^(?:limit|attempt)\n/;

/**
 * The notes of this workflow. Whoever asks for the same at the same time does so in turn (`inTurn`).
 *
 * @param keys those that the notes are made unreadable with: n8n's list contains no number
 */
export function openNotes(context: IExecuteFunctions, keys: DerivedKeys) {
	const list = openList(context);
	const hashOf = (text: string) => createHmac('sha256', keys.memory).update(text).digest();
	const entriesOf = (note: string): string[] => {
		const entry = `smsCode ${hashOf(note).toString('base64url')}`;
		return COUNTED.test(note) ? [entry] : [entry, `${entry} 2`];
	};
	return {
		/** Tells the notes of one workflow and one key from others. */
		of: `${list.name} ${entriesOf('')[0]}`,
		/** The same in two bytes, for verification ids. */
		tag: hashOf(`list\n${list.name}`).readUInt16BE(),
		/** Whether n8n's list is so full that it may have forgotten something, but for what a look has taken out. */
		isFull: async () => (await list.count()) > 0.9 * MOST_ENTRIES,
		/** For each of these notes, whether it is there. None is left that was not. */
		async look(notes: string[]): Promise<boolean[]> {
			const entries = notes.map(entriesOf);
			const firsts = await list.record(entries.map(([first]) => first!));
			const halves = entries.filter(([first, second]) => second !== undefined && !firsts.has(first!));
			const seconds = await list.record(halves.map(([, second]) => second!));
			await list.remove([...firsts, ...seconds]);
			return entries.map(([first, second]) => !firsts.has(first!) && !seconds.has(second ?? ''));
		},
		/** Puts notes there. @returns for each whether it was not there before */
		async put(notes: string[]): Promise<boolean[]> {
			const entries = notes.map(entriesOf);
			const fresh = await list.record(entries.flat());
			return entries.map((own) => own.some((entry) => fresh.has(entry)));
		},
		remove: async (notes: string[]): Promise<void> => await list.remove(notes.flatMap(entriesOf)),
	};
}

/** What is counted by notes: one for each place, from the first on without a gap, whosever it is. */
export interface Counter {
	/** The note of a place, from 0. */
	noteOf: (place: number) => string;
	/** More places are not looked for. */
	most: number;
	/** The beginning of its time, in Unix seconds; undefined where nobody has to be told that n8n's list has forgotten it. */
	since?: number;
	/** Whether its first place was taken, whatever this process found. */
	isTaken?: boolean;
}

/** By number, purpose and period, never by the text of a verification id, of which there may be any number. */
const counterOf = (what: string, { mobile, purpose, validMinutes, index }: Period, most: number): Counter => ({
	noteOf: (place) => [what, mobile, purpose, validMinutes, index, place].join('\n'),
	most,
	since: index * validMinutes * 60,
});
/** The wrong codes that were typed in a period, and which of its codes were used and sent, by their issue. */
export const attempts = (period: Period, maxAttempts: number) => counterOf('attempt', period, maxAttempts);
export const used = (period: Period) => counterOf('used', period, LAST_ISSUE);
export const sent = (period: Period) => counterOf('sent', period, LAST_ISSUE);

/** In seconds. */
export const HALF_A_DAY = 12 * 3600;
/** The first code of each half day leaves a note, which is older than all others of its time. */
export const begunIn = (part: number): Counter => ({
	noteOf: () => `begun\n${part}`,
	most: 1,
	since: part * HALF_A_DAY,
});

/** No code goes out, or is checked, without its limits. */
export const FORGOTTEN = new Problem(
	"What the limits of codes need is forgotten, so this one can't be sent or checked",
	'More was recorded in this workflow than n8n can remember for a day and a half. Check that nobody misuses the form. Codes need a workflow of their own, without lists of messages',
	{ outcome: 'rejected' },
	undefined,
	{ reason: 'setting', about: { field_el: 'την αποστολή κωδικών', field_en: 'the sending of codes' } },
);

/** How far this process found counters taken. Other processes count too, so it is only where to look first. */
const guesses = new Map<string, number>();
const MOST_GUESSES = 50_000;

const nameOf = (notes: Notes, { noteOf, most }: Counter) => `${notes.of} ${most} ${noteOf(0)}`;

/**
 * How many places of each counter are taken. The counters are asked together, because every look rewrites n8n's list.
 *
 * @throws Problem where n8n's list has forgotten what this process, or who asks, knows to have been there
 */
export async function countPlaces(notes: Notes, counters: Counter[]): Promise<number[]> {
	if (guesses.size > MOST_GUESSES) guesses.clear();
	const bounds = counters.map((counter) => {
		const guess = Math.min(guesses.get(nameOf(notes, counter)) ?? 0, counter.most);
		return { counter, guess, low: 0, high: counter.most, ask: [guess - 1, guess] };
	});
	for (;;) {
		const asked = bounds.flatMap((bound) =>
			bound.ask.filter((place) => place >= bound.low && place < bound.high).map((place) => ({ bound, place })),
		);
		if (asked.length === 0) break;
		const areTaken = await notes.look(asked.map(({ bound, place }) => bound.counter.noteOf(place)));
		for (const [index, { bound, place }] of asked.entries()) {
			if (areTaken[index]) bound.low = Math.max(bound.low, place + 1);
			else bound.high = Math.min(bound.high, place);
			bound.ask = [Math.floor((bound.low + bound.high) / 2)];
		}
	}
	const gone = bounds.filter(({ counter, guess, low }) => low === 0 && (guess > 0 || counter.isTaken));
	await requireRemembered(notes, gone);
	for (const { counter, low } of bounds) guesses.set(nameOf(notes, counter), low);
	return bounds.map(({ low }) => low);
}

/**
 * What is gone was overwritten by another process that wrote at the same moment, or n8n's list was cleared; it is forgotten
 * if the list is full and the older note of its half day is gone too.
 */
async function requireRemembered(notes: Notes, gone: Array<{ counter: Counter }>): Promise<void> {
	const halfDays = gone.flatMap(({ counter: { since } }) =>
		since === undefined ? [] : begunIn(Math.floor(since / HALF_A_DAY)),
	);
	if (halfDays.length === 0 || !(await notes.isFull())) return;
	const look = async () => await notes.look(halfDays.map(({ noteOf }) => noteOf(0)));
	const areThere = await inTurn(notes, 'begun', look);
	const forgotten = halfDays.filter((_, index) => !areThere[index]);
	// From now on everybody misses it.
	for (const halfDay of forgotten) guesses.set(nameOf(notes, halfDay), 1);
	if (forgotten.length > 0) throw FORGOTTEN;
}

/**
 * Takes the next place of each counter that has one; where another process took that one meanwhile, the next after it.
 *
 * @param counts of the counters
 * @param further notes that are put in the same change
 * @returns how many places of each are taken with this one; undefined where none was left
 */
export async function takePlaces(
	notes: Notes,
	counters: Counter[],
	counts: number[],
	further: string[] = [],
): Promise<Array<number | undefined>> {
	const taken = counters.map((): number | undefined => undefined);
	let open = counters.map((counter, index) => ({ ...counter, index, place: counts[index]! }));
	for (let round = 0; ; round++) {
		open = open.filter(({ index, place, most }) => taken[index] === undefined && place < most);
		const more = round === 0 ? further : [];
		if (open.length + more.length === 0) break;
		const areFree = await notes.put([...open.map(({ noteOf, place }) => noteOf(place)), ...more]);
		for (const [which, one] of open.entries()) {
			one.place++;
			guesses.set(nameOf(notes, one), one.place);
			if (areFree[which]) taken[one.index] = one.place;
		}
	}
	return taken;
}

/**
 * Gives one place of each counter back: the last one, so that there is no gap.
 *
 * @param further asked for the notes that go with them in the moment in which they are taken away
 */
export async function givePlacesBack(notes: Notes, counters: Counter[], further: () => string[]): Promise<void> {
	const counts = await countPlaces(notes, counters);
	const last = counters.flatMap((counter, index) => {
		if (counts[index] === 0) return [];
		guesses.set(nameOf(notes, counter), counts[index]! - 1);
		return [counter.noteOf(counts[index]! - 1)];
	});
	await notes.remove([...last, ...further()]);
}

/** The last of those who wait, by what they wait for. */
const turns = new Map<string, Promise<unknown>>();

/** Works while nobody else in this process does on the same of these notes: those of a number, or those that all share. */
export async function inTurn<T>({ of }: Notes, what: string, work: () => Promise<T>): Promise<T> {
	const name = `${of} ${what}`;
	const turn = (turns.get(name) ?? Promise.resolve()).then(work);
	const over = turn
		.catch(() => {})
		.then(() => {
			if (turns.get(name) === over) turns.delete(name);
		});
	turns.set(name, over);
	return await turn;
}

import { countPlaces, type Counter } from './counters';
import { IN_AN_HOUR, limitCounter, partsOf, tooManyCodes } from './limits';
import { inTurn, type Notes } from './notes';

/*
 * What the codes of one workflow share: how many went out in the hour, and whether n8n's list still knows all that counts.
 * It is looked up with the first code of every ten minutes; from then on this process counts along.
 */

/** Parts of the hour's limit, and of the memory's time: the longest that a limit has, in seconds. */
const MEMORY = { part: 12 * 3600, earlier: 2 };

/** The most codes in ten minutes that are counted: more than Max Codes per Hour can be. */
const MOST = 10_000;

interface Shared {
	/** The part of the hour's limit in which it was looked up. */
	part: number;
	/** How many codes went out in the parts before, and in this one. */
	earlier: number;
	inPart: number;
	/** What has to be noted with the next code. */
	marks: string[];
}

const known = new Map<string, Shared>();
/** Workflows that a process keeps in mind. */
const KEPT = 1_000;

/**
 * Counts what belongs to one code, and with it what all codes share where that was not looked up for ten minutes.
 *
 * @param own the code's counters
 * @param now Unix seconds
 * @throws Problem where n8n's list has forgotten what counts: no code goes out without its limits
 */
export async function countWithShared(notes: Notes, own: Counter[], now: number): Promise<number[]> {
	const [part] = partsOf(IN_AN_HOUR, now);
	const isKnown = () => known.get(notes.of)?.part === part;
	if (!isKnown()) {
		const counts = await inTurn(`${notes.of} shared`, async () =>
			isKnown() ? undefined : await lookUp(notes, own, now),
		);
		if (counts !== undefined) return counts;
	}
	return await countPlaces(notes, own);
}

async function lookUp(notes: Notes, own: Counter[], now: number): Promise<number[]> {
	const parts = partsOf(IN_AN_HOUR, now);
	const [current, ...before] = partsOf(MEMORY, now);
	// The first code of each part of the memory's time leaves a note; whoever finds it leaves another, and so do codes of later
	// parts: where a later note is there and the first is gone, the list has forgotten.
	const begun = [current!, ...before].map((each) => `begun\n${each}`);
	const later = begun.map((_, back) => `later\n${current}\n${back}`);
	const counts = await countPlaces(notes, [
		...own,
		...parts.map((part) => limitCounter(IN_AN_HOUR.name, '', part, MOST)),
		...[...begun, ...later].map((note): Counter => ({ noteOf: () => note, most: 1 })),
	]);
	const ofHour = counts.slice(own.length, own.length + parts.length);
	const flags = counts.slice(own.length + parts.length).map((count) => count === 1);
	const [areBegun, areLater] = [flags.slice(0, begun.length), flags.slice(begun.length)];
	if (begun.some((_, back) => areLater[back] && !areBegun[back])) throw FORGOTTEN;
	const [inPart, ...earlier] = ofHour;
	known.delete(notes.of);
	known.set(notes.of, {
		part: parts[0]!,
		inPart: inPart!,
		earlier: earlier.reduce((sum, count) => sum + count, 0),
		marks: [...(areBegun[0] ? [] : [begun[0]!]), ...later.filter((_, back) => areBegun[back] && !areLater[back])],
	});
	for (const oldest of known.keys()) {
		if (known.size <= KEPT) break;
		known.delete(oldest);
	}
	return counts.slice(0, own.length);
}

const FORGOTTEN = tooManyCodes(
	'αργότερα',
	'later',
	'More codes were sent or tried in this workflow than n8n can remember for a day and a half. Check that nobody misuses the form. Codes need a workflow of their own, without lists of messages',
);

/**
 * Takes a place among the codes of the hour, where they are limited.
 *
 * @param maxPerHour 0: no limit
 * @returns the notes to put with the code's own
 * @throws Problem where the limit is reached
 */
export function takeShared({ of }: Notes, maxPerHour: number): string[] {
	const shared = known.get(of)!;
	if (maxPerHour > 0 && shared.earlier + shared.inPart >= maxPerHour) {
		throw tooManyCodes(
			'σε μία ώρα',
			'in an hour',
			`This workflow sent ${maxPerHour} codes within the hour. Check that nobody misuses the form. If all is in order, set the option Max Codes per Hour higher`,
		);
	}
	const marks = shared.marks.splice(0);
	return maxPerHour > 0 ? [...marks, ofHour(shared).noteOf(shared.inPart++)] : marks;
}

/** Gives a place back: the note of the last one, to be taken away. */
export function giveBackShared({ of }: Notes): string[] {
	const shared = known.get(of);
	return shared === undefined || shared.inPart === 0 ? [] : [ofHour(shared).noteOf(--shared.inPart)];
}

const ofHour = ({ part }: Shared) => limitCounter(IN_AN_HOUR.name, '', part, MOST);

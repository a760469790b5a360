import { fault, type Problem } from '../../shared/problem';
import { begunIn, countPlaces, FORGOTTEN, HALF_A_DAY, inTurn, type Counter, type Notes } from './notes';
import type { Period } from './oneTimeCode';

/*
 * How many codes may go out. Time is cut into parts; of each limit the present part counts, and some before it.
 */

/** In seconds. */
export const TEN_MINUTES = 10 * 60;

/** The part of time in which a moment lies, and so many before it. @param now Unix seconds */
function partsOf(length: number, earlier: number, now: number): number[] {
	const current = Math.floor(now / length);
	return Array.from({ length: earlier + 1 }, (_, back) => current - back);
}

/** @param whom the number; empty for the workflow */
const limitCounter = (name: string, whom: string, part: number, most: number, length?: number): Counter => ({
	noteOf: (place) => ['limit', name, whom, part, place].join('\n'),
	most,
	...(length !== undefined && { since: part * length }),
});

const sum = (counts: number[]) => counts.reduce((one, other) => one + other, 0);

/** @param when how it goes on from "try again" @param advice for the admin */
export const tooManyCodes = (el: string, en: string, advice: string): Problem =>
	fault('tooManyCodes', { when_el: el, when_en: en }, advice);

/** To a number five in ten minutes, so that the next is possible after ten to twenty. */
export const IN_TEN_MINUTES = 5;
/** Twenty in a day: the next is possible after 24 to 36 hours. */
export const IN_A_DAY = 20;

/** The codes of one number are counted in the present ten minutes and those before, in the present half day and the two before. */
export const numberCounters = (mobile: string, now: number): Counter[] => [
	...partsOf(TEN_MINUTES, 1, now).map((part) => limitCounter('ten minutes', mobile, part, IN_TEN_MINUTES, TEN_MINUTES)),
	...partsOf(HALF_A_DAY, 2, now).map((part) => limitCounter('day', mobile, part, IN_A_DAY, HALF_A_DAY)),
];

/**
 * The first code of a number in the half day of a period, for whoever knows that there was one. Where a period goes over
 * noon or midnight, it may have been in the next.
 */
export function firstCode({ mobile, validMinutes, index }: Period): Counter {
	const [from, until] = [index, index + 1].map((periods) => (periods * validMinutes * 60) / HALF_A_DAY);
	const halfDay = Math.floor(from!);
	return { ...limitCounter('day', mobile, halfDay, 1, HALF_A_DAY), isTaken: until! <= halfDay + 1 };
}

/** Of what belongs to a number's counters, what belongs to the present ones: a code takes a place of each. */
export const presentOf = <T>(ofNumber: T[]): T[] => [ofNumber[0]!, ofNumber[2]!];

/**
 * Whether another code may go to a number.
 *
 * @param counts of its counters
 * @throws Problem where a limit is reached
 */
export function checkNumberLimits(counts: number[]): void {
	if (sum(counts.slice(0, 2)) >= IN_TEN_MINUTES) {
		throw tooManyCodes(
			'σε δέκα ως είκοσι λεπτά',
			'in ten to twenty minutes',
			'Five codes went to this number within ten minutes. The code that was sent is valid until it expires',
		);
	}
	if (sum(counts.slice(2)) >= IN_A_DAY) {
		throw tooManyCodes(
			'σε 24 ως 36 ώρες',
			'in 24 to 36 hours',
			'Twenty codes went to this number within a day. Check that nobody misuses the form',
		);
	}
}

/** The most codes in ten minutes that are counted: more than Max Codes per Hour can be. */
const MOST = 10_000;

/** What the codes of a workflow share: looked up with the first code of every ten minutes, and counted along from then on. */
interface Shared {
	part: number;
	/** How many codes went out in the hour before this part, and in it. */
	earlier: number;
	inPart: number;
	/** What has to be noted with the next code. */
	marks: string[];
}

const known = new Map<string, Shared>();

const hourCounter = (part: number) => limitCounter('hour', '', part, MOST);

/**
 * Counts what belongs to one code, and with it what all codes share where that was not looked up for ten minutes.
 *
 * @param own the code's counters
 * @param now Unix seconds
 * @throws Problem where n8n's list has forgotten what counts: no code goes out without its limits
 */
export async function countWithShared(notes: Notes, own: Counter[], now: number): Promise<number[]> {
	const isKnown = () => known.get(notes.of)?.part === Math.floor(now / TEN_MINUTES);
	const lookUpOnce = async () => (isKnown() ? undefined : await lookUp(notes, own, now));
	const counts = isKnown() ? undefined : await inTurn(notes, 'shared', lookUpOnce);
	return counts ?? (await countPlaces(notes, own));
}

async function lookUp(notes: Notes, own: Counter[], now: number): Promise<number[]> {
	// The last 60 to 70 minutes.
	const parts = partsOf(TEN_MINUTES, 6, now);
	// Whoever finds the note of a half day's first code leaves another, and so do codes of later ones: where a later note is
	// there and the first is gone, the list has forgotten.
	const halfDays = partsOf(HALF_A_DAY, 2, now);
	const begun = halfDays.map(begunIn);
	const later = begun.map((_, back) => `later\n${halfDays[0]}\n${back}`);
	const counts = await countPlaces(notes, [
		...own,
		...parts.map(hourCounter),
		...begun,
		...later.map((note): Counter => ({ noteOf: () => note, most: 1 })),
	]);
	const ofOwn = counts.splice(0, own.length);
	const [inPart, ...before] = counts.splice(0, parts.length);
	const isBegun = counts.splice(0, begun.length);
	if (begun.some((_, back) => counts[back] === 1 && isBegun[back] === 0)) throw FORGOTTEN;
	known.set(notes.of, {
		part: parts[0]!,
		inPart: inPart!,
		earlier: sum(before),
		marks: [
			...begun.slice(0, 1 - isBegun[0]!).map(({ noteOf }) => noteOf(0)),
			...later.filter((_, back) => isBegun[back] === 1 && counts[back] === 0),
		],
	});
	return ofOwn;
}

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
	return maxPerHour > 0 ? [...marks, hourCounter(shared.part).noteOf(shared.inPart++)] : marks;
}

/** Gives a place back: the note of the last one, to be taken away. */
export function giveBackShared({ of }: Notes): string[] {
	const shared = known.get(of);
	return shared === undefined || shared.inPart === 0 ? [] : [hourCounter(shared.part).noteOf(--shared.inPart)];
}

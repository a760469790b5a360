import { Problem } from '../../shared/problem';
import type { Memory } from './memory';

/** How many codes may go out: to whom, how many, in what time. */
interface Limit {
	/** Tells its notes from those of the others. */
	name: string;
	most: number;
	/** Time is cut into parts of this length, in seconds. */
	part: number;
	/** A place is taken for the part in which it was, and for so many after it. */
	parts: number;
	/** What a user reads where all places are taken. */
	refusal: Problem;
}

const refusal = (message: string, description: string) => new Problem(message, description, { outcome: 'rejected' });

/** Five in ten minutes: the next is possible after ten to twenty. */
const IN_TEN_MINUTES: Limit = {
	name: 'ten minutes',
	most: 5,
	part: 10 * 60,
	parts: 1,
	refusal: refusal('Five codes went to this number within ten minutes, so no other was sent', 'The next one can be sent after ten to twenty minutes. The code that was sent is valid until it expires'),
};

/** Twenty in a day: the next is possible after 24 to 36 hours. */
const IN_A_DAY: Limit = {
	name: 'day',
	most: 20,
	part: 12 * 3600,
	parts: 2,
	refusal: refusal('Twenty codes went to this number within a day, so no other was sent', 'The next one can be sent after 24 to 36 hours. Check that nobody misuses the form'),
};

/** So many in an hour, for the workflow: the next is possible after 60 to 70 minutes. */
const inAnHour = (most: number): Limit => ({
	name: 'hour',
	most,
	part: 10 * 60,
	parts: 6,
	refusal: refusal(
		`This workflow sent ${most} codes within the hour, so no other was sent`,
		'Check that nobody misuses the form. If all is in order, set the option Max Codes per Hour higher',
	),
});

/**
 * Takes a place for a code that is about to go out, in each limit.
 *
 * @param maxPerHour for the workflow; 0: no limit
 * @param now Unix seconds
 * @returns the notes that were made for it: forgetting them gives the places back
 * @throws Problem where a limit is reached; no place is taken then
 */
export async function takePlaces(memory: Memory, mobile: string, maxPerHour: number, now: number): Promise<string[]> {
	const notes: string[] = [];
	const limits: Array<[Limit, string]> = [
		[IN_TEN_MINUTES, mobile],
		[IN_A_DAY, mobile],
		...(maxPerHour > 0 ? [[inAnHour(maxPerHour), ''] as [Limit, string]] : []),
	];
	for (const [limit, whom] of limits) {
		const noteOf = (part: number, place: number) => ['limit', limit.name, whom, part, place].join('\n');
		const current = Math.floor(now / limit.part);
		const place = await memory.take(limit.most, (each) => noteOf(current, each));
		if (place === undefined) {
			await memory.forget(notes);
			throw limit.refusal;
		}
		for (let part = current; part <= current + limit.parts; part++) notes.push(noteOf(part, place));
	}
	// Those of this part are there; those of the parts that come are not, or this part's would have been.
	await memory.note(notes);
	return notes;
}

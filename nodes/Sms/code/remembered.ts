import { Problem } from '../../shared/problem';
import type { Notes } from './notes';

/*
 * n8n's list holds so many entries, and the oldest make room for new ones. That is as it should be while they are older
 * than anything that counts: a day and a half. Where more codes go out than that, the list would forget which codes were
 * used, and how many went to a number: then no more are sent.
 */

/** Time is cut into parts of this length, in seconds: the longest that a limit has. */
const PART = 12 * 3600;

/** The present part counts, and so many before it. */
const EARLIER = 2;

/** In seconds. */
const HOUR = 3600;

/**
 * Makes sure that nothing was forgotten that counts, before a code is sent. The first code of each part leaves a note, and
 * in each hour another code leaves one more, for as long as the part counts: where such a later note is there and the first
 * is gone, it was forgotten. From then on no code is sent until nothing of that part counts any more.
 *
 * @param now Unix seconds
 * @throws Problem where too many codes went out
 */
export async function checkMemory(notes: Notes, now: number): Promise<void> {
	const part = Math.floor(now / PART);
	const begun = (back: number) => `begun\n${part - back}`;
	const forgotten = (back: number) => `forgotten\n${part - back}`;
	const laterIn = (hour: number) => (back: number) => `later\n${part - back}\n${hour}`;
	const hour = Math.floor(now / HOUR);
	const later = laterIn(hour);
	const backs = Array.from({ length: EARLIER + 1 }, (_, back) => back);
	const kinds = [begun, later, laterIn(hour - 1), forgotten];
	const there = await notes.look(kinds.flatMap((kind) => backs.map(kind)));
	const [isBegun, hasLater, hadLater, wasForgotten] = kinds.map((_, kind) => there.slice(kind * backs.length, (kind + 1) * backs.length)) as [boolean[], boolean[], boolean[], boolean[]];
	if (wasForgotten.includes(true)) throw FORGOTTEN;
	if (backs.some((back) => (hasLater[back] || hadLater[back]) && !isBegun[back])) {
		await notes.put([forgotten(0)]);
		throw FORGOTTEN;
	}
	const missing = backs.filter((back) => isBegun[back] && !hasLater[back]).map(later);
	if (!isBegun[0] || missing.length > 0) await notes.put([...(isBegun[0] ? [] : [begun(0)]), ...missing]);
}

const FORGOTTEN = new Problem(
	'More codes were sent or tried in this workflow than n8n can remember for a day and a half, so this one was not sent',
	'Check that nobody misuses the form. It goes on by itself after at most a day and a half. If you need so many codes, spread them over several workflows',
	{ outcome: 'rejected' },
);

import { Problem } from '../../shared/problem';
import type { Notes } from './notes';

/*
 * n8n's list has room for so many entries, and the oldest make room for new ones. That is as it should be while they are older
 * than anything that counts: a day and a half. Where more codes go out than that, the list would forget which codes were
 * used, and how many went to a number: then no more are sent.
 */

/** Time is cut into parts of this length, in seconds: the longest that a limit has. */
const PART = 12 * 3600;

/** The present part counts, and so many before it. */
const EARLIER = 2;

/**
 * Makes sure that nothing was forgotten that counts, before a code is sent. The first code of each part leaves a note; the
 * second one leaves another, and so do those of later parts: where a later note is there and the first is gone, it was
 * forgotten.
 *
 * @param now Unix seconds
 * @throws Problem where too many codes went out
 */
export async function checkMemory(notes: Notes, now: number): Promise<void> {
	const part = Math.floor(now / PART);
	const begun = (back: number) => `begun\n${part - back}`;
	const later = (back: number) => `later\n${part}\n${back}`;
	const backs = Array.from({ length: EARLIER + 1 }, (_, back) => back);
	const there = await notes.look([...backs.map(begun), ...backs.map(later)]);
	const [isBegun, hasLater] = [there.slice(0, backs.length), there.slice(backs.length)];
	if (backs.some((back) => hasLater[back] && !isBegun[back])) throw FORGOTTEN;
	const missing = backs.filter((back) => isBegun[back] && !hasLater[back]).map(later);
	if (!isBegun[0] || missing.length > 0) await notes.put([...(isBegun[0] ? [] : [begun(0)]), ...missing]);
}

const FORGOTTEN = new Problem(
	'More codes were sent or tried in this workflow than n8n can remember for a day and a half, so this one was not sent',
	'Check that nobody misuses the form. It goes on by itself when fewer are asked for; where so many are right, spread them over several workflows',
	{ outcome: 'rejected' },
);

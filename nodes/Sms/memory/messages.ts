import type { IExecuteFunctions } from 'n8n-workflow';

import { asProblem } from '../../shared/problem';
import { openQuestions, type Before } from './asking';
import { openList } from './list';
import { sharedOf } from './shared';

/*
 * What is remembered of messages, each known by its key. A message is claimed before its request leaves, and marked as sent
 * once the platform has accepted it. A claim without that mark is one whose end nobody saw: it reads as unknown.
 */

/** What became of a message: accepted, nobody knows, or certainly not sent, so that it may be sent again. */
export type Fate = 'sent' | 'unknown' | 'free';

/** The memory of one run. Other runs of the workflow in this process share what is in progress. */
export interface Messages {
	/** The period in which a message would be claimed now. */
	period(): number;
	/** How many messages may be claimed before their turn comes. */
	blockSize(): Promise<number>;
	/**
	 * Claims messages before their turn comes, in one change of n8n's list, with which what was settled is recorded too.
	 *
	 * @param keys those that another run works on, or that are claimed already, cost nothing
	 */
	claim(keys: string[]): Promise<void>;
	/**
	 * A row's turn: its message is claimed for it, where it is new. It waits while the same message is in progress for
	 * another row, here or in another run; such a row waits for nobody, so that there is no deadlock.
	 */
	begin(key: string): Promise<Before>;
	/** What became of a begun message. */
	settle(key: string, fate: Fate): Promise<void>;
	/** What is known of messages, for a review: nothing is claimed, and nothing is left behind. */
	look(keys: string[]): Promise<Before[]>;
	/**
	 * Gives back what was claimed and not begun, and records what is not recorded yet. It does not throw.
	 *
	 * @returns what the user has to know where n8n's list could not be written
	 */
	close(): Promise<string | undefined>;
}

/** From so many entries on, a change of n8n's list takes as long as sending several messages. */
const MANY_ENTRIES = 20_000;

/** Then so many messages are claimed at a time, and as many answers may wait to be recorded. */
const LONG_BLOCK = 100;

/** So many messages are looked up in one change of n8n's list. */
const LOOKED_UP = 100;

/** So many accepted messages a process knows without asking n8n's list for their mark. */
const KEPT = 20_000;

/**
 * Opens the memory for one run.
 *
 * @param places how many messages may be in progress in parallel
 * @param windowHours for how long a message is remembered at least; 0: without end
 */
export function openMessages(context: IExecuteFunctions, places: number, windowHours: number): Messages {
	const list = openList(context);
	// Another length of the window means other entries.
	const { claimed, asking, accepted, unrecorded, leftOver } = sharedOf(`${list.name} ${windowHours}`);
	/** Claimed by this run and not begun. */
	const ahead = new Set<string>();
	/** What n8n's list said of messages that were claimed before. */
	const known = new Map<string, Before>();
	let block: number | undefined;
	let recording: Promise<void> | undefined;

	const periodNow = () => (windowHours === 0 ? 0 : Math.floor(Date.now() / (windowHours * 3_600_000)));
	const { entry, claimOf, markOf, claimedBefore, statesOf } = openQuestions(list, windowHours);

	/** Records what was settled, and new claims. @returns the entries that were not there */
	const write = async (claims: string[]): Promise<Set<string>> => {
		const settled = [...unrecorded];
		const fresh = await list.record([...settled.flatMap(([key, period]) => markOf(key, period)), ...claims]);
		for (const [key] of settled) unrecorded.delete(key);
		return fresh;
	};

	/** Takes out claims that nobody has any more; what can't be taken out now is for later. */
	const release = async (keys: string[]) => {
		const claims = keys.flatMap((key) => (leftOver.has(key) ? claimOf(key, leftOver.get(key)!) : []));
		await list.remove(claims);
		for (const key of keys) leftOver.delete(key);
	};

	const addClaim = (key: string, period: number) => {
		leftOver.delete(key);
		// Somebody has cleared n8n's list, or it was forgotten there.
		accepted.delete(key);
		claimed.set(key, { period, state: 'ahead', owner: ahead, waiting: [] });
		ahead.add(key);
	};

	const begin = (key: string): Before => {
		const one = claimed.get(key)!;
		one.state = 'begun';
		one.owner.delete(key);
		return { state: 'new', period: one.period };
	};

	/** Asks one question about messages, which nobody else asks meanwhile. */
	const alone = async <T>(keys: string[], ask: () => Promise<T>): Promise<T> => {
		const answer = ask();
		const over = answer.catch(() => {});
		for (const key of keys) asking.set(key, over);
		try {
			return await answer;
		} finally {
			for (const key of keys) asking.delete(key);
		}
	};

	/** @param begins whether the one message is begun as it is claimed, so that nobody who waits for it comes before */
	const claim = async (keys: string[], begins = false): Promise<void> => {
		const wanted = [...new Set(keys)].filter((key) => !claimed.has(key) && !known.has(key) && !asking.has(key));
		await alone(wanted, async () => {
			const period = periodNow();
			// Where it fails nobody knows what of it was written: what is there then reads as unknown the next time.
			const fresh = await write(wanted.flatMap((key) => claimOf(key, period)));
			const takeOut: string[] = [];
			const isThere = (key: string) => !leftOver.has(key) && claimOf(key, period).some((each) => !fresh.has(each));
			const found = await claimedBefore(wanted.filter(isThere), fresh, period, takeOut);
			const states = await statesOf(found, accepted, takeOut);
			for (const key of wanted) {
				const before = states.get(key);
				if (before !== undefined) known.set(key, before);
				else addClaim(key, period);
				if (before === undefined && begins) begin(key);
			}
			const mine = new Set(wanted.filter((key) => claimed.has(key)).flatMap((key) => claimOf(key, period)));
			await list.remove(takeOut.filter((each) => !mine.has(each)));
		});
	};

	const record = async () => {
		if (unrecorded.size > 0) await write([]);
	};

	return {
		period: periodNow,
		blockSize: async () => (block ??= (await list.count()) > MANY_ENTRIES ? LONG_BLOCK : places),
		claim,
		async begin(key) {
			for (;;) {
				const one = claimed.get(key);
				if (one?.state === 'ahead') {
					return begin(key);
				}
				if (one !== undefined) {
					await new Promise<void>((wake) => one.waiting.push(wake));
					continue;
				}
				const before = known.get(key);
				if (before !== undefined) return before;
				const question = asking.get(key);
				if (question !== undefined) {
					await question;
					continue;
				}
				await claim([key], true);
				return known.get(key) ?? { state: 'new', period: claimed.get(key)!.period };
			}
		},
		async settle(key, fate) {
			const { period, waiting } = claimed.get(key)!;
			claimed.delete(key);
			if (fate === 'sent') {
				accepted.delete(key);
				accepted.set(key, period);
				unrecorded.set(key, period);
				for (const oldest of accepted.keys()) {
					if (accepted.size <= KEPT) break;
					accepted.delete(oldest);
				}
			}
			if (fate === 'free') leftOver.set(key, period);
			for (const wake of waiting) wake();
			// What can't be written now is written with the next change.
			if (fate === 'free') await release([key]).catch(() => {});
			// No more answers wait than a kill may leave unknown.
			if (unrecorded.size >= (block ?? places)) {
				recording ??= record().finally(() => (recording = undefined));
				await recording.catch(() => {});
			}
		},
		async look(keys) {
			const found = new Map<string, Before>();
			const period = periodNow();
			const asked = [...new Set(keys)].filter((key) => claimed.get(key)?.state !== 'begun' && !leftOver.has(key));
			for (let first = 0; first < asked.length; first += LOOKED_UP) {
				const some = asked.slice(first, first + LOOKED_UP).filter((key) => !ahead.has(key));
				await Promise.all(some.map((key) => asking.get(key)));
				await alone(some, async () => {
					const takeOut: string[] = [];
					const fresh = await list.record(some.map((key) => entry(key, period)));
					takeOut.push(...fresh);
					const there = some.filter((key) => !fresh.has(entry(key, period)));
					const seconds = await list.record(there.map((key) => entry(key, period + 1)));
					const before = await claimedBefore(there, seconds, period, takeOut);
					for (const [key, state] of await statesOf(before, accepted, takeOut)) found.set(key, state);
					await list.remove(takeOut);
				});
			}
			return keys.map((key): Before => {
				const one = claimed.get(key);
				if (one?.state === 'begun') return { state: 'unknown', period: one.period };
				return found.get(key) ?? { state: 'new', period };
			});
		},
		async close() {
			for (const key of ahead) {
				leftOver.set(key, claimed.get(key)!.period);
				claimed.delete(key);
			}
			ahead.clear();
			try {
				await record();
				await release([...leftOver.keys()]);
				return undefined;
			} catch (error) {
				const warning = `${asProblem(error).message}. The next run tries again; if n8n is restarted before, it skips messages of this run as unknown, sent or not.`;
				context.logger.warn(`SMS Send: ${warning}`);
				return warning;
			}
		},
	};
}

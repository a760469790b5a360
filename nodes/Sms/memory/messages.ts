import type { IExecuteFunctions } from 'n8n-workflow';

import { asProblem } from '../../shared/problem';
import { openQuestions, type Before } from './asking';
import { openList } from './list';

/*
 * What is remembered of messages, each known by its key. A message is claimed before its request leaves, and marked as sent
 * once the platform has accepted it. A claim without that mark is one whose end nobody saw: it reads as unknown.
 */

/** What became of a message: accepted, nobody knows, or certainly not sent, so that it may be sent again. */
export type Fate = 'sent' | 'unknown' | 'free';

/** The memory of one run. Other runs of the workflow in this process share what is in progress. */
export type Messages = ReturnType<typeof openMessages>;

/** A message that a run holds: nobody else asks n8n's list about it, or changes its entries there. */
interface Held {
	/** `asked`: the list is asked about it, or a claim taken out. `ahead`: any row may begin it, whoever comes first. */
	state: 'asked' | 'ahead' | 'begun';
	/** In which it was claimed. */
	period: number;
	/** The run that asked or claimed. */
	run: object;
	/** Wakes those who wait for what becomes of it. */
	waiting: Array<() => void>;
}

const waitFor = async ({ waiting }: Held) => await new Promise<void>((wake) => waiting.push(wake));

/** What runs share while the process lasts. */
const newShared = () => ({
	held: new Map<string, Held>(),
	/** Messages that are known to be accepted, with the period in which they were claimed. */
	accepted: new Map<string, number>(),
	/** Accepted messages whose mark is not recorded yet. */
	unrecorded: new Map<string, number>(),
	/** Claims that are perhaps in n8n's list, of messages that were not sent and that nobody works on. */
	leftOver: new Map<string, number>(),
});

/** By the workflow and the length of the window. */
const sharedByName = new Map<string, ReturnType<typeof newShared>>();

/** From so many entries on, a change of n8n's list takes as long as sending several messages. */
export const MANY_ENTRIES = 20_000;

/** Then so many messages are claimed at a time, and as many answers may wait to be recorded. A review looks up so many. */
export const LONG_BLOCK = 100;

/** So many accepted messages a process knows without asking n8n's list for their mark. */
const KEPT = 20_000;

/**
 * Opens the memory for one run.
 *
 * @param places how many messages may be in progress in parallel
 * @param windowHours for how long a message is remembered at least; 0: without end
 */
export function openMessages(context: IExecuteFunctions, places: number, windowHours: number) {
	const list = openList(context);
	const name = `${list.name} ${windowHours}`;
	const shared = sharedByName.get(name) ?? newShared();
	sharedByName.set(name, shared);
	const { held, accepted, unrecorded, leftOver } = shared;
	const run = {};
	/** What n8n's list said of messages that were claimed before. */
	const known = new Map<string, Before>();
	let block = places;
	/** How many entries n8n's list has, as far as this run knows. */
	let entries: number | undefined;
	let recording: Promise<unknown> | undefined;
	let isClosed = false;

	const periodNow = () => (windowHours === 0 ? 0 : Math.floor(Date.now() / (windowHours * 3_600_000)));
	const isAccepted = (key: string, period: number) => (unrecorded.get(key) ?? accepted.get(key)) === period;
	const { claimOf, markOf, knownOf } = openQuestions(list, windowHours, isAccepted);

	/** Records what was settled, and new claims. @returns the entries that were not there */
	const write = async (claims: string[]): Promise<Set<string>> => {
		const settled = [...unrecorded];
		const fresh = await list.record([...settled.flatMap(([key, period]) => markOf(key, period)), ...claims]);
		for (const [key] of settled) unrecorded.delete(key);
		if (entries !== undefined) entries += fresh.size;
		return fresh;
	};

	/** Holds messages that nobody holds, while it works on their entries; those that are not claimed then are let go. */
	const hold = async (keys: string[], work: () => Promise<void>): Promise<void> => {
		const all = keys.map((key): [string, Held] => [key, { state: 'asked', period: 0, run, waiting: [] }]);
		for (const [key, one] of all) held.set(key, one);
		try {
			await work();
		} finally {
			for (const [key, one] of all) {
				if (one.state === 'asked') held.delete(key);
				for (const wake of one.waiting.splice(0)) wake();
			}
		}
	};

	/** Takes out claims of messages that were not sent; what can't be taken out now is for later. */
	const release = async (keys: string[]) => {
		await list.remove(keys.flatMap((key) => claimOf(key, leftOver.get(key)!)));
		for (const key of keys) leftOver.delete(key);
	};

	/** @param state begun where it is claimed for a row whose turn it is, so that nobody who waits for it comes before */
	const claim = async (keys: string[], state: 'ahead' | 'begun'): Promise<void> => {
		const wanted = [...new Set(keys)].filter((key) => !held.has(key) && !known.has(key));
		await hold(wanted, async () => {
			const period = periodNow();
			// Where it fails nobody knows what of it was written: what is there then reads as unknown the next time.
			const fresh = await write(wanted.flatMap((key) => claimOf(key, period)));
			const isThere = (key: string) => !leftOver.has(key) && claimOf(key, period).some((each) => !fresh.has(each));
			const takeOut: string[] = [];
			const before = await knownOf(wanted.filter(isThere), fresh, period, takeOut);
			for (const key of wanted) {
				const one = before.get(key);
				if (one === undefined) {
					leftOver.delete(key);
					// Somebody has cleared n8n's list, or it was forgotten there.
					accepted.delete(key);
					Object.assign(held.get(key)!, { state, period });
				} else {
					known.set(key, one);
					takeOut.push(...claimOf(key, period).filter((each) => fresh.has(each)));
				}
			}
			// What stays where that fails is half of something, or reads as unknown.
			await list.remove(takeOut).catch(() => {});
		});
	};

	return {
		/** The period in which a message would be claimed now. */
		period: periodNow,
		/** How many messages may be claimed before their turn comes. */
		async blockSize(): Promise<number> {
			entries ??= await list.count();
			return (block = entries > MANY_ENTRIES ? LONG_BLOCK : places);
		},
		/**
		 * Claims messages before their turn comes, in one change of n8n's list, with which what was settled is recorded too.
		 *
		 * @param keys those that another run works on, or that are claimed already, cost nothing
		 * @returns whether some were claimed before, by whom nobody has seen the end
		 */
		claim: async (keys: string[]): Promise<boolean> => {
			// Rows may still be read when their run is stopped.
			if (isClosed) return false;
			await claim(keys, 'ahead');
			return keys.some((key) => known.get(key)?.state === 'unknown');
		},
		/**
		 * A row's turn: its message is claimed for it, where it is new. It waits while the same message is in progress for
		 * another row, here or in another run; such a row waits for nobody, so that there is no deadlock.
		 */
		async begin(key: string): Promise<Before> {
			for (;;) {
				const one = held.get(key);
				if (one === undefined) {
					if (!known.has(key)) await claim([key], 'begun');
					return known.get(key) ?? { state: 'new', period: held.get(key)!.period };
				}
				if (one.state !== 'ahead') {
					await waitFor(one);
					continue;
				}
				one.state = 'begun';
				return { state: 'new', period: one.period };
			}
		},
		/** What became of a begun message. */
		async settle(key: string, fate: Fate): Promise<void> {
			const { period, waiting } = held.get(key)!;
			if (fate === 'sent') {
				if (accepted.size >= KEPT) accepted.clear();
				accepted.set(key, period);
				unrecorded.set(key, period);
			}
			if (fate === 'free') {
				leftOver.set(key, period);
				// Held until then: otherwise the claim of the next one could be taken out.
				await release([key]).catch(() => {});
			}
			held.delete(key);
			for (const wake of waiting) wake();
			// No more answers wait than a kill may leave unknown. What can't be written now is written with the next change.
			if (unrecorded.size >= block) {
				recording ??= write([]).finally(() => (recording = undefined));
				await recording.catch(() => {});
			}
		},
		/** What is known of messages, for a review: nothing is claimed, and nothing is left behind. */
		async look(keys: string[]): Promise<Before[]> {
			const found = new Map<string, Before>();
			const period = periodNow();
			const all = [...new Set(keys)];
			for (let first = 0; first < all.length; first += LONG_BLOCK) {
				const some = all.slice(first, first + LONG_BLOCK);
				const nextAsked = () => some.map((key) => held.get(key)).find((one) => one?.state === 'asked');
				for (let one = nextAsked(); one !== undefined; one = nextAsked()) await waitFor(one);
				for (const key of some) {
					if (held.has(key)) found.set(key, { state: 'unknown', period: held.get(key)!.period });
				}
				const asked = some.filter((key) => !held.has(key) && !leftOver.has(key));
				await hold(asked, async () => {
					const firstOf = (key: string) => claimOf(key, period)[0];
					const firsts = await list.record(asked.map(firstOf));
					const there = asked.filter((key) => !firsts.has(firstOf(key)));
					const seconds = await list.record(there.map((key) => claimOf(key, period)[1]));
					const takeOut = [...firsts, ...seconds];
					for (const [key, before] of await knownOf(there, seconds, period, takeOut)) found.set(key, before);
					await list.remove(takeOut).catch(() => {});
				});
			}
			return keys.map((key) => found.get(key) ?? { state: 'new', period });
		},
		/**
		 * Gives back what was claimed and not begun, and records what is not recorded yet. It does not throw.
		 *
		 * @returns what the user has to know where n8n's list could not be written
		 */
		async close(): Promise<string | undefined> {
			isClosed = true;
			for (const one of held.values()) if (one.run === run && one.state === 'asked') await waitFor(one);
			for (const [key, one] of held) {
				if (one.run !== run || one.state !== 'ahead') continue;
				leftOver.set(key, one.period);
				held.delete(key);
			}
			try {
				await write([]);
				const free = [...leftOver.keys()].filter((key) => !held.has(key));
				await hold(free, async () => await release(free));
				return undefined;
			} catch (error) {
				const warning = `${asProblem(error).message}. The next run tries again; if n8n is restarted before, it skips messages of this run as unknown, sent or not.`;
				context.logger.warn(`SMS Send: ${warning}`);
				return warning;
			}
		},
	};
}

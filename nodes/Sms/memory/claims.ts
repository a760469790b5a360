import type { IExecuteFunctions } from 'n8n-workflow';

import { asProblem } from '../../shared/problem';
import { openList } from './list';
import { entriesOf, knownOf, windowsOf, type Known, type RememberFor } from './periods';

/*
 * What is remembered of messages, each known by its key. A message is claimed before its request leaves, and marked as sent
 * with the next change of n8n's list after the platform has accepted it. A claim without that mark reads as unknown.
 *
 * Why nobody waits for ever: whoever claims waits while another run holds one of the messages, and holds none of them then.
 * A run claims only when every message that it claimed before is in the hands of whoever sends it, or is given back: those
 * need no further claim, and are settled whatever comes of them. What is claimed and never sent, `close` gives back, which
 * stands in a `finally`.
 */

/** What became of a message: accepted, nobody knows, or certainly not sent, so that it may be sent again. */
export type Fate = 'sent' | 'unknown' | 'free';

/** The memory of one run. Other runs of the workflow in this process share what is held. */
export type Messages = ReturnType<typeof openMessages>;

/** A message that a run holds: nobody else asks n8n's list about it, or changes its entries there. */
interface Held {
	run: object;
	/** When it was claimed, in milliseconds since 1970. */
	at: number;
	/** Comes when n8n's list has been asked about it; undefined after that. */
	asked?: Promise<unknown>;
	/** Comes when it is held no more. */
	over: Promise<void>;
	letGo: () => void;
}

/** What the runs of a workflow share while the process lasts. */
const newShared = () => ({
	held: new Map<string, Held>(),
	/** When each was claimed. */
	accepted: new Map<string, number>(),
	/** Accepted messages whose mark is not recorded yet, with the entries of that. */
	unrecorded: new Map<string, { at: number; mark: string[] }>(),
	/** Claims that are perhaps in n8n's list, of messages that were not sent: to be taken out, unless the next claim takes them over. */
	leftOver: new Map<string, string[]>(),
});

const sharedByWorkflow = new Map<string, ReturnType<typeof newShared>>();

/** From so many entries on, a change of n8n's list takes as long as sending several messages. */
export const MANY_ENTRIES = 20_000;

/** Then so many messages are claimed at a time, and as many answers may wait to be recorded. A review looks up so many. */
export const LONG_BLOCK = 100;

/** So many accepted messages a process knows without asking n8n's list for their mark. */
const KEPT = 20_000;

/** Opens the memory for one run. @param places how many messages may be in progress in parallel */
export function openMessages(context: IExecuteFunctions, places: number, rememberFor: RememberFor) {
	const list = openList(context);
	const shared = sharedByWorkflow.get(list.name) ?? newShared();
	sharedByWorkflow.set(list.name, shared);
	const { held, accepted, unrecorded, leftOver } = shared;
	const run = {};
	const { claimsAt, claimOf, markOf, sinceAt } = windowsOf(rememberFor);
	/** A single row, which nobody counts the list for, has this. */
	let block = places;
	/** How many entries n8n's list has at most; what is taken out is not subtracted. */
	let entries: number | undefined;
	let recording: Promise<unknown> | undefined;

	const acceptedAt = (key: string) => unrecorded.get(key)?.at ?? accepted.get(key);

	/** Records what was settled, and new claims. @returns the entries of the claims that were not there */
	const write = async (claims: string[]): Promise<Set<string>> => {
		const settled = [...unrecorded];
		const marks = settled.flatMap(([, { mark }]) => mark);
		const fresh = await list.record([...marks, ...claims]);
		for (const [key] of settled) unrecorded.delete(key);
		if (entries !== undefined) entries += fresh.size;
		// Where another process has lost the claim of a settled message, the same message again is not new for that.
		for (const entry of marks) fresh.delete(entry);
		return fresh;
	};

	/** Holds messages that nobody holds, from this tick on. @param ask asks about them, or changes their entries */
	const hold = async <T>(keys: string[], at: number, ask: (keys: string[], at: number) => Promise<T>): Promise<T> => {
		const asked = ask(keys, at);
		for (const key of keys) {
			let letGo = () => {};
			const over = new Promise<void>((resolve) => (letGo = resolve));
			held.set(key, { run, at, asked, over, letGo });
		}
		try {
			return await asked;
		} finally {
			// One that was let go meanwhile may be held by the next run, which has not asked yet.
			for (const one of keys.map((key) => held.get(key))) if (one?.asked === asked) one.asked = undefined;
		}
	};
	const letGo = (keys: string[]) => {
		for (const key of keys) {
			held.get(key)?.letGo();
			held.delete(key);
		}
	};
	const holderOf = (keys: string[]) => keys.map((key) => held.get(key)).find((one) => one !== undefined);

	/** Takes out claims of messages that were not sent; what can't be taken out now is for later. */
	const release = async (keys: string[]) => {
		await list.remove(keys.flatMap((key) => leftOver.get(key)!));
		for (const key of keys) leftOver.delete(key);
	};

	/** Records entries to learn which are there. @param takeOut gets those that are not, to be taken out again */
	const askInto = (takeOut: string[]) => async (questions: string[]) => {
		const added = await list.record(questions);
		takeOut.push(...added);
		return added;
	};

	/** Claims messages. @returns what is known of those that were claimed before */
	const askAndClaim = async (keys: string[], at: number): Promise<Map<string, Known>> => {
		const fresh = await write(keys.flatMap((key) => claimOf(key, at)));
		// Should a question below fail, what was claimed just now is nobody's.
		for (const key of keys)
			if (claimOf(key, at).every((entry) => fresh.has(entry))) leftOver.set(key, claimOf(key, at));
		const there = keys
			.filter((key) => !leftOver.has(key))
			.flatMap((key) => claimsAt(key, at))
			.filter((claim) => entriesOf(claim).some((entry) => !fresh.has(entry)));
		const takeOut: string[] = [];
		let before = new Map<string, Known>();
		try {
			before = await knownOf(askInto(takeOut), there, fresh, acceptedAt);
			for (const key of keys) {
				if (before.has(key)) takeOut.push(...claimOf(key, at).filter((entry) => fresh.has(entry)));
				else {
					leftOver.delete(key);
					// Somebody has cleared n8n's list, or it was forgotten there.
					accepted.delete(key);
				}
			}
		} finally {
			// What stays where that fails is half of something, or reads as unknown.
			await list.remove(takeOut).catch(() => {});
		}
		letGo([...before.keys()]);
		return before;
	};

	/** The same without a claim: what is recorded to ask is taken out again, also where a question fails. */
	const askOnly = async (keys: string[], at: number): Promise<Map<string, Known>> => {
		const claims = keys.filter((key) => !leftOver.has(key)).flatMap((key) => claimsAt(key, at));
		const firstOf = (claim: (typeof claims)[number]) => entriesOf(claim)[0]!;
		const takeOut: string[] = [];
		const ask = askInto(takeOut);
		try {
			const firsts = await ask(claims.map(firstOf));
			const there = claims.filter((claim) => !firsts.has(firstOf(claim)));
			const seconds = await ask(there.flatMap((claim) => entriesOf(claim).slice(1)));
			return await knownOf(ask, there, seconds, acceptedAt);
		} finally {
			await list.remove(takeOut).catch(() => {});
		}
	};

	return {
		/** Since when a message would be known that is claimed now. */
		sinceNow: () => sinceAt(Date.now()),
		/** How many messages may be claimed at a time: what a kill would leave unknown. */
		async blockSize(): Promise<number> {
			// Where nobody can count them now, few are claimed at a time.
			entries ??= await list.count().catch(() => 0);
			return (block = entries > MANY_ENTRIES ? LONG_BLOCK : places);
		},
		/**
		 * Claims messages in one change of n8n's list, with which what was settled is recorded too. It takes all of them or
		 * none: it waits while another row or run holds one.
		 * @returns what is known of each; what is new is held until it is settled
		 * @throws Problem where the list can't be written. Nobody knows what of the claim is there: it then reads as unknown
		 */
		async claim(keys: string[]): Promise<Map<string, Known>> {
			// Between the last look and the hold nothing is waited for, so that nobody comes between.
			for (let one = holderOf(keys); one !== undefined; one = holderOf(keys)) await one.over;
			const at = Date.now();
			const before = await hold(keys, at, askAndClaim).catch((error: unknown) => {
				letGo(keys);
				throw error;
			});
			return new Map(keys.map((key) => [key, before.get(key) ?? { state: 'new', since: sinceAt(at) }]));
		},
		/** What became of a message that `claim` called new. */
		async settle(key: string, fate: Fate): Promise<void> {
			const { at } = held.get(key)!;
			if (fate === 'sent') {
				if (accepted.size >= KEPT) accepted.clear();
				accepted.set(key, at);
				// With its claim: a process that writes the list in the same moment may have lost that.
				unrecorded.set(key, { at, mark: [...claimOf(key, at), ...markOf(key, at)] });
			}
			if (fate === 'free') {
				leftOver.set(key, claimOf(key, at));
				// Held until then: otherwise the claim of the next one could be taken out.
				await release([key]).catch(() => {});
			}
			letGo([key]);
			// No more answers wait than a kill may leave unknown. What can't be written now is written with the next change.
			if (unrecorded.size > block) {
				recording ??= write([]).finally(() => (recording = undefined));
				await recording.catch(() => {});
			}
		},
		/**
		 * What is known of messages; nothing is claimed. One that another run is sending is unknown; what this run is sending
		 * is waited for.
		 */
		async look(keys: string[]): Promise<Map<string, Known>> {
			const known = new Map<string, Known>();
			// What is remembered always has no halves, so a killed question would leave claims.
			const most = rememberFor === 'always' ? Math.min(3 * places, LONG_BLOCK) : LONG_BLOCK;
			for (let first = 0; first < keys.length; first += most) {
				const some = keys.slice(first, first + most);
				const pending = () =>
					some.map((key) => held.get(key)).find((one) => one?.run === run || one?.asked !== undefined);
				for (let one = pending(); one !== undefined; one = pending())
					await (one.run === run ? one.over : one.asked?.catch(() => {}));
				for (const key of some)
					if (held.has(key)) known.set(key, { state: 'unknown', since: sinceAt(held.get(key)!.at) });
				const asked = some.filter((key) => !held.has(key));
				const found = await hold(asked, Date.now(), askOnly).finally(() => letGo(asked));
				for (const [key, one] of found) known.set(key, one);
			}
			return new Map(keys.map((key) => [key, known.get(key) ?? { state: 'new', since: sinceAt(Date.now()) }]));
		},
		/**
		 * Gives back what was claimed and never sent, and records what is not recorded yet. It does not throw.
		 * @returns what the user has to know where n8n's list could not be written
		 */
		async close(): Promise<string | undefined> {
			const undrawn = [...held].filter(([, one]) => one.run === run);
			for (const [key, { at }] of undrawn) leftOver.set(key, claimOf(key, at));
			letGo(undrawn.map(([key]) => key));
			try {
				await write([]);
				const free = [...leftOver.keys()].filter((key) => !held.has(key));
				await hold(free, Date.now(), release).finally(() => letGo(free));
				return undefined;
			} catch (error) {
				const warning = `${asProblem(error).message}. The next run tries again; if n8n is restarted before, it skips messages of this run as unknown, sent or not.`;
				context.logger.warn(`SMS Send: ${warning}`);
				return warning;
			}
		},
	};
}

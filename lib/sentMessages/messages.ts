import type { IExecuteFunctions } from 'n8n-workflow';

import { toProblem, Problem } from '../texts/problem';
import { openList } from './list';
import * as periods from './periods';
import { claimEntries, sentEntries, type Claim, type Period, type RememberFor } from './periods';
import { openRoom, type Reservation } from './room';

/*
 * The memory of messages: claim, release, record.
 *
 * A message is claimed in n8n's list before its request leaves. It is released, in this process, as soon as its outcome is
 * known. The outcome is recorded in n8n's list with the next claims of the run, or when the run ends. Until then the other
 * runs of this process read it here.
 *
 * Deadlock freedom: a run claims only when it has released everything that it claimed before, so it never waits for another
 * run's claim while it holds one.
 */

/** What is known of a request: accepted, certainly not processed, or unknown. */
export type Outcome = 'accepted' | 'rejected' | 'unknown';

/** What is known of a message before it is sent. */
export interface Known {
	/** `full`: new, and the list has no room to remember it. */
	state: 'new' | 'sent' | 'unknown' | 'full';
	/** The period in which it was first claimed, or would be. */
	period: Period;
	/** Whether the run has to release it with an outcome. */
	isClaimed: boolean;
}

/** The memory of one run. The runs of a workflow in this process share what is in progress. */
export type Messages = ReturnType<typeof openMessages>;

/** A message that a run has claimed, or asks about. */
interface InProgress {
	run: object;
	/** The claim that its outcome belongs to. Of a message that is sent again, an earlier one. */
	claim: Claim;
	/** Whether an earlier claim stays if it is rejected. */
	isResent: boolean;
	/** Counters of the list that have room for it. */
	counters: Reservation['counters'];
	/** Resolves when n8n's list was asked. Undefined after that. */
	asked?: Promise<unknown>;
	/** Resolves when it is released. */
	released: Promise<void>;
	resolve(): void;
}

const createShared = () => ({
	room: openRoom(),
	inProgress: new Map<string, InProgress>(),
	/** Accepted messages that this process knows without asking n8n's list. */
	accepted: new Map<string, Claim>(),
	/** Accepted messages whose outcome is not recorded yet. */
	unrecorded: new Map<string, Claim>(),
	/** Claims to be removed, of messages that were not sent. A new claim of the message takes them over. */
	unclaimed: new Map<string, { claim: Claim; counters: Reservation['counters'] }>(),
	/** When this process learned that the outcome of a message is unknown, in milliseconds since 1970. */
	unknownSince: new Map<string, number>(),
});

const sharedByWorkflow = new Map<string, ReturnType<typeof createShared>>();

function sharedOf(workflow: string) {
	const shared = sharedByWorkflow.get(workflow) ?? createShared();
	sharedByWorkflow.set(workflow, shared);
	return shared;
}

/** The largest number of messages in `accepted` and in `unknownSince`. */
const KEPT = 20_000;

/** How many messages a question is about: so many are known wrongly at most if n8n is killed meanwhile. */
const ASKED_AT_ONCE = 100;

/** After so many attempts other processes open pages faster than this one can claim. */
const CLAIM_ATTEMPTS = 5;

/** This process can't know what became unknown before it started. */
const PROCESS_START = Date.now();

/** Opens the memory of the workflow that this execution runs, for one run. */
export function openMessages(context: IExecuteFunctions, rememberFor: RememberFor) {
	const list = openList(context);
	const { room, inProgress, accepted, unrecorded, unclaimed, unknownSince } = sharedOf(list.name);
	const run = {};
	const [otherChoice] = periods.CHOICES.filter((choice) => choice !== rememberFor) as [RememberFor];
	const executionBegan = beginningOf(context);

	const claimAt = (key: string, at: number): Claim => ({ ...periods.periodAt(rememberFor, at), key });
	const known = (state: Known['state'], period: Period, isClaimed = false): Known => {
		const { choice, number } = period;
		return { state, period: { choice, number }, isClaimed };
	};

	/** Marks messages as in progress, before anything is awaited, while a question or a claim runs. */
	const hold = async <T>(keys: string[], at: number, ask: () => Promise<T>): Promise<T> => {
		const asked = ask();
		for (const key of keys) {
			let resolve = () => {};
			const released = new Promise<void>((done) => (resolve = done));
			const claim = claimAt(key, at);
			inProgress.set(key, { run, claim, isResent: false, counters: [], asked, released, resolve });
		}
		try {
			return await asked;
		} finally {
			for (const one of keys.map((key) => inProgress.get(key))) if (one?.asked === asked) one.asked = undefined;
		}
	};
	const letGo = (keys: Iterable<string>) => {
		for (const key of keys) {
			inProgress.get(key)?.resolve();
			inProgress.delete(key);
		}
	};
	const inProgressAmong = (keys: string[]) => keys.map((key) => inProgress.get(key)).find((one) => one !== undefined);

	/** Records entries to learn which are there. @param questions gets the new ones, to be removed again */
	const ask = async (entries: string[], questions: string[]): Promise<Set<string>> => {
		const fresh = await list.ask(entries);
		questions.push(...fresh);
		return fresh;
	};

	/**
	 * Finds the claims of messages in a choice's periods at a moment.
	 * @param fresh which of the entries of a claim at this moment were new, if they were recorded just now
	 */
	const findClaims = async (keys: string[], current: Period, questions: string[], fresh?: ReadonlySet<string>) => {
		const candidates = keys.map((key): Claim => ({ ...current, key }));
		const isLater = room.isUsedLater(current);
		const first = (claim: Claim) => claimEntries(claim)[0];
		const second = (claim: Claim) => claimEntries(claim)[1];
		const isNew = fresh ?? (await ask(candidates.map(first), questions));
		const begun = candidates.filter((claim) => !isNew.has(first(claim)));
		// A clock that was set back: the claim is of the next period.
		const others = isLater || fresh !== undefined ? candidates.filter((claim) => isNew.has(first(claim))) : [];
		const isSecondNew = fresh ?? (await ask([...begun, ...others].map(second), questions));
		const whole = begun.filter((claim) => !isSecondNew.has(second(claim)));
		// One entry alone is half of an earlier or a later claim, or what a question left that was killed.
		const earlier = begun
			.filter((claim) => isSecondNew.has(second(claim)))
			.map((claim) => periods.neighbour(claim, -1));
		const later = others.filter((claim) => !isSecondNew.has(second(claim))).map((claim) => periods.neighbour(claim, 1));
		const isNotThere = await ask([...earlier.map(first), ...later.map(second)], questions);
		return [
			...whole,
			...earlier.filter((claim) => !isNotThere.has(first(claim))),
			...later.filter((claim) => !isNotThere.has(second(claim))),
		];
	};

	/** Which of these claims belong to accepted messages. */
	const findAccepted = async (claims: Claim[], questions: string[]): Promise<Set<Claim>> => {
		const isKnown = (claim: Claim) => {
			const own = unrecorded.get(claim.key) ?? accepted.get(claim.key);
			return own !== undefined && periods.isSamePeriod(own, claim);
		};
		let perhaps = claims.filter((claim) => !isKnown(claim));
		for (const half of [0, 1]) {
			const entryOf = (claim: Claim) => sentEntries(claim)[half]!;
			const fresh = await ask(perhaps.map(entryOf), questions);
			perhaps = perhaps.filter((claim) => !fresh.has(entryOf(claim)));
		}
		return new Set([...claims.filter(isKnown), ...perhaps]);
	};

	/** What is known of messages by these claims; nothing of a message without one. Accepted wins over unknown. */
	const describe = async (claims: Claim[], questions: string[]): Promise<Map<string, Known>> => {
		const isAccepted = await findAccepted(claims, questions);
		const states = new Map<string, Known>();
		for (const claim of claims) if (isAccepted.has(claim)) states.set(claim.key, known('sent', claim));
		for (const claim of claims) if (!states.has(claim.key)) states.set(claim.key, known('unknown', claim));
		return states;
	};

	/** Looks up messages that no other run has in progress. Nothing stays recorded. */
	const lookUp = async (keys: string[], at: number): Promise<Map<string, Known>> => {
		const questions: string[] = [];
		await room.refresh(list, at);
		const asked = keys.filter((key) => !unclaimed.has(key));
		try {
			const claims: Claim[] = [];
			for (const choice of [rememberFor, otherChoice]) {
				if (choice !== rememberFor && !room.isUsed(choice)) continue;
				claims.push(...(await findClaims(asked, periods.periodAt(choice, at), questions)));
			}
			return await describe(claims, questions);
		} finally {
			await list.remove(questions).catch(() => {});
		}
	};

	/** Records outcomes of earlier messages and new claims in one write, as often as it takes until the counts are right. */
	const writeClaims = async (keys: string[], at: number) => {
		for (let attempt = 0; attempt < CLAIM_ATTEMPTS; attempt++) {
			await room.refresh(list, at);
			if (room.messages() < keys.length) return undefined;
			const entries = keys.flatMap((key) => claimEntries(claimAt(key, at)));
			const reservation = room.reserveMessages(periods.periodAt(rememberFor, at), keys.length);
			const fresh = await record(entries, reservation);
			if (room.isRight(reservation, fresh)) return { fresh, reservation };
			const recorded = [...entries, ...reservation.entries].filter((entry) => fresh.has(entry));
			await list.remove(recorded);
		}
		throw new Problem('Other processes of n8n fill the list of what was sent at the same time', 'Try again', {
			outcome: 'rejected',
		});
	};

	/** Records entries, and the outcomes that are not recorded yet with them. @returns the new ones, without the outcomes' */
	const record = async (entries: string[], reservation: Reservation): Promise<Set<string>> => {
		const outcomes = [...unrecorded];
		// An outcome is recorded with its claim, which another process that wrote the list at the same moment may have lost.
		// Pages stand first: if entries are dropped, pages have to go before the entries that they count.
		const sent = outcomes.flatMap(([, claim]) => [...claimEntries(claim), ...sentEntries(claim)]);
		const fresh = await list
			.record([...reservation.entries, ...sent, ...entries], reservation.mostEntries, reservation.expected)
			.catch((error: unknown) => {
				room.isRight(reservation, undefined);
				throw error;
			});
		for (const [key, claim] of outcomes) if (unrecorded.get(key) === claim) unrecorded.delete(key);
		const own = new Set([...entries, ...reservation.entries]);
		return new Set([...fresh].filter((entry) => own.has(entry)));
	};

	/** Records outcomes that no claim has recorded yet. */
	const recordOutcomes = async (): Promise<void> => {
		if (unrecorded.size > 0) await record([], NO_RESERVATION);
	};

	/** Removes the claims of messages that were not sent, unless a run has these messages in progress. */
	const removeUnclaimed = async (): Promise<void> => {
		const keys = [...unclaimed.keys()].filter((key) => !inProgress.has(key));
		if (keys.length === 0) return;
		const remove = async () => {
			await list.remove(keys.flatMap((key) => claimEntries(unclaimed.get(key)!.claim)));
			for (const key of keys) {
				room.giveBack(unclaimed.get(key)!.counters, 1);
				unclaimed.delete(key);
			}
		};
		// In progress meanwhile: otherwise the entries of a new claim could be removed.
		await hold(keys, Date.now(), remove).finally(() => letGo(keys));
	};

	/** Claims messages that this run has in progress. @returns what is known of those that it could not claim */
	const claimHeld = async (keys: string[], at: number, resend: ReadonlySet<string>): Promise<Map<string, Known>> => {
		const written = await writeClaims(keys, at);
		if (written === undefined) return await claimWhatFits(keys, at, resend);
		const { fresh, reservation } = written;
		const { counters } = reservation;
		const isAllNew = (key: string) => claimEntries(claimAt(key, at)).every((entry) => fresh.has(entry));
		// If a question below fails, the new claims belong to no run and are removed later.
		const questions: string[] = [];
		for (const key of keys.filter(isAllNew)) {
			const before = unclaimed.get(key);
			// A claim of the other choice that could not be removed yet.
			if (before !== undefined) questions.push(...claimEntries(before.claim));
			unclaimed.set(key, { claim: claimAt(key, at), counters });
		}
		const current = periods.periodAt(rememberFor, at);
		const found = new Map<string, Known>();
		try {
			const old = keys.filter((key) => !unclaimed.has(key));
			const claims = await findClaims(old, current, questions, fresh);
			if (room.isUsed(otherChoice)) {
				const own = new Set(claims.map(({ key }) => key));
				await list.remove(questions.splice(0));
				const rest = keys.filter((key) => !own.has(key));
				claims.push(...(await findClaims(rest, periods.periodAt(otherChoice, at), questions)));
			}
			for (const [key, one] of await describe(claims, questions)) found.set(key, one);
		} finally {
			for (const key of found.keys()) {
				questions.push(...claimEntries(claimAt(key, at)).filter((entry) => fresh.has(entry)));
				unclaimed.delete(key);
			}
			await list.remove(questions).catch(() => {});
		}
		for (const key of keys.filter((one) => !found.has(one))) {
			unclaimed.delete(key);
			// It was accepted before, and n8n's list was cleared since.
			accepted.delete(key);
			Object.assign(inProgress.get(key)!, { claim: claimAt(key, at), counters });
		}
		const kept = keepForResending(found, resend);
		// The outcome of a message that is sent again needs room also in periods after that of its claim.
		room.giveBack(counters, [...kept.values()].filter(({ isClaimed }) => !isClaimed).length);
		return kept;
	};

	/** Like `claimHeld`, if the list has no room for all: known messages stay known, and the first new ones take the room. */
	const claimWhatFits = async (
		keys: string[],
		at: number,
		resend: ReadonlySet<string>,
	): Promise<Map<string, Known>> => {
		const found = await lookUp(keys, at);
		const fresh = keys.filter((key) => !found.has(key));
		const fitting = fresh.slice(0, room.messages());
		for (const key of fresh.slice(fitting.length)) found.set(key, known('full', claimAt(key, at)));
		const claimed = fitting.length === 0 ? new Map<string, Known>() : await claimHeld(fitting, at, resend);
		return new Map([...keepForResending(found, resend), ...claimed]);
	};

	/** Keeps messages of unknown outcome in progress that are to be sent again. */
	const keepForResending = (found: Map<string, Known>, resend: ReadonlySet<string>): Map<string, Known> => {
		for (const [key, one] of found) {
			const wasUnknownBefore = executionBegan >= PROCESS_START && (unknownSince.get(key) ?? 0) < executionBegan;
			if (one.state !== 'unknown' || !resend.has(key) || !wasUnknownBefore) continue;
			Object.assign(inProgress.get(key)!, { claim: { ...one.period, key }, isResent: true });
			found.set(key, { ...one, isClaimed: true });
		}
		return found;
	};

	return {
		/** What a message would be known by that is claimed now. */
		periodNow: () => periods.periodAt(rememberFor, Date.now()),

		/** Records outcomes that no claim has recorded yet, and removes the claims of messages that were not sent. */
		async recordAll(): Promise<void> {
			await recordOutcomes();
			await removeUnclaimed();
		},

		/** How many entries n8n's list has. */
		count: async () => await list.count(),

		/**
		 * Claims messages in one write of n8n's list, with which outcomes of earlier messages are recorded. It claims all or
		 * none: it waits while another run has one of them in progress, and records outcomes before it waits.
		 * @param resend messages that are to be sent again if their outcome is unknown since before this execution began
		 * @throws Problem if the list can't be written. A part of the claim may be there: the message then reads as unknown
		 */
		async claim(keys: string[], resend: ReadonlySet<string> = new Set()): Promise<Map<string, Known>> {
			await removeUnclaimed().catch(() => {});
			if (inProgressAmong(keys) !== undefined) await recordOutcomes();
			// Nothing is awaited between the last look and `hold`, so no other run comes in between.
			for (let one = inProgressAmong(keys); one !== undefined; one = inProgressAmong(keys)) await one.released;
			const at = Date.now();
			const found = await hold(keys, at, async () => await claimHeld(keys, at, resend)).catch((error: unknown) => {
				letGo(keys);
				throw error;
			});
			letGo([...found].filter(([, one]) => !one.isClaimed).map(([key]) => key));
			return new Map(keys.map((key) => [key, found.get(key) ?? known('new', claimAt(key, at), true)]));
		},

		/** Releases a claimed message with its outcome. */
		release(key: string, outcome: Outcome): void {
			const { claim, isResent, counters } = inProgress.get(key)!;
			if (outcome === 'accepted') {
				if (accepted.size >= KEPT) accepted.clear();
				accepted.set(key, claim);
				unrecorded.set(key, claim);
			}
			if (outcome === 'rejected' && !isResent) unclaimed.set(key, { claim, counters });
			if (outcome === 'unknown') {
				if (unknownSince.size >= KEPT) unknownSince.delete(unknownSince.keys().next().value!);
				unknownSince.set(key, Date.now());
			}
			letGo([key]);
		},

		/**
		 * What is known of messages. Nothing is claimed. A message that another run has in progress is unknown; one that this
		 * run has in progress is waited for.
		 */
		async look(keys: string[]): Promise<Map<string, Known>> {
			const states = new Map<string, Known>();
			for (let first = 0; first < keys.length; first += ASKED_AT_ONCE) {
				const some = keys.slice(first, first + ASKED_AT_ONCE);
				const pending = () =>
					some.map((key) => inProgress.get(key)).find((one) => one?.run === run || one?.asked !== undefined);
				for (let one = pending(); one !== undefined; one = pending())
					await (one.run === run ? one.released : one.asked?.catch(() => {}));
				const [asked, others] = [some.filter((key) => !inProgress.has(key)), some.filter((key) => inProgress.has(key))];
				for (const key of others) states.set(key, known('unknown', inProgress.get(key)!.claim));
				const at = Date.now();
				const found = await hold(asked, at, async () => await lookUp(asked, at)).finally(() => letGo(asked));
				for (const [key, one] of found) states.set(key, one);
			}
			return new Map(keys.map((key) => [key, states.get(key) ?? known('new', claimAt(key, Date.now()))]));
		},

		/**
		 * Says how full the memory is, and whether it has room for messages.
		 * @param count how many messages are to be claimed
		 * @param keys if given, only those of them count that are new
		 */
		async roomFor(count: number, keys: string[] = []): Promise<MemoryState> {
			await room.refresh(list, Date.now());
			let fresh = count;
			// Known messages need no room. At most one more than fit has to be asked about.
			if (count > room.messages() && keys.length > 0) {
				fresh = 0;
				for (let first = 0; first < keys.length && fresh <= room.messages(); first += ASKED_AT_ONCE) {
					const states = await this.look(keys.slice(first, first + ASKED_AT_ONCE));
					for (const { state } of states.values()) if (state === 'new') fresh++;
				}
			}
			const fits = fresh <= room.messages();
			return {
				fits,
				room: room.messages(),
				percent: room.percentIfNearlyFull(),
				isBroken: room.isBroken(),
				againAt: fits ? undefined : room.roomAgainAt(Math.max(1, fresh)),
			};
		},

		/** How full the memory is, as this process knows it; nothing is asked. */
		fullness: () => ({ room: room.messages(), percent: room.percentIfNearlyFull() }),

		/**
		 * Ends the run: releases what it claimed and did not send, and records outcomes. It does not throw.
		 * @returns what the user has to know if n8n's list could not be written
		 */
		async close(): Promise<string | undefined> {
			for (const [key, one] of [...inProgress]) if (one.run === run) this.release(key, 'rejected');
			try {
				await this.recordAll();
				return undefined;
			} catch (error) {
				const warning = `${toProblem(error).message}. The next run tries again; if n8n is restarted before, it skips messages of this run as unknown, sent or not.`;
				context.logger.warn(`SMS Send: ${warning}`);
				return warning;
			}
		},
	};
}

/** How full the memory is. */
export interface MemoryState {
	/** Whether the messages fit. */
	fits: boolean;
	/** How many more messages fit. */
	room: number;
	/** Percent of the memory in use, from 80 on. */
	percent: number | undefined;
	/** Whether another node dropped entries of the list. */
	isBroken: boolean;
	/** From when the messages fit, in milliseconds since 1970. Undefined: they fit, or never do. */
	againAt: number | undefined;
}

const NO_RESERVATION: Reservation = { entries: [], expected: [], opened: [], counters: [], mostEntries: Infinity };

/**
 * Records an entry that is no message, such as a used code, and counts it.
 * @returns whether it was new @throws Problem if the list can't be written
 */
export async function recordOnce(context: IExecuteFunctions, entry: string): Promise<boolean> {
	const list = openList(context);
	const { room } = sharedOf(list.name);
	await room.refresh(list, Date.now());
	const reservation = room.reserve(undefined, 1);
	const fresh = await list.record([entry, ...reservation.entries], reservation.mostEntries, reservation.expected);
	const isNew = fresh.has(entry);
	room.isRight(reservation, fresh);
	return isNew;
}

/**
 * When the execution ran this package's nodes for the first time, in milliseconds since 1970. It is stored with the
 * execution, because a message of unknown outcome is sent again only if it was unknown before.
 */
function beginningOf(context: IExecuteFunctions): number {
	const store = context.getContext('flow') as { smsSendBegan?: number };
	return (store.smsSendBegan ??= Date.now());
}

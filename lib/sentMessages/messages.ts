import type { IExecuteFunctions } from 'n8n-workflow';

import { LIST_ERRORS } from '../texts/memory';
import { toProblem } from '../texts/problem';
import { listProblem, openList } from './list';
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

/** The outcome of a request: accepted, certainly not processed, or unknown. */
export type Outcome = 'accepted' | 'rejected' | 'unknown';

/** The state of a message before it is sent. */
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
	/** The counters that hold room for it in the list. */
	counters: Reservation['counters'];
	/** Resolves when n8n's list has answered. Undefined after that. */
	asked?: Promise<unknown>;
	/** Resolves when the run releases it. */
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
	/** Claims of messages that were not sent. They are removed later, unless a new claim of the same message takes them over. */
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

/** The largest number of messages in one question. If n8n is killed during a question, at most these have a wrong state. */
const ASKED_AT_ONCE = 100;

/** How often a claim is tried. It fails while other processes open pages faster than this one can claim. */
const CLAIM_ATTEMPTS = 5;

/** When this process started, in milliseconds since 1970. It does not know which messages became unknown before. */
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

	/**
	 * Adds messages to those in progress, and then asks or changes n8n's list. It adds them before it awaits anything, so that
	 * other runs see them.
	 */
	const addInProgress = async <T>(keys: string[], at: number, ask: () => Promise<T>): Promise<T> => {
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
	const releaseKeys = (keys: Iterable<string>) => {
		for (const key of keys) {
			inProgress.get(key)?.resolve();
			inProgress.delete(key);
		}
	};
	const inProgressAmong = (keys: string[]) => keys.map((key) => inProgress.get(key)).find((one) => one !== undefined);

	/**
	 * Records entries in order to learn which are in the list.
	 * @param questions the new entries are added here, because the caller has to remove them again
	 * @returns the entries that were not in the list
	 */
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
		// If the clock was set back, the claim belongs to the next period.
		const others = isLater || fresh !== undefined ? candidates.filter((claim) => isNew.has(first(claim))) : [];
		const isSecondNew = fresh ?? (await ask([...begun, ...others].map(second), questions));
		const whole = begun.filter((claim) => !isSecondNew.has(second(claim)));
		// One entry alone is half of an earlier or a later claim. Or n8n was killed during a question and left it.
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

	/** Returns the claims that belong to accepted messages. */
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

	/** Returns the states of the messages that have a claim. If a message has several claims, accepted wins over unknown. */
	const describe = async (claims: Claim[], questions: string[]): Promise<Map<string, Known>> => {
		const isAccepted = await findAccepted(claims, questions);
		const states = new Map<string, Known>();
		for (const claim of claims) if (isAccepted.has(claim)) states.set(claim.key, known('sent', claim));
		for (const claim of claims) if (!states.has(claim.key)) states.set(claim.key, known('unknown', claim));
		return states;
	};

	/** Finds the states of messages that no other run has in progress. It removes the entries that it recorded to ask. */
	const findInList = async (keys: string[], at: number): Promise<Map<string, Known>> => {
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

	/** Records outcomes of earlier messages and new claims in one write. It tries again until the counts are right. */
	const writeClaims = async (keys: string[], at: number) => {
		for (let attempt = 0; attempt < CLAIM_ATTEMPTS; attempt++) {
			await room.refresh(list, at);
			if (room.messages() < keys.length) return undefined;
			const entries = keys.flatMap((key) => claimEntries(claimAt(key, at)));
			const reservation = room.reserveMessages(periods.periodAt(rememberFor, at), keys.length);
			const fresh = await record(entries, reservation);
			if (room.confirm(reservation, fresh)) return { fresh, reservation };
			const recorded = [...entries, ...reservation.entries].filter((entry) => fresh.has(entry));
			await list.remove(recorded);
		}
		throw listProblem(LIST_ERRORS.filledByOthers);
	};

	/**
	 * Records entries, together with the outcomes that are not recorded yet.
	 * @returns the new entries, without those of outcomes
	 */
	const record = async (entries: string[], reservation: Reservation): Promise<Set<string>> => {
		const outcomes = [...unrecorded];
		// An outcome is recorded with its claim, which another process that wrote the list at the same moment may have lost.
		// Pages stand first: if entries are dropped, pages have to go before the entries that they count.
		const sent = outcomes.flatMap(([, claim]) => [...claimEntries(claim), ...sentEntries(claim)]);
		const fresh = await list
			.record([...reservation.entries, ...sent, ...entries], reservation.mostEntries, reservation.expected)
			.catch((error: unknown) => {
				room.confirm(reservation, undefined);
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
				room.releaseMessages(unclaimed.get(key)!.counters, 1);
				unclaimed.delete(key);
			}
		};
		// The messages are in progress meanwhile. Otherwise the entries of a new claim could be removed.
		await addInProgress(keys, Date.now(), remove).finally(() => releaseKeys(keys));
	};

	/** Claims messages that this run has in progress. @returns the states of the messages that it could not claim */
	const claimInProgress = async (
		keys: string[],
		at: number,
		resend: ReadonlySet<string>,
	): Promise<Map<string, Known>> => {
		const written = await writeClaims(keys, at);
		if (written === undefined) return await claimWhatFits(keys, at, resend);
		const { fresh, reservation } = written;
		const { counters } = reservation;
		const isAllNew = (key: string) => claimEntries(claimAt(key, at)).every((entry) => fresh.has(entry));
		// If a question below fails, the new claims belong to no run and are removed later.
		const questions: string[] = [];
		for (const key of keys.filter(isAllNew)) {
			const before = unclaimed.get(key);
			// A claim of the other choice could not be removed yet.
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
			// The message was accepted before, and n8n's list was cleared since.
			accepted.delete(key);
			Object.assign(inProgress.get(key)!, { claim: claimAt(key, at), counters });
		}
		const kept = keepForResending(found, resend);
		// The outcome of a message that is sent again needs room also in periods after that of its claim.
		room.releaseMessages(counters, [...kept.values()].filter(({ isClaimed }) => !isClaimed).length);
		return kept;
	};

	/**
	 * Claims as many messages as the list has room for, like `claimInProgress`. Known messages stay known, and the first new
	 * ones take the room.
	 */
	const claimWhatFits = async (
		keys: string[],
		at: number,
		resend: ReadonlySet<string>,
	): Promise<Map<string, Known>> => {
		const found = await findInList(keys, at);
		const fresh = keys.filter((key) => !found.has(key));
		const fitting = fresh.slice(0, room.messages());
		for (const key of fresh.slice(fitting.length)) found.set(key, known('full', claimAt(key, at)));
		const claimed = fitting.length === 0 ? new Map<string, Known>() : await claimInProgress(fitting, at, resend);
		return new Map([...keepForResending(found, resend), ...claimed]);
	};

	/** Keeps those messages of unknown outcome in progress that are to be sent again. */
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
		/** Returns the period in which a message would be claimed now. */
		periodNow: () => periods.periodAt(rememberFor, Date.now()),

		/** Records outcomes that no claim has recorded yet, and removes the claims of messages that were not sent. */
		async recordAll(): Promise<void> {
			await recordOutcomes();
			await removeUnclaimed();
		},

		/** Returns the number of entries in n8n's list. */
		count: async () => await list.count(),

		/**
		 * Claims messages in one write of n8n's list. The same write records outcomes of earlier messages. It claims all or
		 * none: it waits while another run has one of them in progress, and records outcomes before it waits.
		 * @param resend messages to send again if their outcome became unknown before this execution began
		 * @throws Problem if the list can't be written. A part of the claim may be there: the message then reads as unknown
		 */
		async claim(keys: string[], resend: ReadonlySet<string> = new Set()): Promise<Map<string, Known>> {
			await removeUnclaimed().catch(() => {});
			if (inProgressAmong(keys) !== undefined) await recordOutcomes();
			// Nothing is awaited between the last check and `addInProgress`, so no other run comes in between.
			for (let one = inProgressAmong(keys); one !== undefined; one = inProgressAmong(keys)) await one.released;
			const at = Date.now();
			const found = await addInProgress(keys, at, async () => await claimInProgress(keys, at, resend)).catch(
				(error: unknown) => {
					releaseKeys(keys);
					throw error;
				},
			);
			releaseKeys([...found].filter(([, one]) => !one.isClaimed).map(([key]) => key));
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
			releaseKeys([key]);
		},

		/**
		 * Finds the states of messages without claiming them. A message that another run has in progress is unknown. If this
		 * run has a message in progress, it waits until the message is released.
		 */
		async find(keys: string[]): Promise<Map<string, Known>> {
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
				const found = await addInProgress(asked, at, async () => await findInList(asked, at)).finally(() =>
					releaseKeys(asked),
				);
				for (const [key, one] of found) states.set(key, one);
			}
			return new Map(keys.map((key) => [key, states.get(key) ?? known('new', claimAt(key, Date.now()))]));
		},

		/**
		 * Returns how full the memory is, and whether it has room for messages.
		 * @param count how many messages the caller wants to claim
		 * @param keys if given, only the new messages among them count
		 */
		async roomFor(count: number, keys: string[] = []): Promise<MemoryState> {
			await room.refresh(list, Date.now());
			let fresh = count;
			// Known messages need no room. It stops to ask as soon as more new messages are found than fit.
			if (count > room.messages() && keys.length > 0) {
				fresh = 0;
				for (let first = 0; first < keys.length && fresh <= room.messages(); first += ASKED_AT_ONCE) {
					const states = await this.find(keys.slice(first, first + ASKED_AT_ONCE));
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

		/** Returns how full the memory is, as far as this process knows without asking n8n's list. */
		fullness: () => ({ room: room.messages(), percent: room.percentIfNearlyFull() }),

		/**
		 * Ends the run: releases what it claimed and did not send, and records outcomes. It does not throw.
		 * @returns a warning for the user if n8n's list could not be written
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
	/** When there will be room for the messages, in milliseconds since 1970. Undefined: there is room now, or never. */
	againAt: number | undefined;
}

const NO_RESERVATION: Reservation = { entries: [], expected: [], opened: [], counters: [], mostEntries: Infinity };

/**
 * Records an entry for something other than a message, such as a used code, and counts it.
 * @returns whether it was new @throws Problem if the list can't be written
 */
export async function recordOnce(context: IExecuteFunctions, entry: string): Promise<boolean> {
	const list = openList(context);
	const { room } = sharedOf(list.name);
	await room.refresh(list, Date.now());
	const reservation = room.reserve(undefined, 1);
	const fresh = await list.record([entry, ...reservation.entries], reservation.mostEntries, reservation.expected);
	const isNew = fresh.has(entry);
	room.confirm(reservation, fresh);
	return isNew;
}

/**
 * Returns when the execution ran a node of this package for the first time, in milliseconds since 1970. n8n stores this
 * moment with the execution. A message of unknown outcome is sent again only if it was unknown before.
 */
function beginningOf(context: IExecuteFunctions): number {
	const store = context.getContext('flow') as { smsSendBegan?: number };
	return (store.smsSendBegan ??= Date.now());
}

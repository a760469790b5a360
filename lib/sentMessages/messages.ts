import type { IExecuteFunctions } from 'n8n-workflow';

import { LIST_ERRORS } from '../texts/memory';
import { toProblem } from '../texts/problem';
import { listProblem, openList } from './list';
import * as periods from './periods';
import { claimEntries, sentEntries, type Claim, type Period, type RememberFor } from './periods';
import { openRoom, type Reservation } from './room';

/*
 * The memory of a workflow: which messages were sent. A message goes through three steps: claim, release, record.
 *
 * A run claims a message in n8n's list before it sends the request. It releases the message, in this process, as soon as the
 * request is over. It records an accepted outcome in n8n's list together with its next claims, before it waits, or when it ends.
 * Until then the other runs of this process find the outcome here.
 *
 * `claim` takes these steps:
 *   wait          The run waits until no other run of this process has one of the messages in progress.
 *   write         `writeClaims` records the entries of all claims, and repeats this if the counters of `room.ts` were wrong. If
 *                 the list has no room for all messages, `claimWhatFits` first finds the known ones, because they need no room.
 *   find claims   `findClaims` finds the earlier claims of the messages. If all entries of a message were new, it can only have a
 *                 claim that was made with the other choice of Remember For.
 *   find outcomes `statesOf` finds whether the messages with an earlier claim were accepted. Their new entries are removed again.
 * A message without an earlier claim is new. The run has now claimed the new messages, and those of unknown outcome that it may
 * send again. The others are released at once.
 *
 * Deadlock freedom: a run claims only when it has released everything that it claimed before, so it never waits for another run's
 * claim while it holds one.
 */

/** The outcome of a request. `rejected` means that the platform certainly did not process it, or that no request was made. */
export type Outcome = 'accepted' | 'rejected' | 'unknown';

/** The state of a message before it is sent. */
export interface Known {
	/** `full`: the message is new, and the list has no room to remember it. */
	state: 'new' | 'sent' | 'unknown' | 'full';
	/** The period in which the message was first claimed. For a new message: the period in which it would be claimed now. */
	period: Period;
	/** Whether the run has claimed the message and has to release it with an outcome. */
	isClaimed: boolean;
}

/** The memory as one run uses it. The runs of a workflow in this process share the messages in progress. */
export type Messages = ReturnType<typeof openMessages>;

/** A message that a run has claimed, whose state a run queries, or whose claim a run removes. */
interface InProgress {
	/** Identifies the run. */
	run: object;
	/** The claim that the outcome of the message belongs to. If the message is sent again, this is an earlier claim. */
	claim: Claim;
	/** Whether the message is sent again. Then the earlier claim stays if the message is rejected now. */
	isResent: boolean;
	/** The counters (see `room.ts`) in which room for the message is reserved. */
	counters: Reservation['counters'];
	/** The query or write of n8n's list that is running for the message. Undefined when it has ended. */
	listAccess?: Promise<unknown>;
	/** Resolves when the run releases the message. */
	released: Promise<void>;
	/** Resolves `released`. */
	resolve(): void;
}

const createShared = () => ({
	room: openRoom(),
	inProgress: new Map<string, InProgress>(),
	/** Accepted messages that this process knows without a query of n8n's list. */
	accepted: new Map<string, Claim>(),
	/** Accepted messages whose outcome is not recorded yet. */
	unrecorded: new Map<string, Claim>(),
	/**
	 * Claims in n8n's list that are removed unless a run keeps them. They are claims of messages that were not sent, which a run
	 * may take over, and new claims until the queries of the run have succeeded.
	 */
	unkeptClaims: new Map<string, { claim: Claim; counters: Reservation['counters'] }>(),
	/** When this process learned that the outcome of a message is unknown, in milliseconds since 1970. */
	unknownSince: new Map<string, number>(),
});

/** The shared data of each workflow, by the workflow's id. */
const sharedByWorkflow = new Map<string, ReturnType<typeof createShared>>();

/** Returns the data that the runs of a workflow in this process share. */
function sharedOf(workflow: string) {
	const shared = sharedByWorkflow.get(workflow) ?? createShared();
	sharedByWorkflow.set(workflow, shared);
	return shared;
}

/** The largest number of messages in each of `accepted` and `unknownSince`. */
const KEPT = 20_000;

/**
 * The largest number of messages in one query of `find`. If n8n is killed during a query, at most the messages of this query have
 * a wrong state.
 */
const QUERIED_AT_ONCE = 100;

/**
 * The largest number of attempts to write a claim. An attempt is undone if the counters were wrong, for example because another
 * process opened the same counter page (see `room.ts`).
 */
const CLAIM_ATTEMPTS = 5;

/** When this process started, in milliseconds since 1970. The process does not know which messages became unknown before that. */
const PROCESS_START = Date.now();

/** Opens the memory of the workflow that this execution runs, for one run. */
export function openMessages(context: IExecuteFunctions, rememberFor: RememberFor) {
	const list = openList(context);
	const { room, inProgress, accepted, unrecorded, unkeptClaims, unknownSince } = sharedOf(list.workflowId);
	const run = {};
	const [otherChoice] = periods.CHOICES.filter((choice) => choice !== rememberFor) as [RememberFor];
	const executionBegan = beginningOf(context);

	const claimAt = (key: string, at: number): Claim => ({ ...periods.periodAt(rememberFor, at), key });
	const known = (state: Known['state'], period: Period, isClaimed = false): Known => {
		const { choice, number } = period;
		return { state, period: { choice, number }, isClaimed };
	};

	/**
	 * Adds messages to those in progress, and waits for `useList`. `useList` is started first, because each message stores its
	 * promise. Nothing else can run in between: an async function returns at its first await, and the messages are added before
	 * this function itself awaits.
	 * @param useList queries or changes n8n's list
	 */
	const addInProgress = async <T>(keys: string[], at: number, useList: () => Promise<T>): Promise<T> => {
		const listAccess = useList();
		for (const key of keys) {
			let resolve = () => {};
			const released = new Promise<void>((done) => (resolve = done));
			const claim = claimAt(key, at);
			inProgress.set(key, { run, claim, isResent: false, counters: [], listAccess, released, resolve });
		}
		try {
			return await listAccess;
		} finally {
			for (const one of keys.map((key) => inProgress.get(key)))
				if (one?.listAccess === listAccess) one.listAccess = undefined;
		}
	};
	/** Removes messages from those in progress, so that waiting runs go on. */
	const releaseKeys = (keys: Iterable<string>) => {
		for (const key of keys) {
			inProgress.get(key)?.resolve();
			inProgress.delete(key);
		}
	};
	/** Returns the first of these messages that is in progress. */
	const inProgressAmong = (keys: string[]) => keys.map((key) => inProgress.get(key)).find((one) => one !== undefined);

	/**
	 * Records entries in order to learn which are in the list.
	 * @param temporaryEntries receives the new entries, because the caller has to remove them again
	 * @returns the entries that were not in the list
	 */
	const queryList = async (entries: string[], temporaryEntries: string[]): Promise<Set<string>> => {
		const fresh = await list.query(entries);
		temporaryEntries.push(...fresh);
		return fresh;
	};

	/**
	 * Finds the claims of messages. A claim made in period n has an entry for n and an entry for n + 1 (see `periods.ts`). Let c be
	 * the current period. The entries for c and c + 1 are queried. If the list has
	 *   both          the message was claimed in c;
	 *   only c        it was claimed in c − 1, if the list has the entry for c − 1 too;
	 *   only c + 1    it was claimed in c + 1, before the clock was set back, if the list has the entry for c + 2 too.
	 * Otherwise a killed query left the one entry, and there is no claim.
	 * @param current the current period of a choice of Remember For
	 * @param fresh the new ones among the entries for c and c + 1 of all messages, if the caller has just recorded these entries.
	 * Then they are not queried again. Undefined: they are queried. The entry for c + 1 of a message that has none for c is then
	 * queried only if period c + 1 is in use
	 */
	const findClaims = async (
		keys: string[],
		current: Period,
		temporaryEntries: string[],
		fresh?: ReadonlySet<string>,
	) => {
		const candidates = keys.map((key): Claim => ({ ...current, key }));
		const isNextPeriodUsed = room.isUsedLater(current);
		const first = (claim: Claim) => claimEntries(claim)[0];
		const second = (claim: Claim) => claimEntries(claim)[1];
		const newFirstEntries = fresh ?? (await queryList(candidates.map(first), temporaryEntries));
		const withFirst = candidates.filter((claim) => !newFirstEntries.has(first(claim)));
		const withoutFirst =
			isNextPeriodUsed || fresh !== undefined ? candidates.filter((claim) => newFirstEntries.has(first(claim))) : [];
		const newSecondEntries = fresh ?? (await queryList([...withFirst, ...withoutFirst].map(second), temporaryEntries));
		const whole = withFirst.filter((claim) => !newSecondEntries.has(second(claim)));
		const earlier = withFirst
			.filter((claim) => newSecondEntries.has(second(claim)))
			.map((claim) => periods.neighbour(claim, -1));
		const later = withoutFirst
			.filter((claim) => !newSecondEntries.has(second(claim)))
			.map((claim) => periods.neighbour(claim, 1));
		const absentEntries = await queryList([...earlier.map(first), ...later.map(second)], temporaryEntries);
		return [
			...whole,
			...earlier.filter((claim) => !absentEntries.has(first(claim))),
			...later.filter((claim) => !absentEntries.has(second(claim))),
		];
	};

	/**
	 * Returns the claims of accepted messages. A message was accepted if this process knows that, or if the list has both entries
	 * of its outcome. The second entry is queried only if the list has the first (see `periods.ts`).
	 */
	const findAccepted = async (claims: Claim[], temporaryEntries: string[]): Promise<Set<Claim>> => {
		const isKnown = (claim: Claim) => {
			const own = unrecorded.get(claim.key) ?? accepted.get(claim.key);
			return own !== undefined && periods.isSamePeriod(own, claim);
		};
		let candidates = claims.filter((claim) => !isKnown(claim));
		for (const half of [0, 1]) {
			const entryOf = (claim: Claim) => sentEntries(claim)[half]!;
			const fresh = await queryList(candidates.map(entryOf), temporaryEntries);
			candidates = candidates.filter((claim) => !fresh.has(entryOf(claim)));
		}
		return new Set([...claims.filter(isKnown), ...candidates]);
	};

	/**
	 * Returns the states of messages with a claim. A message may have several claims, for example one of each choice of Remember
	 * For. If the message of one of them was accepted, the state is `sent`, and otherwise `unknown`.
	 */
	const statesOf = async (claims: Claim[], temporaryEntries: string[]): Promise<Map<string, Known>> => {
		const acceptedClaims = await findAccepted(claims, temporaryEntries);
		const states = new Map<string, Known>();
		for (const claim of claims) if (acceptedClaims.has(claim)) states.set(claim.key, known('sent', claim));
		for (const claim of claims) if (!states.has(claim.key)) states.set(claim.key, known('unknown', claim));
		return states;
	};

	/** Finds the states of messages that no other run has in progress. It removes the entries that its queries recorded. */
	const findInList = async (keys: string[], at: number): Promise<Map<string, Known>> => {
		const temporaryEntries: string[] = [];
		await room.refresh(list, at);
		// A message in `unkeptClaims` was not sent, so it is new.
		const queried = keys.filter((key) => !unkeptClaims.has(key));
		try {
			const claims: Claim[] = [];
			for (const choice of [rememberFor, otherChoice]) {
				if (choice !== rememberFor && !room.isUsed(choice)) continue;
				claims.push(...(await findClaims(queried, periods.periodAt(choice, at), temporaryEntries)));
			}
			return await statesOf(claims, temporaryEntries);
		} finally {
			await list.remove(temporaryEntries).catch(() => {});
		}
	};

	/**
	 * Records outcomes of earlier messages and new claims in one write. If the counters were wrong, it tries again, up to
	 * `CLAIM_ATTEMPTS` times in all.
	 * @returns the new entries and the reserved room. Undefined: the list has no room for all messages, and nothing was written
	 */
	const writeClaims = async (keys: string[], at: number) => {
		for (let attempt = 0; attempt < CLAIM_ATTEMPTS; attempt++) {
			await room.refresh(list, at);
			if (room.messages() < keys.length) return undefined;
			const entries = keys.flatMap((key) => claimEntries(claimAt(key, at)));
			const reservation = room.reserveMessages(periods.periodAt(rememberFor, at), keys.length);
			const fresh = await record(entries, reservation);
			if (room.confirm(reservation, fresh)) return { fresh, reservation };
			// The counters were wrong, so the write is undone.
			await list.remove([...entries, ...reservation.entries].filter((entry) => fresh.has(entry)));
		}
		throw listProblem(LIST_ERRORS.filledByOthers);
	};

	/**
	 * Records entries, together with the outcomes that are not recorded yet.
	 * @returns the new entries, without the entries of outcomes
	 */
	const record = async (entries: string[], reservation: Reservation): Promise<Set<string>> => {
		const outcomes = [...unrecorded];
		// An outcome is recorded together with its claim. Two processes that write the list at the same moment overwrite each
		// other's changes, so the claim may be missing. Counter pages (see `room.ts`) stand first: if n8n drops entries, it has
		// to drop a page before the entries that the page counts.
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
	const removeUnsentClaims = async (): Promise<void> => {
		const keys = [...unkeptClaims.keys()].filter((key) => !inProgress.has(key));
		if (keys.length === 0) return;
		const remove = async () => {
			await list.remove(keys.flatMap((key) => claimEntries(unkeptClaims.get(key)!.claim)));
			for (const key of keys) {
				room.releaseMessages(unkeptClaims.get(key)!.counters, 1);
				unkeptClaims.delete(key);
			}
		};
		// The messages are in progress meanwhile, so that no run claims one of them and loses the entries of its new claim.
		await addInProgress(keys, Date.now(), remove).finally(() => releaseKeys(keys));
	};

	/**
	 * Claims messages that this run has in progress.
	 * @returns the states of the messages that were claimed before, and of those for which the list has no room. Messages that
	 * are sent again are claimed too
	 */
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
		const temporaryEntries: string[] = [];
		for (const key of keys.filter(isAllNew)) {
			const before = unkeptClaims.get(key);
			// An earlier claim of this message still has to be removed. It was made with the other choice of Remember For or in
			// another period, so its entries differ from the new ones. They are removed here.
			if (before !== undefined) temporaryEntries.push(...claimEntries(before.claim));
			// Until the queries below have succeeded, the new claims are in `unkeptClaims`. So if a query fails, they are
			// removed later.
			unkeptClaims.set(key, { claim: claimAt(key, at), counters });
		}
		const current = periods.periodAt(rememberFor, at);
		const found = new Map<string, Known>();
		try {
			// Messages in `unkeptClaims` are new and need no query. Either both of their entries were new just now, or the
			// entries belong to an earlier claim whose message was not sent. This run takes such a claim over.
			const perhapsKnown = keys.filter((key) => !unkeptClaims.has(key));
			const claims = await findClaims(perhapsKnown, current, temporaryEntries, fresh);
			if (room.isUsed(otherChoice)) {
				const own = new Set(claims.map(({ key }) => key));
				// These entries may contain an earlier claim of the other choice that still has to be removed (see above). They are
				// removed first, because the next query would find that claim.
				await list.remove(temporaryEntries.splice(0));
				const rest = keys.filter((key) => !own.has(key));
				claims.push(...(await findClaims(rest, periods.periodAt(otherChoice, at), temporaryEntries)));
			}
			for (const [key, one] of await statesOf(claims, temporaryEntries)) found.set(key, one);
		} finally {
			// The messages that were found keep their earlier claims. So the new entries of these messages are removed.
			for (const key of found.keys()) {
				temporaryEntries.push(...claimEntries(claimAt(key, at)).filter((entry) => fresh.has(entry)));
				unkeptClaims.delete(key);
			}
			await list.remove(temporaryEntries).catch(() => {});
		}
		for (const key of keys.filter((one) => !found.has(one))) {
			unkeptClaims.delete(key);
			// The message is not in the list. If it is still in `accepted`, the list was cleared since it was sent, or the time of
			// Remember For is over.
			accepted.delete(key);
			Object.assign(inProgress.get(key)!, { claim: claimAt(key, at), counters });
		}
		const kept = keepForResending(found, resend);
		// Messages that turned out to be known give their reserved room back. Messages that are sent again keep it, because their
		// outcome will be written now, at the end of the list. So the counter of the current period has to count it, although the
		// claim is older.
		room.releaseMessages(counters, [...kept.values()].filter(({ isClaimed }) => !isClaimed).length);
		return kept;
	};

	/**
	 * Claims as many messages as the list has room for. It is used by `claimInProgress`, and returns the same. Messages that were
	 * claimed before need no room. The first of the new messages take the room, and the others get the state `full`.
	 */
	const claimWhatFits = async (
		keys: string[],
		at: number,
		resend: ReadonlySet<string>,
	): Promise<Map<string, Known>> => {
		const found = await findInList(keys, at);
		const newKeys = keys.filter((key) => !found.has(key));
		const fitting = newKeys.slice(0, room.messages());
		for (const key of newKeys.slice(fitting.length)) found.set(key, known('full', claimAt(key, at)));
		const claimed = fitting.length === 0 ? new Map<string, Known>() : await claimInProgress(fitting, at, resend);
		return new Map([...keepForResending(found, resend), ...claimed]);
	};

	/**
	 * Marks the messages of unknown outcome that may be sent again as claimed by this run. A message may be sent again only if
	 * its outcome became unknown before this execution began. If the execution began before this process started, that is not
	 * known, so no message is sent again.
	 */
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
			await removeUnsentClaims();
		},

		/** Returns the number of entries in n8n's list. */
		count: async () => await list.count(),

		/**
		 * Claims messages in one write of n8n's list. The same write records outcomes of earlier messages. It claims all messages
		 * at once: while another run has one of them in progress, it waits, and it records outcomes before it waits.
		 * @param resend messages to send again if their outcome became unknown before this execution began
		 * @throws Problem if the list can't be written. Some entries of the claim may be in the list: the outcome of their
		 * message then counts as unknown
		 */
		async claim(keys: string[], resend: ReadonlySet<string> = new Set()): Promise<Map<string, Known>> {
			await removeUnsentClaims().catch(() => {});
			if (inProgressAmong(keys) !== undefined) await recordOutcomes();
			// Nothing is awaited between the last check and `addInProgress`, so no other run can claim the messages in between.
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
			if (outcome === 'rejected' && !isResent) unkeptClaims.set(key, { claim, counters });
			if (outcome === 'unknown') {
				if (unknownSince.size >= KEPT) unknownSince.delete(unknownSince.keys().next().value!);
				unknownSince.set(key, Date.now());
			}
			releaseKeys([key]);
		},

		/**
		 * Finds the states of messages without claiming them. The outcome of a message that another run has in progress counts as
		 * unknown. If this run has a message in progress, `find` waits until the message is released.
		 */
		async find(keys: string[]): Promise<Map<string, Known>> {
			const states = new Map<string, Known>();
			for (let first = 0; first < keys.length; first += QUERIED_AT_ONCE) {
				const some = keys.slice(first, first + QUERIED_AT_ONCE);
				const pending = () =>
					some.map((key) => inProgress.get(key)).find((one) => one?.run === run || one?.listAccess !== undefined);
				for (let one = pending(); one !== undefined; one = pending())
					await (one.run === run ? one.released : one.listAccess?.catch(() => {}));
				const queried = some.filter((key) => !inProgress.has(key));
				const others = some.filter((key) => inProgress.has(key));
				for (const key of others) states.set(key, known('unknown', inProgress.get(key)!.claim));
				const at = Date.now();
				const found = await addInProgress(queried, at, async () => await findInList(queried, at)).finally(() =>
					releaseKeys(queried),
				);
				for (const [key, one] of found) states.set(key, one);
			}
			return new Map(keys.map((key) => [key, states.get(key) ?? known('new', claimAt(key, Date.now()))]));
		},

		/**
		 * Returns how full the memory is, and whether it has room for messages.
		 * @param count how many messages the caller wants to claim
		 * @param keys the keys of these messages; if given, only the new messages among them need room
		 * @throws Problem if it is not known whether the messages fit, because other processes use the list
		 */
		async roomFor(count: number, keys: string[] = []): Promise<MemoryState> {
			await room.refresh(list, Date.now());
			let newCount = count;
			// Known messages need no room. The queries stop as soon as more new messages are found than fit.
			if (count > room.messages() && keys.length > 0) {
				newCount = 0;
				for (let first = 0; first < keys.length && newCount <= room.messages(); first += QUERIED_AT_ONCE) {
					const states = await this.find(keys.slice(first, first + QUERIED_AT_ONCE));
					for (const { state } of states.values()) if (state === 'new') newCount++;
				}
			}
			const fits = newCount <= room.messages();
			if (!fits && room.isQueriedByOthers(Date.now())) throw listProblem(LIST_ERRORS.filledByOthers);
			return {
				fits,
				room: room.messages(),
				percent: room.percentIfNearlyFull(),
				isBroken: room.isBroken(),
				againAt: fits ? undefined : room.roomAgainAt(Math.max(1, newCount)),
			};
		},

		/** Returns how full the memory is, as far as this process knows without a query of n8n's list. */
		fullness: () => ({ room: room.messages(), percent: room.percentIfNearlyFull() }),

		/**
		 * Ends the run: releases the messages that it claimed and did not send, and records outcomes. It does not throw.
		 * @returns a warning for the user if n8n's list could not be written
		 */
		async close(): Promise<string | undefined> {
			for (const [key, one] of [...inProgress]) if (one.run === run) this.release(key, 'rejected');
			try {
				await this.recordAll();
				return undefined;
			} catch (error) {
				const warning = `${toProblem(error).message}. The next run tries again to record what was sent. If n8n is restarted before that, the node does not know whether messages of this run were sent, so the next run skips them.`;
				context.logger.warn(`SMS Send: ${warning}`);
				return warning;
			}
		},
	};
}

/** The state of the memory: how full it is. */
export interface MemoryState {
	/** Whether the messages fit. */
	fits: boolean;
	/** The number of further messages that fit. */
	room: number;
	/** The part of the memory that is in use, in percent. Undefined: it is less than 80 %. */
	percent: number | undefined;
	/** Whether entries of the list that are still needed were dropped. Another node that uses the list can do this. */
	isBroken: boolean;
	/**
	 * When there will be room for the messages, in milliseconds since 1970. Undefined: there is room now, or there never will
	 * be.
	 */
	againAt: number | undefined;
}

/** The reservation of a write that needs no further room. */
const NO_RESERVATION: Reservation = { entries: [], expected: [], opened: [], counters: [], mostEntries: Infinity };

/**
 * Records an entry for something other than a message, such as a used code. The counters of `room.ts` count this entry too.
 * @returns whether the entry was new
 * @throws Problem if the list can't be written
 */
export async function recordOnce(context: IExecuteFunctions, entry: string): Promise<boolean> {
	const list = openList(context);
	const { room } = sharedOf(list.workflowId);
	await room.refresh(list, Date.now());
	const reservation = room.reserve(undefined, 1);
	const fresh = await list.record([entry, ...reservation.entries], reservation.mostEntries, reservation.expected);
	const isNew = fresh.has(entry);
	room.confirm(reservation, fresh);
	return isNew;
}

/**
 * Returns when the execution ran SMS Send for the first time, in milliseconds since 1970. n8n stores this moment with the
 * execution. A message is sent again only if its outcome became unknown before this moment.
 */
function beginningOf(context: IExecuteFunctions): number {
	const store = context.getContext('flow') as { smsSendBegan?: number };
	return (store.smsSendBegan ??= Date.now());
}

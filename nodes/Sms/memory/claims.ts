import type { IExecuteFunctions } from 'n8n-workflow';

import { hidePeoplesNumbers } from '../../shared/hide';
import { openList } from './list';
import { lookForMarks, putMarks, removeMarks, type Mark, type Put } from './marks';

/*
 * What is remembered of messages, each known by its key (reference.ts). A message is claimed before its request leaves,
 * and marked as sent once the platform has accepted it. A claim without the second mark is one whose end nobody saw: the
 * request is in progress, its outcome was unknown, or n8n ended before it could be recorded. It reads as unknown.
 *
 * Time is cut into periods as long as a message is remembered at least. A claim is written with the number of its period
 * and with the next one's, and n8n is asked with the present period's: so it is known for one period at least and for two
 * at most, and asking never prolongs it.
 */

/** What is known of a message before its row is dealt with; `period`: that in which it was, or would be, first claimed. */
export interface Before {
	state: 'new' | 'sent' | 'unknown';
	period: number;
}

/** What became of a message: accepted, nobody knows, or certainly not sent, so that it may be sent again. */
export type Fate = 'sent' | 'unknown' | 'free';

/** The memory of one run. Other runs of the node in this process share what is in progress. */
export interface Messages {
	/**
	 * Claims messages before their turn comes, in one change of n8n's list, with which what was settled is recorded too.
	 *
	 * @param keys those that another run works on, or that are claimed already, cost nothing
	 */
	claimAhead(keys: string[]): Promise<void>;
	/** The period in which a message would be claimed now. */
	period(): number;
	/** How many messages may be claimed ahead now. */
	room(): number;
	/** Whether so few are left that more should be claimed now. */
	isLow(): boolean;
	/**
	 * A row's turn: its message is claimed for it, where it is new. It waits while the same message is in progress for
	 * another row, here or in another run; such a row waits for nobody, so that there is no deadlock.
	 */
	begin(key: string): Promise<Before>;
	/** The request of a begun message leaves now. */
	leaves(key: string): void;
	/** What became of a begun message. It is recorded with the next change of n8n's list. */
	settle(key: string, fate: Fate): void;
	/** What is known of messages, for a dry run: nothing is claimed, and nothing is left behind. */
	look(keys: string[]): Promise<Before[]>;
	/**
	 * Gives back what was claimed and not begun, and records what is not recorded yet. It does not throw.
	 *
	 * @returns what the user has to know where n8n's list could not be written
	 */
	close(): Promise<string | undefined>;
}

/** Two claims' and two marks' entries for each of 60,000 messages, and room for what is there for a moment only. */
const MOST_ENTRIES = 250_000;

/** From this many on, a change takes as long as sending several messages, the longer the more there are. */
const MANY_ENTRIES = 20_000;

/** There, one message is claimed ahead for so many entries, so that the changes cost each message the same. */
const ENTRIES_A_CLAIM = 240;

/** A block has at most so many times the messages of the one before: its rows are read while those are sent. */
const GROWTH = 4;

/** So many times as long as a change of a short list took, the next one that only records what was settled waits. */
const PAUSE = 16;

/** How a run stands: it counts what a crash would leave unknown. */
interface Run {
	/** Claimed messages whose request has not left. */
	ahead: number;
	/** Settled messages of which n8n's list does not know yet. */
	unrecorded: number;
}

/** A message that is claimed in n8n's list, and that some run of this process works on. */
interface Claimed {
	period: number;
	/** `ahead`: any row may begin it, whoever comes first. `sent`: n8n's list does not know yet. */
	state: 'ahead' | 'begun' | 'sent';
	run: Run;
	hasLeft: boolean;
	/** Given back: to be taken out of n8n's list, unless another row begins it before. */
	isFree: boolean;
	/** Wakes those who wait for what becomes of it. */
	waiting: Array<() => void>;
}

/** A message whose claim in this period shares an entry with one in the period before or after. */
interface Shares {
	key: string;
	/** The period of the other claim. */
	claimedIn: number;
	/** Whether the entry that it does not share was put there by asking: where there is no other claim, it is new. */
	isNew: boolean;
}

/** What the runs of one node share while they last. */
interface Shared {
	runs: number;
	claimed: Map<string, Claimed>;
	/** Claims that n8n's list has, or may have, of messages that were not sent and that nobody works on; with their periods. */
	leftOver: Map<string, number>;
	/** Messages whose claim could not be written, so that it may be there all the same: it says nothing of an earlier one. */
	perhapsWritten: Set<string>;
}

const sharedByList = new Map<string, Shared>();

/** How many entries each of n8n's lists has, as far as this process knows. */
const listedBefore = new Map<string, number>();

/**
 * Opens the memory for one run.
 *
 * @param places how many messages may be in progress in parallel
 * @param windowHours for how long a message is remembered at least; 0: without end
 */
export function openMessages(context: IExecuteFunctions, places: number, windowHours: number): Messages {
	const list = openList(context, 'node', MOST_ENTRIES);
	let listed = listedBefore.get(list.name);
	// Another length of the window means other entries.
	const sharedName = `${list.name} ${windowHours}`;
	const shared = sharedByList.get(sharedName) ?? {
		runs: 0,
		claimed: new Map(),
		leftOver: new Map(),
		perhapsWritten: new Set(),
	};
	sharedByList.set(sharedName, shared);
	shared.runs++;
	const { claimed, leftOver, perhapsWritten } = shared;
	const run: Run = { ahead: 0, unrecorded: 0 };
	/** What n8n's list said of messages that were claimed before. */
	const known = new Map<string, Before>();
	let isRecording = false;
	let isClosed = false;
	/** When the last change of n8n's list ended, and how long it took. In milliseconds. */
	let lastChange = { end: 0, took: 0 };

	/** How many messages may be claimed ahead, where the list is long. */
	let grown = places;
	const isLong = () => (listed ?? 0) > MANY_ENTRIES;
	const block = () => (isLong() ? Math.max(places, Math.min(grown, Math.floor(listed! / ENTRIES_A_CLAIM))) : places);
	const currentPeriod = () => (windowHours === 0 ? 0 : Math.floor(Date.now() / (windowHours * 3_600_000)));
	const entry = (key: string, period: number) => `${windowHours}h${period} ${key}`;
	const claimMark = (key: string, period: number): Mark => [entry(key, period), entry(key, period + 1)];
	const sentMark = (key: string, period: number): Mark => [
		entry(`${key} sent`, period),
		entry(`${key} sent`, period + 1),
	];

	/** Nobody has this claim any more: it is to be taken out of n8n's list. */
	const leaveOver = (key: string, { period }: Claimed) => {
		claimed.delete(key);
		leftOver.set(key, period);
	};

	/** Changes n8n's list: what was settled, and new claims. @returns what was there of the claims before */
	const write = async (keys: string[], period: number): Promise<Put[]> => {
		const begun = Date.now();
		for (const [key, one] of claimed) {
			if (!one.isFree) continue;
			one.run.unrecorded--;
			leaveOver(key, one);
		}
		// What can't be taken out now stays for the next change.
		const gone = [...leftOver].filter(([key]) => !keys.includes(key));
		const isGone = await removeMarks(
			list,
			gone.map(([key, old]) => claimMark(key, old)),
		).then(
			() => true,
			() => false,
		);
		if (isGone) for (const [key] of gone) leftOver.delete(key);

		const accepted = [...claimed].filter(([, { state }]) => state === 'sent');
		const marks = [
			...accepted.map(([key, one]) => sentMark(key, one.period)),
			...keys.map((key) => claimMark(key, period)),
		];
		const puts = await putMarks(list, marks).catch((error: Error) => {
			// Nobody knows what of them was written; and a claim that is found there may be an earlier run's.
			for (const key of keys) {
				if (leftOver.has(key)) leftOver.set(key, period);
				else perhapsWritten.add(key);
			}
			throw couldNotRecord(error);
		});
		for (const [key, one] of accepted) {
			one.run.unrecorded--;
			claimed.delete(key);
		}
		if (listed !== undefined) {
			listed = Math.min(MOST_ENTRIES, listed + 2 * (accepted.length + keys.length));
			listedBefore.set(list.name, listed);
		}
		const end = Date.now();
		lastChange = { end, took: end - begun };
		return puts.slice(accepted.length);
	};

	const claim = async (keys: string[]) =>
		await list.inTurn(async () => {
			if (isClosed) return;
			listed ??= await list.count();
			const wanted = [...new Set(keys)].filter((key) => !claimed.has(key) && !known.has(key));
			grown = Math.max(grown, GROWTH * wanted.length);
			const period = currentPeriod();
			const puts = await write(wanted, period);
			const there: Array<[key: string, period: number]> = [];
			const sharesEntry: Shares[] = [];
			for (const [index, key] of wanted.entries()) {
				const { isFirstNew, isSecondNew } = puts[index]!;
				if (leftOver.delete(key) || (isFirstNew && isSecondNew)) addClaim(key, period);
				else if (isFirstNew) sharesEntry.push({ key, claimedIn: period + 1, isNew: true });
				else if (isSecondNew || perhapsWritten.has(key))
					sharesEntry.push({ key, claimedIn: period - 1, isNew: isSecondNew });
				else there.push([key, period]);
			}
			there.push(...(await claimedBeside(sharesEntry, period)));
			for (const key of wanted) perhapsWritten.delete(key);
			const sent = await lookForMarks(
				list,
				there.map(([key, since]) => sentMark(key, since)),
			);
			for (const [index, [key, since]] of there.entries())
				known.set(key, { state: sent[index] === 2 ? 'sent' : 'unknown', period: since });
		});

	const addClaim = (key: string, period: number) => {
		claimed.set(key, { period, state: 'ahead', run, hasLeft: false, isFree: false, waiting: [] });
		run.ahead++;
	};

	/**
	 * Of messages of whose claim this period has one entry: where it is one of the period before, or of the one after, because
	 * the clock went back. Asking must not prolong the memory, so what was put there by asking is taken out; what was there
	 * before may be the claim of this period.
	 */
	const claimedBeside = async (messages: Shares[], period: number): Promise<Array<[key: string, period: number]>> => {
		const takeOut = async (some: Shares[]) =>
			await list.remove(
				some
					.filter(({ isNew }) => isNew)
					.map(({ key, claimedIn }) => entry(key, claimedIn > period ? period : period + 1)),
			);
		try {
			const perhapsInThis = messages.filter(({ isNew }) => !isNew);
			const sentInThis = await lookForMarks(
				list,
				perhapsInThis.map(({ key }) => sentMark(key, period)),
			);
			const sure = new Set(perhapsInThis.filter((_, index) => sentInThis[index] === 2));
			const found = await lookForMarks(
				list,
				messages.map(({ key, claimedIn }) => claimMark(key, claimedIn)),
			);
			const beside = new Set(messages.filter((message, index) => found[index] === 2 && !sure.has(message)));
			await takeOut([...beside]);
			const isThere = (message: Shares) => beside.has(message) || !message.isNew;
			for (const message of messages) if (!isThere(message)) addClaim(message.key, period);
			return messages.filter(isThere).map((message) => [message.key, beside.has(message) ? message.claimedIn : period]);
		} catch (error) {
			await takeOut(messages).catch(() => {});
			throw couldNotRecord(error as Error);
		}
	};

	const beginClaimed = (one: Claimed): Before => {
		if (one.isFree) one.run.unrecorded--;
		else one.run.ahead--;
		run.ahead++;
		Object.assign(one, { state: 'begun', run, hasLeft: false, isFree: false });
		return { state: 'new', period: one.period };
	};

	return {
		claimAhead: claim,
		period: currentPeriod,
		room: () => block() - run.ahead,
		isLow: () => run.ahead <= Math.floor(block() / 4),
		async begin(key) {
			for (;;) {
				const one = claimed.get(key);
				if (one === undefined) {
					const before = known.get(key);
					if (before !== undefined) return before;
					await claim([key]);
				} else if (one.state === 'ahead') {
					return beginClaimed(one);
				} else if (one.state === 'sent') {
					return { state: 'sent', period: one.period };
				} else {
					await new Promise<void>((wake) => one.waiting.push(wake));
				}
			}
		},
		leaves(key) {
			const one = claimed.get(key)!;
			if (one.hasLeft) return;
			one.hasLeft = true;
			run.ahead--;
		},
		settle(key, fate) {
			const one = claimed.get(key)!;
			if (!one.hasLeft) run.ahead--;
			if (fate === 'unknown') {
				// The claim says so from now on.
				claimed.delete(key);
				known.delete(key);
			} else {
				run.unrecorded++;
				Object.assign(one, fate === 'sent' ? { state: 'sent' } : { state: 'ahead', isFree: true });
			}
			for (const wake of one.waiting.splice(0)) wake();
			// As soon as it takes a small part of the time; while the platform answers fast, or the list is long, together with claims.
			const isDue = run.unrecorded >= block() || (!isLong() && Date.now() - lastChange.end >= PAUSE * lastChange.took);
			if (fate === 'unknown' || isRecording || !isDue) return;
			isRecording = true;
			const record = list.inTurn(async () => await write([], currentPeriod()));
			// What could not be recorded is recorded with the next change.
			void record.catch(() => {}).then(() => (isRecording = false));
		},
		async look(keys) {
			return await list.inTurn(async () => {
				const period = currentPeriod();
				const found = new Map<string, Before>();
				const asked = [...new Set(keys)].filter((key) => !claimed.has(key) && !leftOver.has(key));
				const now = await lookForMarks(
					list,
					asked.map((key) => claimMark(key, period)),
				);
				const half = asked.filter((_, index) => now[index] === 1);
				const earlier = await lookForMarks(
					list,
					half.map((key) => claimMark(key, period - 1)),
				);
				const there: Array<[key: string, period: number]> = [
					...asked.filter((_, index) => now[index] === 2).map((key): [string, number] => [key, period]),
					...half.filter((_, index) => earlier[index] === 2).map((key): [string, number] => [key, period - 1]),
				];
				const sent = await lookForMarks(
					list,
					there.map(([key, since]) => sentMark(key, since)),
				);
				for (const [index, [key, since]] of there.entries())
					found.set(key, { state: sent[index] === 2 ? 'sent' : 'unknown', period: since });
				for (const [key, one] of claimed) {
					if (one.state !== 'ahead')
						found.set(key, { state: one.state === 'sent' ? 'sent' : 'unknown', period: one.period });
				}
				return keys.map((key) => found.get(key) ?? { state: 'new', period });
			});
		},
		async close() {
			const isDirty = () => leftOver.size > 0 || run.unrecorded > 0;
			const record = async () =>
				await list.inTurn(async () => {
					// What was being claimed is claimed by now, and nothing is from now on.
					isClosed = true;
					for (const [key, one] of claimed) {
						if (one.run !== run || one.state !== 'ahead') continue;
						if (one.isFree) run.unrecorded--;
						leaveOver(key, one);
					}
					if (isDirty()) await write([], currentPeriod());
				});
			// Once more, because one error of the database must not leave messages unknown that were sent.
			let fault: string | undefined;
			for (let attempt = 0; attempt < 2 && (!isClosed || isDirty()); attempt++) {
				fault = await record().then(
					() => undefined,
					(error: Error) => error.message,
				);
			}
			shared.runs--;
			// What could not be recorded stays for the next run.
			if (!isDirty()) {
				if (shared.runs === 0 && claimed.size === 0 && perhapsWritten.size === 0) sharedByList.delete(sharedName);
				return undefined;
			}
			const warning = `n8n's list of what was sent could not be written${fault === undefined ? '' : ` (${fault})`}. The next run of this node tries again; if n8n is restarted before, it skips messages of this run as unknown, sent or not.`;
			context.logger.warn(`SMS Send: ${warning}`);
			return warning;
		},
	};
}

function couldNotRecord(error: Error): Error {
	return new Error(
		`n8n could not record which messages were sent: ${hidePeoplesNumbers(String(error.message).slice(0, 300))}`,
	);
}

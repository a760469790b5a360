import { sleep } from 'n8n-workflow';

import { MOST_ENTRIES, type List } from './list';
import {
	CHOICES,
	endOfCounting,
	isSamePeriod,
	nameOf,
	neighbour,
	periodAt,
	type Period,
	type RememberFor,
} from './periods';

/*
 * Room in n8n's list. n8n must never drop an entry that still counts.
 *
 * n8n drops the oldest entries first. So everything that was recorded since the beginning of a period stays in the list as
 * long as the list holds all entries that were recorded since then. A counter for each period counts all these entries:
 * claims and outcomes of both choices, used codes, and entries of the counters themselves. A period counts until the end
 * of the next one, so the current and the previous period of each choice have a counter, and also the next one, because a
 * clock may be set back.
 *
 * A count has to survive restarts and kills, and several processes add to it. So the list itself holds it, in pages of a
 * thousand entries: before a process records entries beyond the last page that it opened, it records the number of the next
 * page ("week 2934 page 12"). A process that starts asks which numbers are there and takes the last page for full. If another
 * process has opened the same page meanwhile, the claim is undone and made again behind that page.
 *
 * A page has two entries, and the second one is asked about only if the first one is there. So a question that was cut off by a
 * kill is not taken for a page.
 *
 * The start entry of a period stands before its page 1, and is recorded again with each claim. If it is new, then entries were
 * dropped or the list was cleared: the claim is undone and the list is asked. If pages of the period are still there, n8n
 * dropped the front of the list. Then nothing is claimed until that period has stopped counting. The list is never asked for
 * the start entry, because its presence proves nothing: n8n may be killed before a claim is undone.
 */

/** Entries of one page. A start of n8n may cost that many, which is the room of 250 messages. */
const PAGE = 1000;

const MOST_PAGES = MOST_ENTRIES / PAGE;

/** A claim and an accepted outcome have two entries each. */
export const ENTRIES_PER_MESSAGE = 4;

/**
 * The next page is opened when only so many entries are left in the last one. They are needed for the entries that open pages.
 */
const SPARE = 10;

/**
 * How many entries of the list may be used for counted messages. The rest is for questions, and for claims of messages that
 * turn out to be known.
 */
const USABLE = MOST_ENTRIES - 2000;

/** How many messages of two adjoining periods the list remembers at least, for both choices together. */
export const LEAST_REMEMBERED = 30_000;

/** From this share of the usable entries on, runs and reviews say how full the list is. */
const NEARLY_FULL = 0.8;

/**
 * Another process may be asking at the same moment, and its questions look like pages. So a full or broken counter is asked
 * about again after this time, and later once a minute. In milliseconds.
 */
const SECOND_LOOK = 700;
const LATER_LOOKS = 60_000;

interface Counter {
	period: Period;
	/** The last page that is in the list. 0: nothing was recorded in this period. */
	pages: number;
	/** Entries recorded since the beginning of the period, at most. */
	recorded: number;
	/** Whether entries of the front were dropped. */
	isBroken: boolean;
	/** When the list was asked, in milliseconds since 1970. */
	askedAt: number;
}

/** What a process reserves in the list before it records claims. */
export interface Reservation {
	/** Entries to record together with the claims. */
	entries: string[];
	/** Entries that have to be in the list already. If one is new, entries were dropped. */
	expected: string[];
	/** First entries of pages, which must be new. If one is not, another process opened the same page, or asks about it. */
	opened: string[];
	/** The counters that count the reserved messages. */
	counters: Counter[];
	/** The list may be cut to this many entries: never below what counts. */
	mostEntries: number;
}

const pageEntries = (period: Period, page: number): [string, string] => {
	const entry = `${nameOf(period)} page ${page}`;
	return [entry, `${entry} opened`];
};

const startEntry = (period: Period): string => `${nameOf(period)} start`;

const inUse = ({ pages }: Counter) => pages > 0;

export type Room = ReturnType<typeof openRoom>;

/** Opens the counters of a workflow's list, once in a process. */
export function openRoom() {
	let counters: Counter[] = [];
	let surveying: Promise<void> | undefined;
	/**
	 * Entries of this process's questions that could not be removed. They do not mean that another process has opened the page.
	 */
	const leftOver = new Set<string>();
	/** Start entries that were dropped, as claims of this process have shown. */
	const dropped = new Set<string>();

	/** Asks the list for the counters of these periods. */
	const survey = async (list: List, periods: Period[]): Promise<Counter[]> => {
		const pages = periods.flatMap((period) =>
			Array.from({ length: MOST_PAGES }, (_, index) => ({
				period,
				page: index + 1,
				entries: pageEntries(period, index + 1),
			})),
		);
		const isNotThere = await list.ask(pages.map(({ entries }) => entries[0]));
		const perhaps = pages.filter(({ entries }) => !isNotThere.has(entries[0]));
		const isNotOpened = await list.ask(perhaps.map(({ entries }) => entries[1]));
		const opened = perhaps.filter(({ entries }) => !isNotOpened.has(entries[1]));
		// If n8n was killed during an earlier question, its entries are removed too.
		const questions = [
			...isNotThere,
			...perhaps.flatMap(({ entries }) => (isNotOpened.has(entries[1]) ? entries : [])),
		];
		// The next question finds the entries that can't be removed now.
		const isRemoved = await list.remove(questions).then(
			() => true,
			() => false,
		);
		for (const entry of questions) {
			if (isRemoved) leftOver.delete(entry);
			else leftOver.add(entry);
		}
		return periods.map((period) => {
			const own = opened.filter((one) => one.period === period).map(({ page }) => page);
			const last = Math.max(0, ...own);
			// The list was cleared, so the period begins again.
			if (last === 0) dropped.delete(startEntry(period));
			const isBroken = own.length < last || (last > 0 && dropped.has(startEntry(period)));
			return { period, pages: last, recorded: last * PAGE, isBroken, askedAt: Date.now() };
		});
	};

	/** Replaces the counters by those of the periods that count at this moment. */
	const update = async (list: List, at: number): Promise<void> => {
		const wanted = CHOICES.flatMap((choice) => {
			const current = periodAt(choice, at);
			return [neighbour(current, -1), current, neighbour(current, 1)];
		});
		const isPlain = ({ pages, isBroken }: Counter) => pages < MOST_PAGES && !isBroken;
		for (let look = 0; look < 3; look++) {
			const isKnown = (one: Counter) =>
				wanted.some((period) => isSamePeriod(period, one.period)) &&
				(isPlain(one) || (look === 0 && Date.now() - one.askedAt < LATER_LOOKS));
			const known = counters.filter(isKnown);
			const missing = wanted.filter((period) => !known.some((one) => isSamePeriod(period, one.period)));
			counters = [...known, ...(missing.length === 0 ? [] : await survey(list, missing))];
			if (missing.length === 0 || counters.every(isPlain)) return;
			if (look < 2) await sleep(SECOND_LOOK);
		}
	};

	/** Returns how many entries of the list count: all since the beginning of the oldest period that counts. */
	const usedBy = (some: Counter[]) => Math.max(0, ...some.filter(inUse).map(({ recorded }) => recorded));
	const messagesBeside = (some: Counter[]) =>
		some.some(({ isBroken }) => isBroken) ? 0 : Math.max(0, Math.floor((USABLE - usedBy(some)) / ENTRIES_PER_MESSAGE));

	return {
		/**
		 * Learns the counts at this moment. It has to be called before each of the other functions.
		 * @param at in milliseconds since 1970
		 */
		async refresh(list: List, at: number): Promise<void> {
			// Only one caller asks at a time, because the question of one would look like pages to the other.
			while (surveying !== undefined) await surveying.catch(() => {});
			surveying = update(list, at);
			await surveying.finally(() => (surveying = undefined));
		},

		/** Returns how many more messages the list can remember. */
		messages: (): number => messagesBeside(counters),

		/** Returns whether a choice of Remember For has recorded something that still counts. */
		isUsed: (choice: RememberFor): boolean => counters.some((one) => inUse(one) && one.period.choice === choice),

		/** Returns whether the next period has entries, because the clock was set back. */
		isUsedLater: (period: Period): boolean =>
			counters.some((one) => inUse(one) && isSamePeriod(one.period, neighbour(period, 1))),

		/** Returns the share of the list that is in use, in percent. Undefined while there is plenty of room. */
		percentIfNearlyFull(): number | undefined {
			const isBroken = counters.some((one) => one.isBroken);
			const share = isBroken ? 1 : usedBy(counters) / USABLE;
			return share < NEARLY_FULL ? undefined : Math.min(100, Math.floor(share * 100));
		},

		/** Returns whether n8n dropped entries that still count. */
		isBroken: (): boolean => counters.some(({ isBroken }) => isBroken),

		/**
		 * Returns when there will be room for so many messages if nothing else is recorded until then, in milliseconds since
		 * 1970. Undefined: the list never holds so many.
		 */
		roomAgainAt(messages: number): number | undefined {
			const ends = counters.filter(inUse).map(({ period }) => endOfCounting(period));
			const isEnough = (end: number) =>
				messagesBeside(counters.filter(({ period }) => endOfCounting(period) > end)) >= messages;
			return ends.sort((one, other) => one - other).find(isEnough);
		},

		/**
		 * Reserves room for messages that are claimed in a period, or for single entries.
		 * @param period of the claims; undefined: entries that are no claims
		 * @param entries how many
		 */
		reserve(period: Period | undefined, entries: number): Reservation {
			const own = counters.find((one) => period !== undefined && isSamePeriod(one.period, period));
			const counted = counters.filter((one) => inUse(one) || one === own);
			const expected = counters.filter(inUse).map(({ period }) => startEntry(period));
			const starts = counted.map(({ period }) => startEntry(period));
			const pages: Array<[string, string]> = [];
			for (const one of counted) {
				one.recorded += entries;
				while (one.recorded + SPARE > one.pages * PAGE && one.pages < MOST_PAGES)
					pages.push(pageEntries(one.period, ++one.pages));
			}
			for (const one of counted) one.recorded += 2 * pages.length + starts.length - expected.length;
			return {
				entries: [...starts, ...pages.flat()],
				expected,
				opened: pages.map(([entry]) => entry).filter((entry) => !leftOver.has(entry)),
				counters: counted,
				// If the last page is open, the number of entries that count is not known. In that case only used codes are
				// recorded.
				mostEntries: counted.some(({ pages: last }) => last === MOST_PAGES) ? Infinity : MOST_ENTRIES,
			};
		},

		/** Reserves room for messages, like `reserve`. */
		reserveMessages(period: Period, messages: number): Reservation {
			return this.reserve(period, messages * ENTRIES_PER_MESSAGE);
		},

		/** Releases the reserved room of messages that need none. */
		releaseMessages(reserved: Counter[], messages: number): void {
			for (const one of reserved) one.recorded -= messages * ENTRIES_PER_MESSAGE;
		},

		/**
		 * Returns whether the counts were right when these entries were recorded. If they were wrong, or if that is not known,
		 * the counters are read again before the next use.
		 * @param fresh the recorded entries that were new; undefined: the write failed
		 */
		confirm({ expected, opened }: Reservation, fresh: ReadonlySet<string> | undefined): boolean {
			const lost = expected.filter((entry) => fresh?.has(entry));
			for (const entry of lost) dropped.add(entry);
			const right = fresh !== undefined && lost.length === 0 && opened.every((entry) => fresh.has(entry));
			if (!right) counters = [];
			return right;
		},
	};
}

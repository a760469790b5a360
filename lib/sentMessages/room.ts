import { sleep } from 'n8n-workflow';

import { MOST_ENTRIES, type List } from './list';
import {
	CHOICES,
	endOfCounting,
	isSamePeriod,
	periodName,
	neighbour,
	periodAt,
	type Period,
	type RememberFor,
} from './periods';

/*
 * Room (free space) in n8n's list. n8n must never drop an entry that is still needed.
 *
 * n8n drops the oldest entries first. So all entries that were recorded since the beginning of a period stay in the list, as
 * long as the list may hold that many. For each period, a counter counts all entries that were recorded since its beginning:
 * claims and outcomes of both choices of Remember For (a day or a week), used codes, and the entries of the counters themselves.
 * A period is needed until the end of the next one (see `periods.ts`). So the current and the previous period of each choice
 * have a counter. The next period has one too, because a clock may be set back.
 *
 * A counter has to survive restarts and kills, and several processes add to it. So the list itself stores it, in counter pages.
 * A page stands for a thousand entries. Before a process records entries beyond the last page that it opened, it opens the next
 * page: it records the page's number ("week 2934 page 12"). A process that starts queries which page numbers are in the list,
 * and treats the last page as full. If another process has opened the same page meanwhile, this process undoes its claim, opens
 * a later page and claims again.
 *
 * n8n's list can only be queried by recording entries (see `list.ts`). The new ones are removed after the query. If n8n is
 * killed during a query, they stay. So a page has two entries, and the second is queried only if the first is in the list. If
 * n8n is killed during a query, only the first entry is left. One entry alone does not count as a page.
 *
 * The start entry of a period is recorded before its page 1, and again with each claim. If it turns out to be new, then n8n
 * dropped entries, or the list was cleared. Then the process undoes the claim and queries the pages. If pages of the period are
 * still in the list, n8n dropped the front of the list. Then nothing is claimed until that period is no longer needed. The start
 * entry is never queried, because its presence proves nothing: a process that was killed before it undid a claim may have left a
 * new start entry at the end of the list, although n8n had dropped entries of the period.
 */

/**
 * The number of entries that a page stands for. After a restart the last page counts as full, so a restart wastes up to 1,000
 * entries (250 messages).
 */
const PAGE = 1000;

const MOST_PAGES = MOST_ENTRIES / PAGE;

/** Entries of a message. Its claim and its accepted outcome have two each. */
export const ENTRIES_PER_MESSAGE = 4;

/**
 * A new page is opened when the last one has fewer free entries than this. Opening a page itself needs some entries.
 */
const SPARE = 10;

/**
 * The number of entries that counted messages may use. The rest is for queries, and for claims of messages that turn out to be
 * known.
 */
const USABLE = MOST_ENTRIES - 2000;

/**
 * The list has room for at least this many messages in two adjoining periods, for both choices of Remember For together. Many
 * restarts, or many used codes, leave less room.
 */
export const LEAST_REMEMBERED = 30_000;

/** From this share of the usable entries on, runs and reviews report how full the list is. */
const NEARLY_FULL = 0.8;

/**
 * n8n's list can only be queried by recording entries, so the queries of another process look like opened pages. If a counter
 * seems full or broken, the query is repeated after this time, in milliseconds, up to two times.
 */
const REQUERY_AFTER = 700;

/** If a counter is full or broken after these queries, it is not queried again for this time, in milliseconds. */
const UNUSABLE_VALID_FOR = 60_000;

/** Counts the entries since the beginning of a period. */
interface Counter {
	period: Period;
	/** The last page that is in the list. 0: no message was claimed in this period. */
	pages: number;
	/** The largest number of entries that may have been recorded since the beginning of the period. */
	recorded: number;
	/** Whether n8n dropped entries of this period. */
	isBroken: boolean;
	/** When the list was queried, in milliseconds since 1970. */
	queriedAt: number;
}

/** The room that a process reserves in the list before it records claims. */
export interface Reservation {
	/** Entries of the counters, to record before the claims in the same write: start entries, and the entries of opened pages. */
	entries: string[];
	/** Start entries that have to be in the list already. If one is new, n8n dropped entries, or the list was cleared. */
	expected: string[];
	/** First entries of pages, which must be new. If one is not new, another process opened or queried the same page. */
	opened: string[];
	/** The counters that count the reserved messages. */
	counters: Counter[];
	/** n8n may drop the oldest entries above this number. The entries that are still needed are never more than this. */
	mostEntries: number;
}

/** Returns the two entries of a page. */
const pageEntries = (period: Period, page: number): [string, string] => {
	const entry = `${periodName(period)} page ${page}`;
	return [entry, `${entry} opened`];
};

const startEntry = (period: Period): string => `${periodName(period)} start`;

const isInUse = ({ pages }: Counter) => pages > 0;

/** Opens the pages that a counter needs for its entries. @returns the two entries of each page */
const openPages = (counter: Counter): Array<[string, string]> => {
	const opened: Array<[string, string]> = [];
	while (counter.recorded + SPARE > counter.pages * PAGE && counter.pages < MOST_PAGES)
		opened.push(pageEntries(counter.period, ++counter.pages));
	return opened;
};

export type Room = ReturnType<typeof openRoom>;

/** Opens the counters of a workflow's list. Each process does this once for a workflow. */
export function openRoom() {
	let counters: Counter[] = [];
	let refreshing: Promise<void> | undefined;
	/**
	 * Entries of this process's queries that could not be removed. If such an entry is not new, this does not mean that another
	 * process has opened the page.
	 */
	const leftoverEntries = new Set<string>();
	/** Start entries that this process found missing, because n8n dropped them or the list was cleared. */
	const droppedStarts = new Set<string>();

	/** Queries the list for the counters of these periods. */
	const queryCounters = async (list: List, periods: Period[]): Promise<Counter[]> => {
		const pages = periods.flatMap((period) =>
			Array.from({ length: MOST_PAGES }, (_, index) => ({
				period,
				page: index + 1,
				entries: pageEntries(period, index + 1),
			})),
		);
		const absentEntries = await list.query(pages.map(({ entries }) => entries[0]));
		const candidates = pages.filter(({ entries }) => !absentEntries.has(entries[0]));
		const unopenedEntries = await list.query(candidates.map(({ entries }) => entries[1]));
		const opened = candidates.filter(({ entries }) => !unopenedEntries.has(entries[1]));
		// If n8n was killed during an earlier query, the first entries of pages that this query left are removed too.
		const temporaryEntries = [
			...absentEntries,
			...candidates.flatMap(({ entries }) => (unopenedEntries.has(entries[1]) ? entries : [])),
		];
		// If the entries can't be removed now, the next query finds and removes them.
		const isRemoved = await list.remove(temporaryEntries).then(
			() => true,
			() => false,
		);
		for (const entry of temporaryEntries) {
			if (isRemoved) leftoverEntries.delete(entry);
			else leftoverEntries.add(entry);
		}
		return periods.map((period) => {
			const own = opened.filter((one) => one.period === period).map(({ page }) => page);
			const last = Math.max(0, ...own);
			// The list has no page of this period. If its start entry was dropped before, the list was cleared, so the period
			// begins again.
			if (last === 0) droppedStarts.delete(startEntry(period));
			// If a page before the last one is missing, or the start entry was, n8n dropped entries of this period.
			const isBroken = own.length < last || (last > 0 && droppedStarts.has(startEntry(period)));
			return { period, pages: last, recorded: last * PAGE, isBroken, queriedAt: Date.now() };
		});
	};

	/** Replaces the counters by those of the periods that are needed at this moment. */
	const update = async (list: List, at: number): Promise<void> => {
		const wanted = CHOICES.flatMap((choice) => {
			const current = periodAt(choice, at);
			return [neighbour(current, -1), current, neighbour(current, 1)];
		});
		const isUsable = ({ pages, isBroken }: Counter) => pages < MOST_PAGES && !isBroken;
		// A counter of a needed period is kept and not queried again. A full or broken counter is an exception: the first attempt
		// keeps it only for the time `UNUSABLE_VALID_FOR`, and further attempts query it again.
		for (let attempt = 0; attempt < 3; attempt++) {
			const isKnown = (one: Counter) =>
				wanted.some((period) => isSamePeriod(period, one.period)) &&
				(isUsable(one) || (attempt === 0 && Date.now() - one.queriedAt < UNUSABLE_VALID_FOR));
			const known = counters.filter(isKnown);
			const missing = wanted.filter((period) => !known.some((one) => isSamePeriod(period, one.period)));
			counters = [...known, ...(missing.length === 0 ? [] : await queryCounters(list, missing))];
			if (missing.length === 0 || counters.every(isUsable)) return;
			if (attempt < 2) await sleep(REQUERY_AFTER);
		}
	};

	/** Returns the number of entries that are still needed: all since the beginning of the oldest period in use. */
	const usedBy = (some: Counter[]) => Math.max(0, ...some.filter(isInUse).map(({ recorded }) => recorded));
	/** Returns the number of messages that the list can remember besides the entries of these counters. */
	const freeMessages = (some: Counter[]) =>
		some.some(({ isBroken }) => isBroken) ? 0 : Math.max(0, Math.floor((USABLE - usedBy(some)) / ENTRIES_PER_MESSAGE));

	return {
		/**
		 * Brings the counters up to date for the moment `at`. The other functions use the counters as they are, so the caller
		 * has to call this first.
		 * @param at in milliseconds since 1970
		 */
		async refresh(list: List, at: number): Promise<void> {
			// Only one caller queries at a time, because the query of one caller would look like opened pages to another.
			while (refreshing !== undefined) await refreshing.catch(() => {});
			refreshing = update(list, at);
			await refreshing.finally(() => (refreshing = undefined));
		},

		/** Returns how many more messages the list can remember. */
		messages: (): number => freeMessages(counters),

		/** Returns whether entries of a choice of Remember For are still needed. */
		isUsed: (choice: RememberFor): boolean => counters.some((one) => isInUse(one) && one.period.choice === choice),

		/** Returns whether the period after this one has entries. This is so if the clock was set back. */
		isUsedLater: (period: Period): boolean =>
			counters.some((one) => isInUse(one) && isSamePeriod(one.period, neighbour(period, 1))),

		/** Returns the share of the list that is in use, in percent. Undefined: the list is not nearly full. */
		percentIfNearlyFull(): number | undefined {
			const isBroken = counters.some((one) => one.isBroken);
			const share = isBroken ? 1 : usedBy(counters) / USABLE;
			return share < NEARLY_FULL ? undefined : Math.min(100, Math.floor(share * 100));
		},

		/**
		 * Returns whether the list seems full only because another process queried it whenever this process did. This is so if a
		 * period that has not begun is full. (A clock that was set back can fill such a period too, but only with 30,000 messages.)
		 * @param at in milliseconds since 1970
		 */
		isQueriedByOthers: (at: number): boolean =>
			counters.some(({ pages, period }) => pages === MOST_PAGES && period.number > periodAt(period.choice, at).number),

		/** Returns whether n8n dropped entries that are still needed. */
		isBroken: (): boolean => counters.some(({ isBroken }) => isBroken),

		/**
		 * Returns when there will be room for this many messages if nothing else is recorded until then, in milliseconds since
		 * 1970. Undefined: the list never has room for this many.
		 */
		roomAgainAt(messages: number): number | undefined {
			const ends = counters.filter(isInUse).map(({ period }) => endOfCounting(period));
			const isEnough = (end: number) =>
				freeMessages(counters.filter(({ period }) => endOfCounting(period) > end)) >= messages;
			return ends.sort((one, other) => one - other).find(isEnough);
		},

		/**
		 * Reserves room for messages that are claimed in a period, or for single entries.
		 * @param period the period of the claims; undefined: the entries are no claims
		 * @param entries the number of entries
		 */
		reserve(period: Period | undefined, entries: number): Reservation {
			const own = counters.find((one) => period !== undefined && isSamePeriod(one.period, period));
			const counted = counters.filter((one) => isInUse(one) || one === own);
			const expected = counters.filter(isInUse).map(({ period }) => startEntry(period));
			const starts = counted.map(({ period }) => startEntry(period));
			for (const one of counted) one.recorded += entries;
			const pages = counted.flatMap(openPages);
			// Each counter also counts the new entries of all counters: those of the opened pages and of a period's start.
			const added = 2 * pages.length + starts.length - expected.length;
			for (const one of counted) one.recorded += added;
			return {
				entries: [...starts, ...pages.flat()],
				expected,
				opened: pages.map(([entry]) => entry).filter((entry) => !leftoverEntries.has(entry)),
				counters: counted,
				// If the very last page is open, the counter can't count further. Then no messages are claimed, and only
				// used codes are recorded. n8n drops no entry for them.
				mostEntries: counted.some(({ pages: last }) => last === MOST_PAGES) ? Infinity : MOST_ENTRIES,
			};
		},

		/** Reserves room for messages, like `reserve`. */
		reserveMessages(period: Period, messages: number): Reservation {
			return this.reserve(period, messages * ENTRIES_PER_MESSAGE);
		},

		/** Releases the reserved room of messages that do not need it. @param reserved the counters of the reservation */
		releaseMessages(reserved: Counter[], messages: number): void {
			for (const one of reserved) one.recorded -= messages * ENTRIES_PER_MESSAGE;
		},

		/**
		 * Returns whether the counters were right when these entries were recorded. If they were wrong, or if that is not known,
		 * the next `refresh` queries them again.
		 * @param fresh the recorded entries that were new; undefined: the write failed
		 */
		confirm({ expected, opened }: Reservation, fresh: ReadonlySet<string> | undefined): boolean {
			const lost = expected.filter((entry) => fresh?.has(entry));
			for (const entry of lost) droppedStarts.add(entry);
			const isRight = fresh !== undefined && lost.length === 0 && opened.every((entry) => fresh.has(entry));
			if (!isRight) counters = [];
			return isRight;
		},
	};
}

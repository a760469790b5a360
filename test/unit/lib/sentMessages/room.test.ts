import { MOST_ENTRIES, type List } from '../../../../lib/sentMessages/list';
import { endOfCounting, neighbour, periodAt, periodName, type Period } from '../../../../lib/sentMessages/periods';
import { openRoom } from '../../../../lib/sentMessages/room';

const mockSleep = jest.fn<Promise<void>, [number]>(async () => {});
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: async (milliseconds: number) => await mockSleep(milliseconds),
}));

const HOUR = 3_600_000;
const AT = 168 * 10 * HOUR * 300 + HOUR;
const day = periodAt('day', AT);
const week = periodAt('week', AT);
/** The entries that messages may use; the other 2,000 of the list are for queries. */
const USABLE = MOST_ENTRIES - 2000;

/** The two entries of each counter page (see lib/sentMessages/room.ts) from `first` to `last`. */
const pagesOf = (period: Period, last: number, first = 1): string[] =>
	Array.from({ length: last - first + 1 }, (_, index) => `${periodName(period)} page ${first + index}`).flatMap(
		(entry) => [entry, `${entry} opened`],
	);

/** The entries of n8n's list. */
let entries: Set<string>;
/**
 * For each time that a refresh queries the list: the entries that another process is querying then, so that they seem to be
 * in the list.
 */
let seeming: string[][];
let queries: number;
let canRemove: boolean;
const list = {
	query: async (asked: string[]) => {
		const others = seeming[Math.floor(queries++ / 2)] ?? [];
		return new Set(asked.filter((entry) => !entries.has(entry) && !others.includes(entry)));
	},
	remove: async () => {
		if (!canRemove) throw new Error('the database is down');
	},
} as unknown as List;

let now: number;
beforeEach(() => {
	entries = new Set();
	seeming = [];
	queries = 0;
	canRemove = true;
	now = AT;
	mockSleep.mockClear();
	jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

const opened = async () => {
	const room = openRoom();
	await room.refresh(list, AT);
	return room;
};
/** The number of times that a refresh queried the list. Each time takes two queries: one for each entry of a page. */
const times = () => queries / 2;
const full = MOST_ENTRIES / 1000;

describe('a counter of the entries in a period, if it seems full or broken,', () => {
	it.each([
		['full', pagesOf(day, full)],
		['broken', pagesOf(day, 3, 3)],
	])('is queried again after 0.7 s, because another process may be querying at that moment: %s', async (_, others) => {
		seeming = [others];
		const room = await opened();
		expect([times(), mockSleep.mock.calls]).toEqual([2, [[700]]]);
		expect(room.messages()).toBe(USABLE / 4);
		expect(room.isBroken()).toBe(false);
	});

	it.each([
		['full', pagesOf(day, full), false],
		['broken', pagesOf(day, 3, 3), true],
	])('is queried three times at most, and then not again for a minute: %s', async (_, page, isBroken) => {
		page.forEach((entry) => entries.add(entry));
		const room = await opened();
		expect([times(), mockSleep.mock.calls]).toEqual([3, [[700], [700]]]);
		expect([room.messages(), room.isBroken(), room.percentIfNearlyFull()]).toEqual([0, isBroken, 100]);

		now += 59_999;
		await room.refresh(list, AT);
		expect(times()).toBe(3);
		now += 1;
		await room.refresh(list, AT);
		expect(times()).toBe(6);
	});

	it.each([
		['is attributed to the queries of another process if its period has not begun', neighbour(day, 1), true],
		['is not attributed to the queries of another process if its period is the current one', day, false],
	])('%s', async (_, period, isForeign) => {
		pagesOf(period, full).forEach((entry) => entries.add(entry));
		const room = await opened();
		expect([room.messages(), room.isQueriedByOthers(AT)]).toEqual([0, isForeign]);
	});

	it('causes no second query of the other counters', async () => {
		pagesOf(day, full).forEach((entry) => entries.add(entry));
		await opened();
		const asked = jest.spyOn(list, 'query');
		const room = openRoom();
		await room.refresh(list, AT);
		// The first query is for all six counters, the others only for the one that is full.
		expect(asked.mock.calls.map(([some]) => some.length)).toEqual([6 * full, full, full, full, full, full]);
	});
});

it('counters that are known and usable are not queried again', async () => {
	const room = await opened();
	await room.refresh(list, AT);
	expect(times()).toBe(1);
});

describe('the room of a list', () => {
	it('is reported as nearly full from exactly 80 % of the usable entries on', async () => {
		pagesOf(day, 98).forEach((entry) => entries.add(entry));
		const room = await opened();
		// 98 pages are 98,000 entries, and the two entries of the next page are added: 98,400 is 80 % of 123,000.
		room.reserve(undefined, 397);
		expect(room.percentIfNearlyFull()).toBeUndefined();
		room.reserve(undefined, 1);
		expect(room.percentIfNearlyFull()).toBe(80);
	});

	it('is enough for some messages again when the first period in use ends, and for more messages when later periods end', async () => {
		const room = await opened();
		const earlier = neighbour(day, -1);
		// Three periods are in use. The one that ends first has the most entries: the previous period of Day has 100 pages, its
		// current period 50, and the current period of Week 10.
		[...pagesOf(earlier, 100), ...pagesOf(day, 50), ...pagesOf(week, 10)].forEach((entry) => entries.add(entry));
		const later = await opened();
		expect(later.messages()).toBe((USABLE - 100_000) / 4);
		const free = (used: number) => (USABLE - used) / 4;
		expect(later.roomAgainAt(free(50_000))).toBe(endOfCounting(earlier));
		expect(later.roomAgainAt(free(50_000) + 1)).toBe(endOfCounting(day));
		expect(later.roomAgainAt(free(10_000))).toBe(endOfCounting(day));
		expect(later.roomAgainAt(free(10_000) + 1)).toBe(endOfCounting(week));
		expect(later.roomAgainAt(free(0))).toBe(endOfCounting(week));
		expect(later.roomAgainAt(free(0) + 1)).toBeUndefined();
		expect(room.roomAgainAt(1)).toBeUndefined();
	});
});

describe('a reservation', () => {
	it('does not mistake an entry that its own query left in the list for a page that another process has opened', async () => {
		canRemove = false;
		const room = await opened();
		const first = room.reserve(day, 4);
		expect(first.entries).toContain(pagesOf(day, 1)[0]);
		expect(first.opened).toEqual([]);

		canRemove = true;
		expect(room.confirm(first, undefined)).toBe(false);
		await room.refresh(list, AT);
		expect(room.reserve(day, 4).opened).toEqual([pagesOf(day, 1)[0]]);
	});

	it('is not confirmed if its write failed, and the counters are then queried again', async () => {
		pagesOf(day, 1).forEach((entry) => entries.add(entry));
		const room = await opened();
		expect(room.confirm(room.reserve(day, 4), undefined)).toBe(false);
		await room.refresh(list, AT);
		expect(times()).toBe(2);
	});

	it('lets n8n drop entries, unless a counter has opened its last page', async () => {
		const room = await opened();
		expect(room.reserve(day, 4).mostEntries).toBe(MOST_ENTRIES);
		[...pagesOf(day, full), ...pagesOf(week, 2)].forEach((entry) => entries.add(entry));
		expect((await opened()).reserve(undefined, 1).mostEntries).toBe(Infinity);
	});
});

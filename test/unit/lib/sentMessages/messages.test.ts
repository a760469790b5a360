import fc from 'fast-check';

import type * as Memory from '../../../../lib/sentMessages/messages';
import type { RememberFor } from '../../../../lib/sentMessages/periods';
import { N8nList, type Fate } from './n8nList';

/** n8n-workflow is loaded once for all simulated processes. Its `sleep` does not wait, so that retries take no time. */
const mockWorkflow = { ...jest.requireActual<object>('n8n-workflow'), sleep: async () => {} };
jest.mock('n8n-workflow', () => mockWorkflow);

const HOUR = 3_600_000;
/** One hour after a period has begun, both with *Remember For* a day and with a week. */
const START = 168 * 10 * HOUR * 300 + HOUR;

/** Loads the module again, as a new process of n8n does: it knows only the entries of n8n's list. */
function freshProcess(): typeof Memory {
	let memory: typeof Memory;
	jest.isolateModules(() => (memory = jest.requireActual('../../../../lib/sentMessages/messages')));
	return memory!;
}

let n8n: N8nList;
let now = START;
beforeEach(() => {
	n8n = new N8nList();
	n8n.milliseconds = 0;
	now = START;
	jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

/** Opens the record of sent messages for one run, in a new execution. */
const open = (memory = freshProcess(), rememberFor: RememberFor = 'day', flow: object = {}) =>
	memory.openMessages(n8n.context('w', flow), rememberFor);

const claimOne = async (messages: Memory.Messages, key: string, resend: string[] = []) =>
	(await messages.claim([key], new Set(resend))).get(key)!;
const statesIn = (known: Map<string, Memory.Known>) => [...known.values()].map(({ state }) => state);

/**
 * Claims these messages in one chunk, and records the outcome of each claimed message.
 * @returns the state of each message before the run
 */
async function run(
	memory: typeof Memory,
	keys: string[],
	outcome: Memory.Outcome = 'accepted',
	rememberFor: RememberFor = 'day',
): Promise<string[]> {
	const messages = open(memory, rememberFor);
	const known = await messages.claim(keys);
	for (const [key, { isClaimed }] of known) if (isClaimed) messages.release(key, outcome);
	await messages.close();
	return statesIn(known);
}

/**
 * Claims messages in chunks, and records each claimed message as accepted.
 * @returns the number of messages in each state before the run
 */
async function runList(memory: typeof Memory, keys: string[], rememberFor: RememberFor = 'week', chunk = 2500) {
	const counts: Record<string, number> = {};
	const messages = open(memory, rememberFor);
	for (let first = 0; first < keys.length; first += chunk) {
		for (const [key, { state, isClaimed }] of await messages.claim(keys.slice(first, first + chunk))) {
			counts[state] = (counts[state] ?? 0) + 1;
			if (isClaimed) messages.release(key, 'accepted');
		}
	}
	await messages.close();
	return counts;
}

/** Returns the recorded state of each message, without claiming it. */
const look = async (memory: typeof Memory, keys: string[], rememberFor: RememberFor = 'day') =>
	statesIn(await open(memory, rememberFor).find(keys));
const keysOf = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}${index}`);

describe('the record of sent messages', () => {
	it.each<[Memory.Outcome, string]>([
		['accepted', 'sent'],
		['unknown', 'unknown'],
		['rejected', 'new'],
	])(
		'gives a message with the outcome %s the state %s, in the same process, after a restart and in a review',
		async (outcome, expected) => {
			const memory = freshProcess();
			expect(await run(memory, ['a'], outcome)).toEqual(['new']);
			for (const process of [memory, freshProcess()]) {
				expect(await look(process, ['a', 'b'])).toEqual([expected, 'new']);
				expect(await look(process, ['a', 'b'], 'week')).toEqual([expected, 'new']);
			}
			if (expected !== 'new') expect(await run(freshProcess(), ['a'])).toEqual([expected]);
		},
	);

	it('is not changed by a review', async () => {
		await run(freshProcess(), ['a', 'b']);
		const before = [...n8n.entries];
		await look(freshProcess(), ['a', 'c', 'd']);
		expect(n8n.entries).toEqual(before);
	});

	it('takes four entries of the list for a sent message, and no entry for a rejected message', async () => {
		const memory = freshProcess();
		await run(memory, ['a']);
		const before = n8n.entries.length;
		await run(memory, ['b', 'c']);
		expect(n8n.entries.length - before).toBe(8);
		await run(memory, ['d'], 'rejected');
		expect(n8n.entries.length - before).toBe(8);
	});

	it('takes one write for each chunk, which records its claims and the outcomes of the chunk before', async () => {
		const memory = freshProcess();
		await run(memory, ['x']);
		n8n.writes.length = 0;
		const messages = open(memory);
		for (const chunk of [['a', 'b'], ['c', 'd'], ['e']]) {
			await messages.claim(chunk);
			for (const key of chunk) messages.release(key, 'accepted');
		}
		expect(n8n.writes).toHaveLength(3);
		const hasEntry = (end: string) => n8n.writes[1]!.some((entry) => entry.endsWith(end));
		expect([' a sent', ' b sent', ' c', ' d', ' c sent'].map(hasEntry)).toEqual([true, true, true, true, false]);
	});

	it.each([
		['day', 10 * HOUR - HOUR - 1, 'sent'],
		['day', 18 * HOUR, 'sent'],
		['day', 19 * HOUR, 'new'],
		['week', 168 * HOUR, 'sent'],
		['week', 335 * HOUR - 1, 'sent'],
		['week', 335 * HOUR, 'new'],
	] as const)('with Remember For %s: after %d ms a sent message has the state %s', async (choice, later, expected) => {
		await run(freshProcess(), ['a'], 'accepted', choice);
		now += later;
		// Reading the state does not prolong the time for which a message is remembered.
		for (let again = 0; again < 2; again++) {
			expect(await look(freshProcess(), ['a'], choice)).toEqual([expected]);
			if (expected === 'sent') expect(await run(freshProcess(), ['a'], 'accepted', choice)).toEqual(['sent']);
		}
	});

	it('remembers a message if the clock is set back across the end of a period, with either choice of Remember For', async () => {
		now = START - HOUR + 10 * HOUR - 1;
		now += 2;
		await run(freshProcess(), ['a']);
		now -= 2 * HOUR;
		for (const choice of ['day', 'week'] as const) {
			expect(await look(freshProcess(), ['a'], choice)).toEqual(['sent']);
			expect(await run(freshProcess(), ['a'], 'accepted', choice)).toEqual(['sent']);
		}
	});

	it.each([
		['day', 'week'],
		['week', 'day'],
	] as const)(
		'recognises a message that was sent with Remember For %s, if Remember For is %s now',
		async (before, after) => {
			const period = (await open(freshProcess(), before).claim(['probe'])).get('probe')!.period;
			await run(freshProcess(), ['a'], 'accepted', before);
			const known = await claimOne(open(freshProcess(), after), 'a');
			expect(known).toEqual({ state: 'sent', period, isClaimed: false });
		},
	);

	it("gives messages the state new after a person has cleared n8n's list, even in the same process", async () => {
		const memory = freshProcess();
		await run(memory, ['a']);
		n8n.entries = [];
		expect(await run(memory, ['a'])).toEqual(['new']);
		expect(await run(memory, ['a'])).toEqual(['sent']);
		expect(await look(freshProcess(), ['a'])).toEqual(['sent']);
	});
});

describe('simultaneous runs', () => {
	it('send each message once, even if one run has the items in reverse order', async () => {
		const memory = freshProcess();
		const keys = keysOf('k', 60);
		const work = async (mine: string[]) => {
			const messages = open(memory);
			let sent = 0;
			for (let first = 0; first < mine.length; first += 5) {
				for (const [key, { isClaimed }] of await messages.claim(mine.slice(first, first + 5))) {
					if (!isClaimed) continue;
					await new Promise((resolve) => setTimeout(resolve, 1));
					sent++;
					messages.release(key, 'accepted');
				}
			}
			await messages.close();
			return sent;
		};
		const [one, other] = await Promise.all([work(keys), work([...keys].reverse())]);
		expect(one + other).toBe(60);
		expect(await look(freshProcess(), keys)).toEqual(keys.map(() => 'sent'));
	});

	it('wait for the outcome of a message that another run has claimed, and send it if it was rejected', async () => {
		const memory = freshProcess();
		const [one, other] = [open(memory), open(memory)];
		expect((await claimOne(one, 'a')).state).toBe('new');
		const waits = claimOne(other, 'a');
		one.release('a', 'rejected');
		expect((await waits).state).toBe('new');
		other.release('a', 'accepted');
		expect((await claimOne(one, 'a')).state).toBe('sent');
	});

	it("see the outcome of another run in the same process before it is written to n8n's list", async () => {
		const memory = freshProcess();
		const [one, other] = [open(memory), open(memory)];
		await claimOne(one, 'a');
		one.release('a', 'accepted');
		expect((await claimOne(other, 'a')).state).toBe('sent');
	});

	it('write their outcomes before they wait for the claim of another run', async () => {
		const memory = freshProcess();
		const [one, other] = [open(memory), open(memory)];
		await claimOne(one, 'a');
		one.release('a', 'accepted');
		await claimOne(other, 'b');
		const waits = claimOne(one, 'b');
		await new Promise((resolve) => setTimeout(resolve, 5));
		expect(await look(freshProcess(), ['a', 'b'])).toEqual(['sent', 'unknown']);
		other.release('b', 'rejected');
		expect((await waits).state).toBe('new');
	});

	it('claim all messages of a chunk or none', async () => {
		const memory = freshProcess();
		const [one, other] = [open(memory), open(memory)];
		await one.claim(['a', 'b', 'c']);
		const waits = other.claim(['b', 'd']);
		expect(statesIn(await one.find(['d']))).toEqual(['new']);
		await one.close();
		expect(statesIn(await waits)).toEqual(['new', 'new']);
		expect(await look(freshProcess(), ['a', 'b', 'c'])).toEqual(['new', 'unknown', 'new']);
	});

	it('claim their messages, even if all of them count the entries of the list at the same moment', async () => {
		n8n.milliseconds = 1;
		const memory = freshProcess();
		const states = await Promise.all(keysOf('k', 10).map(async (key) => await run(memory, [key])));
		expect(states).toEqual(Array.from({ length: 10 }, () => ['new']));
		expect(await open(freshProcess()).roomFor(0)).toMatchObject({ isBroken: false, percent: undefined });
	});

	it('in two processes: the second process reads a claimed message as unknown until its outcome is recorded', async () => {
		const [one, other, third] = [1, 2, 3].map(() => open(freshProcess()));
		expect(statesIn(await one!.claim(['a', 'b']))).toEqual(['new', 'new']);
		expect(statesIn(await other!.claim(['b', 'c']))).toEqual(['unknown', 'new']);
		for (const key of ['a', 'b']) one!.release(key, 'accepted');
		await one!.close();
		expect(statesIn(await third!.claim(['a', 'b']))).toEqual(['sent', 'sent']);
	});

	it('in two processes: a message is recorded as sent, even if the write of another process has overwritten its claim', async () => {
		const messages = open();
		await run(freshProcess(), ['x']);
		const before = [...n8n.entries];
		await messages.claim(['a']);
		n8n.entries = before;
		messages.release('a', 'accepted');
		await messages.close();
		expect(await look(freshProcess(), ['a'])).toEqual(['sent']);
	});
});

describe('a review, which finds states without claiming the messages', () => {
	it('finds a message unknown while another run has it in progress, and afterwards in the state that the outcome leads to', async () => {
		const memory = freshProcess();
		const [one, other] = [open(memory), open(memory)];
		const { period } = await claimOne(one, 'a');
		await one.claim(['b', 'c']);
		const found = await other.find(['a', 'b', 'c', 'd']);
		expect(statesIn(found)).toEqual(['unknown', 'unknown', 'unknown', 'new']);
		expect(found.get('a')).toEqual({ state: 'unknown', period, isClaimed: false });
		one.release('a', 'accepted');
		one.release('b', 'rejected');
		one.release('c', 'unknown');
		// None of these outcomes is in n8n's list yet.
		expect(statesIn(await other.find(['a', 'b', 'c', 'd']))).toEqual(['sent', 'new', 'unknown', 'new']);
	});

	it('waits for the outcome of a message that the same run has in progress', async () => {
		const messages = open();
		await claimOne(messages, 'a');
		let states: string[] | undefined;
		const finds = messages.find(['a', 'b']).then((found) => (states = statesIn(found)));
		await new Promise((resolve) => setTimeout(resolve, 5));
		expect(states).toBeUndefined();
		messages.release('a', 'accepted');
		await finds;
		expect(states).toEqual(['sent', 'new']);
	});

	it('waits while another run queries or writes the list for the same message, even if the write fails', async () => {
		n8n.milliseconds = 5;
		const memory = freshProcess();
		const [one, other, third] = [open(memory), open(memory), open(memory)];
		const claims = one.claim(['a']);
		await new Promise(setImmediate);
		// Until the claim is written, the review does not know whether the message is new.
		expect(statesIn(await other.find(['a']))).toEqual(['unknown']);
		expect(statesIn(await claims)).toEqual(['new']);
		one.release('a', 'accepted');
		const both = await Promise.all([other.find(['a']), third.find(['a'])]);
		expect(both.map(statesIn)).toEqual([['sent'], ['sent']]);

		const fates: Fate[] = ['fails'];
		n8n.fate = () => fates.shift() ?? 'works';
		const fails = expect(one.claim(['b'])).rejects.toThrow('database is locked');
		await new Promise(setImmediate);
		expect(statesIn(await other.find(['b']))).toEqual(['new']);
		await fails;
	});

	it('queries at most 100 messages at once', async () => {
		await run(freshProcess(), keysOf('k', 150));
		const context = n8n.context();
		const record = jest.spyOn(context.helpers, 'checkProcessedAndRecord');
		const messages = freshProcess().openMessages(context, 'day');
		expect(statesIn(await messages.find(keysOf('k', 200)))).toEqual(
			keysOf('', 200).map((_, i) => (i < 150 ? 'sent' : 'new')),
		);
		// The other entries count the entries of the list.
		const queries = record.mock.calls.map(([entries]) => entries.filter((entry) => !/ page /.test(String(entry))));
		expect(Math.max(...queries.map(({ length }) => length))).toBe(100);
		// No entry is queried twice.
		expect(new Set(queries.flat()).size).toBe(queries.flat().length);
	});

	it('leaves no entry of its queries in the list, except entries that count the entries', async () => {
		await run(freshProcess(), ['a']);
		const before = n8n.entries;
		await look(freshProcess(), ['a', 'b']);
		expect(n8n.entries.filter((entry) => !before.includes(entry) && !/page|start/.test(entry))).toEqual([]);
	});
});

describe('the end of a run', () => {
	it('returns a warning and logs it, if the outcomes cannot be recorded, and the next run records them', async () => {
		const memory = freshProcess();
		const context = n8n.context();
		const warn = jest.spyOn(context.logger, 'warn');
		const messages = memory.openMessages(context, 'day');
		await claimOne(messages, 'a');
		messages.release('a', 'accepted');
		n8n.fate = () => 'fails';
		const warning = await messages.close();
		expect(warning).toMatch(/database is locked.*The next run tries again to record what was sent/);
		expect(warn).toHaveBeenCalledWith(`SMS Send: ${warning}`);
		n8n.fate = () => 'works';
		expect(await look(freshProcess(), ['a'])).toEqual(['unknown']);
		expect(await open(memory).close()).toBeUndefined();
		expect(await look(freshProcess(), ['a'])).toEqual(['sent']);
	});
});

describe('sending messages of unknown outcome again', () => {
	const unknown = async () => {
		await run(freshProcess(), ['a'], 'unknown');
		return n8n.entries.length;
	};

	it.each<[Memory.Outcome, string]>([
		['accepted', 'sent'],
		['rejected', 'unknown'],
		['unknown', 'unknown'],
	])(
		'leads, with the new outcome %s, to the state %s, and keeps the period of the first claim',
		async (outcome, expected) => {
			await unknown();
			const period = (await open().find(['a'])).get('a')!.period;
			now += 12 * HOUR;
			const messages = open();
			expect(await claimOne(messages, 'a', ['a'])).toEqual({ state: 'unknown', period, isClaimed: true });
			messages.release('a', outcome);
			await messages.close();
			expect((await open().find(['a'])).get('a')).toEqual({ state: expected, period, isClaimed: false });
		},
	);

	it('leaves a message unknown if n8n is killed after the claim', async () => {
		await unknown();
		await claimOne(open(), 'a', ['a']);
		expect(await look(freshProcess(), ['a'])).toEqual(['unknown']);
	});

	it('does not claim an accepted message', async () => {
		await run(freshProcess(), ['a']);
		expect(await claimOne(open(), 'a', ['a'])).toMatchObject({ state: 'sent', isClaimed: false });
	});

	it('does not claim a message whose outcome became unknown in the same execution, even in a later run of a loop', async () => {
		const [memory, flow] = [freshProcess(), {}];
		const first = open(memory, 'day', flow);
		expect((await claimOne(first, 'a', ['a'])).isClaimed).toBe(true);
		first.release('a', 'unknown');
		await first.close();
		now += 1000;
		expect(await claimOne(open(memory, 'day', flow), 'a', ['a'])).toMatchObject({ state: 'unknown', isClaimed: false });
		expect(await claimOne(open(memory, 'day', {}), 'a', ['a'])).toMatchObject({ isClaimed: true });
	});

	it('does not claim a message whose outcome became unknown in another run during the wait', async () => {
		const memory = freshProcess();
		const [one, other] = [open(memory), open(memory)];
		await claimOne(one, 'a');
		const waits = claimOne(other, 'a', ['a']);
		one.release('a', 'unknown');
		expect(await waits).toMatchObject({ state: 'unknown', isClaimed: false });
	});

	it('claims nothing for an execution that began before n8n was restarted', async () => {
		await unknown();
		const flow = { smsSendBegan: now - 1 };
		expect(await claimOne(open(freshProcess(), 'day', flow), 'a', ['a'])).toMatchObject({ isClaimed: false });
	});
});

describe('a kill of n8n', () => {
	it('leaves at most one chunk unknown, and no unsent message recorded as sent', async () => {
		const keys = keysOf('k', 40);
		const accepted: string[] = [];
		const acceptedAt: string[][] = [];
		const push = n8n.writes.push.bind(n8n.writes);
		n8n.writes.push = (...writes) => {
			acceptedAt.push([...accepted]);
			return push(...writes);
		};
		const messages = open();
		for (let first = 0; first < keys.length; first += 5) {
			const chunk = keys.slice(first, first + 5);
			await messages.claim(chunk);
			for (const key of chunk) {
				accepted.push(key);
				messages.release(key, 'accepted');
			}
		}
		await messages.close();
		for (const [index, entries] of [...n8n.writes].entries()) {
			n8n.entries = [...entries];
			const states = await look(freshProcess(), keys);
			const those = (state: string) => keys.filter((_, place) => states[place] === state);
			expect(acceptedAt[index]).toEqual(expect.arrayContaining(those('sent')));
			expect(those('unknown').length).toBeLessThanOrEqual(5);
			expect(acceptedAt[index]!.filter((key) => those('new').includes(key))).toEqual([]);
		}
	});

	it("while states are read changes no message's state: an unknown message stays unknown, and an unsent message stays new", async () => {
		await run(freshProcess(), ['lost'], 'unknown');
		await run(freshProcess(), ['sent']);
		n8n.writes.length = 0;
		const memory = freshProcess();
		await memory.openMessages(n8n.context(), 'day').roomFor(0);
		n8n.writes.length = 0;
		await look(memory, ['lost', 'sent', 'new']);
		await run(memory, ['lost', 'sent']);
		for (const entries of [...n8n.writes]) {
			n8n.entries = [...entries];
			const [lost, sent, other] = await run(freshProcess(), ['lost', 'sent', 'new']);
			expect([lost, sent !== 'new', other]).toEqual(['unknown', true, 'new']);
		}
	});

	it('after any write of the list leads to no second sending after the restart', async () => {
		const memory = freshProcess();
		await run(memory, ['a', 'b', 'c']);
		for (const entries of [...n8n.writes]) {
			n8n.entries = [...entries];
			const isClaimed = entries.some((entry) => entry.endsWith(' a'));
			const states = await run(freshProcess(), ['a', 'b', 'c']);
			expect(states).not.toContain('full');
			expect(states.includes('new')).toBe(!isClaimed);
		}
	});
});

describe("the capacity of n8n's list", () => {
	beforeEach(() => (n8n.keepsWrites = false));

	it.each(['day', 'week'] as const)(
		'is at least 30,000 messages with Remember For %s, even after a restart',
		async (choice) => {
			const keys = keysOf('k', 30_000);
			expect(await runList(freshProcess(), keys, choice)).toEqual({ new: 30_000 });
			expect(await runList(freshProcess(), keys, choice)).toEqual({ sent: 30_000 });
			expect(n8n.entries.length).toBeLessThanOrEqual(125_000);
		},
	);

	it('limits new messages: messages above the capacity are refused, and all recorded messages are still recognised', async () => {
		const keys = keysOf('k', 32_000);
		const first = await runList(freshProcess(), keys);
		expect(first.new! + first.full!).toBe(32_000);
		expect(first.new).toBeGreaterThanOrEqual(30_000);
		const again = await runList(freshProcess(), keys);
		expect(again).toMatchObject({ sent: first.new });
		expect(again.new ?? 0).toBe(0);
	});

	it('is shared by several runs in two periods, with restarts, and no recorded message is forgotten', async () => {
		const lists = [0, 1, 2, 3].map((index) => keysOf(`list${index} `, 9_000));
		const sent = new Set<string>();
		for (const [index, list] of lists.entries()) {
			if (index === 2) now += 168 * HOUR;
			const messages = open(freshProcess(), 'week');
			for (let first = 0; first < list.length; first += 1500) {
				for (const [key, { isClaimed }] of await messages.claim(list.slice(first, first + 1500))) {
					if (!isClaimed) continue;
					sent.add(key);
					messages.release(key, 'accepted');
				}
			}
			await messages.close();
		}
		expect(sent.size).toBeGreaterThanOrEqual(29_000);
		for (const list of lists) {
			const { new: repeated = 0 } = await runList(
				freshProcess(),
				list.filter((key) => sent.has(key)),
			);
			expect(repeated).toBe(0);
		}
		// The messages of the first two runs have expired, so new messages fit again.
		now += 168 * HOUR;
		expect(await runList(freshProcess(), keysOf('later', 9_000))).toEqual({ new: 9_000 });
	});

	it('is shared by messages of both choices of Remember For', async () => {
		await runList(freshProcess(), keysOf('week', 20_000), 'week');
		const { new: fits = 0, full = 0 } = await runList(freshProcess(), keysOf('day', 12_000), 'day');
		expect(fits).toBeGreaterThanOrEqual(10_000);
		expect(fits + full).toBe(12_000);
		expect(await runList(freshProcess(), keysOf('week', 20_000), 'week')).toEqual({ sent: 20_000 });
	});

	it('is shared by messages and used codes', async () => {
		const memory = freshProcess();
		await runList(memory, keysOf('k', 100));
		const { room } = await open(memory, 'week').roomFor(0);
		for (let code = 0; code < 400; code++) await memory.recordOnce(n8n.context(), `code ${code}`);
		expect((await open(memory, 'week').roomFor(0)).room).toBe(room - 100);
	});

	it('leaves a reserve for used codes: after 30,500 messages, used codes are still recorded, and no message is forgotten', async () => {
		const memory = freshProcess();
		const keys = keysOf('k', 30_500);
		await runList(memory, keys);
		for (let code = 0; code < 20; code++) expect(await memory.recordOnce(n8n.context(), `code ${code}`)).toBe(true);
		n8n.entries = [...n8n.entries, ...keysOf('foreign ', 2400)];
		expect(await memory.recordOnce(n8n.context(), 'code 0')).toBe(false);
		expect(await runList(freshProcess(), keys)).toEqual({ sent: 30_500 });
	});

	it('can be exceeded by used codes, and no message is forgotten, even after a restart', async () => {
		const keys = keysOf('k', 30_600);
		await runList(freshProcess(), keys);
		const memory = freshProcess();
		for (let code = 0; code < 3000; code++) await memory.recordOnce(n8n.context(), `code ${code}`);
		await freshProcess().recordOnce(n8n.context(), 'one more code');
		expect(await runList(freshProcess(), keys)).toEqual({ sent: 30_600 });
	}, 60_000);

	it('is reduced by the outcomes of messages that were sent again in a later period', async () => {
		const keys = keysOf('k', 4000);
		const unknown = open(freshProcess(), 'week');
		for (const [key] of await unknown.claim(keys)) unknown.release(key, 'unknown');
		await unknown.close();
		now += 168 * HOUR;
		const again = open(freshProcess(), 'week');
		for (let first = 0; first < keys.length; first += 100) {
			for (const [key] of await again.claim(keys.slice(first, first + 100), new Set(keys)))
				again.release(key, 'accepted');
		}
		await again.close();
		await run(freshProcess(), ['a'], 'accepted', 'week');
		// The first claims have expired, but the outcomes of the second sending still take space.
		now += 168 * HOUR;
		expect((await open(freshProcess(), 'week').roomFor(0)).room).toBeLessThanOrEqual((123_000 - 2 * 4000) / 4);
	});

	it('is not reduced by rejected messages', async () => {
		const memory = freshProcess();
		await run(memory, ['a'], 'accepted', 'week');
		const { room } = await open(memory, 'week').roomFor(0);
		for (let again = 0; again < 3; again++) await run(memory, keysOf('k', 1000), 'rejected', 'week');
		// Only the entries of the opened counter pages remain (see lib/sentMessages/room.ts).
		expect((await open(memory, 'week').roomFor(0)).room).toBeGreaterThanOrEqual(room - 5);
	});

	it('is reported, if a list does not fit now, with the percentage in use and the time from which the list fits', async () => {
		const memory = freshProcess();
		const state = async (count: number) => await open(memory, 'week').roomFor(count);
		await runList(memory, keysOf('k', 20_000));
		expect(await state(5000)).toMatchObject({ fits: true, percent: undefined });
		await runList(memory, keysOf('l', 5000));
		const full = await state(10_000);
		expect(full).toMatchObject({ fits: false, percent: 81 });
		expect(full.againAt).toBe(START - HOUR + 2 * 168 * HOUR);
		expect((await state(40_000)).againAt).toBeUndefined();
	});

	it('has room for exactly as many messages as it states', async () => {
		const memory = freshProcess();
		await runList(memory, keysOf('k', 100));
		const messages = open(memory, 'week');
		const { room } = await messages.roomFor(0);
		expect(messages.fullness()).toEqual({ room, percent: undefined });
		expect(await messages.roomFor(room)).toMatchObject({ fits: true, againAt: undefined });
		expect(await messages.roomFor(room + 1)).toMatchObject({ fits: false });
		// Of the list, 100 messages are known and need no room.
		const keys = [...keysOf('k', 100), ...keysOf('l', room)];
		expect(await messages.roomFor(keys.length, keys)).toMatchObject({ fits: true });
		expect(await messages.roomFor(keys.length + 1, [...keys, 'one more'])).toMatchObject({ fits: false });
	}, 120_000);

	it('is not queried message by message if the list fits anyway, and only until it is known that the list does not fit', async () => {
		const memory = freshProcess();
		await runList(memory, keysOf('k', 30_000));
		const context = n8n.context();
		const record = jest.spyOn(context.helpers, 'checkProcessedAndRecord');
		const messages = memory.openMessages(context, 'week');
		const { room } = await messages.roomFor(0);
		record.mockClear();
		expect(await messages.roomFor(room, keysOf('l', room))).toMatchObject({ fits: true });
		expect(record).not.toHaveBeenCalled();
		expect(await messages.roomFor(10_000, keysOf('l', 10_000))).toMatchObject({ fits: false });
		expect(record.mock.calls.flatMap(([entries]) => entries).length).toBeLessThan(3 * (room + 100));
	}, 120_000);

	it('suffices for a list whose messages are already recorded', async () => {
		const memory = freshProcess();
		const keys = keysOf('k', 30_500);
		await runList(memory, keys);
		expect(await open(memory, 'week').roomFor(30_500, keys)).toMatchObject({ fits: true });
		expect(await open(memory, 'week').roomFor(1000, keysOf('l', 1000))).toMatchObject({ fits: false });
	}, 120_000);

	it('shrinks by at most 250 messages with each restart', async () => {
		await runList(freshProcess(), keysOf('k', 1010));
		const before = (await open(freshProcess(), 'week').roomFor(0)).room;
		for (let restart = 0; restart < 4; restart++) await run(freshProcess(), [`restart ${restart}`], 'accepted', 'week');
		const after = (await open(freshProcess(), 'week').roomFor(0)).room;
		expect(before - after).toBeLessThanOrEqual(4 * 251);
	});

	it('counts as broken if another node has dropped the oldest entries: messages are refused and none is sent twice', async () => {
		const memory = freshProcess();
		const keys = keysOf('k', 2000);
		await runList(memory, keys, 'week', 100);
		n8n.entries = n8n.entries.slice(-5000);
		for (const process of [memory, freshProcess()]) {
			const { sent = 0, full = 0, ...others } = await runList(process, keys, 'week', 100);
			expect([sent + full, sent > 1000, others]).toEqual([2000, true, {}]);
			expect(await open(process, 'week').roomFor(1)).toMatchObject({ fits: false, isBroken: true });
		}
		now += 2 * 168 * HOUR;
		expect(await runList(freshProcess(), ['a'])).toEqual({ new: 1 });
	});

	it.each([100, 500])(
		'is counted safely after another node has dropped %d entries: no message is sent twice if n8n is killed at any moment of the next run',
		async (dropped) => {
			const memory = freshProcess();
			const keys = keysOf('k', 600);
			await runList(memory, keys, 'week', 100);
			n8n.entries = n8n.entries.slice(dropped);
			n8n.keepsWrites = true;
			await run(memory, ['new'], 'accepted', 'week');
			n8n.keepsWrites = false;
			for (const entries of [...n8n.writes]) {
				n8n.entries = [...entries];
				expect((await runList(freshProcess(), keys)).new ?? 0).toBe(0);
			}
		},
	);

	it('counts as broken if another node has dropped a single entry: new messages are refused, and this is reported', async () => {
		const memory = freshProcess();
		await runList(memory, keysOf('k', 100), 'week', 100);
		n8n.entries = n8n.entries.slice(1);
		for (const process of [memory, freshProcess()]) {
			expect(await runList(process, [...keysOf('k', 100), 'new'], 'week', 101)).toEqual({ sent: 100, full: 1 });
			expect(await open(process, 'week').roomFor(1)).toMatchObject({ fits: false, isBroken: true });
		}
	});

	it('is not reported as used up if queries of another process fill the list for a moment: the error names the other processes', async () => {
		const week = Math.floor(START / (168 * HOUR));
		n8n.entries = [week - 1, week, week + 1].flatMap((number) =>
			keysOf(`week ${number} page `, 126).flatMap((entry) => [entry, `${entry} opened`]),
		);
		await expect(open(freshProcess(), 'week').roomFor(1)).rejects.toMatchObject({
			message: expect.stringMatching(/^Other n8n processes are writing to the list/) as unknown,
		});
	});

	it('does not count as broken if another process writes while one process counts the entries', async () => {
		const [one, other] = [freshProcess(), freshProcess()];
		await runList(one, keysOf('k', 200));
		const asks = open(other, 'week').roomFor(0);
		// To count the entries, a process writes a test entry and removes it. In between, the other process writes.
		await runList(one, keysOf('l', 100), 'week', 100);
		await asks;
		await runList(one, keysOf('m', 600), 'week', 100);
		expect(await open(freshProcess(), 'week').roomFor(0)).toMatchObject({ isBroken: false });
	});

	it('is counted safely: no message is sent twice if n8n is killed at any moment while the entries are counted', async () => {
		await runList(freshProcess(), keysOf('k', 600));
		n8n.keepsWrites = true;
		await run(freshProcess(), ['new'], 'accepted', 'week');
		for (const entries of [...n8n.writes]) {
			n8n.entries = [...entries];
			expect((await runList(freshProcess(), keysOf('k', 600))).new ?? 0).toBe(0);
		}
	});

	it('is reduced by the messages of two processes that write alternately, and by at most 1,000 messages more', async () => {
		const runs = [freshProcess(), freshProcess()].map((memory) => open(memory, 'week'));
		for (let index = 0; index < 40; index++) {
			for (const [number, messages] of runs.entries()) {
				for (const [key, { isClaimed }] of await messages.claim(keysOf(`${number} ${index} `, 50)))
					if (isClaimed) messages.release(key, 'accepted');
			}
		}
		for (const messages of runs) await messages.close();
		const { room } = await open(freshProcess(), 'week').roomFor(0);
		// Each process opens its own counter pages (see lib/sentMessages/room.ts). A page counts as a thousand entries, even if
		// it is not full.
		expect(room).toBeLessThanOrEqual(30_750 - 4000);
		expect(room).toBeGreaterThanOrEqual(30_750 - 4000 - 4 * 250);
	});
});

it('the record of sent messages never allows a second sending within ten hours and never reports an unsent message as sent, for any sequence of failures, restarts and choices of Remember For', async () => {
	const step = fc.record({
		keys: fc.uniqueArray(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 6 }),
		outcomes: fc.array(fc.constantFrom<Memory.Outcome>('accepted', 'unknown', 'rejected'), {
			minLength: 6,
			maxLength: 6,
		}),
		faults: fc.array(fc.constantFrom('works', 'works', 'works', 'fails', 'failsAfter') as never, { maxLength: 6 }),
		restart: fc.boolean(),
		isReview: fc.boolean(),
		choice: fc.constantFrom<RememberFor>('day', 'week'),
		hours: fc.constantFrom(0, 0, 0, 1, 9, -2),
	});
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
			n8n = new N8nList();
			n8n.milliseconds = 0;
			now = START;
			const sent = new Map<string, number>();
			const perhaps = new Map<string, number>();
			const isRecent = (at?: number) => at !== undefined && now - at < 10 * HOUR;
			let process = freshProcess();
			for (const { keys, outcomes, faults, restart, isReview, choice, hours } of steps) {
				now += hours * HOUR;
				const left = [...(faults as Array<ReturnType<N8nList['fate']>>)];
				n8n.fate = () => left.shift() ?? 'works';
				if (restart) process = freshProcess();
				const messages = open(process, choice);
				const names = keys.map((key) => `k${key}`);
				if (isReview) {
					const found = await messages.find(names).catch(() => new Map<string, Memory.Known>());
					for (const [name, { state }] of found) if (state === 'sent') expect([...sent.keys()]).toContain(name);
					await messages.close();
					continue;
				}
				const known = await messages.claim(names).catch(() => new Map<string, Memory.Known>());
				for (const [index, [name, { state, isClaimed }]] of [...known].entries()) {
					if (state === 'sent') expect([...sent.keys()]).toContain(name);
					if (!isClaimed) continue;
					expect(isRecent(sent.get(name))).toBe(false);
					expect(isRecent(perhaps.get(name))).toBe(false);
					if (outcomes[index] === 'accepted') sent.set(name, now);
					if (outcomes[index] === 'unknown') perhaps.set(name, now);
					messages.release(name, outcomes[index]!);
				}
				await messages.close();
			}
		}),
		{ numRuns: 150, seed: 31 },
	);
}, 120_000);

import fc from 'fast-check';

import type * as Memory from '../../../../nodes/Sms/memory/claims';
import type { RememberFor } from '../../../../nodes/Sms/memory/periods';
import { N8nList } from './n8nList';

/** Loaded once for all processes; removals that failed are tried again at once. */
const mockWorkflow = { ...jest.requireActual<object>('n8n-workflow'), sleep: async () => {} };
jest.mock('n8n-workflow', () => mockWorkflow);

const HOUR = 3_600_000;
const START = 1_000_000 * 10 * HOUR + HOUR;

/** A new process of n8n: it knows nothing but what n8n's list has. */
function freshProcess(): typeof Memory {
	let memory: typeof Memory;
	jest.isolateModules(() => (memory = jest.requireActual('../../../../nodes/Sms/memory/claims')));
	return memory!;
}

let n8n: N8nList;
let now = START;
beforeEach(() => {
	n8n = new N8nList();
	now = START;
	jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

/** The memory of one run: without a process of a new one, where n8n was restarted. */
const open = (memory = freshProcess(), places = 10, rememberFor: RememberFor = 'day') =>
	memory.openMessages(n8n.context(), places, rememberFor);

/** The turn of one row. */
const begin = async (messages: Memory.Messages, key: string) => (await messages.claim([key])).get(key)!;
const statesIn = (known: Awaited<ReturnType<Memory.Messages['look']>>) => [...known.values()].map(({ state }) => state);

/** One run that sends these messages one after the other. @returns what was known of each before */
async function run(
	memory: typeof Memory,
	keys: string[],
	fate: Memory.Fate | ((key: string) => Memory.Fate) = 'sent',
): Promise<string[]> {
	const messages = open(memory);
	const states: string[] = [];
	for (const key of keys) {
		const { state } = await begin(messages, key);
		states.push(state);
		if (state === 'new') await messages.settle(key, typeof fate === 'function' ? fate(key) : fate);
	}
	await messages.close();
	return states;
}

const look = async (memory: typeof Memory, keys: string[]) => statesIn(await open(memory).look(keys));

describe('a message', () => {
	it('is waited for by a review while a run asks for it, and is held by that run alone', async () => {
		await run(freshProcess(), ['c']);
		const memory = freshProcess();
		const [one, other] = [open(memory), open(memory)];
		const claimed = one.claim(['a', 'c']);
		for (const wait of [async () => await claimed, other.close]) {
			const states = statesIn(await other.look(['a', 'b', 'c']));
			expect(states).toEqual(['unknown', 'new', 'sent']);
			await wait();
		}
		expect(statesIn(await other.look(['a']))).toEqual(['unknown']);
		n8n.fate = () => 'fails';
		expect(await one.close()).toMatch(/The next run tries again/);
	});

	it('is marked with the next claim, so that a block costs one change of the list; one answer more is not waited with', async () => {
		let changes = 0;
		n8n.fate = () => (changes++, 'works');
		const messages = open(freshProcess(), 2);
		for (const block of [['a', 'b'], ['c', 'd'], ['e']]) {
			await messages.claim(block);
			for (const key of block) await messages.settle(key, 'sent');
		}
		expect(changes).toBe(3);
		await messages.claim(['f', 'g']);
		await messages.claim(['h']);
		for (const key of ['f', 'g']) await messages.settle(key, 'sent');
		expect(changes).toBe(5);
		await messages.settle('h', 'sent');
		expect(changes).toBe(6);
	});

	it.each<[Memory.Fate, string]>([
		['sent', 'sent'],
		['unknown', 'unknown'],
		['free', 'new'],
	])('that was %s is %s for the next run, after a restart too, and for a review', async (fate, expected) => {
		const memory = freshProcess();
		expect(await run(memory, ['a'], fate)).toEqual(['new']);
		for (const process of [memory, freshProcess()]) {
			const before = [...n8n.entries];
			expect(await look(process, ['a', 'b'])).toEqual([expected, 'new']);
			expect(n8n.entries).toEqual(before);
			if (expected !== 'new') expect(await run(process, ['a'])).toEqual([expected]);
		}
	});

	it("that was claimed is no other run's where n8n's list can be asked only at the second try", async () => {
		await run(freshProcess(), ['c']);
		const messages = open(freshProcess(), 3);
		let calls = 0;
		n8n.fate = () => (++calls === 2 ? 'fails' : 'works');
		await expect(messages.claim(['c', 'a', 'b'])).rejects.toThrow();
		expect(statesIn(await messages.claim(['c', 'a', 'b']))).toEqual(['sent', 'new', 'new']);
	});

	it.each([
		['day', [1, 2]],
		['always', [1, 1]],
	] as const)('that is only looked at, and not to the end, is new afterwards (%s)', async (choice, failAt) => {
		const messages = open(freshProcess(), 10, choice);
		await messages.claim(['a']);
		await messages.settle('a', 'sent');
		await messages.close();
		for (const failing of failAt) {
			let calls = 0;
			n8n.fate = () => (calls++ === failing ? 'fails' : 'works');
			const review = open(freshProcess(), 10, choice);
			await expect(review.look(['a', 'b'])).rejects.toThrow();
		}
		n8n.fate = () => 'works';
		expect(statesIn(await open(freshProcess(), 10, choice).claim(['a', 'b']))).toEqual(['sent', 'new']);
	});

	it('costs two rewrites of the list, one that is skipped no more', async () => {
		const memory = freshProcess();
		await run(memory, ['a']);
		expect(n8n.writes).toHaveLength(2);
		await run(memory, ['a']);
		expect(n8n.writes.length).toBeLessThanOrEqual(4);
		expect(n8n.entries).toHaveLength(4);
	});

	it.each([
		[10 * HOUR - 1, ['sent', 'unknown']],
		[11 * HOUR, ['sent', 'unknown']],
		[19 * HOUR, ['new', 'new']],
	])('is remembered for ten hours at least and twenty at most: %p ms later', async (later, expected) => {
		await run(freshProcess(), ['sent', 'lost'], (key) => (key === 'sent' ? 'sent' : 'unknown'));
		now += later;
		for (let again = 0; again < 2; again++) {
			const process = freshProcess();
			expect(await look(process, ['sent', 'lost'])).toEqual(expected);
			// Asking never prolongs it.
			if (expected[0] !== 'new') expect(await run(process, ['sent', 'lost'])).toEqual(expected);
		}
		if (expected[0] === 'new') return;
		now = START + 19 * HOUR;
		expect(await look(freshProcess(), ['sent', 'lost'])).toEqual(['new', 'new']);
	});

	it('is not forgotten where the clock goes back over the end of a period', async () => {
		await run(freshProcess(), ['a']);
		now -= 2 * HOUR;
		expect(await run(freshProcess(), ['a'])).not.toEqual(['new']);
	});
});

describe('two runs at once', () => {
	it('send each message once, whichever way round they have them', async () => {
		const memory = freshProcess();
		const keys = Array.from({ length: 60 }, (_, index) => `k${index}`);
		const work = async (mine: string[]) => {
			const messages = open(memory, 5);
			let sent = 0;
			for (let first = 0; first < mine.length; first += 5) {
				const block = mine.slice(first, first + 5);
				for (const [key, { state }] of await messages.claim(block)) {
					if (state !== 'new') continue;
					await new Promise((resolve) => setTimeout(resolve, 1));
					sent++;
					await messages.settle(key, 'sent');
				}
			}
			await messages.close();
			return sent;
		};
		const [one, other] = await Promise.all([work(keys), work([...keys].reverse())]);
		expect(one + other).toBe(60);
		expect(await look(freshProcess(), keys)).toEqual(keys.map(() => 'sent'));
	});

	it('wait for what becomes of a message, and send it where it was refused', async () => {
		const memory = freshProcess();
		const [one, other] = [open(memory, 1), open(memory, 1)];
		expect((await begin(one, 'a')).state).toBe('new');
		const waits = begin(other, 'a');
		await one.settle('a', 'free');
		expect((await waits).state).toBe('new');
		await other.settle('a', 'sent');
		expect((await begin(one, 'a')).state).toBe('sent');
	});

	it('in two processes: whoever claims second is told that the end of the first is not known, until it is', async () => {
		const [one, other, third] = [1, 2, 3].map(() => open(freshProcess(), 3));
		expect(statesIn(await one!.claim(['a', 'b']))).toEqual(['new', 'new']);
		expect(statesIn(await other!.claim(['b', 'c']))).toEqual(['unknown', 'new']);
		for (const key of ['a', 'b']) await one!.settle(key, 'sent');
		await one!.close();
		expect(statesIn(await third!.claim(['a', 'b']))).toEqual(['sent', 'sent']);
	});

	it('in two processes with other messages: a claim that the other has overwritten is there again with the mark', async () => {
		const messages = open();
		const before = [...n8n.entries];
		await messages.claim(['a']);
		// The other one has read the list before, and writes it back now.
		n8n.entries = before;
		await messages.settle('a', 'sent');
		await messages.close();
		expect(await look(freshProcess(), ['a'])).toEqual(['sent']);
	});

	it('in two processes with other messages: the same message again is known, also before the mark is recorded', async () => {
		const memory = freshProcess();
		const [one, other] = [1, 2].map(() => open(memory, 3));
		const before = [...n8n.entries];
		await one!.claim(['a']);
		n8n.entries = before;
		await one!.settle('a', 'sent');
		expect(statesIn(await other!.claim(['a', 'b']))).toEqual(['sent', 'new']);
		await other!.settle('b', 'sent');
		for (const messages of [one, other]) await messages!.close();
		expect(await look(freshProcess(), ['a', 'b'])).toEqual(['sent', 'sent']);
	});

	it('are looked at by a review only when the one that waited has asked', async () => {
		await run(freshProcess(), ['c']);
		const memory = freshProcess();
		const [one, other, review] = [1, 2, 3].map(() => open(memory, 3));
		const claims = [one!.claim(['c', 'd']), other!.claim(['c'])];
		await claims[0];
		expect(statesIn(await review!.look(['c']))).toEqual(['sent']);
		expect(statesIn(await claims[1]!)).toEqual(['sent']);
	});

	it('take all of a block or none, and what a stopped run gives back', async () => {
		const memory = freshProcess();
		const [one, other] = [open(memory, 3), open(memory, 3)];
		await one.claim(['a', 'b', 'c']);
		const waits = other.claim(['b', 'd']);
		expect(statesIn(await one.look(['d']))).toEqual(['new']);
		await one.close();
		expect(statesIn(await waits)).toEqual(['new', 'new']);
		expect(await look(freshProcess(), ['a', 'b', 'c'])).toEqual(['new', 'unknown', 'new']);
		await other.settle('b', 'sent');
		await other.close();
		expect(await look(freshProcess(), ['a', 'b', 'c', 'd'])).toEqual(['new', 'sent', 'new', 'new']);
	});
});

describe('another choice of Remember For', () => {
	const send = async (rememberFor: RememberFor, fate: Memory.Fate = 'sent') => {
		const messages = open(freshProcess(), 10, rememberFor);
		const { state, since } = await begin(messages, 'a');
		if (state === 'new') await messages.settle('a', fate);
		await messages.close();
		return { state, since };
	};
	const choices = ['day', 'week', 'always'] as const;

	it.each(choices.flatMap((lower, index) => choices.slice(index).map((higher) => [lower, higher] as const)))(
		'from %s to %s sends nothing again that the first still knows, and calls it the same',
		async (lower, higher) => {
			const first = await send(lower);
			const before = [...n8n.entries];
			now += 9 * HOUR;
			expect((await open(freshProcess(), 10, higher).look(['a'])).get('a')).toMatchObject({ state: 'sent' });
			expect(n8n.entries).toEqual(before);
			expect(await send(higher)).toMatchObject({ state: 'sent', since: first.since });
			expect(n8n.entries).toEqual(before);
		},
	);

	it.each([
		['day', 4, 10 * HOUR, 20 * HOUR],
		['week', 8, 168 * HOUR, 336 * HOUR],
		['always', 10, 3000 * HOUR, Infinity],
	] as const)('%s takes %d entries, and remembers from %d to %d ms', async (choice, entries, least, most) => {
		await send(choice);
		expect(n8n.entries).toHaveLength(entries);
		now += least - 1;
		expect(await send(choice)).toMatchObject({ state: 'sent' });
		now = START + (most === Infinity ? 30_000 * HOUR : most);
		expect((await send(choice)).state).toBe(most === Infinity ? 'sent' : 'new');
	});

	it.each(choices)('%s knows that nobody knows', async (choice) => {
		await send(choice, 'unknown');
		expect(await send(choice)).toMatchObject({ state: 'unknown' });
		await send(choice, 'free');
		expect(await send(choice)).toMatchObject({ state: 'unknown' });
	});
});

describe("a message that is given back while others write n8n's list", () => {
	it.each<[string, (one: Memory.Messages) => Promise<unknown>, (one: Memory.Messages) => Promise<unknown>]>([
		['as refused', async (one) => await begin(one, 'a'), async (one) => await one.settle('a', 'free')],
		['at the end of a run', async (one) => await one.claim(['a']), async (one) => await one.close()],
	])('%s, and sent by another run, is known as sent', async (_, hold, giveBack) => {
		const memory = freshProcess();
		const [one, other, third] = [open(memory), open(memory), open(memory)];
		await hold(one);
		const writes = [begin(third, 'x')];
		await new Promise((resolve) => setImmediate(resolve));
		writes.push(begin(third, 'y'));
		const isBack = giveBack(one);
		expect((await begin(other, 'a')).state).toBe('new');
		await Promise.all([isBack, ...writes]);
		await other.settle('a', 'sent');
		await other.close();
		expect(await look(freshProcess(), ['a'])).toEqual(['sent']);
	});
});

it('more are claimed together once the list is long, also where the run itself has made it so', async () => {
	const messages = open();
	expect(await messages.blockSize()).toBe(10);
	await messages.claim(Array.from({ length: 10_001 }, (_, index) => `k${index}`));
	expect(await messages.blockSize()).toBe(100);
});

describe('n8n that is killed', () => {
	it('leaves no message sent that was not, wherever between two writes, and few unknown', async () => {
		const keys = Array.from({ length: 40 }, (_, index) => `k${index}`);
		const answered: string[] = [];
		const answeredAt: string[][] = [];
		const push = n8n.writes.push.bind(n8n.writes);
		n8n.writes.push = (...writes) => {
			answeredAt.push([...answered]);
			return push(...writes);
		};
		const messages = open(freshProcess(), 5);
		for (let first = 0; first < keys.length; first += 5) {
			const block = keys.slice(first, first + 5);
			await messages.claim(block);
			for (const key of block) {
				answered.push(key);
				await messages.settle(key, 'sent');
			}
		}
		await messages.close();
		for (const [index, entries] of [...n8n.writes].entries()) {
			n8n.entries = [...entries];
			const wereAnswered = answeredAt[index]!;
			const states = await look(freshProcess(), keys);
			const of = (state: string) => keys.filter((_, index) => states[index] === state);
			expect(wereAnswered).toEqual(expect.arrayContaining(of('sent')));
			for (const wasAnswered of [true, false]) {
				const unknown = of('unknown').filter((key) => wereAnswered.includes(key) === wasAnswered);
				expect(unknown.length).toBeLessThanOrEqual(5);
			}
			expect(wereAnswered.filter((key) => of('new').includes(key))).toEqual([]);
		}
	});

	it('while it looks leaves nothing that a later look takes for sent, or for claimed', async () => {
		await run(freshProcess(), ['lost'], 'unknown');
		await run(freshProcess(), ['sent']);
		n8n.writes.length = 0;
		await look(freshProcess(), ['lost', 'sent', 'new']);
		await run(freshProcess(), ['lost', 'sent']);
		for (const entries of [...n8n.writes]) {
			n8n.entries = [...entries];
			expect(await look(freshProcess(), ['lost', 'new'])).toEqual(['unknown', 'new']);
			n8n.entries = [...entries];
			const [lost, sent, other] = await run(freshProcess(), ['lost', 'sent', 'new']);
			expect([lost, sent !== 'new', other]).toEqual(['unknown', true, 'new']);
		}
	});
});

it('sends nobody twice, and says sent of nobody without an answer, whatever fails and ends', async () => {
	const step = fc.record({
		keys: fc.uniqueArray(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 6 }),
		fates: fc.array(fc.constantFrom<Memory.Fate>('sent', 'unknown', 'free'), { minLength: 6, maxLength: 6 }),
		faults: fc.array(fc.constantFrom('works', 'works', 'works', 'fails', 'failsAfter') as never, { maxLength: 6 }),
		restart: fc.boolean(),
		isReview: fc.boolean(),
	});
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
			n8n = new N8nList();
			n8n.milliseconds = 0;
			const sent = new Set<string>();
			const perhaps = new Set<string>();
			let process = freshProcess();
			for (const { keys, fates, faults, restart, isReview } of steps) {
				const left = [...(faults as Array<ReturnType<N8nList['fate']>>)];
				n8n.fate = () => left.shift() ?? 'works';
				if (restart) process = freshProcess();
				const messages = open(process, 3);
				const names = keys.map((key) => `k${key}`);
				if (isReview) {
					const found = await messages.look(names).catch(() => new Map());
					for (const [name, { state }] of found) if (state === 'sent') expect(sent).toContain(name);
					await messages.close();
					continue;
				}
				for (const [index, key] of names.entries()) {
					const before = await begin(messages, key).catch(() => undefined);
					if (before?.state === 'sent') expect(sent).toContain(key);
					if (before?.state !== 'new') continue;
					expect(sent).not.toContain(key);
					expect(perhaps).not.toContain(key);
					const fate = fates[index]!;
					if (fate === 'sent') sent.add(key);
					if (fate === 'unknown') perhaps.add(key);
					await messages.settle(key, fate);
				}
				await messages.close();
			}
		}),
		{ numRuns: 500, seed: 30 },
	);
});

import type { IExecuteFunctions } from 'n8n-workflow';

import { openMessages, type Before, type Messages } from '../../nodes/Sms/memory/claims';
import { strict } from '../strict';

/** n8n's list for one node, which other processes can write too, and what a run sees of it. */
function openNode(id: string) {
	const list: string[] = [];
	/** So many changes of the list fail, after so many that work; `isWritten`: although they are made. */
	const faults = { after: 0, left: 0, isWritten: false };
	const mayFail = (isOver: boolean) => {
		if (isOver !== faults.isWritten) return;
		if (faults.after > 0) faults.after--;
		else if (faults.left > 0) {
			faults.left--;
			throw new Error('Connection terminated');
		}
	};
	const context = strict('context', {
		getWorkflow: () => ({ id: 'workflow' }),
		getNode: () => ({ id }),
		logger: strict('logger', { warn: () => {} }),
		helpers: strict('helpers', {
			checkProcessedAndRecord: async (keys: string[]) => {
				mayFail(false);
				const known = new Set(list);
				list.push(...keys.filter((key) => !known.has(key)));
				mayFail(true);
				return { new: keys.filter((key) => !known.has(key)), processed: keys.filter((key) => known.has(key)) };
			},
			removeProcessed: async (keys: string[]) => {
				mayFail(false);
				for (const key of keys) if (list.includes(key)) list.splice(list.indexOf(key), 1);
				mayFail(true);
			},
			getProcessedDataCount: async () => list.length,
		}),
	});
	return {
		list,
		faults,
		run: (places = 2, hours = 0) => openMessages(context as unknown as IExecuteFunctions, places, hours),
	};
}

let last = 0;
const node = () => openNode(`node ${++last}`);

/** A row whose message is sent, or refused, or of unknown outcome. */
async function send(
	messages: Messages,
	key: string,
	fate: 'sent' | 'free' | 'unknown' = 'sent',
): Promise<Before['state']> {
	const { state } = await messages.begin(key);
	if (state !== 'new') return state;
	messages.leaves(key);
	await new Promise(setImmediate);
	messages.settle(key, fate);
	return state;
}

describe('a message', () => {
	it.each([
		['sent', 'sent'],
		['unknown', 'unknown'],
		['free', 'new'],
	] as const)('whose end was "%s" is "%s" to the next run', async (fate, state) => {
		const { run } = node();
		const first = run();
		await send(first, 'a', fate);
		expect(await first.close()).toBeUndefined();
		expect((await run().begin('a')).state).toBe(state);
	});

	it('that was begun, and whose end nobody saw, is unknown: n8n was killed', async () => {
		const { list, run } = node();
		const killed = run();
		await killed.claimAhead(['a', 'b']);
		await killed.begin('a');
		killed.leaves('a');
		// What this process knew is gone with it.
		const after = openNode(`node ${++last}`);
		after.list.push(...list);
		expect((await after.run().begin('a')).state).toBe('unknown');
	});

	it('that was claimed ahead and not begun is given back at the end of the run', async () => {
		const { list, run } = node();
		const messages = run();
		await messages.claimAhead(['a', 'b', 'c']);
		await send(messages, 'a');
		await messages.close();
		expect((await run().begin('b')).state).toBe('new');
		expect(list.filter((entry) => entry.includes(' c'))).toEqual([]);
	});

	it('is given back too where it was being claimed while the run ended', async () => {
		const { run } = node();
		const messages = run();
		const claiming = messages.claimAhead(['a', 'b']);
		await Promise.all([claiming, messages.close()]);
		expect((await run().begin('a')).state).toBe('new');
	});
});

describe.each([
	['sent', 'sent'],
	['unknown', 'unknown'],
] as const)('a message that was "%s" in a run before', (fate, state) => {
	it.each([1, 2, 3])(
		'is it still where %d writes of the list fail, in this run and in the next',
		async (faultsInARow) => {
			const { faults, run } = node();
			const before = run();
			await send(before, 'a', fate);
			await before.close();

			const failing = run();
			faults.left = faultsInARow;
			await failing.claimAhead(['a', 'b']).catch(() => {});
			for (let attempt = 0; attempt < faultsInARow; attempt++) await failing.begin('a').catch(() => {});
			faults.left = 0;
			expect((await failing.begin('a')).state).toBe(state);
			await failing.close();
			const next = run();
			expect([(await next.begin('a')).state, (await next.begin('b')).state]).toEqual([state, 'new']);
		},
	);
});

describe('a message of the period before', () => {
	afterEach(() => jest.restoreAllMocks());
	const HOUR = 3_600_000;

	/** A node that remembers for an hour, and sent one message at this hour since 1970. */
	async function sentAt(hour: number) {
		const now = jest.spyOn(Date, 'now').mockReturnValue(hour * HOUR);
		const { list, faults, run } = node();
		const begin = () => run(2, 1);
		const first = begin();
		await send(first, 'a');
		await first.close();
		return { list, faults, begin, at: (later: number) => now.mockReturnValue(later * HOUR) };
	}

	const cases = [0, 1, 2, 3, 4, 5, 6].flatMap((after) => [false, true].map((isWritten) => [after, isWritten] as const));
	it.each(cases)(
		'is known for what it is, and for no longer, where change %i of the list fails while it is asked for (made all the same: %s)',
		async (after, isWritten) => {
			const { faults, begin, at } = await sentAt(1000);

			at(1001);
			const failing = begin();
			Object.assign(faults, { after, left: 1, isWritten });
			await failing.claimAhead(['a', 'b']).catch(() => {});
			Object.assign(faults, { after: 0, left: 0 });
			expect((await failing.begin('a')).state).toBe('sent');
			await failing.close();
			at(1002);
			// Where the failed change was made all the same, nobody can tell whose the second entry is: the safe side is to skip it.
			expect((await begin().begin('a')).state).toBe(after === 0 && isWritten ? 'unknown' : 'new');
		},
	);

	it('is never taken for new, whatever faults come one after the other in the period in which it was sent', async () => {
		const { faults, begin, at } = await sentAt(4000);
		for (const [after, isWritten] of [
			[0, false],
			[1, true],
		] as const) {
			Object.assign(faults, { after, left: 1, isWritten });
			const failing = begin();
			await expect(failing.begin('a')).rejects.toThrow('could not record');
			await failing.close();
		}
		expect((await begin().begin('a')).state).toBe('sent');
		at(4001);
		expect((await begin().begin('a')).state).toBe('sent');
	});

	it.each([0, 1, 2, 3])(
		'is sent before to a dry run, and to the run after it, where change %i of the list fails',
		async (after) => {
			const { faults, begin, at } = await sentAt(2000);
			at(2001);
			Object.assign(faults, { after, left: 1 });
			const dry = begin();
			await dry.look(['a', 'b']).catch(() => {});
			await dry.close();
			Object.assign(faults, { after: 0, left: 0 });
			const next = begin();
			expect([(await next.begin('a')).state, (await next.begin('b')).state]).toEqual(['sent', 'new']);
		},
	);

	it('is sent before where the clock went back over the border of its period', async () => {
		const { list, begin, at } = await sentAt(3000);
		at(3000 - 1 / HOUR);
		const kept = [...list];
		const back = begin();
		expect((await back.begin('a')).state).toBe('sent');
		await back.close();
		expect([...list].sort()).toEqual(kept.sort());
	});
});

describe('two runs of a node', () => {
	it('with the same list in opposite order, claimed in blocks, send each message once and come to their end', async () => {
		const { run } = node();
		const keys = Array.from({ length: 40 }, (_, index) => `key ${index}`);
		const states = await Promise.all(
			[keys, [...keys].reverse()].map(async (order) => {
				const messages = run(5);
				const found: Array<Before['state']> = [];
				for (let first = 0; first < order.length; first += 5) {
					const block = order.slice(first, first + 5);
					await messages.claimAhead(block);
					found.push(...(await Promise.all(block.map(async (key) => await send(messages, key)))));
				}
				await messages.close();
				return found;
			}),
		);
		expect(states.flat().filter((state) => state === 'new')).toHaveLength(40);
		expect(states.flat().filter((state) => state === 'sent')).toHaveLength(40);
	});

	it('do not wait for what the other has only claimed ahead: whoever comes first sends it', async () => {
		const { run } = node();
		const [one, other] = [run(), run()];
		await one.claimAhead(['a']);
		expect(await send(other, 'a')).toBe('new');
		expect(await send(one, 'a')).toBe('sent');
	});

	it.each([
		['sent', 'sent'],
		['unknown', 'unknown'],
		['free', 'new'],
	] as const)('wait for a request in progress, and know what became of it: %s', async (fate, state) => {
		const { run } = node();
		const [one, other] = [run(), run()];
		await one.begin('a');
		let found: Before['state'] | undefined;
		const waiting = send(other, 'a').then((said) => (found = said));
		await new Promise(setImmediate);
		expect(found).toBeUndefined();
		one.leaves('a');
		one.settle('a', fate);
		await waiting;
		expect(found).toBe(state);
	});

	it('may both be refused, and then nobody was sent it', async () => {
		const { run } = node();
		const [one, other] = [run(), run()];
		expect(await Promise.all([send(one, 'a', 'free'), send(other, 'a', 'free')])).toEqual(['new', 'new']);
		await Promise.all([one.close(), other.close()]);
		expect((await run().begin('a')).state).toBe('new');
	});
});

describe('a look', () => {
	it('knows what was sent and what is unknown, and leaves nothing behind', async () => {
		const { list, run } = node();
		const messages = run();
		await send(messages, 'a');
		await send(messages, 'b', 'unknown');
		await messages.close();
		const before = [...list];
		expect((await run().look(['a', 'b', 'c', 'c'])).map(({ state }) => state)).toEqual([
			'sent',
			'unknown',
			'new',
			'new',
		]);
		expect(list).toEqual(before);
	});

	it('that n8n was killed in, or that another process brought back, makes nothing unknown', async () => {
		const { list, run } = node();
		// What a look records first, before it takes it out again.
		list.push('0h0 a');
		expect((await run().look(['a'])).map(({ state }) => state)).toEqual(['new']);
		list.push('0h0 b');
		expect(await send(run(), 'b')).toBe('new');
	});
});

it('an entry of a mark that another process brought back is no mark: what was taken out since stays out', async () => {
	const { list, run } = node();
	const messages = run();
	await send(messages, 'a', 'unknown');
	await messages.close();
	list.push('0h0 a sent');
	expect((await run().begin('a')).state).toBe('unknown');
});

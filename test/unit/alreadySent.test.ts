import type { IExecuteFunctions } from 'n8n-workflow';

import { openAlreadySent } from '../../nodes/Sms/send/alreadySent';
import { strict } from '../strict';

/** n8n's store of processed keys for one node, and a run with so many rows. */
function openStore(count: number) {
	const stored = new Set<string>();
	const context = strict('context', {
		getInputData: () => new Array<object>(count).fill({}),
		getWorkflow: () => ({ id: 'workflow' }),
		getNode: () => ({ id: 'node' }),
		helpers: strict('helpers', {
			checkProcessedAndRecord: async (keys: string[]) => {
				const fresh = keys.filter((key) => !stored.has(key));
				for (const key of fresh) stored.add(key);
				return { new: fresh, processed: [] };
			},
			removeProcessed: async (keys: string[]) => {
				for (const key of keys) stored.delete(key);
			},
			getProcessedDataCount: async () => stored.size,
		}),
	});
	return { stored, context: context as unknown as IExecuteFunctions };
}

const real = (index: number) => ({ key: `key ${index}`, isDry: false });

it('claims no row that failed before its claim, as when its expressions ran out of time once', async () => {
	const { stored, context } = openStore(3);
	const alreadySent = openAlreadySent(context, 3, 0, real);
	await alreadySent.settle(1, 'free');
	expect(await alreadySent.claim(0)).toBe('new');
	expect(await alreadySent.claim(2)).toBe('new');
	await alreadySent.settle(0, 'sent');
	await alreadySent.settle(2, 'free');
	expect(await alreadySent.close()).toBeUndefined();
	expect([...stored]).toEqual(['key 0']);
});

it('claims a row whichever asks first', async () => {
	const { stored, context } = openStore(4);
	const alreadySent = openAlreadySent(context, 1, 0, real);
	const answers = await Promise.all([3, 1, 0, 2].map(async (index) => await alreadySent.claim(index)));
	expect(answers).toEqual(['new', 'new', 'new', 'new']);
	expect(stored.size).toBe(4);
});

it('in a dry run knows the rows of the run, and stores nothing', async () => {
	const { stored, context } = openStore(2);
	const alreadySent = openAlreadySent(context, 2, 0, () => ({ key: 'key', isDry: true }));
	expect(await alreadySent.claim(0)).toBe('new');
	await alreadySent.settle(0, 'sent');
	expect(await alreadySent.claim(1)).toBe('sent');
	await alreadySent.close();
	expect(stored.size).toBe(0);
});

it('is not kept from sending by a dry row before', async () => {
	const { stored, context } = openStore(2);
	const alreadySent = openAlreadySent(context, 2, 0, (index) => ({ key: 'key', isDry: index === 0 }));
	expect(await alreadySent.claim(0)).toBe('new');
	await alreadySent.settle(0, 'sent');
	expect(await alreadySent.claim(1)).toBe('new');
	await alreadySent.settle(1, 'sent');
	await alreadySent.close();
	expect([...stored]).toEqual(['key']);
});

it('records a message for this period and the next', async () => {
	const { stored, context } = openStore(1);
	const alreadySent = openAlreadySent(context, 1, 10, real);
	const period = Math.floor(Date.now() / 36_000_000);
	expect(await alreadySent.claim(0)).toBe('new');
	expect([...stored]).toEqual([`10h${period} key 0`, `10h${period + 1} key 0`]);
	await alreadySent.settle(0, 'free');
	await alreadySent.close();
	expect(stored.size).toBe(0);
});

describe('what is claimed while other messages are under way', () => {
	/** Rows 0 to 3 of six leave, four at a time. */
	const fourLeave = async () => {
		const { stored, context } = openStore(6);
		const alreadySent = openAlreadySent(context, 4, 0, real);
		for (const index of [0, 1, 2, 3]) expect(await alreadySent.claim(index)).toBe('new');
		expect(stored.size).toBe(4);
		for (const index of [0, 1, 2, 3]) alreadySent.sending(index);
		return { stored, alreadySent };
	};

	it('is the next rows, which then wait for nothing', async () => {
		const { stored, alreadySent } = await fourLeave();
		await new Promise(setImmediate);
		expect([...stored]).toEqual([0, 1, 2, 3, 4, 5].map((index) => `key ${index}`));
		expect(await alreadySent.claim(4)).toBe('new');
	});

	it('is given back for rows that no place came to', async () => {
		const { stored, alreadySent } = await fourLeave();
		for (const index of [0, 1, 2, 3]) await alreadySent.settle(index, 'sent');
		expect(await alreadySent.close()).toBeUndefined();
		expect([...stored]).toEqual([0, 1, 2, 3].map((index) => `key ${index}`));
	});
});

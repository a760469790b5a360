import type { IExecuteFunctions } from 'n8n-workflow';

import { openDuplicates } from '../../nodes/Sms/duplicates';
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
		}),
	});
	return { stored, context: context as unknown as IExecuteFunctions };
}

it('claims no row that failed before its claim, as when its expressions ran out of time once', async () => {
	const { stored, context } = openStore(3);
	const duplicates = openDuplicates(context, 3, true, (index) => `key ${index}`);
	duplicates.release(1);
	expect(await duplicates.isDuplicate(0)).toBe(false);
	expect(await duplicates.isDuplicate(2)).toBe(false);
	duplicates.keep(0);
	duplicates.release(2);
	await duplicates.close();
	expect([...stored]).toEqual(['key 0']);
});

it('claims a row whichever asks first', async () => {
	const { stored, context } = openStore(4);
	const duplicates = openDuplicates(context, 1, true, (index) => `key ${index}`);
	const answers = await Promise.all([3, 1, 0, 2].map(async (index) => await duplicates.isDuplicate(index)));
	expect(answers).toEqual([false, false, false, false]);
	expect(stored.size).toBe(4);
});

it('in a dry run knows the rows of the run alone, and stores nothing', async () => {
	const { stored, context } = openStore(2);
	const duplicates = openDuplicates(context, 2, false, () => 'key');
	expect(await duplicates.isDuplicate(0)).toBe(false);
	duplicates.keep(0);
	expect(await duplicates.isDuplicate(1)).toBe(true);
	await duplicates.close();
	expect(stored.size).toBe(0);
});

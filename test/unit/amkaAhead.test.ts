import { sleep } from 'n8n-workflow';

import { openAhead } from '../../nodes/Amka/ahead';

describe('rows that are read before their turn', () => {
	it('come each once and in their order, however late they are taken', async () => {
		const read: number[] = [];
		const rowAt = openAhead(6, 2, (itemIndex) => {
			read.push(itemIndex);
			return `row ${itemIndex}`;
		});
		const taken: string[] = [];
		for (let itemIndex = 0; itemIndex < 6; itemIndex++) {
			taken.push(rowAt(itemIndex));
			if (itemIndex % 2 === 1) await sleep(40);
		}
		expect(taken).toEqual(['row 0', 'row 1', 'row 2', 'row 3', 'row 4', 'row 5']);
		expect(read).toEqual([0, 1, 2, 3, 4, 5]);
	});

	it('are read once where their turn comes first', async () => {
		const read: number[] = [];
		const rowAt = openAhead(3, 1, (itemIndex) => read.push(itemIndex));
		for (let itemIndex = 0; itemIndex < 3; itemIndex++) rowAt(itemIndex);
		await sleep(40);
		expect(read).toEqual([0, 1, 2]);
	});

	it('fail when their turn comes, not before', async () => {
		const rowAt = openAhead(3, 1, (itemIndex) => {
			if (itemIndex === 1) throw new Error('The second row has no number');
			return itemIndex;
		});
		expect(rowAt(0)).toBe(0);
		await sleep(40);
		expect(() => rowAt(1)).toThrow('The second row has no number');
		expect(rowAt(2)).toBe(2);
	});
});

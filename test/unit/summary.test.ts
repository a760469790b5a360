import { Problem } from '../../nodes/shared/problem';
import { countRows, groupByReason, nameItems } from '../../nodes/shared/summary';

const failed = (...reasons: string[]): Array<[number, Problem]> => reasons.map((reason, index) => [index, new Problem(reason, '')]);

describe('groupByReason', () => {
	it('says each reason once, the one with most rows first, with a few of them', () => {
		expect(groupByReason(failed('A', 'B', 'B', 'A', 'B', 'B', 'B', 'B'))).toBe('B: 6 rows (items 1, 2, 4, 5, 6 …); A: 2 rows (items 0, 3)');
	});

	it('sums up what is left over', () => {
		expect(groupByReason(failed('A', 'A', 'B', 'C', 'D', 'E', 'F', 'G'))).toBe(
			'A: 2 rows (items 0, 1); B: 1 row (item 2); C: 1 row (item 3); D: 1 row (item 4); E: 1 row (item 5); other reasons: 2 rows',
		);
	});

	it('is empty where nothing failed', () => {
		expect(groupByReason([])).toBe('');
	});
});

test('rows and items are counted as people do', () => {
	expect([countRows(0), countRows(1), countRows(2)]).toEqual(['0 rows', '1 row', '2 rows']);
	expect([nameItems([3]), nameItems([3, 5])]).toEqual(['item 3', 'items 3, 5']);
});

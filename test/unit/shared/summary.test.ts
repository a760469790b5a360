import { fault, Problem } from '../../../nodes/shared/problem';
import { countRows, groupByReason, nameRow } from '../../../nodes/shared/summary';

const failed = (...reasons: string[]): Array<[number, Problem]> =>
	reasons.map((reason, index) => [index, new Problem(reason, '')]);

describe('groupByReason', () => {
	it('says each reason once, the one with most rows first, with a few of them', () => {
		expect(groupByReason(failed('A', 'B', 'B', 'A', 'B', 'B', 'B', 'B'))).toBe(
			'B: 6 rows (2nd row, 3rd row, 5th row, 6th row, 7th row …); A: 2 rows (1st row, 4th row)',
		);
	});

	it('sums up what is left over', () => {
		expect(groupByReason(failed('A', 'A', 'B', 'C', 'D', 'E', 'F', 'G'))).toBe(
			'A: 2 rows (1st row, 2nd row); B: 1 row (3rd row); C: 1 row (4th row); D: 1 row (5th row); E: 1 row (6th row); other reasons: 2 rows',
		);
	});

	it('says a reason once, whatever the value or date of each row is', () => {
		const dates = ['1/1/30', '2/1/30'].map((date, index): [number, Problem] => [index, fault('badDate', { date })]);
		expect(groupByReason(dates)).toBe(
			'"1/1/30, 2/1/30" can\'t be read as a date for certain: 2 rows (1st row, 2nd row)',
		);
	});
});

test('rows are counted as people do', () => {
	expect([countRows(0), countRows(1), countRows(2)]).toEqual(['0 rows', '1 row', '2 rows']);
	expect([0, 1, 2, 3, 10, 11, 12, 20, 21, 110, 111].map((itemIndex) => nameRow(itemIndex))).toEqual(
		['1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '21st', '22nd', '111th', '112th'].map(
			(place) => `${place} row`,
		),
	);
});

test('a row is known by the end of its number, never by the whole', () => {
	expect(nameRow(2, new Problem('', '', { recipient: '6912345678' }))).toBe('3rd row (…678)');
	expect(nameRow(2, new Problem('', '', { ssn: '21068302674' }))).toBe('3rd row (…674)');
	expect(nameRow(2, new Problem('', '', { recipient: 'a.user' }))).toBe('3rd row');
});

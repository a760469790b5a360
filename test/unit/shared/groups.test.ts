import { fault, Problem } from '../../../nodes/shared/problem';
import { countRows, groupByReason, nameRow } from '../../../nodes/shared/groups';

/** Rows of a spreadsheet, which come after its line of headings. */
const list = { numbers: [2, 3, 4, 5, 6, 7, 8, 9], areOfSheet: true };
const grouped = (...problems: Problem[]) =>
	groupByReason(
		problems.map((problem, index) => [index, problem]),
		list,
	);
const failed = (...reasons: string[]) => grouped(...reasons.map((reason) => new Problem(reason, '')));

describe('groupByReason', () => {
	it('says each reason once, the one with most rows first, with a few of them', () => {
		expect(failed('A', 'B', 'B', 'A', 'B', 'B', 'B', 'B')).toBe(
			'B: 6 rows (row 3, row 4, row 6, row 7, row 8 …); A: 2 rows (row 2, row 5)',
		);
	});

	it('sums up what is left over', () => {
		expect(failed('A', 'A', 'B', 'C', 'D', 'E', 'F', 'G')).toBe(
			'A: 2 rows (row 2, row 3); B: 1 row (row 4); C: 1 row (row 5); D: 1 row (row 6); E: 1 row (row 7); other reasons: 2 rows',
		);
	});

	it('says a reason once, whatever the value or date of each row is', () => {
		expect(grouped(...['1/1/30', '2/1/30'].map((date) => fault('badDate', { date })))).toBe(
			'"1/1/30, 2/1/30" can\'t be read as a date for certain: 2 rows (row 2, row 3)',
		);
	});
});

test('rows are counted as people do', () => {
	expect([countRows(0), countRows(1), countRows(2)]).toEqual(['0 rows', '1 row', '2 rows']);
});

test('a row is known by its number and the end of its person’s, never by the whole of that', () => {
	expect(nameRow(3, new Problem('', '', { recipient: '6912345678' }))).toBe('row 3 (…678)');
	expect(nameRow(3, new Problem('', '', { ssn: '21068302674' }))).toBe('row 3 (…674)');
	expect(nameRow(3, new Problem('', '', { recipient: 'a.user' }))).toBe('row 3');
});

import { fault, Problem } from '../../../../lib/texts/problem';
import { countRows, groupByReason, groupsOf, nameRow } from '../../../../lib/texts/groups';

/** Rows of a spreadsheet. Their numbers start at 2, after the line of headings. */
const list = { numbers: Array.from({ length: 20 }, (_, index) => index + 2), areOfSheet: true };
const grouped = (...problems: Problem[]) =>
	groupByReason(
		problems.map((problem, index) => [index, problem]),
		list,
	);
const failed = (...reasons: string[]) => grouped(...reasons.map((reason) => new Problem(reason, '')));

describe('groupByReason', () => {
	it('lists each reason once with some of its rows, and the most frequent reason first', () => {
		expect(failed('A', 'B', 'B', 'A', 'B', 'B', 'B', 'B')).toBe(
			'B: 6 rows (row 3, row 4, row 6, row 7, row 8 …). A: 2 rows (row 2, row 5)',
		);
	});

	it('lists twelve reasons, and counts the rows of the remaining reasons together', () => {
		const said = failed(...'AABCDEFGHIJKLMN');
		expect(said).toMatch(
			/^A: 2 rows \(row 2, row 3\)\. B: 1 row \(row 4\)\. .*\. L: 1 row \(row 14\)\. Other reasons: 2 rows$/,
		);
	});

	it('lists a reason once if its rows have different values, and names the values', () => {
		expect(grouped(...['1/1/30', '2/1/30'].map((date) => fault('badDate', { date })))).toBe(
			'"1/1/30, 2/1/30" are not clear dates: 2 rows (row 2, row 3). Write the date as text, as in 31/12/1999',
		);
	});

	it('gives the advice for each reason, but the same advice only once', () => {
		const problems = [new Problem('A', 'Do this'), new Problem('B', 'Do that.'), new Problem('C', 'Do this')];
		expect(grouped(...problems)).toBe('A: 1 row (row 2). Do this. B: 1 row (row 3). Do that. C: 1 row (row 4)');
	});

	it('omits advice that was already given, and advice that the error of the run gives', () => {
		const lost = (remedy?: string) =>
			new Problem('Lost', 'Ask', {}, '', { reason: 'unknown', ...(remedy && { about: { remedy } }) });
		const of = (problem: Problem) => groupByReason([[0, problem]], list, 'Do this');
		expect(of(new Problem('A', 'Do this'))).toBe('A: 1 row (row 2)');
		expect(of(fault('serviceDown'))).toMatch(/: 1 row \(row 2\)$/);
		expect(of(lost())).toBe('Lost: 1 row (row 2)');
		expect(of(lost('Correct the Base URL'))).toBe('Lost: 1 row (row 2). Before the next run: Correct the Base URL');
	});
});

test('the common problem of several rows keeps the advice for the admin', () => {
	const of = (value: string) => fault('unknownMessage', { value }, 'Add it to Messages');
	const [group] = groupsOf([of('a/1'), of('a/2')].map((problem, index) => [index, problem]));
	expect(group!.problem).toMatchObject({ message: expect.any(String) as unknown, description: 'Add it to Messages' });
});

test('the common problem of several rows keeps the advice for the admin, even if visitors get different advice', () => {
	const of = (value: string) =>
		fault('expression', { field: 'mobile', value }, 'Switch it to Expression').withAdvice('askOffice');
	const [group] = groupsOf([of('{{ $json.a }}'), of('{{ $json.b }}')].map((problem, index) => [index, problem]));
	expect(group!.problem.description).toBe('Switch it to Expression');
});

test('countRows uses the singular for one row', () => {
	expect([countRows(0), countRows(1), countRows(2)]).toEqual(['0 rows', '1 row', '2 rows']);
});

test('a row is identified by its row number and the last digits of its mobile or AMKA, never by the whole mobile or AMKA', () => {
	expect(nameRow(3, list, new Problem('', '', { recipient: '6912345678' }))).toBe('row 3 (…678)');
	expect(nameRow(3, list, new Problem('', '', { ssn: '21068302674' }))).toBe('row 3 (…674)');
	expect(nameRow(3, list, new Problem('', '', { recipient: 'a.user' }))).toBe('row 3');
});

describe('items without a row number of a spreadsheet', () => {
	const items = { numbers: Array.from({ length: 20 }, (_, index) => index + 1), areOfSheet: false };

	it('are called items, and are counted as items', () => {
		const reasons = [...'AAB', ...'CDEFGHIJKLMNO'].map((reason) => new Problem(reason, ''));
		const text = groupByReason(
			reasons.map((problem, index) => [index, problem]),
			items,
		);
		expect(text).toMatch(/^A: 2 items \(item 1, item 2\)\. B: 1 item \(item 3\)\. .*\. Other reasons: 3 items$/);
		expect(text).not.toMatch(/row/);
	});
});

import type { ValueWarning } from '../../../../../lib/smsPlatform/warnings/find';
import { warningHints } from '../../../../../lib/smsPlatform/warnings/show';
import { messagesOf, type ItemResult } from '../../../../../nodes/SmsSend/result';
import { numbered, page, review, wouldSend } from '../../../nodes/SmsSend/review/rows';

const suspicious = (kind: ValueWarning['kind'], value: string, field = 'Βαθμός'): ItemResult => ({
	...wouldSend(2),
	warnings: [{ kind, field_el: field, field_en: field, value }],
});

describe('warnings about unusual values', () => {
	it('include numbers that may be dates of Excel, and numbers with many decimals, with their rows and values', () => {
		const date = suspicious('looksLikeDate', '46150');
		const rows = [wouldSend(1), date, date, suspicious('longNumber', '7,3333333333')];
		expect(review(rows).doubts).toEqual([
			{
				...{ kind: 'looksLikeDate', rows: 2, examples: [2, 3], values: ['46150', '46150'] },
				notice: expect.stringMatching(
					/^"Βαθμός" has the number 46150\. Excel stores dates, times and percentages like this\. If/,
				) as unknown,
			},
			{
				...{ kind: 'longNumber', rows: 1, examples: [4], values: ['7,3333333333'] },
				notice: expect.stringMatching(
					/^"Βαθμός" contains 7,3333333333, a number with many decimals\. .* type fewer/,
				) as unknown,
			},
		]);
		expect(page(rows, { areOfSheet: true })).toMatch(/Σημεία προς έλεγχο.*2 γραμμές: 4 \(.*\), 5 \(.*\): 46150, 46150/);
		const list = numbered(4, true);
		expect(warningHints(messagesOf(rows, list.numbers), list)[0]).toMatch(/ 2 rows \(row 4: 46150, row 5: 46150\)$/);
	});

	it('include a reference that several people share, but not a reference that only two rows of the same person share', () => {
		const named = (row: number) => wouldSend(row, { reference: 'Ιανουάριος' });
		expect(review([wouldSend(3), named(1), named(2)]).doubts).toMatchObject([
			{ kind: 'sameReference', rows: 2, examples: [2, 3], values: ['Ιανουάριος', 'Ιανουάριος'] },
		]);
		expect(review([named(1), named(1)]).doubts).toEqual([]);
	});
});

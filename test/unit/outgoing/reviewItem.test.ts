import fc from 'fast-check';

import { reviewItem, type ReviewedRow } from '../../../nodes/Sms/outgoing/reviewItem';

const message = (row: number, more: Partial<Extract<ReviewedRow, { kind: 'wouldSend' }>> = {}): ReviewedRow => ({
	row,
	kind: 'wouldSend',
	recipient: `690000000${row % 10}`,
	text: `Βαθμός ${row}`,
	segments: 1,
	...more,
});
const faulty = (row: number, error: string): ReviewedRow => ({ row, kind: 'faulty', error });

describe('the item of a review', () => {
	it('counts what became of each row, and shows the first messages', () => {
		const rows: ReviewedRow[] = [
			faulty(1, 'Recipient is empty'),
			...[2, 3, 4, 5, 6, 7].map((row) => message(row, row === 7 ? { segments: 3 } : {})),
			{ row: 8, kind: 'alreadySent' },
			{ row: 9, kind: 'alreadySent' },
			{ row: 10, kind: 'unknown' },
			{ row: 11, kind: 'doNotSend' },
			...[12, 13, 14, 15].map((row) => faulty(row, 'Βαθμός is empty in this row')),
		];
		const { html, ...review } = reviewItem(rows);
		expect(review).toEqual({
			messages: 6,
			segments: 8,
			alreadySent: 2,
			unknown: 1,
			doNotSend: 1,
			faulty: 5,
			faults: [
				{ error: 'Βαθμός is empty in this row', rows: 4, examples: [12, 13, 14] },
				{ error: 'Recipient is empty', rows: 1, examples: [1] },
			],
			samples: [2, 3, 4, 5, 6].map((row) => ({
				row,
				recipient: `690000000${row}`,
				text: `Βαθμός ${row}`,
				segments: 1,
			})),
		});
		for (const shown of [
			'<td><b>6</b></td>',
			'<td><b>8</b></td>',
			'<td>12, 13, 14 …</td>',
			'<td>1</td>',
			'6900000002',
			'Βαθμός 6',
			'First'.toLowerCase(),
			'Τα πρώτα μηνύματα',
		])
			expect(html).toContain(shown);
		expect(html).not.toContain('Βαθμός 7');
	});

	it.each<[string, ReviewedRow[], number | undefined, RegExp]>([
		['no text is known', [message(1, { text: undefined, segments: undefined })], undefined, /The text is not known/],
		[
			'some texts are known',
			[message(1), message(2, { text: undefined, segments: undefined })],
			1,
			/SMS in all, at least/,
		],
		['nothing would go out', [faulty(1, 'x')], 0, /SMS in all<\/td><td><b>0</],
	])('has as many segments as can be known where %s', (_, rows, segments, words) => {
		const review = reviewItem(rows);
		expect(review.segments).toBe(segments);
		expect('segments' in review).toBe(segments !== undefined);
		expect(review.html).toMatch(words);
	});

	it('says what quiet hours hold up', () => {
		const review = reviewItem([message(1)], { at: '2026-01-11T08:00:00+02:00', words: '08:00 (Europe/Athens)' });
		expect(review).toMatchObject({ messages: 1, faulty: 0, quietUntil: '2026-01-11T08:00:00+02:00' });
		expect(review.html).toContain('from 08:00 (Europe/Athens)');
		expect(reviewItem([message(1)])).not.toHaveProperty('quietUntil');
	});

	it('is one item for a list without a row too', () => {
		expect(reviewItem([])).toMatchObject({ messages: 0, segments: 0, faulty: 0, faults: [], samples: [] });
	});

	it('groups errors by any words, also those that objects have a field for', () => {
		const errors = ['__proto__', 'constructor', 'toString'];
		expect(reviewItem(errors.map((error, index) => faulty(index + 1, error))).faults.map(({ error }) => error)).toEqual(
			errors,
		);
	});
});

describe('the page of a review', () => {
	it('shows what a value contains, and nothing that it would do', () => {
		const { html } = reviewItem([
			message(1, { recipient: '<img src=x onerror=alert(1)>', text: 'α < β & "γ" \'δ\'\nε {{ $env }}' }),
			faulty(2, '</td><script>alert(2)</script>'),
		]);
		expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
		expect(html).toContain('α &lt; β &amp; &quot;γ&quot; &#39;δ&#39;<br>ε &#123;&#123; $env &#125;&#125;');
		expect(html).toContain('&lt;/td&gt;&lt;script&gt;');
	});

	it("keeps to what n8n's forms show of an HTML element, whatever the list contains", () => {
		const text = fc.oneof(
			fc.string({ unit: 'binary' }),
			fc.stringMatching(/^[<>&"'{}=$/a-z\n ]{0,30}$/),
			fc.constantFrom('{{ $env }}', '<script>', '<b onclick="x">', '&lt;script&gt;'),
		);
		const reviewed: fc.Arbitrary<ReviewedRow> = fc.oneof(
			fc.record({
				row: fc.nat(),
				kind: fc.constant('wouldSend' as const),
				recipient: text,
				text,
				segments: fc.nat({ max: 9 }),
			}),
			fc.record({ row: fc.nat(), kind: fc.constant('faulty' as const), error: text }),
			fc.record({
				row: fc.nat(),
				kind: fc.constantFrom('alreadySent' as const, 'unknown' as const, 'doNotSend' as const),
			}),
		);
		fc.assert(
			fc.property(fc.array(reviewed, { maxLength: 30 }), (rows) => {
				const { html } = reviewItem(rows);
				// Opened and closed in order, none but these, and no attribute but the one.
				const open: string[] = [];
				const rest = html.replace(
					/<(\/?)(table|tr|th|td|h3|p|b|br)( colspan="3")?>/g,
					(_, closes: string, name: string) => {
						if (name === 'br') return '';
						if (closes === '') open.push(name);
						else expect(open.pop()).toBe(name);
						return '';
					},
				);
				expect(open).toEqual([]);
				expect(rest).not.toMatch(/[<>"'{}]|&(?!(?:amp|lt|gt|quot|#39|#123|#125);)/);
			}),
			{ seed: 23 },
		);
	});

	it('stays short, however long the list, its texts and its errors are', () => {
		const rows = Array.from({ length: 10_000 }, (_, index) =>
			index % 2 === 0
				? message(index + 1, { text: `${'&'.repeat(999)}😀`.repeat(40) })
				: faulty(index + 1, `${index} ${'<'.repeat(5000)}`),
		);
		const review = reviewItem(rows);
		expect(review).toMatchObject({ messages: 5000, faulty: 5000 });
		expect(review.faults).toHaveLength(5000);
		expect(review.html).toContain('And 4990 more kinds of errors');
		expect(review.html.length).toBeLessThan(60_000);
		expect(review.html).not.toMatch(/\p{Cs}/u);
	});
});

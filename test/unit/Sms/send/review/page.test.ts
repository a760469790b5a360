import fc from 'fast-check';

import { fault, type Problem } from '../../../../../nodes/shared/problem';
import { reviewOf, reviewPage } from '../../../../../nodes/Sms/send/review/page';
import type { RowResult } from '../../../../../nodes/Sms/send/sendOnce';

const told = (row: number) => ({
	recipient: `690000000${row % 10}`,
	serviceId: 's',
	messageId: 'm',
	reference: `r${row}`,
	text: `Βαθμός ${row}`,
	segments: row === 7 ? 3 : 1,
});
const wouldSend = (row: number, more: object = {}): RowResult => ({
	kind: 'wouldSend',
	told: { ...told(row), ...more },
	doubts: [],
	same: told(row).recipient,
});
const named = (field_en: string, field_el = field_en) => ({ field_el, field_en });
const skipped = (skipReason: 'sentBefore' | 'unknown' | 'doNotSend'): RowResult => ({
	kind: 'skipped',
	told: told(1),
	skipReason,
});
const page = (rows: Array<RowResult | Problem>, firstCells: string[] = []) =>
	reviewPage(reviewOf(rows, 'both', undefined), 'both', { firstCells, quietUntil: undefined });

describe('the item of a review', () => {
	it('counts what became of each row, and shows the first messages', () => {
		const rows = [
			fault('emptyRecipient'),
			...[2, 3, 4, 5, 6, 7].map((row) => wouldSend(row)),
			...(['sentBefore', 'sentBefore', 'unknown', 'doNotSend'] as const).map(skipped),
			...['7', '8', '9', '10'].map((value) => fault('notMobile', { value })),
		];
		const review = reviewOf(rows, 'en', { at: '2026-01-11T08:00:00+02:00', words: '08:00 (Europe/Athens)' });
		expect(review).toMatchObject({
			...{ messages: 6, people: 6, segments: 8, longest: { row: 7, segments: 3 } },
			...{ alreadySent: 2, unknown: 1, doNotSend: 1, faulty: 5, doubts: [] },
			quietUntil: '2026-01-11T08:00:00+02:00',
			faults: [
				{ reason: 'notMobile', rows: 4, examples: [12, 13, 14], notice: expect.stringMatching(/^"7, 8, 9 …" is not/) },
				{ reason: 'emptyRecipient', rows: 1, examples: [1] },
			],
		});
		expect(review.samples.map(({ row }) => row)).toEqual([2, 3, 4, 5, 6]);
		expect(review).not.toHaveProperty('listFault');
		expect(reviewPage(review, 'el', { firstCells: [], quietUntil: '08:00' })).toContain(
			'Είναι ώρες ησυχίας ως τις 08:00: αν επιλέξετε τώρα «Αποστολή», δεν θα σταλεί τίποτα.',
		);
	});

	it.each([
		['of a list that lacks a column', fault('missingColumn', { field: 'Κινητό', columns: 'Όνομα' }), 'missingColumn'],
		['of an empty list', fault('emptyList'), 'emptyList'],
	])('says the one thing that is wrong %s', (_, problem, reason) => {
		const review = reviewOf([problem, problem], 'el', undefined);
		expect(review).toMatchObject({ messages: 0, segments: 0, faulty: 2, listFault: { reason }, faults: [{ rows: 2 }] });
		expect(page([problem, problem])).toContain('Δεν μπορεί να σταλεί τίποτα');
		const others = [fault('landline', { value: '2101234567' }), fault('emptyRecipient')];
		expect(reviewOf([...others, ...others, problem], 'el', undefined)).toMatchObject({ listFault: { reason } });
		expect(reviewOf([wouldSend(1), problem], 'el', undefined)).not.toHaveProperty('listFault');
	});

	it('says what looks like a date, and of which rows', () => {
		const doubtful = { ...wouldSend(2), doubts: [{ ...named('Βαθμός'), value: '46150' }] } as RowResult;
		const { doubts } = reviewOf([wouldSend(1), doubtful, doubtful], 'en', undefined);
		expect(doubts).toEqual([
			{
				...{ kind: 'looksLikeDate', rows: 2, examples: [2, 3], values: ['46150', '46150'] },
				notice: expect.stringMatching(/^"Βαθμός" has the number 46150, which is how Excel keeps dates\. If/) as unknown,
			},
		]);
		expect(page([doubtful])).toMatch(/Δείτε το πριν στείλετε.*46150/);
		const unnamed = { ...doubtful, doubts: [{ ...named('replacement 2', 'τιμή 2'), value: '46150' }] } as RowResult;
		expect(page([unnamed])).toMatch(
			/Στο «τιμή 2» υπάρχει ο αριθμός 46150.*&quot;replacement 2&quot; has the number 46150/,
		);
	});

	it('says that several people have the same reference, but not where one person stands twice', () => {
		const named = (row: number) => wouldSend(row, { reference: 'Ιανουάριος' });
		expect(reviewOf([wouldSend(3), named(1), named(2)], 'en', undefined).doubts).toMatchObject([
			{ kind: 'sameReference', rows: 2, examples: [2, 3], values: ['Ιανουάριος', 'Ιανουάριος'] },
		]);
		expect(reviewOf([named(1), named(1)], 'en', undefined).doubts).toEqual([]);
	});

	it('says of a list that is longer than what is remembered to send it in parts', () => {
		const rows = new Array<RowResult>(30_001).fill(skipped('sentBefore'));
		expect(reviewOf(rows, 'en', undefined).doubts).toMatchObject([{ kind: 'moreThanRemembered', rows: 30_001 }]);
		expect(reviewOf(rows.slice(1), 'en', undefined).doubts).toEqual([]);
	});
});

describe('the page of a review', () => {
	it('names a row by its number and its first cell, and shows what a value contains', () => {
		const html = page(
			[wouldSend(1, { text: 'α < β & "γ"\nε {{ $env }}' }), fault('landline', { value: '2101234567' })],
			['Άννα', '<script>'],
		);
		expect(html).toContain('α &lt; β &amp; &quot;γ&quot;<br>ε &#123;&#123; &#36;env &#125;&#125;');
		expect(html).toContain('2 (&lt;script&gt;)');
		expect(html).toContain('Το 210…567 είναι σταθερό τηλέφωνο');
	});

	it("keeps to what n8n's forms show of an HTML element, whatever the list contains", () => {
		const text = fc.oneof(
			fc.string({ unit: 'binary' }),
			fc.stringMatching(/^[<>&"'{}=$/a-z\n ]{0,30}$/),
			fc.constantFrom('{{ $env }}', '<script>', '<b onclick="x">', '&lt;script&gt;', "$'", '$&'),
		);
		const row: fc.Arbitrary<RowResult | Problem> = fc.oneof(
			text.map((value) => ({
				...wouldSend(1, { recipient: value, text: value }),
				doubts: [{ ...named(value), value }],
			})),
			text.map((value) => fault('notMobile', { value })),
			text.map((field) => fault('missingColumn', { field, columns: field })),
			fc.constant(skipped('unknown')),
		);
		fc.assert(
			fc.property(fc.array(row, { maxLength: 20 }), fc.array(text, { maxLength: 20 }), (rows, firstCells) => {
				const open: string[] = [];
				const rest = page(rows, firstCells).replace(/<(\/?)(table|tr|td|h2|h3|p|b|br|ul|li)>/g, (_, closes, name) => {
					if (name === 'br') return '';
					if (closes === '') open.push(name as string);
					else expect(open.pop()).toBe(name);
					return '';
				});
				expect(open).toEqual([]);
				expect(rest).not.toMatch(/[<>"'{}$]|&(?!(?:amp|lt|gt|quot|#39|#123|#125|#36);)/);
			}),
			{ seed: 23 },
		);
	});

	it('stays short, however long the list and its texts are', () => {
		const rows = Array.from({ length: 10_000 }, (_, index) =>
			index % 2 === 0
				? wouldSend(index, { text: `${'&'.repeat(999)}😀`.repeat(40) })
				: fault('emptyValue', { field: `${index} ${'<'.repeat(5000)}` }),
		);
		const html = page(rows);
		expect(html).toContain('Other kinds of faults: 4990');
		expect(html.length).toBeLessThan(60_000);
		expect(html).not.toMatch(/\p{Cs}/u);
	});
});

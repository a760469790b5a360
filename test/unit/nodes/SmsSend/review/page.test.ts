import fc from 'fast-check';

import { fault, type Problem } from '../../../../../lib/texts/problem';
import type { ItemResult } from '../../../../../nodes/SmsSend/result';
import { page, skipped, wouldSend } from './rows';

const landline = fault('landline', { value: '2101234567' }).withDetails({ recipient: '2101234567' });

const NAME = 'Παπαδοπούλου-Αναγνωστοπούλου Μαρία-Ελένη';

describe('the page of a review', () => {
	it('names a row by its number in the spreadsheet, and by its full recipient or first cell', () => {
		const rows = [wouldSend(1), landline, fault('emptyRecipient')];
		const html = page(rows, { areOfSheet: true, firstCells: ['Άννα', 'Βάσω', NAME] });
		expect(html).toContain('Γραμμή 4 (2101234567)');
		expect(html).toContain(`Γραμμή 5 (${NAME})`);
		expect(html).toContain('<b>Γραμμή 3: 6900000001</b>');
		expect(html).not.toContain('χωρίς τις επικεφαλίδες');
	});

	it('says "entry" instead of "row" if the row numbers of the spreadsheet are unknown', () => {
		const rows = [wouldSend(1), landline, fault('emptyRecipient'), fault('emptyRecipient')];
		const html = page(rows, { firstCells: ['Άννα', 'Βάσω', NAME, 'Δανάη'] });
		expect(html).toContain('<b>Εγγραφή 1, χωρίς τις επικεφαλίδες: 6900000001</b>');
		expect(html).toContain('Εγγραφή 2 (2101234567), χωρίς τις επικεφαλίδες');
		expect(html).toContain(`2 εγγραφές, χωρίς τις επικεφαλίδες: 3 (${NAME}), 4 (Δανάη)`);
		expect(html).not.toMatch(/Γραμμή \d|\d γραμμές/);
		expect(page(rows, { language: 'en' })).toContain('<b>Entry 1, without the headings: 6900000001</b>');
	});

	it('lists up to 100 rows of a fault, each with its first cell', () => {
		const faulty = (count: number) => Array.from({ length: count }, () => fault('emptyRecipient'));
		const firstCells = Array.from({ length: 101 }, (_, index) => `ΑΜ ${index + 1}`);
		const all = firstCells.slice(0, 100).map((cell, index) => `${index + 1} (${cell})`);
		expect(page(faulty(100), { firstCells })).toContain(`100 εγγραφές, χωρίς τις επικεφαλίδες: ${all.join(', ')}</li>`);
		expect(page(faulty(101), { firstCells })).toContain(
			`101 εγγραφές, χωρίς τις επικεφαλίδες: ${all.join(', ')} …</li>`,
		);
	});

	it('escapes HTML and n8n expressions in values, so that they are shown as text', () => {
		const html = page([wouldSend(1, { text: 'α < β & "γ"\nε {{ $env }}' }), fault('emptyRecipient')], {
			firstCells: ['', '<script>'],
		});
		expect(html).toContain('α &lt; β &amp; &quot;γ&quot;<br>ε &#123;&#123; &#36;env &#125;&#125;');
		expect(html).toContain('2 (&lt;script&gt;)');
	});

	it('lists the messages that will not be sent, with reason and advice', () => {
		const html = page([wouldSend(1), landline, skipped('unknown', 5), skipped('twice')]);
		expect(html).toContain('Το 210…567 είναι σταθερό τηλέφωνο. Γράψτε ένα κινητό (69…).');
		expect(html).toContain('διορθώστε τα λάθη αργότερα και ανεβάστε μόνο τις διορθωμένες γραμμές');
		expect(html).toMatch(/σταλεί: Εγγραφή 3 \(6900000005\), χωρίς τις επικεφαλίδες<br>Ρωτήστε τους παραλήπτες\./);
		expect(html).toContain('<td>Υπάρχουν ήδη σε προηγούμενη γραμμή</td><td><b>1</b></td>');
		expect(page([wouldSend(1)])).not.toMatch(/Δεν θα σταλ|διορθωμένες|Ρωτήστε/);
	});

	it('states first that nothing would be sent, and then omits quiet hours, the duration and the number of SMS', () => {
		const html = page([skipped('sentBefore'), skipped('sentBefore')], { quietUntil: '08:00' });
		expect(html).toMatch(/^<h2>Δεν θα σταλεί τίποτα<\/h2><p>Όλα .* ήδη σταλεί \(2\)\. Δεν χρειάζεται/);
		expect(html).not.toMatch(/ησυχίας|λεπτ|SMS συνολικά|διορθωμένες/);
		expect(page([skipped('unknown'), skipped('unknown')]).match(/Ρωτήστε/g)).toHaveLength(1);
		const none = page([fault('missingColumn', { field: 'Κινητό', columns: 'Όνομα' }), landline]);
		expect(none).toMatch(/^<h2>Δεν θα σταλεί τίποτα<\/h2><p>Η λίστα δεν έχει στήλη «Κινητό»\.[^<]*<\/p>$/);
	});

	it('has other headings if nothing would be sent', () => {
		const headings = (html: string) => [...html.matchAll(/<h\d>(.*?)<\/h\d>/g)].map(([, text]) => text);
		expect(headings(page([wouldSend(1), landline]))).toEqual(['Τι θα σταλεί', 'Δεν θα σταλούν', 'Τα μηνύματα']);
		expect(headings(page([landline, skipped('unknown')]))).toEqual(['Δεν θα σταλεί τίποτα', 'Γιατί']);
	});

	it('names the end of quiet hours', () => {
		expect(page([wouldSend(1)], { quietUntil: '08:00' })).toContain(
			'Είναι ώρες ησυχίας έως τις 08:00: αν στείλετε τώρα, δεν θα σταλεί τίποτα.',
		);
	});

	it.each([
		['of which nothing was sent', 'day', false, 'την ίδια λίστα'],
		['of which a part was sent, with Remember For a day', 'day', true, 'μόνο τις γραμμές που δεν έχουν σταλεί'],
		[
			'of which a part was sent, without a record of sent messages',
			undefined,
			true,
			'μόνο τις γραμμές που δεν έχουν σταλεί',
		],
		['of which a part was sent, with Remember For a week', 'week', true, 'την ίδια λίστα'],
	] as const)('advises what to send after quiet hours for a list %s', (_, rememberFor, isBegun, what) => {
		const rows = [wouldSend(1), ...(isBegun ? [skipped('sentBefore', 2)] : [])];
		expect(page(rows, { quietUntil: '08:00', rememberFor })).toContain(`Μετά από αυτή την ώρα στείλτε ${what}.`);
	});

	it('advises to upload only the corrected rows for the case that the other rows are sent first', () => {
		const empty = fault('emptyValue', { field: 'Βαθμός' });
		const [before, after] = page([wouldSend(1), empty]).split('Αν στείλετε τώρα τα υπόλοιπα μηνύματα,');
		expect(before).not.toContain('διορθωμένες');
		expect(after).toContain('μόνο τις διορθωμένες γραμμές');
	});

	it('states that sending continues if the page is closed, but only if something is sent', () => {
		expect(page([wouldSend(1)])).toContain('η αποστολή συνεχίζεται');
		expect(page([skipped('sentBefore', 1)])).not.toContain('η αποστολή συνεχίζεται');
	});

	it("uses only HTML elements that n8n's forms show, for any content of the list", () => {
		const text = fc.oneof(
			fc.string({ unit: 'binary' }),
			fc.stringMatching(/^[<>&"'{}=$/a-z\n ]{0,30}$/),
			fc.constantFrom('{{ $env }}', '<script>', '<b onclick="x">', '&lt;script&gt;', "$'", '$&'),
		);
		const row: fc.Arbitrary<ItemResult | Problem> = fc.oneof(
			text.map((value) => ({
				...wouldSend(1, { recipient: value, text: value }),
				warnings: [{ kind: 'looksLikeDate' as const, field_el: value, field_en: value, value }],
			})),
			text.map((value) => fault('notMobile', { value })),
			text.map((field) => fault('missingColumn', { field, columns: field })),
			fc.constant(skipped('unknown')),
		);
		fc.assert(
			fc.property(fc.array(row, { maxLength: 20 }), fc.array(text, { maxLength: 20 }), (rows, firstCells) => {
				const open: string[] = [];
				const html = page(rows, { language: 'both', firstCells });
				const rest = html.replace(/<(\/?)(table|tr|td|h2|h3|p|b|br|ul|li)>/g, (_, closes, name) => {
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

	it('stays short for a long list and long texts', () => {
		const rows = Array.from({ length: 10_000 }, (_, index) =>
			index % 2 === 0
				? wouldSend(index, { text: `${'&'.repeat(999)}😀`.repeat(40) })
				: index % 3 === 0
					? skipped('unknown')
					: fault('emptyValue', { field: `${index} ${'<'.repeat(5000)}` }),
		);
		const html = page(rows, { language: 'en' });
		expect(html).toContain('Other kinds of errors: 3323');
		expect(html.length).toBeLessThan(60_000);
		expect(html).not.toMatch(/\p{Cs}/u);
	});
});

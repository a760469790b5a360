import fc from 'fast-check';

import { escapeHtml, inLanguage, shown, table } from '../../../nodes/Sms/send/page';

describe('what pages have in common', () => {
	it('escapes what HTML and the forms of n8n take for more than text', () => {
		expect(escapeHtml(`<b>"&' {{ $json }} $& $1`)).toBe(
			'&lt;b&gt;&quot;&amp;&#39; &#123;&#123; &#36;json &#125;&#125; &#36;&amp; &#36;1',
		);
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), (text) => {
				expect(escapeHtml(text)).not.toMatch(/[<>"'{}$]/);
				// What String.replace puts in is what was escaped.
				expect('x'.replace('x', escapeHtml(text))).toBe(escapeHtml(text));
			}),
		);
	});

	it.each([
		['both', 'Όλα &amp; <i>All'],
		['el', 'Όλα &amp; '],
		['en', 'All'],
	] as const)('speaks %s', (language, words) => {
		expect(inLanguage('Όλα & ', 'All', language, '<i>')).toBe(words);
	});

	it('cuts long values between characters, and lets long words break', () => {
		expect(shown('a\nb', 10)).toBe('a<br>b');
		expect(shown('😀😀😀', 2)).toBe('😀😀 …');
		expect(shown('x'.repeat(45), 100)).toBe(`${'x'.repeat(20)}\u200b${'x'.repeat(20)}\u200bxxxxx`);
		fc.assert(
			fc.property(fc.string({ maxLength: 300 }), (text) => {
				const words = shown(text, 200)
					.replace(/&[#\w]+;/g, 'x')
					.split(/[\s\u200b]|<br>/u);
				expect(Math.max(...words.map((word) => [...word].length))).toBeLessThanOrEqual(20);
			}),
		);
	});

	it('has a line of headings where there are any', () => {
		expect(table(['A', 'B'], [['1', '2']])).toBe(
			'<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>',
		);
		expect(table([], [['1']])).toBe('<table><tr><td>1</td></tr></table>');
	});
});

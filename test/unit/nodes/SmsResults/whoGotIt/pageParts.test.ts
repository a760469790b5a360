import fc from 'fast-check';

import { bullets, countTable, escapeHtml, shown } from '../../../../../lib/texts/html';

describe('the common functions for HTML pages', () => {
	it('escape characters that HTML and the forms of n8n interpret', () => {
		expect(escapeHtml(`<b>"&' {{ $json }} $& $1`)).toBe(
			'&lt;b&gt;&quot;&amp;&#39; &#123;&#123; &#36;json &#125;&#125; &#36;&amp; &#36;1',
		);
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), (text) => {
				expect(escapeHtml(text)).not.toMatch(/[<>"'{}$]/);
				// n8n inserts the text with String.replace, which interprets `$`.
				expect('x'.replace('x', escapeHtml(text))).toBe(escapeHtml(text));
			}),
		);
	});

	it('cut long values between characters, and allow line breaks in long words', () => {
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

	it('omit unknown values in a table of counts, and return no empty table or list', () => {
		expect(
			countTable([
				['A', 0],
				['B', undefined],
				['C', 2, ' x'],
			]),
		).toBe('<table><tr><td>A</td><td><b>0</b></td></tr><tr><td>C</td><td><b>2 x</b></td></tr></table>');
		expect([countTable([['B', undefined]]), bullets([]), bullets(['a'])]).toEqual(['', '', '<ul><li>a</li></ul>']);
	});
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import MarkdownIt from 'markdown-it';

/* Each page as GitHub shows it: what looks right in the source may be broken there, and nobody sees it. */

const pages = [
	...['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
	...readdirSync('docs', { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.md'))
		.map((file) => join('docs', file)),
];

const markdown = new MarkdownIt();

/** A row's cells as they were written: a renderer drops what a row has more than its head. */
const cellsOf = (row: string) =>
	row
		.trim()
		.replace(/\\\|/g, '')
		.replace(/^\||\|$/g, '')
		.split('|').length;

describe.each(pages)('%s', (page) => {
	const text = readFileSync(page, 'utf8');
	const lines = text.split('\n');
	const tokens = markdown.parse(text, {});

	it('has tables of whole rows, and none that an empty line cuts', () => {
		for (const { map } of tokens.filter(({ type }) => type === 'table_open')) {
			const rows = lines.slice(...(map as [number, number])).filter((line) => line.trim() !== '');
			expect(rows.map(cellsOf)).toEqual(rows.map(() => cellsOf(rows[0]!)));
		}
		const paragraphs = tokens.filter((_, index) => tokens[index - 1]?.type === 'paragraph_open');
		expect(paragraphs.map(({ content }) => content).filter((content) => /^\||\|$/m.test(content))).toEqual([]);
	});

	it('has headings in order, one of the first level', () => {
		const depths = tokens.filter(({ type }) => type === 'heading_open').map(({ tag }) => Number(tag.slice(1)));
		expect(depths[0]).toBe(1);
		expect(depths.filter((depth) => depth === 1)).toHaveLength(1);
		for (const [index, depth] of depths.entries()) expect(depth - (depths[index - 1] ?? 0)).toBeLessThanOrEqual(1);
	});

	it('shows pictures that are there, each with words for who does not see it', () => {
		const images = tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type === 'image');
		for (const image of images) {
			const source = String(image.attrGet('src'));
			expect([source, existsSync(join(dirname(page), source))]).toEqual([source, true]);
			expect(image.content.length).toBeGreaterThan(10);
		}
	});
});

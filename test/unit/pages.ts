import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/* Reads the documentation for tests. */

export const ROOT = resolve(__dirname, '../..');
export const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
export const manifest = JSON.parse(read('package.json'));

export const pages = [
	...['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
	...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.md'))
		.map((file) => join('docs', file)),
];

/** Removes the comments that name figures from the text of a page. */
export const withoutFigures = (text: string): string => text.replace(/<!-- figure: \w+ -->/g, '');

/** Returns the text of a page on one line, so that a search does not stop at a line break. */
export const flat = (page: string): string => withoutFigures(read(page)).replace(/\s+/g, ' ');

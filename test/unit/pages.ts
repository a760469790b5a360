import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/* The documentation as its tests read it. */

export const ROOT = resolve(__dirname, '../..');
export const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
export const manifest = JSON.parse(read('package.json'));

export const pages = [
	...['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
	...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.md'))
		.map((file) => join('docs', file)),
];

/** The text of a page without the comments that name its figures. */
export const withoutFigures = (text: string): string => text.replace(/<!-- figure: \w+ -->/g, '');

/** The text of a page on one line, so that a line break parts no words. */
export const flat = (page: string): string => withoutFigures(read(page)).replace(/\s+/g, ' ');

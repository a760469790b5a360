import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import MarkdownIt from 'markdown-it';
import { useWindow } from './browser';

/** Prints the pages for secretaries, in English and in Greek, with a browser. Their text has a size of nine points. */
const window = useWindow(794, 1123);
const markdown = new MarkdownIt();
const css = `body { font: 12px/1.35 sans-serif; margin: 0; } h1 { font-size: 20px; margin: 0 0 8px; } h2 { font-size: 15px; margin: 10px 0 4px; }
	p, ul { margin: 4px 0; } ul { padding-left: 20px; } table { border-collapse: collapse; } td, th { border: 1px solid #bbb; padding: 2px 6px; text-align: left; }`;

test.each(['docs/secretary.md', 'docs/el/secretary.md'])('the page %s fits two sheets of A4 paper', async (page) => {
	const body = markdown
		.render(readFileSync(page, 'utf8'))
		.replace(
			/(?<=src=")[^"]+/g,
			(file) => `data:image/png;base64,${readFileSync(join(dirname(page), file), 'base64')}`,
		);
	await window.page.setContent(`<!doctype html><style>${css}</style>${body}`);
	const sheets = await window.page.pdf({
		format: 'A4',
		margin: { top: '15mm', right: '15mm', bottom: '15mm', left: '15mm' },
	});
	expect(sheets.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(2);
});

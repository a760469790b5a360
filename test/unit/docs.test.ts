import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

import type { INodeProperties, INodePropertyCollection, INodeType } from 'n8n-workflow';

const ROOT = resolve(__dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const manifest = JSON.parse(read('package.json'));

const pages = [
	...['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
	...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.md'))
		.map((file) => join('docs', file)),
];

/** The links and pictures of a page to other files of the repository, without what stands in code. */
const linksOf = (text: string): string[] =>
	[...text.replace(/```.*?```/gs, '').matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!).filter((target) => !/^\w+:/.test(target));

/** What GitHub makes of a heading for links to it. */
const anchorsOf = (text: string): string[] =>
	[...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!.toLowerCase().replace(/[^\p{L}\p{N}\s-]/gu, '').replace(/\s/g, '-'));

const repository = 'https://github.com/n8n-nodes-amka-sms/n8n-nodes-amka-sms/blob/main/';

interface Node {
	/** Its file without ending. */
	file: string;
	/** The page of the documentation that its panel links to. */
	page: string;
}
const nodes: Node[] = manifest.n8n.nodes.map((built: string) => {
	const file = built.replace(/^dist\//, '').replace(/\.js$/, '');
	const [{ url }] = JSON.parse(read(`${file}.json`)).resources.primaryDocumentation;
	return { file, page: url };
});

const isCollection = (option: object): option is INodePropertyCollection => 'values' in option;
const isProperty = (option: object): option is INodeProperties => 'type' in option;

/** The names under which the editor shows a node's parameters and options. */
const namesOf = (properties: INodeProperties[]): string[] =>
	properties
		.filter(({ type }) => type !== 'notice')
		.flatMap(({ displayName, options = [] }) => [
			displayName,
			...options.flatMap((option) => (isCollection(option) ? [] : isProperty(option) ? namesOf([option]) : [])),
		])
		// Every node has them, and they only hold the others.
		.filter((name) => name !== 'Options' && name !== 'Operation');

test('README is one page that is read to its end, and the packed file holds no other', () => {
	expect(read('README.md').split('\n').length).toBeLessThanOrEqual(200);
	expect(readdirSync(ROOT).filter((file) => /^readme/i.test(file))).toEqual(['README.md']);
});

test.each(pages)('%s links to what is there', (page) => {
	const broken = linksOf(read(page)).filter((link) => {
		const [path, anchor] = link.split('#') as [string, string | undefined];
		const target = path === '' ? page : join(dirname(page), decodeURIComponent(path));
		if (!existsSync(join(ROOT, target))) return true;
		return anchor !== undefined && !anchorsOf(read(target)).includes(decodeURIComponent(anchor));
	});
	expect(broken).toEqual([]);
});

test('the editor links to pages that are there, without a section, which it can not pass on', () => {
	const codices = nodes.flatMap(({ file }) =>
		Object.values(JSON.parse(read(`${file}.json`)).resources as Record<string, Array<{ url: string }>>).flatMap((links) => links.map(({ url }) => url)),
	);
	const credentials = readdirSync(join(ROOT, 'credentials'))
		.filter((file) => file.endsWith('.ts'))
		.map((file) => /documentationUrl =\s+'([^']+)'/.exec(read(join('credentials', file)))![1]!);
	expect(credentials.length).toBe(manifest.n8n.credentials.length);
	for (const url of [...codices, ...credentials]) {
		expect(url).toMatch(/\/docs\/[\w-]+\.md$/);
		expect(url.startsWith(repository)).toBe(true);
		expect(existsSync(join(ROOT, url.slice(repository.length)))).toBe(true);
	}
});

test.each(nodes)('the page of $file names every parameter and option of the node as the editor does', async ({ file, page }) => {
	const module = (await import(join(ROOT, file))) as Record<string, new () => INodeType>;
	const { description } = new module[basename(file).replace('.node', '')]!();
	const names = namesOf(description.properties);
	expect(names.length).toBeGreaterThan(5);
	const text = read(page.slice(repository.length));
	expect(names.filter((name) => !text.includes(name))).toEqual([]);
});

test('README names every example', () => {
	const files = readdirSync(join(ROOT, 'examples'));
	expect(files.filter((file) => !read('README.md').includes(`\`${file}\``))).toEqual([]);
});

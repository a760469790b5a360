import { existsSync, globSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import MarkdownIt from 'markdown-it';
import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { environmentOf } from '../../scripts/n8n';
import { reasonsPage } from '../../scripts/reasonsPage';
import { MOBILE } from '../../lib/n8n/columns';
import { REASONS } from '../../lib/texts/reasons';
import { flat, pages, read, ROOT } from './pages';
import { credentials, nodes } from './published';

/** Returns the links and pictures of a page, without links to other sites and without code blocks. */
const linksOf = (text: string): string[] =>
	[...text.replace(/```.*?```/gs, '').matchAll(/\]\(([^)\s]+)\)/g)]
		.map(([, target]) => target!)
		.filter((target) => !/^\w+:/.test(target));

/** Returns the anchors that GitHub makes of the headings of a page. */
const anchorsOf = (text: string): string[] =>
	[...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
		heading!
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\s-]/gu, '')
			.replace(/\s/g, '-'),
	);

const repository = 'https://github.com/n8n-nodes-amka-sms/n8n-nodes-amka-sms/blob/main/';

/** Returns the pages that the panel of a node links to. The first page is the page about the node. */
const linksOfNode = (file: string): string[] => {
	const { primaryDocumentation, ...others } = JSON.parse(read(`${file}.json`)).resources as Record<
		string,
		Array<{ url: string }>
	>;
	return [...primaryDocumentation!, ...Object.values(others).flat()].map(({ url }) => url);
};
/** The form of each node and credential: the page that describes it, its file and its properties. */
const forms = [
	...nodes.map((node) => ({ ...node, page: linksOfNode(node.file)[0]!.slice(repository.length) })),
	...credentials.map((type) => ({ ...type, page: 'docs/credentials.md' })),
];

const isCollection = (option: object): option is INodePropertyCollection => 'values' in option;
const isProperty = (option: object): option is INodeProperties => 'type' in option;

/** Returns the names under which the editor shows a node's parameters and options. */
const namesOf = (properties: INodeProperties[]): string[] =>
	properties
		// Message Text only shows the text of the chosen message, so no page describes it as a field.
		.filter(({ type, name }) => type !== 'notice' && name !== 'messageText')
		.flatMap(({ displayName, options = [] }) => [
			displayName,
			...options.flatMap((option) => (isCollection(option) ? [] : isProperty(option) ? namesOf([option]) : [])),
		])
		// The pages describe each option and operation, but not the fields "Options" and "Operation" that contain them.
		.filter((name) => name !== 'Options' && name !== 'Operation');

test('README.md has the commands to start and to install in its first 40 lines, and is the only README file in the root', () => {
	const lines = read('README.md').trimEnd().split('\n');
	for (const command of ['npm start', 'Community nodes → Install'])
		expect(lines.slice(0, 40).join('\n')).toContain(command);
	expect(readdirSync(ROOT).filter((file) => /^readme/i.test(file))).toEqual(['README.md']);
});

test.each(pages)('the page %s links only to pages and sections that exist', (page) => {
	const broken = linksOf(read(page)).filter((link) => {
		const [path, anchor] = link.split('#') as [string, string | undefined];
		const target = path === '' ? page : join(dirname(page), decodeURIComponent(path));
		if (!existsSync(join(ROOT, target))) return true;
		return anchor !== undefined && !anchorsOf(read(target)).includes(decodeURIComponent(anchor));
	});
	expect(broken).toEqual([]);
});

test('the nodes and credentials link to pages that exist, and to no section of a page, because the editor cannot open a section', () => {
	const urls = [
		...nodes.flatMap(({ file }) => linksOfNode(file)),
		...credentials.map((type) => type.documentationUrl!),
	];
	for (const url of urls) {
		expect(url).toMatch(/\/docs\/[\w-]+\.md$/);
		expect(url.startsWith(repository)).toBe(true);
		expect(existsSync(join(ROOT, url.slice(repository.length)))).toBe(true);
	}
});

test.each(forms)(
	'the page $page names every parameter and option of $file as the editor does',
	({ page, properties }) => {
		const names = namesOf(properties);
		expect(names.length).toBeGreaterThan(2);
		const text = read(page);
		expect(names.filter((name) => !text.includes(name))).toEqual([]);
	},
);

/** Returns the properties whose type is number, also those in collections. */
const numbersOf = (properties: INodeProperties[]): INodeProperties[] =>
	properties.flatMap((property) => [
		...(property.type === 'number' ? [property] : []),
		...numbersOf((property.options ?? []).filter((option): option is INodeProperties => isProperty(option))),
	]);

test.each(['docs/sms-send.md', 'docs/sms-code.md'])(
	'the page %s gives, for each number field in its tables, the whole numbers among the default, minimum and maximum of the form',
	(page) => {
		const rows = read(page).split('\n');
		const wrong = numbersOf(forms.find((form) => form.page === page)!.properties).flatMap(
			({ displayName, default: standard, typeOptions: { minValue, maxValue } = {} }) => {
				const row = rows.find((line) => line.startsWith(`| ${displayName} |`));
				// A field without a row is shared by SMS Send and SMS Code, and described on the page of SMS Send. Fractions such as
				// 0.001 are not compared, because a page writes "more than 0".
				if (row === undefined) return [];
				return [standard, minValue, maxValue]
					.filter((bound) => typeof bound === 'number' && bound % 1 === 0 && !row.includes(bound.toLocaleString('en')))
					.map((bound) => `${displayName}: ${String(bound)}`);
			},
		);
		expect(wrong).toEqual([]);
	},
);

test('a page that tells the reader to map columns calls the field "Mapping Column Mode", because n8n shows that name', () => {
	const told = pages.filter((page) => flat(page).includes('Map Each Column Manually'));
	expect(told.length).toBeGreaterThan(3);
	expect(told.filter((page) => !flat(page).includes('Mapping Column Mode'))).toEqual([]);
});

test('a step in a page names an operation of a node by its label in the form', () => {
	const labels = Object.fromEntries(
		nodes.map(({ displayName, properties }) => {
			const operations = properties.find(({ name }) => name === 'operation')?.options as
				| INodePropertyOptions[]
				| undefined;
			return [displayName, (operations ?? []).flatMap(({ name, action }) => [name, action!])];
		}),
	);
	const steps = pages.flatMap((page) =>
		[...flat(page).matchAll(/\*\*(AMKA|SMS \w+) → ([^*]+)\*\*/g)].map(([, node, operation]) => [
			page,
			node!,
			operation!,
		]),
	);
	expect(steps.length).toBeGreaterThan(5);
	expect(steps.filter(([, node, operation]) => !labels[node!]!.includes(operation!))).toEqual([]);
});

type Part = INodeProperties | INodePropertyOptions | INodePropertyCollection;

/** Returns the descriptions, hints and notices of a form, each with the name of its field. */
const textsOf = (parts: Part[]): Array<[name: string, text: string]> =>
	parts.flatMap((part) => {
		const name = 'displayName' in part ? part.displayName : part.name;
		const own = ['description', 'hint'].map((key) => (part as unknown as Record<string, unknown>)[key]);
		const notice = 'type' in part && part.type === 'notice' ? [name] : [];
		const texts = [...own, ...notice].filter((text): text is string => typeof text === 'string');
		const below = [...('options' in part ? (part.options ?? []) : []), ...('values' in part ? part.values : [])];
		return [...texts.map((text): [string, string] => [name, text]), ...textsOf(below)];
	});

test('no two fields of a form explain themselves with the same sentence', () => {
	for (const { file: form, properties } of forms) {
		const texts = textsOf(properties);
		const about: Record<string, string> = {};
		// A field that two operations define differently may repeat its own sentences, because the form shows only one of the
		// two definitions at a time.
		for (const [name, text] of texts)
			for (const sentence of text.split(/(?<=[.;])\s+/).map((part) => part.replace(/[.;]$/, '')))
				expect(`${form}: ${(about[sentence] ??= name)}: ${sentence}`).toBe(`${form}: ${name}: ${sentence}`);
	}
});

/** All source files of this package in one text, with apostrophes as a reader sees them. */
const sources = ['nodes', 'lib', 'credentials']
	.flatMap((folder) =>
		readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
	)
	.filter((file) => file.endsWith('.ts'))
	.map((file) => read(file).replaceAll("\\'", "'"))
	.join('\n');

test.each([
	['docs/problems.md', '## Errors', (cell: string) => [cell]],
	[
		'docs/el/problems.md',
		'## Μηνύματα σφάλματος',
		(cell: string) => [...cell.matchAll(/\*([^*]+)\*/g)].map(([, quote]) => quote!),
	],
])('the page %s explains only errors that exist in the source code', (page, heading, quotesOf) => {
	const table = read(page).split(`${heading}\n`)[1]!;
	const cells = [...table.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell]) => cell!).slice(2);
	expect(cells.length).toBeGreaterThan(3);
	const words = cells
		.flatMap(quotesOf)
		// Text in brackets is an example, and `…` is a placeholder for a value.
		.flatMap((quote) => quote.replace(/\([^)]*\)/g, '').split(/…|;/))
		.map((part) => part.trim())
		.filter((part) => part.length > 5);
	expect(words.filter((part) => !sources.includes(part))).toEqual([]);
});

/** Pages that exist in English and in Greek: one for each kind of reader, and one for each task of an office. */
const tasks = 'secretary admin privacy send-a-list who-got-it questions member-check problems'.split(' ');

test.each(tasks)(
	'the page %s exists in English and in Greek, and the list of pages in each language links to it',
	(task) => {
		for (const guides of [['README.md', 'docs/README.md'], ['docs/el/README.md']])
			expect(guides.flatMap((guide) => linksOf(read(guide)).map((link) => link.replace(/^docs\/|#.*/g, '')))).toContain(
				`${task}.md`,
			);
		for (const page of [`docs/${task}.md`, `docs/el/${task}.md`]) expect(existsSync(join(ROOT, page))).toBe(true);
	},
);

/**
 * Returns the texts for people that are not in docs/: notices, forms, examples with their notes, the HTML pages that nodes
 * make, and the page of the sandbox.
 */
function wordsForPeople(): Array<[where: string, words: string]> {
	const said = Object.entries(REASONS).map(([reason, { what, todo }]): [string, string] => [
		reason,
		`${what.el} ${todo.el} ${what.en} ${todo.en}`,
	]);
	const quoted = [...globSync('lib/texts/*Page.ts', { cwd: ROOT }), 'sandbox/page/words.js'].map(
		(file): [string, string] => [file, (read(file).match(/'[^'\n]*'/g) ?? []).join(' ')],
	);
	const examples = globSync('**/*.json', { cwd: join(ROOT, 'examples') }).map((file): [string, string] => [
		file,
		flat(join('examples', file)),
	]);
	const ofForms = forms.flatMap(({ file, properties }) =>
		textsOf(properties).map(([, text]): [string, string] => [file, text]),
	);
	return [...said, ...quoted, ...examples, ...ofForms];
}

test.each([
	['docs/amka.md', /leave \*Format Date As\* of the form's date field empty .* n8n reads the month as minutes/],
	[
		'docs/el/problems.md',
		/το \*Format Date As\* .*Εξαιτίας αυτής της ρύθμισης το n8n διαβάζει τον μήνα ως λεπτά\. Αφήστε την κενή/,
	],
	['docs/amka.md', /Do not show `reason`, `deceased` or `warning` to visitors/],
	[
		'docs/el/problems.md',
		/στα πεδία `reason`, `deceased` και `warning`: μη δείχνετε αυτά τα πεδία σε όποιον συμπληρώνει/,
	],
])('the page %s warns of a frequent mistake in a form, with a text that matches %s', (page, warning) => {
	expect(flat(page)).toMatch(warning);
});

test('the pages except CONTRIBUTING.md, the forms, notices and examples use no term that the glossary has replaced', () => {
	// CONTRIBUTING.md and the end of docs/el/README.md list the terms that replace these.
	const old =
		/\b(?:under way|at once|callers?|blanks?|gives nothing|lets? (?:it|an item|them) out|leaves? by)\b|[Κκ]λήσε(?:ις|ων)|δυσκολι|διαχειριστή της πλατφόρμας|ενδιάμεσο\S* διακομιστή|περιβάλλον(?:τος)? δοκιμών|κενές λίστες|λίστες \*|τίποτε|όνομα και κωδικό|[Κκ]ωδικ(?:ός|ό|ού) (?:HTTP|σφάλματος|κατάστασης)|(?<![α-ωά-ώΆ-Ώ])ως (?:\d{1,2}(?![…\d])|τις|τους|τώρα|τότε|οκτώ|δέκα)|αρνείται|αμφιβολί|σε μέρη|ένας ξένος/;
	const oldInGuide = /[Κκ]ωδικ\S+ επιβεβαίωσης/;
	const found = [...pages.map((page): [string, string] => [page, flat(page)]), ...wordsForPeople()]
		.filter(([where]) => where !== 'CONTRIBUTING.md')
		.flatMap(([where, words]) => {
			const pattern = where.startsWith('docs/el') ? `${old.source}|${oldInGuide.source}` : old.source;
			return words.match(new RegExp(`.{0,30}(?:${pattern})`, 'g'))?.map((part) => `${where}: ${part}`) ?? [];
		});
	expect(found).toEqual([]);
});

test('the pages advise to upload only the corrected rows, and never the whole sheet without a time limit', () => {
	const corrected = /corrected rows?|διορθωμέν(?:η|ες)/;
	const told = 'secretary send-a-list problems who-got-it el/secretary el/send-a-list el/who-got-it'.split(' ');
	for (const page of told) expect([page, corrected.test(flat(`docs/${page}.md`))]).toEqual([page, true]);
	// A page must not advise to send a whole sheet again at any time, because after the time of Remember For everybody would
	// get the message a second time.
	const whole = /again at any time|ξανά όποτε|(?:whole|same) sheet again(?! within)|πάλι (?:ολόκληρο )?το φύλλο/;
	const found = pages.filter((page) => whole.test(flat(page)));
	expect(found).toEqual([]);
});

test('the listed buttons and choices exist in the examples and on the pages, in both languages', () => {
	const examples = ['desk/send-a-list', 'desk/who-got-it', 'desk/send-again', 'desk/cancel-a-list']
		.map((name) => read(`examples/${name}.json`))
		.join()
		.toLowerCase();
	const pressed: Record<string, string[]> = {
		secretary: [
			'αύριο στις 9:00',
			'Να μη σταλούν',
			'Συνέχεια',
			'Εμφάνιση',
			'Νέα αποστολή σε όσους δεν το έλαβαν',
			'Ακύρωση λίστας',
		],
		'send-a-list': ['Έλεγχος', 'Στάλθηκαν'],
		'who-got-it': ['Λήψη του φύλλου', 'Νέα αποστολή σε όσους δεν το έλαβαν', 'Ακύρωση λίστας'],
	};
	for (const [page, choices] of Object.entries(pressed)) {
		const texts = [`docs/${page}.md`, `docs/el/${page}.md`].map((file) => flat(file).toLowerCase());
		for (const choice of choices.map((each) => each.toLowerCase())) {
			expect([choice, examples.includes(choice)]).toEqual([choice, true]);
			for (const text of texts) expect(text).toContain(choice);
		}
	}
});

test('the steps of docs/build-a-list.md include nodes that ask a person to confirm the list before SMS Send sends it', () => {
	const steps = read('docs/build-a-list.md').split('## A list that somebody checks first')[1]!;
	expect(steps).toMatch(/\*Do not send\*[^]*\*If\* node[^]*\*Merge\*[^]*→ Send message\*\*/);
});

test('CONTRIBUTING.md names each test suite that GitHub runs for a pull request', () => {
	const [, suites] = /suite: \[([^\]]+)\]/.exec(read('.github/workflows/ci.yml'))!;
	for (const suite of suites!.split(', '))
		expect(read('CONTRIBUTING.md')).toContain(`\`${suite.replaceAll("'", '')}\``);
});

test('each command in a page that runs single test files matches at least one existing test file', () => {
	const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' }).map((file) => `test/${file}`);
	const named = ['bench/RESULTS.md', 'bench/QUEUE.md', ...pages].flatMap((page) =>
		[...read(page).matchAll(/npm (?:test|run test:\w+) -- ([\w/.-]+)/g)].map(([, pattern]) => pattern!),
	);
	expect(named.length).toBeGreaterThan(4);
	expect(named.filter((pattern) => !files.some((file) => file.includes(pattern) && file.endsWith('.test.ts')))).toEqual(
		[],
	);
});

test('no page makes a legal promise or promises that the node reports a key that can be guessed', () => {
	const promises = /not promotional|δεν είναι διαφημιστικά|can be guessed, |Αν μπορεί να μαντευτεί, το λέει/;
	expect(pages.filter((page) => promises.test(flat(page)))).toEqual([]);
});

test('each page that states that no number can be read from a hash also states that a number can be guessed', () => {
	// A person who knows the text of a message can find its recipient by trying every mobile number against the hash. A page
	// that states that no number can be read from a hash must also state this.
	for (const page of pages.filter((one) =>
		/number can be read from a hash|δεν διαβάζεται ούτε αριθμός/.test(flat(one)),
	))
		expect([page, flat(page)]).toEqual([
			page,
			expect.stringMatching(/try every mobile|δοκιμάσει όλους τους αριθμούς κινητών/),
		]);
});

/** The Greek page only states that there are further headings. The additional headings *… of the person* are not listed. */
test('docs/send-a-list.md lists each heading of a mobile or a phone that is read as the recipient', () => {
	const headings = flat('docs/send-a-list.md');
	const names = [...MOBILE.names[0]!, ...MOBILE.names[2]!];
	expect(names.filter((name) => !headings.includes(name))).toEqual([]);
});

test('the Greek guide has a glossary that explains the most frequent English terms of the interface', () => {
	const terms = read('docs/el/README.md').split('## Γλωσσάρι')[1]!.toLowerCase();
	const wanted = 'row item message sms segment reference report forward keyword run execution list trial approval';
	for (const term of wanted.split(' ')) expect(terms).toContain(term);
});

/** Without these two settings, slow clients without a key can block an n8n that has a public URL. */
test('the pages for admins require n8n to acquire its expression engine lazily, and a proxy that buffers request bodies', () => {
	const variable = 'N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true';
	for (const page of ['SECURITY.md', 'docs/admin.md', 'docs/el/admin.md'])
		expect([page, read(page)]).toEqual([page, expect.stringContaining(variable)]);
	for (const page of ['docs/admin.md', 'docs/scale.md'])
		expect([page, /```nginx\n(.*?)```/s.exec(read(page))![1]]).toEqual([
			page,
			expect.stringMatching(/proxy_request_buffering on;[^}]*client_body_timeout \d+s;/),
		]);
	expect(environmentOf('/nowhere').N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE).toBe('true');
});

test('docs/README.md names every example file', () => {
	const files = globSync('**/*.{json,xlsx}', { cwd: join(ROOT, 'examples') });
	expect(files.filter((file) => !read('docs/README.md').includes(`\`${file}\``))).toEqual([]);
});

test('docs/reasons.md equals the output of `npm run docs` for the current reasons in the source', () => {
	expect(read('docs/reasons.md')).toBe(reasonsPage(REASONS));
});

/* Tests of each page as GitHub renders it. Markdown may look right in the source and still be rendered wrongly. */

const markdown = new MarkdownIt();

/** Returns the number of cells in the source of a table row, because a renderer drops the cells that a row has in excess. */
const cellsOf = (row: string) =>
	row
		.trim()
		.replace(/\\\|/g, '')
		.replace(/^\||\|$/g, '')
		.split('|').length;

describe.each(pages)('the page %s', (page) => {
	const lines = read(page).split('\n');
	const tokens = markdown.parse(read(page), {});

	it('has the same number of cells in each row of a table, and no empty line within a table', () => {
		for (const { map } of tokens.filter(({ type }) => type === 'table_open')) {
			const rows = lines.slice(...(map as [number, number])).filter((line) => line.trim() !== '');
			expect(rows.map(cellsOf)).toEqual(rows.map(() => cellsOf(rows[0]!)));
		}
		const paragraphs = tokens.filter((_, index) => tokens[index - 1]?.type === 'paragraph_open');
		expect(paragraphs.map(({ content }) => content).filter((content) => /^\||\|$/m.test(content))).toEqual([]);
	});

	it('has no table with an empty heading cell', () => {
		const headings = tokens.filter((_, index) => tokens[index - 1]?.type === 'th_open');
		expect(headings.filter(({ content }) => content.trim() === '')).toEqual([]);
	});

	it('begins with its only first-level heading, and skips no heading level', () => {
		const depths = tokens.filter(({ type }) => type === 'heading_open').map(({ tag }) => Number(tag.slice(1)));
		expect(depths[0]).toBe(1);
		expect(depths.filter((depth) => depth === 1)).toHaveLength(1);
		for (const [index, depth] of depths.entries()) expect(depth - (depths[index - 1] ?? 0)).toBeLessThanOrEqual(1);
	});

	it('shows only pictures that exist, each with an alternative text', () => {
		const images = tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type === 'image');
		for (const image of images) {
			const source = String(image.attrGet('src'));
			expect([source, existsSync(join(ROOT, dirname(page), source))]).toEqual([source, true]);
			expect(image.content.length).toBeGreaterThan(10);
		}
	});
});

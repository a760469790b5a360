import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

import MarkdownIt from 'markdown-it';
import type {
	ICredentialType,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeType,
} from 'n8n-workflow';

import { options as amka } from '../../nodes/Amka/parameters';
import { IN_A_DAY, IN_TEN_MINUTES, TEN_MINUTES } from '../../nodes/Sms/code/limits';
import { codeLength, maxAttempts, maxCodesPerHour, validMinutes } from '../../nodes/Sms/code/parameters';
import { PREVIOUS_KEY_LIFETIME } from '../../nodes/Sms/credential';
import { SHORT } from '../../nodes/Sms/keys';
import { openQuestions } from '../../nodes/Sms/memory/asking';
import { MOST_ENTRIES, type List } from '../../nodes/Sms/memory/list';
import { LONG_BLOCK, MANY_ENTRIES } from '../../nodes/Sms/memory/messages';
import { LONGEST_MESSAGE_TEXT, LONGEST_REFERENCE } from '../../nodes/Sms/outgoing/message';
import { concurrency } from '../../nodes/Sms/outgoing/parameters';
import { DAYS } from '../../nodes/Sms/outgoing/replacements';
import { SHORTEST_COLUMN } from '../../nodes/Sms/reportUrl';
import { countSegments, LONGEST_SMS } from '../../nodes/Sms/segments';
import { REMEMBERED } from '../../nodes/Sms/send/doubts';
import { lateAfterHours } from '../../nodes/Sms/send/followUp';
import { maxWaitMinutes, skipWithinHours } from '../../nodes/Sms/send/parameters';
import { SAMPLES } from '../../nodes/Sms/send/reviewPage';
import { LONGEST_FORWARD_ID, LONGEST_KEY } from '../../nodes/Sms/send/row';
import { LIFETIME, signReportUrl } from '../../nodes/Sms/signedUrl';
import { LONGEST_BODY, OF_ONE_MESSAGE, REMEMBERED as EVENTS } from '../../nodes/Sms/webhookRequest';
import { dlrRequest, smsForwardRequest } from '../../nodes/Sms/wire';
import { REASONS } from '../../nodes/shared/reasons';
import { LONGEST_WAIT } from '../../nodes/shared/retry';

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
	[...text.replace(/```.*?```/gs, '').matchAll(/\]\(([^)\s]+)\)/g)]
		.map(([, target]) => target!)
		.filter((target) => !/^\w+:/.test(target));

/** What GitHub makes of a heading for links to it. */
const anchorsOf = (text: string): string[] =>
	[...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
		heading!
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\s-]/gu, '')
			.replace(/\s/g, '-'),
	);

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
	expect(read('README.md').split('\n').length).toBeLessThanOrEqual(110);
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
		Object.values(JSON.parse(read(`${file}.json`)).resources as Record<string, Array<{ url: string }>>).flatMap(
			(links) => links.map(({ url }) => url),
		),
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

const instanceOf = async <T>(file: string): Promise<T> =>
	new ((await import(join(ROOT, file))) as Record<string, new () => T>)[basename(file).replace(/\.\w+$/, '')]!();

test.each(nodes)(
	'the page of $file names every parameter and option of the node as the editor does',
	async ({ file, page }) => {
		const { description } = await instanceOf<INodeType>(file);
		const names = namesOf(description.properties);
		expect(names.length).toBeGreaterThan(5);
		const text = read(page.slice(repository.length));
		expect(names.filter((name) => !text.includes(name))).toEqual([]);
	},
);

test.each(['AmkaApi', 'SmsPlatformApi'])('the page of the credentials names every field of %s', async (type) => {
	const { properties } = await instanceOf<ICredentialType>(`credentials/${type}.credentials`);
	expect(properties.length).toBeGreaterThan(2);
	const text = read('docs/credentials.md');
	expect(properties.map(({ displayName }) => displayName).filter((name) => !text.includes(name))).toEqual([]);
});

/** The numbers among properties, also those in collections. */
const numbersOf = (properties: INodeProperties[]): INodeProperties[] =>
	properties.flatMap((property) => [
		...(property.type === 'number' ? [property] : []),
		...numbersOf((property.options ?? []).filter((option): option is INodeProperties => isProperty(option))),
	]);

test.each(['sms-send', 'sms-code'])(
	'docs/%s.md says default and bounds of each number as the form has them',
	async (page) => {
		const { file } = nodes.find(({ page: url }) => url.endsWith(`/${page}.md`))!;
		const { description } = await instanceOf<INodeType>(file);
		const rows = read(`docs/${page}.md`).split('\n');
		const wrong = numbersOf(description.properties).flatMap(
			({ displayName, default: standard, typeOptions: { minValue, maxValue } = {} }) => {
				const row = rows.find((line) => line.startsWith(`| ${displayName} |`));
				// What SMS Code shares with SMS Send is described there.
				const wanted =
					row === undefined ? [] : [standard, minValue, maxValue].filter((bound) => typeof bound === 'number');
				// Decimals of a least wait are "more than 0".
				return wanted
					.filter((bound) => bound % 1 === 0 && !row!.includes(bound.toLocaleString('en')))
					.map((bound) => `${displayName}: ${bound}`);
			},
		);
		expect(wrong).toEqual([]);
	},
);

/** The text of a page on one line, so that a line break parts no words. */
const flat = (page: string): string => read(page).replace(/\s+/g, ' ');

test('a step that names a node and its operation uses words of the form', async () => {
	const labels: Record<string, string[]> = {};
	for (const { file } of nodes) {
		const { description } = await instanceOf<INodeType>(file);
		const operations = description.properties.find(({ name }) => name === 'operation')?.options as
			| INodePropertyOptions[]
			| undefined;
		labels[description.displayName] = (operations ?? []).flatMap(({ name, action }) => [name, action!]);
	}
	const steps = pages.flatMap((page) =>
		[...flat(page).matchAll(/\*\*(AMKA|SMS \w+) → ([^*]+)\*\*/g)].map(([, node, operation]) => ({
			page,
			node: node!,
			operation: operation!,
		})),
	);
	expect(steps.length).toBeGreaterThan(5);
	expect(steps.filter(({ node, operation }) => !labels[node]!.includes(operation))).toEqual([]);
});

/** Every form with its properties: those of the nodes, and of the credentials. */
async function allForms(): Promise<Array<[form: string, properties: INodeProperties[]]>> {
	const ofNodes = nodes.map(
		async ({ file }): Promise<[string, INodeProperties[]]> => [
			file,
			(await instanceOf<INodeType>(file)).description.properties,
		],
	);
	const ofCredentials = ['AmkaApi', 'SmsPlatformApi'].map(
		async (type): Promise<[string, INodeProperties[]]> => [
			type,
			(await instanceOf<ICredentialType>(`credentials/${type}.credentials`)).properties,
		],
	);
	return await Promise.all([...ofNodes, ...ofCredentials]);
}

type Part = INodeProperties | INodePropertyOptions | INodePropertyCollection;

/** What a form says beside its fields, each with the name of what it is about: descriptions, hints and notices. */
const textsOf = (parts: Part[]): Array<[name: string, text: string]> =>
	parts.flatMap((part) => {
		const name = 'displayName' in part ? part.displayName : part.name;
		const own = ['description', 'hint'].map((key) => (part as unknown as Record<string, unknown>)[key]);
		const notice = 'type' in part && part.type === 'notice' ? [name] : [];
		const texts = [...own, ...notice].filter((text): text is string => typeof text === 'string');
		const below = [...('options' in part ? (part.options ?? []) : []), ...('values' in part ? part.values : [])];
		return [...texts.map((text): [string, string] => [name, text]), ...textsOf(below)];
	});

test('a form says each thing once, in at most 140 characters', async () => {
	for (const [form, properties] of await allForms()) {
		const texts = textsOf(properties);
		expect([form, texts.filter(([, text]) => text.length > 140)]).toEqual([form, []]);
		const about: Record<string, string> = {};
		// A field that two operations have each in their own way stands in the form once.
		for (const [name, text] of texts)
			for (const sentence of text.split(/(?<=[.;])\s+/).map((part) => part.replace(/[.;]$/, '')))
				expect(`${form}: ${(about[sentence] ??= name)}: ${sentence}`).toBe(`${form}: ${name}: ${sentence}`);
	}
});

/** Everything that this package can say, in one text: its sources, with quotes as a reader sees them. */
const sources = ['nodes', 'credentials']
	.flatMap((folder) =>
		readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
	)
	.filter((file) => file.endsWith('.ts'))
	.map((file) => read(file).replaceAll("\\'", "'"))
	.join('\n');

test.each([
	['docs/troubleshooting.md', '## Errors', (cell: string) => [cell]],
	[
		'docs/el/troubleshooting.md',
		'## Μηνύματα σφάλματος',
		(cell: string) => [...cell.matchAll(/\*([^*]+)\*/g)].map(([, quote]) => quote!),
	],
])('the errors that %s explains are those that the nodes have', (page, heading, quotesOf) => {
	const table = read(page).split(`${heading}\n`)[1]!;
	const cells = [...table.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell]) => cell!).slice(2);
	expect(cells.length).toBeGreaterThan(7);
	const words = cells
		.flatMap(quotesOf)
		// What stands in brackets is an example, and `…` stands for a value.
		.flatMap((quote) => quote.replace(/\([^)]*\)/g, '').split(/…|;/))
		.map((part) => part.trim())
		.filter((part) => part.length > 5);
	expect(words.filter((part) => !sources.includes(part))).toEqual([]);
});

/** The questions that have a page in both languages. */
const tasks = [
	...['send-a-list', 'who-got-it', 'reminders', 'skipped', 'trial', 'privacy', 'member-check'],
	...['troubleshooting'],
];

test.each(tasks)('the question of %s has a page in English and in Greek, and both guides lead to it', (task) => {
	expect(linksOf(read('README.md'))).toContain(`docs/${task}.md`);
	expect(linksOf(read('docs/el/README.md'))).toContain(`${task}.md`);
	for (const page of [`docs/${task}.md`, `docs/el/${task}.md`]) expect(existsSync(join(ROOT, page))).toBe(true);
});

/** What people read beside the pages: notices, forms, examples with their notes, and the pages of the nodes. */
async function wordsForPeople(): Promise<Array<[where: string, words: string]>> {
	const said = Object.entries(REASONS).map(([reason, { el, en }]): [string, string] => [reason, `${el} ${en}`]);
	const quoted = ['nodes/Sms/send/reviewPage.ts', 'nodes/Sms/send/followUpPage.ts', 'sandbox/page/words.js'].map(
		(file): [string, string] => [file, (read(file).match(/'[^'\n]*'/g) ?? []).join(' ')],
	);
	const examples = readdirSync(join(ROOT, 'examples'))
		.filter((file) => file.endsWith('.json'))
		.map((file): [string, string] => [file, flat(join('examples', file))]);
	const forms = (await allForms()).flatMap(([form, properties]) =>
		textsOf(properties).map(([, text]): [string, string] => [form, text]),
	);
	return [...said, ...quoted, ...examples, ...forms];
}

test('one word for one thing', async () => {
	// CONTRIBUTING.md and the end of docs/el/README.md have the words that are used instead, and why.
	const old =
		/\b(?:under way|at once|callers?|blanks?|gives nothing|lets? (?:it|an item|them) out|leaves? by)\b|[Κκ]λήσε(?:ις|ων)|δυσκολι|διαχειριστή της πλατφόρμας|ενδιάμεσο\S* διακομιστή|περιβάλλον(?:τος)? δοκιμών|κενές λίστες|λίστες \*|τίποτε|όνομα και κωδικό|[Κκ]ωδικ(?:ός|ό|ού) (?:HTTP|σφάλματος|κατάστασης)/;
	// In the guide it is what is known of a person; what nodes hand on is an item.
	const oldInGuide = /στοιχείου?(?![α-ωά-ώ])/;
	const found = [...pages.map((page): [string, string] => [page, flat(page)]), ...(await wordsForPeople())]
		.filter(([where]) => where !== 'CONTRIBUTING.md')
		.flatMap(([where, words]) => {
			const pattern = where.startsWith('docs/el') ? `${old.source}|${oldInGuide.source}` : old.source;
			return words.match(new RegExp(`.{0,30}(?:${pattern})`, 'g'))?.map((part) => `${where}: ${part}`) ?? [];
		});
	expect(found).toEqual([]);
});

test('the guide ends with a glossary', () => {
	const terms = read('docs/el/README.md').split('## Λέξεις')[1]!.toLowerCase();
	for (const term of [
		...['row', 'item', 'message', 'sms', 'segment', 'reference', 'report', 'forward', 'keyword', 'run', 'execution'],
		...['list', 'trial', 'approval'],
	])
		expect(terms).toContain(term);
});

test('the docs are short', () => {
	const words = pages.filter((page) => page.startsWith('docs/')).flatMap((page) => read(page).trim().split(/\s+/));
	expect(words.length).toBeLessThanOrEqual(24_000);
});

/* Numbers in the pages, each held against what it is about: a change of either fails. */

const inWords: Record<string, number> = {
	...{ three: 3, four: 4, five: 5, seven: 7, eight: 8, ten: 10, twenty: 20, Eight: 8, Twenty: 20 },
	...{ τρεις: 3, τέσσερα: 4, πέντε: 5, έξι: 6, επτά: 7, οκτώ: 8, δέκα: 10, είκοσι: 20 },
};

/** In digits, as both languages write them, and in words; a version as text. */
const numbersIn = (text: string): Array<number | string> =>
	[...text.matchAll(/\d[\d.,]*\d|\d|\p{L}+/gu)].flatMap(([found]) => {
		if (!/^\d/.test(found)) return inWords[found] ?? [];
		const digits = /^\d{1,3}([.,]\d{3})+$/.test(found) ? found.replace(/[.,]/g, '') : found;
		return /^\d+$/.test(digits) ? Number(digits) : found;
	});

/** The greatest length that fits. */
function greatest(fits: (length: number) => boolean): number {
	let [low, high] = [0, 2 ** 17];
	while (high - low > 1) {
		const middle = (low + high) / 2;
		if (fits(middle)) low = middle;
		else high = middle;
	}
	return low;
}
const inMessage = (field: string) =>
	greatest((length) => smsForwardRequest.safeParse({ MSISDN: 1, keyword: 1, [field]: 'x'.repeat(length) }).success);
const inReport = (field: string) => {
	const report = { serviceId: 1, recipient: 1, status: 1 };
	return greatest((length) => dlrRequest.safeParse({ ...report, [field]: 'x'.repeat(length) }).success);
};
const inOneSms = (letter: string) => greatest((length) => countSegments(letter.repeat(length)) <= 1);
const inEachSms = (letter: string) => greatest((length) => countSegments(letter.repeat(length)) <= 2) / 2;
const reportUrl = (reference: string) => {
	const [url, mid] = [`https://n8n.example.gr/webhook/${randomUUID()}/dlr`, randomUUID()];
	return signReportUrl(url, { serviceId: 'grades', reference, mid }, 'key', 1e9).length;
};

/** What a form has of a number: its default and its bounds. */
const ofForm = ({ default: standard, typeOptions: { minValue, maxValue } = {} }: INodeProperties) =>
	[standard, minValue, maxValue] as [number, number, number];
const [hours] = ofForm(skipWithinHours);
const [attempts] = ofForm(maxAttempts);
const [places] = ofForm(concurrency);
const [timeout, , longest] = ofForm(amka.timeout);
const [days, daysOfOldKey] = [LIFETIME / 86_400, PREVIOUS_KEY_LIFETIME / 86_400];
const { claimOf, markOf } = openQuestions({} as List, 1, () => false);
/** So many entries of n8n's list a message takes. */
const aMessage = [...claimOf('', 0), ...markOf('', 0)].length;

/** The numbers at a place of another file. */
const at = (file: string, place: RegExp): number[] =>
	[...read(file).matchAll(place)].map(([, figure]) => Number(figure));
const sum = (numbers: number[]) => numbers.reduce((one, other) => one + other, 0);
/** The pairs of events that started two executions. */
const pairs = at('bench/QUEUE.md', /^\| (?:(?:message|report) \| \d+|again [^|]*) \| \d+ \| (\d+) \|/gm);
const [members] = at('bench/RESULTS.md', /^\| Compare \| 3,000 \|.*?\| ([\d.]+) \|/gm);
const [pause] = at('bench/RESULTS.md', /^\| ten in parallel \|.*\| (\d+) \| 409 \|$/gm);
const [, zod4] = manifest.devDependencies.zod4.split('@') as string[];
const version = (folder: string, name: string) =>
	String((JSON.parse(read(`${folder}package.json`)) as Record<string, Record<string, string>>).dependencies![name]);

test.each<[page: string, words: string, ...figures: Array<number | string | undefined>]>([
	['amka', 'Concurrency (5; 1 to 50)', ...ofForm(amka.concurrency)],
	['amka', 'Retries (2; 0 to 10), Timeout (30 s; up to 3,600)', ...ofForm(amka.retries), timeout, longest],
	['amka', 'unless the service asks for more than five minutes', LONGEST_WAIT / 60],
	['credentials', 'at least 16 random characters', SHORT],
	['credentials', 'until eight days after', daysOfOldKey],
	['first-day', '`TIMEOUT` after ten minutes', ...at('examples/first-day.json', /"maxWaitMinutes": (\d+)/g)],
	['limits', 'A report is accepted for seven days', days],
	['limits', '160 characters (153 each in several parts)', inOneSms('a'), inEachSms('a')],
	['limits', 'otherwise 70 (67 each)', inOneSms('ά'), inEachSms('ά')],
	['limits', 'about 210 characters', Math.ceil(reportUrl('x'.repeat(22)) / 10) * 10],
	['limits', '*Reference* up to 900', Math.ceil(reportUrl('ά'.repeat(LONGEST_REFERENCE)) / 100) * 100],
	['limits', 'Above 255 the node warns', SHORTEST_COLUMN],
	['limits', 'the body 40,000 characters, keyword 160', inMessage('body'), inMessage('keyword')],
	['limits', 'MSISDN 64, ID 256', inMessage('MSISDN'), inMessage('sms-forward-id')],
	['limits', 'Of a report: status 64', inReport('status')],
	['limits', 'service ID, recipient and error 256', inReport('serviceId')],
	['limits', 'recipient and error 256', inReport('recipient')],
	['limits', 'error 256', inReport('error')],
	['limits', 'a value of SMS Send of more than 40,000', LONGEST_SMS],
	['limits', 'may have 200,000 bytes', LONGEST_BODY],
	['limits', 'start at most eight executions', OF_ONE_MESSAGE],
	['limits', '| 2.41.1 | 3.25.76, or 4.6.7', version('host/', 'n8n'), manifest.devDependencies.zod, zod4],
	['limits', '| 2.20.12 |', version('host/2.20/', 'n8n')],
	['limits', '| 1.123.81 |', version('host/1.123/', 'n8n')],
	['member-check', '3,000 rows took 36 seconds', 3000, Math.round(members!)],
	['privacy', 'the last 10,000 of a node', EVENTS],
	['privacy', 'deletes rows after 30 days', ...at('examples/who-got-it.json', /minus\(\{ days: (\d+)/g)],
	['reminders', 'is not sent again for 10 hours, and certainly goes out again after 20', hours, 2 * hours],
	['scale', '*Concurrency* (10)', places],
	['scale', 'Of 720 pairs that started two executions', sum(pairs)],
	['scale', 'Eight such kills', ...at('test/e2e/crash.test.ts', /CRASH_ROUNDS \?\? (\d+)/g)],
	['send-a-list', 'The page waits three hours', at('examples/spreadsheet-to-sms.json', /"resumeAmount": (\d+)/g)[0]],
	['send-a-list', '168 hours', at('examples/spreadsheet-to-sms.json', /"skipWithinHours": (\d+)/g)[0]],
	['send-a-list', 'whole numbers from 36526 to 54789', DAYS.first, DAYS.last],
	['send-a-list', 'the first five messages', SAMPLES],
	['skipped', 'After 10 to 20 hours (*Skip Within*)', hours, 2 * hours],
	['skipped', 'which is 20 unless you changed it', 2 * places],
	['skipped', 'or 200 in a workflow that remembers more than about 5,000', 2 * LONG_BLOCK, MANY_ENTRIES / aMessage],
	['skipped', 'the last 30,000 messages', REMEMBERED],
	['sms-code', 'at most five SMS with codes in ten minutes', IN_TEN_MINUTES, TEN_MINUTES / 60],
	['sms-code', 'and twenty in a day', IN_A_DAY],
	['sms-code', 'Twenty requests', IN_A_DAY],
	['sms-code', 'guessed with one code, five attempts', attempts],
	['sms-code', '| 1 in 2,000 | 1 in 100 |', 1, 1e4 / attempts, 1, 1e4 / attempts / IN_A_DAY],
	['sms-code', '| 1 in 200,000 | 1 in 10,000 |', 1, 1e6 / attempts, 1, 1e6 / attempts / IN_A_DAY],
	['sms-code', '| 1 in 20,000,000 | 1 in 1,000,000 |', 1, 1e8 / attempts, 1, 1e8 / attempts / IN_A_DAY],
	['sms-code', '125,000 entries', MOST_ENTRIES],
	['sms-code', 'a message of a list four', aMessage],
	['sms-code', 'until eight days after *Key Changed On*', daysOfOldKey],
	['sms-send', 'up to **70 characters**; a longer one takes one SMS for each 67', inOneSms('ά'), inEachSms('ά')],
	['sms-send', 'it is 160, then 153', inOneSms('a'), inEachSms('a')],
	['sms-send', 'is not sent again for 10 to 20 hours', hours, 2 * hours],
	['sms-send', 'at least its last 30,000 messages', REMEMBERED],
	['sms-send', 'unless that asks for more than five minutes', LONGEST_WAIT / 60],
	['sms-send', '| Duplicate Key | empty; up to 500 characters', LONGEST_KEY],
	['sms-send', '| Reference | empty; up to 256 characters', LONGEST_REFERENCE],
	['sms-send', '| Message Text | empty; up to 10,000 characters', LONGEST_MESSAGE_TEXT],
	['sms-send', '| SMS Forward ID | empty; up to 256 characters', LONGEST_FORWARD_ID],
	['sms-send', 'Late After (Hours), Include Unknown | 1; 0 to 1,000', ...ofForm(lateAfterHours)],
	['sms-send', 'which took up to 389 ms', pause],
	['sms-trigger', 'is older than seven days', days],
	['sms-trigger', 'the last 10,000 events', EVENTS],
	['troubleshooting', 'is older than seven days', days],
	['troubleshooting', 'in the last 10 to 20 hours', hours, 2 * hours],
	['who-got-it', '*Late After (Hours)* is 1', ofForm(lateAfterHours)[0]],
	['el/README', 'για 10 ώρες τουλάχιστον', hours],
	['el/codes', '| 6 (4 ως 10) |', ...ofForm(codeLength)],
	['el/codes', '| 10 (1 ως 60) |', ...ofForm(validMinutes)],
	['el/codes', '| 5 (1 ως 10) |', ...ofForm(maxAttempts)],
	['el/codes', '| 5 σε δέκα λεπτά, 20 σε μία ημέρα |', IN_TEN_MINUTES, TEN_MINUTES / 60, IN_A_DAY],
	['el/codes', '| 500 (0: χωρίς όριο) |', ...ofForm(maxCodesPerHour).slice(0, 2)],
	['el/codes', '200.000 με έξι ψηφία, 1 στις 2.000 με τέσσερα', 1e6 / attempts, 6, 1, 1e4 / attempts, 4],
	['el/codes', 'Με είκοσι αιτήματα', IN_A_DAY],
	['el/key', 'τουλάχιστον 16 τυχαίους', SHORT],
	['el/key', 'Για επτά ημέρες', days],
	['el/key', 'ως οκτώ φορές', OF_ONE_MESSAGE],
	['el/key', 'ως οκτώ ημέρες μετά', daysOfOldKey],
	['el/nodes', '**70 χαρακτήρες**· ένα μεγαλύτερο παίρνει ένα SMS για κάθε 67', inOneSms('ά'), inEachSms('ά')],
	['el/nodes', 'χωρούν 160, και μετά 153', inOneSms('a'), inEachSms('a')],
	['el/nodes', 'για 10 ως 20 ώρες', hours, 2 * hours],
	['el/nodes', 'τα τελευταία 30.000 μηνύματά της', REMEMBERED],
	['el/privacy', 'τα τελευταία 10.000 |', EVENTS],
	['el/reminders', 'για 10 ώρες, και στέλνεται οπωσδήποτε μετά από 20', hours, 2 * hours],
	['el/reports', 'μετά από επτά ημέρες', days],
	['el/reports', '(60, το πολύ 10.080)', ofForm(maxWaitMinutes)[0], ofForm(maxWaitMinutes)[2]],
	['el/scale', '*Concurrency* (10)', places],
	['el/send-a-list', '(36526 ως 54789)', DAYS.first, DAYS.last],
	['el/skipped', 'Μετά από 10 ως 20 ώρες', hours, 2 * hours],
	[
		'el/skipped',
		'δηλαδή 20, ή 200 σε ροή που θυμάται πάνω από 5.000',
		2 * places,
		2 * LONG_BLOCK,
		MANY_ENTRIES / aMessage,
	],
	['el/skipped', 'τα τελευταία 30.000 μηνύματα', REMEMBERED],
	['el/troubleshooting', 'τις τελευταίες 10 ως 20 ώρες', hours, 2 * hours],
])('docs/%s.md says "%s"', (page, words, ...wanted) => {
	expect(flat(`docs/${page}.md`)).toContain(words);
	expect(numbersIn(words)).toEqual(wanted);
});

test('README names every example', () => {
	const files = readdirSync(join(ROOT, 'examples'));
	expect(files.filter((file) => !read('README.md').includes(`\`${file}\``))).toEqual([]);
});

/* Each page as GitHub shows it: what looks right in the source may be broken there, and nobody sees it. */

const markdown = new MarkdownIt();

/** A row's cells as they were written: a renderer drops what a row has more than its head. */
const cellsOf = (row: string) =>
	row
		.trim()
		.replace(/\\\|/g, '')
		.replace(/^\||\|$/g, '')
		.split('|').length;

describe.each(pages)('%s', (page) => {
	const lines = read(page).split('\n');
	const tokens = markdown.parse(read(page), {});

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
			expect([source, existsSync(join(ROOT, dirname(page), source))]).toEqual([source, true]);
			expect(image.content.length).toBeGreaterThan(10);
		}
	});
});

import { globSync, readFileSync } from 'node:fs';

import type { INodeParameters, INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { nodes as published } from './published';

/* The first examples contain no program, because people who don't program could not change it, and nothing tests it. */

interface ExampleNode {
	name: string;
	type: string;
	parameters: INodeParameters;
	executeOnce?: boolean;
	onError?: string;
}

const files = globSync('**/*.json', { cwd: 'examples' }).sort();
const read = (file: string) => readFileSync(`examples/${file}`, 'utf8');
const isNote = ({ type }: ExampleNode) => type.endsWith('.stickyNote');
type Connections = Record<string, { main: Array<Array<{ node: string }> | null> }>;
const parse = (file: string) =>
	JSON.parse(read(file)) as { nodes: ExampleNode[]; connections: Connections; pinData?: object };
const nodesOf = (file: string) => parse(file).nodes.filter((node) => !isNote(node));

/** Every expression of a node: n8n evaluates what stands in double braces of a text that begins with `=`. */
function expressionsOf(value: unknown): string[] {
	if (typeof value === 'string') return value.startsWith('=') ? (value.match(/\{\{[^]*?\}\}(?!\})/g) ?? []) : [];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(expressionsOf) : [];
}

/**
 * Returns the expressions of a node that n8n evaluates once for each item. These run once: all expressions of a node with
 * *Execute Once*, of an Execute Workflow node, and of a page that ends a form; and *Do Not Send To* of SMS Send.
 */
function expressionsPerItem({ type, parameters, executeOnce }: ExampleNode): string[] {
	const runsOnce = type.endsWith('.executeWorkflow') || parameters.operation === 'completion';
	if (executeOnce === true || runsOnce) return [];
	const { doNotSendTo: _, ...options } = (parameters.options ?? {}) as INodeParameters;
	return expressionsOf({ ...parameters, options });
}

/** Where an expression may name a notice to show it: alone, or as one of several texts, with nothing done to it. */
const SHOWN_NOTICE = /(?<=(?:\{\{|\?\?|\|\||&&|[?:]|(?<![\w$.])\()\s*)[\w$.?()' ]*\bnotice(?=\s*(?:\}\}|\?\?|\)|:))/g;

/** Whether an expression does more with a notice than show it, such as testing or changing its words. */
const worksOnNotice = (expression: string) => expression.replace(SHOWN_NOTICE, '').includes('notice');

/** Whether a parameter of this name is shown with these values. */
const isShown = ({ displayOptions }: INodeProperties, values: INodeParameters, defaults: INodeParameters) =>
	Object.entries(displayOptions?.show ?? {}).every(([name, wanted]) => {
		// No node of an example is the tool of an AI agent.
		if (name === '@tool') return (wanted as unknown[]).includes(false);
		const key = name.replace(/^\//, '');
		// A multiple choice is shown for any of its values.
		return [values[key] ?? defaults[key]].flat().some((value) => (wanted as unknown[]).includes(value));
	});

/** The first three examples fit on one screen. Some others lead an office from a sheet to its answers, and are larger. */
const MOST_NODES: Record<string, number> = {
	'desk/send-a-list.json': 24,
	'desk/check-and-send.json': 24,
	'desk/who-got-it.json': 22,
	'desk/send-again.json': 19,
	'desk/question.json': 22,
	'desk/usage.json': 24,
	'more/question-to-one.json': 17,
	'enrolment.json': 14,
	'keyword-auto-reply.json': 6,
	'spreadsheet-to-sms.json': 6,
	'desk/subscriptions.json': 18,
	'more/first-day.json': 26,
};

/** Nodes that branch by another node: each gets one item, except *What now?*, which still gets all sent items. */
const DECIDE_ONCE: Record<string, string[]> = {
	'more/question-to-one.json': ['Open, and answered?'],
	'desk/question.json': ['What now?'],
	'desk/usage.json': ['For the page?'],
};

describe.each(files)('%s', (file) => {
	const nodes = nodesOf(file);

	it('can be imported anywhere, and has notes in English and in Greek', () => {
		const all = parse(file);
		// No addresses, credentials or data of its author.
		expect(read(file)).not.toMatch(/"(webhookId|credentials|instanceId|versionId|staticData)"/);
		expect(all.pinData ?? {}).toEqual({});
		const notes = all.nodes.filter(isNote).map(({ parameters }) => parameters.content);
		expect(notes.join('\n')).toMatch(/credential[^]*[α-ω]{5}/);
	});

	it('is small', () => {
		expect(nodes.length).toBeLessThanOrEqual(MOST_NODES[file] ?? 16);
	});

	it.each(nodes.map((node) => [node.name, node] as const))('%s: contains no program', (_, { type, parameters }) => {
		expect(type).not.toMatch(/\.(code|function|functionItem|aiTransform)$/);
		// Texts for people may be long: only what n8n evaluates is counted.
		const expressions = expressionsOf(parameters).map((each) => each.replace(/'[^']*'/g, "''"));
		for (const expression of expressions) expect(expression.length).toBeLessThanOrEqual(120);
		expect(expressions.join('').length).toBeLessThanOrEqual(480);
	});

	// With 2,000 items, an expression that reads 2,000 items for each of them stops n8n for minutes.
	it('reads all items of a node only if an expression runs once', () => {
		const quadratic = nodes.flatMap((node) => expressionsPerItem(node).map((each) => [node.name, each] as const));
		expect(quadratic.filter(([, each]) => /\.all\(\)/.test(each))).toEqual([]);
	});

	// Reading another node costs a millisecond or two: 3,000 items through one such IF stop n8n for 5 s.
	it('decides about each item of a list without reading another node', () => {
		const deciding = nodes.filter(({ type }) => /\.(if|switch|filter)$/.test(type));
		const reading = deciding.filter(({ parameters }) => expressionsOf(parameters).some((each) => each.includes("$('")));
		expect(reading.map(({ name }) => name)).toEqual(DECIDE_ONCE[file] ?? []);
	});

	// A corrected sentence, or another language, must not change what a workflow does.
	it('shows notices to people, and branches by reasons', () => {
		const deciding = nodes.filter(({ type }) => /\.(if|switch|filter)$/.test(type));
		expect(
			deciding.flatMap(({ parameters }) => expressionsOf(parameters)).filter((each) => /notice/.test(each)),
		).toEqual([]);
		expect(nodes.flatMap(({ parameters }) => expressionsOf(parameters)).filter(worksOnNotice)).toEqual([]);
	});

	// The table is created if it is missing, so that an error means that it can't be read.
	it('sends nothing if it can not read who unsubscribed', () => {
		const { connections } = parse(file);
		for (const left of nodes.filter(({ name }) => name === 'Left')) {
			expect(left.onError).toBeUndefined();
			const before = Object.entries(connections).filter(([, { main }]) =>
				main.some((wires) => wires?.some(({ node }) => node === left.name)),
			);
			expect(before.map(([name]) => name)).toEqual(['Subscribers']);
			const table = nodes.find(({ name }) => name === 'Subscribers')!;
			expect(table.parameters).toMatchObject({ operation: 'create', options: { createIfNotExists: true } });
			const own = nodesOf('desk/subscriptions.json').find(({ name }) => name === 'Table')!;
			expect(table.parameters.columns).toEqual(own.parameters.columns);
			expect(table.parameters.tableName).toBe(own.parameters.tableName);
		}
	});

	it('says in the upload form that only the first worksheet is read', () => {
		const uploads = nodes.filter(
			({ type, parameters }) => type.endsWith('.formTrigger') && /"fieldType":"file"/.test(JSON.stringify(parameters)),
		);
		for (const { parameters } of uploads)
			expect(parameters.formDescription).toContain('Διαβάζεται μόνο το πρώτο φύλλο εργασίας');
	});

	// A visitor can fill the hidden fields of a form by the query of its URL.
	it('shows a hidden field of a form only as text', () => {
		const shown = nodes
			.flatMap(({ parameters }) => expressionsOf(parameters))
			.filter((each) => /json\.form\b/.test(each));
		expect(shown.filter((each) => !each.includes(".replace(/[^\\w-]/g,'')"))).toEqual([]);
	});

	// n8n parses the date of a form as yyyy-mm-dd, where mm are minutes, before it formats it. So every date is in January.
	it('gives no date field of a form a format', () => {
		expect(read(file)).not.toMatch(/formatDate/);
	});

	// n8n's own text is in English.
	it('names missing entries of a form in Greek', () => {
		const asking = nodes.filter(({ parameters }) => /"requiredField\\?": ?true/.test(JSON.stringify(parameters)));
		for (const { name, parameters } of asking)
			expect([name, JSON.stringify(parameters.options)]).toEqual([name, expect.stringContaining('Υποχρεωτικό')]);
	});

	// A phone loads a page again when a person returns to it. Then n8n has no items for it, and the time differs.
	it('ends in pages that are the same when they are opened again', () => {
		const ends = nodes.filter(({ parameters }) => parameters.operation === 'completion');
		const ofTheMoment = ends.filter((end) => /\$(?:json|input|prevNode|now)\b/.test(JSON.stringify(end.parameters)));
		expect(ofTheMoment.map(({ name }) => name)).toEqual([]);
	});

	const ours = nodes.filter(({ type }) => type.startsWith('n8n-nodes-amka-sms.'));
	// *Cancel a list* only changes a data table.
	if (ours.length === 0) return;
	it.each(ours.map((node) => [node.name, node] as const))('%s has no parameter that its node lacks', (_, node) => {
		const { properties } = published.find(({ name }) => node.type === `n8n-nodes-amka-sms.${name}`)!;
		const defaults = Object.fromEntries(
			properties.map(({ name, default: standard }) => [name, standard]),
		) as INodeParameters;
		const shown = (of: INodeProperties[]) =>
			of.filter((property) => isShown(property, node.parameters, defaults)).map(({ name }) => name);
		expect(shown(properties)).toEqual(expect.arrayContaining(Object.keys(node.parameters)));
		const options = properties.filter(
			(property) => property.name === 'options' && isShown(property, node.parameters, defaults),
		);
		const known = options.flatMap(({ options: entries = [] }) =>
			shown(entries as Array<INodeProperties & INodePropertyCollection>),
		);
		expect(known).toEqual(expect.arrayContaining(Object.keys(node.parameters.options ?? {})));
	});
});

it('sends what was approved: service and message of a list are chosen once, in its review', () => {
	const ofService = (node: ExampleNode) => JSON.stringify([node.parameters.serviceId, node.parameters.messageId]);
	const sending = nodesOf('desk/check-and-send.json').filter(({ parameters }) => parameters.serviceId !== undefined);
	const [send, checkedRows, review, ...more] = sending;
	expect([send, checkedRows, review].map((node) => node!.name)).toEqual(['Send', 'Checked rows', 'Review']);
	expect(more).toEqual([]);
	expect(ofService(review!)).not.toContain('{{');
	for (const node of [send!, checkedRows!])
		expect(ofService(node)).toMatch(
			/"=\{\{ \$\('Review'\)\.params\.serviceId\.value \}\}".*"=\{\{ \$\('Review'\)\.params\.messageId\.value \}\}"/,
		);
});

/** Returns the example's reading of a text: the two fields of its node *Yes or no*. */
function yesOrNo(body: string): Record<string, boolean> {
	const node = nodesOf('more/question-to-one.json').find(({ name }) => name === 'Yes or no')!;
	const { assignments } = node.parameters.assignments as { assignments: Array<{ name: string; value: string }> };
	return Object.fromEntries(
		assignments.map(({ name, value }) => {
			const [, pattern] = /\/(.*)\/iu\.test\(\$json\.body\./.exec(value)!;
			return [name, new RegExp(pattern!, 'iu').test(body.normalize('NFD').replace(/\p{M}/gu, ''))];
		}),
	);
}

it.each<[string, boolean, boolean]>([
	...['«ΝΑΙ»', ',ναι', 'Ναί', 'ναὶ', 'νάι!', 'ναί'.normalize('NFD'), 'nai', '4719ΝΑΙ'].map(
		(word): [string, boolean, boolean] => [word, true, false],
	),
	...['όχι', 'ΌΧΙ.', 'OXI'].map((word): [string, boolean, boolean] => [word, false, true]),
	...['Δεν ξέρω αν ναι ή όχι', 'ΝΑΙ/ΟΧΙ', 'ναι\n> ΑΠ 4719 ΝΑΙ ή ΑΠ 4719 ΟΧΙ'].map(
		(text): [string, boolean, boolean] => [text, true, true],
	),
	['ναός', false, false],
	['ίσως', false, false],
])('a question to one person reads %j as yes: %s, as no: %s', (body, yes, no) => {
	expect(yesOrNo(body)).toEqual({ yes, no });
});

it('a question to one person confirms the answer that it records', () => {
	const nodes = nodesOf('more/question-to-one.json');
	const ofNode = (name: string) => JSON.stringify(nodes.find((node) => node.name === name)!.parameters);
	const [said] = /\{\{ \$\('Yes or no'\)[^}]*\}\}/.exec(ofNode('Go on'))!;
	expect(ofNode('Reply: taken')).toContain(said);
	expect(ofNode('Keep the answer')).toContain('$json.body?.answer ??');
});

it('a question to a list confirms the answer that is counted, in the same words', () => {
	const nodes = [...nodesOf('desk/question.json'), ...nodesOf('desk/question-replies.json')];
	const textsOf = ({ parameters }: ExampleNode) => (parameters.options as { answers?: string } | undefined)?.answers;
	expect([...new Set(nodes.flatMap((node) => textsOf(node) ?? []))]).toEqual(['ΝΑΙ, ΟΧΙ']);
	expect(nodes.filter(textsOf).map(({ name }) => name)).toContain('Recorded');
	expect(JSON.stringify(nodes.find(({ name }) => name === 'Reply')!.parameters)).not.toContain('json.body');
});

it.each([
	['{{ $json.notice }}', false],
	['{{ $json.notice ?? $json.details?.notice }}', false],
	["{{ $('Validate').first(1)?.json.notice ?? '' }}", false],
	["{{ $prevNode.name === 'x' ? 'Time is over.' : ($json.notice ?? $json.details?.notice) }}", false],
	["{{ $json.details.notice.replace('admin', 'secretariat') }}", true],
	["{{ $('Begin').all().some(({ json }) => /down/.test(json.notice)) }}", true],
	["{{ $('Begin').all().some(({ json: { notice } }) => notice === 'down') }}", true],
	["{{ $json.notice === 'down' }}", true],
	["{{ 'down' === $json.notice }}", true],
	["{{ $json.notice ? 'a' : 'b' }}", true],
])('an expression reads a notice, %s: %s', (expression, expected) => {
	expect(worksOnNotice(expression)).toBe(expected);
});

describe('a message to the subscriptions', () => {
	const node = (name: string) => nodesOf('desk/subscriptions.json').find((each) => each.name === name)!;
	const evaluate = (expression: string, $json: object): unknown => {
		const [, code] = /^=\{\{([^]*)\}\}$/.exec(expression)!;
		return (new Function('$json', `return (${code})`) as (json: object) => unknown)($json);
	};
	/** Returns the workflow's reading of a forward: the first output of the Switch that fits it. */
	const readAs = (keyword: string, body: string): string | undefined => {
		const { assignments } = node('In capitals').parameters.assignments as { assignments: Array<{ value: string }> };
		const capitals = evaluate(assignments[0]!.value, { keyword, body });
		const { values } = node('What for?').parameters.rules as {
			values: Array<{ outputKey: string; conditions: { conditions: Array<{ leftValue: string }> } }>;
		};
		return values.find(({ conditions }) => evaluate(conditions.conditions[0]!.leftValue, { capitals }) === true)
			?.outputKey;
	};

	it.each([
		['ΣΤΟΠ', ''],
		['ΣΤΟΠ', 'ΣΤΟΠ'],
		['ΣΤΟΠ', 'ΝΕΑ ΣΤΟΠ'],
		['SΤΟΡ', ''],
		['STOP', 'Stop. Thank you'],
		['στόπ', 'παρακαλώ'],
		['ΝΕΑ', 'ΣΤΟΠ'],
		['ΝΕΑ', ' «στοπ»! '],
		['ΝΕΑ', 'ΝΕΑ ΣΤΟΠ'],
		['ΝΕΑ', 'νέα, στόπ'],
		['ΝΕΑ', 'UNI ΝΕΑ ΣΤΟΠ'],
		['nea', 'stop'],
		['NEA', 'ΣTOΠ'],
		['ΝΕΑ', 'ΣΤΟΡ'],
		['ΝΕΑ', 'СТОП'],
		['ΝΕΑ', 'ST0P'],
		['ΝΕΑ', 'S\u200bTOP'],
		['ΝΕΑ', 'στόπ'.normalize('NFD')],
		['UNI', 'ΝΕΑ ΣΤΟΠ'],
		['UNI', 'ΣΤΟΠ'],
		['UNI', 'UNI ΝΕΑ ΣΤΟΠ'],
		['uni', 'uni nea stop'],
		['UΝΙ', 'ΝΕΑ ΣΤΟΠ'],
		['UNI ΝΕΑ', 'ΣΤΟΠ'],
	])('with keyword %j and body %j takes the sender off the list', (keyword, body) => {
		expect(readAs(keyword, body)).toBe('ΣΤΟΠ');
	});

	it.each([
		['ΝΕΑ', ''],
		['ΝΕΑ', 'ΝΕΑ'],
		['νέα', 'παρακαλώ'],
		['NEA', 'δεν ξέρω πού είναι η στοπ'],
		['ΝΕΑ', 'ΣΤΟΠΑΡΩ'],
		['UNI', 'ΝΕΑ'],
		['UNI', 'uni νέα'],
	])('with keyword %j and body %j puts the sender on the list', (keyword, body) => {
		expect(readAs(keyword, body)).toBe('ΝΕΑ');
	});

	it.each([
		['UNI', ''],
		['UNI', 'ΒΑ'],
	])('with keyword %j and body %j changes nothing', (keyword, body) => {
		expect(readAs(keyword, body)).toBeUndefined();
	});

	it('reaches the workflow with each of its keywords, the prefix included', () => {
		expect(node('SMS Trigger').parameters).toMatchObject({ keywords: 'ΝΕΑ, ΣΤΟΠ, STOP, UNI' });
	});
});

describe('ΣΤΟΠ also ends messages with grades and questions', () => {
	const flat = (text: string) => text.replace(/\s+/g, ' ');
	const nodeOf = (file: string, name: string) => nodesOf(file).find((each) => each.name === name)!;

	it('and the reply, the news and the reply to ΝΕΑ state it', () => {
		const textOf = (name: string) =>
			(nodeOf('desk/subscriptions.json', name).parameters.messageId as { cachedResultName: string }).cachedResultName;
		expect(textOf('Reply unsubscribed')).toMatch(/νέα, βαθμούς και ερωτήσεις/);
		expect(textOf('Reply subscribed')).toMatch(/όλων των SMS/);
		expect(textOf('Review')).toMatch(/όλων των SMS/);
	});

	it('and the page before sending a list states it', () => {
		const { options } = nodeOf('desk/send-a-list.json', 'Send or not').parameters;
		expect((options as INodeParameters).formDescription).toMatch(/Όποιος έστειλε ΣΤΟΠ δεν λαμβάνει κανένα SMS/);
	});

	it.each([
		'desk/subscriptions.json',
		'desk/send-a-list.json',
		'desk/check-and-send.json',
		'desk/send-again.json',
		'desk/question.json',
	])('and the note of %s states it', (file) => {
		const [note] = parse(file).nodes.filter(isNote);
		expect(note!.parameters.content).toMatch(/news, grades and questions[^]*νέα, βαθμ[^ ]+ και ερωτήσεις/);
	});

	it('and the sheet of the secretary states it', () => {
		expect(flat(readFileSync('docs/secretary.md', 'utf8'))).toMatch(/ΣΤΟΠ.{0,40}news, grades and questions/);
		expect(flat(readFileSync('docs/el/secretary.md', 'utf8'))).toMatch(
			/ΣΤΟΠ.{0,40}ούτε νέα ούτε βαθμούς ούτε ερωτήσεις/,
		);
	});
});

it('the report of the first day has each open question of the page about limits', () => {
	const [, table] = /## What is not known about the services\n([^]*?)\n## /.exec(
		readFileSync('docs/limits.md', 'utf8'),
	)!;
	const questions = [...table!.matchAll(/^\| ([^|]+\?) \|/gm)].flatMap(([, cell]) => cell!.match(/[^?]+\?/g)!);
	const report = ['SMS answers', 'All answers']
		.map((name) => nodesOf('more/first-day.json').find((node) => node.name === name)!)
		.map(({ parameters }) => JSON.stringify(parameters))
		.join('\n');
	expect(questions.length).toBeGreaterThan(10);
	expect(questions.map((question) => question.trim()).filter((question) => !report.includes(question))).toEqual([]);
});

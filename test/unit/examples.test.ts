import { readdirSync, readFileSync } from 'node:fs';

import type { INodeParameters, INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { nodes as published } from './published';

/* What is imported first holds no program: nobody who doesn't program could change it, and nothing there is tested. */

interface ExampleNode {
	name: string;
	type: string;
	parameters: INodeParameters;
}

const files = readdirSync('examples').filter((file) => file.endsWith('.json'));
const read = (file: string) => readFileSync(`examples/${file}`, 'utf8');
const isNote = ({ type }: ExampleNode) => type.endsWith('.stickyNote');
const parse = (file: string) => JSON.parse(read(file)) as { nodes: ExampleNode[]; pinData?: object };
const nodesOf = (file: string) => parse(file).nodes.filter((node) => !isNote(node));

/** Every expression of a node: n8n evaluates what stands in double braces of a text that begins with `=`. */
function expressionsOf(value: unknown): string[] {
	if (typeof value === 'string') return value.startsWith('=') ? (value.match(/\{\{[^]*?\}\}(?!\})/g) ?? []) : [];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(expressionsOf) : [];
}

/** Whether a parameter of this name is shown with these values. */
const isShown = ({ displayOptions }: INodeProperties, values: INodeParameters, defaults: INodeParameters) =>
	Object.entries(displayOptions?.show ?? {}).every(([name, wanted]) => {
		const key = name.replace(/^\//, '');
		// A multiple choice is shown for any of its values.
		return [values[key] ?? defaults[key]].flat().some((value) => (wanted as unknown[]).includes(value));
	});

/** Of examples that walk an office from a sheet to its answers. */
const MOST_NODES: Record<string, number> = {
	'spreadsheet-to-sms.json': 24,
	'who-got-it.json': 24,
	'question.json': 26,
	'question-to-one.json': 17,
};

describe.each(files)('%s', (file) => {
	const nodes = nodesOf(file);

	it('can be imported anywhere, and explains itself in English and in Greek', () => {
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

	it.each(nodes.map((node) => [node.name, node] as const))('%s: no program', (_, { type, parameters }) => {
		expect(type).not.toMatch(/\.(code|function|functionItem|aiTransform)$/);
		const expressions = expressionsOf(parameters);
		for (const expression of expressions) expect(expression.length).toBeLessThanOrEqual(120);
		expect(expressions.join('').length).toBeLessThanOrEqual(400);
	});

	// Whoever opens a form may fill its hidden fields by the query of its address.
	it('shows no hidden field of a form but as a word', () => {
		const shown = nodes
			.flatMap(({ parameters }) => expressionsOf(parameters))
			.filter((each) => /json\.form\b/.test(each));
		expect(shown.filter((each) => !each.includes(".replace(/[^\\w-]/g,'')"))).toEqual([]);
	});

	// n8n parses the date of a form as yyyy-mm-dd, where mm are minutes, before it formats it: every date is in January then.
	it('gives no date field of a form a format', () => {
		expect(read(file)).not.toMatch(/formatDate/);
	});

	// n8n says it in English.
	it('says in Greek what is missing in a form', () => {
		const asking = nodes.filter(({ parameters }) => /"requiredField\\?": ?true/.test(JSON.stringify(parameters)));
		for (const { name, parameters } of asking)
			expect([name, JSON.stringify(parameters.options)]).toEqual([name, expect.stringContaining('Υποχρεωτικό')]);
	});

	// A phone loads a page again when somebody comes back to it: then n8n knows no item of it, and another time.
	it('ends in pages that say the same when they are opened again', () => {
		const ends = nodes.filter(({ parameters }) => parameters.operation === 'completion');
		const ofTheMoment = ends.filter((end) => /\$(?:json|input|prevNode|now)\b/.test(JSON.stringify(end.parameters)));
		expect(ofTheMoment.map(({ name }) => name)).toEqual([]);
	});

	const ours = nodes.filter(({ type }) => type.startsWith('n8n-nodes-amka-sms.'));
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

it('what is approved is what is sent: service and message of a list are chosen once, in its review', () => {
	const ofService = (node: ExampleNode) => JSON.stringify([node.parameters.serviceId, node.parameters.messageId]);
	const sending = nodesOf('spreadsheet-to-sms.json').filter(({ parameters }) => parameters.serviceId !== undefined);
	const [review, send, ...more] = sending;
	expect([review!.name, send!.name, more]).toEqual(['Review', 'Send', []]);
	expect(ofService(review!)).not.toContain('{{');
	expect(ofService(send!)).toMatch(
		/"=\{\{ \$\('Review'\)\.params\.serviceId\.value \}\}".*"=\{\{ \$\('Review'\)\.params\.messageId\.value \}\}"/,
	);
});

/** What the example makes of a text: the two fields of its node *Yes or no*. */
function yesOrNo(body: string): Record<string, boolean> {
	const node = nodesOf('question-to-one.json').find(({ name }) => name === 'Yes or no')!;
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
])('a question to one person takes %j for yes: %s, for no: %s', (body, yes, no) => {
	expect(yesOrNo(body)).toEqual({ yes, no });
});

it('a question to one person confirms the answer that it records', () => {
	const nodes = nodesOf('question-to-one.json');
	const ofNode = (name: string) => JSON.stringify(nodes.find((node) => node.name === name)!.parameters);
	const [said] = /\{\{ \$\('Yes or no'\)[^}]*\}\}/.exec(ofNode('Go on'))!;
	expect(ofNode('Reply: taken')).toContain(said);
	expect(ofNode('Keep the answer')).toContain('$json.body?.answer ??');
});

it('a question to a list confirms the answer that is counted, by the same words', () => {
	const nodes = nodesOf('question.json');
	const wordsOf = ({ parameters }: ExampleNode) => (parameters.options as { answers?: string } | undefined)?.answers;
	expect([...new Set(nodes.flatMap((node) => wordsOf(node) ?? []))]).toEqual(['ΝΑΙ, ΟΧΙ']);
	expect(nodes.filter(wordsOf).map(({ name }) => name)).toContain('Recorded');
	expect(JSON.stringify(nodes.find(({ name }) => name === 'Reply')!.parameters)).not.toContain('json.body');
});

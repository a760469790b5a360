import { globSync, readFileSync } from 'node:fs';

import type { INodeParameters, INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { nodes as published } from './published';

/* Examples contain no program code, because users who do not program could not change it, and no test would cover it. */

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

/** Returns every expression of a node. n8n evaluates the double braces of a text that begins with `=`. */
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

/** Matches `notice` where an expression only shows it: alone, or as one of several texts, and unchanged. */
const SHOWN_NOTICE = /(?<=(?:\{\{|\?\?|\|\||&&|[?:]|(?<![\w$.])\()\s*)[\w$.?()' ]*\bnotice(?=\s*(?:\}\}|\?\?|\)|:))/g;

/** Returns whether an expression tests or changes the words of a notice, instead of only showing it. */
const worksOnNotice = (expression: string) => expression.replace(SHOWN_NOTICE, '').includes('notice');

/** Returns whether the form shows a parameter if the other parameters have these values. */
const isShown = ({ displayOptions }: INodeProperties, values: INodeParameters, defaults: INodeParameters) =>
	Object.entries(displayOptions?.show ?? {}).every(([name, wanted]) => {
		// No node of an example is the tool of an AI agent.
		if (name === '@tool') return (wanted as unknown[]).includes(false);
		const key = name.replace(/^\//, '');
		// The other parameter may be a multiple choice. Then it is enough that one of its chosen values is among the wanted ones.
		return [values[key] ?? defaults[key]].flat().some((value) => (wanted as unknown[]).includes(value));
	});

/** The number of nodes that an example may have, without its notes. Without an entry here it is 16. */
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

/** Branching nodes that may read another node. They get only one item, except *What now?*, which gets all sent items. */
const DECIDE_ONCE: Record<string, string[]> = {
	'more/question-to-one.json': ['Open, and answered?'],
	'desk/question.json': ['What now?'],
	'desk/usage.json': ['For the page?'],
};

describe.each(files)('the example %s', (file) => {
	const nodes = nodesOf(file);

	it('contains no credential, webhook ID or data of its author, and has notes in English and in Greek', () => {
		const all = parse(file);
		expect(read(file)).not.toMatch(/"(webhookId|credentials|instanceId|versionId|staticData)"/);
		expect(all.pinData ?? {}).toEqual({});
		const notes = all.nodes.filter(isNote).map(({ parameters }) => parameters.content);
		expect(notes.join('\n')).toMatch(/credential[^]*[α-ω]{5}/);
	});

	it('has no more nodes than allowed for it', () => {
		expect(nodes.length).toBeLessThanOrEqual(MOST_NODES[file] ?? 16);
	});

	it.each(nodes.map((node) => [node.name, node] as const))(
		'contains no program code in its node "%s", and only short expressions',
		(_, { type, parameters }) => {
			expect(type).not.toMatch(/\.(code|function|functionItem|aiTransform)$/);
			// Quoted texts for people may be long, so only the rest of each expression is counted.
			const expressions = expressionsOf(parameters).map((each) => each.replace(/'[^']*'/g, "''"));
			for (const expression of expressions) expect(expression.length).toBeLessThanOrEqual(120);
			expect(expressions.join('').length).toBeLessThanOrEqual(480);
		},
	);

	// With 2,000 items, an expression that reads 2,000 items for each of them stops n8n for minutes.
	it('calls `.all()` only in an expression that runs once, not once for each item', () => {
		const quadratic = nodes.flatMap((node) => expressionsPerItem(node).map((each) => [node.name, each] as const));
		expect(quadratic.filter(([, each]) => /\.all\(\)/.test(each))).toEqual([]);
	});

	// Reading another node costs a millisecond or two: 3,000 items through an IF node that reads another node stop n8n for 5 s.
	it('does not read another node in an If, Switch or Filter that gets many items', () => {
		const deciding = nodes.filter(({ type }) => /\.(if|switch|filter)$/.test(type));
		const reading = deciding.filter(({ parameters }) => expressionsOf(parameters).some((each) => each.includes("$('")));
		expect(reading.map(({ name }) => name)).toEqual(DECIDE_ONCE[file] ?? []);
	});

	// A corrected sentence, or another language, must not change what a workflow does.
	it('shows the texts in `notice`, but does not branch by their words', () => {
		const deciding = nodes.filter(({ type }) => /\.(if|switch|filter)$/.test(type));
		expect(
			deciding.flatMap(({ parameters }) => expressionsOf(parameters)).filter((each) => /notice/.test(each)),
		).toEqual([]);
		expect(nodes.flatMap(({ parameters }) => expressionsOf(parameters)).filter(worksOnNotice)).toEqual([]);
	});

	// The node *Subscribers* creates the table if the table is missing. So an error of the next node, *Left*, means that n8n
	// cannot read the table.
	it('stops without sending if it has a node "Left" that cannot read the table of people who unsubscribed', () => {
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

	it('states in each upload form that only the first worksheet is read', () => {
		const uploads = nodes.filter(
			({ type, parameters }) => type.endsWith('.formTrigger') && /"fieldType":"file"/.test(JSON.stringify(parameters)),
		);
		for (const { parameters } of uploads)
			expect(parameters.formDescription).toContain('Διαβάζεται μόνο το πρώτο φύλλο εργασίας');
	});

	// A visitor can fill the hidden fields of a form by the query of its URL.
	it('removes special characters from a hidden form field before it shows the value', () => {
		const shown = nodes
			.flatMap(({ parameters }) => expressionsOf(parameters))
			.filter((each) => /json\.form\b/.test(each));
		expect(shown.filter((each) => !each.includes(".replace(/[^\\w-]/g,'')"))).toEqual([]);
	});

	// If a date field has a format, n8n first parses the date as yyyy-mm-dd, where mm means minutes. So every formatted date
	// is in January.
	it('sets no format for a date field of a form', () => {
		expect(read(file)).not.toMatch(/formatDate/);
	});

	// n8n's default text is in English.
	it('has a Greek text for required form fields that are empty', () => {
		const asking = nodes.filter(({ parameters }) => /"requiredField\\?": ?true/.test(JSON.stringify(parameters)));
		for (const { name, parameters } of asking)
			expect([name, JSON.stringify(parameters.options)]).toEqual([name, expect.stringContaining('Υποχρεωτικό')]);
	});

	// A phone reloads a page when a person returns to it. At that time n8n has no items for the page, and the clock has moved on.
	it('uses neither the current item nor the current time in its last form pages, because a reload would change them', () => {
		const ends = nodes.filter(({ parameters }) => parameters.operation === 'completion');
		const ofTheMoment = ends.filter((end) => /\$(?:json|input|prevNode|now)\b/.test(JSON.stringify(end.parameters)));
		expect(ofTheMoment.map(({ name }) => name)).toEqual([]);
	});

	const ours = nodes.filter(({ type }) => type.startsWith('n8n-nodes-amka-sms.'));
	// The example *Cancel a list* has no node of this package: it only changes a data table.
	if (ours.length === 0) return;
	it.each(ours.map((node) => [node.name, node] as const))(
		'sets only parameters that exist in its node "%s"',
		(_, node) => {
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
		},
	);
});

it('the example desk/check-and-send.json sends the service and message that its review was approved with', () => {
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

/** Reads a text as the node *Yes or no* of the example does. Returns the two fields that the node sets. */
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
])('the example more/question-to-one.json: the reply %j counts as yes: %s, as no: %s', (body, yes, no) => {
	expect(yesOrNo(body)).toEqual({ yes, no });
});

it('the example more/question-to-one.json confirms to the sender the same answer that it records', () => {
	const nodes = nodesOf('more/question-to-one.json');
	const ofNode = (name: string) => JSON.stringify(nodes.find((node) => node.name === name)!.parameters);
	const [said] = /\{\{ \$\('Yes or no'\)[^}]*\}\}/.exec(ofNode('Go on'))!;
	expect(ofNode('Reply: taken')).toContain(said);
	expect(ofNode('Keep the answer')).toContain('$json.body?.answer ??');
});

it('the example desk/question.json and the workflow that counts its replies use the same list of answers, and the reply quotes no text of the sender', () => {
	const nodes = [...nodesOf('desk/question.json'), ...nodesOf('desk/question-replies.json')];
	const textsOf = ({ parameters }: ExampleNode) => (parameters.options as { answers?: string } | undefined)?.answers;
	expect([...new Set(nodes.flatMap((node) => textsOf(node) ?? []))]).toEqual(['ΝΑΙ, ΟΧΙ']);
	expect(nodes.filter(textsOf).map(({ name }) => name)).toContain('Recorded');
	expect(JSON.stringify(nodes.find(({ name }) => name === 'Reply')!.parameters)).not.toContain('json.body');
});

describe('the reply in the example desk/question-replies.json', () => {
	const { placeholders, messageId } = nodesOf('desk/question-replies.json').find(({ name }) => name === 'Reply')!
		.parameters as { placeholders: { value: Record<string, string> }; messageId: { cachedResultName: string } };
	const [[label, expression]] = Object.entries(placeholders.value) as [[string, string]];
	const [, code] = /^=\{\{([^]*)\}\}$/.exec(expression)!;
	const outcomeOf = new Function('$input', `return (${code})`) as (input: object) => string;
	const replyTo = (...answers: Array<string | null>) =>
		messageId.cachedResultName.replace(
			`{${label},1}`,
			outcomeOf({ all: () => answers.map((answer) => ({ json: { answer } })) }),
		);

	it.each([
		[['ΝΑΙ'], 'Η απάντησή σας καταγράφηκε ως ΝΑΙ. Για αλλαγή: ΟΡΚ ΝΑΙ ή ΟΡΚ ΟΧΙ.'],
		[[null, 'ΟΧΙ'], 'Η απάντησή σας καταγράφηκε ως ΟΧΙ. Για αλλαγή: ΟΡΚ ΝΑΙ ή ΟΡΚ ΟΧΙ.'],
		[['other'], 'Η απάντησή σας δεν είναι ΝΑΙ ή ΟΧΙ. Στείλτε ΟΡΚ ΝΑΙ ή ΟΡΚ ΟΧΙ.'],
		[[null], 'Η απάντησή σας δεν ισχύει, γιατί δεν σας στείλαμε πρόσφατα ερώτηση.'],
		[[], 'Η απάντησή σας δεν ισχύει, γιατί δεν σας στείλαμε πρόσφατα ερώτηση.'],
	])('has the expected text and fits one SMS if the recorded answers are %j', (answers, text) => {
		expect(replyTo(...answers)).toBe(text);
		expect(text.length).toBeLessThanOrEqual(70);
	});
});

it.each([
	['{{ $json.notice }}', false],
	['{{ $json.notice ?? $json.details?.notice }}', false],
	["{{ $('Validate').first(1)?.json.notice ?? '' }}", false],
	["{{ $prevNode.name === 'x' ? 'Time is over.' : ($json.notice ?? $json.details?.notice) }}", false],
	["{{ $json.details.notice.replace('admin', 'office') }}", true],
	["{{ $('Begin').all().some(({ json }) => /down/.test(json.notice)) }}", true],
	["{{ $('Begin').all().some(({ json: { notice } }) => notice === 'down') }}", true],
	["{{ $json.notice === 'down' }}", true],
	["{{ 'down' === $json.notice }}", true],
	["{{ $json.notice ? 'a' : 'b' }}", true],
])(
	'the expression %s tests or changes the words of a notice, instead of only showing it: %s',
	(expression, expected) => {
		expect(worksOnNotice(expression)).toBe(expected);
	},
);

describe('the example desk/subscriptions.json', () => {
	const node = (name: string) => nodesOf('desk/subscriptions.json').find((each) => each.name === name)!;
	const evaluate = (expression: string, $json: object): unknown => {
		const [, code] = /^=\{\{([^]*)\}\}$/.exec(expression)!;
		return (new Function('$json', `return (${code})`) as (json: object) => unknown)($json);
	};
	/** Returns the first output of the example's Switch node that fits an incoming SMS. */
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
	])('reads an SMS with keyword %j and body %j as a request to unsubscribe', (keyword, body) => {
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
	])('reads an SMS with keyword %j and body %j as a request to subscribe', (keyword, body) => {
		expect(readAs(keyword, body)).toBe('ΝΕΑ');
	});

	it.each([
		['UNI', ''],
		['UNI', 'ΒΑ'],
	])('reads an SMS with keyword %j and body %j as neither request', (keyword, body) => {
		expect(readAs(keyword, body)).toBeUndefined();
	});

	it('starts on its own keywords and on the prefix of the institution', () => {
		expect(node('SMS Trigger').parameters).toMatchObject({ keywords: 'ΝΕΑ, ΣΤΟΠ, STOP, UNI' });
	});
});

describe('the fact that ΣΤΟΠ also ends messages with grades and questions', () => {
	const flat = (text: string) => text.replace(/\s+/g, ' ');
	const nodeOf = (file: string, name: string) => nodesOf(file).find((each) => each.name === name)!;

	it('is stated in both replies and in the news message of desk/subscriptions.json', () => {
		const textOf = (name: string) =>
			(nodeOf('desk/subscriptions.json', name).parameters.messageId as { cachedResultName: string }).cachedResultName;
		expect(textOf('Reply unsubscribed')).toMatch(/νέα, βαθμούς και ερωτήσεις/);
		expect(textOf('Reply subscribed')).toMatch(/όλων των SMS/);
		expect(textOf('Review')).toMatch(/όλων των SMS/);
	});

	it('is stated on the page that asks for confirmation before a list is sent', () => {
		const { options } = nodeOf('desk/send-a-list.json', 'Send or not').parameters;
		expect((options as INodeParameters).formDescription).toMatch(/Όποιος έστειλε ΣΤΟΠ δεν λαμβάνει κανένα SMS/);
	});

	it.each([
		'desk/subscriptions.json',
		'desk/send-a-list.json',
		'desk/check-and-send.json',
		'desk/send-again.json',
		'desk/question.json',
	])('is stated in the note of the example %s', (file) => {
		const [note] = parse(file).nodes.filter(isNote);
		expect(note!.parameters.content).toMatch(
			/ΣΤΟΠ (?:does not get|no longer gets) news,[^.]* grades or questions[^]*νέα(?:, βαθμούς και| ούτε βαθμούς ούτε|\. Από τις τρεις αυτές ροές δεν λαμβάνει ούτε βαθμούς ούτε) ερωτήσεις/,
		);
	});

	it('is stated in docs/secretary.md in both languages', () => {
		expect(flat(readFileSync('docs/secretary.md', 'utf8'))).toMatch(
			/ΣΤΟΠ.{0,40}does not get news, grades or questions/,
		);
		expect(flat(readFileSync('docs/el/secretary.md', 'utf8'))).toMatch(
			/ΣΤΟΠ.{0,40}ούτε νέα ούτε βαθμούς ούτε ερωτήσεις/,
		);
	});
});

it('the example more/first-day.json reports on each open question of docs/limits.md', () => {
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

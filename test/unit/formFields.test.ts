import { NodeHelpers } from 'n8n-workflow';
import type { INodeParameters, INodeProperties, INodePropertyOptions, INodeType } from 'n8n-workflow';

import { AmkaApi } from '../../credentials/AmkaApi.credentials';
import { SmsPlatformApi } from '../../credentials/SmsPlatformApi.credentials';
import { Amka } from '../../nodes/Amka/Amka.node';
import { NOTHING_TO_FILL_IN } from '../../lib/smsPlatform/formLists';
import { RECORD_FIELDS } from '../../nodes/Amka/registryRecord';
import { SmsCode } from '../../nodes/SmsCode/SmsCode.node';
import { SmsResults } from '../../nodes/SmsResults/SmsResults.node';
import { SmsSend } from '../../nodes/SmsSend/SmsSend.node';
import { SmsTrigger } from '../../nodes/SmsTrigger/SmsTrigger.node';

/*
 * Tests which fields a node's form shows for which values, with n8n's own rules for showing fields. browser/forms tests the same
 * forms in the editor.
 */

/** A partly filled form: the other fields have the defaults of a new node. */
class Form {
	private readonly values: INodeParameters;
	private readonly version: { typeVersion: number };

	constructor(
		private readonly node: INodeType,
		chosen: INodeParameters = {},
	) {
		const { description } = node;
		this.version = { typeVersion: [description.version].flat().at(-1)! };
		const version = this.version as never;
		this.values = NodeHelpers.getNodeParameters(description.properties, chosen, true, false, version, description)!;
	}

	private isShown = (part: Parameters<typeof NodeHelpers.displayParameter>[1], values = this.values): boolean =>
		NodeHelpers.displayParameter(values, part, this.version, this.node.description, this.values);

	private get shown(): INodeProperties[] {
		return this.node.description.properties.filter((each) => this.isShown(each));
	}

	/** Returns the labels of the fields that a user can fill in, from top to bottom. */
	get labels(): string[] {
		const fields = this.shown.filter(({ type, name }) => type !== 'notice' && name !== 'messageText');
		return fields.map(({ displayName }) => displayName);
	}

	get notices(): string {
		return this.shown
			.filter(({ type }) => type === 'notice')
			.map(({ displayName }) => displayName)
			.join('\n');
	}

	field(label: string): INodeProperties {
		return this.shown.find(({ displayName }) => displayName === label)!;
	}

	get options(): INodeProperties[] {
		const all = this.field('Options').options as INodeProperties[];
		return all.filter((each) => this.isShown(each, this.values.options as INodeParameters));
	}

	get credentials(): string[] {
		return this.node.description.credentials!.filter((each) => this.isShown(each)).map(({ name }) => name);
	}
}

/** Returns the node as the editor offers it to an AI agent. */
const asTool = ({ description }: INodeType) =>
	({ description: { ...description, name: `${description.name}Tool` } }) as INodeType;

const list = (...lines: string[]) => lines.join(', ').split(', ');
/** Sorts options alphabetically, as the form does. */
const sorted = (...lines: string[]) =>
	list(...lines).sort((one, other) => one.localeCompare(other, 'en', { sensitivity: 'base', ignorePunctuation: true }));
const optionsOf = (node: INodeType, chosen?: INodeParameters) =>
	new Form(node, chosen).options.map(({ displayName }) => displayName);

/**
 * Returns the parameters of a chosen message. Without `text`, the form does not know the text of the message, as when the
 * user has typed the ID.
 */
const chosen = (text?: string): INodeParameters => ({
	serviceId: { __rl: true, mode: 'list', value: '101' },
	messageId: { __rl: true, mode: 'list', value: '1', ...(text !== undefined && { cachedResultName: text }) },
});

/** Expects that the description of each field, with the hint below it, matches its pattern. */
const expectHints = (form: Form, hints: Record<string, RegExp>) => {
	for (const [label, text] of Object.entries(hints)) {
		const { description, hint = '' } = form.field(label);
		expect([label, `${description}\n${hint}`]).toEqual([label, expect.stringMatching(text)]);
	}
};

describe('the form of AMKA', () => {
	const person = ['Operation', 'AMKA', 'Birth Date', 'Surname'];
	const less = ['Split by Result', 'Options'];

	it.each<[INodeParameters, string[]]>([
		[{}, [...person, 'Output']],
		[{ output: 'selected' }, [...person, 'Output', 'Fields']],
		[{ operation: 'compare' }, [...person, 'Compare With', 'Compare Output']],
		[{ operation: 'checkNumber' }, ['Operation', 'AMKA']],
	])('shows, with the parameters %j, only the fields that they need', (chosen, labels) => {
		expect(new Form(new Amka(), chosen).labels).toEqual([...labels, ...less]);
	});

	it('hides Split by Result if Compare Output is a sheet', () => {
		const chosen = { operation: 'compare', compareOutput: 'sheet' };
		const form = new Form(new Amka(), chosen);
		expect(form.labels).toEqual([...person, 'Compare With', 'Compare Output', 'Options']);
		expect(form.notices).toBe('');
	});

	it('advises to leave Always Output Data off if Split by Result is on', () => {
		const notice = /leave <b>Always Output Data<\/b> off/;
		for (const operation of ['validate', 'compare', 'checkNumber']) {
			expect(new Form(new Amka(), { operation }).notices).toMatch(notice);
			expect(new Form(new Amka(), { operation, splitByResult: false }).notices).toBe('');
		}
	});

	it('lists the fields of a registry record with their meanings', () => {
		const { options } = new Form(new Amka(), { output: 'selected' }).field('Fields');
		expect(options!.map(({ name }) => name)).toEqual(
			Object.entries(RECORD_FIELDS)
				.map(([field, meaning]) => `${meaning} (${field})`)
				.sort(),
		);
	});

	it('asks for a credential only in the operations that call the registry', () => {
		const credentials = ['validate', 'compare', 'checkNumber'].map(
			(operation) => new Form(new Amka(), { operation }).credentials,
		);
		expect(credentials).toEqual([['amkaApi'], ['amkaApi'], []]);
	});

	it("warns, for an AI agent's tool that outputs the record, that the model and its provider get the registry's data", () => {
		const notice = /The AI model and its provider get the registry's data/;
		expect(new Form(asTool(new Amka()), { output: 'record' }).notices).toMatch(notice);
		expect(new Form(asTool(new Amka())).notices).not.toMatch(notice);
		expect(new Form(new Amka(), { output: 'record' }).notices).not.toMatch(notice);
	});

	it('explains the fields AMKA, Birth Date and Surname, and names the column that is read if a field is empty', () => {
		expectHints(new Form(new Amka()), {
			AMKA: /11 digits.*\nIf empty, the node reads the column ΑΜΚΑ/,
			'Birth Date': /Day first.*\nIf empty, the node reads the column Ημερομηνία γέννησης/,
			Surname: /Greek letters.*\nIf empty, the node reads the column Επώνυμο/,
		});
	});

	it.each([
		['validate', ['Accept Deceased, Concurrency, Include Input Fields, Language, Timeout']],
		['compare', ['Accept Deceased, Concurrency, Include Input Fields, Language, Show Registry Values, Timeout']],
		['checkNumber', ['Include Input Fields, Language']],
	])('offers, for the operation %s, the options %j', (operation, options) => {
		expect(optionsOf(new Amka(), { operation })).toEqual(list(...options));
	});
});

describe('the form of SMS Send', () => {
	const message = ['Operation', 'Service', 'Message', 'Recipient'];
	const rest = ['If Already Sent', 'Remember For', 'Options'];

	it.each<[string, INodeParameters, string[]]>([
		['before a message is chosen', {}, []],
		['a text with placeholders', chosen('Ο βαθμός σας είναι {Βαθμός,1}'), ['Placeholders']],
		['a text without placeholders', chosen(`Δεν βρέθηκε βαθμός σας.${NOTHING_TO_FILL_IN}`), []],
		['a text that the list cuts off', chosen('Ο βαθμός σας …'), ['Placeholders']],
		['an id that was typed', chosen(), ['Placeholders']],
	])(
		'shows the field Placeholders only if the chosen message may have placeholders: %s',
		(_, parameters, placeholders) => {
			expect(new Form(new SmsSend(), parameters).labels).toEqual([...message, ...placeholders, ...rest]);
		},
	);

	it('shows the text of a message that was chosen from the list, as the form of SMS Code does', () => {
		const known = chosen('Ο βαθμός σας είναι {Βαθμός,1}');
		for (const operation of ['send', 'review', 'reply', 'sendAndWait']) {
			expect(new Form(new SmsSend(), { operation, ...known }).field('Message Text')).toBeDefined();
			expect(new Form(new SmsSend(), { operation, ...chosen() }).field('Message Text')).toBeUndefined();
		}
		expect(new Form(new SmsCode(), known).field('Message Text')).toBeDefined();
		expect(new Form(new SmsCode(), { operation: 'checkCode', ...known }).field('Message Text')).toBeUndefined();
	});

	it.each<[string, INodeParameters, string[], RegExp]>([
		['reply', {}, ['Service', 'Message', ...rest], /^The reply goes to the person who sent the incoming message/],
		[
			'review',
			{},
			[...message.slice(1), ...rest.slice(0, 2), 'Review Output', 'Options'],
			/^Fill in the same values as in the node that sends\.[^]*use a Merge node \(Choose Branch, output Input 2\)/,
		],
		// With Send Again the node records no message, so it does not ask for Remember For.
		[
			'sendAndWait',
			{},
			[...message.slice(1), 'If Already Sent', 'Options'],
			/this node can't collect approvals[^]*The workflow pauses/,
		],
		['sendAndWait', { ifAlreadySent: 'skip' }, [...message.slice(1), ...rest], /this node can't collect approvals/],
		[
			'send',
			{ ifAlreadySent: 'send' },
			[...message.slice(1), 'If Already Sent', 'Options'],
			/^Nothing protects against duplicates.*Select <b>Skip<\/b> again/,
		],
		[
			'reply',
			{ ifAlreadySent: 'send' },
			['Service', 'Message', 'If Already Sent', 'Options'],
			/Nothing protects against duplicates/,
		],
	])(
		'shows for %s, with the parameters %j, only the fields that it needs, and a notice that explains the operation',
		(operation, more, labels, notices) => {
			const form = new Form(new SmsSend(), { operation, ...more });
			expect(form.labels).toEqual(['Operation', ...labels]);
			expect(form.notices).toMatch(notices);
		},
	);

	it('explains its main fields, and names the column that is read if Recipient is empty', () => {
		expectHints(new Form(new SmsSend(), chosen()), {
			Service: /the credential's Messages field/,
			Message: /predefined message/,
			Recipient: /\nIf empty, the node reads the column Κινητό/,
			'If Already Sent': /sent the same message to the same person/,
			'Remember For': /can remember at least 30,000 messages at a time/,
			Options: /whole run/,
		});
	});

	it('has Include Input Fields on by default in Send and Review, off in Reply, and no such option in Send and Wait', () => {
		const defaultIn = (operation: string) =>
			new Form(new SmsSend(), { operation }).options.find(({ name }) => name === 'includeInputFields')?.default;
		expect(['send', 'review', 'reply', 'sendAndWait'].map(defaultIn)).toEqual([true, true, false, undefined]);
	});

	it("does not mention columns below Recipient in an AI agent's tool, and asks the user, not the model, to choose service and message", () => {
		const form = new Form(asTool(new SmsSend()), chosen());
		const { description: ofRecipient, hint } = form.field('Recipient');
		expect(`${ofRecipient} ${hint}`).not.toMatch(/column/i);
		expect(form.notices).toMatch(/^Choose <b>Service<\/b> and <b>Message<\/b> yourself/);
		expect(new Form(new SmsSend(), chosen()).notices).toBe('');
	});

	const all = 'Allow Empty Values, Reference, Repeat Key, Replacements, Timeout';
	const rows = 'Concurrency, Delivery Report URL, Include Input Fields, Messages per Second, No Delivery Report';

	it.each<[INodeParameters, string[]]>([
		[{ operation: 'send' }, [all, rows, 'Do Not Send To, Language']],
		[{ operation: 'reply' }, [all, rows]],
		[{ operation: 'review' }, [all, 'Concurrency, Do Not Send To, Include Input Fields, Language']],
		[{ operation: 'sendAndWait' }, [all, 'Language, Max Wait (Minutes)']],
	])('offers, with the parameters %j, the options %j', (parameters, options) => {
		expect(optionsOf(new SmsSend(), parameters)).toEqual(sorted(...options));
	});
});

describe('the form of SMS Results', () => {
	it('has a notice about AI agents only if the node is used as a tool', () => {
		for (const operation of ['whoGotIt', 'usage'])
			expect(new Form(asTool(new SmsResults()), { operation }).notices).toMatch(
				/^This node does not work as a tool of an AI agent/,
			);
		expect(new Form(new SmsResults()).notices).not.toMatch(/agent/);
	});

	it('shows the fields Output and List in Who Got It, and states that the node sends nothing', () => {
		const form = new Form(new SmsResults());
		expect(form.labels).toEqual(['Operation', 'Output', 'List', 'Options']);
		expect(form.notices).toMatch(/This node sends nothing\.$/);
	});

	it('shows in Usage, beside Operation and Options, only the field Output, and offers only the option Language', () => {
		const form = new Form(new SmsResults(), { operation: 'usage' });
		expect(form.labels).toEqual(['Operation', 'Output', 'Options']);
		expect(optionsOf(new SmsResults(), { operation: 'usage' })).toEqual(['Language']);
	});

	it('asks for no credential', () => {
		expect(new SmsResults().description.credentials).toBeUndefined();
	});

	const always = 'Answers, Answer Within (Days), Language, Late After (Hours)';
	it.each([
		['summary', [always, 'Include Unknown, Only Unanswered']],
		['again', [always, 'Include Unknown, Only Unanswered']],
		['sheet', [always]],
		['messages', [always]],
	])('offers, for the output %s, the options %j', (whoGotItOutput, options) => {
		expect(optionsOf(new SmsResults(), { whoGotItOutput })).toEqual(sorted(...options));
	});
});

describe('the form of SMS Code', () => {
	const code = ['Operation', 'Service', 'Message', 'Recipient'];

	it.each<[string, INodeParameters, string[]]>([
		['before a message is chosen', {}, []],
		['a text that takes only the code', chosen(`Ο κωδικός σας είναι {Κωδικός,1}.${NOTHING_TO_FILL_IN}`), []],
		['a text that takes more', chosen('Ο κωδικός σας για {Υπηρεσία,2} είναι {Κωδικός,1}.'), ['Placeholders']],
		['a text that the list cuts off', chosen('Ο κωδικός σας είναι {Κωδικός,1} …'), ['Placeholders']],
		['an id that was typed', chosen(), ['Placeholders']],
	])(
		'shows the field Placeholders in Send Code only if the chosen message may have more than the code: %s',
		(_, parameters, placeholders) => {
			expect(new Form(new SmsCode(), parameters).labels).toEqual([...code, ...placeholders, 'Options']);
		},
	);

	it("asks the user, not the model, to choose service and message in an AI agent's tool", () => {
		const noticesOf = (operation: string) => new Form(asTool(new SmsCode()), { operation }).notices;
		expect(noticesOf('sendCode')).toMatch(/^Choose <b>Service<\/b> and <b>Message<\/b> yourself.*the number/);
		expect(noticesOf('checkCode')).toMatch(/^Let the model fill in only <b>Verification ID<\/b> and <b>Code<\/b>/);
		for (const operation of ['sendCode', 'checkCode']) expect(new Form(new SmsCode(), { operation }).notices).toBe('');
	});

	it('shows the fields Verification ID and Code in Check Code', () => {
		const form = new Form(new SmsCode(), { operation: 'checkCode' });
		expect(form.labels).toEqual(['Operation', 'Verification ID', 'Code', 'Options']);
		expectHints(form, { Code: /code that the person typed/ });
	});

	it.each([
		[
			'sendCode',
			[
				'Code Length, Code Position, Include Input Fields, Language, Max Attempts, Max Codes per Hour, Purpose',
				'Replacements, Valid (Minutes)',
			],
		],
		['checkCode', ['Language, Purpose']],
	])('offers, for the operation %s, the options %j', (operation, options) => {
		expect(optionsOf(new SmsCode(), { operation })).toEqual(list(...options));
	});
});

describe('the form of SMS Trigger', () => {
	const forward =
		/Real messages go to the <b>Production URL<\/b> that ends in \/forward\. Give this URL and your keywords to the operator/;
	const report =
		/^If .*Delivery Report URL.* is empty, copy the .* that ends in \/dlr into that field\. .*leave the URL as it is/m;
	const trying = /^To try this trigger, press <b>Execute step<\/b>.*<b>Test URL<\/b>.*No phone is needed/;

	const oneEach = /To get an output for each keyword, remove <b>Delivery Report<\/b>/;
	const second = /Reports go to the second output/;

	it.each<[string, INodeParameters, labels: string, says: RegExp[], saysNothingOf: RegExp]>([
		['both events', {}, 'Keywords, Respond, Accept Unsigned Reports', [trying, forward, report, oneEach], second],
		[
			'messages',
			{ events: ['smsForward'] },
			'Keywords, Output for Each Keyword, Respond',
			[trying, forward],
			/report/i,
		],
		['reports', { events: ['deliveryReport'] }, 'Accept Unsigned Reports', [trying, report, second], forward],
	])('shows only the fields and URLs of the chosen events: %s', (_, parameters, labels, says, saysNothingOf) => {
		const form = new Form(new SmsTrigger(), parameters);
		expect(form.labels).toEqual(['Start On', ...list(labels), 'Options']);
		for (const words of says) expect(form.notices).toMatch(words);
		expect(form.notices).not.toMatch(saysNothingOf);
	});

	it('explains Start On, Keywords, Respond and Accept Unsigned Reports', () => {
		expectHints(new Form(new SmsTrigger()), {
			'Start On': /first output and reports to the second/,
			Keywords: /commas.*look-alike/,
			Respond: /answer/,
			'Accept Unsigned Reports': /no signature/,
		});
		const answers = new Form(new SmsTrigger()).field('Respond').options as INodePropertyOptions[];
		// e2e/host tests that this way to answer works.
		expect(answers.map(({ description }) => description)).toContainEqual(
			expect.stringMatching(
				/requires a Webhook node: connect a deactivated one to the input of the Respond to Webhook node/,
			),
		);
	});

	it('offers the options HTTP Method, IP Allowlist and Refuse with Status 200', () => {
		expect(optionsOf(new SmsTrigger())).toEqual(list('HTTP Method, IP Allowlist, Refuse with Status 200'));
		const [method] = new Form(new SmsTrigger()).options;
		expect(method!.description).toMatch(/^The HTTP method of both URLs\./);
		expect(method!.options?.map((each) => 'value' in each && each.value)).toEqual([
			'GET',
			'POST',
			'PUT',
			'GET,POST,PUT',
		]);
	});
});

it('the nodes have only the five types of options that browser/forms can fill in', () => {
	const nodes = [new Amka(), new SmsSend(), new SmsResults(), new SmsCode(), new SmsTrigger()];
	const collections = nodes.flatMap(({ description }) =>
		description.properties.filter(({ displayName }) => displayName === 'Options'),
	);
	const kinds = collections.flatMap(({ options }) => (options as INodeProperties[]).map(({ type }) => type));
	expect([...new Set(kinds)].sort()).toEqual(['boolean', 'json', 'number', 'options', 'string']);
});

describe.each([
	['AMKA', new Amka()],
	['SMS Send', new SmsSend()],
	['SMS Results', new SmsResults()],
	['SMS Code', new SmsCode()],
	['SMS Trigger', new SmsTrigger()],
])('the form of %s', (_, { description: { properties } }) => {
	it('has placeholders that begin with "e.g."', () => {
		const fields = properties.flatMap((field) => [field, ...((field.options ?? []) as INodeProperties[])]);
		const modes = fields.flatMap(({ modes = [] }) => modes.filter(({ type }) => type === 'string'));
		const placeholders = [...fields.filter(({ type }) => type === 'string' || type === 'json'), ...modes].flatMap(
			({ placeholder }) => placeholder ?? [],
		);
		expect(placeholders.length).toBeGreaterThan(0);
		expect(placeholders.filter((text) => !text.startsWith('e.g. '))).toEqual([]);
	});

	const operations = properties.find(({ name }) => name === 'operation')?.options as INodePropertyOptions[] | undefined;
	if (operations === undefined) return;
	it('has no article in the names of actions', () => {
		const actions = operations.map(({ action = '' }) => action);
		expect(actions.filter((action) => action === '' || /\b(?:an?|the|your)\b/i.test(action))).toEqual([]);
	});
});

describe.each([
	['AMKA API', new AmkaApi(), ['Ignore SSL Issues (Insecure)']],
	[
		'SMS Platform API',
		new SmsPlatformApi(),
		['Forward Key', 'Previous Pre-Shared Key', 'Key Changed On', 'Ignore SSL Issues (Insecure)'],
	],
])('the form of the credential %s', (_, { properties }, rare) => {
	// n8n drops the value of a hidden field of a credential at run time.
	it('ends with the fields that few users need, and hides no field', () => {
		expect(properties.slice(-rare.length).map(({ displayName }) => displayName)).toEqual(rare);
		expect(properties.filter(({ displayOptions }) => displayOptions !== undefined)).toEqual([]);
	});

	it('explains that the connection test may find a wrong key but cannot prove that a key is right', () => {
		const [hint] = properties.flatMap(({ hint = '' }) => (hint.includes('connection test') ? hint : []));
		expect(hint).toMatch(/^The connection test may detect a wrong .*key, but only a real .* proves that .* right$/);
	});

	it('has placeholders that begin with "e.g."', () => {
		const placeholders = properties.flatMap(({ placeholder = '' }) => (placeholder === '' ? [] : placeholder));
		expect(placeholders.filter((text) => !text.startsWith('e.g. '))).toEqual([]);
	});
});

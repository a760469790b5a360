import {
	NodeConnectionTypes,
	NodeOperationError,
	type ICredentialType,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
	type INodeType,
} from 'n8n-workflow';

import { listSearchOf, logLines, processed, resourceMappingOf, runNode, TestWorkflow } from './harness/engine';
import { TestTrigger } from './harness/webhook';
import { serve } from './harness/wire';

/** The harness tried with nodes of its own, so that a failing node test points at the node. */

const tinyNode = (
	execute: (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>,
	properties: INodeProperties[] = [{ displayName: 'Value', name: 'value', type: 'json', default: '' }],
): INodeType => ({
	description: {
		name: 'tiny',
		displayName: 'Tiny',
		group: ['transform'],
		version: 1,
		description: '',
		defaults: {},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'tinyApi' }],
		properties,
	},
	execute,
});

const echo = tinyNode(async function () {
	return [
		this.getInputData().map((_, item) => ({
			json: { value: this.getNodeParameter('value', item) as string },
			pairedItem: { item },
		})),
	];
});

const failOn = (bad: string) =>
	tinyNode(async function () {
		const items: INodeExecutionData[] = this.getInputData().map((_, item) => {
			const value = this.getNodeParameter('value', item) as string;
			if (value !== bad) return { json: { value }, pairedItem: { item } };
			const error = new NodeOperationError(this.getNode(), `bad ${value}`, { itemIndex: item });
			if (!this.continueOnFail()) throw error;
			return { json: { error: error.message }, pairedItem: { item } };
		});
		return [items];
	});

const row = '={{ $json.row }}';

describe('the engine', () => {
	it('resolves expressions per item, and later nodes find the row an item came from', async () => {
		const run = await runNode({ node: echo, parameters: { value: row } }, [{ row: 'a' }, { row: 'b' }]);
		expect(run.json).toEqual([[{ value: 'a' }, { value: 'b' }]]);
		expect(run.origins).toEqual([[{ row: 'a' }, { row: 'b' }]]);
		expect(run.status).toBe('success');
	});

	it('shows a lost origin', async () => {
		const swapped = tinyNode(async () => [[{ json: {}, pairedItem: { item: 7 } }, { json: {} }]]);
		const run = await runNode({ node: swapped }, [{ row: 'a' }, { row: 'b' }, { row: 'c' }]);
		expect(run.origins[0]?.[0]).toMatch(/no origin/);
	});

	it("evaluates with n8n's default expression engine", async () => {
		const run = await runNode({ node: echo, parameters: { value: '={{ $now.zoneName }}' } }, [{}]);
		expect(run.json[0]).toEqual([{ value: 'Europe/Athens' }]);
		const escape = await runNode({ node: echo, parameters: { value: "={{ 'never ' + $json.constructor.name }}" } }, [
			{},
		]);
		expect(escape.error?.message).toMatch(/constructor/);
	});

	it('stops, continues, or splits off failed rows as the node is set', async () => {
		const rows = [{ row: 'a' }, { row: 'x' }];
		const spec = { node: failOn('x'), parameters: { value: row } };
		const stopped = await runNode(spec, rows);
		expect(stopped).toMatchObject({ status: 'error', outputs: [], error: { message: 'bad x' } });
		const kept = await runNode({ ...spec, onError: 'continueRegularOutput' }, rows);
		expect(kept.json).toEqual([[{ value: 'a' }, { error: 'bad x' }]]);
		const split = await runNode({ ...spec, onError: 'continueErrorOutput' }, rows);
		expect(split.json).toEqual([[{ value: 'a' }], [{ row: 'x', error: 'bad x' }]]);
		expect(split.origins).toEqual([[{ row: 'a' }], [{ row: 'x' }]]);
	});

	it('runs the node again with Retry On Fail', async () => {
		let tries = 0;
		const flaky = tinyNode(async function () {
			if (++tries < 3) throw new NodeOperationError(this.getNode(), 'not yet');
			return [this.getInputData()];
		});
		const run = await runNode({ node: flaky, retryOnFail: true, maxTries: 3, waitBetweenTries: 1 }, [{}]);
		expect([tries, run.status]).toEqual([3, 'success']);
	});

	it('keeps static data and processed keys between runs', async () => {
		const remembering = tinyNode(async function () {
			const data = this.getWorkflowStaticData('node');
			data.runs = Number(data.runs ?? 0) + 1;
			const keys = this.getInputData().map(({ json }) => json.row as string);
			const checked = await this.helpers.checkProcessedAndRecord(keys, 'node', {
				mode: 'entries',
				maxEntries: 3,
			});
			return [[{ json: { runs: data.runs as number, ...checked } }]];
		});
		const workflow = new TestWorkflow({ node: remembering });
		await workflow.run([{ row: 'a' }, { row: 'b' }]);
		const second = await workflow.run([{ row: 'b' }, { row: 'c' }, { row: 'd' }]);
		expect(second.json[0]).toEqual([{ runs: 2, new: ['c', 'd'], processed: ['b'] }]);
		const third = await workflow.run([{ row: 'a' }]);
		expect(third.json[0]).toEqual([{ runs: 3, new: ['a'], processed: [] }]);
		expect(processed.calls).toBe(3);
	});

	it.each([
		['node', { new: ['a'], processed: [] }],
		['workflow', { new: [], processed: ['a'] }],
	] as const)('keeps processed keys of the scope "%s"', async (scope, ofAnotherNode) => {
		const remembering = tinyNode(async function () {
			return [[{ json: { ...(await this.helpers.checkProcessedAndRecord(['a'], scope, { mode: 'entries' })) } }]];
		});
		expect((await runNode({ node: remembering }, [{}])).json).toEqual([[{ new: ['a'], processed: [] }]]);
		// Another node of the same workflow.
		expect((await runNode({ node: remembering }, [{}])).json).toEqual([[ofAnotherNode]]);
	});

	it('forgets a key that one call brought twice only once, as n8n does', async () => {
		const giving = tinyNode(async function () {
			const { checkProcessedAndRecord, removeProcessed } = this.helpers;
			await checkProcessedAndRecord(['a', 'a'], 'node', { mode: 'entries' });
			await removeProcessed(['a'], 'node', { mode: 'entries' });
			return [[{ json: { ...(await checkProcessedAndRecord(['a'], 'node', { mode: 'entries' })) } }]];
		});
		expect((await runNode({ node: giving }, [{}])).json).toEqual([[{ new: [], processed: ['a'] }]]);
	});

	it('gives an option that was not added its fallback, and one whose expression gives nothing nothing', async () => {
		const reading = tinyNode(
			async function () {
				const read = (name: string) => String(this.getNodeParameter(`options.${name}`, 0, 'fallback'));
				return [[{ json: { added: read('added'), absent: read('absent'), empty: read('empty') } }]];
			},
			[
				{
					displayName: 'Options',
					name: 'options',
					type: 'collection',
					default: {},
					options: ['added', 'absent', 'empty'].map((name) => ({
						displayName: name,
						name,
						type: 'string',
						default: '',
					})),
				},
			],
		);
		const run = await runNode({ node: reading, parameters: { options: { added: 'x', empty: '={{ $json.no }}' } } }, [
			{},
		]);
		expect(run.json).toEqual([[{ added: 'x', absent: 'fallback', empty: 'undefined' }]]);
	});

	it('keeps the outputs of a node apart, with the origins of each', async () => {
		const splitting = tinyNode(async function () {
			const items = this.getInputData().map(({ json }, item) => ({ json, pairedItem: { item } }));
			return [items.filter(({ json }) => json.row === 'a'), items.filter(({ json }) => json.row !== 'a')];
		});
		splitting.description.outputs = [NodeConnectionTypes.Main, NodeConnectionTypes.Main];
		const run = await runNode({ node: splitting }, [{ row: 'b' }, { row: 'a' }]);
		expect(run.json).toEqual([[{ row: 'a' }], [{ row: 'b' }]]);
		expect(run.origins).toEqual([[{ row: 'a' }], [{ row: 'b' }]]);
	});

	it('pauses a run and goes on with it', async () => {
		const waiting = tinyNode(async function () {
			await this.putExecutionToWait(new Date('2999-01-01T00:00:00Z'));
			return [this.getInputData()];
		});
		const workflow = new TestWorkflow({ node: waiting });
		const paused = await workflow.run([{ row: 'a' }]);
		expect(paused.status).toBe('waiting');
		expect(paused.waitTill).toEqual(new Date('2999-01-01T00:00:00Z'));
		const byTime = await workflow.resume(paused);
		expect([byTime.status, byTime.json]).toEqual(['success', [[{ row: 'a' }]]]);
		const byCall = await workflow.resume(paused, [[{ json: { answer: 1 } }]]);
		expect(byCall.json).toEqual([[{ answer: 1 }]]);
	});

	it('shows execution hints and log lines', async () => {
		const hinting = tinyNode(async function () {
			this.addExecutionHints({ message: 'mind the gap', location: 'outputPane' });
			this.logger.warn('a warning', { of: 'something' });
			return [this.getInputData()];
		});
		const run = await runNode({ node: hinting }, [{}]);
		expect(run.hints).toMatchObject([{ message: 'mind the gap' }]);
		expect(logLines.join('\n')).toContain('warn a warning {"of":"something"}');
	});

	it('refuses what no test provides', async () => {
		const greedy = tinyNode(async function () {
			await this.executeWorkflow({ id: '1' });
			return [[]];
		});
		const run = await runNode({ node: greedy }, [{}]);
		expect(run.error?.message).toContain('additionalData.executeWorkflow');
	});
});

describe('triggers before a node', () => {
	const trigger: INodeType = {
		description: {
			...echo.description,
			name: 'tinyTrigger',
			group: ['trigger'],
			inputs: [],
			outputs: [NodeConnectionTypes.Main, NodeConnectionTypes.Main],
			webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'forward' }],
		},
		webhook: async () => ({}),
	};
	const looking = tinyNode(async function () {
		const parents = this.getParentNodes(this.getNode().name).filter(({ type }) => type.endsWith('.tinyTrigger'));
		const found = parents.flatMap(({ name }) =>
			[0, 1].map((output) => {
				const nothing = `${name} ${output}: nothing`;
				try {
					return (this.evaluateExpression(`{{ $('${name}').first(${output}).json }}`, 0) as string) ?? nothing;
				} catch {
					return nothing;
				}
			}),
		);
		return [[{ json: { found } }]];
	});

	it('finds the one that began the execution, by the output that it began with', async () => {
		const triggers = { 'SMS Trigger': { node: trigger, outputs: [[], [{ MSISDN: '1' }]] }, Other: { node: trigger } };
		const run = await runNode({ node: looking, triggers }, [{ row: 'a' }]);
		expect(run.error).toBeUndefined();
		const nothing = ['SMS Trigger 0: nothing', 'Other 0: nothing', 'Other 1: nothing'];
		const [{ found }] = run.json[0] as [{ found: unknown[] }];
		expect(found).toHaveLength(4);
		expect(found).toEqual(expect.arrayContaining([...nothing, { MSISDN: '1' }]));
	});

	it('begins at the start node where no trigger did', async () => {
		const run = await runNode({ node: looking, triggers: { Other: { node: trigger } } }, [{ row: 'a' }]);
		expect(run.json).toEqual([[{ found: ['Other 0: nothing', 'Other 1: nothing'] }]]);
	});
});

describe('a node as a tool', () => {
	it('is called by the agent once for each row, under a type of its own', async () => {
		const tool = tinyNode(async function () {
			const { name, type } = this.getNode();
			return [[{ json: { name, type, rows: this.getInputData().map(({ json }) => json.row) as string[] } }]];
		});
		const run = await runNode({ node: tool, asTool: true }, [{ row: 'a' }, { row: 'b' }]);
		expect([run.error, run.status]).toEqual([undefined, 'success']);
		const called = { name: 'Node', type: 'n8n-nodes-amka-sms.tinyTool' };
		expect(run.json).toEqual([
			[
				{ ...called, rows: ['a'] },
				{ ...called, rows: ['b'] },
			],
		]);
	});
});

describe('the form of a node', () => {
	const type: ICredentialType = {
		name: 'tinyApi',
		displayName: 'Tiny API',
		properties: [{ displayName: 'Messages', name: 'messages', type: 'string', default: '' }],
	};
	const field = (id: string, displayName: string) =>
		({ id, displayName, required: true, defaultMatch: false, display: true, type: 'string' }) as const;
	const listing: INodeType = {
		...echo,
		methods: {
			listSearch: {
				async messages(filter) {
					const { messages } = await this.getCredentials('tinyApi');
					const { service } = this.getCurrentNodeParameters() as { service: string };
					return { results: [{ name: `${String(messages)} ${service} ${filter}`, value: '1' }] };
				},
			},
			resourceMapping: {
				placeholders: async () => ({ fields: [field('a', 'first'), field('b', 'other'), field('a', 'second')] }),
			},
		},
	};
	const credentials = { tinyApi: { messages: 'text' } };

	it('has lists that read the credential and the other fields', async () => {
		const lists = await listSearchOf(listing, 'messages', 'typed', credentials, { service: '7' }, [type]);
		expect(lists).toEqual({ results: [{ name: 'text 7 typed', value: '1' }] });
		await expect(listSearchOf(listing, 'others', '', credentials)).rejects.toThrow('no list "others"');
	});

	it('has a mapper, of whose fields with one id n8n shows the first', async () => {
		const { fields } = await resourceMappingOf(listing, 'placeholders', credentials);
		expect(fields.map(({ displayName }) => displayName)).toEqual(['first', 'other']);
	});
});

describe('credentials and the wire', () => {
	const properties: INodeProperties[] = [
		{ displayName: 'Key', name: 'key', type: 'string', default: '' },
		{ displayName: 'Insecure', name: 'insecure', type: 'boolean', default: false },
	];
	const generic: ICredentialType = {
		name: 'tinyApi',
		displayName: 'Tiny API',
		properties,
		authenticate: { type: 'generic', properties: { headers: { 'x-key': '={{$credentials.key}}' } } },
	};
	const byFunction: ICredentialType = {
		name: 'tinyApi',
		displayName: 'Tiny API',
		properties,
		authenticate: async (credentials, options) => ({
			...options,
			headers: { ...options.headers, 'x-key': credentials.key },
		}),
	};
	const calling = tinyNode(async function () {
		const { insecure } = await this.getCredentials('tinyApi');
		const answer = await this.helpers.httpRequestWithAuthentication.call(this, 'tinyApi', {
			method: 'POST',
			url: 'https://service.example.gr:9999/call',
			qs: { name: 'Παπαδόπουλος' },
			body: { a: 1 },
			timeout: 100,
		});
		return [[{ json: { insecure, answer } }]];
	});
	const spec = (type: ICredentialType) => ({
		node: calling,
		credentials: { tinyApi: { key: 'secret' } },
		credentialTypes: [type],
	});

	it.each([
		['a generic object', generic],
		['a function', byFunction],
	])('authenticates with %s, and shows the request as it left', async (_, type) => {
		const sent = serve('POST', 'https://service.example.gr:9999/call', { body: { ok: true } });
		const run = await runNode(spec(type), [{}]);
		expect(run.json).toEqual([[{ insecure: false, answer: { ok: true } }]]);
		expect(run.decryptions).toEqual(['tinyApi', 'tinyApi']);
		expect(sent).toMatchObject([
			{
				method: 'POST',
				url: 'https://service.example.gr:9999/call',
				query: { name: 'Παπαδόπουλος' },
				headers: { 'x-key': 'secret' },
				body: '{"a":1}',
			},
		]);
	});

	it.each([
		['a refusal', { status: 500, body: { why: 'x' } }, { httpCode: '500' }],
		['a cut connection', { cut: 'ECONNRESET' }, { httpCode: 'ECONNRESET' }],
		['silence', { delayMs: 10_000 }, { httpCode: 'ECONNABORTED' }],
	])('plays %s', async (_, reply, expected) => {
		serve('POST', 'https://service.example.gr:9999/call', reply);
		const run = await runNode(spec(generic), [{}]);
		expect(run.status).toBe('error');
		expect(run.nodeError).toMatchObject(expected);
	});

	it('throws what the credential store throws', async () => {
		const run = await runNode({ ...spec(generic), credentials: { tinyApi: new Error('store is down') } }, [{}]);
		expect(run.error?.message).toBe('store is down');
	});

	it('stores what n8n would store, a secret in an error included', async () => {
		const leaky = tinyNode(async function () {
			const { key } = await this.getCredentials('tinyApi');
			throw Object.assign(new NodeOperationError(this.getNode(), 'leak'), { request: { body: key } });
		});
		const run = await runNode({ ...spec(generic), node: leaky }, [{}]);
		expect(run.stored).toContain('secret');
	});
});

describe('webhooks', () => {
	const tiny = (webhook: INodeType['webhook']): INodeType => ({
		description: {
			...echo.description,
			group: ['trigger'],
			inputs: [],
			webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'forward' }],
		},
		webhook,
	});

	it('notices a caller who is left without an answer', async () => {
		const node = new TestTrigger({ node: tiny(async () => ({ noWebhookResponse: true })) });
		await expect(node.call({ path: 'forward', body: {} })).rejects.toThrow('without an answer');
	});

	it('shows what a node throws as n8n shows it: an answer of its own', async () => {
		const node = new TestTrigger({ node: tiny(async () => Promise.reject(new Error('oops'))) });
		expect(await node.call({ path: 'forward', body: {} })).toMatchObject({ status: 500, thrown: { message: 'oops' } });
	});

	it('answers broken JSON as n8n does, before the node', async () => {
		const node = new TestTrigger({ node: tiny(async () => ({ webhookResponse: 'never' })) });
		const answer = await node.call({ path: 'forward', body: '{"MSISDN":' });
		expect([answer.status, answer.returned]).toEqual([422, undefined]);
	});

	it('refuses what it does not play of a request', async () => {
		const node = new TestTrigger({
			node: tiny(async function () {
				return { webhookResponse: (this.getRequestObject() as unknown as { secrets: string }).secrets };
			}),
		});
		expect((await node.call({ path: 'forward', body: {} })).thrown?.message).toContain('request.secrets');
	});
});

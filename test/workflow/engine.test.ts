import {
	NodeConnectionTypes,
	NodeOperationError,
	type ICredentialType,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
	type INodeType,
} from 'n8n-workflow';

import { logLines, processed, runNode, TestWorkflow } from './engine';
import { TestTrigger } from './webhook';
import { serve } from './wire';

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

const row = "={{ $json.row }}";

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
		const escape = await runNode(
			{ node: echo, parameters: { value: "={{ 'never ' + $json.constructor.name }}" } },
			[{}],
		);
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
		const run = await runNode(
			{ node: flaky, retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
			[{}],
		);
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
		const run = await runNode(
			{ ...spec(generic), credentials: { tinyApi: new Error('store is down') } },
			[{}],
		);
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

import { NodeOperationError, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { runNode, TestWorkflow } from './harness/engine';
import { tinyNode } from './harness/layout';
import { TestTrigger } from './harness/webhook';

/*
 * Tests the test harness: it detects mistakes of nodes, and simulates the behaviour of n8n.
 */

const tiny = (execute: INodeType['execute'], more: Partial<INodeTypeDescription> = {}) =>
	tinyNode('tiny', execute, { credentials: [{ name: 'smsPlatformApi' }], ...more });

const run = async (execute: INodeType['execute'], rows: Array<{ row?: string }> = [{}], more = {}) =>
	await runNode({ node: tiny(execute), ...more }, rows);

const forgets = { mode: 'entries', maxEntries: 3 } as const;
const record = async ({ helpers }: IExecuteFunctions, keys: string[], scope: 'node' | 'workflow' = 'node') => ({
	...(await helpers.checkProcessedAndRecord(keys, scope, forgets)),
});

describe('the simulated engine', () => {
	it('reports an item that is not linked to an input item', async () => {
		const { origins } = await run(
			async () => [[{ json: {}, pairedItem: { item: 7 } }, { json: {} }]],
			[{ row: 'a' }, {}],
		);
		expect(origins[0]?.[0]).toMatch(/no origin/);
	});

	it('throws an error for a function of n8n that it does not simulate', async () => {
		const { error } = await run(async function () {
			await this.executeWorkflow({ id: '1' });
			return [[]];
		});
		expect(error?.message).toContain('additionalData.executeWorkflow');
	});

	it('stores the execution data that n8n stores, including a secret in an error', async () => {
		const { stored } = await run(async function () {
			throw Object.assign(new NodeOperationError(this.getNode(), 'leak'), { request: { body: 'secret' } });
		});
		expect(stored).toContain('secret');
	});

	it('keeps static data and processed keys between runs, and drops the oldest keys as n8n does', async () => {
		const remembering = tiny(async function () {
			const data = this.getWorkflowStaticData('node');
			data.runs = Number(data.runs ?? 0) + 1;
			const keys = this.getInputData().map(({ json }) => json.row as string);
			return [[{ json: { runs: data.runs, ...(await record(this, keys)) } }]];
		});
		const workflow = new TestWorkflow({ node: remembering });
		await workflow.run([{ row: 'a' }, { row: 'b' }]);
		const second = await workflow.run([{ row: 'b' }, { row: 'c' }, { row: 'd' }]);
		expect(second.json[0]).toEqual([{ runs: 2, new: ['c', 'd'], processed: ['b'] }]);
		const third = await workflow.run([{ row: 'a' }]);
		expect(third.json[0]).toEqual([{ runs: 3, new: ['a'], processed: [] }]);
	});

	it.each([
		['node', { new: ['a'], processed: [] }],
		['workflow', { new: [], processed: ['a'] }],
	] as const)('keeps processed keys of the scope "%s" for the same nodes as n8n does', async (scope, ofAnotherNode) => {
		const remember: INodeType['execute'] = async function () {
			return [[{ json: await record(this, ['a'], scope) }]];
		};
		expect((await run(remember)).json).toEqual([[{ new: ['a'], processed: [] }]]);
		// Each run has a new node in the same workflow.
		expect((await run(remember)).json).toEqual([[ofAnotherNode]]);
	});

	it('removes only one of the two entries of a key that one call recorded twice, as n8n does', async () => {
		const { json } = await run(async function () {
			await record(this, ['a', 'a']);
			await this.helpers.removeProcessed(['a'], 'node', forgets);
			return [[{ json: await record(this, ['a']) }]];
		});
		expect(json).toEqual([[{ new: [], processed: ['a'] }]]);
	});
});

describe('simulated webhooks', () => {
	const call = async (webhook: INodeType['webhook'], body: unknown = {}) => {
		const webhooks = [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'forward' } as const];
		const node = { ...tiny(undefined, { group: ['trigger'], inputs: [], webhooks }), webhook };
		return await new TestTrigger({ node }).call({ path: 'forward', body });
	};

	it('report a request that gets no answer', async () => {
		await expect(call(async () => ({ noWebhookResponse: true }))).rejects.toThrow('without an answer');
	});

	it("answer a node's exception as n8n does", async () => {
		const answer = await call(async () => Promise.reject(new Error('oops')));
		expect(answer).toMatchObject({ status: 500, thrown: { message: 'oops' } });
	});

	it('answer broken JSON as n8n does, before the node runs', async () => {
		const { status, returned } = await call(async () => ({ webhookResponse: 'never' }), '{"MSISDN":');
		expect([status, returned]).toEqual([422, undefined]);
	});

	it('throw for parts of a request that are not simulated', async () => {
		const { thrown } = await call(async function () {
			return { webhookResponse: (this.getRequestObject() as unknown as { secrets: string }).secrets };
		});
		expect(thrown?.message).toContain('request.secrets');
	});
});

import type { IDataObject } from 'n8n-workflow';
import { call, report, success } from './calls';
import { items, until, type WorkflowFile } from './n8n';
import { after, otherRecipient, recipient, row, uuid, waitingIn } from './waiting';
import { builtIn, chain, withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

/** Send and Wait takes one item; with more of them there are two ways of n8n's own, which its refusal names. */
const world = useWorld();
const { waitNode, press, paused, finished, addressOf } = waitingIn(world);

describe('Loop Over Items', () => {
	/** One round of the loop for each row. */
	const looped = (rows: IDataObject[]): WorkflowFile => {
		const loop = builtIn('n8n-nodes-base.splitInBatches', 'loop', 3, { batchSize: 1 });
		const workflow = withRows(rows, loop, waitNode());
		workflow.nodes.push(after());
		workflow.connections.loop = {
			main: [[{ node: 'after', type: 'main', index: 0 }], [{ node: 'smsSend', type: 'main', index: 0 }]],
		};
		workflow.connections.smsSend = { main: [[{ node: 'loop', type: 'main', index: 0 }]] };
		return workflow;
	};

	test('sends and waits for each in turn', async () => {
		Object.assign(world.sandbox.trouble, { report: 'twice' });
		const execution = await finished(await press(looped([row(), row({ recipient: otherRecipient })])));
		await world.sandbox.settled();

		expect([execution.status, execution.result.error?.message]).toEqual(['success', undefined]);
		expect(
			items(execution, 0, 'after').map(({ delivered, recipient: to, reference }) => [delivered, to, reference]),
		).toEqual([recipient, otherRecipient].map((to) => [true, to, expect.stringMatching(uuid)]));
		expect(world.sandbox.messages.map((message) => message.recipient)).toEqual([recipient, otherRecipient]);
	});

	test("the first message's report is not taken for the second's", async () => {
		Object.assign(world.sandbox.trouble, { report: 'lost' });
		const run = await press(looped([row(), row({ number: '18' })]));
		await until('the first was sent', () => world.sandbox.messages.length === 1);
		await paused(run);
		expect(await call(addressOf(0), report())).toEqual([200, success]);
		await until('the second was sent', () => world.sandbox.messages.length === 2);
		await paused(run);
		// The platform repeats its report on the first, to the same person and of the same service.
		await call(addressOf(0), report());
		await call(addressOf(1), report({ status: 'ERROR', error: '27' }));
		const execution = await finished(run);

		expect(items(execution, 0, 'after').map(({ status }) => status)).toEqual(['DELIVRD', 'ERROR']);
	});
});

test.each([true, false])(
	'a sub-workflow that is called for each item: each goes on with its own report (its caller waits: %s)',
	async (waitForSubWorkflow) => {
		Object.assign(world.sandbox.trouble, { report: 'lost' });
		const called = builtIn('n8n-nodes-base.executeWorkflowTrigger', 'Start', 1.1, { inputSource: 'passthrough' });
		const subId = await world.n8n.addWorkflow(chain('sub', called, waitNode(), after()));
		await world.n8n.publish(subId);
		const caller = builtIn('n8n-nodes-base.executeWorkflow', 'each', 1.2, {
			workflowId: { __rl: true, mode: 'id', value: subId },
			mode: 'each',
			options: { waitForSubWorkflow },
		});
		const run = await press(withRows([row(), row({ recipient: otherRecipient })], caller));
		const subRuns = await until('both are paused', async () => {
			const executions = await world.n8n.executions(subId);
			return executions.length === 2 && executions.every(({ status }) => status === 'waiting') && executions;
		});
		expect(world.sandbox.messages.map((message) => message.recipient).sort()).toEqual([recipient, otherRecipient]);
		for (const { dlrUrl, recipient: to } of world.sandbox.messages) {
			const failed = to === otherRecipient ? { status: 'ERROR', error: '27' } : {};
			expect(await call(dlrUrl, report({ recipient: to, ...failed }))).toEqual([200, success]);
		}
		const ends = await Promise.all(
			subRuns.map(async ({ id }) => await finished({ workflowId: subId, executionId: id })),
		);

		expect(ends.map((execution) => items(execution, 0, 'after')[0]?.status).sort()).toEqual(['DELIVRD', 'ERROR']);
		expect((await finished(run)).status).toBe('success');
	},
);

keysStaySecret(world);

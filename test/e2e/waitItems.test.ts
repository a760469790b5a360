import { call, report, success } from './calls';
import { items, until } from './n8n';
import { after, otherRecipient, recipient, row, uuid, waitingIn } from './waiting';
import { builtIn, chain, withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

/** Send and Wait takes one item; with more of them there are two ways of n8n's own, which its refusal names. */
const world = useWorld();
const { waitNode, press, finished } = waitingIn(world);

test('Loop Over Items: sends and waits for each in turn', async () => {
	Object.assign(world.sandbox.trouble, { report: 'twice' });
	const loop = builtIn('n8n-nodes-base.splitInBatches', 'loop', 3, { batchSize: 1 });
	const workflow = withRows([row(), row({ recipient: otherRecipient })], loop, waitNode());
	workflow.nodes.push(after());
	workflow.connections.loop = {
		main: [[{ node: 'after', type: 'main', index: 0 }], [{ node: 'smsSend', type: 'main', index: 0 }]],
	};
	workflow.connections.smsSend = { main: [[{ node: 'loop', type: 'main', index: 0 }]] };
	const execution = await finished(await press(workflow));
	await world.sandbox.settled();

	expect([execution.status, execution.result.error?.message]).toEqual(['success', undefined]);
	expect(
		items(execution, 0, 'after').map(({ delivered, recipient: to, reference }) => [delivered, to, reference]),
	).toEqual([recipient, otherRecipient].map((to) => [true, to, expect.stringMatching(uuid)]));
	expect(world.sandbox.messages.map((message) => message.recipient)).toEqual([recipient, otherRecipient]);
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

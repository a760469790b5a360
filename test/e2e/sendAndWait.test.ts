import { randomUUID } from 'node:crypto';
import { call, refused, report, success } from './calls';
import { items, outputs, until } from './n8n';
import { servers } from './queue';
import { after, expectOutcome, otherRecipient, outcome, recipient, row, timeOutMs, uuid, waitingIn } from './waiting';
import { builtIn, chain, withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

/** Checks Send and Wait in a real n8n. workflow/waits covers other contents of reports, and other calls that don't end a wait. */
const world = useWorld();
const { waitNode, press, stored, paused, finished, answersToReports, addressOf, pause, expectStillWaiting } =
	waitingIn(world);

describe('the final delivery report of a message ends the wait', () => {
	test('after reports with intermediate statuses', async () => {
		Object.assign(world.sandbox.trouble, { report: 'intermediate' });
		const run = await press(withRows([row()], waitNode(), after()));

		expectOutcome(await finished(run), outcome());
		await world.sandbox.settled();
		expect(answersToReports().filter((status) => status === 200)).toHaveLength(3);
	});

	test('in a production execution that was started by a webhook', async () => {
		const webhook = {
			...builtIn('n8n-nodes-base.webhook', 'Start', 2, { path: randomUUID(), httpMethod: 'POST' }),
			webhookId: randomUUID(),
		};
		const send = waitNode({
			recipient: '={{ $json.body.recipient }}',
			options: { replacements: '={{ [$json.body.number] }}' },
		});
		const workflowId = await world.n8n.addWorkflow(chain('production', webhook, send));
		await world.n8n.publish(workflowId);
		const [status] = await call(`${world.n8n.url}/webhook/${String(webhook.parameters.path)}`, row());
		const { id: executionId } = await until(
			'the execution has begun',
			async () => (await world.n8n.executions(workflowId))[0],
		);
		const execution = await finished({ workflowId, executionId });

		expect(status).toBe(200);
		expect([execution.mode, execution.status]).toEqual(['webhook', 'success']);
		expect(items(execution)).toEqual([outcome()]);
	});
});

test('Send and Wait accepts a delivery report from a proxy that changes the Host header', async () => {
	const run = await pause();
	const [status] = await call(addressOf(), report(), { headers: { host: 'internal.example.gr' } });

	expect(status).toBe(200);
	expectOutcome(await finished(run), outcome());
});

describe('a delivery report that arrives before n8n has stored the waiting execution', () => {
	test('is rejected if it comes before the response to the send request, and a later report ends the wait', async () => {
		Object.assign(world.sandbox.trouble, { report: 'early' });
		const run = await press(withRows([row()], waitNode(), after()));
		await paused(run);
		await world.sandbox.settled();
		const early = answersToReports();

		// n8n answers an early report with 409, or with 500 if it has stored no data of the execution yet.
		expect(early.length).toBeGreaterThan(1);
		expect(early.filter((status) => status < 400)).toEqual([]);
		await expectStillWaiting(run);
	});

	test('is not lost if it comes immediately after the response to the send request', async () => {
		Object.assign(world.sandbox.trouble, { reportDelayMs: 0 });
		const run = await press(withRows([row()], waitNode(), after()));
		const execution = await finished(run);
		expectOutcome(execution, outcome());
		expect(outputs(execution, 'smsSend')[0]![0]!.pairedItem).toEqual({ item: 0 });
		expect(world.sandbox.messages).toEqual([
			expect.objectContaining({ serviceId: '102', messageId: '1', recipient, text: 'Η αίτηση 17 εγκρίθηκε.' }),
		]);
		await world.sandbox.settled();
		const answers = answersToReports();

		expect(answers.at(-1)).toBe(200);
		expect(answers.slice(0, -1).filter((status) => status < 400)).toEqual([]);
	});
});

describe("only the platform's report ends the wait, and only once", () => {
	test('so a call whose URL differs from the one that n8n has signed gets 401', async () => {
		const run = await pause();
		const changes: Array<(query: URLSearchParams) => void> = [
			(query) => query.set('signature', '0'.repeat(64)),
			(query) => query.delete('signature'),
			(query) => query.set('extra', '1'),
		];
		for (const change of changes) {
			const forged = new URL(addressOf());
			change(forged.searchParams);
			const [status, answer] = await call(forged.href, report());
			expect(status).toBe(401);
			expect(answer).not.toEqual(success);
		}
		// With the report's fields in its query, the URL differs from the signed one.
		const get = new URL(addressOf());
		for (const [name, value] of Object.entries(report())) get.searchParams.set(name, value as string);
		expect((await call(get.href, '', { method: 'GET', contentType: '' }))[0]).toBe(401);
		await expectStillWaiting(run);
	});

	test('so a call with the signature of another execution gets 401', async () => {
		const [first, second] = [await pause(), await pause()];
		const address = new URL(addressOf(0));
		address.search = new URL(addressOf(1)).search;

		expect((await call(address.href, report()))[0]).toBe(401);
		expect([(await stored(first))?.status, (await stored(second))?.status]).toEqual(['waiting', 'waiting']);
		await call(addressOf(0), report());
		await call(addressOf(1), report());
		expectOutcome(await finished(first), outcome());
		expectOutcome(await finished(second), outcome());
	});

	test('so a repeated report changes nothing after the execution continued, whatever its status is', async () => {
		const run = await pause();
		await call(addressOf(), report());
		const [during] = await call(addressOf(), report());
		expectOutcome(await finished(run), outcome());
		const [afterwards] = await call(addressOf(), report());
		const [contrary] = await call(addressOf(), report({ status: 'ERROR', error: '27' }));

		// While the execution is in progress, the response may be 409. The platform then calls again, and gets a success.
		expect([200, 409]).toContain(during);
		expect([afterwards, contrary]).toEqual([200, 200]);
		expectOutcome(await finished(run), outcome());
	});
});

describe('Send and Wait survives a stop of n8n', () => {
	// e2e/host.test.ts covers an ordinary restart.
	test('so that a delivery report ends the wait after n8n was killed and started again', async () => {
		const run = await pause();
		await world.n8n.kill();
		// There is no response, or a proxy responds instead of n8n.
		expect((await call(addressOf(), report()).catch(() => [503]))[0]).toBeGreaterThanOrEqual(500);
		await world.n8n.start();

		expect(await call(addressOf(), report({ recipient: otherRecipient }))).toEqual([401, refused('INVALID_SIGNATURE')]);
		await expectStillWaiting(run);
	}, 180_000);

	test('so that its time limit ends the wait, even if the limit is reached while n8n is stopped; in queue mode n8n marks the execution as crashed', async () => {
		const run = await pause({ options: { maxWaitMinutes: 0.02, reference: 'αίτηση 12' } });
		await world.n8n.restart();
		const execution = await finished(run, timeOutMs);

		// In queue mode n8n continues such an execution before its queue exists, and then treats it as crashed.
		if (servers) expect(execution.status).toBe('crashed');
		else
			expectOutcome(
				execution,
				outcome({ delivered: false, status: 'TIMEOUT', reference: 'αίτηση 12', waitId: expect.any(String) as string }),
			);
		expect(world.sandbox.accepted(recipient)).toBe(1);
	}, 240_000);
});

describe('Send and Wait processes several items in the two ways that its error message advises', () => {
	test('with Loop Over Items, one after the other', async () => {
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
		'with a sub-workflow for each item, which continues with its own report (Wait for Sub-Workflow Completion: %s)',
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
			const subRuns = await until('both executions wait', async () => {
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
});

keysStaySecret(world);

import { randomUUID } from 'node:crypto';
import { call, refused, report, success } from './calls';
import { items, outputs, until } from './n8n';
import { servers } from './queue';
import { after, expectOutcome, otherRecipient, outcome, recipient, row, timeOutMs, uuid, waitingIn } from './waiting';
import { builtIn, chain, withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

/** Send and Wait in a real n8n; what else a report says, and what else ends no wait, is for workflow/waits. */
const world = useWorld();
const { waitNode, press, stored, paused, finished, answersToReports, addressOf, pause, expectStillWaiting } =
	waitingIn(world);

describe('the report of a message ends the wait', () => {
	test('after intermediate statuses as the platform sends them, at its own pace', async () => {
		Object.assign(world.sandbox.trouble, { report: 'intermediate' });
		const run = await press(withRows([row()], waitNode(), after()));

		expectOutcome(await finished(run), outcome());
		await world.sandbox.settled();
		expect(answersToReports().filter((status) => status === 200)).toHaveLength(3);
	});

	test('in an execution that a webhook started in production', async () => {
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

test('accepts a report behind a proxy that names another host', async () => {
	const run = await pause();
	const [status] = await call(addressOf(), report(), { headers: { host: 'internal.example.gr' } });

	expect(status).toBe(200);
	expectOutcome(await finished(run), outcome());
});

describe('a report that arrives before n8n has stored the pause', () => {
	test('is rejected even before the answer to the send, and accepted when the platform calls again', async () => {
		Object.assign(world.sandbox.trouble, { report: 'early' });
		const run = await press(withRows([row()], waitNode(), after()));
		await paused(run);
		await world.sandbox.settled();
		const early = answersToReports();

		// 409, or 500 if n8n has not stored anything of the run yet.
		expect(early.length).toBeGreaterThan(1);
		expect(early.filter((status) => status < 400)).toEqual([]);
		await expectStillWaiting(run);
	});

	test('is not lost right after the answer to the send', async () => {
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
	test("a call without n8n's own signature on the whole URL gets 401", async () => {
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
		// With the fields in the URL, n8n has signed another one.
		const get = new URL(addressOf());
		for (const [name, value] of Object.entries(report())) get.searchParams.set(name, value as string);
		expect((await call(get.href, '', { method: 'GET', contentType: '' }))[0]).toBe(401);
		await expectStillWaiting(run);
	});

	test("a call with another run's signature gets 401", async () => {
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

	test('the same report is harmless after the run continued, with any status', async () => {
		const run = await pause();
		await call(addressOf(), report());
		const [during] = await call(addressOf(), report());
		expectOutcome(await finished(run), outcome());
		const [afterwards] = await call(addressOf(), report());
		const [contrary] = await call(addressOf(), report({ status: 'ERROR', error: '27' }));

		// 409 while the run is in progress. The platform calls again, and then gets a success.
		expect([200, 409]).toContain(during);
		expect([afterwards, contrary]).toEqual([200, 200]);
		expectOutcome(await finished(run), outcome());
	});
});

describe('the wait survives a stop of n8n', () => {
	// After an ordinary restart, e2e/host does.
	test('a report resumes the run after a kill and a start', async () => {
		const run = await pause();
		await world.n8n.kill();
		// There is no answer, or a proxy answers in place of n8n.
		expect((await call(addressOf(), report()).catch(() => [503]))[0]).toBeGreaterThanOrEqual(500);
		await world.n8n.start();

		expect(await call(addressOf(), report({ recipient: otherRecipient }))).toEqual([401, refused('INVALID_SIGNATURE')]);
		await expectStillWaiting(run);
	}, 180_000);

	test('its time limit passes while n8n is down', async () => {
		const run = await pause({ options: { maxWaitMinutes: 0.02, reference: 'αίτηση 12' } });
		await world.n8n.restart();
		const execution = await finished(run, timeOutMs);

		// In queue mode n8n continues such a run before its queue exists, and then treats it as lost.
		if (servers) expect(execution.status).toBe('crashed');
		else
			expectOutcome(
				execution,
				outcome({ delivered: false, status: 'TIMEOUT', reference: 'αίτηση 12', waitId: expect.any(String) as string }),
			);
		expect(world.sandbox.accepted(recipient)).toBe(1);
	}, 240_000);
});

describe('for several items, in the two ways that the error advises', () => {
	test('Loop Over Items sends and waits for each in turn', async () => {
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
		'a sub-workflow for each item continues with its own report (its caller waits: %s)',
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
});

keysStaySecret(world);

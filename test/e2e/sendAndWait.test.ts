import { randomUUID } from 'node:crypto';
import { startSandbox, type Sandbox } from '../../sandbox/server';
import { call, report } from './calls';
import { items, outputs, until } from './n8n';
import { signsHost } from './versions';
import { after, expectOutcome, outcome, recipient, row, timeOutMs, waitingIn, type Run } from './waiting';
import { builtIn, chain, withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

const world = useWorld();
const { waitNode, press, paused, finished, answersToReports, addressOf, pause, expectStillWaiting } = waitingIn(world);

/** Two waits that no report ends. n8n looks once a minute, so they begin before the first test and are looked at after the last. */
const endByTime = {} as { without: Run; unknown: Run; platform: Sandbox };
beforeAll(async () => {
	// With a platform of their own, which nothing empties between the tests.
	const platform = await startSandbox();
	const smsPlatformApi = await world.n8n.addCredential('smsPlatformApi', {
		...world.smsPlatformApi(),
		baseUrl: platform.url,
	});
	const begin = async (): Promise<Run> => {
		const node = waitNode({ options: { maxWaitMinutes: 0.05 } }, { credentials: { smsPlatformApi } });
		const workflow = withRows([row()], node, after());
		workflow.pinData!.Start![0]!.binary = { id: { data: 'eA==', mimeType: 'text/plain', fileName: 'id.txt' } };
		const run = await press(workflow);
		await paused(run);
		return run;
	};
	Object.assign(platform.trouble, { report: 'lost' });
	const without = await begin();
	Object.assign(platform.trouble, { answer: 'cutAfter' });
	Object.assign(endByTime, { without, unknown: await begin(), platform });
}, 120_000);
afterAll(async () => await endByTime.platform?.close());

describe('the report of the message ends the wait', () => {
	test('delivered', async () => {
		const run = await press(withRows([row()], waitNode(), after()));
		const execution = await finished(run);
		await world.sandbox.settled();

		expectOutcome(execution, outcome());
		expect(outputs(execution, 'smsSend')[0]![0]!.pairedItem).toEqual({ item: 0 });
		expect(world.sandbox.messages).toEqual([
			expect.objectContaining({ serviceId: '102', messageId: '1', recipient, text: 'Η αίτηση 17 εγκρίθηκε.' }),
		]);
		expect(answersToReports().at(-1)).toBe(200);
	});

	test('failed, with the code of the carrier', async () => {
		Object.assign(world.sandbox.trouble, { reportError: '27' });
		const run = await press(withRows([row()], waitNode({ options: { reference: 'αίτηση 12/β' } }), after()));

		expectOutcome(
			await finished(run),
			outcome({ delivered: false, status: 'ERROR', errorCode: '27', reference: 'αίτηση 12/β' }),
		);
	});

	test('intermediate statuses as the platform sends them, at its own pace', async () => {
		Object.assign(world.sandbox.trouble, { report: 'intermediate' });
		const run = await press(withRows([row()], waitNode(), after()));

		expectOutcome(await finished(run), outcome());
		await world.sandbox.settled();
		expect(answersToReports().filter((status) => status === 200)).toHaveLength(3);
	});

	test('started by a webhook in production', async () => {
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

test('behind a proxy that names another host: n8n 1 takes the host for a part of what it signed', async () => {
	const run = await pause();
	const [status] = await call(addressOf(), report(), { headers: { host: 'internal.example.gr' } });

	expect(status).toBe(signsHost ? 401 : 200);
	if (signsHost) await expectStillWaiting(run);
	else expectOutcome(await finished(run), outcome());
});

describe('a report that comes before n8n has stored the pause', () => {
	test('even before the send was answered: refused, and let through when the platform calls again', async () => {
		Object.assign(world.sandbox.trouble, { report: 'early' });
		const run = await press(withRows([row()], waitNode(), after()));
		await paused(run);
		await world.sandbox.settled();
		const early = answersToReports();

		// 409, or 500 where n8n has not stored anything of the run yet.
		expect(early.length).toBeGreaterThan(1);
		expect(early.filter((status) => status < 400)).toEqual([]);
		await expectStillWaiting(run);
	});

	test('right after the send was answered: no report is lost', async () => {
		Object.assign(world.sandbox.trouble, { reportDelayMs: 0 });
		const run = await press(withRows([row()], waitNode(), after()));
		expectOutcome(await finished(run), outcome());
		await world.sandbox.settled();
		const answers = answersToReports();

		expect(answers.at(-1)).toBe(200);
		expect(answers.slice(0, -1).filter((status) => status < 400)).toEqual([]);
	});
});

describe('the wait ends by time', () => {
	test(
		'without a report; one that comes later changes nothing',
		async () => {
			const { without, platform } = endByTime;
			const timedOut = outcome({ delivered: false, status: 'TIMEOUT', waitId: expect.any(String) as string });
			const execution = await finished(without, timeOutMs);
			expectOutcome(execution, timedOut);
			expect(outputs(execution, 'smsSend')[0]![0]).not.toHaveProperty('binary');
			expect(outputs(execution, 'Start')[0]![0]).toHaveProperty('binary');
			const [status] = await call(platform.messages[0]!.dlrUrl, report());

			expect(status).toBe(200);
			expectOutcome(await finished(without), timedOut);
		},
		timeOutMs + 30_000,
	);

	test(
		'without a report on a message whose answer was lost: nobody knows whether it was taken',
		async () => {
			const execution = await finished(endByTime.unknown, timeOutMs);

			expectOutcome(
				execution,
				outcome({
					delivered: false,
					status: 'TIMEOUT',
					unknown: true,
					notice: expect.stringContaining('Δεν είναι γνωστό') as string,
					waitId: expect.any(String) as string,
				}),
			);
			expect(endByTime.platform.accepted(recipient)).toBe(2);
		},
		timeOutMs + 30_000,
	);
});

keysStaySecret(world);

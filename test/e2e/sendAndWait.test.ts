import { randomUUID } from 'node:crypto';
import { call, report } from './calls';
import { items, outputs, until } from './n8n';
import { signsHost } from './versions';
import { after, expectOutcome, outcome, recipient, row, waitingIn } from './waiting';
import { builtIn, chain, withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

const world = useWorld();
const { waitNode, press, paused, finished, answersToReports, addressOf, pause, expectStillWaiting } = waitingIn(world);

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

keysStaySecret(world);

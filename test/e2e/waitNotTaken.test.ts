import type { INode } from 'n8n-workflow';
import { taskOf, until } from './n8n';
import { after, call, expectOutcome, items, outcome, recipient, report, row, uuid, waitingIn } from './waiting';
import { withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

/** Send and Wait where the platform did not take the message, or nobody knows whether it did. */
const world = useWorld();
const { waitNode, press, finished, bodies, addressOf, pause, expectStillWaiting } = waitingIn(world);

describe('a message that was not taken is not waited for', () => {
	const retries: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };

	test('refused by the platform: the run fails, in its words', async () => {
		const execution = await world.n8n.execute(withRows([row()], waitNode({ serviceId: '999' }), after()));

		expect(execution.status).toBe('error');
		expect(taskOf(execution, 'smsSend').error?.message).toMatch(/E-002.*Unknown Service/);
		expect(world.sandbox.messages).toEqual([]);
	});

	test.each([
		['continueRegularOutput', 0],
		['continueErrorOutput', 1],
	] as const)('refused, with On Error %s: an error item', async (onError, branch) => {
		const execution = await world.n8n.execute(withRows([row()], waitNode({ serviceId: '999' }, { onError })));

		expect(execution.status).toBe('success');
		expect(items(execution, 1 - branch)).toEqual([]);
		expect(items(execution, branch)).toEqual([
			{
				...(branch === 1 && row()),
				error: expect.stringMatching(/E-002.*Unknown Service/),
				message: expect.any(String),
				details: {
					...{ outcome: 'rejected', recipient, errorCode: 'E-002', reference: expect.stringMatching(uuid) },
					...{ reason: 'refused', notice: expect.stringContaining('E-002') },
				},
			},
		]);
	});

	test('refused at first and taken when n8n tries again: one message, and the wait begins', async () => {
		Object.assign(world.sandbox.trouble, { answer: 'refuse', times: 1 });
		const run = await press(withRows([row()], waitNode({}, retries), after()));

		expectOutcome(await finished(run), outcome());
		expect(world.sandbox.accepted(recipient)).toBe(1);
		expect(bodies()).toHaveLength(2);
	});

	test('the same message again is sent again, unless the node is to skip it', async () => {
		const run = await press(withRows([row()], waitNode(), after()));
		await finished(run);
		const executionId = await world.n8n.begin(run.workflowId);

		expectOutcome(await finished({ ...run, executionId }), outcome());
		expect(world.sandbox.accepted(recipient)).toBe(2);
	});

	test('a duplicate', async () => {
		const workflow = withRows([row()], waitNode({ ifAlreadySent: 'skip' }));
		const first = await press(workflow);
		const reference = expect.stringMatching(/^[\w-]{22}$/) as string;
		expect(items(await finished(first))).toEqual([outcome({ reference })]);
		const executionId = await world.n8n.begin(first.workflowId);
		const second = await finished({ workflowId: first.workflowId, executionId });

		expect(items(second)).toEqual([
			{
				accepted: false,
				skipped: true,
				skipReason: 'sentBefore',
				reference,
				serviceId: '102',
				messageId: '1',
				text: 'Η αίτηση 17 εγκρίθηκε.',
				segments: 1,
				recipient,
				notice: expect.stringContaining('έχει ήδη σταλεί'),
			},
		]);
		expect(world.sandbox.accepted(recipient)).toBe(1);
	});
});

describe('the answer to the send was lost: a report proves that the message was taken', () => {
	const retries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };

	test.each([
		['stopWorkflow', {}],
		['continueErrorOutput', {}],
		['stopWorkflow', retries],
		['continueRegularOutput', retries],
	] as const)('it is waited for, and not sent again (On Error: %s, %j)', async (onError, again) => {
		Object.assign(world.sandbox.trouble, { answer: 'cutAfter', times: 1 });
		const run = await pause({}, { onError, ...again });
		await expectStillWaiting(run);

		expect(bodies()).toHaveLength(1);
	});

	test('no answer in time', async () => {
		Object.assign(world.sandbox.trouble, { delayMs: 2500, report: 'lost' });
		const run = await pause({ options: { timeout: 1 } });
		await until('the platform has taken it', () => world.sandbox.accepted(recipient) > 0);
		await expectStillWaiting(run);
	});

	test('reported as failed', async () => {
		Object.assign(world.sandbox.trouble, { answer: 'cutAfter' });
		const run = await pause();
		await call(addressOf(), report({ status: 'ERROR', error: '27' }));

		expectOutcome(await finished(run), outcome({ delivered: false, status: 'ERROR', errorCode: '27' }));
	});
});

test('a credential that is deleted while it waits: the report ends the wait', async () => {
	const smsPlatformApi = await world.n8n.addCredential('smsPlatformApi', world.smsPlatformApi());
	const run = await pause({}, { credentials: { smsPlatformApi } });
	await world.n8n.rest('DELETE', `/credentials/${smsPlatformApi.id}`);

	await expectStillWaiting(run);
});

keysStaySecret(world);

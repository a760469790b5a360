import type { IDataObject, INode } from 'n8n-workflow';
import { outputs } from './n8n';
import { counted, listIn, middle, rows } from './oneList';
import { servers } from './queue';
import { mobile, sendingIn } from './sending';
import { builtIn, chain, withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

/*
 * Uses SMS Send with the default parameters of a new node. After double clicks, retries and corrections, each person has got the
 * message exactly once in the end, unless its outcome is unknown.
 */
const world = useWorld();
const { arrivals } = sendingIn(world);
const { smsSend, publishCalled, retry, trouble, cured, taken, notOnce, twice, leftOut } = listIn(world);

/** Two workers overwrite each other's records of sent messages, as docs/scale.md explains, so queue mode skips these tests. */
const inOneProcess = servers ? test.skip : test;

describe('two simultaneous runs send each message once', () => {
	inOneProcess('after a double click in the editor', async () => {
		const id = await world.n8n.addWorkflow(withRows(rows, smsSend()));
		await Promise.all([world.n8n.begin(id), world.n8n.begin(id)]);
		const executions = await world.n8n.executionsWhenEnded(id, 2);

		expect(executions.map(({ status, result }) => [status, result.error?.message])).toEqual(
			executions.map(() => ['success', undefined]),
		);
		expect(notOnce()).toEqual({});
		const [one, other] = executions.map(counted);
		expect(one!.accepted + other!.accepted).toBe(rows.length);
		expect(one!.skipped + other!.skipped).toBe(rows.length);
	});

	inOneProcess('after two calls of a published workflow', async () => {
		const { id, call } = await publishCalled(smsSend());
		await Promise.all([call(rows), call(rows)]);
		await world.n8n.executionsWhenEnded(id, 2);

		expect(notOnce()).toEqual({});
	});

	inOneProcess('after a double click while the platform rejects one message, which the next run sends', async () => {
		trouble({ answer: 'refuse', recipient: mobile(middle) });
		const id = await world.n8n.addWorkflow(withRows(rows, smsSend({ onError: 'continueRegularOutput' })));
		await Promise.all([world.n8n.begin(id), world.n8n.begin(id)]);
		await world.n8n.executionsWhenEnded(id, 2);
		const before = notOnce();
		cured();
		const third = await world.n8n.executeSaved(id);

		expect(before).toEqual({ [middle]: 0 });
		expect(notOnce()).toEqual({});
		expect(counted(third)).toEqual({ accepted: 1, skipped: rows.length - 1, unknown: 0 });
	});
});

describe("n8n's Retry button", () => {
	/** Returns a run that stopped because the platform rejected a row. The platform accepts the row from now on. */
	const stopped = async (): Promise<{ workflowId: string; executionId: string }> => {
		trouble({ answer: 'refuse', recipient: mobile(middle) });
		const { id, call } = await publishCalled(smsSend());
		await call(rows);
		const [execution] = await world.n8n.executionsWhenEnded(id, 1);
		expect(execution!.status).toBe('error');
		expect(twice()).toEqual([]);
		expect(leftOut()).toBeGreaterThan(0);
		cured();
		return { workflowId: id, executionId: execution!.id };
	};

	test.each([
		['of the failed run', false],
		['as it is saved now', true],
	])('sends the remaining messages with the workflow %s', async (_, current) => {
		const { workflowId, executionId } = await stopped();
		await retry(executionId, current);
		const [, second] = await world.n8n.executionsWhenEnded(workflowId, 2);

		expect([second!.mode, second!.status]).toEqual(['retry', 'success']);
		expect(notOnce()).toEqual({});
	});

	test('sends no message twice if it is pressed several times for the same run', async () => {
		const { workflowId, executionId } = await stopped();
		for (const current of [true, false, true]) await retry(executionId, current);
		await world.n8n.executionsWhenEnded(workflowId, 4);

		expect(notOnce()).toEqual({});
	});

	inOneProcess('sends no message twice if it is pressed again while the first retry is in progress', async () => {
		const { workflowId, executionId } = await stopped();
		await Promise.all([retry(executionId, true), retry(executionId, true), retry(executionId, false)]);
		await world.n8n.executionsWhenEnded(workflowId, 4);

		expect(notOnce()).toEqual({});
	});

	test('sends all messages as soon as the platform no longer rejects them', async () => {
		trouble({ answer: 'refuse' });
		const { id, call } = await publishCalled(smsSend());
		await call(rows);
		const [first] = await world.n8n.executionsWhenEnded(id, 1);
		await retry(first!.id, true);
		const [, second] = await world.n8n.executionsWhenEnded(id, 2);
		expect(world.sandbox.messages).toEqual([]);
		cured();
		await retry(second!.id, true);
		await world.n8n.executionsWhenEnded(id, 3);

		expect(notOnce()).toEqual({});
	});
});

describe('a corrected list', () => {
	const changedAt = (at: number, changes: IDataObject): IDataObject[] =>
		rows.map((row, index) => (index === at ? { ...row, ...changes } : row));
	const changed = async (workflowId: string, list: IDataObject[]): Promise<void> => {
		const { pinData } = withRows(list);
		const { versionId } = await world.n8n.rest<{ versionId: string }>('GET', `/workflows/${workflowId}`);
		await world.n8n.rest('PATCH', `/workflows/${workflowId}`, { pinData, versionId });
	};

	test.each([
		['with a landline', { recipient: '2101234567' }],
		['with an empty cell', { Βαθμός: '' }],
		['with a number that the platform does not know', { recipient: 'nobody' }],
	])('that the first run got %s sends only the unsent messages in the next run', async (_, mistake) => {
		const id = await world.n8n.addWorkflow(withRows(changedAt(middle, mistake), smsSend()));
		const first = await world.n8n.executeSaved(id);
		expect(first.status).toBe('error');
		expect(taken()[middle]).toBe(0);
		await changed(id, rows);
		const second = await world.n8n.executeSaved(id);

		expect(second.status).toBe('success');
		expect(notOnce()).toEqual({});
	});

	test('with another grade for one person sends a second message only to that person', async () => {
		const id = await world.n8n.addWorkflow(withRows(rows, smsSend()));
		await world.n8n.executeSaved(id);
		await changed(id, changedAt(3, { Βαθμός: 10 }));
		const second = await world.n8n.executeSaved(id);

		expect(counted(second)).toEqual({ accepted: 1, skipped: rows.length - 1, unknown: 0 });
		expect(notOnce()).toEqual({ 3: 2 });
	});
});

describe("n8n's Retry On Fail", () => {
	const tries: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };

	test('on a node that calls a sub-workflow sends no message twice, and the next run sends the rejected message', async () => {
		const called = builtIn('n8n-nodes-base.executeWorkflowTrigger', 'Start', 1.1, { inputSource: 'passthrough' });
		const subId = await world.n8n.addWorkflow(chain('sub', called, smsSend()));
		await world.n8n.publish(subId);
		const caller: INode = {
			...builtIn('n8n-nodes-base.executeWorkflow', 'caller', 1.2, {
				workflowId: { __rl: true, mode: 'id', value: subId },
				options: {},
			}),
			...tries,
		};
		trouble({ answer: 'refuse', recipient: mobile(middle) });
		const id = await world.n8n.addWorkflow(withRows(rows, caller));
		const first = await world.n8n.executeSaved(id);

		expect(first.status).toBe('error');
		expect((await world.n8n.executions(subId)).map(({ status }) => status)).toEqual(['error', 'error', 'error']);
		expect(twice()).toEqual([]);
		cured();
		await world.n8n.executeSaved(id);
		expect(notOnce()).toEqual({});
	});

	test('on SMS Send sends no message twice, even if the Retry button is pressed afterwards', async () => {
		trouble({ answer: 'refuse', recipient: mobile(middle) });
		const { id, call } = await publishCalled(smsSend(tries));
		await call(rows);
		const [first] = await world.n8n.executionsWhenEnded(id, 1);
		expect(first!.status).toBe('error');
		expect(twice()).toEqual([]);
		cured();
		await retry(first!.id, true);
		await world.n8n.executionsWhenEnded(id, 2);

		expect(notOnce()).toEqual({});
	});
});

describe('a row of unknown outcome', () => {
	/** Runs a list in which the answer to one message is lost, after or before the platform has accepted it. */
	const failedByUnknown = async (answer: 'cutAfter' | 'cutBefore') => {
		trouble({ answer, recipient: mobile(middle) });
		const called = await publishCalled(smsSend());
		await called.call(rows);
		const [first] = await world.n8n.executionsWhenEnded(called.id, 1);
		expect(first!.status).toBe('error');
		expect(leftOut()).toBe(answer === 'cutBefore' ? 1 : 0);
		cured();
		return { ...called, executionId: first!.id };
	};

	test.each([
		['cutAfter', 1],
		['cutBefore', 0],
	] as const)('is not sent again by the Retry button (platform: %s)', async (answer, times) => {
		const { id, executionId } = await failedByUnknown(answer);
		await retry(executionId, true);
		await world.n8n.executionsWhenEnded(id, 2);

		expect(notOnce()).toEqual(times === 1 ? {} : { [middle]: 0 });
		expect(arrivals(mobile(middle)).length).toBe(1);
	});

	test('is skipped by the next run, and its item states the unknown outcome', async () => {
		const { id, call } = await failedByUnknown('cutAfter');
		await call(rows);
		const [, second] = await world.n8n.executionsWhenEnded(id, 2);

		expect(second!.status).toBe('success');
		expect(notOnce()).toEqual({});
		expect(outputs(second!, 'smsSend')[0]![middle]!.json).toMatchObject({
			accepted: false,
			skipped: true,
			unknown: true,
			recipient: mobile(middle),
		});
		expect(counted(second!).unknown).toBe(1);
		expect(arrivals(mobile(middle)).length).toBe(1);
	});
});

keysStaySecret(world);

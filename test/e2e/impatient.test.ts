import type { IDataObject, INode } from 'n8n-workflow';
import {
	allEnded,
	answerBySms,
	call,
	CALL_AGAIN,
	callUntilTaken,
	count,
	messages,
	report,
	secondWebhook,
	TAKEN,
	testManyAtOnce,
	wait,
	whole,
} from './impatient';
import { until } from './n8n';
import { servers } from './queue';
import { builtIn } from './workflows';
import { keysStaySecret, useWorld } from './world';

/* One message, one execution, one answer by SMS, however impatiently the platform calls. */

describe('with the engine that n8n starts when it is needed', () => {
	const world = useWorld();
	beforeAll(async () => await secondWebhook(world), 120_000);
	testManyAtOnce(world, 'the engine that starts when it is needed', whole || 60, () => 0.5);
	keysStaySecret(world);
});

describe('where the workflow answers, and the caller leaves before', () => {
	const world = useWorld();
	beforeAll(async () => await secondWebhook(world), 120_000);
	/** The last node: it answers what stands in the message. */
	const answer = (): INode =>
		builtIn('n8n-nodes-base.set', 'Respond', 3.4, {
			mode: 'raw',
			jsonOutput: '={{ { result: $("smsTrigger").item.json.body, errorCode: "", error: "" } }}',
		});
	const message = (body: string): IDataObject => ({ ...messages(world, 1)[0], body });

	test('a workflow that failed starts again, and one that succeeded does not', async () => {
		const { id, forwardUrl: url } = await world.publishTrigger(
			{ respond: 'lastNode' },
			wait(2),
			answerBySms(world),
			answer(),
		);
		const body = message('0');
		Object.assign(world.sandbox.trouble, { answer: '500' });
		expect(await call(url, body, 0.7)).toBeUndefined();
		expect(await call(url, body)).toBe(CALL_AGAIN);
		await until('the first run has failed', async () => (await count(world, id)) === 1 && (await allEnded(world, id)));

		Object.assign(world.sandbox.trouble, { answer: 'normal' });
		expect(await call(url, body, 0.7)).toBeUndefined();
		expect(await call(url, body)).toBe(CALL_AGAIN);
		await until('the second run has ended', async () => (await count(world, id)) === 2 && (await allEnded(world, id)));
		await until('it is known', async () => (await call(url, body)) === TAKEN);

		expect((await world.n8n.executions(id)).map(({ status }) => status)).toEqual(['error', 'success']);
		expect(world.sandbox.accepted(String(body.MSISDN))).toBe(1);
	});

	test('a message that the workflow refused may come again', async () => {
		const { id, forwardUrl: url } = await world.publishTrigger({ respond: 'lastNode' }, answer());
		const body = message('1');
		for (let i = 0; i < 2; i++) expect(await call(url, body)).toBe('200 ');
		await world.n8n.executionsWhenEnded(id, 2);
	});

	keysStaySecret(world);
});

// In queue mode the workers have limits of their own, and a message is recorded before one is free.
(servers ? describe.skip : describe)('at the limit of one execution at a time', () => {
	const world = useWorld({ N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' });
	const [busy, patience] = whole ? [20, 3] : [10, 1];

	/** A run of another workflow that has n8n's only place for so many seconds. */
	async function occupy(seconds: number): Promise<void> {
		const { id, forwardUrl: url } = await world.publishTrigger({}, wait(seconds));
		expect(await call(url, messages(world, 1)[0]!)).toBe(TAKEN);
		expect(await count(world, id)).toBe(1);
	}

	test(`a message that waits ${busy} s for its place, given up after ${patience} s and called again, starts one execution`, async () => {
		const { id, forwardUrl: url } = await world.publishTrigger({}, answerBySms(world));
		await occupy(busy);
		const bodies = messages(world, 1);
		const figures = await callUntilTaken(url, bodies, { giveUpAfter: patience, pause: patience, within: 60 });
		await until('all executions have ended', async () => await allEnded(world, id));
		report('at the limit', { ...figures, executions: await count(world, id), sms: world.sandbox.messages.length });

		expect(figures.acknowledged).toEqual([0]);
		expect(figures.answers['gave up']).toBeGreaterThanOrEqual(1);
		expect(figures.answers[CALL_AGAIN]).toBeGreaterThanOrEqual(1);
		expect([await count(world, id), world.sandbox.accepted(String(bodies[0]!.MSISDN))]).toEqual([1, 1]);
	}, 120_000);

	test('one whose run is stopped while it waits is told to call again until n8n restarts', async () => {
		const { id, forwardUrl: url } = await world.publishTrigger({}, answerBySms(world));
		await occupy(5);
		const [body] = messages(world, 1) as [IDataObject];
		const first = call(url, body, 3);
		const waiting = await until('it waits for its place', async () => (await world.n8n.executions(id))[0]);
		await world.n8n.rest('POST', `/executions/${waiting.id}/stop`);
		await first;
		expect(await call(url, body)).toBe(CALL_AGAIN);
		await world.n8n.stop();
		await world.n8n.start();

		await until('the address is open again', async () => (await call(url, body)) === TAKEN);
		await until('its run has ended', async () => (await count(world, id)) === 2 && (await allEnded(world, id)));
		expect(world.sandbox.accepted(String(body.MSISDN))).toBe(1);
	}, 180_000);

	keysStaySecret(world);
});

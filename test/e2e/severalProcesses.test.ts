import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { INode } from 'n8n-workflow';
import { call, forward as forwarded, report, success } from './calls';
import { another, codeOnThePhone, publishCodes } from './codes';
import { items, outputs, until } from './n8n';
import type { Queue } from './queue';
import { chunkOf, rowsUpTo, sendingIn } from './sending';
import { after, timeOutMs, waitingIn } from './waiting';
import { chain, withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

/*
 * Checks the promises of the nodes in an n8n with several processes and PostgreSQL, for example if a process is killed or two are
 * called at the same moment.
 */
const world = useWorld();
const { sendNode, trouble, taken } = sendingIn(world);
const { press, finished, addressOf, paused, waitNode } = waitingIn(world);
const queue = (): Queue => world.n8n.queue!;
beforeAll(async () => await queue().addWebhook(), 180_000);

/** Publishes a trigger. @returns the workflow's id, and the path of its URL for incoming SMS */
async function publish(): Promise<[id: string, path: string]> {
	const trigger: INode = { ...world.node('smsTrigger', { events: ['smsForward'] }), webhookId: randomUUID() };
	const id = await world.n8n.addWorkflow(chain('messages', trigger));
	await world.n8n.publish(id);
	return [id, `/webhook/${trigger.webhookId}/forward`];
}

const forward = (id: string, changes: object = {}) => forwarded(world, { 'sms-forward-id': id, ...changes });

test('if a webhook process is killed while it gets 100 SMS, each SMS that was answered with success is recorded, and the other SMS are recorded when the platform sends them again', async () => {
	const [workflowId, path] = await publish();
	const [kept, killed] = queue().webhooks;
	const ids = Array.from({ length: 100 }, () => randomUUID());
	const acknowledged: string[] = [];
	let killing: Promise<void> | undefined;
	const deliver = async (id: string) => {
		for (let tries = 0; tries < 100; tries++) {
			const url = tries === 0 ? killed!.url : kept!.url;
			const [status, answer] = await call(url + path, forward(id)).catch(() => [0, undefined]);
			if (status === 200) {
				expect(answer).toEqual(success);
				acknowledged.push(id);
				// Further calls are in progress at this moment, even on a slow machine.
				if (acknowledged.length >= 30) killing ??= killed!.end('SIGKILL');
				return;
			}
			await sleep(100);
		}
	};
	await Promise.all(
		ids.map(async (id, index) => {
			await sleep(20 * index);
			await deliver(id);
		}),
	);
	await killing;
	await killed!.start(world.n8n.url);
	const allEnded = async () => {
		const all = await world.n8n.executions(workflowId);
		return all.every(({ status }) => !['new', 'running', 'unknown'].includes(status)) && all;
	};
	// Once a minute n8n looks for executions that the killed process had recorded but not queued.
	const executions = await until('every execution has ended', allEnded, 120_000);
	// An execution that the killed process had not queued has crashed. Its caller got no success, and called again.
	const begun = executions.filter(({ result }) => result.runData.smsTrigger);
	const recorded = new Set(begun.map((each) => outputs(each, 'smsTrigger')[0]?.[0]?.json.smsForwardId));

	expect(killing).toBeDefined();
	expect(acknowledged.sort()).toEqual(ids.sort());
	expect(ids.filter((id) => !recorded.has(id))).toEqual([]);
}, 300_000);

test('if a worker is killed in the middle of a list, the next run sends nothing twice, and at most one chunk has an unknown outcome', async () => {
	const [rows, concurrency] = [rowsUpTo(200), 10];
	trouble({ delayMs: 200 });
	const id = await world.n8n.addWorkflow(withRows(rows, sendNode({ concurrency })));
	const executionId = await world.n8n.begin(id);
	await until('the platform has accepted 50 messages', () => world.sandbox.messages.length >= 50, 60_000);
	const worker = queue().workers.find((each) => each.printed().includes(`Worker started execution ${executionId} `))!;
	await worker.end('SIGKILL');
	await until('the platform is done', () => world.sandbox.inFlight === 0);
	await worker.start(world.n8n.url);
	// n8n notices the end of a worker after about a minute.
	await until(
		'n8n has ended the execution of the killed worker',
		async () => !['new', 'running', 'unknown'].includes((await world.n8n.executions(id))[0]!.status),
		180_000,
	);
	world.sandbox.endTrouble();
	const before = taken(rows);
	const again = items(await world.n8n.executeSaved(id, 120_000));

	expect(taken(rows).filter((count) => count > 1)).toEqual([]);
	expect(again).toHaveLength(rows.length);
	const unknown = again.flatMap((item, index) => (item.unknown === true ? [index] : []));
	expect(unknown.length).toBeLessThanOrEqual(chunkOf(concurrency));
	// Each person without a message gets it in the second run, or has an unknown outcome. Each person whose item says
	// `sentBefore` has the message.
	expect(
		rows.flatMap((_, index) => (taken(rows)[index] === 0 ? [index] : [])).every((row) => unknown.includes(row)),
	).toBe(true);
	expect(
		again.flatMap((item, index) => (item.skipReason === 'sentBefore' && before[index] !== 1 ? [index] : [])),
	).toEqual([]);
}, 420_000);

test('an execution continues once if its time limit is reached while both webhook processes get its delivery report repeatedly', async () => {
	trouble({ report: 'lost' });
	const row = { recipient: '6912345678', number: '17', email: 'a@example.gr' };
	const run = await press(withRows([row], waitNode({ options: { maxWaitMinutes: 0.2 } }), after()));
	await paused(run);
	const { pathname, search } = new URL(addressOf());
	const ends = finished(run, timeOutMs);
	let isOver = false;
	void ends.finally(() => (isOver = true)).catch(() => {});
	// n8n looks only once a minute for waits over their limit. The reports start just before the limit, and continue after it.
	const [waiting] = await world.n8n.query<{ waitTill: string }>(
		'SELECT "waitTill" FROM execution_entity WHERE id = ?',
		run.executionId,
	);
	await sleep(Math.max(0, new Date(waiting!.waitTill).getTime() - Date.now() - 50));
	const answers: unknown[] = [];
	while (!isOver && answers.length < 2000) {
		const both = queue().webhooks.map(async ({ url }) => (await call(`${url}${pathname}${search}`, report()))[0]);
		answers.push(...(await Promise.all(both)));
		await sleep(5);
	}
	const execution = await ends;

	expect([execution.status, execution.result.error?.message]).toEqual(['success', undefined]);
	expect(execution.result.runData.after).toHaveLength(1);
	expect(['DELIVRD', 'TIMEOUT']).toContain(items(execution)[0]!.status);
	expect(world.sandbox.accepted(row.recipient)).toBe(1);
}, 180_000);

test('each worker compares at most the allowed number of wrong codes, and a used code is rejected by all workers', async () => {
	const allowed = 3;
	const { ask, type } = await publishCodes(world, { maxAttempts: allowed });
	const { verificationId } = await ask('6900000001');
	const code = codeOnThePhone(world);
	const guess = async () => (await type(verificationId, another(code))).reason;
	const answers: unknown[] = await Promise.all(Array.from({ length: 40 }, guess));
	const tried = answers.filter((reason) => reason === 'wrong').length;
	expect(answers.filter((reason) => reason !== 'wrong' && reason !== 'tooManyAttempts')).toEqual([]);
	expect(tried).toBeGreaterThanOrEqual(allowed);
	expect(tried).toBeLessThanOrEqual(allowed * queue().workers.length);

	const other = await ask('6900000002');
	const right = codeOnThePhone(world);
	expect(await type(other.verificationId, right)).toMatchObject({ verified: true });
	const again = await Promise.all(Array.from({ length: 20 }, async () => await type(other.verificationId, right)));
	expect(again.map(({ reason }) => reason)).toEqual(again.map(() => 'used'));
}, 120_000);

describe("a NUL character, which PostgreSQL can't store,", () => {
	test('in an incoming SMS is rejected, and starts no execution', async () => {
		const [workflowId, path] = await publish();
		for (const changes of [{ keyword: 'Β\0Α' }, { body: 'a\0b' }]) {
			const [status] = await call(world.n8n.url + path, forward(randomUUID(), changes));
			expect(status).toBe(400);
		}
		expect(await call(world.n8n.url + path, forward('f-1'))).toEqual([200, success]);
		expect(await world.n8n.executionsWhenEnded(workflowId, 1)).toHaveLength(1);
	});

	test('in a column that is copied to the output does not prevent sending', async () => {
		const rows = rowsUpTo(2).map((row) => ({ ...row, note: 'a\0b' }));
		const id = await world.n8n.addWorkflow(withRows(rows, sendNode({ includeInputFields: true })));
		const execution = await world.n8n.executeSaved(id);

		expect(items(execution).map(({ accepted }) => accepted)).toEqual([true, true]);
		expect(taken(rows)).toEqual([1, 1]);
	});
});

keysStaySecret(world);

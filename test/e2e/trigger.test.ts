import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { bodyOf, callsOf } from '../fixtures/clients';
import { call, forward, refused, report, signed, success } from './calls';
import { items, outputs } from './n8n';
import { mobile, sendingIn } from './sending';
import { builtIn, packageNode, withRows } from './workflows';
import { defaultEngine, keysStaySecret, useWorld } from './world';

/** Checks SMS Trigger with n8n's own server and engine. `test/workflow/trigger` tests the decisions of the node itself. */
const world = useWorld(defaultEngine);
const { send, trouble } = sendingIn(world);
const key = (): string => world.sandbox.settings.preSharedKey;

test('SMS Trigger accepts the calls of real platforms, and starts the workflow with the expected items', async () => {
	const { id, forwardUrl, dlrUrl } = await world.publishTrigger({ acceptUnsignedReports: true });
	const calls = [
		...callsOf('forwards').map(([, sent]) => [forwardUrl, sent] as const),
		...callsOf('reports').map(([, sent]) => [dlrUrl, sent] as const),
	];
	for (const [url, sent] of calls) {
		const contentType = sent.headers['content-type'];
		expect(await call(url, bodyOf(sent, '', key()), { contentType })).toEqual([200, success]);
	}
	const executions = await world.n8n.executionsWhenEnded(id, calls.length);

	expect(executions.map((execution) => outputs(execution, 'smsTrigger').flat()[0]!.json)).toMatchObject(
		calls.map(([, { item }]) => item),
	);
});

test('SMS Trigger has no URL for a disabled event', async () => {
	const forwards = await world.publishTrigger({ events: ['smsForward'] });
	const reports = await world.publishTrigger({ events: ['deliveryReport'] });

	expect((await call(signed(forwards.dlrUrl, key()), report()))[0]).toBe(404);
	expect((await call(reports.forwardUrl, forward(world)))[0]).toBe(404);
	expect(await call(forwards.forwardUrl, forward(world))).toEqual([200, success]);
	await world.n8n.executionsWhenEnded(forwards.id, 1);
	expect(await world.n8n.executions(reports.id)).toEqual([]);
});

test("SMS Trigger checks the caller's IP address before the key", async () => {
	const others = await world.publishTrigger({ options: { ipAllowlist: '203.0.113.7, 2001:db8::/32' } });
	const ours = await world.publishTrigger({ options: { ipAllowlist: '203.0.113.7, 127.0.0.0/8' } });

	expect(await call(others.forwardUrl, forward(world))).toEqual([403, refused('FORBIDDEN_ADDRESS')]);
	expect(await call(others.dlrUrl, report())).toEqual([403, refused('FORBIDDEN_ADDRESS')]);
	expect(await call(ours.forwardUrl, forward(world))).toEqual([200, success]);
	expect(await world.n8n.executions(others.id)).toEqual([]);
});

test("n8n's log contains rejected calls with the trigger, the error code and the reason, and equal rejections only once", async () => {
	const own = await world.publishTrigger();
	const empty = await world.publishTrigger({ keywords: '={{ $vars.missing }}' });
	const wrong = forward(world, { 'pre-shared key': 'wrong' });
	for (let time = 1; time <= 5; time++)
		expect(await call(own.forwardUrl, wrong)).toEqual([401, refused('INVALID_KEY')]);
	expect(await call(empty.forwardUrl, forward(world))).toEqual([500, refused('INTERNAL_ERROR')]);

	const lines = world.n8n.printed().split('\n');
	expect(lines.filter((line) => line.includes(`workflow ${own.id}) refused a request with INVALID_KEY`))).toHaveLength(
		1,
	);
	expect(lines.join('\n')).toContain(
		`smsTrigger (SMS Trigger, workflow ${empty.id}) refused a request with INTERNAL_ERROR, HTTP 500: Keywords has an expression that returns no value`,
	);
});

test('with a response of the last node, the platform gets no success if the workflow fails', async () => {
	const stop = builtIn('n8n-nodes-base.stopAndError', 'Stop', 1, { errorMessage: 'on purpose' });
	const own = await world.publishTrigger({ respond: 'lastNode' }, stop);

	expect((await call(own.forwardUrl, forward(world)))[0]).toBe(500);
	const [execution] = await world.n8n.executionsWhenEnded(own.id, 1);
	expect(execution!.status).toBe('error');
});

test('SMS Trigger does not overwrite the static data of a Code node in the workflow', async () => {
	const keep = builtIn('n8n-nodes-base.code', 'Keep', 2, {
		jsCode: `const kept = $getWorkflowStaticData('global');
kept.stopped = [...(kept.stopped ?? []), $input.first().json.smsForwardId];
return $input.all();`,
	});
	const own = await world.publishTrigger({ events: ['smsForward'], keywordOutputs: true, keywords: 'ΣΤΟΠ, ΒΑ' }, keep);
	const stopped: string[] = [];
	for (let pair = 1; pair <= 6; pair++) {
		stopped.push(`stop-${pair}`);
		const stop = call(own.forwardUrl, forward(world, { keyword: 'ΣΤΟΠ', 'sms-forward-id': stopped.at(-1) }));
		await sleep(20);
		expect([await call(own.forwardUrl, forward(world)), await stop]).toEqual([
			[200, success],
			[200, success],
		]);
		await world.n8n.executionsWhenEnded(own.id, 2 * pair);
	}
	const [row] = await world.n8n.query<{ staticData: string }>(
		'SELECT "staticData" FROM workflow_entity WHERE id = ?',
		own.id,
	);
	expect(JSON.parse(row!.staticData)).toEqual({ global: { stopped } });
});

test('a body with 120,000 nested brackets is rejected without the key, and with the key only if the brackets are in a field that the trigger reads', async () => {
	const nested = `${'['.repeat(120_000)}${']'.repeat(120_000)}`;
	const own = await world.publishTrigger();
	const status = async (url: string, body: string): Promise<number> => (await call(url, body))[0];
	expect(await status(own.forwardUrl, nested)).toBe(401);
	expect(await status(own.dlrUrl, nested)).toBe(401);
	expect(await status(own.forwardUrl, `{"pre-shared key":${nested}}`)).toBe(401);
	const withKey = JSON.stringify(forward(world)).slice(0, -1);
	expect(await status(own.forwardUrl, `${withKey},"body":${nested}}`)).toBe(400);
	expect(await status(own.forwardUrl, `${withKey},"x":${nested}}`)).toBe(200);
	await world.n8n.executionsWhenEnded(own.id, 1);
});

describe('The command of the documentation that tries a delivery report', () => {
	const page = readFileSync('docs/sms-trigger.md', 'utf8');
	const [, command] = /### Try a delivery report[^]*?```sh\n([^]*?)```/.exec(page)!;

	/** Sends a message, and runs the command with the values of its item. @returns the item, and the answer to the command */
	const run = async (dlrUrl: string, index: number) => {
		const [item] = items(await send([{ recipient: mobile(index) }], { dlrUrl }));
		const { dlrUrl: signedUrl, serviceId } = item as { dlrUrl: string; serviceId: string };
		const again = async () => {
			const typed = command!.replace('<dlrUrl>', signedUrl).replace('<serviceId>', serviceId);
			return JSON.parse((await promisify(execFile)('sh', ['-c', typed])).stdout) as unknown;
		};
		return { item: item!, answer: await again(), again };
	};

	test('starts the workflow once, and SMS Results counts the message as delivered', async () => {
		trouble({ report: 'lost' });
		const { id, dlrUrl } = await world.publishTrigger({ events: ['deliveryReport'] });
		const { item, answer, again } = await run(dlrUrl, 2);

		expect(answer).toEqual(success);
		const [execution] = await world.n8n.executionsWhenEnded(id, 1);
		const reported = outputs(execution!, 'smsTrigger').flat()[0]!.json;
		const joined = await world.n8n.execute(withRows([item, reported], packageNode('smsResults', {})));
		expect(items(joined, 0, 'smsResults')).toMatchObject([{ all: { messages: 1, delivered: 1 } }]);
		expect(await again()).toEqual(success);
		await world.n8n.executionsWhenEnded(id, 1);
	});

	test('starts nothing if the platform has already sent the report', async () => {
		const { id, dlrUrl } = await world.publishTrigger({ events: ['deliveryReport'] });
		trouble({ report: 'early' });
		const { answer } = await run(dlrUrl, 3);

		expect(answer).toEqual(success);
		await world.n8n.executionsWhenEnded(id, 1);
	});
});

keysStaySecret(world);

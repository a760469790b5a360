import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { outputs, type Execution, type WorkflowFile } from './n8n';
import { recordsFirst } from './versions';
import { builtIn, chain } from './workflows';
import { defaultEngine, keysStaySecret, useWorld } from './world';

const world = useWorld(defaultEngine);
const success = { result: '0', errorCode: '', error: '' };
const refused = (errorCode: string) => ({ result: '1', errorCode, error: expect.stringMatching(/./) });
const aDateTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/);

/** A published workflow and its two production addresses. */
interface Published {
	id: string;
	forwardUrl: string;
	dlrUrl: string;
}

/** Publishes a workflow whose first node is a trigger. */
async function publishWorkflow(workflow: WorkflowFile): Promise<Published> {
	const webhookId = randomUUID();
	workflow.nodes[0]!.webhookId = webhookId;
	const id = await world.n8n.addWorkflow(workflow);
	await world.n8n.publish(id);
	const base = `${world.n8n.url}/webhook/${webhookId}`;
	return { id, forwardUrl: `${base}/forward`, dlrUrl: `${base}/dlr` };
}

/** Publishes a trigger and what follows its first output. */
const publish = async (parameters: INodeParameters = {}, ...following: INode[]): Promise<Published> =>
	await publishWorkflow(chain('trigger', world.node('smsTrigger', parameters), ...following));

/** Calls a webhook as the platform does. @returns HTTP status and body */
async function call(url: string, body: unknown, method = 'POST'): Promise<[number, unknown]> {
	const response = await fetch(url, {
		method,
		headers: { 'content-type': 'application/json' },
		body: method === 'GET' ? undefined : JSON.stringify(body),
	});
	const text = await response.text();
	try {
		return [response.status, JSON.parse(text)];
	} catch {
		return [response.status, text];
	}
}

const forward = (changes: object = {}): object => ({
	MSISDN: '306912345678',
	keyword: 'ΒΑ',
	body: 'ΗΛΕΚΤΡΟΝΙΚΗ ΙΙ',
	'pre-shared key': world.sandbox.settings.preSharedKey,
	'sms-forward-id': randomUUID(),
	...changes,
});

const report = (changes: object = {}): object => ({
	serviceId: '101',
	recipient: '6912345678',
	status: 'DELIVRD',
	...changes,
});

/** An address as SMS Send signs it; computed here from the interface, not with the package's code. */
function signed(
	dlrUrl: string,
	reference: string,
	changes: { serviceId?: string; mid?: string; exp?: number; key?: string } = {},
): string {
	const {
		serviceId = '101',
		mid = randomUUID(),
		exp = Math.floor(Date.now() / 1000) + 60,
		key = world.sandbox.settings.preSharedKey,
	} = changes;
	const sig = createHmac('sha256', key)
		.update(`dlr.v1\n${serviceId}\n${reference}\n${mid}\n${exp}`)
		.digest('base64url');
	return `${dlrUrl}?${new URLSearchParams({ ref: reference, mid, exp: String(exp), sig })}`;
}

const json = (execution: Execution, branch = 0): IDataObject[] =>
	outputs(execution, 'smsTrigger')[branch]?.map((item) => item.json) ?? [];

describe('a forward', () => {
	let workflow: Published;
	beforeAll(async () => {
		workflow = await publish({ keywords: '' });
	});

	test('is answered as the interface says, and its item leaves on the first output', async () => {
		const own = await publish();
		const answer = await call(own.forwardUrl, forward({ 'sms-forward-id': 'f-1', extra: { ignored: true } }));
		const [execution] = await world.n8n.executionsWhenEnded(own.id, 1);

		expect(answer).toEqual([200, success]);
		expect(json(execution!)).toEqual([
			{
				event: 'smsForward',
				msisdn: '306912345678',
				mobile: '6912345678',
				keyword: 'ΒΑ',
				body: 'ΗΛΕΚΤΡΟΝΙΚΗ ΙΙ',
				words: ['ΗΛΕΚΤΡΟΝΙΚΗ', 'ΙΙ'],
				smsForwardId: 'f-1',
				receivedAt: aDateTime,
			},
		]);
		expect(json(execution!, 1)).toEqual([]);
	});

	test('is recorded before it is answered; with n8n 1, soon after', async () => {
		const own = await publish();
		expect(await call(own.forwardUrl, forward())).toEqual([200, success]);

		if (recordsFirst) expect(await world.n8n.executions(own.id)).toHaveLength(1);
		else await world.n8n.executionsWhenEnded(own.id, 1);
	});

	test('may carry numbers for text, and no body', async () => {
		const own = await publish();
		const body = forward({ MSISDN: 6912345678, 'sms-forward-id': 17, body: undefined });
		expect(await call(own.forwardUrl, body)).toEqual([200, success]);
		const [execution] = await world.n8n.executionsWhenEnded(own.id, 1);

		expect(json(execution!)).toEqual([
			expect.objectContaining({ msisdn: '6912345678', smsForwardId: '17', body: '', words: [] }),
		]);
	});

	test('refusals are in the shape of the interface and start nothing', async () => {
		const own = await publish({ keywords: 'ΒΑ' });
		const answers: Array<[number, unknown]> = [];
		for (const body of [
			forward({ 'pre-shared key': 'wrong' }),
			forward({ 'pre-shared key': undefined }),
			forward({ 'pre-shared key': '' }),
			{},
			[],
			forward({ MSISDN: undefined }),
			forward({ keyword: '' }),
			forward({ keyword: { a: 1 } }),
			forward({ keyword: 'ΑΛΛΟ' }),
		]) {
			answers.push(await call(own.forwardUrl, body));
		}
		// One that is taken, so that a late start of the others would show.
		expect(await call(own.forwardUrl, forward())).toEqual([200, success]);

		expect(answers).toEqual([
			[401, refused('INVALID_KEY')],
			[401, refused('INVALID_KEY')],
			[401, refused('INVALID_KEY')],
			[401, refused('INVALID_KEY')],
			[401, refused('INVALID_KEY')],
			[400, refused('INVALID_REQUEST')],
			[400, refused('INVALID_REQUEST')],
			[400, refused('INVALID_REQUEST')],
			[200, refused('UNKNOWN_KEYWORD')],
		]);
		await world.n8n.executionsWhenEnded(own.id, 1);
	});

	test.each(['βα', 'Βά', 'BA', 'ba', ' ΒΑ '])('keyword "%s" is taken for ΒΑ', async (keyword) => {
		const own = await publish({ keywords: 'σίτιση, ΒΑ' });
		expect(await call(own.forwardUrl, forward({ keyword }))).toEqual([200, success]);
		expect(await call(own.forwardUrl, forward({ keyword: 'ΣΙΤΙΣΗ' }))).toEqual([200, success]);
		await world.n8n.executionsWhenEnded(own.id, 2);
	});

	test('the same one again starts nothing: at the same moment it is told to call again, afterwards that it was taken', async () => {
		const own = await publish();
		const body = forward();
		const atOnce = await Promise.all([1, 2, 3].map(async () => await call(own.forwardUrl, body)));
		expect(await call(own.forwardUrl, body)).toEqual([200, success]);
		expect(await call(own.forwardUrl, forward())).toEqual([200, success]);

		expect(atOnce).toContainEqual([200, success]);
		for (const answer of atOnce)
			expect([
				[200, success],
				[500, refused('INTERNAL_ERROR')],
			]).toContainEqual(answer);
		await world.n8n.executionsWhenEnded(own.id, 2);
	});

	test('another number or keyword under the same id is another one', async () => {
		const own = await publish();
		const body = { 'sms-forward-id': 'f-1' };
		for (const changes of [{}, { MSISDN: '306912345679' }, { keyword: 'ΓΑ' }, {}]) {
			expect(await call(own.forwardUrl, forward({ ...body, ...changes }))).toEqual([200, success]);
		}
		await world.n8n.executionsWhenEnded(own.id, 3);
	});

	test('leaves on the output of its keyword, where each has one', async () => {
		const own = await publish({ events: ['smsForward'], keywordOutputs: true, keywords: 'ΒΑ, Σίτιση' });
		expect(await call(own.forwardUrl, forward({ keyword: 'σιτιση', body: 'SΤΟΡ ΤΩΡΑ' }))).toEqual([200, success]);
		const [execution] = await world.n8n.executionsWhenEnded(own.id, 1);

		expect(json(execution!)).toEqual([]);
		expect(json(execution!, 1)).toEqual([
			expect.objectContaining({ keyword: 'σιτιση', matchedKeyword: 'Σίτιση', words: ['STOP', 'ΤΩΡΑ'] }),
		]);
	});

	test('is not let in by an expression that gives nothing, and the log says why', async () => {
		const own = await publish({ keywords: '={{ $vars.missing }}' });
		const closed = await publish({ options: { ipAllowlist: '={{ $vars.missing }}' } });
		expect(await call(own.forwardUrl, forward())).toEqual([500, refused('INTERNAL_ERROR')]);
		expect(await call(closed.forwardUrl, forward())).toEqual([403, refused('FORBIDDEN_ADDRESS')]);

		const log = world.n8n.printed();
		expect(log).toContain(
			`smsTrigger (SMS Trigger, workflow ${own.id}) refused a request with INTERNAL_ERROR, HTTP 500: Keywords has an expression that evaluates to empty`,
		);
		expect(log).toContain(
			`smsTrigger (SMS Trigger, workflow ${closed.id}) refused a request with FORBIDDEN_ADDRESS, HTTP 403: The expression of IP Allowlist evaluates to empty, so everybody is refused`,
		);
	});

	test('refused again and again leaves one line in the log', async () => {
		const own = await publish();
		for (let i = 0; i < 5; i++) await call(own.forwardUrl, forward({ 'pre-shared key': 'wrong' }));
		const lines = world.n8n
			.printed()
			.split('\n')
			.filter((line) => line.includes(`workflow ${own.id}) refused a request with INVALID_KEY`));
		expect(lines).toHaveLength(1);
	});

	test('without an id nothing is compared', async () => {
		const own = await publish();
		const without = forward({ 'sms-forward-id': undefined });
		await call(own.forwardUrl, without);
		await call(own.forwardUrl, without);
		await world.n8n.executionsWhenEnded(own.id, 2);
	});

	test('overwrites nothing that a step of the workflow keeps in its static data', async () => {
		const keep = builtIn('n8n-nodes-base.code', 'Keep', 2, {
			jsCode: `const kept = $getWorkflowStaticData('global');
kept.stopped = [...(kept.stopped ?? []), $input.first().json.smsForwardId];
return $input.all();`,
		});
		const own = await publish({ events: ['smsForward'], keywordOutputs: true, keywords: 'ΣΤΟΠ, ΒΑ' }, keep);
		const stopped: string[] = [];
		for (let pair = 1; pair <= 6; pair++) {
			stopped.push(`stop-${pair}`);
			const stop = call(own.forwardUrl, forward({ keyword: 'ΣΤΟΠ', 'sms-forward-id': stopped.at(-1) }));
			await sleep(20);
			expect([await call(own.forwardUrl, forward()), await stop]).toEqual([
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

	test('120,000 nested brackets are refused as any other body without the key, and with it only the fields count', async () => {
		const nested = `${'['.repeat(120_000)}${']'.repeat(120_000)}`;
		const post = async (url: string, body: string) =>
			(await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).status;
		const own = await publish();
		expect(await post(own.forwardUrl, nested)).toBe(401);
		expect(await post(own.dlrUrl, nested)).toBe(401);
		expect(await post(own.forwardUrl, `{"pre-shared key":${nested}}`)).toBe(401);
		const withKey = JSON.stringify(forward()).slice(0, -1);
		expect(await post(own.forwardUrl, `${withKey},"body":${nested}}`)).toBe(400);
		expect(await post(own.forwardUrl, `${withKey},"x":${nested}}`)).toBe(200);
		await world.n8n.executionsWhenEnded(own.id, 1);
	});

	test('a body that is not JSON, and another method, are refused', async () => {
		const notJson = await fetch(workflow.forwardUrl, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: '{',
		});
		const get = await call(workflow.forwardUrl, undefined, 'GET');

		expect(notJson.status).toBe(422);
		expect(get[0]).toBe(404);
	});

	test('from an address that is not on the list: 403, before the key is looked at', async () => {
		const own = await publish({ options: { ipAllowlist: '203.0.113.7, 2001:db8::/32' } });

		expect(await call(own.forwardUrl, forward())).toEqual([403, refused('FORBIDDEN_ADDRESS')]);
		expect(await call(own.dlrUrl, report())).toEqual([403, refused('FORBIDDEN_ADDRESS')]);
		expect(await world.n8n.executions(own.id)).toEqual([]);
	});

	test('from an address on the list it is taken', async () => {
		const own = await publish({ options: { ipAllowlist: '203.0.113.7, 127.0.0.0/8' } });

		expect(await call(own.forwardUrl, forward())).toEqual([200, success]);
	});

	test('the sandbox forwards what a user sent, and takes the answer', async () => {
		const own = await publish({ keywords: 'ΣΙΤΙΣΗ' });
		world.sandbox.settings.forwardUrl = own.forwardUrl;

		expect(await world.sandbox.forward('6912345678', 'Σίτιση  αίτηση 12')).toEqual({ status: 200, answer: success });
		const [execution] = await world.n8n.executionsWhenEnded(own.id, 1);
		expect(json(execution!)).toEqual([expect.objectContaining({ keyword: 'Σίτιση', words: ['αίτηση', '12'] })]);
	});
});

describe('a delivery report', () => {
	test('with a valid signature is answered 200, and its item leaves on the second output', async () => {
		const own = await publish();
		const answer = await call(signed(own.dlrUrl, 'αίτηση 12/β'), report());
		const [execution] = await world.n8n.executionsWhenEnded(own.id, 1);

		expect(answer).toEqual([200, success]);
		expect(json(execution!)).toEqual([]);
		expect(json(execution!, 1)).toEqual([
			{
				event: 'deliveryReport',
				serviceId: '101',
				recipient: '6912345678',
				mobile: '6912345678',
				status: 'DELIVRD',
				delivered: true,
				final: true,
				reference: 'αίτηση 12/β',
				receivedAt: aDateTime,
			},
		]);
	});

	test('of a failure carries its code; any status passes, only DELIVRD is delivered', async () => {
		const own = await publish({ events: ['deliveryReport'] });
		await call(signed(own.dlrUrl, 'a'), report({ status: 'ERROR', error: '27' }));
		await call(signed(own.dlrUrl, 'b'), report({ status: 'SUBMITTED', error: 3 }));
		const executions = await world.n8n.executionsWhenEnded(own.id, 2);

		// Also where it is the only event: switching the other one on moves no wire.
		expect(executions.flatMap((execution) => json(execution, 1))).toEqual([
			expect.objectContaining({ reference: 'a', status: 'ERROR', delivered: false, final: true, errorCode: '27' }),
			expect.objectContaining({ reference: 'b', status: 'SUBMITTED', delivered: false, final: false, errorCode: '3' }),
		]);
	});

	test('with a bad, foreign, expired or missing signature is refused and starts nothing', async () => {
		const own = await publish();
		const valid = new URL(signed(own.dlrUrl, 'a'));
		const changed = (name: string, value: string): string => {
			const url = new URL(valid);
			url.searchParams.set(name, value);
			return url.href;
		};
		const urls = [
			own.dlrUrl,
			changed('sig', 'x'),
			changed('sig', ''),
			changed('ref', 'b'),
			changed('mid', 'b'),
			changed('mid', ''),
			changed('exp', String(Number(valid.searchParams.get('exp')) + 1)),
			signed(own.dlrUrl, 'a', { key: 'another key' }),
			signed(own.dlrUrl, 'a', { serviceId: '102' }),
			signed(own.dlrUrl, 'a', { exp: Math.floor(Date.now() / 1000) - 10 }),
		];
		const answers = [];
		for (const url of urls) answers.push(await call(url, report()));
		expect(await call(valid.href, report())).toEqual([200, success]);

		expect(answers).toEqual(Array(urls.length).fill([401, refused('INVALID_SIGNATURE')]));
		await world.n8n.executionsWhenEnded(own.id, 1);
	});

	test('that lacks a field is refused', async () => {
		const own = await publish();

		expect(await call(signed(own.dlrUrl, 'a'), report({ status: undefined }))).toEqual([
			400,
			refused('INVALID_REQUEST'),
		]);
		expect(await call(signed(own.dlrUrl, 'a'), report({ recipient: '' }))).toEqual([400, refused('INVALID_REQUEST')]);
		expect(await world.n8n.executions(own.id)).toEqual([]);
	});

	test('the same one again starts nothing; another status of the same message does', async () => {
		const own = await publish();
		const url = signed(own.dlrUrl, 'a');
		const answers = [
			await call(url, report({ status: 'SENT' })),
			await call(url, report()),
			await call(url, report()),
			await call(signed(own.dlrUrl, 'b'), report()),
			// Another message under the same reference, as where that is a student number.
			await call(signed(own.dlrUrl, 'a'), report()),
		];

		expect(answers).toEqual(Array(5).fill([200, success]));
		await world.n8n.executionsWhenEnded(own.id, 4);
	});

	test('without a signature is taken where the user accepts that, without a reference; a forged one never', async () => {
		const own = await publish({ acceptUnsignedReports: true });
		expect(await call(own.dlrUrl, report())).toEqual([200, success]);
		expect(await call(signed(own.dlrUrl, 'a', { key: 'another key' }), report())).toEqual([
			401,
			refused('INVALID_SIGNATURE'),
		]);
		const [execution] = await world.n8n.executionsWhenEnded(own.id, 1);

		expect(json(execution!, 1)).toHaveLength(1);
		expect(json(execution!, 1)[0]).not.toHaveProperty('reference');
	});
});

test('an event that is switched off has no address', async () => {
	const forwards = await publish({ events: ['smsForward'] });
	const reports = await publish({ events: ['deliveryReport'] });

	expect((await call(forwards.dlrUrl, report()))[0]).toBe(404);
	expect((await call(signed(forwards.dlrUrl, 'a'), report()))[0]).toBe(404);
	expect((await call(reports.forwardUrl, forward()))[0]).toBe(404);
	expect(await call(forwards.forwardUrl, forward())).toEqual([200, success]);
	await world.n8n.executionsWhenEnded(forwards.id, 1);
	expect(await world.n8n.executions(reports.id)).toEqual([]);
});

describe('when the workflow answers', () => {
	const stop = (): INode => builtIn('n8n-nodes-base.stopAndError', 'Stop', 1, { errorMessage: 'on purpose' });
	const full = { result: '1', errorCode: 'FULL', error: 'No places left' };

	test('lastNode: what the last node gives out, once the workflow has ended; reports are answered at once', async () => {
		const answer = builtIn('n8n-nodes-base.set', 'Answer', 3.4, { mode: 'raw', jsonOutput: JSON.stringify(full) });
		const own = await publish({ respond: 'lastNode' }, answer);

		expect(await call(own.forwardUrl, forward())).toEqual([200, full]);
		expect(await call(signed(own.dlrUrl, 'a'), report())).toEqual([200, success]);
		await world.n8n.executionsWhenEnded(own.id, 2);
	});

	test('lastNode: a workflow that fails is no success for the platform', async () => {
		const own = await publish({ respond: 'lastNode' }, stop());

		expect((await call(own.forwardUrl, forward()))[0]).toBe(500);
		const [execution] = await world.n8n.executionsWhenEnded(own.id, 1);
		expect(execution!.status).toBe('error');
	});

	test('responseNode: what the Respond to Webhook node says', async () => {
		const respond = builtIn('n8n-nodes-base.respondToWebhook', 'Respond', 1.5, {
			respondWith: 'json',
			responseBody: JSON.stringify(full),
			options: { responseCode: 200 },
		});
		// That node works only where one of n8n's own webhook nodes leads to it; one that is switched off will do.
		const beside = { ...builtIn('n8n-nodes-base.webhook', 'Beside', 2.1, { path: randomUUID() }), disabled: true };
		const workflow = chain('answers', world.node('smsTrigger', { respond: 'responseNode' }), respond);
		const own = await publishWorkflow({
			...workflow,
			nodes: [...workflow.nodes, beside],
			connections: { ...workflow.connections, [beside.name]: workflow.connections.smsTrigger! },
		});

		// What was answered with another result than 0 starts again when the platform sends it again.
		const message = forward();
		for (let time = 1; time <= 3; time++) {
			expect(await call(own.forwardUrl, message)).toEqual([200, full]);
			expect(await world.n8n.executionsWhenEnded(own.id, time)).toHaveLength(time);
		}
	});

	test('whatever the way, a refusal is answered at once and starts nothing', async () => {
		for (const mode of ['lastNode', 'responseNode']) {
			const own = await publish({ respond: mode }, stop());
			expect(await call(own.forwardUrl, forward({ 'pre-shared key': 'wrong' }))).toEqual([401, refused('INVALID_KEY')]);
			expect(await call(own.dlrUrl, report())).toEqual([401, refused('INVALID_SIGNATURE')]);
			expect(await world.n8n.executions(own.id)).toEqual([]);
		}
	});
});

keysStaySecret(world);

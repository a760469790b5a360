import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { outputs, taskOf, until, type Execution, type WorkflowFile } from './n8n';
import { servers } from './queue';
import { hasHumanApproval, signsHost, tellsModelOfFailure } from './versions';
import { builtIn, chain, withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

const world = useWorld();
const recipient = '6912345678';
const otherRecipient = '6987654321';
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const success = { result: '0', errorCode: '', error: '' };
const refused = (errorCode: string) => ({ result: '1', errorCode, error: expect.stringMatching(/./) });

/** n8n looks once a minute for waits that end by time, and the machine may be busy. */
const timeOutMs = 120_000;

/** The input row; `email` is never in what the node gives out, and must be there for the nodes after it. */
const row = (changes: IDataObject = {}): IDataObject => ({ recipient, number: '17', email: 'a@example.gr', ...changes });

const waitNode = (parameters: INodeParameters = {}, changes: Partial<INode> = {}): INode => ({
	...world.node('smsSend', {
		operation: 'sendAndWait',
		serviceId: '102',
		messageId: '1',
		recipient: '={{ $json.recipient }}',
		replacements: { values: [{ value: '={{ $json.number }}' }] },
		...parameters,
	}),
	...changes,
});

/** What a workflow does after the wait: it takes something of the row that went in. */
const after = (): INode =>
	builtIn('n8n-nodes-base.set', 'after', 3.4, {
		includeOtherFields: true,
		assignments: {
			assignments: [{ id: randomUUID(), name: 'email', type: 'string', value: "={{ $('Start').item.json.email }}" }],
		},
	});

/** An execution that is under way, as the list of executions names it. */
interface Run {
	workflowId: string;
	executionId: string;
}

/** Presses the editor's button. */
async function press(workflow: WorkflowFile, trigger = 'Start'): Promise<Run> {
	const workflowId = await world.n8n.addWorkflow(workflow);
	return { workflowId, executionId: await world.n8n.begin(workflowId, trigger) };
}

const stored = async ({ workflowId, executionId }: Run): Promise<Execution | undefined> =>
	(await world.n8n.executions(workflowId)).find(({ id }) => id === executionId);

const underWay = ['new', 'running', 'unknown', undefined];

/** Waits until n8n has stored the pause. */
const paused = async (run: Run): Promise<void> => {
	await until(`execution ${run.executionId} waits`, async () => {
		const execution = await stored(run);
		if (![...underWay, 'waiting'].includes(execution?.status)) {
			throw new Error(`It ended: ${execution?.status} ${execution?.result.error?.message}`);
		}
		return execution?.status === 'waiting';
	});
};

/** Waits for the end of a run that waits or is under way. */
const finished = async (run: Run, timeoutMs?: number): Promise<Execution> =>
	await until(
		`execution ${run.executionId} ends`,
		async () => {
			const execution = await stored(run);
			return execution && ![...underWay, 'waiting'].includes(execution.status) && execution;
		},
		timeoutMs,
	);

const items = (execution: Execution, branch = 0, node = 'smsSend'): IDataObject[] =>
	outputs(execution, node)[branch]?.map(({ json }) => json) ?? [];

/** The bodies that reached the platform's send operation. */
const bodies = (): unknown[] =>
	world.sandbox.traffic.calls.filter(({ direction }) => direction === 'in').map(({ body }) => body);

/** How n8n answered the platform's reports. */
const answersToReports = (): number[] =>
	world.sandbox.traffic.calls.filter(({ direction }) => direction === 'out').map(({ status }) => status);

const report = (changes: IDataObject = {}) => ({ serviceId: '102', recipient, status: 'DELIVRD', ...changes });

/** Where the platform reports on the message that it took as number `index`. */
const addressOf = (index = 0): string => world.sandbox.messages[index]!.dlrUrl;

/** Calls a resume address as the platform does. @returns HTTP status and body */
async function call(
	url: string,
	body: unknown = report(),
	contentType = 'application/json',
): Promise<[number, unknown]> {
	const response = await fetch(url, {
		method: 'POST',
		headers: contentType ? { 'content-type': contentType } : {},
		body: typeof body === 'string' ? Buffer.from(body) : JSON.stringify(body),
	});
	const answer = await response.text();
	try {
		return [response.status, JSON.parse(answer)];
	} catch {
		return [response.status, answer];
	}
}

/** Runs one row up to its pause; the platform keeps its report to itself. */
async function pause(parameters: INodeParameters = {}, changes: Partial<INode> = {}): Promise<Run> {
	Object.assign(world.sandbox.trouble, { report: 'lost' });
	const run = await press(withRows([row()], waitNode(parameters, changes), after()));
	await paused(run);
	return run;
}

const outcome = (changes: IDataObject = {}): IDataObject => ({
	delivered: true,
	status: 'DELIVRD',
	serviceId: '102',
	messageId: '1',
	recipient,
	reference: expect.stringMatching(uuid) as string,
	...changes,
});

/** The run went on once, with this outcome, and the row is still there for the nodes after it. */
function expectOutcome(execution: Execution, expected: IDataObject): void {
	expect([execution.status, execution.result.error?.message]).toEqual(['success', undefined]);
	expect(items(execution)).toEqual([expected]);
	expect(execution.result.runData.smsSend).toHaveLength(1);
	expect(execution.result.runData.after).toHaveLength(1);
	expect(items(execution, 0, 'after')).toEqual([{ ...expected, email: 'a@example.gr' }]);
	// A replaced input item must not change what the node before it is shown to have given out.
	expect(items(execution, 0, 'Start')).toEqual([expect.objectContaining({ email: 'a@example.gr' })]);
}

/** The proper report still gets through, and is the one that counts. */
async function expectStillWaiting(run: Run, index = 0): Promise<void> {
	expect((await stored(run))?.status).toBe('waiting');
	expect(await call(addressOf(index))).toEqual([200, success]);
	expectOutcome(await finished(run), outcome());
	expect(world.sandbox.accepted(recipient)).toBe(1);
}

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

	test.each(['EXPIRED', 'UNDELIV', 'a word of its own'])('%s is final, and passes through as it is', async (status) => {
		const run = await pause();

		expect(await call(addressOf(), report({ status }))).toEqual([200, success]);
		expectOutcome(await finished(run), outcome({ delivered: false, status }));
	});

	test('SUBMITTED, SENT and PENDING are acknowledged and the wait goes on', async () => {
		const run = await pause();

		for (const status of ['SUBMITTED', 'SENT', 'PENDING', 'SENT']) {
			expect([status, ...(await call(addressOf(), report({ status })))]).toEqual([status, 200, success]);
		}
		await expectStillWaiting(run);
	});

	test('intermediate statuses as the platform sends them, at its own pace', async () => {
		Object.assign(world.sandbox.trouble, { report: 'intermediate' });
		const run = await press(withRows([row()], waitNode(), after()));

		expectOutcome(await finished(run), outcome());
		await world.sandbox.settled();
		expect(answersToReports().filter((status) => status === 200)).toHaveLength(3);
	});

	test.each([
		['+30 691 234 5678', '306912345678'],
		['dokimastikos', '6912345678'],
	])('sent to %s and reported on %s: the same person', async (typed, reported) => {
		Object.assign(world.sandbox.trouble, { report: 'lost' });
		const run = await press(withRows([row({ recipient: typed })], waitNode(), after()));
		await paused(run);
		const sentTo = world.sandbox.messages[0]!.recipient;

		expect(await call(addressOf(), report({ recipient: reported }))).toEqual([200, success]);
		expectOutcome(await finished(run), outcome({ recipient: sentTo }));
	});

	test('started by a webhook in production', async () => {
		const webhook = {
			...builtIn('n8n-nodes-base.webhook', 'Start', 2, { path: randomUUID(), httpMethod: 'POST' }),
			webhookId: randomUUID(),
		};
		const send = waitNode({
			recipient: '={{ $json.body.recipient }}',
			replacements: { values: [{ value: '={{ $json.body.number }}' }] },
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
	const status = await new Promise((resolve, reject) => {
		const headers = { host: 'internal.example.gr', 'content-type': 'application/json' };
		const sent = request(addressOf(), { method: 'POST', headers }, (answer) => resolve(answer.resume().statusCode));
		sent.on('error', reject).end(JSON.stringify(report()));
	});

	expect(status).toBe(signsHost ? 401 : 200);
	if (signsHost) await expectStillWaiting(run);
	else expectOutcome(await finished(run), outcome());
});

describe('what is not the last word on this message leaves the run waiting', () => {
	test.each<[string, (address: URL) => void]>([
		['a changed signature', (address) => address.searchParams.set('signature', '0'.repeat(64))],
		['no signature', (address) => address.searchParams.delete('signature')],
		['a query that was added to', (address) => address.searchParams.set('extra', '1')],
	])('%s: 401', async (_, forge) => {
		const run = await pause();
		const address = new URL(addressOf());
		forge(address);
		const [status, answer] = await call(address.href);

		expect(status).toBe(401);
		expect(answer).not.toEqual(success);
		await expectStillWaiting(run);
	});

	test("another run's signature: 401", async () => {
		const [first, second] = [await pause(), await pause()];
		const address = new URL(addressOf(0));
		address.search = new URL(addressOf(1)).search;
		const [status] = await call(address.href);

		expect(status).toBe(401);
		expect([(await stored(first))?.status, (await stored(second))?.status]).toEqual(['waiting', 'waiting']);
		await call(addressOf(0));
		await call(addressOf(1));
		expectOutcome(await finished(first), outcome());
		expectOutcome(await finished(second), outcome());
	});

	test.each([
		['service', { serviceId: '101' }],
		['recipient', { recipient: otherRecipient }],
		['recipient, not delivered', { recipient: otherRecipient, status: 'ERROR', error: '27' }],
		['service, intermediate', { serviceId: '101', status: 'SENT' }],
	])('wrong %s: 401 in the words of the platform', async (_, changes) => {
		const run = await pause();

		expect(await call(addressOf(), report(changes))).toEqual([401, refused('INVALID_SIGNATURE')]);
		await expectStillWaiting(run);
	});

	test.each<[string, unknown, string]>([
		['empty', {}, 'application/json'],
		['without a status', report({ status: undefined }), 'application/json'],
		['with an empty status', report({ status: ' ' }), 'application/json'],
		['with a status that is a list', report({ status: ['DELIVRD'] }), 'application/json'],
		['without a recipient', report({ recipient: undefined }), 'application/json'],
		['a list', [report()], 'application/json'],
		['null', null, 'application/json'],
		['a word', '"DELIVRD"', 'application/json'],
		['no JSON, and not called so', 'status is DELIVRD', 'text/plain'],
		['of no type', 'status is DELIVRD', ''],
	])('a body that is %s: 400', async (_, body, contentType) => {
		const run = await pause();

		expect(await call(addressOf(), body, contentType)).toEqual([400, refused('INVALID_REQUEST')]);
		await expectStillWaiting(run);
	});

	test('a body that calls itself JSON and is not: refused by n8n itself', async () => {
		const run = await pause();
		const [status] = await call(addressOf(), '{"serviceId":');

		expect(status).toBe(422);
		await expectStillWaiting(run);
	});
});

describe('the same report again is harmless', () => {
	test('after the run went on, in whatever state it is', async () => {
		const run = await pause();
		await call(addressOf());
		const [during] = await call(addressOf());
		expectOutcome(await finished(run), outcome());
		const [afterwards] = await call(addressOf());
		const [contrary] = await call(addressOf(), report({ status: 'ERROR', error: '27' }));

		// 409 while the run is under way: the platform calls again, and is answered.
		expect([200, 409]).toContain(during);
		expect([afterwards, contrary]).toEqual([200, 200]);
		expectOutcome(await finished(run), outcome());
	});

	test('twice at once', async () => {
		const run = await pause();
		const answers = await Promise.all([call(addressOf()), call(addressOf()), call(addressOf())]);

		expect(answers.map(([status]) => status)).toContain(200);
		expectOutcome(await finished(run), outcome());
		await until('nothing goes on a second time', async () => (await stored(run))?.status === 'success');
		expectOutcome(await finished(run), outcome());
	});

	test('while a later node of the same run waits for its own', async () => {
		Object.assign(world.sandbox.trouble, { report: 'lost' });
		const run = await press(
			withRows(
				[row()],
				waitNode({}, { name: 'earlier' }),
				waitNode({ recipient, replacements: { values: [{ value: '18' }] } }),
			),
		);
		await paused(run);
		expect(await call(addressOf(0))).toEqual([200, success]);
		await until('the second was sent', () => world.sandbox.messages.length === 2);
		await paused(run);
		const [again] = await call(addressOf(0));
		expect([200, 401]).toContain(again);
		expect(await call(addressOf(1), report({ status: 'ERROR', error: '27' }))).toEqual([200, success]);

		expect(items(await finished(run))).toEqual([outcome({ delivered: false, status: 'ERROR', errorCode: '27' })]);
	});

	test('as the platform does it', async () => {
		Object.assign(world.sandbox.trouble, { report: 'twice' });
		const run = await press(withRows([row()], waitNode(), after()));
		await finished(run);
		await world.sandbox.settled();

		expectOutcome(await finished(run), outcome());
		expect(answersToReports().at(-1)).toBe(200);
	});
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
			Object.assign(world.sandbox.trouble, { report: 'lost' });
			const workflow = withRows([row()], waitNode({ options: { maxWaitMinutes: 0.05 } }), after());
			workflow.pinData!.Start![0]!.binary = { id: { data: 'eA==', mimeType: 'text/plain', fileName: 'id.txt' } };
			const run = await press(workflow);
			await paused(run);
			const timedOut = outcome({ delivered: false, status: 'TIMEOUT' });
			const execution = await finished(run, timeOutMs);
			expectOutcome(execution, timedOut);
			expect(outputs(execution, 'smsSend')[0]![0]).not.toHaveProperty('binary');
			expect(outputs(execution, 'Start')[0]![0]).toHaveProperty('binary');
			const [status] = await call(addressOf());

			expect(status).toBe(200);
			expectOutcome(await finished(run), timedOut);
			expect(world.sandbox.accepted(recipient)).toBe(1);
		},
		timeOutMs + 30_000,
	);

	test('while n8n is down', async () => {
		const run = await pause({ options: { maxWaitMinutes: 0.02, reference: 'αίτηση 12' } });
		await world.n8n.stop();
		await world.n8n.start();
		const execution = await finished(run, timeOutMs);

		// In queue mode n8n goes on with such a run before it has its queue, and then takes it for one that was lost.
		if (servers) expect(execution.status).toBe('crashed');
		else expectOutcome(execution, outcome({ delivered: false, status: 'TIMEOUT', reference: 'αίτηση 12' }));
		expect(world.sandbox.accepted(recipient)).toBe(1);
	}, 240_000);
});

describe('the pause outlives n8n', () => {
	test.each(['stop', 'kill'] as const)('%s, start, and the report resumes the run', async (end) => {
		const run = await pause();
		await world.n8n[end]();
		// Nobody answers, or a proxy does for the n8n that is gone.
		expect((await call(addressOf()).catch(() => [503]))[0]).toBeGreaterThanOrEqual(500);
		await world.n8n.start();

		expect(await call(addressOf(), report({ recipient: otherRecipient }))).toEqual([401, refused('INVALID_SIGNATURE')]);
		await expectStillWaiting(run);
	}, 180_000);
});

describe('more than one item', () => {
	const rows = [row(), row({ recipient: otherRecipient })];

	test('refused before anything is sent, and told what to do', async () => {
		const execution = await world.n8n.execute(withRows(rows, waitNode(), after()));

		expect(execution.status).toBe('error');
		expect(taskOf(execution, 'smsSend').error).toMatchObject({
			message: expect.stringMatching(/one item.*2 came.*nothing was sent/),
			description: expect.stringMatching(/Loop Over Items.*sub-workflow/),
		});
		expect(execution.result.runData.after).toBeUndefined();
		expect(bodies()).toEqual([]);
	});

	test.each([
		['continueRegularOutput', 0, {}],
		['continueErrorOutput', 1, {}],
		['continueErrorOutput', 1, { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 }],
	] as const)('On Error: %s, an error item for each', async (onError, branch, retries) => {
		const execution = await world.n8n.execute(withRows(rows, waitNode({}, { onError, ...retries })));

		expect(execution.status).toBe('success');
		expect(items(execution, 1 - branch)).toEqual([]);
		expect(items(execution, branch)).toEqual(
			[0, 1].map((index) =>
				expect.objectContaining({
					error: expect.stringMatching(/one item/),
					message: expect.stringMatching(/Loop Over Items/),
					details: expect.objectContaining({ outcome: 'rejected' }),
					...(branch === 1 && { recipient: rows[index]!.recipient }),
				}),
			),
		);
		expect(bodies()).toEqual([]);
	});

	/** The way that the refusal names: one round of the loop for each row. */
	const looped = (rowsOfLoop: IDataObject[]): WorkflowFile => {
		const loop = builtIn('n8n-nodes-base.splitInBatches', 'loop', 3, { batchSize: 1 });
		const workflow = withRows(rowsOfLoop, loop, waitNode());
		workflow.nodes.push(after());
		workflow.connections.loop = {
			main: [[{ node: 'after', type: 'main', index: 0 }], [{ node: 'smsSend', type: 'main', index: 0 }]],
		};
		workflow.connections.smsSend = { main: [[{ node: 'loop', type: 'main', index: 0 }]] };
		return workflow;
	};

	test('Loop Over Items sends and waits for each in turn', async () => {
		Object.assign(world.sandbox.trouble, { report: 'twice' });
		const execution = await finished(await press(looped(rows)));
		await world.sandbox.settled();

		expect([execution.status, execution.result.error?.message]).toEqual(['success', undefined]);
		expect(items(execution, 0, 'after').map(({ delivered, recipient: to, reference }) => [delivered, to, reference])).toEqual(
			[recipient, otherRecipient].map((to) => [true, to, expect.stringMatching(uuid)]),
		);
		expect(world.sandbox.messages.map((message) => message.recipient)).toEqual([recipient, otherRecipient]);
	});

	test("in a loop, the first message's report is not taken for the second's", async () => {
		Object.assign(world.sandbox.trouble, { report: 'lost' });
		const run = await press(looped([row(), row({ number: '18' })]));
		await until('the first was sent', () => world.sandbox.messages.length === 1);
		await paused(run);
		expect(await call(addressOf(0))).toEqual([200, success]);
		await until('the second was sent', () => world.sandbox.messages.length === 2);
		await paused(run);
		// The platform repeats its report on the first, to the same person and of the same service.
		await call(addressOf(0));
		await call(addressOf(1), report({ status: 'ERROR', error: '27' }));
		const execution = await finished(run);

		expect(items(execution, 0, 'after').map(({ status }) => status)).toEqual(['DELIVRD', 'ERROR']);
	});

	test.each([true, false])(
		'a sub-workflow that is called for each item: each goes on with its own report (its caller waits: %s)',
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
			const run = await press(withRows(rows, caller));
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
				details: { outcome: 'rejected', recipient, errorCode: 'E-002', reference: expect.stringMatching(uuid) },
			},
		]);
	});

	test.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'taken, and the answer lost: unknown, and not sent again with Retry On Fail and %s',
		async (onError) => {
			Object.assign(world.sandbox.trouble, { answer: 'cutAfter', times: 1, report: 'lost' });
			const execution = await world.n8n.execute(withRows([row()], waitNode({}, { ...retries, onError })));

			expect(execution.status).toBe(onError === 'stopWorkflow' ? 'error' : 'success');
			expect(world.sandbox.accepted(recipient)).toBe(1);
			expect(bodies()).toHaveLength(1);
			if (onError === 'stopWorkflow') return;
			expect(items(execution, onError === 'continueErrorOutput' ? 1 : 0)).toEqual([
				expect.objectContaining({ details: expect.objectContaining({ outcome: 'unknown', recipient }) }),
			]);
		},
	);

	test('a report on a message whose answer was lost finds nobody waiting', async () => {
		Object.assign(world.sandbox.trouble, { answer: 'cutAfter', times: 1, reportDelayMs: 1000 });
		const execution = await world.n8n.execute(withRows([row()], waitNode({}, { onError: 'continueErrorOutput' })));
		await world.sandbox.settled();

		expect(items(execution, 1)).toHaveLength(1);
		expect(items(execution)).toEqual([]);
	});

	test('refused at first and taken when n8n tries again: one message, and the wait begins', async () => {
		Object.assign(world.sandbox.trouble, { answer: 'refuse', times: 1 });
		const run = await press(withRows([row()], waitNode({}, retries), after()));

		expectOutcome(await finished(run), outcome());
		expect(world.sandbox.accepted(recipient)).toBe(1);
		expect(bodies()).toHaveLength(2);
	});

	test('a dry run', async () => {
		const execution = await world.n8n.execute(withRows([row()], waitNode({ options: { dryRun: true } })));

		expect(execution.status).toBe('success');
		expect(items(execution)).toEqual([
			{ accepted: false, dryRun: true, serviceId: '102', messageId: '1', recipient },
		]);
		expect(bodies()).toEqual([]);
	});

	test('a duplicate', async () => {
		const node = waitNode({ options: { skipDuplicates: true } });
		const workflow = withRows([row()], node);
		const first = await press(workflow);
		expect(items(await finished(first))).toEqual([outcome()]);
		const executionId = await world.n8n.begin(first.workflowId);
		const second = await finished({ workflowId: first.workflowId, executionId });

		expect(items(second)).toEqual([{ accepted: false, skipped: true, serviceId: '102', messageId: '1', recipient }]);
		expect(world.sandbox.accepted(recipient)).toBe(1);
	});
});

describe('as an AI tool it is refused instead of hanging', () => {
	const tool = (parameters: INodeParameters): INode =>
		waitNode(
			{ recipient, replacements: { values: [{ value: '17' }] }, ...parameters },
			{ name: 'tool', type: 'n8n-nodes-amka-sms.smsSendTool' },
		);

	/** A root node of n8n's AI nodes, with sub-nodes attached by their kind of connection. */
	const withSubNodes = (root: INode, subNodes: Record<string, INode>): WorkflowFile => {
		const workflow = withRows([{}], root);
		for (const [type, node] of Object.entries(subNodes)) {
			workflow.nodes.push(node);
			workflow.connections[node.name] = { [type]: [[{ node: root.name, type, index: 0 } as never]] };
		}
		return workflow;
	};

	/** What the editor runs for "Execute step" on a tool. */
	test('tried in the editor', async () => {
		const executor = builtIn('@n8n/n8n-nodes-langchain.toolExecutor', 'executor', 1, { query: '{}' });
		const execution = await world.n8n.execute(withSubNodes(executor, { ai_tool: tool({}) }));

		expect(execution.status).not.toBe('waiting');
		expect(JSON.stringify(execution.result)).toMatch(/can't run as an AI tool/);
		expect(bodies()).toEqual([]);
	});

	/** Lets an agent with a simulated model call the tool once. @returns the run, and what the tool answered */
	const asked = async (toolNode: INode, ...behind: INode[]): Promise<[Execution, string[]]> => {
		const model = await startModel();
		try {
			const credential = await world.n8n.addCredential('openAiApi', { apiKey: 'none', url: model.url });
			const agent = builtIn('@n8n/n8n-nodes-langchain.agent', 'agent', 3, {
				promptType: 'define',
				text: 'Send the message',
				options: {},
			});
			const chat = {
				...builtIn('@n8n/n8n-nodes-langchain.lmChatOpenAi', 'model', 1.2, {
					model: { __rl: true, mode: 'id', value: 'simulated' },
					options: {},
				}),
				credentials: { openAiApi: credential },
			};
			const workflow = withSubNodes(agent, { ai_languageModel: chat, ai_tool: toolNode });
			for (const node of behind) {
				workflow.nodes.push(node);
				workflow.connections[node.name] = { ai_tool: [[{ node: toolNode.name, type: 'ai_tool', index: 0 }]] };
			}
			const execution = await world.n8n.execute(workflow);
			expect(execution.status).not.toBe('waiting');
			return [execution, model.toolAnswers];
		} finally {
			await model.close();
		}
	};

	test.each<[string, RegExp, number]>([
		['sendAndWait', /can't run as an AI tool.*nothing was sent/, 0],
		// The other operation shows that the tool is really called.
		['send', /accepted/, 1],
	])('%s, called by an agent', async (operation, answer, sent) => {
		const [execution, answers] = await asked(tool({ operation }));

		if (sent > 0 || tellsModelOfFailure) expect(answers).toEqual([expect.stringMatching(answer)]);
		else expect([answers, taskOf(execution, 'tool').error?.message]).toEqual([[], expect.stringMatching(answer)]);
		expect(world.sandbox.messages).toHaveLength(sent);
	});

	if (hasHumanApproval) {
		test('as the human approval that n8n makes of every such node: nothing is approved', async () => {
			const approval = { ...tool({}), name: 'approval', type: 'n8n-nodes-amka-sms.smsSendHitlTool' };
			const [execution, answers] = await asked(approval, tool({ operation: 'send' }));

			expect(taskOf(execution, 'approval').error?.message).toMatch(/can't run as an AI tool/);
			expect(answers).toHaveLength(tellsModelOfFailure ? 1 : 0);
			expect(bodies()).toEqual([]);
		});
	}
});

describe('examples/send-and-wait.json', () => {
	/** Imports the file as a user does, and chooses the credential. */
	const imported = (): WorkflowFile => {
		const workflow = JSON.parse(readFileSync('examples/send-and-wait.json', 'utf8')) as WorkflowFile;
		const { credentials } = waitNode();
		return {
			...workflow,
			nodes: workflow.nodes.map((node) => (node.name === 'SMS Send' ? { ...node, credentials } : node)),
		};
	};

	test('carries no address, no credential and no stored data of its author', () => {
		const file = readFileSync('examples/send-and-wait.json', 'utf8');

		expect(file).not.toMatch(/"(webhookId|credentials|pinData|staticData|meta|versionId|active)"/);
		expect(JSON.parse(file)).not.toHaveProperty('id');
	});

	test('delivered: confirmed', async () => {
		const execution = await finished(await press(imported()));

		expect(execution.status).toBe('success');
		expect(items(execution, 0, 'SMS Send')).toEqual([outcome()]);
		expect(items(execution, 0, 'Confirmed')).toEqual([{ application: '17', confirmed: true }]);
		expect(execution.result.runData).not.toHaveProperty('Write an e-mail instead');
	});

	test('not delivered: an e-mail instead', async () => {
		Object.assign(world.sandbox.trouble, { reportError: '27' });
		const execution = await finished(await press(imported()));

		expect(execution.status).toBe('success');
		expect(items(execution, 0, 'Write an e-mail instead')).toEqual([
			{ to: 'student@example.gr', subject: 'Η αίτηση 17 εγκρίθηκε', why: 'ERROR 27' },
		]);
		expect(execution.result.runData).not.toHaveProperty('Confirmed');
	});
});

/** An OpenAI-compatible model that calls its first tool once, and then ends. */
async function startModel(): Promise<{ url: string; toolAnswers: string[]; close: () => Promise<void> }> {
	const toolAnswers: string[] = [];
	const server = createServer((incoming, response) => {
		void text(incoming).then((body) => {
			const { messages = [], tools = [] } = JSON.parse(body || '{}') as {
				messages?: Array<{ role: string; content: unknown }>;
				tools?: Array<{ function: { name: string } }>;
			};
			const last = messages.at(-1);
			if (last?.role === 'tool') toolAnswers.push(String(last.content));
			const call = { id: 'call_1', type: 'function', function: { name: tools[0]?.function.name, arguments: '{}' } };
			const message =
				last?.role === 'tool'
					? { role: 'assistant', content: 'done' }
					: { role: 'assistant', content: null, tool_calls: [call] };
			response.setHeader('content-type', 'application/json').end(
				JSON.stringify({
					id: 'simulated',
					object: 'chat.completion',
					created: 0,
					model: 'simulated',
					choices: [{ index: 0, message, finish_reason: last?.role === 'tool' ? 'stop' : 'tool_calls' }],
					usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
				}),
			);
		});
	});
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		toolAnswers,
		close: async () => {
			server.closeAllConnections();
			await new Promise((closed) => server.close(closed));
		},
	};
}

keysStaySecret(world);

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { IDataObject, INode } from 'n8n-workflow';
import { forward } from './calls';
import { items, until } from './n8n';
import { servers } from './queue';
import { mobile } from './sending';
import { builtIn } from './workflows';
import { defaultEngine, keysStaySecret, useWorld, type World } from './world';

/*
 * Checks that each message gets one answer by SMS, however often the platform repeats its call, and starts one execution, or
 * another one after an execution that failed or was stopped. By default, the test uses few messages. `IMPATIENT=300` sends 300
 * messages at once, with a time-out of 5 s.
 */
const whole = Number(process.env.IMPATIENT ?? 0);

/** Returns a node that replies to an incoming SMS. It does not record sent messages, so a second reply is sent and counted. */
const answerBySms = (world: World): INode => ({
	...builtIn('n8n-nodes-base.httpRequest', 'Answer', 4.2, {
		method: 'POST',
		url: `${world.sandbox.url}/sendSMS`,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'smsPlatformApi',
		sendBody: true,
		specifyBody: 'json',
		jsonBody:
			'={{ JSON.stringify({ serviceId: "101", messageId: "2", recipient: $("smsTrigger").item.json.mobile, replacements: [] }) }}',
		// If the platform rejects the reply, the workflow fails.
		options: { response: { response: { neverError: false } } },
	}),
	credentials: world.node('smsTrigger', {}).credentials,
});
const wait = (seconds: number): INode =>
	builtIn('n8n-nodes-base.wait', 'Wait', 1.1, { amount: seconds, unit: 'seconds' });

const messages = (world: World, count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => forward(world, { MSISDN: mobile(index) }) as IDataObject);

interface Figures {
	calls: number;
	/** How often each result occurred: `0` for a success, an HTTP status with an error code, `gave up`, or the name of an error. */
	answers: Record<string, number>;
	/** Indexes of the incoming SMS that got a success. */
	acknowledged: number[];
	seconds: number;
}

/**
 * Calls as the platform does, from a separate process, until each incoming SMS gets a success or the time `within` is over. All
 * times are in seconds.
 */
async function callUntilTaken(
	url: string,
	bodies: IDataObject[],
	times: { giveUpAfter: number; pause: number; within: number },
): Promise<Figures> {
	const callers = promisify(execFile)(process.execPath, ['test/e2e/impatientCallers.mjs'], { maxBuffer: 2 ** 24 });
	callers.child.stdin!.end(JSON.stringify({ url, messages: bodies, ...times }));
	const figures = JSON.parse((await callers).stdout) as Figures;
	if (whole) process.stdout.write(`${expect.getState().currentTestName}: ${JSON.stringify(figures)}\n`);
	return figures;
}

const TAKEN = '200 ';
const CALL_AGAIN = '500 INTERNAL_ERROR';
/** Makes one call. @returns HTTP status and error code; undefined if the caller gave up before the answer */
async function call(url: string, body: IDataObject, patience = 30): Promise<string | undefined> {
	try {
		const response = await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
			signal: AbortSignal.timeout(patience * 1000),
		});
		return `${response.status} ${((await response.json()) as { errorCode?: string }).errorCode}`;
	} catch {
		return undefined;
	}
}

/** Waits until this number of executions has ended. @returns the status of each */
const ends = async (world: World, id: string, count: number): Promise<string[]> =>
	(await world.n8n.executionsWhenEnded(id, count, 60_000)).map(({ status }) => status);

// n8n's default engine needs a tenth of a second for every call, and more on a busy machine. If callers repeat their calls
// faster than it can answer them, n8n comes to a standstill before a call reaches the node.
describe.each([
	['the expression engine that starts when it is needed', undefined, whole || 60],
	["n8n's default expression engine", defaultEngine, whole || 10],
])('with %s', (_, engine, messageCount) => {
	const world = useWorld(engine);
	// In queue mode two webhook processes receive the calls through the proxy of docs/scale.md.
	beforeAll(async () => await world.n8n.queue?.addWebhook(), 120_000);
	const giveUpAfter = whole ? 5 : 1;

	/** Measures with rejected calls how many seconds n8n needs for one call on this machine. */
	async function secondsOfCall(url: string, body: IDataObject): Promise<number> {
		const begun = performance.now();
		for (let i = 0; i < 5; i++) expect(await call(url, { ...body, 'pre-shared key': 'another' })).toMatch(/^4/);
		return (performance.now() - begun) / 5000;
	}
	const pauseOf = async (url: string, body: IDataObject): Promise<number> => {
		if (engine === undefined) return 0.5;
		return whole ? 20 : Math.max(8, 4 * messageCount * (await secondsOfCall(url, body)));
	};

	test(
		`each of ${messageCount} incoming SMS at the same time starts one execution, although the caller gives up a call after ${giveUpAfter} s`,
		async () => {
			const { id, forwardUrl: url } = await world.publishTrigger({ events: ['smsForward'] }, answerBySms(world));
			const bodies = messages(world, messageCount);
			const pause = await pauseOf(url, bodies[0]!);
			const figures = await callUntilTaken(url, bodies, { giveUpAfter, pause, within: whole ? 420 : 240 });
			const executions = await world.n8n.executionsWhenAllEnded(id, 120_000);

			expect(figures.acknowledged).toHaveLength(messageCount);
			const started = executions.map((execution) => String(items(execution, 0, 'smsTrigger')[0]!.mobile));
			expect(started.sort()).toEqual(bodies.map(({ MSISDN }) => MSISDN));
			expect(bodies.map(({ MSISDN }) => world.sandbox.accepted(String(MSISDN)))).toEqual(Array(messageCount).fill(1));
			// A later call with the same SMS starts no execution.
			for (const body of bodies.slice(0, 5)) expect(await call(url, body)).toBe(TAKEN);
			expect(await world.n8n.executions(id)).toHaveLength(messageCount);
		},
		whole ? 700_000 : 500_000,
	);

	keysStaySecret(world);
});

describe('if the workflow gives the response, and the caller gives up before the response', () => {
	const world = useWorld();
	beforeAll(async () => await world.n8n.queue?.addWebhook(), 120_000);
	/** Returns the last node: its response contains the text of the SMS as the result. */
	const answer = (): INode =>
		builtIn('n8n-nodes-base.set', 'Respond', 3.4, {
			mode: 'raw',
			jsonOutput: '={{ { result: $("smsTrigger").item.json.body, errorCode: "", error: "" } }}',
		});

	test('a repeated call starts the workflow again if the first run failed, and starts nothing after a run that succeeded', async () => {
		const { id, forwardUrl: url } = await world.publishTrigger(
			{ respond: 'lastNode' },
			wait(2),
			answerBySms(world),
			answer(),
		);
		const body: IDataObject = { ...messages(world, 1)[0], body: '0' };
		for (const [runs, platform] of ['500', 'normal'].entries()) {
			Object.assign(world.sandbox.trouble, { answer: platform });
			expect(await call(url, body, 0.7)).toBeUndefined();
			expect(await call(url, body)).toBe(CALL_AGAIN);
			await ends(world, id, runs + 1);
		}
		await until('the SMS is recorded as processed', async () => (await call(url, body)) === TAKEN);

		expect(await ends(world, id, 2)).toEqual(['error', 'success']);
		expect(world.sandbox.accepted(String(body.MSISDN))).toBe(1);
	});

	keysStaySecret(world);
});

// In queue mode each worker has its own limit, and an incoming SMS is recorded before a worker is free.
(servers ? describe.skip : describe)('with a limit of one execution at a time', () => {
	const world = useWorld({ N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' });
	const [busy, patience] = whole ? [20, 3] : [10, 1];

	/** Runs another workflow for a number of seconds, so that n8n starts no further execution. */
	async function occupy(seconds: number): Promise<void> {
		const { id, forwardUrl: url } = await world.publishTrigger({}, wait(seconds));
		expect(await call(url, messages(world, 1)[0]!)).toBe(TAKEN);
		expect(await world.n8n.executions(id)).toHaveLength(1);
	}

	test(`a request that waits ${busy} s in n8n's queue starts one execution, although the platform times out after ${patience} s and repeats it`, async () => {
		const { id, forwardUrl: url } = await world.publishTrigger({}, answerBySms(world));
		await occupy(busy);
		const bodies = messages(world, 1);
		const figures = await callUntilTaken(url, bodies, { giveUpAfter: patience, pause: patience, within: 60 });
		await ends(world, id, 1);

		expect(figures.acknowledged).toEqual([0]);
		expect(figures.answers['gave up']).toBeGreaterThanOrEqual(1);
		expect(figures.answers[CALL_AGAIN]).toBeGreaterThanOrEqual(1);
		expect(world.sandbox.accepted(String(bodies[0]!.MSISDN))).toBe(1);
	}, 120_000);

	test('the platform is told to call again, until n8n restarts, after an execution was stopped while it waited in the queue', async () => {
		const { id, forwardUrl: url } = await world.publishTrigger({}, answerBySms(world));
		await occupy(5);
		const [body] = messages(world, 1) as [IDataObject];
		const first = call(url, body, 3);
		const waiting = await until('the execution waits in the queue', async () => (await world.n8n.executions(id))[0]);
		await world.n8n.rest('POST', `/executions/${waiting.id}/stop`);
		await first;
		expect(await call(url, body)).toBe(CALL_AGAIN);
		await world.n8n.restart();

		await until('the address is open again', async () => (await call(url, body)) === TAKEN);
		await ends(world, id, 2);
		expect(world.sandbox.accepted(String(body.MSISDN))).toBe(1);
	}, 180_000);

	keysStaySecret(world);
});

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { IDataObject, INode } from 'n8n-workflow';
import { forward } from './calls';
import { items, until } from './n8n';
import { mobile } from './sending';
import { builtIn } from './workflows';
import type { World } from './world';

/*
 * Messages that come again and again to one SMS Trigger, whose workflow answers each by SMS. Bounded by default;
 * `IMPATIENT=300` is the whole: 300 messages at once, given up after 5 s.
 */
export const whole = Number(process.env.IMPATIENT ?? 0);

/** Answers a message by SMS, by a node that has no memory of what it sent: what is sent twice is counted twice. */
export const answerBySms = (world: World): INode => ({
	...builtIn('n8n-nodes-base.httpRequest', 'Answer', 4.2, {
		method: 'POST',
		url: `${world.sandbox.url}/sendSMS`,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'smsPlatformApi',
		sendBody: true,
		specifyBody: 'json',
		jsonBody:
			'={{ JSON.stringify({ serviceId: "101", messageId: "2", recipient: $("smsTrigger").item.json.mobile, replacements: [] }) }}',
		// What the platform refused is a failure of the workflow.
		options: { response: { response: { neverError: false } } },
	}),
	credentials: world.node('smsTrigger', {}).credentials,
});
export const wait = (seconds: number): INode =>
	builtIn('n8n-nodes-base.wait', 'Wait', 1.1, { amount: seconds, unit: 'seconds' });

export const messages = (world: World, count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => forward(world, { MSISDN: mobile(index) }) as IDataObject);

export interface Figures {
	calls: number;
	/** How often each: `0`, an HTTP status with an error code, `gave up`. */
	answers: Record<string, number>;
	/** Indexes. */
	acknowledged: number[];
	seconds: number;
}

/** The platform's calls, from a process of their own. Times in seconds. */
export async function callUntilTaken(
	url: string,
	bodies: IDataObject[],
	times: { giveUpAfter: number; pause: number; within: number },
): Promise<Figures> {
	const callers = promisify(execFile)(process.execPath, ['test/e2e/impatientCallers.mjs'], { maxBuffer: 2 ** 24 });
	callers.child.stdin!.end(JSON.stringify({ url, messages: bodies, ...times }));
	return JSON.parse((await callers).stdout) as Figures;
}

/** One call. @returns HTTP status and error code; undefined where the caller left before the answer */
export async function call(url: string, body: IDataObject, patience = 30): Promise<string | undefined> {
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
/** How long n8n takes here and now for one call, by some that are refused. */
export async function secondsOfCall(url: string, body: IDataObject): Promise<number> {
	const begun = performance.now();
	for (let i = 0; i < 5; i++) expect(await call(url, { ...body, 'pre-shared key': 'another' })).toMatch(/^4/);
	return (performance.now() - begun) / 5000;
}
export const TAKEN = '200 ';
export const CALL_AGAIN = '500 INTERNAL_ERROR';

/** The numbers whose messages started an execution, one for each execution. */
export const started = async (world: World, id: string): Promise<string[]> =>
	(await world.n8n.executions(id)).map((execution) => String(items(execution, 0, 'smsTrigger')[0]!.mobile));
export const count = async (world: World, id: string): Promise<number> =>
	Number(
		(
			await world.n8n.query<{ count: number }>(
				'SELECT count(*) AS count FROM execution_entity WHERE "workflowId" = ?',
				id,
			)
		)[0]!.count,
	);
export const allEnded = async (world: World, id: string): Promise<boolean> =>
	(
		await world.n8n.query(
			"SELECT id FROM execution_entity WHERE \"workflowId\" = ? AND status NOT IN ('success', 'error', 'canceled', 'crashed')",
			id,
		)
	).length === 0;

/** In queue mode two processes take the calls, behind the proxy that docs/scale.md shows. */
export async function secondWebhook(world: World): Promise<void> {
	await world.n8n.queue?.addWebhook();
}

export function report(what: string, figures: Figures & { executions: number; sms: number }): void {
	if (whole)
		process.stdout.write(`${what}: ${JSON.stringify({ ...figures, acknowledged: figures.acknowledged.length })}\n`);
}

/**
 * Declares the test that so many messages at once, whose callers leave soon and come again, start one execution each.
 * @param pauseOf seconds between a caller's tries, for the address and one of the messages
 */
export function testManyAtOnce(
	world: World,
	engine: string,
	messageCount: number,
	pauseOf: (url: string, body: IDataObject) => number | Promise<number>,
): void {
	const giveUpAfter = whole ? 5 : 1;
	test(
		`${engine}: ${messageCount} messages at once, each call given up after ${giveUpAfter} s`,
		async () => {
			const { id, forwardUrl: url } = await world.publishTrigger({ events: ['smsForward'] }, answerBySms(world));
			const bodies = messages(world, messageCount);
			const pause = await pauseOf(url, bodies[0]!);
			const figures = await callUntilTaken(url, bodies, { giveUpAfter, pause, within: whole ? 420 : 240 });
			await until('all executions have ended', async () => await allEnded(world, id), 120_000);
			report(engine, { ...figures, executions: await count(world, id), sms: world.sandbox.messages.length });

			expect(figures.acknowledged).toHaveLength(messageCount);
			expect((await started(world, id)).sort()).toEqual(bodies.map(({ MSISDN }) => MSISDN));
			expect(bodies.map(({ MSISDN }) => world.sandbox.accepted(String(MSISDN)))).toEqual(Array(messageCount).fill(1));
			// And each is known from then on.
			for (const body of bodies.slice(0, 5)) expect(await call(url, body)).toBe(TAKEN);
			expect(await count(world, id)).toBe(messageCount);
		},
		whole ? 700_000 : 500_000,
	);
}

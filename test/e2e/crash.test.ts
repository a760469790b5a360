import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import { call, forward as newForward, report as newReport, signed, success } from './calls';
import { items, until } from './n8n';
import { chunkOf, timesTakenIn } from './sending';
import { withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

/*
 * Kills n8n repeatedly while messages and reports arrive, executions wait and a sheet is being sent. `CRASH_ROUNDS` sets the
 * number of kills. `CRASH_SEED` repeats the random times of a test run.
 */
const world = useWorld();
const rounds = Number(process.env.CRASH_ROUNDS ?? 8);
const seed = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);

/** Returns a random number from 0 to 1. The same seed gives the same sequence (mulberry32). */
let state = seed;
const random = (): number => {
	state = (state + 0x6d2b79f5) | 0;
	let t = Math.imul(state ^ (state >>> 15), 1 | state);
	t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
	return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
};

const concurrency = 10;
const sheet: IDataObject[] = Array.from({ length: 100 * rounds }, (_, index) => ({
	recipient: String(6_900_000_000 + index),
}));

/** Whether the simulated platform continues to send requests. */
let calling = true;
afterAll(() => void (calling = false));
/** IDs of events that n8n has acknowledged. */
const acknowledged: string[] = [];
/** Answers of a running n8n that are not an acknowledgement. */
const refusals: string[] = [];

/** Sends an event as the platform does, repeatedly until n8n acknowledges it or the platform stops sending requests. */
async function deliver(id: string, url: string, body: object): Promise<void> {
	while (calling) {
		const response = await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
			signal: AbortSignal.timeout(20_000),
		})
			.then(async (answer) => ({ status: answer.status, text: await answer.text() }))
			.catch(() => undefined);
		if (response?.text === JSON.stringify(success)) {
			acknowledged.push(id);
			return;
		}
		// An n8n that is starting has no webhooks yet. It answers with its own text, even with HTTP 200, and the proxy of queue
		// mode answers 502.
		const isStarting =
			response &&
			([404, 503, world.n8n.queue && 502].includes(response.status) || response.text.startsWith('n8n is starting up'));
		if (response && !isStarting) refusals.push(`${response.status} ${response.text}`);
		await sleep(100);
	}
}

/** Sends one event after the other, at a steady pace. */
async function caller(paceMs: number, next: () => Promise<void>): Promise<void> {
	while (calling) await Promise.all([next(), sleep(paceMs)]);
}

/** Returns the stored executions of a workflow, each with all its stored data as text. */
const stored = async (workflowId: string): Promise<Array<{ id: number; status: string; data: string }>> =>
	await world.n8n.query(
		'SELECT e.id, e.status, d.data FROM execution_entity e JOIN execution_data d ON d."executionId" = e.id WHERE e."workflowId" = ? ORDER BY e.id',
		workflowId,
	);

/** Returns for each of these IDs how many texts contain it. */
function countById(texts: string[], ids: string[]): Map<string, number> {
	const counts = new Map(ids.map((id) => [id, 0]));
	for (const text of texts) {
		for (const id of new Set(text.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g))) {
			if (counts.has(id)) counts.set(id, counts.get(id)! + 1);
		}
	}
	return counts;
}

const timesTaken = (): Map<string, number> => timesTakenIn(world);

test(
	`after ${rounds} kills of n8n under load (CRASH_SEED=${seed}) no acknowledged event is lost, no message is sent twice, and waiting executions continue`,
	async () => {
		const { n8n, sandbox } = world;
		const { preSharedKey } = sandbox.settings;
		Object.assign(sandbox.trouble, { report: 'lost', delayMs: 20 });

		const inbound = await world.publishTrigger();
		const replies = await world.publishTrigger(
			{ events: ['smsForward'] },
			world.node('smsSend', {
				operation: 'sendAndWait',
				serviceId: '102',
				messageId: '1',
				recipient: '={{ $json.mobile }}',
				// The platform repeats a request that got no answer. This must not send a second message.
				ifAlreadySent: 'skip',
				options: {
					replacements: '={{ [$json.smsForwardId] }}',
					reference: '={{ $json.smsForwardId }}',
					repeatKey: '={{ $json.smsForwardId }}',
					maxWaitMinutes: '={{ $json.keyword === "ΒΟΗΘΕΙΑ" ? 0.5 : 60 }}',
				},
			}),
		);
		const bulkId = await n8n.addWorkflow(
			withRows(
				sheet,
				world.node('smsSend', {
					operation: 'send',
					serviceId: '101',
					messageId: '2',
					recipient: '={{ $json.recipient }}',
					options: { concurrency },
				}),
			),
		);

		const events = { forwards: [] as string[], reports: [] as string[], replies: [] as string[] };
		const forward = async (list: string[], url: string, keyword: string): Promise<void> => {
			const id = randomUUID();
			list.push(id);
			const MSISDN = String(6_800_000_000 + list.length);
			await deliver(id, url, newForward(world, { MSISDN, keyword, 'sms-forward-id': id }));
		};
		const report = async (): Promise<void> => {
			const ref = randomUUID();
			events.reports.push(ref);
			await deliver(ref, signed(inbound.dlrUrl, preSharedKey, { ref }), newReport());
		};
		/** Sends a report for which an execution waits. @returns the HTTP status, or 0 without an answer */
		const reportOn = async (dlrUrl: string, recipient: string): Promise<number> =>
			await call(dlrUrl, newReport({ recipient })).then(
				([status]) => status,
				() => 0,
			);

		const callers = [
			caller(40, async () => await forward(events.forwards, inbound.forwardUrl, 'ΒΑ')),
			caller(40, async () => await forward(events.forwards, inbound.forwardUrl, 'ΒΑ')),
			caller(60, report),
			// Messages that get a report in the end alternate with messages whose wait reaches its time limit.
			caller(
				250,
				async () => await forward(events.replies, replies.forwardUrl, events.replies.length % 2 ? 'ΒΟΗΘΕΙΑ' : 'ΣΙΤΙΣΗ'),
			),
		];

		const sentInRound: number[] = [];
		const waitingAtKill = new Set<number>();
		/** Executions whose wait ended before n8n had started again. n8n may mark them as crashed. */
		const overBeforeStart = new Set<number>();
		let waitingAtLastKill: number[] = [];
		/**
		 * Executions that were running at the kill do not continue. At its next start n8n marks them as crashed. One exception: n8n
		 * leaves the status `running` if n8n's log names the execution, but no node of the execution.
		 */
		let runningAtLastKill = new Set<number>();
		const waiting = async (): Promise<Array<{ id: number; waitTill: unknown }>> =>
			await n8n.query(
				'SELECT id, "waitTill" FROM execution_entity WHERE "workflowId" = ? AND status = \'waiting\'',
				replies.id,
			);
		for (let round = 0; round < rounds; round++) {
			const [sent, heard] = [sandbox.messages.length, acknowledged.length];
			await n8n.begin(bulkId);
			// The kill waits for some events, so that even on a slow machine it happens under load.
			await until(
				'n8n is under load',
				async () =>
					acknowledged.length >= heard + 5 && (await waiting()).filter(({ id }) => !waitingAtKill.has(id)).length > 1,
				60_000,
			);
			await sleep(random() * 4000);
			await n8n.kill();
			sentInRound.push(sandbox.messages.length - sent);
			const waits = await waiting();
			waitingAtLastKill = waits.map(({ id }) => id);
			for (const id of waitingAtLastKill) waitingAtKill.add(id);
			const ofEvents = [...(await stored(inbound.id)), ...(await stored(replies.id))];
			runningAtLastKill = new Set(ofEvents.filter(({ status }) => status === 'running').map(({ id }) => id));
			await until('the platform is done', () => sandbox.inFlight === 0);
			await n8n.start();
			// PostgreSQL returns dates, and SQLite returns texts in UTC.
			const timeOf = (till: unknown) => (till instanceof Date ? till : new Date(`${String(till).replace(' ', 'T')}Z`));
			for (const { id, waitTill } of waits) if (timeOf(waitTill) < new Date()) overBeforeStart.add(id);
		}
		await sleep(1000);
		calling = false;
		await Promise.all(callers);

		// After the last start there is no further kill, so everything can finish.
		Object.assign(sandbox.trouble, { delayMs: 0 });
		const last = await n8n.executeSaved(bulkId, 120_000);
		expect(last.status).toBe('success');
		const underWay = async (): Promise<number> =>
			[...(await stored(inbound.id)), ...(await stored(replies.id))].filter(
				({ id, status }) => ['new', 'running'].includes(status) && !runningAtLastKill.has(id),
			).length;
		// In queue mode, n8n gives up a job a minute after its worker has died, and looks for such jobs once a minute
		// (queue.ts).
		await until('all incoming events are processed', async () => (await underWay()) === 0, 180_000);

		// Each acknowledged event has an execution.
		expect(refusals).toEqual([]);
		const received = countById(
			(await stored(inbound.id)).map(({ data }) => data),
			[...events.forwards, ...events.reports],
		);
		const answered = countById(
			(await stored(replies.id)).map(({ data }) => data),
			events.replies,
		);
		const counts = new Map([...received, ...answered]);
		expect(acknowledged.length).toBeGreaterThanOrEqual(rounds * 5);
		expect(acknowledged.filter((id) => (counts.get(id) ?? 0) === 0)).toEqual([]);

		// Each message was sent at most once. A kill leaves at most one chunk of the sheet claimed and unsent.
		expect([...timesTaken()].filter(([, times]) => times > 1)).toEqual([]);
		const unsent = sheet.filter(({ recipient }) => !timesTaken().has(recipient as string));
		expect(unsent.length).toBeLessThanOrEqual(rounds * chunkOf(concurrency));
		// The last run reports each unsent message as a message of unknown outcome.
		const unknown = items(last).filter((item) => item.unknown === true);
		const unknownRecipients = new Set(unknown.map(({ recipient }) => recipient));
		expect(unsent.filter(({ recipient }) => !unknownRecipients.has(recipient as string))).toEqual([]);
		expect(unknown.length).toBeLessThanOrEqual(rounds * chunkOf(concurrency));
		expect(sentInRound.filter((count) => count > 0).length).toBeGreaterThan(0);

		// Each waiting execution continues with its report, or when its time is over. An execution that had continued and was
		// running at a later kill has crashed, like any other run.
		const statuses = new Map((await stored(replies.id)).map(({ id, status }) => [id, status]));
		const mayHaveCrashed = (id: number): boolean => !waitingAtLastKill.includes(id) || overBeforeStart.has(id);
		const hasCrashed = (id: number): boolean =>
			statuses.get(id) === 'crashed' || (statuses.get(id) === 'running' && runningAtLastKill.has(id));
		const waitedOn = [...waitingAtKill].filter((id) => !hasCrashed(id) || !mayHaveCrashed(id));
		expect(waitingAtKill.size).toBeGreaterThan(rounds);
		const timesOut = new Set(events.replies.filter((_, index) => index % 2 === 1));
		const isWrong = (id: number): boolean => !['waiting', 'success'].includes(String(statuses.get(id)));
		const wrong = (await n8n.executions(replies.id)).filter(
			({ id }) => waitedOn.includes(Number(id)) && isWrong(Number(id)),
		);
		expect(wrong.map(({ id, status, result }) => [id, status, result.error?.message])).toEqual([]);
		const dueLater = (ids: Iterable<number>): number[] => [...ids].filter((id) => !overBeforeStart.has(id));
		expect(dueLater(waitedOn).length).toBeGreaterThan(dueLater(waitingAtKill).length / 2);
		const replied = sandbox.messages.filter(({ serviceId }) => serviceId === '102');
		const refOf = (dlrUrl: string): string => new URL(dlrUrl).searchParams.get('ref')!;
		const waitingTexts = (await stored(replies.id))
			.filter(({ status }) => status === 'waiting')
			.map(({ data }) => data);
		const stillWaiting = countById(waitingTexts, events.replies);
		const reported: string[] = [];
		for (const { dlrUrl, recipient } of replied) {
			if (stillWaiting.get(refOf(dlrUrl)) !== 1 || timesOut.has(refOf(dlrUrl))) continue;
			expect(await reportOn(dlrUrl, recipient)).toBe(200);
			reported.push(refOf(dlrUrl));
		}
		expect(reported.length).toBeGreaterThan(0);
		await until(
			'no execution waits any more',
			async () =>
				(await stored(replies.id)).every(
					({ id, status }) => !['waiting', 'running', 'new'].includes(status) || runningAtLastKill.has(id),
				),
			150_000,
		);
		const ends = (await n8n.executions(replies.id)).filter(({ id }) => waitedOn.includes(Number(id)));
		const ended = ends.map((execution) => items(execution)[0]!);
		expect(ends.map(({ status }) => status)).toEqual(ends.map(() => 'success'));
		expect(ended.map(({ status }) => status)).toEqual(
			ended.map(({ reference }) => (timesOut.has(reference as string) ? 'TIMEOUT' : 'DELIVRD')),
		);
		expect([...timesTaken()].filter(([, times]) => times > 1)).toEqual([]);

		const twice = [...counts].filter(([id, count]) => acknowledged.includes(id) && count > 1).length;
		const ofEvents = [...(await stored(inbound.id)), ...(await stored(replies.id))];
		const overAndCrashed = [...overBeforeStart].filter((id) => statuses.get(id) === 'crashed').length;
		const crashed = ofEvents.filter(({ status }) => status === 'crashed').length;
		const leftRunning = ofEvents.filter(({ status }) => status === 'running').length;
		console.log(
			[
				`seed ${seed}, ${rounds} kills`,
				`${acknowledged.length} events acknowledged, of which ${twice} came again after a kill and ran twice`,
				`${crashed} executions of events crashed, n8n left ${leftRunning} as running`,
				`${sheet.length - unsent.length} of ${sheet.length} rows sent (${sentInRound.join(', ')} messages before each kill), ${unknown.length} of unknown outcome, of which ${unsent.length} were not sent`,
				`${waitingAtKill.size} executions waited through a kill: ${waitingAtKill.size - waitedOn.length} crashed (${overAndCrashed} were over before a start of queue mode, the others had gone on and were at work in a later kill), ${ended.filter(({ status }) => status === 'TIMEOUT').length} timed out, the others were continued`,
			].join('\n'),
		);
	},
	360_000 + rounds * 60_000,
);

keysStaySecret(world);

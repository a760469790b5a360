import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { INode } from 'n8n-workflow';
import { call as callOnce, forward, report, signed, success } from './calls';
import { items, outputs, until, type Execution, type WorkflowFile } from './n8n';
import { servers, type Queue } from './queue';
import { builtIn, withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

/*
 * Sends the same event to two webhook processes of one n8n. The tests assert what the documentation promises. If
 * `RACE_PAIRS` is set, they also print the frequency of other cases as a table, which bench/QUEUE.md contains.
 */

const world = useWorld();
/** `RACE_PAIRS` sets the number of pairs of requests for each time between them. Without it, the tests only assert. */
const measured = process.env.RACE_PAIRS !== undefined;
const pairs = Number(process.env.RACE_PAIRS ?? 3);
const distancesMs = measured ? [0, 5, 20, 50, 100, 300, 1000] : [0];
const queue = (): Queue => world.n8n.queue!;

let workflowId: string;
let path: string;
beforeAll(async () => {
	await queue().addWebhook();
	const { host, port, password } = servers!.redis;
	const redis = await world.n8n.addCredential('redis', { host, port, password, database: 0, ssl: false });
	const trigger: INode = { ...world.node('smsTrigger', {}), webhookId: randomUUID() };
	path = `/webhook/${trigger.webhookId}`;
	workflowId = await world.n8n.addWorkflow(withCures(trigger, redis));
	await world.n8n.publish(workflowId);
}, 180_000);

/** Returns a workflow with the trigger and two ways to stop the second of two equal events: Remove Duplicates, and Redis with Filter. */
function withCures(trigger: INode, redis: { id: string; name: string }): WorkflowFile {
	const event = '{{ $json.smsForwardId ?? $json.reference + $json.status }}';
	const nodes = [
		trigger,
		builtIn('n8n-nodes-base.removeDuplicates', 'Remove Duplicates', 2, {
			operation: 'removeItemsSeenInPreviousExecutions',
			dedupeValue: `=${event}`,
			options: {},
		}),
		builtIn('n8n-nodes-base.noOp', 'after Remove Duplicates', 1, {}),
		{
			...builtIn('n8n-nodes-base.redis', 'Redis', 1, {
				operation: 'incr',
				key: `=sms ${event}`,
				expire: true,
				ttl: 604800,
			}),
			credentials: { redis },
		},
		builtIn('n8n-nodes-base.filter', 'first', 2.2, {
			conditions: {
				options: { caseSensitive: true, typeValidation: 'strict', version: 2 },
				combinator: 'and',
				conditions: [
					{
						id: randomUUID(),
						leftValue: '={{ Object.values($json)[0] }}',
						rightValue: 1,
						operator: { type: 'number', operation: 'equals' },
					},
				],
			},
			options: {},
		}),
		builtIn('n8n-nodes-base.noOp', 'after Redis', 1, {}),
	];
	const to = (...names: string[]) => names.map((node) => ({ node, type: 'main' as const, index: 0 }));
	const begins = to('Remove Duplicates', 'Redis');
	return {
		name: 'race',
		nodes,
		connections: {
			// The trigger has two outputs, for messages and for reports.
			[trigger.name]: { main: [begins, begins] },
			'Remove Duplicates': { main: [to('after Remove Duplicates')] },
			Redis: { main: [to('first')] },
			first: { main: [to('after Redis')] },
		},
		settings: { executionOrder: 'v1' },
	};
}

/** An event that the platform sends: its URL and its body. */
interface Event {
	/** The ID of the event in the trigger's item. */
	id: string;
	address: string;
	body: object;
}

function newForward(): Event {
	const id = randomUUID();
	return { id, address: `${path}/forward`, body: forward(world, { 'sms-forward-id': id }) };
}

function newReport(): Event {
	const id = randomUUID();
	return { id, address: signed(`${path}/dlr`, world.sandbox.settings.preSharedKey, { ref: id }), body: report() };
}

/** Milliseconds until each event got a success, including repeated requests. */
const answeredAfter: number[] = [];

/**
 * Sends an event as the platform does: repeats the request while the node answers 500, because an earlier request with the same
 * event is still in progress.
 */
async function call(host: string, { address, body }: Event): Promise<void> {
	const began = performance.now();
	for (let tries = 1; ; tries++) {
		const answer = await callOnce(host + address, body);
		if (answer[0] === 500 && tries < 100) {
			await sleep(100);
			continue;
		}
		expect(answer).toEqual([200, success]);
		break;
	}
	answeredAfter.push(performance.now() - began);
}

/** Sends an event to both webhook processes, to the second process `distanceMs` ms later. */
async function callBoth(event: Event, distanceMs: number): Promise<void> {
	const [first, second] = queue().webhooks;
	await Promise.all([call(first!.url, event), sleep(distanceMs).then(async () => await call(second!.url, event))]);
}

/** How many executions an event has started, how many of them failed, and how many reached the node after each of the two ways. */
interface Count {
	started: number;
	failed: number;
	'after Remove Duplicates': number;
	'after Redis': number;
}

async function counts(events: Event[]): Promise<Count[]> {
	const executions = await until('every execution has ended', async () => {
		const all = await world.n8n.executions(workflowId);
		return all.every(({ status }) => !['new', 'running', 'unknown'].includes(status)) && all;
	});
	const known = (execution: Execution): unknown => {
		const item = outputs(execution, 'smsTrigger').flat()[0]?.json;
		return item?.smsForwardId ?? item?.reference;
	};
	return events.map(({ id }) => {
		const own = executions.filter((execution) => known(execution) === id);
		const passed = (node: string): number => own.filter(({ result }) => node in result.runData).length;
		return {
			started: own.length,
			failed: own.filter(({ status }) => status !== 'success').length,
			'after Remove Duplicates': passed('after Remove Duplicates'),
			'after Redis': passed('after Redis'),
		};
	});
}

const twiceIn = (found: Count[], field: keyof Count): number => found.filter((count) => count[field] > 1).length;
const oneEach = (events: Event[]) => events.map(() => expect.objectContaining({ started: 1 }));
const kinds: Array<[string, () => Event]> = [
	['message', newForward],
	['report', newReport],
];

test.each(kinds)(
	'the same %s, sent again to the other webhook process after the first request was answered, starts two runs, of which one passes the Redis node',
	async (_, newEvent) => {
		const events = Array.from({ length: pairs }, newEvent);
		for (const event of events) {
			const [first, second] = queue().webhooks;
			await call(first!.url, event);
			await call(second!.url, event);
		}

		// A process recognises only events that it has received itself since its start. Remove Duplicates reads and writes its list
		// in two steps, so the runs of two workers may both pass it.
		expect(await counts(events)).toEqual(events.map(() => expect.objectContaining({ started: 2, 'after Redis': 1 })));
	},
);

test.each(kinds)(
	'the same %s, sent twice at the same moment through nginx with the configuration of docs/scale.md, starts one run',
	async (_, newEvent) => {
		const events = Array.from({ length: pairs }, newEvent);
		for (const event of events) {
			await Promise.all([call(world.n8n.url, event), call(world.n8n.url, event)]);
		}

		expect(await counts(events)).toEqual(oneEach(events));
	},
);

const notes: string[] = [];
const table = [
	'| event | distance ms | pairs | started two | both passed Remove Duplicates | both passed Redis | failed |',
	'|---|---|---|---|---|---|---|',
];

describe.each(kinds)('the same %s, sent to two webhook processes', (kind, newEvent) => {
	test.each(distancesMs)(
		'%i ms apart, passes Redis exactly once',
		async (distanceMs) => {
			const events = Array.from({ length: pairs }, newEvent);
			for (const event of events) await callBoth(event, distanceMs);
			const found = await counts(events);
			const twice = (field: keyof Count): number => twiceIn(found, field);
			const failed = found.filter((count) => count.failed > 0).length;
			table.push(
				`| ${kind} | ${distanceMs} | ${pairs} | ${twice('started')} | ${twice('after Remove Duplicates')} | ${twice('after Redis')} | ${failed} |`,
			);

			expect(found.every(({ started }) => started === 1 || started === 2)).toBe(true);
			expect(found.map((count) => count['after Redis'])).toEqual(events.map(() => 1));
		},
		180_000,
	);
});

test.each(kinds)(
	'a %s that is sent again to the other webhook process after the first request was answered passes the Redis node once, while both processes are busy',
	async (kind, newEvent) => {
		const events = Array.from({ length: 10 * pairs }, newEvent);
		for (let begin = 0; begin < events.length; begin += 10) {
			const burst = events.slice(begin, begin + 10);
			const host = (index: number): string => queue().webhooks[index % 2]!.url;
			await Promise.all(burst.map(async (event, index) => await call(host(index), event)));
			await Promise.all(burst.map(async (event, index) => await call(host(index + 1), event)));
		}
		const found = await counts(events);
		const twice = (field: keyof Count): number => twiceIn(found, field);
		notes.push(
			`A ${kind} repeated after its answer, in bursts of ten to both processes: ${twice('started')} of ${events.length} started two, both passed Remove Duplicates ${twice('after Remove Duplicates')}, both passed Redis ${twice('after Redis')}.`,
		);

		expect(found.map((count) => count['after Redis'])).toEqual(events.map(() => 1));
	},
	180_000,
);

test('two workers that send the same list simultaneously send every row, or both runs report why a row was not sent', async () => {
	const rows = Array.from({ length: 200 }, (_, index) => ({ recipient: String(6_900_000_000 + index) }));
	const send = world.node('smsSend', {
		serviceId: '101',
		messageId: '2',
		recipient: '={{ $json.recipient }}',
	});
	const id = await world.n8n.addWorkflow(withRows(rows, send));
	await Promise.all([world.n8n.begin(id), world.n8n.begin(id)]);
	const executions = await world.n8n.executionsWhenEnded(id, 2);

	// Two workers overwrite each other's changes of n8n's list of sent messages. So a run may find that entries are missing, and
	// then it stops. Each run may also take the claim of the other run for a message of unknown outcome. Then no run sends that
	// message. A worker queries the list by adding entries for a moment. To the other worker, the list then looks full. A run
	// that finds the list full three times stops.
	const errors = executions.flatMap(({ result }) => result.error?.message ?? []);
	for (const error of errors)
		expect(error).toMatch(
			/part of the list of sent messages was deleted|^Other n8n processes are writing to the list of sent messages/,
		);
	const saysWhy = (execution: Execution, recipient: string) =>
		execution.status === 'error' ||
		items(execution).some((item) => item.recipient === recipient && item.unknown === true);
	const unsent = rows.filter(({ recipient }) => world.sandbox.accepted(recipient) === 0);
	expect(unsent.filter(({ recipient }) => !executions.every((execution) => saysWhy(execution, recipient)))).toEqual([]);
}, 180_000);

afterAll(() => {
	const sorted = [...answeredAfter].sort((a, b) => a - b);
	notes.push(`Median time of an answer: ${Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0)} ms.`);
	if (measured) console.log([...table, '', ...notes].join('\n'));
});

keysStaySecret(world);

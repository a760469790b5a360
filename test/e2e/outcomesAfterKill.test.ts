import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import { items, until, type Execution, type WorkflowFile } from './n8n';
import { servers } from './queue';
import { chunkOf, longChunk, rowsUpTo, sendingIn, timesTakenIn } from './sending';
import { builtIn, chain, withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

/*
 * Checks that the reported outcome of each row is true: n8n is killed in the middle of a list, the list is run again,
 * and the results of the second run are compared with the platform's records. `KNOWN_ROUNDS` sets how often each kill
 * is repeated.
 */
const world = useWorld();
const { sendNode, trouble, requests, taken } = sendingIn(world);
const rounds = Number(process.env.KNOWN_ROUNDS ?? 1);
const eachRound = Array.from({ length: rounds }, (_, round) => round + 1);

/** The platform's record of a row before n8n was killed, and the result of the next run. */
type Seen = 'never asked' | 'asked' | 'answered';
type Said = 'sent now' | 'sent before' | 'unknown' | 'something else';

function saidOf(item: IDataObject | undefined): Said {
	if (item?.accepted === true) return 'sent now';
	if (item?.skipped !== true) return 'something else';
	return item.unknown === true ? 'unknown' : 'sent before';
}

const recipientOf = (body: unknown): string | undefined => (body as { recipient?: string } | null)?.recipient;
/** The recipients that the platform has received, or has answered. */
const recipients = (of: 'asked' | 'answered'): Set<string | undefined> =>
	new Set(
		world.sandbox.traffic.calls
			.filter(({ status }) => of === 'asked' || status !== 0)
			.map(({ body }) => recipientOf(body)),
	);

/** Ends n8n as a power failure does, and starts it. @returns what the platform had seen of each row */
async function killAndStart(rows: IDataObject[]): Promise<Seen[]> {
	// The platform lives in this process: nothing comes between this and the end.
	const answered = recipients('answered');
	await world.n8n.kill();
	trouble({ holdUntilTaken: 0 });
	await until('the platform is done', () => world.sandbox.inFlight === 0);
	const asked = recipients('asked');
	world.sandbox.endTrouble();
	await world.n8n.start();
	return rows.map(
		({ recipient }): Seen =>
			answered.has(recipient as string) ? 'answered' : asked.has(recipient as string) ? 'asked' : 'never asked',
	);
}

/** Row numbers, such as `3-7, 12`. */
const numbers = (rows: number[]): string =>
	rows
		.filter((row) => !rows.includes(row - 1))
		.map((from) => {
			const to = rows.find((row) => row >= from && !rows.includes(row + 1))!;
			return to === from ? `${from}` : `${from}-${to}`;
		})
		.join(', ');

/**
 * Holds what the run after a kill says of each row against what was seen of it.
 * @param most how many rows may be unknown: one chunk
 */
function expectKnown(rows: IDataObject[], seen: Seen[], execution: Execution, most: number): void {
	expect([execution.status, items(execution).length]).toEqual(['success', rows.length]);
	const found = new Map<`${Seen}, ${Said}`, number[]>();
	for (const [row, item] of items(execution).entries()) {
		const kind = `${seen[row]!}, ${saidOf(item)}` as const;
		found.set(kind, [...(found.get(kind) ?? []), row]);
	}
	const of = (kind: `${Seen}, ${Said}`): number[] => found.get(kind) ?? [];
	if (process.env.KNOWN_ROUNDS) {
		const counts = [...found].map(([kind, { length }]) => `${kind}: ${length}`);
		process.stdout.write(`${expect.getState().currentTestName}: ${counts.join('; ')}\n`);
	}

	// A row that was answered is skipped. A row that was asked for is unknown. The others are sent, unless their chunk was claimed.
	const right = [
		'answered, sent before',
		'answered, unknown',
		'asked, unknown',
		'never asked, sent now',
		'never asked, unknown',
	];
	const wrong = [...found]
		.filter(([kind]) => !right.includes(kind))
		.map(([kind, which]) => `${kind}: ${numbers(which)}`);
	expect(wrong).toEqual([]);
	const unknown = [...found].filter(([kind]) => kind.endsWith('unknown')).flatMap(([, which]) => which);
	expect(unknown.length).toBeLessThanOrEqual(most);
	const counts = timesTakenIn(world);
	const times = rows.map(({ recipient }) => counts.get(recipient as string) ?? 0);
	expect(times.filter((count) => count > 1)).toEqual([]);
	// Who got nothing is among the unknown.
	expect(rows.flatMap((_, row) => (times[row] === 0 ? [row] : []))).toEqual(of('never asked, unknown'));
}

/** In the middle of a list: some were taken, and others are under way. */
const untilTaken = async (count: number): Promise<void> =>
	void (await until(
		`${count} are taken and more are under way`,
		() => world.sandbox.messages.length >= count && world.sandbox.inFlight > 0,
		60_000,
	));

describe('n8n is killed in the middle of a list, and the list is run again', () => {
	describe.each([
		['600 rows, 50 in flight', 600, 50],
		['120 rows, 10 in flight', 120, 10],
	])('%s', (_, count, concurrency) => {
		test.each(eachRound)(
			'round %i',
			async () => {
				const rows = rowsUpTo(count);
				trouble({ delayMs: 300 });
				const id = await world.n8n.addWorkflow(withRows(rows, sendNode({ concurrency })));
				await world.n8n.begin(id);
				await untilTaken(Math.floor(count / 4));
				const seen = await killAndStart(rows);
				const again = await world.n8n.executeSaved(id, 120_000);

				expectKnown(rows, seen, again, chunkOf(concurrency));
			},
			300_000,
		);
	});
});

const change = async (workflowId: string, changes: Partial<WorkflowFile>): Promise<void> => {
	const { versionId } = await world.n8n.rest<{ versionId: string }>('GET', `/workflows/${workflowId}`);
	await world.n8n.rest('PATCH', `/workflows/${workflowId}`, { ...changes, versionId });
};

describe('n8n keeps many keys for the list', () => {
	const concurrency = 10;
	let id: string;
	let first = 0;

	/** Next time the workflow runs for so many people, who are new to it. */
	const listOf = async (count: number): Promise<IDataObject[]> => {
		const rows = Array.from({ length: count }, () => ({ recipient: String(6_900_000_000 + first++) }));
		const list = { from: first - count, count };
		await change(id, { pinData: { Start: [{ json: list, pairedItem: { item: 0 } }] } });
		world.sandbox.reset();
		return rows;
	};
	/** What n8n keeps for all nodes of the workflow. */
	const keys = async (): Promise<number> => {
		const lists = await world.n8n.query<{ value: string }>(
			'SELECT value FROM processed_data WHERE "workflowId" = ?',
			id,
		);
		return lists.reduce((sum, { value }) => sum + (JSON.parse(value) as { data: string[] }).data.length, 0);
	};
	const fill = async (most: number): Promise<void> => {
		while ((await keys()) < most) {
			await listOf(2000);
			expect((await world.n8n.executeSaved(id, 120_000)).status).toBe('success');
		}
	};
	const killed = async (): Promise<{
		rows: IDataObject[];
		seen: Seen[];
		again: Execution;
	}> => {
		const rows = await listOf(600);
		trouble({ delayMs: 300 });
		await world.n8n.begin(id);
		await untilTaken(60);
		const seen = await killAndStart(rows);
		return { rows, seen, again: await world.n8n.executeSaved(id, 120_000) };
	};

	beforeAll(async () => {
		id = await world.n8n.addWorkflow(
			chain(
				'many keys',
				builtIn('n8n-nodes-base.manualTrigger', 'Start', 1, {}),
				builtIn('n8n-nodes-base.set', 'Sheet', 3.4, {
					mode: 'raw',
					jsonOutput:
						'={{ { rows: Array.from({ length: $json.count }, (_, i) => ({ recipient: String(6900000000 + $json.from + i) })) } }}',
					options: {},
				}),
				builtIn('n8n-nodes-base.splitOut', 'Rows', 1, { fieldToSplitOut: 'rows', options: {} }),
				sendNode({ concurrency }),
			),
		);
	});

	test('with fewer than 20,000, at most one chunk is unknown, as with a short list', async () => {
		await fill(16_000);
		const { rows, seen, again } = await killed();

		expect(await keys()).toBeLessThan(20_000);
		expectKnown(rows, seen, again, chunkOf(concurrency));
	}, 900_000);

	test('with more, at most one long chunk is unknown', async () => {
		await fill(20_000);
		const { rows, seen, again } = await killed();

		expectKnown(rows, seen, again, longChunk);
	}, 600_000);
});

// What a process knows of another's runs stands in docs/scale.md.
(servers ? test.skip : test)(
	'two runs of 30 rows 60 ms apart, and the platform refuses all: both say so of every row',
	async () => {
		const rows = rowsUpTo(30);
		trouble({ answer: 'refuse', delayMs: 100 });
		const id = await world.n8n.addWorkflow(withRows(rows, sendNode({}, { onError: 'continueRegularOutput' })));
		const one = world.n8n.begin(id);
		await sleep(60);
		await Promise.all([one, world.n8n.begin(id)]);
		const executions = await world.n8n.executionsWhenEnded(id, 2);

		for (const execution of executions) {
			expect(
				items(execution).map((item) => (item.details as { outcome?: string } | undefined)?.outcome ?? saidOf(item)),
			).toEqual(rows.map(() => 'rejected'));
		}
		expect(requests(rows)).toEqual(rows.map(() => 2));
		world.sandbox.endTrouble();
		const third = await world.n8n.executeSaved(id);
		expect(items(third).map(saidOf)).toEqual(rows.map(() => 'sent now'));
		expect(taken(rows)).toEqual(rows.map(() => 1));
	},
);

keysStaySecret(world);

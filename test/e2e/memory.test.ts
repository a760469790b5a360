import type { IDataObject } from 'n8n-workflow';
import { items, until, type Execution } from './n8n';
import { servers } from './queue';
import { chunkOf, rowsUpTo, sendingIn } from './sending';
import { withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

/*
 * The memory of sent messages over kills and restarts: nobody gets a message twice, and at most one chunk is unknown after each
 * kill. `CRASH_ROUNDS` chooses how often each case is tried.
 */
const world = useWorld({ N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '3' });
const { sendNode, trouble, taken } = sendingIn(world);
const eachRound = Array.from({ length: Number(process.env.CRASH_ROUNDS ?? 1) }, (_, round) => round + 1);

const concurrency = 10;
const chunk = chunkOf(concurrency);
const rows = rowsUpTo(160);
const onWeek = { rememberFor: 'week' };

const addList = async (list: IDataObject[] = rows, parameters = {}): Promise<string> =>
	await world.n8n.addWorkflow(withRows(list, sendNode({ concurrency }, {}, parameters)));

const timesTwice = (): number => taken(rows).filter((times) => times > 1).length;
const unknownIn = (execution: Execution): number => items(execution).filter((item) => item.unknown === true).length;

/** Ends n8n at a random moment of a list, and starts it. */
async function restartInTheMiddle(end: 'kill' | 'stop'): Promise<void> {
	const before = world.sandbox.messages.length;
	const more = Math.floor(Math.random() * rows.length * 0.8);
	await until(`${more} more are taken`, () => world.sandbox.messages.length >= before + more, 60_000);
	await world.n8n[end]();
	await until('the platform is done', () => world.sandbox.inFlight === 0);
	await world.n8n.start();
}

beforeEach(() => trouble({ delayMs: 50 }));

describe.each(eachRound)('round %i', () => {
	test.each([
		['a kill', 'kill', {}],
		['a kill, with a list on A Week', 'kill', onWeek],
		['a restart, with a list on A Week', 'stop', onWeek],
	] as const)(
		'%s in the middle of a list leaves at most one chunk unknown, and sends nothing twice',
		async (_, end, parameters) => {
			const id = await addList(rows, parameters);
			await world.n8n.begin(id);
			await restartInTheMiddle(end);
			const again = await world.n8n.executeSaved(id, 120_000);
			const third = await world.n8n.executeSaved(id, 120_000);

			expect(timesTwice()).toBe(0);
			expect(unknownIn(again)).toBeLessThanOrEqual(chunk);
			expect(unknownIn(third)).toBe(unknownIn(again));
			expect(items(third).filter(({ accepted }) => accepted === true)).toEqual([]);
			// Everybody without a message is said to be unknown.
			const withoutMessage = taken(rows).flatMap((times, index) => (times === 0 ? [index] : []));
			expect(withoutMessage.filter((index) => items(third)[index]!.unknown !== true)).toEqual([]);
		},
		240_000,
	);

	test('after a restart between two runs of a list on A Week the second run sends nothing', async () => {
		const id = await addList(rows, onWeek);
		await world.n8n.executeSaved(id, 60_000);
		await world.n8n.stop();
		await world.n8n.start();
		const again = await world.n8n.executeSaved(id, 60_000);

		expect(items(again).filter(({ skipReason }) => skipReason === 'sentBefore')).toHaveLength(rows.length);
		expect(taken(rows)).toEqual(rows.map(() => 1));
	}, 180_000);

	// A process does not know what another one has in progress: docs/scale.md says so.
	(servers ? test.skip : test)(
		'a kill while the list runs twice at once, and again twice at once: at most one chunk of each run is unknown',
		async () => {
			const id = await addList();
			await Promise.all([world.n8n.begin(id), world.n8n.begin(id)]);
			await restartInTheMiddle('kill');
			await Promise.all([world.n8n.begin(id), world.n8n.begin(id)]);
			const executions = await world.n8n.executionsWhenEnded(id, 4, 150_000);
			const last = executions.slice(2);

			expect(timesTwice()).toBe(0);
			expect(last.map(({ status }) => status)).toEqual(['success', 'success']);
			for (const execution of last) expect(unknownIn(execution)).toBeLessThanOrEqual(2 * chunk);
		},
		240_000,
	);

	test('after a kill while two workflows send the same list each workflow sends it once', async () => {
		const ids = [await addList(), await addList()];
		for (const id of ids) await world.n8n.begin(id);
		await restartInTheMiddle('kill');
		const references: unknown[] = [];
		for (const id of ids) {
			const again = await world.n8n.executeSaved(id, 120_000);
			expect(unknownIn(again)).toBeLessThanOrEqual(chunk);
			references.push(...items(again).map(({ reference }) => reference));
		}

		expect(taken(rows).filter((times) => times > ids.length)).toEqual([]);
		// The workflows share no reference.
		expect(new Set(references).size).toBe(ids.length * rows.length);
	}, 240_000);
});

// Two runs that begin at once also ask for the counts of the list at once: their questions must not look like a full list.
test('ten runs of small lists that start together after a start of n8n each send their list', async () => {
	trouble({ delayMs: 0 });
	const lists = Array.from({ length: 10 }, (_, index) => rows.slice(10 * index, 10 * index + 10));
	const same = await addList();
	const ids = [...(await Promise.all(lists.slice(1).map(async (list) => await addList(list)))), same];
	await world.n8n.stop();
	await world.n8n.start();
	await Promise.all([...ids, ...Array.from({ length: 5 }, () => same)].map(async (id) => await world.n8n.begin(id)));
	for (const id of ids) {
		const executions = await world.n8n.executionsWhenAllEnded(id, 120_000);
		expect(executions.map(({ status, result }) => [status, result.error?.message])).toEqual(
			executions.map(() => ['success', undefined]),
		);
	}
	expect(Math.max(...taken(rows))).toBeLessThanOrEqual(2);
	expect(taken(rows.slice(100))).toEqual(rows.slice(100).map(() => 1));
}, 240_000);

keysStaySecret(world);

import type { IDataObject, INode } from 'n8n-workflow';
import { readExample } from './examples';
import { outputs, type WorkflowFile } from './n8n';
import { listIn } from './oneList';
import { servers, type Queue } from './queue';
import { withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

/*
 * Tests the example that sends a list once across workers: two workers start the same list at the same moment.
 * `ONCE_ROUNDS` repeats that, and prints how many people got two messages, with the example and without it.
 * bench/QUEUE.md keeps the figures.
 */
const world = useWorld();
const { publishCalled } = listIn(world);
const rounds = Number(process.env.ONCE_ROUNDS ?? 1);
const queue = (): Queue => world.n8n.queue!;
let redis: { id: string; name: string };
beforeAll(async () => {
	const { host, port, password } = servers!.redis;
	redis = await world.n8n.addCredential('redis', { host, port, password, database: 0, ssl: false });
}, 60_000);

let people = 0;
/** A list of people whom nobody has sent to: Redis remembers the others. */
const newRows = (count: number): IDataObject[] =>
	Array.from({ length: count }, () => ({ Κινητό: String(6_900_000_000 + people++), Μάθημα: 'Φυσική', Βαθμός: 8 }));

/** The example with its credentials picked, for these rows. */
function example(rows: IDataObject[]): WorkflowFile {
	const workflow = readExample('more/once-across-workers.json');
	const { credentials } = world.node('smsSend', {});
	for (const node of workflow.nodes) {
		if (node.type === 'n8n-nodes-base.redis') node.credentials = { redis };
		if (node.type === 'n8n-nodes-amka-sms.smsSend') node.credentials = credentials;
	}
	return { ...workflow, pinData: { Rows: rows.map((json, item) => ({ json, pairedItem: { item } })) } };
}

/** Sends the same message with only the record of SMS Send itself. */
function alone(): INode {
	const { parameters } = readExample('more/once-across-workers.json').nodes.find(({ name }) => name === 'Check')!;
	return world.node('smsSend', { ...parameters, operation: 'send', ifAlreadySent: 'skip', options: {} });
}
const without = (rows: IDataObject[]): WorkflowFile => withRows(rows, alone());

const taken = (rows: IDataObject[]): number[] => rows.map((row) => world.sandbox.accepted(row['Κινητό'] as string));
const workerOf = (executionId: string): number =>
	queue().workers.findIndex((worker) => worker.printed().includes(`Worker started execution ${executionId} `));

/** Starts a list twice in the same moment. @returns how many times each row was sent, once each worker had one of the two */
async function startedTwice(workflowOf: (rows: IDataObject[]) => WorkflowFile): Promise<number[]> {
	for (let tries = 1; ; tries++) {
		const rows = newRows(200);
		const id = await world.n8n.addWorkflow(workflowOf(rows));
		await Promise.all([world.n8n.begin(id), world.n8n.begin(id)]);
		const executions = await world.n8n.executionsWhenEnded(id, 2, 60_000);

		expect(executions.map(({ status, result }) => [status, result.error?.message])).toEqual(
			executions.map(() => ['success', undefined]),
		);
		// n8n gives both to one worker now and then, which shows nothing.
		if (new Set(executions.map((execution) => workerOf(execution.id))).size === 2) return taken(rows);
		if (tries === 10) throw new Error('n8n gave both executions to one worker ten times');
	}
}

/** Two lists of one workflow begin in the same moment, and each again when both have ended. @returns how many times each row was sent */
async function twoLists(): Promise<number[]> {
	const lists = [newRows(200), newRows(200)];
	const { id, call } = await publishCalled(alone());
	await Promise.all(lists.map(call));
	let ended = lists.length;
	for (const list of lists) {
		await world.n8n.executionsWhenEnded(id, ended++, 60_000);
		await call(list);
	}
	await world.n8n.executionsWhenEnded(id, ended, 60_000);
	return taken(lists.flat());
}

const doubled: Record<'with' | 'without' | 'again', number[]> = { with: [], without: [], again: [] };
const twice = (times: number[]): number => times.filter((count) => count > 1).length;

test.each(Array.from({ length: rounds }, (_, round) => round + 1))(
	'200 rows that start together at two workers are each sent once, round %i',
	async () => {
		const times = await startedTwice(example);
		doubled.with.push(twice(times));

		expect(times).toEqual(times.map(() => 1));
		if (rounds === 1) return;
		const byItself = await startedTwice(without);
		doubled.without.push(twice(byItself));
		expect(byItself).not.toContain(0);
		doubled.again.push(twice(await twoLists()));
	},
	240_000,
);

test('a rejected message is sent once by the next run, and counted by a key without a period', async () => {
	const rows = newRows(20);
	Object.assign(world.sandbox.trouble, { answer: 'refuse' });
	const id = await world.n8n.addWorkflow(example(rows));
	const first = await world.n8n.executeSaved(id);
	world.sandbox.endTrouble();
	const second = await world.n8n.executeSaved(id);
	const third = await world.n8n.executeSaved(id);

	expect([first, second, third].map(({ status }) => status)).toEqual(['success', 'success', 'success']);
	expect(outputs(first, 'Give back')[0]).toHaveLength(rows.length);
	expect(taken(rows)).toEqual(rows.map(() => 1));
	const keysOf = (execution: typeof second) => outputs(execution, 'Check')[0]!.map(({ json }) => json.messageKey);
	expect(new Set(keysOf(second)).size).toBe(rows.length);
	expect(keysOf(third)).toEqual(keysOf(first));
	// Each message has its own reference, so that its report can be found.
	expect(new Set(outputs(second, 'Send')[0]!.map(({ json }) => json.reference)).size).toBe(rows.length);
	expect(third.result.runData).not.toHaveProperty('Send');
}, 120_000);

afterAll(() => {
	if (rounds > 1)
		console.log(
			`200 rows at two workers at once, sent twice by round: ${doubled.with.join(', ')} with the example, ${doubled.without.join(', ')} without; two lists of 200, each again later: ${doubled.again.join(', ')}`,
		);
});

keysStaySecret(world);

import type { IDataObject, INode } from 'n8n-workflow';
import { readExample } from './examples';
import { outputs, type WorkflowFile } from './n8n';
import { listIn } from './oneList';
import { servers, type Queue } from './queue';
import { withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

/*
 * Checks the example `once-across-workers.json`: two workers start the same list at the same moment. `ONCE_ROUNDS` repeats
 * this, and the test prints how many people got two messages, with the example and without it. The figures are in
 * bench/QUEUE.md.
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
/** Returns rows for people who have got no message yet, because Redis remembers each earlier message. */
const newRows = (count: number): IDataObject[] =>
	Array.from({ length: count }, () => ({ Κινητό: String(6_900_000_000 + people++), Μάθημα: 'Φυσική', Βαθμός: 8 }));

/** Returns the example with its credentials chosen, for these rows. */
function example(rows: IDataObject[]): WorkflowFile {
	const workflow = readExample('more/once-across-workers.json');
	const { credentials } = world.node('smsSend', {});
	for (const node of workflow.nodes) {
		if (node.type === 'n8n-nodes-base.redis') node.credentials = { redis };
		if (node.type === 'n8n-nodes-amka-sms.smsSend') node.credentials = credentials;
	}
	return { ...workflow, pinData: { Rows: rows.map((json, item) => ({ json, pairedItem: { item } })) } };
}

/** Returns an SMS Send node that sends the same message with If Already Sent: Skip, but without Redis. */
function alone(): INode {
	const { parameters } = readExample('more/once-across-workers.json').nodes.find(({ name }) => name === 'Check')!;
	return world.node('smsSend', { ...parameters, operation: 'send', ifAlreadySent: 'skip', options: {} });
}
const without = (rows: IDataObject[]): WorkflowFile => withRows(rows, alone());

const taken = (rows: IDataObject[]): number[] => rows.map((row) => world.sandbox.accepted(row['Κινητό'] as string));
const workerOf = (executionId: string): number =>
	queue().workers.findIndex((worker) => worker.printed().includes(`Worker started execution ${executionId} `));

/** Starts a list twice at the same moment, until each worker gets one of the two. @returns how many times each row was sent */
async function startedTwice(workflowOf: (rows: IDataObject[]) => WorkflowFile): Promise<number[]> {
	for (let tries = 1; ; tries++) {
		const rows = newRows(200);
		const id = await world.n8n.addWorkflow(workflowOf(rows));
		await Promise.all([world.n8n.begin(id), world.n8n.begin(id)]);
		const executions = await world.n8n.executionsWhenEnded(id, 2, 60_000);

		expect(executions.map(({ status, result }) => [status, result.error?.message])).toEqual(
			executions.map(() => ['success', undefined]),
		);
		// If n8n gave both executions to one worker, the test repeats this with another list.
		if (new Set(executions.map((execution) => workerOf(execution.id))).size === 2) return taken(rows);
		if (tries === 10) throw new Error('n8n gave both executions to one worker ten times');
	}
}

/**
 * Starts two lists of one workflow at the same moment, and again one after the other.
 * @returns how many times each row was sent
 */
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
	'each of 200 rows is sent once if two workers start the list at the same moment, round %i',
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

test('a rejected message is sent by the next run and not by the run after it, and its messageKey is the same in each run', async () => {
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
	expect([keysOf(second), keysOf(third)]).toEqual([keysOf(first), keysOf(first)]);
	// Each message has its own reference, which assigns a delivery report to it.
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

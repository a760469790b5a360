import type { IDataObject, INode } from 'n8n-workflow';
import { items, type Execution } from './n8n';
import { servers } from './queue';
import { chunkOf, rowsUpTo, sendingIn } from './sending';
import { builtIn, withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

/** n8n's list of processed keys, in its database: how often it is rewritten, and who else uses it. */
const world = useWorld();
const { sendNode } = sendingIn(world);

/** Counted by SQLite itself, for the rows of one workflow. */
const onSqlite = servers === undefined;
(onSqlite ? describe : describe.skip)("rewrites of n8n's list", () => {
	beforeAll(async () => {
		await world.n8n.database.change('CREATE TABLE IF NOT EXISTS rewrites (workflow TEXT)');
		for (const event of ['INSERT', 'UPDATE']) {
			await world.n8n.database.change(
				`CREATE TRIGGER IF NOT EXISTS rewritten_${event} AFTER ${event} ON processed_data BEGIN INSERT INTO rewrites VALUES (NEW."workflowId"); END`,
			);
		}
	});
	const rewrites = async (workflowId: string): Promise<number> => {
		const sql = 'SELECT COUNT(*) AS count FROM rewrites WHERE workflow = ?';
		return (await world.n8n.query<{ count: number }>(sql, workflowId))[0]!.count;
	};
	/** Runs a workflow again and again. @returns how often each run has rewritten the list */
	async function counted(times: number, ...nodes: INode[]): Promise<number[]> {
		const id = await world.n8n.addWorkflow(withRows([{ recipient: '6900000001' }], ...nodes));
		const counts: number[] = [];
		for (let time = 1; time <= times; time++) {
			const before = await rewrites(id);
			await world.n8n.begin(id);
			await world.n8n.executionsWhenEnded(id, time);
			counts.push((await rewrites(id)) - before);
		}
		return counts;
	}

	/** The first claim of a process asks for the counts of the list, and takes the question out again. */
	const survey = 16;

	test('the list is written at most twice for a message, and for a skipped one, after the first of the process', async () => {
		const [first, ...others] = await counted(3, sendNode());
		expect(first).toBeLessThanOrEqual(2 + survey);
		for (const count of others) expect(count).toBeLessThanOrEqual(2);
	});

	test('the list is not written for a code that is sent', async () => {
		const code = { serviceId: '103', messageId: '1', recipient: '={{ $json.recipient }}' };
		expect(await counted(3, world.node('smsCode', code))).toEqual([0, 0, 0]);
	});

	test('the list is written once for each chunk, and once at its end', async () => {
		const rows = rowsUpTo(100);
		const id = await world.n8n.addWorkflow(withRows(rows, sendNode()));
		await world.n8n.begin(id);
		await world.n8n.executionsWhenEnded(id, 1);
		expect(await rewrites(id)).toBeLessThanOrEqual(rows.length / chunkOf(10) + 1 + survey);
		expect(rows.map(({ recipient }) => world.sandbox.accepted(recipient as string))).toEqual(rows.map(() => 1));
	});
});

describe("n8n's own Remove Duplicates in the same workflow", () => {
	const removing = (parameters: IDataObject): INode =>
		builtIn('n8n-nodes-base.removeDuplicates', 'Remove Duplicates', 2, {
			...{ operation: 'removeItemsSeenInPreviousExecutions', options: { scope: 'workflow' } },
			...(parameters as object),
		});
	const sent = async (...nodes: INode[]): Promise<Execution> =>
		await world.n8n.execute(withRows([{ recipient: '6900000001', number: 7 }], ...nodes));

	test('by number, with the scope Workflow, causes errors that name it and give advice', async () => {
		const node = removing({
			logic: 'removeItemsUpToStoredIncrementalKey',
			incrementalDedupeValue: '={{ $json.number }}',
		});
		const execution = await sent(node, sendNode({}, { onError: 'continueErrorOutput' }));
		expect(items(execution, 1)).toMatchObject([
			{
				error: expect.stringContaining('A Remove Duplicates node of this workflow has the scope Workflow') as unknown,
				message: expect.stringContaining('Set the scope of that node to Node') as unknown,
			},
		]);
		expect(world.sandbox.messages).toEqual([]);
	});

	test('by entries, with the scope Workflow, works beside SMS Send', async () => {
		const node = removing({ logic: 'removeItemsWithAlreadySeenKeyValues', dedupeValue: '={{ $json.number }}' });
		expect(items(await sent(node, sendNode()))).toMatchObject([{ accepted: true }]);
	});
});

keysStaySecret(world);

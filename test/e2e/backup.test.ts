import { readFileSync } from 'node:fs';
import { until } from './n8n';
import { listIn, rows } from './oneList';
import { builtIn, withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

/** Checks what docs/operation.md says about lists that were waiting for their hour when a backup was made. */
const world = useWorld();
const { smsSend, taken } = listIn(world);

/** The statement that docs/operation.md tells the admin to run on a restored database. */
const [, statement] = /```sql\s+(.+?)\s+```/s.exec(readFileSync('docs/operation.md', 'utf8'))!;

/** Starts a list that waits for an hour. @returns the id of the execution */
async function beginWaitingList(): Promise<string> {
	const wait = builtIn('n8n-nodes-base.wait', 'Until', 1.1, { resume: 'timeInterval', amount: 1, unit: 'hours' });
	const id = await world.n8n.begin(await world.n8n.addWorkflow(withRows(rows, wait, smsSend())));
	await until('the list waits', async () => (await statusOf(id)) === 'waiting');
	return id;
}

async function statusOf(id: string): Promise<string | undefined> {
	const [execution] = await world.n8n.query<{ status: string }>('SELECT status FROM execution_entity WHERE id = ?', id);
	return execution?.status;
}

test('a waiting list that the SQL statement of docs/operation.md has cancelled is not sent after the start of n8n, and another waiting list is', async () => {
	const cancelled = await beginWaitingList();
	const waiting = await beginWaitingList();
	await world.n8n.stop();
	await world.n8n.database.change(statement!);
	// The statement cancels both lists. One of them is changed back, to show that n8n sends it. Its hour comes when n8n has started:
	// n8n may end a list whose hour came before.
	const at = new Date(Date.now() + 60_000).toISOString().replace('T', ' ').replace('Z', '');
	await world.n8n.database.change(
		`UPDATE execution_entity SET status = 'waiting', "stoppedAt" = NULL, "waitTill" = '${at}' WHERE id = ${waiting}`,
	);
	await world.n8n.start();
	await until('the other list is sent', async () => (await statusOf(waiting)) === 'success', 120_000);

	expect(taken()).toEqual(rows.map(() => 1));
	expect(await statusOf(cancelled)).toBe('canceled');
}, 240_000);

keysStaySecret(world);

import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { N8n, until } from './n8n';
import { counted, listIn, rows } from './oneList';
import { mobile } from './sending';
import { servers } from './queue';
import { builtIn, withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

/** Checks what docs/operation.md says about a restored backup and about the move to another server. */
const world = useWorld();
const { smsSend, taken } = listIn(world);

/** The statement that docs/operation.md tells the admin to run on a restored database. */
const [, statement] = /```sql\s+(.+?)\s+```/s.exec(readFileSync('docs/operation.md', 'utf8'))!;

/** Starts a list that waits for an hour. @returns the id of the execution */
async function beginWaitingList(list = rows): Promise<string> {
	const wait = builtIn('n8n-nodes-base.wait', 'Until', 1.1, { resume: 'timeInterval', amount: 1, unit: 'hours' });
	const id = await world.n8n.begin(await world.n8n.addWorkflow(withRows(list, wait, smsSend())));
	await until('the list waits', async () => (await statusOf(id)) === 'waiting');
	return id;
}

async function statusOf(id: string, n8n = world.n8n): Promise<string | undefined> {
	const [execution] = await n8n.query<{ status: string }>('SELECT status FROM execution_entity WHERE id = ?', id);
	return execution?.status;
}

/** Lets a waiting or cancelled list wait until one minute from now, so that it is sent after the next start of n8n. */
async function sendInAMinute(id: string, { database }: N8n): Promise<void> {
	const at = new Date(Date.now() + 60_000).toISOString().replace('T', ' ').replace('Z', '');
	await database.change(
		`UPDATE execution_entity SET status = 'waiting', "stoppedAt" = NULL, "waitTill" = '${at}' WHERE id = ${id}`,
	);
}

test('a waiting list that the SQL statement of docs/operation.md has cancelled is not sent after the start of n8n, and another waiting list is sent', async () => {
	const cancelled = await beginWaitingList();
	const waiting = await beginWaitingList();
	await world.n8n.stop();
	await world.n8n.database.change(statement!);
	// The statement cancels both lists. One of them is changed back, to show that n8n sends it. That list is due only after n8n has
	// started, because n8n may end a list that was due before the start.
	await sendInAMinute(waiting, world.n8n);
	await world.n8n.start();
	await until('the other list is sent', async () => (await statusOf(waiting)) === 'success', 120_000);

	expect(taken()).toEqual(rows.map(() => 1));
	expect(await statusOf(cancelled)).toBe('canceled');
}, 240_000);

// In queue mode the database is a server of its own, which does not move.
(servers ? test.skip : test)(
	'a server with the database and the key of another server sends the waiting list once, and skips what the other server has sent',
	async () => {
		const sent = await world.n8n.addWorkflow(withRows(rows, smsSend()));
		await world.n8n.executeSaved(sent);
		const later = rows.map((row, index) => ({ ...row, recipient: mobile(rows.length + index) }));
		const waiting = await beginWaitingList(later);
		await world.n8n.stop();

		const moved = new N8n();
		try {
			await moved.installAsFirst();
			// n8n keeps the encryption key in the file `config`, unless it is set in the environment.
			for (const name of readdirSync(world.n8n.data).filter((one) => /^(config|database\.sqlite)/.test(one)))
				cpSync(join(world.n8n.data, name), join(moved.data, name));
			// The old server may start again for another test file, and must not send the list then.
			await world.n8n.database.change(statement!);
			await sendInAMinute(waiting, moved);
			await moved.start();
			expect(counted(await moved.executeSaved(sent))).toEqual({ accepted: 0, skipped: rows.length, unknown: 0 });
			await until('the waiting list is sent', async () => (await statusOf(waiting, moved)) === 'success', 120_000);

			expect(taken()).toEqual(rows.map(() => 1));
			expect(later.map(({ recipient }) => world.sandbox.accepted(recipient))).toEqual(later.map(() => 1));
		} finally {
			await moved.remove();
		}
	},
	240_000,
);

keysStaySecret(world);

import { importExample } from './examples';
import { until } from './n8n';
import { counted, listIn, rows } from './oneList';
import { withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

/** Checks what docs/admin.md says about a person who leaves, and docs/problems.md about an example that was imported twice. */
const world = useWorld();
const { smsSend, taken } = listIn(world);

const leaver = { firstName: 'Δοκιμαστικός', lastName: 'Διαχειριστής', password: 'Leaves-Soon-1' };
const email = 'leaver@example.gr';

/** Calls n8n's own API with the login of the person who leaves. */
async function asLeaver<T>(cookie: string, path: string, body?: unknown): Promise<T> {
	const response = await fetch(`${world.n8n.url}/rest${path}`, {
		method: body === undefined ? 'GET' : 'POST',
		headers: { 'content-type': 'application/json', cookie, connection: 'close' },
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});
	if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
	return ((await response.json()) as { data: T }).data;
}

test('after the account of a person was deleted with a transfer, their list is skipped, and their data table is still there', async () => {
	const [invited] = await world.n8n.rest<Array<{ user: { id: string; inviteAcceptUrl: string } }>>(
		'POST',
		'/invitations',
		[{ email, role: 'global:member' }],
	);
	const token = new URL(invited!.user.inviteAcceptUrl).searchParams.get('token');
	await world.n8n.rest('POST', '/invitations/accept', { ...leaver, token });
	const login = await fetch(`${world.n8n.url}/rest/login`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ emailOrLdapLoginId: email, password: leaver.password }),
	});
	const cookie = login.headers.getSetCookie().join('; ');

	const messages = '101/1: Ο βαθμός σας στο μάθημα {Μάθημα,1} είναι {Βαθμός,2}';
	const platform = { name: 'Of the leaver', type: 'smsPlatformApi', data: { ...world.smsPlatformApi(), messages } };
	const { id } = await asLeaver<{ id: string }>(cookie, '/credentials', platform);
	const send = smsSend({ credentials: { smsPlatformApi: { id, name: platform.name } } });
	const workflow = await asLeaver<{ id: string }>(cookie, '/workflows', { active: false, ...withRows(rows, send) });
	const { executionId } = await asLeaver<{ executionId: string }>(cookie, `/workflows/${workflow.id}/run`, {
		triggerToStartFrom: { name: 'Start' },
	});
	await until('the list is sent', async () => {
		const [run] = await world.n8n.query<{ status: string }>(
			'SELECT status FROM execution_entity WHERE id = ?',
			executionId,
		);
		return run?.status === 'success';
	});
	expect(taken()).toEqual(rows.map(() => 1));
	const own = await asLeaver<{ id: string }>(cookie, '/projects/personal');
	const table = { name: 'amka-sms-of-the-leaver', columns: [{ name: 'number', type: 'string' }] };
	await asLeaver(cookie, `/projects/${own.id}/data-tables`, table);

	const { id: project } = await world.n8n.rest<{ id: string }>('GET', '/projects/personal');
	await world.n8n.rest('DELETE', `/users/${invited!.user.id}?transferId=${project}`);

	expect(counted(await world.n8n.executeSaved(workflow.id))).toEqual({ accepted: 0, skipped: rows.length, unknown: 0 });
	expect(taken()).toEqual(rows.map(() => 1));
	const tables = await world.n8n.query<{ projectId: string }>(
		'SELECT "projectId" FROM data_table WHERE name = ?',
		table.name,
	);
	expect(tables).toEqual([{ projectId: project }]);
}, 120_000);

test('n8n does not publish a second copy of an example with a form, because both forms have the same path', async () => {
	const [kept, second] = [
		await importExample(world, 'desk/usage.json', '-twice'),
		await importExample(world, 'desk/usage.json', '-twice'),
	];
	await world.n8n.publish(kept.id);
	await expect(world.n8n.publish(second.id)).rejects.toThrow(/conflict|already|path/i);
}, 60_000);

keysStaySecret(world);

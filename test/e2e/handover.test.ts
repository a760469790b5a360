import { signIn } from '../../scripts/n8n';
import { addUser, importExample, rowsOfTable } from './examples';
import { counted, listIn, messages, rows } from './oneList';
import { withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

/** Checks what docs/admin.md says about a person who leaves, and docs/problems.md about an example that was imported twice. */
const world = useWorld();
const { smsSend, taken } = listIn(world);

const leaver = {
	email: 'leaver@example.gr',
	firstName: 'Δοκιμαστικός',
	lastName: 'Διαχειριστής',
	password: 'Leaves-Soon-1',
};

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

test('after the account of a person was deleted with a transfer, their list is skipped, and their data table still has its rows', async () => {
	const user = await addUser(world.n8n, leaver, 'global:member');
	const cookie = await signIn(world.n8n.url, leaver);

	const platform = { name: 'Of the leaver', type: 'smsPlatformApi', data: { ...world.smsPlatformApi(), messages } };
	const { id } = await asLeaver<{ id: string }>(cookie, '/credentials', platform);
	const send = smsSend({ credentials: { smsPlatformApi: { id, name: platform.name } } });
	const workflow = await asLeaver<{ id: string }>(cookie, '/workflows', { active: false, ...withRows(rows, send) });
	await asLeaver(cookie, `/workflows/${workflow.id}/run`, { triggerToStartFrom: { name: 'Start' } });
	const [first] = await world.n8n.executionsWhenEnded(workflow.id, 1);
	expect(counted(first!)).toEqual({ accepted: rows.length, skipped: 0, unknown: 0 });

	const own = await asLeaver<{ id: string }>(cookie, '/projects/personal');
	const tables = `/projects/${own.id}/data-tables`;
	const table = { name: 'amka-sms-of-the-leaver', columns: [{ name: 'number', type: 'string' }] };
	const { id: tableId } = await asLeaver<{ id: string }>(cookie, tables, table);
	await asLeaver(cookie, `${tables}/${tableId}/insert`, { data: [{ number: '6900000001' }] });

	const { id: project } = await world.n8n.rest<{ id: string }>('GET', '/projects/personal');
	await world.n8n.rest('DELETE', `/users/${user}?transferId=${project}`);

	expect(counted(await world.n8n.executeSaved(workflow.id))).toEqual({
		accepted: 0,
		skipped: rows.length,
		unknown: 0,
	});
	expect(taken()).toEqual(rows.map(() => 1));
	expect(await rowsOfTable(world.n8n, table.name)).toMatchObject([{ number: '6900000001' }]);
}, 120_000);

test('n8n publishes a second copy of an example with a form only after the first copy was unpublished, because both forms have the same path', async () => {
	const kept = await importExample(world, 'desk/usage.json', '-twice');
	const second = await importExample(world, 'desk/usage.json', '-twice');
	await world.n8n.publish(kept.id);
	await expect(world.n8n.publish(second.id)).rejects.toThrow(/usage-twice/);
	await world.n8n.rest('POST', `/workflows/${kept.id}/deactivate`, {});
	await world.n8n.publish(second.id);
}, 60_000);

keysStaySecret(world);

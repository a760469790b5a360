import { addChatUser, chatUser, importExample, publishForUsers, secretary, type Imported } from '../e2e/examples';
import { items } from '../e2e/n8n';
import { useWorld } from '../e2e/world';
import { useWindow } from './browser';

/** Tests `examples/desk/usage.json` on a phone and on a desktop, with both kinds of login that its form can have. */
const window = useWindow(390, 844);
const world = useWorld({});
jest.setTimeout(180_000);

/** A script that returns the number of tables that are wider than the card around them. */
const WIDE_TABLES = `[...document.querySelectorAll('table')].filter((table) =>
	table.getBoundingClientRect().right > table.closest('.card').getBoundingClientRect().right).length`;

/** Takes pictures of the open page, and expects that it does not scroll sideways and that no table is wider than its card. */
async function look(name: string): Promise<void> {
	for (const [width, height] of [
		[1400, 900],
		[390, 844],
	] as const) {
		await window.page.setViewportSize({ width, height });
		await window.picture(`${name} ${width}`);
		expect(await window.overflow()).toBe(0);
		expect(await window.page.evaluate(WIDE_TABLES)).toBe(0);
	}
}

/** Adds counts to the table, as three months of nightly runs would. */
async function fill(example: Imported): Promise<void> {
	const { n8n } = world;
	const row = (month: string, serviceId: string, messages: number, segments: number, withoutText = 0) => {
		const states = { delivered: messages - 3, partly: 0, notDelivered: 2, unknown: 0, open: 1 };
		return { list: 'Βαθμοί', month, serviceId, messages, segments, withoutText, ...states };
	};
	const [table] = await n8n.query<{ id: string; projectId: string }>(
		'SELECT id, "projectId" FROM data_table WHERE name = ?',
		example.table('amka-sms-usage'),
	);
	await n8n.rest('POST', `/projects/${table!.projectId}/data-tables/${table!.id}/insert`, {
		data: [
			row('2026-09', '105', 1980, 2410),
			row('2026-10', '105', 3120, 3290),
			row('2026-10', 'dioikitiko-tmima-spoudon', 400, 790),
			row('2026-11', '105', 12044, 12100, 44),
		],
	});
}

test('the page of desk/usage.json states that no list was counted yet, later shows the counts, and returns them as a sheet', async () => {
	const { page } = window;
	const example = await importExample(world, 'desk/usage.json');
	await world.n8n.publish(example.id);
	await window.openForm(example.url('Usage'));
	await look('usage form');
	await window.submit();
	await page.getByText('Δεν υπάρχουν ακόμη στοιχεία χρήσης').waitFor();
	await look('usage nothing yet');

	await fill(example);
	await window.openForm(example.url('Usage'));
	await window.submit();
	await page.getByText('Σύνολο').waitFor();
	expect(await page.locator('table').innerText()).toMatch(/Σύνολο\s+17544\s+18590\+\s+17532/);
	await look('usage page');
	const download = page.waitForEvent('download');
	await window.submit();
	expect((await download).suggestedFilename()).toBe('Χρήση SMS.xlsx');
	await page.getByText('Το φύλλο κατεβαίνει').waitFor();
	await look('usage sheet');
	await page.getByRole('link', { name: 'Χρήση' }).click();
	await page.locator('#submit-btn').waitFor();
	expect(page.url()).toBe(example.url('Usage'));
});

test('the form of desk/usage.json with n8n User Auth asks once for an account and once for consent, other visitors open no page of the form, and the user cannot open the workflow', async () => {
	const { page } = window;
	const { n8n } = world;
	await addChatUser(n8n);
	const example = await importExample(world, 'desk/usage.json');
	await publishForUsers(n8n, example, 'Usage');

	await window.context.setHTTPCredentials(null);
	await page.goto(example.url('Usage'));
	await page.getByText('Forgot my password').waitFor();
	await look('usage sign in');
	await page.locator('input[name="emailOrLdapLoginId"]').fill(chatUser.email);
	await page.locator('input[type="password"]').fill(chatUser.password);
	await page.getByRole('button', { name: 'Sign in' }).click();
	await page.getByText('"Χρήση SMS" wants to run using your n8n login').waitFor();
	await look('usage consent');
	await page.getByRole('button', { name: 'Allow access' }).click();
	await window.submit();
	await page.getByText('Δεν υπάρχουν ακόμη στοιχεία χρήσης').waitFor();
	const last = page.url();
	const [run] = await n8n.executionsWhenAllEnded(example.id);
	const { user } = items(run!, 0, 'Usage')[0]!;
	const { password: _, ...person } = chatUser;
	expect(user).toMatchObject(person);

	for (const address of [example.url('Usage'), last]) {
		expect((await fetch(address, { redirect: 'manual' })).status).toBe(302);
		const authorization = `Basic ${Buffer.from(`${secretary.user}:${secretary.password}`).toString('base64')}`;
		expect((await fetch(address, { redirect: 'manual', headers: { authorization } })).status).toBe(302);
	}
	expect((await fetch(example.url('Usage'), { method: 'POST', body: new FormData() })).status).toBe(401);
	await page.goto(example.url('Usage'));
	await page.locator('#submit-btn').waitFor();
	await page.goto(`${n8n.url}/workflow/${example.id}`);
	await page.getByText("You don't have permission to view this workflow").waitFor();
	await window.picture('usage workflow of a chat user');
});

import { mkdirSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';

import { owner } from '../e2e/n8n';
import { withRows } from '../e2e/workflows';
import { World } from '../e2e/world';

/** The editor as an admin sees it: the nodes are found, their forms change with what is chosen, credentials are tested. */
const world = new World();
let browser: Browser;
let page: Page;
const pictures = '.tmp/pictures';

jest.setTimeout(90_000);
beforeAll(async () => {
	mkdirSync(pictures, { recursive: true });
	await world.start();
	browser = await chromium.launch({
		executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
		// As root, in a closed network, and without the services that a browser calls by itself.
		args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
	});
	page = await (await browser.newContext({ viewport: { width: 1400, height: 900 } })).newPage();
	await page.goto(`${world.n8n.url}/signin`);
	await page.locator('input[type="email"], input[name="emailOrLdapLoginId"]').first().fill(owner.email);
	await page.locator('input[type="password"]').fill(owner.password);
	await page.keyboard.press('Enter');
	await page.waitForURL((url) => !url.pathname.includes('signin'));
}, 240_000);
afterAll(async () => {
	await browser?.close();
	await world.sandbox?.close();
	await world.n8n.remove();
}, 60_000);

const byTestId = (id: string) => page.locator(`[data-test-id="${id}"]`);

async function openWorkflow(id: string): Promise<void> {
	await page.goto(`${world.n8n.url}/workflow/${id}`);
	await byTestId('canvas-node').first().waitFor();
}

/** A node's box takes the double click, its label does not. */
async function openNode(name: string): Promise<void> {
	const box = await page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).boundingBox();
	await page.mouse.dblclick(box!.x + box!.width / 2, box!.y + box!.height / 2 - 10);
	await page.getByText('Parameters', { exact: true }).first().waitFor();
}

async function choose(parameter: string, option: string): Promise<void> {
	await page.locator(`[data-test-id="parameter-input-${parameter}"]`).first().click();
	await page.locator('.el-select-dropdown__item:visible', { hasText: option }).first().click();
}

const shows = async (label: string) => await page.getByText(label, { exact: true }).first().isVisible();

describe('adding nodes', () => {
	const found = (node: string) =>
		page.locator('[data-test-id="node-creator-item-name"]', { hasText: new RegExp(`^\\s*${node}\\s*$`) }).first();

	it.each([
		['αμκα', 'AMKA'],
		['ΑΜΚΑ', 'AMKA'],
		['amka', 'AMKA'],
		['μήνυμα', 'SMS Send'],
		['SMS', 'SMS Send'],
	])('typing %s finds %s', async (typed, node) => {
		await openWorkflow(await world.n8n.addWorkflow(withRows([{}])));
		await byTestId('node-creator-plus-button').first().click();
		await byTestId('node-creator-search-bar').first().pressSequentially(typed);
		await found(node).waitFor();
		await page.screenshot({ path: `${pictures}/find-${typed}.png` });
	});
});

describe('the forms', () => {
	it('of AMKA asks only for what the operation and the output need', async () => {
		await openWorkflow(
			await world.n8n.addWorkflow(withRows([{ amka: '15039904568' }], world.node('amka', { ssn: '={{ $json.amka }}' }))),
		);
		await openNode('amka');
		expect(await shows('Birth Date')).toBe(true);
		expect(await shows('Fields')).toBe(false);
		await choose('output', 'Selected Fields');
		expect(await shows('Fields')).toBe(true);
		await page.screenshot({ path: `${pictures}/amka.png` });
		await choose('operation', 'Check Number');
		expect(await shows('Birth Date')).toBe(false);
		expect(await byTestId('parameter-input-output').count()).toBe(0);
	});

	it('of AMKA runs by hand and shows what came out', async () => {
		await openWorkflow(
			await world.n8n.addWorkflow(
				withRows([{ amka: '15039904568' }], world.node('amka', { operation: 'checkNumber', ssn: '={{ $json.amka }}' })),
			),
		);
		await openNode('amka');
		await byTestId('node-execute-button').first().click();
		await page.getByText('birthDayAndMonth').first().waitFor();
		expect(await page.getByText('15/03').first().isVisible()).toBe(true);
		await page.screenshot({ path: `${pictures}/amka-run.png` });
	});

	it('of SMS Send has the report address for Send, and the wait for Send and Wait', async () => {
		await openWorkflow(
			await world.n8n.addWorkflow(
				withRows([{}], world.node('smsSend', { serviceId: '101', messageId: '1', recipient: '691 234 5678' })),
			),
		);
		await openNode('smsSend');
		expect(await shows('Delivery Report URL')).toBe(true);
		await choose('operation', 'Send and Wait');
		expect(await shows('Delivery Report URL')).toBe(false);
		await page.screenshot({ path: `${pictures}/send-and-wait.png` });
	});

	it('of SMS Trigger shows which address goes where, and hides that of an event that is off', async () => {
		const trigger = (events: string[]) => ({ ...world.node('smsTrigger', { events }), webhookId: `editor-${events.length}` });
		await openWorkflow(await world.n8n.addWorkflow({ name: 'both', nodes: [trigger(['smsForward', 'deliveryReport'])], connections: {}, settings: {} }));
		await openNode('smsTrigger');
		await page.getByText('Webhook URLs').first().click();
		await page.getByText(/editor-2\/forward/).first().waitFor();
		expect(await page.getByText(/editor-2\/dlr/).first().isVisible()).toBe(true);
		await page.screenshot({ path: `${pictures}/trigger.png` });

		await openWorkflow(await world.n8n.addWorkflow({ name: 'one', nodes: [trigger(['deliveryReport'])], connections: {}, settings: {} }));
		await openNode('smsTrigger');
		await page.getByText('Webhook URLs').first().click();
		await page.getByText(/editor-1\/dlr/).first().waitFor();
		expect(await page.getByText(/editor-1\/forward/).count()).toBe(0);
		expect(await shows('Keywords')).toBe(false);
	});
});

describe('the credentials', () => {
	it.each([
		['amkaApi', 'AMKA'],
		['smsPlatformApi', 'SMS'],
	] as const)('%s opens and is tested', async (type, name) => {
		const { id } = await world.n8n.addCredential(type, world[type]());
		await page.goto(`${world.n8n.url}/home/credentials/${id}`);
		await page.getByText(/Connection tested successfully/).first().waitFor();
		await page.screenshot({ path: `${pictures}/credential-${name}.png` });
	});
});

import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import type { PageScreenshotOptions } from 'playwright-core';
import type { WorkflowFile } from '../e2e/n8n';
import { eventually, pictures } from './browser';
import { named, useEditor } from './editor';
import { publishKeywordReply } from './keywordReply';

/**
 * The pictures of the documentation: `docs/` holds copies of what this makes in `.tmp/pictures/docs`.
 * They show a real run in a real editor, of an n8n that calls itself https://n8n.example.gr.
 */
const editor = useEditor({ WEBHOOK_URL: 'https://n8n.example.gr/' });
const folder = join(pictures, 'docs');
const webhookId = '3c0f6a52-8b1d-4e7a-9a55-0d6f4e21b7c8';

beforeAll(() => mkdirSync(folder, { recursive: true }));
beforeEach(async () => await editor.page.setViewportSize({ width: 1280, height: 800 }));

/** @param clip a part of the window; without it the whole */
async function keep(name: string, clip?: PageScreenshotOptions['clip']): Promise<void> {
	await editor.closeMessages();
	// Away from whatever lights up under it.
	await editor.page.mouse.move(0, 0);
	const path = join(folder, `${name}.png`);
	await editor.page.screenshot({ path, clip, animations: 'disabled' });
	expect(statSync(path).size).toBeLessThan(300_000);
}

/** The open node, without the canvas behind it. */
const keepNode = async (name: string) => await keep(name, (await editor.part('ndv').boundingBox())!);

/** Service and message as the lists store them: the ids, and what the form shows for each. */
const chosen = (serviceId: string, service: string, messageId: string, message: string): INodeParameters => ({
	serviceId: { __rl: true, mode: 'list', value: serviceId, cachedResultName: service },
	messageId: { __rl: true, mode: 'list', value: messageId, cachedResultName: message },
});

/** The example with its data table, and the sandbox's forward address set to it. */
async function keywordReply(): Promise<WorkflowFile> {
	const example = await publishKeywordReply(editor.world);
	editor.world.sandbox.settings.forwardUrl = example.url('SMS Trigger', '/forward');
	return example.workflow;
}

test('a workflow that has answered a keyword', async () => {
	const { name, nodes, connections } = await keywordReply();
	const shown = nodes.filter(({ position: [x, y] }) => x > 0 && y < 300);
	const listening = shown.map((node) => (node.name === 'SMS Trigger' ? { ...node, webhookId } : node));
	const between = Object.entries(connections).filter(([from]) => shown.some((node) => node.name === from));
	await editor.page.setViewportSize({ width: 1440, height: 820 });
	await editor.open({ name, nodes: listening, connections: Object.fromEntries(between), settings: {} });
	await editor.fit();
	await editor.part('execute-workflow-button').click();
	editor.world.sandbox.settings.forwardUrl = `${editor.world.n8n.url}/webhook-test/${webhookId}/forward`;
	await editor.page.getByText(/Waiting for you to|Listening|Stop listening|Waiting for trigger/i).first().waitFor();
	await eventually(async () =>
		expect(await editor.world.sandbox.forward('6900000001', 'ΒΑ Φυσική')).toMatchObject({ status: 200 }),
	);
	await editor.part('canvas-node-status-success', editor.node('Reply with grade')).waitFor();
	await keep('workflow', { x: 0, y: 0, width: 1440, height: 772 });
});

test('the form of SMS Send, and what came out', async () => {
	const node = editor.world.node('smsSend', {
		...chosen('101', '101, e.g. Ο βαθμός σας στο μάθημα {Μάθημα,1} είναι {Βαθμός,2}', '1', 'Ο βαθμός σας στο μάθημα {Μάθημα,1} είναι {Βαθμός,2}'),
		recipient: '={{ $json["Κινητό"] }}',
		placeholders: { mappingMode: 'defineBelow', value: { Μάθημα: '={{ $json["Μάθημα"] }}', Βαθμός: '={{ $json["Βαθμός"] }}' } },
	});
	await editor.page.setViewportSize({ width: 1280, height: 960 });
	const rows = [
		{ Κινητό: '690 000 0001', Μάθημα: 'Φυσική', Βαθμός: '8' },
		{ Κινητό: '+30 6900000002', Μάθημα: 'Χημεία', Βαθμός: '9' },
	];
	await editor.openRowsInto(rows, named('SMS Send', node));
	await editor.input('Βαθμός').getByText('$json').first().waitFor();
	await editor.execute();
	await editor.output.getByText('2 taken').waitFor();
	await editor.part('radio-button-schema', editor.output).click();
	await editor.output.getByText('segments').waitFor();
	await keepNode('sms-send');
});

test('the form of SMS Code, and what came out', async () => {
	const node = editor.world.node('smsCode', {
		...chosen('otp', 'otp, e.g. Ο κωδικός σας είναι {Κωδικός,1}', 'OTP_SEND', 'Ο κωδικός σας είναι {Κωδικός,1}'),
		recipient: '={{ $json["Κινητό"] }}',
	});
	await editor.page.setViewportSize({ width: 1280, height: 960 });
	await editor.openRowsInto([{ Κινητό: '690 000 0001' }], named('SMS Code', node));
	await editor.page.getByText('The code is the only placeholder of this message').waitFor();
	await editor.execute();
	await editor.part('radio-button-schema', editor.output).click();
	await editor.output.getByText('verificationId').waitFor();
	await keepNode('sms-code');
});

test('the panel of SMS Trigger with its addresses', async () => {
	const node = { ...named('SMS Trigger', editor.world.node('smsTrigger', { keywords: 'ΒΑ, ΒΑΘΜΟΣ' })), webhookId };
	await editor.open({ name: 'Βαθμοί με SMS', nodes: [node], connections: {}, settings: {} });
	await editor.openNode('SMS Trigger');
	await editor.openAddresses();
	await editor.page.getByText('Production URL', { exact: true }).click();
	await editor.page.getByText(`https://n8n.example.gr/webhook/${webhookId}/dlr`).waitFor();
	await keepNode('sms-trigger');
});

test('AMKA in dark colours', async () => {
	const node = editor.world.node('amka', { ssn: '={{ $json["ΑΜΚΑ"] }}', birthDate: '={{ $json["γέννηση"] }}', surname: '={{ $json["επώνυμο"] }}', output: 'simplified' });
	await editor.page.emulateMedia({ colorScheme: 'dark' });
	try {
		await editor.openRowsInto([{ ΑΜΚΑ: '15039904568', γέννηση: '15/3/1999', επώνυμο: 'Δοκιμαστικού' }], named('AMKA', node));
		await editor.execute();
		await editor.part('radio-button-schema', editor.output).click();
		await editor.output.getByText('birthDateIsFictitious').or(editor.output.getByText('citizenship')).first().waitFor();
		await keepNode('amka-dark');
	} finally {
		await editor.page.emulateMedia({ colorScheme: 'light' });
	}
});

test("the sandbox's page with its phones", async () => {
	await keywordReply();
	// As `npm start` has it.
	editor.world.sandbox.trouble.reportDelayMs = 2000;
	await editor.page.setViewportSize({ width: 1280, height: 1020 });
	await editor.page.goto(editor.world.sandbox.url);
	await editor.page.locator('#language').selectOption('el');
	const text = editor.page.locator('#text');
	for (const message of ['ΒΟΗΘΕΙΑ', 'ΒΑ']) {
		const before = await editor.page.locator('#conversation li:not(.mine):not(.empty)').count();
		await text.fill(message);
		await text.press('Enter');
		await editor.page.locator('#conversation li:not(.mine):not(.empty)').nth(before).waitFor();
	}
	await editor.page.locator('h1').scrollIntoViewIfNeeded();
	await keep('sandbox');
});

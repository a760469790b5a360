import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import type { PageScreenshotOptions } from 'playwright-core';
import { answers, Desk, rowsOf } from '../e2e/desk';
import { publishWithTable, readExample } from '../e2e/examples';
import type { WorkflowFile } from '../e2e/n8n';
import { withRows } from '../e2e/workflows';
import { useWorld } from '../e2e/world';
import { eventually, pictures } from './browser';
import { named, useEditor } from './editor';

/**
 * The pictures of the documentation: `docs/` holds copies of what this makes in `.tmp/pictures/docs`.
 * They show a real run in a real editor, of an n8n that calls itself https://n8n.example.gr, at twice the pixels.
 */
const scale = 2;
const editor = useEditor({ WEBHOOK_URL: 'https://n8n.example.gr/' }, scale);
/** For forms, whose pages follow each other at the URL that n8n believes to have. */
const office = useWorld();
const folder = join(pictures, 'docs');
const webhookId = '3c0f6a52-8b1d-4e7a-9a55-0d6f4e21b7c8';

beforeEach(async () => await editor.page.setViewportSize({ width: 1280, height: 800 }));

/** @param what a part of the window, or the whole page; without it the window */
async function keep(name: string, what: Pick<PageScreenshotOptions, 'clip' | 'fullPage'> = {}): Promise<void> {
	await editor.closeMessages();
	// Away from whatever lights up under it.
	await editor.page.mouse.move(0, 0);
	const path = join(folder, `${name}.png`);
	mkdirSync(dirname(path), { recursive: true });
	await editor.page.screenshot({ path, ...what, animations: 'disabled' });
	expect(statSync(path).size).toBeLessThan(1_500_000);
}

/** The open node, without the canvas behind it. */
const keepNode = async (name: string) => await keep(name, { clip: (await editor.part('ndv').boundingBox())! });

/** Service and message as the lists store them: the ids, and what the form shows for each. */
const chosen = (serviceId: string, service: string, messageId: string, message: string): INodeParameters => ({
	serviceId: { __rl: true, mode: 'list', value: serviceId, cachedResultName: service },
	messageId: { __rl: true, mode: 'list', value: messageId, cachedResultName: message },
});

/** The example with its data table, and the sandbox's forward address set to it. */
async function keywordReply(): Promise<WorkflowFile> {
	const example = await publishWithTable(editor.world, 'keyword-auto-reply.json');
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
	await editor.page
		.getByText(/Waiting for you to|Listening|Stop listening|Waiting for trigger/i)
		.first()
		.waitFor();
	await eventually(async () =>
		expect(await editor.world.sandbox.forward('6900000001', 'ΒΑ Φυσική')).toMatchObject({ status: 200 }),
	);
	await editor.part('canvas-node-status-success', editor.node('Reply with grade')).waitFor();
	await keep('workflow', { clip: { x: 0, y: 0, width: 1440, height: 772 } });
});

test('the form of SMS Send, and what came out', async () => {
	const node = editor.world.node('smsSend', {
		...chosen(
			'101',
			'101, e.g. Ο βαθμός σας στο μάθημα {Μάθημα,1} είναι {Βαθμός,2}',
			'1',
			'Ο βαθμός σας στο μάθημα {Μάθημα,1} είναι {Βαθμός,2}',
		),
		recipient: '={{ $json["Κινητό"] }}',
		placeholders: {
			mappingMode: 'defineBelow',
			value: { Μάθημα: '={{ $json["Μάθημα"] }}', Βαθμός: '={{ $json["Βαθμός"] }}' },
		},
	});
	await editor.page.setViewportSize({ width: 1280, height: 960 });
	const rows = [
		{ Κινητό: '690 000 0001', Μάθημα: 'Φυσική', Βαθμός: '8' },
		{ Κινητό: '+30 6900000002', Μάθημα: 'Χημεία', Βαθμός: '9' },
	];
	await editor.openRowsInto(rows, named('SMS Send', node));
	await editor.input('Βαθμός').getByText('$json').first().waitFor();
	await editor.execute();
	await editor.output.getByText('2 accepted').waitFor();
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

test('the way of a code in the example of the enrolment', async () => {
	const { name, nodes, connections } = readExample('enrolment.json');
	await editor.page.setViewportSize({ width: 1440, height: 720 });
	const shown = nodes
		.filter(({ type }) => !type.endsWith('stickyNote'))
		.map((node) => {
			const own = /\.(amka|smsCode)$/.exec(node.type)?.[1] as 'amka' | undefined;
			return own ? { ...node, credentials: editor.world.node(own, {}).credentials } : node;
		});
	await editor.open({ name, nodes: shown, connections, settings: {} });
	await editor.fit();
	await keep('enrolment', { clip: { x: 0, y: 0, width: 1440, height: 672 } });
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
	const node = editor.world.node('amka', {
		ssn: '={{ $json["ΑΜΚΑ"] }}',
		birthDate: '={{ $json["γέννηση"] }}',
		surname: '={{ $json["επώνυμο"] }}',
	});
	await editor.page.emulateMedia({ colorScheme: 'dark' });
	try {
		await editor.openRowsInto(
			[{ ΑΜΚΑ: '15039904568', γέννηση: '15/3/1999', επώνυμο: 'Δοκιμαστικού' }],
			named('AMKA', node),
		);
		await editor.execute();
		await editor.part('radio-button-schema', editor.output).click();
		await editor.output.getByText('matched').first().waitFor();
		await keepNode('amka-dark');
	} finally {
		await editor.page.emulateMedia({ colorScheme: 'light' });
	}
});

// From here the window does not come back to the editor.
test('the guard rails in the credential', async () => {
	const { credentials: _, ...without } = named('SMS Send', editor.world.node('smsSend', {}));
	await editor.open(withRows([{}], { ...without, position: [250, 0] }));
	await editor.openNode('SMS Send');
	await editor.part('node-credentials-select').click();
	await editor.part('node-credentials-select-item-new').click();
	const form = editor.part('credential-edit-dialog');
	await form.waitFor();
	for (const [field, value] of [
		['trialRecipients', '690 000 0001, 690 000 0002'],
		['maxMessagesPerRun', '500'],
		['quietHours', '22:00-08:00 Europe/Athens'],
	] as const) {
		await editor.type(field, value, form);
	}
	await editor.part('parameter-input-trialRecipients', form).scrollIntoViewIfNeeded();
	await editor.settle();
	await keep('guard-rails', { clip: (await form.boundingBox())! });
});

test('the two forms of a list', async () => {
	const desk = await Desk.open(office);
	const { page } = editor;
	await page.setViewportSize({ width: 760, height: 900 });
	await page.goto(desk.lists.url('Upload'));
	await page.locator('input[type="file"]').setInputFiles('examples/grades.xlsx');
	await editor.window.submit();
	await page.getByText('Review before sending').first().waitFor();
	await keep('review', { fullPage: true });

	await page.getByText('Αποστολή / Send', { exact: true }).click();
	await editor.window.submit();
	await page.getByText('Στάλθηκαν τώρα / Sent now').first().waitFor();
	await eventually(async () => {
		await page.goto(desk.results.url('Who got it'));
		await editor.window.submit();
		await page.getByText('What do you want?').first().waitFor({ timeout: 5000 });
		expect(await page.locator('table').first().innerText()).toMatch(/Delivered\s*3/);
	});
	await keep('who-got-it', { fullPage: true });
});

test('a sheet that becomes messages', async () => {
	const { lists } = await Desk.open(office);
	const { page } = editor;
	await page.goto(lists.url('Upload'));
	await page.locator('input[type="file"]').setInputFiles('examples/grades.xlsx');
	await editor.window.submit();
	await page.getByText(answers.send, { exact: true }).click();
	// The part that is approved: the whole page would be too small to be read.
	const shots = [await page.locator('.inputs-wrapper').screenshot()];
	await editor.window.submit();
	await page.getByText('Στάλθηκαν τώρα / Sent now').first().waitFor();
	await page.goto(office.sandbox.url);
	for (const [number, grade] of Object.entries({ '6900000001': 8, '6900000002': 10 })) {
		await page.locator(`#phone-list input[value="${number}"]`).check();
		await page.locator('#conversation').getByText(`είναι ${grade}`).waitFor();
		shots.push(await page.locator('.phone').screenshot());
	}

	const rows = rowsOf(readFileSync('examples/grades.xlsx'), { defval: '' });
	const lines = [['A', 'B', 'C'], Object.keys(rows[0]!), ...rows.map(Object.values), ...Array(4).fill(['', '', ''])];
	const sheet = lines.map((cells, line) => `<tr><th>${line || ''}<td>${cells.join('<td>')}`).join('');
	const [review, ...phones] = shots.map((png) => `<img srcset="data:;base64,${png.toString('base64')} ${scale}x">`);
	// The sandbox's page allows no styles but its own.
	await page.goto('about:blank');
	await page.setViewportSize({ width: 1280, height: 100 });
	await page.setContent(`<!doctype html><style>
		body { margin: 0; padding: 24px; background: #f3f5f8; color: #1a222d; font: 15px system-ui; }
		body { display: grid; grid: auto auto / auto 1fr auto 1fr auto; gap: 16px 0; place-items: center; }
		div { background: white; border: 1px solid #cfd6df; border-radius: 12px; overflow: hidden; }
		.review { display: grid; padding: 0 16px; }
		.review img { margin-bottom: -36px; /* n8n's space above its button */ }
		section { display: grid; gap: 20px; }
		section img { border-radius: 26px; }
		table { border-collapse: collapse; white-space: nowrap; } td:last-child { text-align: right; }
		caption { padding: 9px; background: #1d6f42; color: white; }
		th, td { height: 33px; padding: 0 7px; border: 1px solid #dde2e9; font-weight: normal; }
		th, tr:first-child td { background: #eef1f5; color: #566273; text-align: center; }
		i { font: 34px system-ui; color: #1f5fbf; }
		b { font-size: 17px; width: 0; min-width: 100%; text-align: center; text-wrap: balance; align-self: start; }
	</style>
	<div><table><caption>grades.xlsx</caption>${sheet}</table></div><i>→</i>
	<div class="review">${review}</div><i>→</i><section>${phones.join('')}</section>
	<b>1. Upload a sheet</b><i></i><b>2. See what will be sent, and approve it</b><i></i><b>3. Each person gets their message, once</b>`);
	await keep('sheet-to-sms', { fullPage: true });
});

test.each([
	['sandbox', 'en'],
	['el/sandbox', 'el'],
])("the whole of the sandbox's page: %s", async (name, language) => {
	await keywordReply();
	// As `npm start` has it.
	editor.world.sandbox.trouble.reportDelayMs = 2000;
	await editor.page.setViewportSize({ width: 1280, height: 1020 });
	await editor.page.goto(editor.world.sandbox.url);
	await editor.page.locator('#language').selectOption(language);
	const text = editor.page.locator('#text');
	for (const message of ['ΒΟΗΘΕΙΑ', 'ΒΑ']) {
		const before = await editor.page.locator('#conversation li:not(.mine):not(.empty)').count();
		await text.fill(message);
		await text.press('Enter');
		await editor.page.locator('#conversation li:not(.mine):not(.empty)').nth(before).waitFor();
	}
	await keep(name, { fullPage: true });
});

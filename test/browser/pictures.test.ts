import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import type { Locator } from 'playwright-core';
import { NOTHING_TO_FILL_IN } from '../../lib/smsPlatform/formLists';
import { answers, counts, Desk, rowsOf, sheetOf } from '../e2e/desk';
import {
	addChatUser,
	chatUser,
	importExample,
	publishForUsers,
	publishWithTable,
	readExample,
	save,
	type Imported,
} from '../e2e/examples';
import { until, type WorkflowFile } from '../e2e/n8n';
import { withRows } from '../e2e/workflows';
import { useWorld } from '../e2e/world';
import { eventually, pictures } from './browser';
import { named, useEditor } from './editor';

/**
 * Makes the pictures of the documentation in `.tmp/pictures/docs`; those in its folder `el` are in Greek. `npm run pictures` runs
 * this file and copies the pictures to `docs/`. They show real runs in n8n and in the sandbox, most of them at double resolution.
 * The public URL of this n8n is https://n8n.example.gr.
 */
const scale = 2;
const editor = useEditor({ WEBHOOK_URL: 'https://n8n.example.gr/' }, scale);
/** A second n8n for forms. Forms are opened at n8n's public URL, and the public URL of the first n8n does not exist. */
const office = useWorld();
const folder = join(pictures, 'docs');
const webhookId = '3c0f6a52-8b1d-4e7a-9a55-0d6f4e21b7c8';
jest.setTimeout(180_000);

beforeEach(async () => await editor.page.setViewportSize({ width: 1280, height: 800 }));

/**
 * Stores a picture of some parts of the window and of the area between them.
 * @param margin in CSS pixels around them: the sides, and the top and bottom
 */
async function keep(name: string, parts: Locator | Locator[], [x, y] = [0, 0], scale?: 'css'): Promise<void> {
	await editor.closeMessages();
	// Moves the pointer away from elements that react to it. The page reacts a moment later.
	await editor.page.mouse.move(0, 0);
	await editor.page.evaluate('document.activeElement.blur()');
	await editor.settle();
	const boxes = await Promise.all([parts].flat().map(async (part) => (await part.boundingBox())!));
	const left = Math.max(0, Math.min(...boxes.map((box) => box.x)) - x);
	const top = Math.max(0, Math.min(...boxes.map((box) => box.y)) - y);
	const width = Math.max(...boxes.map((box) => box.x + box.width)) + x - left;
	const height = Math.max(...boxes.map((box) => box.y + box.height)) + y - top;
	const path = join(folder, `${name}.png`);
	mkdirSync(dirname(path), { recursive: true });
	await editor.page.screenshot({ path, clip: { x: left, y: top, width, height }, animations: 'disabled', scale });
	expect(statSync(path).size).toBeLessThan(400_000);
}

/** Stores a picture of the open node, without the canvas behind it. */
const keepNode = async (name: string) => await keep(name, editor.part('ndv'));

/** Stores a picture of all nodes of the canvas, with the labels below them. */
async function keepCanvas(name: string): Promise<void> {
	await editor.fit();
	await editor.settle();
	await keep(name, await editor.part('canvas-node').all(), [90, 60]);
}

/** Sets the language of the pages that the nodes of an example make, and publishes the example. */
async function speak(example: Imported, language: string): Promise<void> {
	for (const { type, parameters } of example.workflow.nodes) {
		if (!type.endsWith('.smsResults') && parameters.operation !== 'review') continue;
		parameters.options = { ...(parameters.options as INodeParameters), language };
	}
	await save(office.n8n, example);
	await office.n8n.publish(example.id);
}

/** Returns the HTML that a node has written into the open form page. This HTML comes after the field that chooses a list. */
const written = () => editor.page.locator('.form-group.html').last();

async function upload(form: string, sheet: File, ...typed: string[]): Promise<void> {
	await editor.window.openForm(form);
	const file = { name: sheet.name, mimeType: sheet.type, buffer: Buffer.from(await sheet.arrayBuffer()) };
	await editor.page.locator('input[type="file"]').setInputFiles(file);
	for (const text of typed) await editor.page.locator('input[type="text"]').fill(text);
	await editor.window.submit();
	await written().waitFor();
}

/** Returns a service and a message as the node stores them after a choice from its lists: the IDs and the shown texts. */
const chosen = (serviceId: string, service: string, messageId: string, message: string): INodeParameters => ({
	serviceId: { __rl: true, mode: 'list', value: serviceId, cachedResultName: service },
	messageId: { __rl: true, mode: 'list', value: messageId, cachedResultName: message },
});

/** Publishes the keyword example with its data table, and lets the sandbox send incoming SMS to it. @returns the example */
async function keywordReply(): Promise<WorkflowFile> {
	const example = await publishWithTable(editor.world, 'keyword-auto-reply.json');
	editor.world.sandbox.settings.forwardUrl = example.url('SMS Trigger', '/forward');
	return example.workflow;
}

test('makes the picture of a workflow that has answered a keyword', async () => {
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
	await keepCanvas('workflow');
});

test('makes the picture of the form and output of SMS Send', async () => {
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

test('makes the picture of the form and output of SMS Code', async () => {
	const node = editor.world.node('smsCode', {
		...chosen(
			'otp',
			'otp, e.g. Ο κωδικός σας είναι {Κωδικός,1}',
			'OTP_SEND',
			`Ο κωδικός σας είναι {Κωδικός,1}${NOTHING_TO_FILL_IN}`,
		),
		recipient: '={{ $json["Κινητό"] }}',
	});
	await editor.page.setViewportSize({ width: 1280, height: 700 });
	await editor.openRowsInto([{ Κινητό: '690 000 0001' }], named('SMS Code', node));
	await editor.input('recipient').getByText('$json').first().waitFor();
	await editor.execute();
	await editor.part('radio-button-schema', editor.output).click();
	await editor.output.getByText('verificationId').waitFor();
	await keepNode('sms-code');
});

test('makes the picture of the nodes of enrolment.json', async () => {
	const { name, nodes, connections } = readExample('enrolment.json');
	await editor.page.setViewportSize({ width: 1440, height: 720 });
	const shown = nodes
		.filter(({ type }) => !type.endsWith('stickyNote'))
		.map((node) => {
			const own = /\.(amka|smsCode)$/.exec(node.type)?.[1] as 'amka' | undefined;
			return own ? { ...node, credentials: editor.world.node(own, {}).credentials } : node;
		});
	await editor.open({ name, nodes: shown, connections, settings: {} });
	await keepCanvas('enrolment');
	expect(await editor.part('canvas-edge-toolbar').count()).toBe(0);
});

test('makes the picture of the panel of SMS Trigger with its URLs', async () => {
	const node = { ...named('SMS Trigger', editor.world.node('smsTrigger', { keywords: 'ΒΑ, ΒΑΘΜΟΣ' })), webhookId };
	await editor.open({ name: 'Βαθμοί με SMS', nodes: [node], connections: {}, settings: {} });
	await editor.openNode('SMS Trigger');
	await editor.openAddresses();
	await editor.page.getByText('Production URL', { exact: true }).click();
	await editor.page.getByText(`https://n8n.example.gr/webhook/${webhookId}/dlr`).waitFor();
	await keepNode('sms-trigger');
});

test('makes the picture of AMKA in the dark theme', async () => {
	const node = editor.world.node('amka', {});
	await editor.page.emulateMedia({ colorScheme: 'dark' });
	try {
		await editor.openRowsInto(
			[{ ΑΜΚΑ: '15039904568', 'Ημερομηνία γέννησης': '15/3/1999', Επώνυμο: 'Δοκιμαστικού' }],
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

test('makes the picture of the safety settings of the credential', async () => {
	const { credentials: _, ...without } = named('SMS Send', editor.world.node('smsSend', {}));
	await editor.page.setViewportSize({ width: 1280, height: 1300 });
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
	const label = form.getByText('Trial Recipients', { exact: true });
	await label.scrollIntoViewIfNeeded();
	await keep('guard-rails', [label, editor.part('parameter-input-quietHours', form)], [16, 16]);
});

// The tests after this point open forms and other pages, not n8n's editor.
const inEachLanguage = [
	['el', 'el/'],
	['en', ''],
] as const;

/** A window that is high enough for each page. */
const tall = { width: 760, height: 2000 };

test('makes the picture of Who Got It with delivered, undelivered, unknown and unsent messages', async () => {
	const desk = await Desk.open(office);
	const { page } = editor;
	const people = Array.from({ length: 40 }, (_, index) => ({
		Κινητό: index === 30 ? '2100000000' : `69001000${String(index).padStart(2, '0')}`,
		Μάθημα: 'Φυσική',
		Βαθμός: 5 + (index % 6),
	}));
	Object.assign(office.sandbox.trouble, { notDelivered: 6, answer: 'cutBefore', recipient: '6900100011' });
	await page.setViewportSize(tall);
	await upload(desk.lists.url('Upload'), sheetOf('Φυσική', ...people));
	await page.getByText(answers.send, { exact: true }).click();
	await editor.window.submit();
	await page.getByText('Στάλθηκαν: 38').first().waitFor();
	await office.sandbox.settled();
	await until(
		'all delivery reports are stored',
		async () => counts(await desk.whoGotIt(), 'Φυσική')['Παραδόθηκαν'] === 36,
	);
	for (const [language, place] of inEachLanguage) {
		await speak(desk.results, language);
		await editor.window.openForm(desk.results.url('Who got it'));
		await editor.window.submit();
		await written().waitFor();
		// The page shows the faults of rows in Greek, in which the list was sent. So the English picture leaves them out.
		await (place
			? keep('el/who-got-it', page.locator('#n8n-form'))
			: keep('who-got-it', [written().locator('h2'), written().locator('table')], [16, 8]));
	}
});

test('makes the pictures of a sheet, its messages on phones, and the page where the list is approved', async () => {
	const { lists, sender } = await Desk.open(office);
	const { page } = editor;
	const sheet = new File([readFileSync('examples/grades.xlsx')], 'grades.xlsx');
	const reviews: Record<string, Buffer> = {};
	for (const [language, place] of inEachLanguage) {
		await speak(sender, language);
		await page.setViewportSize(tall);
		await upload(lists.url('Upload'), sheet);
		await page.getByText(answers.send, { exact: true }).click();
		// The example's own texts are Greek. So the English picture shows only the part that the node has written.
		await (language === 'el' ? keep('el/review', page.locator('#n8n-form')) : keep('review', written(), [16, 8]));
		reviews[place] = await written().screenshot();
	}
	await editor.window.submit();
	await page.getByText('Στάλθηκαν: 3').first().waitFor();

	for (const [language, place] of inEachLanguage) {
		await page.setViewportSize({ width: 1280, height: 1200 });
		await page.goto(office.sandbox.url);
		await page.locator('#language').selectOption(language);
		const shots = [reviews[place]!];
		for (const [number, grade] of Object.entries({ '6900000001': 8, '6900000002': 10 })) {
			await page.locator(`#phone-list input[value="${number}"]`).check();
			await page.locator('#conversation').getByText(`είναι ${grade}`).waitFor();
			await page.evaluate(SMALL_PHONE);
			shots.push(await page.locator('.phone').screenshot());
		}
		// The sandbox's page allows only its own styles, so an empty page shows the picture.
		await page.goto('about:blank');
		await page.setContent(fromSheetToPhones(shots, language));
		await keep(`${place}sheet-to-sms`, page.locator('body'), [0, 0], 'css');
	}
});

/** Makes the conversation smaller and hides the keywords, so that the picture is half as high. */
const SMALL_PHONE =
	"document.querySelector('#conversation').style.height = '150px'; document.querySelector('#keywords').style.display = 'none'";

const captions = {
	el: [
		'1. Ανεβάζετε ένα φύλλο',
		'2. Βλέπετε τι θα σταλεί, και το εγκρίνετε',
		'3. Καθένας παίρνει το μήνυμά του, μία φορά',
	],
	en: ['1. Upload a sheet', '2. See what will be sent, and approve it', '3. Each person gets their message, once'],
};

function fromSheetToPhones(shots: Buffer[], language: 'el' | 'en'): string {
	const rows = rowsOf(readFileSync('examples/grades.xlsx'), { defval: '' });
	const lines = [['A', 'B', 'C'], Object.keys(rows[0]!), ...rows.map(Object.values), ...Array(4).fill(['', '', ''])];
	const sheet = lines.map((cells, line) => `<tr><th>${line || ''}<td>${cells.join('<td>')}`).join('');
	const [review, ...phones] = shots.map((png) => `<img srcset="data:;base64,${png.toString('base64')} ${scale}x">`);
	const [first, second, third] = captions[language];
	return `<!doctype html><style>
		body { margin: 0; padding: 24px; background: #f3f5f8; color: #1a222d; font: 15px system-ui; width: fit-content; }
		body { display: grid; grid: auto auto / auto auto auto auto auto; gap: 16px 12px; place-items: center; }
		div { background: white; border: 1px solid #cfd6df; border-radius: 12px; overflow: hidden; }
		.review { display: grid; padding: 8px 16px; }
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
	<b>${first}</b><i></i><b>${second}</b><i></i><b>${third}</b>`;
}

test('makes the picture of the answers to a question', async () => {
	const copy = '-pictures';
	const example = await importExample(office, 'desk/question.json', copy);
	const replies = await importExample(office, 'desk/question-replies.json', copy);
	await office.n8n.publish(replies.id);
	Object.assign(example.workflow.nodes.find(({ name }) => name === 'Send')!.parameters.options!, {
		dlrUrl: replies.url('SMS Trigger', '/dlr'),
		messagesPerSecond: 0,
	});
	await speak(example, 'el');
	office.sandbox.settings.forwardUrl = replies.url('SMS Trigger', '/forward');
	const { page } = editor;
	const people = Array.from({ length: 20 }, (_, index) => `69002000${String(index).padStart(2, '0')}`);
	const sheet = sheetOf('question', ...people.map((mobile) => ({ Κινητό: mobile, Τμήμα: 'Φυσικής' })));
	await page.setViewportSize(tall);
	await upload(example.url('Ask'), sheet, 'Ορκωμοσία');
	await editor.window.submit();
	await page.getByText('Στάλθηκαν: 20').first().waitFor();
	for (const [index, mobile] of people.slice(0, 14).entries())
		await office.sandbox.forward(mobile, index < 9 ? 'ΟΡΚ ΝΑΙ' : index < 13 ? 'ΟΡΚ ΟΧΙ' : 'ΟΡΚ ίσως');
	await office.sandbox.settled();
	for (const [language, place] of inEachLanguage) {
		await speak(example, language);
		await eventually(async () => {
			await editor.window.openForm(example.url('Answers'));
			await editor.window.submit();
			await written().waitFor();
			expect(await written().innerText()).toMatch(/(Δεν απάντησαν ακόμη|No answer yet)[^0-9]*6/);
		});
		await (place ? keep('el/answers', page.locator('#n8n-form')) : keep('answers', written(), [16, 8]));
	}
});

test('makes the picture of n8n’s pages before a form that asks for an account', async () => {
	await addChatUser(office.n8n);
	const example = await importExample(office, 'desk/usage.json');
	await publishForUsers(office.n8n, example, 'Usage');
	// A separate browser context: a second login on this computer would replace the login of the editor's window.
	const context = await editor.window.context.browser()!.newContext({
		viewport: { width: 390, height: 470 },
		deviceScaleFactor: scale,
		locale: 'en-GB',
	});
	const page = await context.newPage();
	const shoot = async () => {
		await page.evaluate('document.activeElement.blur()');
		const content = await page.screenshot({ animations: 'disabled' });
		return `<img width="250" src="data:image/png;base64,${content.toString('base64')}">`;
	};
	await page.goto(example.url('Usage'));
	await page.getByText('Forgot my password').waitFor();
	const signIn = await shoot();
	await page.locator('input[name="emailOrLdapLoginId"]').fill(chatUser.email);
	await page.locator('input[type="password"]').fill(chatUser.password);
	await page.getByRole('button', { name: 'Sign in' }).click();
	await page.getByRole('button', { name: 'Allow access' }).waitFor();
	const consent = await shoot();
	// Both pages are next to each other and small, in one picture.
	await page.setViewportSize({ width: 500, height: 301 });
	await page.setContent(`<body style="margin: 0; display: flex">${signIn}${consent}`);
	mkdirSync(join(folder, 'el'), { recursive: true });
	await page.screenshot({ path: join(folder, 'el/sign-in.png'), scale: 'css' });
	await context.close();
});

test.each(inEachLanguage)(
	"makes the picture of the sandbox's page in %s, with phones, requests and faults",
	async (language, place) => {
		await keywordReply();
		// `npm start` uses the same delay.
		editor.world.sandbox.trouble.reportDelayMs = 2000;
		const { page } = editor;
		await page.setViewportSize({ width: 1280, height: 1020 });
		await page.goto(editor.world.sandbox.url);
		await page.locator('#language').selectOption(language);
		const text = page.locator('#text');
		for (const message of ['ΒΑΘΜΟΣ', 'ΒΑ']) {
			const before = await page.locator('#conversation li:not(.mine):not(.empty)').count();
			await text.fill(message);
			await text.press('Enter');
			await page.locator('#conversation li:not(.mine):not(.empty)').nth(before).waitFor();
		}
		await keep(
			`${place}sandbox`,
			[page.locator('h1'), page.locator('.phone'), page.locator('#language')],
			[24, 24],
			'css',
		);
	},
);

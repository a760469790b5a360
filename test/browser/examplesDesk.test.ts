import { answers, counts, Desk, rowsOf } from '../e2e/desk';
import { secretary } from '../e2e/examples';
import { until } from '../e2e/n8n';
import { useWorld } from '../e2e/world';
import { readFileSync } from 'node:fs';
import { useWindow } from './browser';

/** The desk as a secretary goes through it: n8n's own pages, in a browser. */
const window = useWindow(700, 1100);
const world = useWorld();

/** What the person does: every address opened, every file chosen, every click. */
const actions: string[] = [];

test('from the upload to who got it, and once more to who did not, without opening a node', async () => {
	const desk = await Desk.open(world);
	const context = await window.context.browser()!.newContext({
		viewport: { width: 700, height: 1100 },
		// What the browser asks for once, and then knows.
		httpCredentials: { username: secretary.user, password: secretary.password },
	});
	const page = (window.page = await context.newPage());
	page.setDefaultTimeout(30_000);
	const open = async (form: string) => {
		actions.push(`open ${form}`);
		await page.goto(desk.imported.url(form));
	};
	const press = async () => {
		actions.push('press the button');
		await page.locator('#submit-btn').click();
	};
	const choose = async (answer: string) => {
		actions.push(`choose ${answer}`);
		await page.getByText(answer, { exact: true }).click();
	};
	// The platform refuses one of three, and the others' final reports come first.
	Object.assign(world.sandbox.trouble, { answer: 'refuse', times: 1, report: 'outOfOrder' });

	await open('Send a list');
	actions.push('choose the file');
	await page.locator('input[type=file]').setInputFiles('examples/grades.xlsx');
	await press();
	await page.getByText('Τα πρώτα μηνύματα / The first messages').waitFor();
	await window.picture('desk review');
	expect(world.sandbox.messages).toEqual([]);
	await choose(answers.send);
	const results = page.waitForEvent('download');
	await press();
	expect((await results).suggestedFilename()).toBe('results.xlsx');
	await page.getByText(/^2 από \/ of 5/).waitFor();
	await window.picture('desk results');
	expect(world.sandbox.messages).toHaveLength(2);
	await world.sandbox.settled();
	await until('both reports are written down', async () => counts(await desk.whoGotIt())['Παραδόθηκαν'] === 2);

	await open('Who got it?');
	await press();
	await page.getByText('Παραδόθηκαν / Delivered').first().waitFor();
	const toCounts = actions.length;
	await window.picture('desk who got it');
	expect(await page.locator('table').first().innerText()).toMatch(/Delivered\s+2[^]*Not sent\s+1/);

	await choose(answers.again);
	const again = page.waitForEvent('download');
	await press();
	await again;
	await until('the third is delivered', async () => counts(await desk.whoGotIt())['Παραδόθηκαν'] === 3);
	expect(world.sandbox.messages.map(({ recipient }) => recipient).sort()).toEqual([
		'6900000001',
		'6900000002',
		'6900000003',
	]);

	await open('Who got it?');
	await press();
	await choose(answers.sheet);
	const sheet = page.waitForEvent('download');
	await press();
	const rows = rowsOf(readFileSync(await (await sheet).path()));
	expect(rows.map((row) => row['Κατάσταση'])).toEqual(Array(3).fill('παραδόθηκε / delivered'));
	// With the login, which a browser asks for once.
	expect(toCounts + 1).toBe(8);
});

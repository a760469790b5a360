import { readFileSync } from 'node:fs';
import { answers, counts, Desk, grades, rowsOf, sheetOf } from '../e2e/desk';
import { until } from '../e2e/n8n';
import { useWorld } from '../e2e/world';
import { useWindow } from './browser';

/** A secretary uses the desk on a phone: n8n's own pages in a browser, with Greek texts only. */
const window = useWindow(390, 844);
const world = useWorld();

test('a list is sent, its result is shown, and it is sent again to those who did not get it, without opening a node', async () => {
	const desk = await Desk.open(world);
	const { page } = window;
	page.setDefaultTimeout(30_000);
	const open = async (form: string) => await window.openForm(form);
	const choose = async (answer: string) => await page.getByText(answer, { exact: true }).click();
	/** Checks that nothing scrolls sideways, even on the smallest phone. */
	const look = async (name: string) => {
		for (const width of [360, 390]) {
			await page.setViewportSize({ width, height: 844 });
			await window.picture(width === 390 ? name : `${name} ${width}`);
			expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(
				0,
			);
		}
	};

	// Forty rows: one has no grade, one a landline, one two numbers, and one a grade that Excel made a date.
	const rows = Array.from({ length: 40 }, (_, index) => ({
		'Αρ. μητρώου': String(2000 + index),
		'ΚΙΝΗΤΟ ΤΗΛ.':
			index === 4 ? '2101234567' : index === 11 ? '6900200011, 6900200012' : `69002${String(index).padStart(5, '0')}`,
		Μάθημα: 'Φυσική',
		Βαθμός: index === 7 ? '' : index === 9 ? 46150 : 8,
	}));
	const sheet = sheetOf('Φυσική', ...rows);
	const file = { name: sheet.name, mimeType: sheet.type, buffer: Buffer.from(await sheet.arrayBuffer()) };
	Object.assign(world.sandbox.trouble, { report: 'outOfOrder', notDelivered: 6 });

	await open(desk.lists.url('Upload'));
	await look('desk upload');
	await page.locator('input[type=file]').setInputFiles(file);
	await window.submit();
	await page.getByText('Τα πρώτα μηνύματα').waitFor();
	await page.getByText('46150').first().waitFor();
	await look('desk review');
	expect(world.sandbox.messages).toEqual([]);
	await choose(answers.send);
	const results = page.waitForEvent('download');
	await window.submit();
	expect((await results).suggestedFilename()).toMatch(/^Φυσική, .*\.xlsx$/);
	await page.getByText('Στάλθηκαν: 37').first().waitFor();
	await look('desk results');
	expect(world.sandbox.messages).toHaveLength(37);
	await world.sandbox.settled();
	await until('all reports are written down', async () => counts(await desk.whoGotIt())['Παραδόθηκαν'] === 35);

	await open(desk.results.url('Who got it'));
	await window.submit();
	await page.getByText('Δεν παραδόθηκαν').first().waitFor();
	await look('desk who got it');
	await page.getByText('Νέα αποστολή σε όσους δεν το έλαβαν').click();
	await window.submit();
	await page.getByText('Να σταλούν ξανά').first().waitFor();
	await look('desk send again');
	expect(await page.locator('table').first().innerText()).toMatch(
		/Παραδόθηκαν[^]*35[^]*μπορεί να σταλεί ξανά\s+2\s+2 SMS/,
	);
	Object.assign(world.sandbox.trouble, { report: 'twice', reportDelayMs: 2_000, notDelivered: 0 });
	await page.locator('select').selectOption({ index: 1 });
	await window.submit();
	await page.getByText('Στάλθηκαν ξανά: 2').first().waitFor();
	await look('desk sent again');
	await until('it is delivered', async () => counts(await desk.whoGotIt())['Παραδόθηκαν'] === 37);
	expect(world.sandbox.messages).toHaveLength(39);

	await open(desk.results.url('Who got it'));
	await window.submit();
	await page.locator('select').selectOption({ index: 1 });
	const download = page.waitForEvent('download');
	await window.submit();
	const said = rowsOf(readFileSync(await (await download).path()));
	expect(said.map((row) => row['Κατάσταση']).sort()).toEqual([
		...Array(3).fill('δεν στάλθηκε'),
		...Array(37).fill('παραδόθηκε'),
	]);
});

test('Send pressed twice, and once more after Back, sends each message once', async () => {
	const desk = await Desk.open(world);
	const { page } = window;
	page.setDefaultTimeout(30_000);
	const sheet = sheetOf('Χημεία', ...grades('Χημεία', 5));
	const file = { name: sheet.name, mimeType: sheet.type, buffer: Buffer.from(await sheet.arrayBuffer()) };
	Object.assign(world.sandbox.trouble, { delayMs: 200 });

	await window.openForm(desk.lists.url('Upload'));
	await page.locator('input[type=file]').setInputFiles(file);
	await window.submit();
	await page.getByText('Τα μηνύματα').first().waitFor();
	await page.getByText(answers.send, { exact: true }).click();
	await page.locator('#submit-btn').dblclick();
	await page.getByText('Στάλθηκαν: 5').first().waitFor();
	await page.goBack();
	await window.openForm(desk.lists.url('Upload'));
	await page.locator('input[type=file]').setInputFiles(file);
	await window.submit();
	// Nothing can go, so it is not offered.
	await page.getByText('Έχουν ήδη σταλεί όλα').first().waitFor();
	expect(await page.getByText(answers.send, { exact: true }).count()).toBe(0);

	expect(world.sandbox.messages).toHaveLength(5);
});

import { readFileSync } from 'node:fs';
import { answers, counts, Desk, grades, rowsOf, sheetOf } from '../e2e/desk';
import { until } from '../e2e/n8n';
import { useWorld } from '../e2e/world';
import { useWindow } from './browser';

/** A secretary uses the desk on a phone: n8n's own pages in a browser, with Greek texts only. */
const window = useWindow(390, 844);
const world = useWorld();

/** Takes pictures of the page on a desktop and on phones. Checks that nothing scrolls sideways, even on the smallest phone. */
async function look(name: string): Promise<void> {
	for (const width of [1400, 360, 390]) {
		await window.page.setViewportSize({ width, height: 844 });
		await window.picture(width === 390 ? name : `${name} ${width}`);
		const scrolls = await window.page.evaluate(
			'document.documentElement.scrollWidth - document.documentElement.clientWidth',
		);
		expect(scrolls).toBe(0);
	}
}

test('a list is sent, its result is shown, and it is sent again to those who did not get it, without opening a node', async () => {
	const desk = await Desk.open(world);
	const { page } = window;
	page.setDefaultTimeout(30_000);
	const open = async (form: string) => await window.openForm(form);
	const choose = async (answer: string) => await page.getByText(answer, { exact: true }).click();

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

test('a list is planned, replaced and cancelled, another one is interrupted, and the office sees each on a phone', async () => {
	const desk = await Desk.open(world);
	const { page } = window;
	page.setDefaultTimeout(30_000);
	const upload = async (name: string, ...rows: object[]) => {
		const sheet = sheetOf(name, ...rows);
		await window.openForm(desk.lists.url('Upload'));
		const buffer = Buffer.from(await sheet.arrayBuffer());
		await page.locator('input[type=file]').setInputFiles({ name: sheet.name, mimeType: sheet.type, buffer });
		await window.submit();
	};
	const choose = async (answer: string) => {
		await page.getByText(answer, { exact: true }).click();
		await window.submit();
	};

	await upload('Ιστορία', ...grades('Ιστορία', 3));
	await choose(answers.chosen);
	await page.getByText('Αυτή την ώρα δεν στέλνονται SMS').waitFor();
	await look('desk time refused');
	await choose(answers.tomorrow);
	await page.getByText('Θα σταλούν στις').first().waitFor();
	await look('desk planned');
	await upload('Ιστορία', ...grades('Ιστορία', 2));
	await page.getByText('Παίρνει τη θέση').waitFor();
	await look('desk replaces');
	await choose(answers.tomorrow);
	await page.getByText('Θα σταλούν στις').first().waitFor();

	await window.openForm(desk.cancelling.url('Cancel a list'));
	await look('desk cancel');
	await window.submit();
	await page.getByText('Ποια λίστα;').waitFor();
	await look('desk cancel which');
	await page.getByText('Ιστορία').click();
	await window.submit();
	await page.getByText('Η λίστα ακυρώθηκε').first().waitFor();
	await look('desk cancelled');

	Object.assign(world.sandbox.trouble, { answer: '500' });
	await upload('Άλγεβρα', ...grades('Άλγεβρα', 30));
	await choose(answers.send);
	await page.getByText('Η αποστολή σταμάτησε').first().waitFor();
	await look('desk interrupted');

	await window.openForm(desk.results.url('Who got it'));
	await window.submit();
	await page.getByText('διακόπηκε').first().waitFor();
	await look('desk lists');
	const body = await page.locator('body').innerText();
	expect(body).toMatch(/Ιστορία, \S+\s+ακυρώθηκε: 0 από 2/);
	expect(body).toMatch(/Άλγεβρα, \S+\s+διακόπηκε: 0 από 30\. Στείλτε αργότερα την ίδια λίστα, μέσα σε μία εβδομάδα/);

	const nothing = grades('Λάθος', 3).map((row) => ({ ...row, Κινητό: '2101234567' }));
	Object.assign(world.sandbox.trouble, { answer: 'normal' });
	await upload('Λάθος', ...nothing);
	await page.getByText('Δεν θα σταλεί τίποτα').first().waitFor();
	await look('desk only faults');
	expect(world.sandbox.messages).toEqual([]);
}, 180_000);

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

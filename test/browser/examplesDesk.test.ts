import { readFileSync } from 'node:fs';
import { answers, counts, Desk, grades, rowsOf, sheetOf } from '../e2e/desk';
import { until } from '../e2e/n8n';
import { useWorld } from '../e2e/world';
import { useWindow } from './browser';

/** A secretary uses the examples of examples/desk on a phone, with n8n's form pages in a browser, in Greek. */
const window = useWindow(390, 844);
const world = useWorld();

/** Takes pictures of the page at the widths of a desktop and of phones, and expects that the page does not scroll sideways. */
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

test('a secretary sends a list, sees the results, and sends it again to the people who did not get it, all on form pages', async () => {
	const desk = await Desk.open(world);
	const { page } = window;
	page.setDefaultTimeout(30_000);
	const open = async (form: string) => await window.openForm(form);
	const choose = async (answer: string) => await page.getByText(answer, { exact: true }).click();

	// Of the forty rows one has no grade, one a landline, one two numbers, and one a grade that Excel has turned into a date.
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
	await until('all delivery reports are stored', async () => counts(await desk.whoGotIt())['Παραδόθηκαν'] === 35);

	await open(desk.results.url('Who got it'));
	await window.submit();
	await page.getByText('Δεν παραδόθηκαν').first().waitFor();
	await look('desk who got it');
	await page.getByText('Νέα αποστολή σε όσους δεν το έλαβαν').click();
	await window.submit();
	await page.getByText('Να σταλούν ξανά').first().waitFor();
	await look('desk send again');
	expect(await page.locator('table').first().innerText()).toMatch(
		/Παραδόθηκαν[^]*35[^]*μπορείτε να στείλετε ξανά το μήνυμα\s+2\s+2 SMS/,
	);
	Object.assign(world.sandbox.trouble, { report: 'twice', reportDelayMs: 2_000, notDelivered: 0 });
	await page.locator('select').selectOption({ index: 1 });
	await window.submit();
	await page.getByText('Στάλθηκαν ξανά: 2').first().waitFor();
	await look('desk sent again');
	await until('the list is delivered', async () => counts(await desk.whoGotIt())['Παραδόθηκαν'] === 37);
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

test('the pages show on a phone a refused hour, and lists that are planned, replace another list, were cancelled, were interrupted or have only faulty rows', async () => {
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
	// The default is today at 9:00, which is refused only after 9:00. Midnight has always passed.
	await page.locator('select').last().selectOption('0:00');
	await choose(answers.chosen);
	await page.getByText('Την ώρα που επιλέξατε δεν μπορούν να σταλούν SMS').waitFor();
	await look('desk time refused');
	await choose(answers.tomorrow);
	await page.getByText('Θα σταλούν στις').first().waitFor();
	await look('desk planned');
	await upload('Ιστορία', ...grades('Ιστορία', 2));
	await page.getByText('αντικαταστήσει την προγραμματισμένη λίστα').waitFor();
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

test('each message is sent once, even if Send is pressed twice, and the page offers no Send if the sheet is uploaded again after the browser’s Back', async () => {
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
	// No message would be sent, so the page does not offer Send.
	await page.getByText('Έχουν ήδη σταλεί όλα').first().waitFor();
	expect(await page.getByText(answers.send, { exact: true }).count()).toBe(0);

	expect(world.sandbox.messages).toHaveLength(5);
});

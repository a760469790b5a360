import { answers, Desk, grades, sheetOf } from '../e2e/desk';
import { importExample, save, type Imported } from '../e2e/examples';
import { until } from '../e2e/n8n';
import { useWorld } from '../e2e/world';
import { useWindow } from './browser';

/** Tests the last pages of forms for which n8n would otherwise show its own English page. */
const window = useWindow(390, 844);
const world = useWorld();
jest.setTimeout(120_000);

const publish = async (file: string, copy?: string): Promise<Imported> => {
	const imported = await importExample(world, file, copy);
	await save(world.n8n, imported);
	await world.n8n.publish(imported.id);
	return imported;
};
/** Waits for a page with this text, takes a picture, and expects that the page shows no text of n8n's own last page. */
const see = async (text: string, picture: string): Promise<void> => {
	const { page } = window;
	await page.getByText(text).first().waitFor();
	await window.picture(picture);
	const shown = await page.locator('body').innerText();
	expect(shown).not.toMatch(/Form Submitted|Your response|Problem submitting/);
};
const upload = async (url: string, sheet: File, name: string): Promise<void> => {
	const { page } = window;
	await window.openForm(url);
	const file = { name: sheet.name, mimeType: sheet.type, buffer: Buffer.from(await sheet.arrayBuffer()) };
	await page.locator('input[type=file]').setInputFiles(file);
	await page.locator('input[type=text]').fill(name);
	await window.submit();
};

test('the page of a question states that no question was sent yet; if the sheet has no mobile column or all people have answered, the page states this and links back to its form', async () => {
	const { page } = window;
	const { sandbox } = world;
	const question = await publish('desk/question.json', '-of-ends');
	const replies = await publish('desk/question-replies.json', '-of-ends');
	sandbox.settings.forwardUrl = replies.url('SMS Trigger', '/forward');

	await window.openForm(question.url('Answers'));
	await window.submit();
	await see('Δεν έχει σταλεί ακόμη ερώτηση', 'question nobody asked');

	await upload(question.url('Ask'), sheetOf('names', { Όνομα: 'Δοκιμή' }), 'Ορκωμοσία');
	await page.getByText('Δεν θα σταλεί τίποτα').first().waitFor();
	await window.submit();
	await see('Δεν στάλθηκε τίποτα', 'question nothing to send');
	expect(await page.locator('body').innerText()).toMatch(/Κινητό/);
	await page.getByText('Νέα ερώτηση').click();
	await page.locator('input[type=file]').waitFor();
	expect(page.url()).toBe(question.url('Ask'));

	await upload(
		question.url('Ask'),
		sheetOf('people', { Κινητό: '6900000001', Τμήμα: 'Φυσικής' }, { Κινητό: '6900000002', Τμήμα: 'Χημείας' }),
		'Ορκωμοσία',
	);
	await page.getByText('Θα έρθετε στην ορκωμοσία').first().waitFor();
	await window.submit();
	await page.getByText('Στάλθηκαν: 2').waitFor();
	await sandbox.forward('6900000001', 'ΟΡΚ Ναί');
	await until('the first answer has a reply', () => sandbox.messages.length === 3);

	// The page is loaded before the last person answers.
	await window.openForm(question.url('Answers'));
	await window.submit();
	await page.getByText('Υπενθύμιση σε όσους δεν απάντησαν', { exact: true }).click();
	await sandbox.forward('6900000002', 'ΟΡΚ όχι');
	await until('the second answer has a reply', () => sandbox.messages.length === 4);
	await window.submit();
	await see('Όσοι έλαβαν την ερώτηση έχουν ήδη απαντήσει', 'question nobody to remind');
	await page.getByText('Απαντήσεις', { exact: true }).click();
	await page.locator('#submit-btn').waitFor();
	expect(page.url()).toBe(question.url('Answers'));
	await window.submit();
	await page.getByText('Λήψη του φύλλου με όλους τους παραλήπτες').waitFor();
	expect(await page.getByText('Υπενθύμιση σε όσους δεν απάντησαν', { exact: true }).count()).toBe(0);
	expect(sandbox.messages).toHaveLength(4);
});

test('the form of a question to one person marks a missing entry as required, and its last page names the page where the answer appears', async () => {
	const { page } = window;
	const question = await publish('more/question-to-one.json');
	await window.openForm(question.url('Ask somebody'));
	await window.submit();
	const missing = "getComputedStyle(document.querySelector('.error-show'), '::after').content";
	expect(await page.evaluate(missing)).toBe('"Υποχρεωτικό"');
	await page.locator('[name=field-0]').fill('6900000003');
	await page.locator('[name=field-1]').fill('τη θέση');
	await window.submit();
	await page.getByText('του n8n. Αν η ερώτηση δεν σταλεί, στον ίδιο πίνακα θα γραφτεί ο λόγος').waitFor();
	await window.picture('question to one sent in Greek');
	// n8n's own heading is still in the HTML, but is not visible.
	const size = "getComputedStyle(document.querySelector('#submitted-header')).fontSize";
	expect(await page.evaluate(size)).toBe('0px');
});

test("if a service answers HTTP 500, an office is advised to send the list later and to tell the admin about a second failure, and a visitor's page names no admin", async () => {
	const { page } = window;
	const desk = await Desk.open(world);
	Object.assign(world.sandbox.trouble, { answer: '500' });
	await upload(desk.lists.url('Upload'), sheetOf('outage', ...grades('Οπτική', 30)), 'Οπτική');
	await page.getByText('Όποιος έστειλε ΣΤΟΠ δεν λαμβάνει κανένα SMS').waitFor();
	await window.picture('desk review says what ΣΤΟΠ ends');
	await page.getByText(answers.send, { exact: true }).click();
	await window.submit();
	await see('Αν συμβεί πάλι, πείτε το στον διαχειριστή', 'desk service down');
	const shown = await page.locator('body').innerText();
	expect(shown).toMatch(/Στείλτε αργότερα την ίδια λίστα, μέσα σε μία εβδομάδα/);
	expect(shown).not.toMatch(/μόνο αυτ|ρωτήστε|ανεβάστε ένα φύλλο/i);

	const enrolment = await publish('enrolment.json');
	await page.goto(enrolment.url('Enrolment form'));
	for (const [index, value] of ['15039904568', '1999-03-15', 'Δοκιμαστικού', '6900000004'].entries())
		await page.locator(`[name=field-${index}]`).fill(value);
	await window.submit();
	await see('Your details could not be checked', 'enrolment not checked');
	expect(await page.locator('body').innerText()).not.toMatch(/διαχειριστή|admin/);
});

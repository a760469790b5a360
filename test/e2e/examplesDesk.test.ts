import { readFileSync } from 'node:fs';
import { items } from './n8n';
import {
	answers,
	choose,
	counts,
	Desk,
	grades,
	newest,
	outcome,
	rowsOf,
	send,
	sheetIn,
	sheetOf,
	sheetPage,
	shipped,
	withPassword,
} from './desk';
import { save } from './examples';
import { until } from './n8n';
import { builtIn } from './workflows';
import { keysStaySecret, useWorld } from './world';

/**
 * Checks the example workflows of the desk (examples/desk): a list from its upload to its results, also if the
 * platform fails in various ways.
 */
const world = useWorld();

let desk: Desk;
beforeAll(async () => {
	desk = await Desk.open(world);
});

const delivered = async (list: string, count: number) =>
	await until(`${count} have been delivered`, async () => {
		const page = await desk.whoGotIt();
		return counts(page, list)['Παραδόθηκαν'] === count && page;
	});
/** The URLs that the links of the pages lead to. */
const [upload, who, again, cancel] = [
	() => desk.lists.url('Upload'),
	() => desk.results.url('Who got it'),
	() => desk.resending.url('Send again to whom?'),
	() => desk.cancelling.url('Cancel a list'),
];
/** Returns the full name that the desk gives a list: it contains the date. */
const nameOf = async (list: string) => String((await desk.table(list))[0]!.list);
const sentTo = () => world.sandbox.messages.map(({ recipient }) => recipient).sort();

test('the sheet that comes with the examples stores mobile numbers as text', () => {
	const mobiles = rowsOf(readFileSync('examples/grades.xlsx')).map((row) => row['Κινητό']);

	expect(mobiles.every((mobile) => typeof mobile === 'string')).toBe(true);
});

test('all forms of the desk ask for a login', async () => {
	for (const form of [upload(), who(), again(), cancel()]) {
		expect((await fetch(form)).status).toBe(401);
		expect((await fetch(form, { method: 'POST', body: new FormData() })).status).toBe(401);
	}
});

test('before the first list, "Who got it" states that nothing was sent, and links to the upload', async () => {
	const page = await desk.whoGotIt();

	expect(page.title).toBe('Δεν υπάρχει καμία λίστα');
	expect(page.text).toMatch(/Δεν έχει ολοκληρωθεί ακόμη καμία αποστολή/);
	expect(page.links).toEqual([upload()]);
});

test('the desk shows a review of an uploaded list first, and sends nothing if the person does not approve', async () => {
	const page = await desk.review(shipped);

	expect(page.text).toMatch(/Μηνύματα που θα σταλούν 3 .* SMS συνολικά 3 .* Γραμμές με λάθη 2/);
	expect(page.text).toMatch(/Το «Βαθμός» δεν έχει τιμή.* Γραμμή 5 \(6900000004\)/);
	expect(page.text).toMatch(/Το 210…000 είναι σταθερό τηλέφωνο.* Γραμμή 6/);
	expect(page.text).toMatch(/Γραμμή 3: 6900000002 \(1 SMS\) Ο βαθμός σας στο μάθημα Φυσική είναι 10/);
	const last = await send(page, 'Να μη σταλεί καμία');
	expect(last.title).toBe('Δεν στάλθηκε τίποτα');
	expect(last.links).toEqual([upload(), who()]);
	// The sheet of the faulty rows has the columns of the uploaded sheet, and one column that explains what to correct.
	expect(rowsOf(last.downloads[0]!.content)).toEqual([
		{ Κινητό: '6900000004', Μάθημα: 'Άλγεβρα', Βαθμός: '', 'Τι να διορθώσετε': expect.stringContaining('Βαθμός') },
		{ Κινητό: '2100000000', Μάθημα: 'Άλγεβρα', Βαθμός: 9, 'Τι να διορθώσετε': expect.stringContaining('σταθερό') },
	]);
	expect(world.sandbox.messages).toEqual([]);
	expect(await desk.table('grades')).toEqual([]);
});

/** An empty ZIP file. Like a text document, it contains no sheet. */
const zip = `PK\x05\x06${'\0'.repeat(18)}`;

test.each([
	['a document', 'grades.docx', zip, /δεν διαβάζεται ως φύλλο .xlsx, .xls ή .ods.* Αποθηκεύστε το ως .xlsx/],
	[
		'a document that was renamed to .xlsx',
		'grades.xlsx',
		zip,
		/δεν διαβάζεται ως φύλλο .xlsx, .xls ή .ods.* Αποθηκεύστε το ως .xlsx/,
	],
	['a sheet with a password', 'grades.xlsx', withPassword, /Αποθηκεύστε το ως .xlsx, χωρίς κωδικό πρόσβασης/],
	['a .csv, where 8,5 would become 85', 'grades.csv', 'Κινητό;Βαθμός\n6900000001;8,5', /Αποθηκεύστε το ως .xlsx/],
	['an empty sheet', 'grades.xlsx', sheetOf('empty'), /καμία γραμμή με στοιχεία. Ελέγξτε/],
	[
		'a title above the headings',
		'grades.xlsx',
		sheetOf('title', { 'Βαθμοί Ιανουαρίου': 'Κινητό', __EMPTY: 'Μάθημα', __EMPTY_1: 'Βαθμός' }),
		/Διαγράψτε τις γραμμές πάνω από τις επικεφαλίδες, .* Στήλες της λίστας: Βαθμοί Ιανουαρίου/,
	],
])('after the upload of %s the page does not offer Send, and explains what to do', async (_, name, content, words) => {
	const page = await desk.review(new File([content], name));

	expect(page.title).toBe('Δεν θα σταλεί τίποτα');
	expect(page.text).toMatch(words);
	expect(page.text).not.toContain(answers.send);
	expect(page.links).toEqual([upload(), who()]);
	expect((await page.again()).text).toBe(page.text);
});

test.each(['xls', 'ods'] as const)('the desk reads an .%s file like an .xlsx file', async (bookType) => {
	const page = await desk.review(sheetIn(bookType, 'other', { Κινητό: '6900000001', Μάθημα: 'Φ', Βαθμός: 8.5 }));

	expect(page.text).toMatch(/Γραμμή 2: 6900000001 \(1 SMS\) Ο βαθμός σας στο μάθημα Φ είναι 8,5/);
});

test('the desk sends a list, counts the delivery reports on the page, and shows them for each person in the downloaded sheet', async () => {
	const done = await send(await desk.review(shipped));

	expect(done.title).toBe('Στάλθηκαν: 3');
	expect(done.text).toMatch(/Μηνύματα που στάλθηκαν: 3 από 3\./);
	expect(done.text).toMatch(
		/είναι σταθερό τηλέφωνο.* \(1: 2100000000\).*ανεβάστε ένα φύλλο μόνο με τις γραμμές που δεν στάλθηκαν/,
	);
	expect(done.links).toEqual([upload(), who()]);
	expect(done.downloads[0]!.fileName).toMatch(/^grades, \d\d-\d\d-\d{4}\.xlsx$/);
	expect(outcome(done)).toEqual([
		['6900000001', 'στάλθηκε, αναμένεται αναφορά'],
		['+30 690 000 0002', 'στάλθηκε, αναμένεται αναφορά'],
		['6900000003', 'στάλθηκε, αναμένεται αναφορά'],
		['6900000004', 'δεν στάλθηκε'],
		['2100000000', 'δεν στάλθηκε'],
	]);
	expect(world.sandbox.messages.map(({ recipient, text }) => [recipient, text]).sort()).toEqual([
		['6900000001', 'Ο βαθμός σας στο μάθημα Φυσική είναι 8'],
		['6900000002', 'Ο βαθμός σας στο μάθημα Φυσική είναι 10'],
		['6900000003', 'Ο βαθμός σας στο μάθημα Ηλεκτρονική ΙΙ είναι 7'],
	]);
	const last = await sheetPage(await delivered('grades', 3));
	expect(last.downloads[0]!.fileName).toMatch(/^grades, \d\d-\d\d-\d{4}\.xlsx$/);
	const sheet = rowsOf(last.downloads[0]!.content);
	expect(sheet.map((row) => [row['Κινητό'], row['Κατάσταση'], row['Βαθμός']])).toEqual([
		['6900000001', 'παραδόθηκε', 8],
		['+30 690 000 0002', 'παραδόθηκε', 10],
		['6900000003', 'παραδόθηκε', 7],
		['6900000004', 'δεν στάλθηκε', ''],
		['2100000000', 'δεν στάλθηκε', 9],
	]);
});

test('after faulty rows are corrected, only the corrected rows are sent, as a separate list, and a further upload states that there is nothing to do', async () => {
	const corrected = sheetOf('corrected', { Κινητό: '6900000004', Μάθημα: 'Άλγεβρα', Βαθμός: 6 });
	const done = await send(await desk.review(corrected, 'Φυσική, διορθωμένη'));

	expect(done.title).toBe('Στάλθηκαν: 1');
	expect(done.downloads[0]!.fileName).toBe('Φυσική, διορθωμένη.xlsx');
	expect(sentTo()).toEqual(['6900000004']);
	await delivered('Φυσική, διορθωμένη', 1);
	const again = await desk.review(corrected);
	expect(again.title).toBe('Έχουν ήδη σταλεί όλα');
	expect(again.text).toMatch(/Όλα τα μηνύματα της λίστας έχουν ήδη σταλεί \(1\). Δεν χρειάζεται να κάνετε κάτι/);
	expect(again.text).not.toContain(answers.send);
});

test('if the SMS service is down, the page states it, and a later upload of the same list sends the messages that were not tried', async () => {
	const list = sheetOf('outage', ...grades('Οπτική', 30));
	Object.assign(world.sandbox.trouble, { answer: '500' });
	const down = await send(await desk.review(list));

	expect(down.title).toBe('Η αποστολή σταμάτησε');
	expect(down.text).toMatch(
		/Μηνύματα που στάλθηκαν: 0 από 30\. .*\. Η υπηρεσία SMS δεν απαντά\. Στείλτε αργότερα την ίδια λίστα, μέσα σε μία εβδομάδα: όσα μηνύματα στάλθηκαν δεν θα σταλούν ξανά\. Αν συμβεί πάλι, πείτε το στον διαχειριστή\./,
	);
	expect(down.text).not.toMatch(/μόνο αυτ|ρωτήστε|ανεβάστε ένα φύλλο/i);
	expect(down.links).toEqual([upload(), who()]);
	// docs/operation.md connects an e-mail to this output.
	const [sending] = (await world.n8n.executions(desk.sender.id)).slice(-1);
	expect(items(sending!, 0, 'Ended')).toEqual([expect.objectContaining({ state: 'stopped', problem: 'serviceDown' })]);
	world.sandbox.reset();
	const later = await desk.review(list);
	expect(later.text).toMatch(/Μηνύματα που θα σταλούν 10 .* Άγνωστο αν έχουν ήδη σταλεί 20/);
	expect((await send(later)).title).toBe('Στάλθηκαν: 10');
	expect(sentTo()).toEqual(
		grades('', 30)
			.slice(20)
			.map((row) => row['Κινητό']),
	);
	await delivered('outage', 10);
});

test('a person who texts ΣΤΟΠ before the review, during it, or before the list is sent again gets no further message', async () => {
	const list = [0, 1, 2].map((index) => ({ Κινητό: `690050000${index}`, Μάθημα: 'Λογική', Βαθμός: 5 }));
	await desk.leave('6900500000');
	const page = await desk.review(sheetOf('left', ...list));
	expect(page.text).toMatch(/Μηνύματα που θα σταλούν 2 .* Παραλήπτες που δεν θέλουν μηνύματα 1/);
	await desk.leave('6900500001');
	Object.assign(world.sandbox.trouble, { notDelivered: 100 });
	expect((await send(page)).title).toBe('Στάλθηκαν: 1');
	expect(sentTo()).toEqual(['6900500002']);
	await until(
		'the failed delivery is reported',
		async () => counts(await desk.whoGotIt(), 'left')['Δεν παραδόθηκαν'] === 1,
	);

	world.sandbox.reset();
	await desk.leave('6900500002');
	expect((await desk.sendAgain()).title).toBe('Στάλθηκαν ξανά: 0');
	expect(world.sandbox.messages).toEqual([]);
});

test('a person whom the admin adds to the table of people who want no messages gets no message', async () => {
	// The table has the row of a person who texted ΣΤΟΠ, and the row that the admin adds.
	await desk.leave('6900510009');
	await desk.exclude('6900510000');
	const list = [0, 1].map((index) => ({ Κινητό: `690051000${index}`, Μάθημα: 'Λογική', Βαθμός: 5 }));
	expect((await send(await desk.review(sheetOf('excluded', ...list)))).title).toBe('Στάλθηκαν: 1');
	expect(sentTo()).toEqual(['6900510001']);
});

test('a message of two SMS, one of which was not delivered, is shown as partly delivered and not sent again', async () => {
	const long = 'Εισαγωγή στην Επιστήμη των Υπολογιστών και στις Τεχνολογίες της Πληροφορίας';
	const list = sheetOf('parts', { Κινητό: '6900600000', Μάθημα: long, Βαθμός: 5 });
	expect((await send(await desk.review(list))).title).toBe('Στάλθηκαν: 1');
	const [{ dlrUrl, serviceId, recipient }] = world.sandbox.messages as [(typeof world.sandbox.messages)[number]];
	await world.sandbox.settled();
	await world.sandbox.call(dlrUrl, { serviceId, recipient, status: 'ERROR', error: '27' });
	await until(
		'both delivery reports are stored',
		async () => counts(await desk.whoGotIt(), 'parts')['Παραδόθηκαν εν μέρει'] === 1,
	);
	world.sandbox.messages.length = 0;
	const page = await desk.whoGotIt();
	expect(page.text).toMatch(/Όπου το μήνυμα παραδόθηκε εν μέρει, ρωτήστε τον παραλήπτη τι έλαβε/);
	expect((await desk.sendAgain(await nameOf('parts'))).title).toBe('Δεν στάλθηκε κανένα μήνυμα');
	expect(sentTo()).toEqual([]);
});

describe('a list with 5 % undelivered messages, three rejected messages, and delivery reports in the wrong order', () => {
	const list = grades('Άλγεβρα', 23);

	test('is counted completely, and no late report overwrites a final report', async () => {
		Object.assign(world.sandbox.trouble, { answer: 'refuse', times: 3, report: 'outOfOrder', notDelivered: 5 });
		const done = await send(await desk.review(sheetOf('algebra', ...list)));
		expect(done.title).toBe('Στάλθηκαν: 20');
		await world.sandbox.settled();
		const page = await delivered('algebra', 19);

		expect(counts(page)).toMatchObject({ Μηνύματα: 23, Παραδόθηκαν: 19, 'Δεν παραδόθηκαν': 1, 'Δεν στάλθηκαν': 3 });
		expect(page.text).toMatch(/στους οποίους μπορείτε να στείλετε ξανά το μήνυμα 1 1 SMS/);
		expect(newest(page)).toMatch(/^algebra, \d\d\/\d\d\/\d{4}$/);
	});

	test('is sent again once to the person to whom it was not delivered, however often the button is pressed', async () => {
		Object.assign(world.sandbox.trouble, { answer: 'refuse' });
		const refused = await desk.sendAgain();
		expect(refused.title).toBe('Στάλθηκαν ξανά: 0');
		expect(refused.text).toMatch(
			/Μηνύματα που δεν είχαν παραδοθεί την προηγούμενη φορά: 1.*Αν η υπηρεσία απέρριψε κάποια μηνύματα, δοκιμάστε ξανά αργότερα/,
		);
		expect(refused.links).toEqual([who()]);
		world.sandbox.reset();
		const pages = [await desk.whoGotNothing(), await desk.whoGotNothing(), await desk.whoGotNothing()];
		const last = await Promise.all(pages.map(async (page) => await choose(page)));
		await world.sandbox.settled();

		expect(sentTo()).toHaveLength(1);
		expect(last.filter(({ title }) => title === 'Στάλθηκαν ξανά: 1')).toHaveLength(1);
		await delivered('algebra', 20);
		expect((await desk.sendAgain()).title).toBe('Δεν στάλθηκε κανένα μήνυμα');
		expect(sentTo()).toHaveLength(1);
	});

	test('sends only the rejected messages, each once, if the same sheet is uploaded again', async () => {
		const page = await desk.review(sheetOf('algebra', ...list));
		expect(page.text).toMatch(/Μηνύματα που θα σταλούν 3 .* Έχουν ήδη σταλεί 20/);
		await send(page);

		expect(sentTo()).toHaveLength(3);
		await delivered('algebra', 23);
	});
});

test('a list that two people send at the same time, one of them with two presses of the button, reaches each person once', async () => {
	const list = sheetOf('physics', ...grades('Φυσική Ι', 12));
	Object.assign(world.sandbox.trouble, { delayMs: 100 });
	const pages = await Promise.all([desk.review(list), desk.review(list)]);
	await world.n8n.restart();
	await Promise.all([...pages, pages[0]!].map(async (page) => await send(page).catch(() => undefined)));

	expect(world.sandbox.messages).toHaveLength(12);
	await delivered('physics', 12);
});

test('a message without an answer has an unknown outcome, is not sent again, and counts as delivered after its delivery report, which is repeated', async () => {
	const list = grades('Χημεία', 2);
	Object.assign(world.sandbox.trouble, { answer: 'cutAfter', recipient: list[0]!['Κινητό'], report: 'lost' });
	const done = await send(await desk.review(sheetOf('chemistry', ...list)));
	expect(outcome(done).map(([, what]) => what)).toEqual(['άγνωστο αν στάλθηκε', 'στάλθηκε, αναμένεται αναφορά']);
	expect((await desk.sendAgain()).title).toBe('Δεν στάλθηκε κανένα μήνυμα');

	const { dlrUrl, serviceId, recipient } = world.sandbox.messages.find(
		(message) => message.recipient === list[0]!['Κινητό'],
	)!;
	for (let time = 1; time <= 2; time++) await world.sandbox.call(dlrUrl, { serviceId, recipient, status: 'DELIVRD' });
	await delivered('chemistry', 1);
	await desk.age('chemistry', 2);
	expect(counts(await desk.whoGotIt(), 'chemistry')).toMatchObject({ Παραδόθηκαν: 1, 'Χωρίς αναφορά έως τώρα': 1 });
	expect(world.sandbox.messages).toHaveLength(2);
});

test('a message of unknown outcome is not sent again, and the page advises to ask the recipients and to give the list to the admin', async () => {
	const instruction =
		/[Ρρ]ωτήστε τους παραλήπτες\. Αν κάποιοι δεν έλαβαν το μήνυμα, δώστε στον διαχειριστή μια λίστα μόνο με αυτούς/;
	const list = sheetOf('biology', { Κινητό: '6900000031', Μάθημα: 'Βιολογία', Βαθμός: 7 });
	Object.assign(world.sandbox.trouble, { answer: 'cutAfter', report: 'lost' });
	await send(await desk.review(list));

	world.sandbox.reset();
	await desk.age('biology', 25);
	const page = await desk.whoGotIt();
	expect(page.text).toMatch(instruction);
	const nobody = await desk.sendAgain(await nameOf('biology'));
	expect(nobody.title).toBe('Δεν στάλθηκε κανένα μήνυμα');
	expect(nobody.text).toMatch(instruction);
	expect(nobody.links).toEqual([who()]);
	expect(sentTo()).toEqual([]);
});

test('the pages do not execute HTML or n8n expressions in cells and in names of lists, and with many lists they ask for one before they show counts', async () => {
	const evil = [
		{ Κινητό: '6900000008', Μάθημα: `<b onclick="x()">7</b> $& $1 $'`, Βαθμός: 5 },
		{ Κινητό: '6900000009', Μάθημα: '{{ 6 * 7 }}', Βαθμός: 5 },
	];
	const page = await desk.review(sheetOf('evil', ...evil), `<img src=x onerror="x()">{{ 6 * 7 }} $& $'`);

	expect(page.html).not.toContain('<b onclick');
	expect(page.text).toContain(`<b onclick="x()">7</b> $& $1 $'`);
	expect(page.text).toContain('υπάρχει κώδικας αντί για τιμή: {{ 6 * 7 }}');
	const done = await send(page);
	expect(done.html).not.toContain('<img src=x');
	expect(done.title).toBe('Στάλθηκαν: 1');
	const all = await desk.whoGotIt();
	expect(all.html).not.toContain('<img src=x');
	expect(all.text).toContain(`{{ 6 * 7 }} $& $'`);
	// There are too many lists for one page, so a list is chosen before the counts.
	expect(all.html.indexOf('<select')).toBeLessThan(all.html.indexOf('<table'));
});

test('a list is planned for a chosen hour, or sent at once, even if an approval by a second person is added between the nodes "What now?" and "Accepted"', async () => {
	const { workflow, id } = desk.lists;
	// The output of the node Send Email after somebody has approved.
	const yes = { mode: 'raw', jsonOutput: '{ "data": { "approved": true } }', options: {} };
	workflow.nodes.push(builtIn('n8n-nodes-base.set', 'Approval', 3.4, yes));
	workflow.connections['Approval'] = { main: [workflow.connections['What now?']!.main![3]!] };
	workflow.connections['What now?']!.main![3] = [{ node: 'Approval', type: 'main', index: 0 }];
	await save(world.n8n, desk.lists);
	await world.n8n.publish(id);

	const later = await send(await desk.review(sheetOf('approved', ...grades('Approved', 2))), answers.tomorrow);
	expect(later.title).toMatch(/^Θα σταλούν στις \d\d\/\d\d\/\d{4}, 09:00$/);
	const before = world.sandbox.messages.length;
	const done = await send(await desk.review(sheetOf('approved now', ...grades('Approved', 2))));
	expect(done.title).toBe('Στάλθηκαν: 2');
	expect(world.sandbox.messages).toHaveLength(before + 2);
});

test('the nightly run deletes the rows that are older than the number of days in its node "Older than 30 days"', async () => {
	const step = desk.results.workflow.nodes.find(({ name }) => name === 'Older than 30 days')!;
	expect(JSON.stringify(step.parameters)).toContain('minus({ days: 30 })');
	const before = (await world.n8n.executions(desk.results.id)).length;
	const night = async (nights: number) => {
		await world.n8n.begin(desk.results.id, 'Every night');
		await world.n8n.executionsWhenEnded(desk.results.id, before + nights);
	};
	await night(1);
	expect((await desk.table('algebra')).length).toBeGreaterThanOrEqual(23);

	step.parameters = JSON.parse(
		JSON.stringify(step.parameters).replace('days: 30', 'days: 0'),
	) as typeof step.parameters;
	await save(world.n8n, desk.results);
	await night(2);
	expect(await desk.table('algebra')).toEqual([]);
});

keysStaySecret(world);

import { readFileSync } from 'node:fs';
import {
	answers,
	counts,
	Desk,
	grades,
	newest,
	outcome,
	rowsOf,
	send,
	sendAgain,
	sheetOf,
	sheetPage,
	shipped,
} from './desk';
import { save } from './examples';
import { until } from './n8n';
import { keysStaySecret, useWorld } from './world';

/** The desk: a list from its upload to who got it, with its two examples as they are, and the platform in all kinds of trouble. */
const world = useWorld();

let desk: Desk;
beforeAll(async () => {
	desk = await Desk.open(world);
});

const delivered = async (list: string, count: number) =>
	await until(`${count} have been delivered`, async () => {
		const page = await desk.whoGotIt();
		return counts(page, list)['Παραδόθηκε'] === count && page;
	});

test('the sheet that is shipped keeps mobiles as text', () => {
	const mobiles = rowsOf(readFileSync('examples/grades.xlsx')).map((row) => row['Κινητό']);

	expect(mobiles.every((mobile) => typeof mobile === 'string')).toBe(true);
});

test('the forms ask for a login', async () => {
	for (const form of [desk.lists.url('Upload'), desk.results.url('Who got it')]) {
		expect((await fetch(form)).status).toBe(401);
		expect((await fetch(form, { method: 'POST', body: new FormData() })).status).toBe(401);
	}
});

test('a review first, and nothing goes out where the answer is no', async () => {
	const page = await desk.review(shipped);

	expect(page.text).toMatch(/Messages that will be sent 3 .* SMS in all 3 .* Rows with a fault 2/);
	expect(page.text).toMatch(/"Βαθμός" is empty.* Row: 4 \(690…004\)/);
	expect(page.text).toMatch(/210…000 is a landline.* Row: 5/);
	expect(page.text).toMatch(/6900000002 \(1 SMS\) Ο βαθμός σας στο μάθημα Φυσική είναι 10/);
	const last = await page.submit(undefined, [answers.doNotSend]);
	expect(last.title).toMatch(/Nothing was sent/);
	expect(world.sandbox.messages).toEqual([]);
	expect(await desk.table('grades')).toEqual([]);
});

test('a file that is no list: one sentence, and nothing goes out, whatever the answer', async () => {
	const page = await desk.review(sheetOf('empty'));

	expect(page.text).toMatch(/Nothing can be sent/);
	expect((await send(page)).title).toMatch(/Nothing was sent/);
});

test('sent, reported, and everybody on the page and in the sheet', async () => {
	const done = await send(await desk.review(shipped));

	expect(done.title).toBe('Στάλθηκαν τώρα / Sent now: 3');
	expect(done.text).toMatch(/is a landline, which gets no SMS.* \(1: 210…000\)/);
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
	const sheet = rowsOf((await sheetPage(await delivered('grades', 3))).downloads[0]!.content);
	expect(sheet.map((row) => [row['Κινητό'], row['Κατάσταση'], row['Βαθμός']])).toEqual([
		['6900000001', 'παραδόθηκε', 8],
		['+30 690 000 0002', 'παραδόθηκε', 10],
		['6900000003', 'παραδόθηκε', 7],
		['6900000004', 'δεν στάλθηκε', ''],
		['2100000000', 'δεν στάλθηκε', 9],
	]);
});

test('a corrected sheet under a name of its own: what was sent is not sent again, and is known to be delivered', async () => {
	const corrected = rowsOf(Buffer.from(await shipped.arrayBuffer())).map((row) => ({
		...row,
		Βαθμός: row['Βαθμός'] ?? 6,
	}));
	const page = await desk.review(sheetOf('corrected', ...corrected), 'Φυσική, διορθωμένη');
	expect(page.text).toMatch(/Messages that will be sent 1 .* Already sent 3 .* Rows with a fault 1/);
	const done = await send(page);

	expect(done.title).toMatch(/Sent now: 1$/);
	expect(world.sandbox.messages.map(({ recipient }) => recipient)).toEqual(['6900000004']);
	await delivered('Φυσική, διορθωμένη', 4);
});

describe('a list in trouble: 5 % not delivered, the final report first, and the platform refuses some', () => {
	const list = grades('Άλγεβρα', 23);
	const phones = () => world.sandbox.messages.map(({ recipient }) => recipient).sort();

	test('everybody is counted, and no late report overwrites a final one', async () => {
		Object.assign(world.sandbox.trouble, { answer: 'refuse', times: 3, report: 'outOfOrder', notDelivered: 5 });
		const done = await send(await desk.review(sheetOf('algebra', ...list)));
		expect(done.title).toMatch(/Sent now: 20$/);
		await world.sandbox.settled();
		const page = await delivered('algebra', 19);

		expect(counts(page)).toMatchObject({ Μηνύματα: 23, Παραδόθηκε: 19, 'Δεν παραδόθηκε': 1, 'Δεν στάλθηκε': 3 });
		expect(page.text).toMatch(/People it can be sent to again 1 1 SMS/);
		expect(newest(page)).toMatch(/^algebra\.xlsx, \d\d\/\d\d\/\d{4}$/);
	});

	test('sent again to those who did not get it, once, however often the button is pressed', async () => {
		const wanting = (await desk.table('algebra')).filter(({ state }) => state === 'notDelivered');
		const pages = [await desk.whoGotIt(), await desk.whoGotIt(), await desk.whoGotIt()];
		const last = await Promise.all(pages.map(async (page) => await sendAgain(page)));
		await world.sandbox.settled();

		expect(wanting).toEqual([]);
		expect(phones()).toHaveLength(1);
		expect(last.filter(({ title }) => title.endsWith('Sent again: 1'))).toHaveLength(1);
		const page = await delivered('algebra', 20);
		expect((await sendAgain(page)).title).toMatch(/Sent to nobody/);
		expect(phones()).toHaveLength(1);
	});

	test('the same sheet once more sends what was refused; nobody gets it again, whoever got it at the second time', async () => {
		const page = await desk.review(sheetOf('algebra', ...list));
		expect(page.text).toMatch(/Messages that will be sent 3 .* Already sent 20/);
		await send(page);

		expect(phones()).toHaveLength(3);
		await delivered('algebra', 23);
	});
});

test('the same list by two at once, and by a second press of the same button: nobody twice', async () => {
	const list = sheetOf('physics', ...grades('Φυσική Ι', 12));
	Object.assign(world.sandbox.trouble, { delayMs: 100 });
	const pages = await Promise.all([desk.review(list), desk.review(list)]);
	await Promise.all([...pages, pages[0]!].map(async (page) => await send(page).catch(() => undefined)));

	expect(world.sandbox.messages).toHaveLength(12);
	await delivered('physics', 12);
});

test('an answer that was lost is unknown, and not sent again; its report, twice, settles it', async () => {
	const list = grades('Χημεία', 2);
	Object.assign(world.sandbox.trouble, { answer: 'cutAfter', recipient: list[0]!['Κινητό'], report: 'lost' });
	const done = await send(await desk.review(sheetOf('chemistry', ...list)));
	expect(outcome(done).map(([, what]) => what)).toEqual(['άγνωστο αν στάλθηκε', 'στάλθηκε, αναμένεται αναφορά']);
	expect((await sendAgain(await desk.whoGotIt())).title).toMatch(/Sent to nobody/);

	const { dlrUrl, serviceId, recipient } = world.sandbox.messages.find(
		(message) => message.recipient === list[0]!['Κινητό'],
	)!;
	for (let time = 1; time <= 2; time++) await world.sandbox.call(dlrUrl, { serviceId, recipient, status: 'DELIVRD' });
	await delivered('chemistry', 1);
	await desk.age('chemistry', 2);
	expect(counts(await desk.whoGotIt(), 'chemistry')).toMatchObject({ Παραδόθηκε: 1, 'Χωρίς αναφορά ως τώρα': 1 });
	expect(world.sandbox.messages).toHaveLength(2);
});

test('what is older than the days of the nightly step leaves the table', async () => {
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

test('what stands in a cell is shown, and never carried out', async () => {
	const evil = { Κινητό: '6900000008', Μάθημα: '<b onclick="x()">{{ 6 * 7 }}</b> $& $1', Βαθμός: 5 };
	const page = await desk.review(sheetOf('evil', evil), '<img src=x onerror="x()">{{ 6 * 7 }} $&');

	expect(page.html).not.toContain('<b onclick');
	expect(page.text).toContain('<b onclick="x()">{{ 6 * 7 }}</b> $& $1');
	const done = await send(page);
	expect(done.html).not.toContain('<img src=x');
	const who = await desk.whoGotIt();
	expect(who.html).not.toContain('<img src=x');
	expect(who.text).toContain('{{ 6 * 7 }} $&');
});

keysStaySecret(world);

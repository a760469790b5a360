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

/** The desk: a list from its upload to who got it, with its example as it is, and the platform in all kinds of trouble. */
const world = useWorld();

let desk: Desk;
beforeAll(async () => {
	desk = await Desk.open(world);
});

test('the sheet that is shipped keeps mobiles as text', () => {
	const mobiles = rowsOf(readFileSync('examples/grades.xlsx')).map((row) => row['Κινητό']);

	expect(mobiles.every((mobile) => typeof mobile === 'string')).toBe(true);
});

test('the forms ask for a login', async () => {
	for (const form of ['Send a list', 'Who got it?']) {
		expect((await fetch(desk.imported.url(form))).status).toBe(401);
		expect((await fetch(desk.imported.url(form), { method: 'POST', body: new FormData() })).status).toBe(401);
	}
});

test('a review first, and nothing goes out where the answer is no', async () => {
	const page = await desk.review(shipped);

	expect(page.text).toMatch(/Messages to be sent 3 .* SMS 3 .* sent before.* 0 .* fault; not sent 2/i);
	expect(page.text).toMatch(/Row 5 \(6900000004\): .*Βαθμός/);
	expect(page.text).toMatch(/Row 6 \(2100000000\): .*landline/);
	expect(page.text).toMatch(/6900000002 Ο βαθμός σας στο μάθημα Φυσική είναι 10/);
	const last = await page.submit(undefined, [answers.doNotSend]);
	expect(last.title).toMatch(/Nothing was sent/);
	expect(world.sandbox.messages).toEqual([]);
	expect(await desk.table('grades')).toEqual([]);
});

test('sent, reported, and everybody on the page and in the sheet', async () => {
	const done = await send(await desk.review(shipped));

	expect(done.message).toMatch(/^3 από \/ of 5/);
	expect(outcome(done)).toEqual([
		['6900000001', 'στάλθηκε / sent'],
		['+30 690 000 0002', 'στάλθηκε / sent'],
		['6900000003', 'στάλθηκε / sent'],
		['6900000004', 'δεν στάλθηκε / not sent'],
		['2100000000', 'δεν στάλθηκε / not sent'],
	]);
	expect(world.sandbox.messages.map(({ recipient, text }) => [recipient, text]).sort()).toEqual([
		['6900000001', 'Ο βαθμός σας στο μάθημα Φυσική είναι 8'],
		['6900000002', 'Ο βαθμός σας στο μάθημα Φυσική είναι 10'],
		['6900000003', 'Ο βαθμός σας στο μάθημα Ηλεκτρονική ΙΙ είναι 7'],
	]);
	const page = await until('all reports have come', async () => {
		const now = await desk.whoGotIt();
		return counts(now)['Παραδόθηκαν'] === 3 && now;
	});
	const sheet = rowsOf((await sheetPage(page)).downloads[0]!.content);
	expect(sheet.map((row) => [row['Κινητό'], row['Κατάσταση'], row['Βαθμός']])).toEqual([
		['6900000001', 'παραδόθηκε / delivered', 8],
		['+30 690 000 0002', 'παραδόθηκε / delivered', 10],
		['6900000003', 'παραδόθηκε / delivered', 7],
	]);
});

test('a corrected sheet: what was sent is not sent again, and the table keeps one row for each message', async () => {
	const corrected = rowsOf(Buffer.from(await shipped.arrayBuffer())).map((row) => ({
		...row,
		Βαθμός: row['Βαθμός'] ?? 6,
	}));
	const page = await desk.review(sheetOf('corrected', ...corrected));
	expect(page.text).toMatch(/Messages to be sent 1 .* not sent again 3 .* fault; not sent 1/);
	const done = await send(page);

	expect(outcome(done).map(([, what]) => what)).toEqual([
		...Array(3).fill('είχε σταλεί / sent before'),
		'στάλθηκε / sent',
		'δεν στάλθηκε / not sent',
	]);
	expect(world.sandbox.messages.map(({ recipient }) => recipient)).toEqual(['6900000004']);
	await until('its report has come', async () => counts(await desk.whoGotIt())['Παραδόθηκαν'] === 4);
	expect((await desk.table('corrected')).map(({ mobile }) => mobile).sort()).toEqual([
		'6900000001',
		'6900000002',
		'6900000003',
		'6900000004',
	]);
});

describe('a list in trouble: 5 % not delivered, the final report first, and the platform refuses some', () => {
	const list = grades('Άλγεβρα', 23);
	const phones = () => world.sandbox.messages.map(({ recipient }) => recipient).sort();

	test('everybody is counted, and no late report overwrites a final one', async () => {
		Object.assign(world.sandbox.trouble, { answer: 'refuse', times: 3, report: 'outOfOrder', notDelivered: 5 });
		const done = await send(await desk.review(sheetOf('algebra', ...list)));
		expect(done.message).toMatch(/^20 από \/ of 23/);
		await world.sandbox.settled();
		const page = await until('all reports have been written down', async () => {
			const now = await desk.whoGotIt();
			return counts(now)['Στον δρόμο'] === 0 && now;
		});

		expect(counts(page)).toEqual({ Παραδόθηκαν: 19, 'Δεν παραδόθηκαν': 1, 'Στον δρόμο': 0, 'Δεν στάλθηκαν': 3 });
		expect(newest(page)).toMatch(/^algebra\.xlsx, /);
	});

	test('sent again to those who did not get it, once, however often the button is pressed', async () => {
		const wanting = (await desk.table('algebra')).filter(({ state }) => !String(state).startsWith('παραδόθηκε'));
		const pages = [await desk.whoGotIt(), await desk.whoGotIt()];
		const last = await Promise.all(pages.map(async (page) => await sendAgain(page)));
		await world.sandbox.settled();

		expect(wanting).toHaveLength(4);
		expect(phones()).toEqual(wanting.map(({ mobile }) => mobile).sort());
		expect(last.map(({ title }) => title)).toEqual(expect.arrayContaining([expect.stringMatching(/Done/)]));
		const page = await until('all have been delivered', async () => {
			const now = await desk.whoGotIt();
			return counts(now)['Παραδόθηκαν'] === 23 && now;
		});
		expect((await sendAgain(page)).title).toMatch(/Sent to nobody/);
		expect(phones()).toHaveLength(4);
	});

	test('the same sheet once more: nobody gets it again, whoever got it at the second time', async () => {
		const page = await desk.review(sheetOf('algebra', ...list));
		expect(page.text).toMatch(/Messages to be sent 0 .* not sent again 23/);
		await send(page);

		expect(phones()).toEqual([]);
		expect(counts(await desk.whoGotIt())).toEqual({ Παραδόθηκαν: 23, 'Δεν παραδόθηκαν': 0, 'Στον δρόμο': 0 });
	});
});

test('an answer that was lost is unknown, and not sent again; its report, twice, settles it', async () => {
	const list = grades('Χημεία', 2);
	Object.assign(world.sandbox.trouble, { answer: 'cutAfter', recipient: list[0]!['Κινητό'], report: 'lost' });
	const done = await send(await desk.review(sheetOf('chemistry', ...list)));
	expect(outcome(done).map(([, what]) => what)).toEqual(['άγνωστο / unknown', 'στάλθηκε / sent']);
	const page = await desk.whoGotIt();
	expect(counts(page)).toMatchObject({ Άγνωστο: 1, 'Στον δρόμο': 1 });
	expect((await sendAgain(page, answers.unknownToo)).title).toMatch(/Sent to nobody/);

	const { dlrUrl, serviceId, recipient } = world.sandbox.messages.find(
		(message) => message.recipient === list[0]!['Κινητό'],
	)!;
	for (let time = 1; time <= 2; time++) await world.sandbox.call(dlrUrl, { serviceId, recipient, status: 'DELIVRD' });
	await until('it has been delivered', async () => counts(await desk.whoGotIt())['Παραδόθηκαν'] === 1);
	expect(world.sandbox.messages).toHaveLength(2);
});

test('no report for an hour is called late; what is unknown for a day is sent again where the box says so, and only there', async () => {
	const list = grades('Βοτανική', 3);
	Object.assign(world.sandbox.trouble, { answer: 'cutAfter', recipient: list[0]!['Κινητό'], report: 'lost' });
	await send(await desk.review(sheetOf('botany', ...list)));
	// The newest one would be another list's, once this one is a day old.
	const pageOf = async () => {
		const page = await desk.whoGotIt();
		return { page, counts: counts(page, 'botany'), name: new RegExp('<h3>(botany[^<]*)</h3>').exec(page.html)![1]! };
	};
	await desk.age('botany', 2);
	expect((await pageOf()).counts).toMatchObject({ Άγνωστο: 1, 'Η αναφορά αργεί πάνω από μία ώρα': 2 });
	await desk.age('botany', 25);
	Object.assign(world.sandbox.trouble, { answer: 'normal', recipient: '', report: 'normal' });
	const { page, name } = await pageOf();
	const before = world.sandbox.messages.length;

	expect((await page.submit(undefined, name, [answers.again], [])).title).toMatch(/Sent to nobody/);
	expect(world.sandbox.messages).toHaveLength(before);
	expect((await (await pageOf()).page.submit(undefined, name, [answers.again], [answers.unknownToo])).message).toMatch(
		/^1 από \/ of 1/,
	);
	expect(world.sandbox.messages.slice(before).map(({ recipient }) => recipient)).toEqual([list[0]!['Κινητό']]);
	await until('it has been delivered', async () => (await pageOf()).counts['Παραδόθηκαν'] === 1);
});

test('what is older than the days of the nightly step leaves the table', async () => {
	const step = desk.imported.workflow.nodes.find(({ name }) => name === 'Older than 30 days')!;
	expect(JSON.stringify(step.parameters)).toContain('minus({ days: 30 })');
	const night = async () => {
		const runs = (await world.n8n.executions(desk.imported.id)).length;
		await world.n8n.begin(desk.imported.id, 'Every night');
		await world.n8n.executionsWhenEnded(desk.imported.id, runs + 1);
	};
	await night();
	expect(await desk.table('algebra')).toHaveLength(23);

	step.parameters = JSON.parse(
		JSON.stringify(step.parameters).replace('days: 30', 'days: 0'),
	) as typeof step.parameters;
	await save(world.n8n, desk.imported);
	await night();
	expect(await desk.table('algebra')).toEqual([]);
});

test('what stands in a cell is shown, and never carried out', async () => {
	const page = await desk.review(
		sheetOf('evil', { Κινητό: '6900000008', Μάθημα: '<b onclick="x()">{{ 6 * 7 }}</b> $& $1', Βαθμός: 5 }),
	);

	expect(page.html).not.toContain('<b onclick');
	expect(page.text).toContain('<b onclick="x()">{{ 6 * 7 }}</b> $& $1');
});

keysStaySecret(world);

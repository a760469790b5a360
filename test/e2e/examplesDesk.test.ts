import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { FormPage, importExample, rowsOfTable, save, secretary, type Imported } from './examples';
import { until } from './n8n';
import { keysStaySecret, useWorld } from './world';

/** The desk: a list from its upload to who got it, with its example as it is, and the platform in all kinds of trouble. */
const world = useWorld();

// The library with which n8n itself reads and writes spreadsheets.
const { read, utils, write } = createRequire(join(process.cwd(), 'host/package.json'))('@e965/xlsx') as {
	read(content: Buffer): { SheetNames: string[]; Sheets: Record<string, object> };
	write(book: object, options: object): Buffer;
	utils: {
		sheet_to_json(sheet: object): Array<Record<string, unknown>>;
		json_to_sheet(rows: object[]): object;
	};
};
const rowsOf = (content: Buffer): Array<Record<string, unknown>> => {
	const { SheetNames, Sheets } = read(content);
	return utils.sheet_to_json(Sheets[SheetNames[0]!]!);
};
const sheetOf = (name: string, ...rows: object[]): File => {
	const book = { SheetNames: ['1'], Sheets: { '1': utils.json_to_sheet(rows) } };
	return new File([new Uint8Array(write(book, { bookType: 'xlsx', type: 'buffer' }))], `${name}.xlsx`);
};
const shipped = new File([readFileSync('examples/grades.xlsx')], 'grades.xlsx');
const grades = (course: string, count: number) =>
	Array.from({ length: count }, (_, index) => ({ Κινητό: `69001${String(index).padStart(5, '0')}`, Μάθημα: course, Βαθμός: 5 }));

let desk: Imported;
beforeAll(async () => {
	desk = await importExample(world, 'spreadsheet-to-sms.json');
	// The user pastes the trigger's address into the credential, and runs "Set up once".
	await world.changeSmsPlatform({ dlrUrl: desk.url('SMS Trigger', '/dlr') });
	await save(world.n8n, desk);
	await world.n8n.begin(desk.id, 'Set up once');
	await world.n8n.executionsWhenEnded(desk.id, 1);
	await world.n8n.publish(desk.id);
});

/** Uploads a sheet. @returns the page with the review */
const review = async (sheet: File): Promise<FormPage> =>
	await (await FormPage.open(desk.url('Send a list'), secretary)).submit(sheet);
const send = async (page: FormPage): Promise<FormPage> => await page.submit(undefined, ['Αποστολή / Send']);
/** Opens the page with the counts. */
const whoGotIt = async (): Promise<FormPage> => await (await FormPage.open(desk.url('Who got it?'), secretary)).submit();
/** The newest list's part of that page: each line's words and number. */
const counts = (page: FormPage): Record<string, number> => {
	const [, table = ''] = /<table>([^]*?)<\/table>/.exec(page.html) ?? [];
	return Object.fromEntries([...table.matchAll(/<td>([^<]*) \/ [^<]*<\/td><td><b>(\d+)/g)].map(([, word, count]) => [word, Number(count)]));
};
const newest = (page: FormPage): string => /<h3>([^<]*)<\/h3>/.exec(page.html)![1]!;
const sheetPage = async (page: FormPage): Promise<FormPage> =>
	await page.submit(undefined, newest(page), ['Το φύλλο με όλους / The sheet of everybody'], []);
const sendAgain = async (page: FormPage, ...unknownToo: string[]): Promise<FormPage> =>
	await page.submit(undefined, newest(page), ['Αποστολή πάλι σε όσους δεν το έλαβαν / Send again to those who did not get it'], unknownToo);
const unknownToo = 'Και σε όσους είναι άγνωστο εδώ και μία μέρα· ίσως το λάβουν δύο φορές / Also where it has been unknown for a day; they may get it twice';
const outcome = (page: FormPage) => rowsOf(page.downloads[0]!.content).map((row) => [row['Κινητό'], row['Αποτέλεσμα']]);
const table = async () => await rowsOfTable(world.n8n, 'amka-sms-messages');

test('the sheet that is shipped keeps mobiles as text', () => {
	const mobiles = rowsOf(readFileSync('examples/grades.xlsx')).map((row) => row['Κινητό']);

	expect(mobiles.every((mobile) => typeof mobile === 'string')).toBe(true);
});

test('the forms ask for a login', async () => {
	for (const form of ['Send a list', 'Who got it?']) {
		expect((await fetch(desk.url(form))).status).toBe(401);
		expect((await fetch(desk.url(form), { method: 'POST', body: new FormData() })).status).toBe(401);
	}
});

test('a review first, and nothing goes out where the answer is no', async () => {
	const page = await review(shipped);

	expect(page.text).toMatch(/Messages to be sent 3 .* SMS 3 .* sent before.* 0 .* fault; not sent 2/i);
	expect(page.text).toMatch(/Row 5 \(6900000004\): .*Βαθμός/);
	expect(page.text).toMatch(/Row 6 \(2100000000\): .*landline/);
	expect(page.text).toMatch(/6900000002 Ο βαθμός σας στο μάθημα Φυσική είναι 10/);
	const last = await page.submit(undefined, ['Να μη σταλούν / Do not send']);
	expect(last.title).toMatch(/Nothing was sent/);
	expect(world.sandbox.messages).toEqual([]);
	expect(await table()).toEqual([]);
});

test('sent, reported, and everybody on the page and in the sheet', async () => {
	const done = await send(await review(shipped));

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
		const now = await whoGotIt();
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
	const corrected = rowsOf(Buffer.from(await shipped.arrayBuffer())).map((row) => ({ ...row, Βαθμός: row['Βαθμός'] ?? 6 }));
	const page = await review(sheetOf('corrected', ...corrected));
	expect(page.text).toMatch(/Messages to be sent 1 .* not sent again 3 .* fault; not sent 1/);
	const done = await send(page);

	expect(outcome(done).map(([, what]) => what)).toEqual([...Array(3).fill('είχε σταλεί / sent before'), 'στάλθηκε / sent', 'δεν στάλθηκε / not sent']);
	expect(world.sandbox.messages.map(({ recipient }) => recipient)).toEqual(['6900000004']);
	await until('its report has come', async () => counts(await whoGotIt())['Παραδόθηκαν'] === 4);
	expect((await table()).map(({ mobile }) => mobile).sort()).toEqual(['6900000001', '6900000002', '6900000003', '6900000004']);
});

describe('a list in trouble: 5 % not delivered, the final report first, and the platform refuses some', () => {
	const list = grades('Άλγεβρα', 23);
	const phones = () => world.sandbox.messages.map(({ recipient }) => recipient).sort();

	test('everybody is counted, and no late report overwrites a final one', async () => {
		Object.assign(world.sandbox.trouble, { answer: 'refuse', times: 3, report: 'outOfOrder', notDelivered: 5 });
		const done = await send(await review(sheetOf('algebra', ...list)));
		expect(done.message).toMatch(/^20 από \/ of 23/);
		await world.sandbox.settled();
		const page = await until('all reports have been written down', async () => {
			const now = await whoGotIt();
			return counts(now)['Στον δρόμο'] === 0 && now;
		});

		expect(counts(page)).toEqual({ Παραδόθηκαν: 19, 'Δεν παραδόθηκαν': 1, 'Στον δρόμο': 0, 'Δεν στάλθηκαν': 3 });
		expect(newest(page)).toMatch(/^algebra\.xlsx, /);
	});

	test('sent again to those who did not get it, once, however often the button is pressed', async () => {
		const wanting = (await table()).filter(({ list: name, state }) => String(name).startsWith('algebra') && !String(state).startsWith('παραδόθηκε'));
		const pages = [await whoGotIt(), await whoGotIt()];
		const last = await Promise.all(pages.map(async (page) => await sendAgain(page)));
		await world.sandbox.settled();

		expect(wanting).toHaveLength(4);
		expect(phones()).toEqual(wanting.map(({ mobile }) => mobile).sort());
		expect(last.map(({ title }) => title)).toEqual(expect.arrayContaining([expect.stringMatching(/Done/)]));
		const page = await until('all have been delivered', async () => {
			const now = await whoGotIt();
			return counts(now)['Παραδόθηκαν'] === 23 && now;
		});
		expect((await sendAgain(page)).title).toMatch(/Sent to nobody/);
		expect(phones()).toHaveLength(4);
	});

	test('the same sheet once more: nobody gets it again, whoever got it at the second time', async () => {
		const page = await review(sheetOf('algebra', ...list));
		expect(page.text).toMatch(/Messages to be sent 0 .* not sent again 23/);
		await send(page);

		expect(phones()).toEqual([]);
		expect(counts(await whoGotIt())).toEqual({ Παραδόθηκαν: 23, 'Δεν παραδόθηκαν': 0, 'Στον δρόμο': 0 });
	});
});

test('an answer that was lost is unknown, and not sent again; its report, twice, settles it', async () => {
	const list = grades('Χημεία', 2);
	Object.assign(world.sandbox.trouble, { answer: 'cutAfter', recipient: list[0]!['Κινητό'], report: 'lost' });
	const done = await send(await review(sheetOf('chemistry', ...list)));
	expect(outcome(done).map(([, what]) => what)).toEqual(['άγνωστο / unknown', 'στάλθηκε / sent']);
	const page = await whoGotIt();
	expect(counts(page)).toMatchObject({ Άγνωστο: 1, 'Στον δρόμο': 1 });
	expect((await sendAgain(page, unknownToo)).title).toMatch(/Sent to nobody/);

	const { dlrUrl, serviceId, recipient } = world.sandbox.messages.find((message) => message.recipient === list[0]!['Κινητό'])!;
	for (let time = 1; time <= 2; time++) await world.sandbox.call(dlrUrl, { serviceId, recipient, status: 'DELIVRD' });
	await until('it has been delivered', async () => counts(await whoGotIt())['Παραδόθηκαν'] === 1);
	expect(world.sandbox.messages).toHaveLength(2);
});

test('what stands in a cell is shown, and never carried out', async () => {
	const page = await review(sheetOf('evil', { Κινητό: '6900000008', Μάθημα: '<b onclick="x()">{{ 6 * 7 }}</b> $& $1', Βαθμός: 5 }));

	expect(page.html).not.toContain('<b onclick');
	expect(page.text).toContain('<b onclick="x()">{{ 6 * 7 }}</b> $& $1');
});

keysStaySecret(world);

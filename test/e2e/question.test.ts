import { readFileSync } from 'node:fs';
import { rowsOf, sheetOf } from './desk';
import { FormPage, importExample, save, secretary, type Imported } from './examples';
import { until } from './n8n';
import { keysStaySecret, useWorld } from './world';

/** `examples/question.json`: a list that is asked, its answers, their counts, and a reminder. */
const world = useWorld();
jest.setTimeout(300_000);

let example: Imported;
beforeAll(async () => {
	example = await importExample(world, 'question.json');
	// As its note says; and without a pace, which is for thousands.
	const { options } = example.workflow.nodes.find(({ name }) => name === 'Send')!.parameters;
	Object.assign(options!, { dlrUrl: example.url('SMS Trigger', '/dlr'), messagesPerSecond: 0 });
	await save(world.n8n, example);
	await world.n8n.publish(example.id);
});
beforeEach(() => {
	world.sandbox.settings.forwardUrl = example.url('SMS Trigger', '/forward');
});

const SHEET = 'Το φύλλο με όλους';
const REMIND = 'Υπενθύμιση σε όσους δεν απάντησαν';
const people = (count: number, first = 0): string[] =>
	Array.from({ length: count }, (_, index) => `69002${String(first + index).padStart(5, '0')}`);

const ask = async (file: File, question: string): Promise<FormPage> =>
	await (await FormPage.open(example.url('Ask'), secretary)).submit(file, question);
const answers = async (): Promise<FormPage> => await (await FormPage.open(example.url('Answers'), secretary)).submit();
/** What the page counts under a question, by its words. */
const counts = (page: FormPage, question: string): Record<string, number> => {
	const [, part = ''] = new RegExp(`<h3>${question}</h3>([^]*?)<h3>`).exec(page.html) ?? [];
	return Object.fromEntries(
		[...part.matchAll(/<td>([^<]*)(?:<br \/>[^<]*)?<\/td><td><b>(\d+)/g)].map(([, word, count]) => [
			word,
			Number(count),
		]),
	);
};
const sheetOfPeople = (numbers: string[]) =>
	sheetOf('people', ...numbers.map((mobile) => ({ Κινητό: mobile, Τμήμα: 'Φυσικής' })));

test('300 are asked, 200 answer in ten seconds, singly and thirty at once; the reminder goes to the hundred others', async () => {
	const all = people(300);
	// Each report is an execution, beside those of the answers: another test has some.
	Object.assign(world.sandbox.trouble, { report: 'lost' });
	const look = await ask(sheetOfPeople(all), 'Ορκωμοσία');
	expect(world.sandbox.messages).toEqual([]);
	expect(look.text).toMatch(/Θα έρθετε στην ορκωμοσία του τμήματος Φυσικής;/);
	expect((await look.submit()).title).toBe('Στάλθηκαν: 300');
	expect(new Set(world.sandbox.messages.map(({ recipient }) => recipient)).size).toBe(300);
	await world.sandbox.settled();

	const words = [
		...Array<string>(120).fill('ΟΡΚ ΝΑΙ'),
		...Array<string>(60).fill('ορκ όχι, λείπω'),
		...Array<string>(20).fill('ΟΡΚ ίσως'),
	];
	const began = Date.now();
	const text = async (index: number) =>
		await world.sandbox.forward(all[index]!, index === 5 ? 'OPK nai' : words[index]!);
	for (let index = 0; index < 50; index++) await text(index);
	for (let first = 50; first < 200; first += 30)
		await Promise.all(Array.from({ length: 30 }, async (_, index) => await text(first + index)));
	const seconds = (Date.now() - began) / 1000;
	console.info(`200 answers in ${seconds.toFixed(1)} s`);
	const replied = () => world.sandbox.messages.filter(({ messageId }) => messageId === '2');
	await until('each is answered', () => replied().length >= 200, 90_000);
	await world.sandbox.settled();
	expect(replied()).toHaveLength(200);
	expect(new Set(replied().map(({ recipient }) => recipient))).toEqual(new Set(all.slice(0, 200)));

	let page = await answers();
	const told = { Μηνύματα: 300, ΝΑΙ: 120, ΟΧΙ: 60, 'Άλλη απάντηση': 20, 'Δεν απάντησαν ακόμη': 100 };
	expect(counts(page, 'Ορκωμοσία')).toMatchObject(told);
	const sheet = rowsOf((await page.submit(undefined, 'Ορκωμοσία', [SHEET])).downloads[0]!.content);
	expect(sheet.filter((row) => row['Απάντηση'] === 'ΝΑΙ')).toHaveLength(120);
	expect(sheet.find((row) => row['Κινητό'] === all[130])).toMatchObject({
		Απάντηση: 'ΟΧΙ',
		'Κείμενο απάντησης': 'όχι, λείπω',
	});

	world.sandbox.messages.length = 0;
	page = await answers();
	const reminded = await page.submit(undefined, 'Ορκωμοσία', [REMIND]);
	expect(reminded.title).toBe('Στάλθηκαν: 100');
	expect(world.sandbox.messages.map(({ recipient }) => recipient).sort()).toEqual(all.slice(200));
	// Pressed again on the same day, also from a page that is opened anew.
	const twice = await (await answers()).submit(undefined, 'Ορκωμοσία', [REMIND]);
	expect(twice.title).toBe('Στάλθηκαν: 0');
	await world.sandbox.forward(all[299]!, 'ΟΡΚ ΝΑΙ');
	await until('it is answered', () => world.sandbox.messages.length === 101);
	await world.sandbox.settled();
	expect(counts(await answers(), 'Ορκωμοσία')).toMatchObject({ ...told, ΝΑΙ: 121, 'Δεν απάντησαν ακόμη': 99 });
});

test('the same question is asked once, and a new name asks anew', async () => {
	const sheet = sheetOfPeople(people(3, 1000));
	expect((await (await ask(sheet, 'Εκδρομή')).submit()).title).toBe('Στάλθηκαν: 3');
	const again = await ask(sheetOfPeople(people(4, 1000)), 'Εκδρομή');
	expect((await again.submit()).title).toBe('Στάλθηκαν: 1');
	expect((await (await ask(sheet, 'Εκδρομή, Μάιος')).submit()).title).toBe('Στάλθηκαν: 3');
	expect(world.sandbox.messages).toHaveLength(7);
	await world.sandbox.settled();
	expect(counts(await answers(), 'Εκδρομή, Μάιος')).toMatchObject({ Μηνύματα: 3, Παραδόθηκαν: 3 });
});

test('the sheet beside the example: what is wrong is said before anything goes out', async () => {
	const look = await ask(new File([readFileSync('examples/question.xlsx')], 'question.xlsx'), 'Δοκιμή');

	expect(look.text).toMatch(/210…567 είναι σταθερό|σταθερό/);
	const last = await look.submit();
	expect(last.title).toBe('Στάλθηκαν: 5');
	expect(last.downloads[0]!.fileName).toBe('Δοκιμή.xlsx');
});

test.each([
	['people.docx', 'not a sheet'],
	['people.csv', 'Κινητό;Τμήμα\n6900000001;Φυσικής\n'],
	['people.xlsx', 'PK not a sheet'],
])('%s, which is no sheet: what to do, and a way back to the form', async (name, content) => {
	const page = await ask(new File([content], name), 'Δοκιμή');

	expect(page.text).toMatch(/Δεν θα σταλεί τίποτα.*αποθηκεύστε το πρώτα ως \.xlsx/);
	const [, link] = /<a href="([^"]*form\/[^"]*)"/.exec(page.html)!;
	expect(new URL(link!, example.url('Ask')).href).toBe(example.url('Ask'));
	await page.send();
	expect(world.sandbox.messages).toEqual([]);
});

test('the page of the answers before anybody was asked is no error', async () => {
	expect((await answers()).text).toMatch(/Απαντήσεις/);
});

keysStaySecret(world);

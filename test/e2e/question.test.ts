import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rowsOf, sheetOf } from './desk';
import { FormPage, importExample, save, secretary, type Imported } from './examples';
import { until } from './n8n';
import { keysStaySecret, useWorld } from './world';

/**
 * Checks `examples/desk/question.json`: a question to a list, its answers, their counts, and a reminder. `QUESTION_PEOPLE` is
 * the number of people who are asked, a multiple of 30.
 */
const ASKED = Number(process.env.QUESTION_PEOPLE ?? 300);
const world = useWorld();
jest.setTimeout(300_000);

const copy = `-${randomUUID().slice(0, 8)}`;
let example: Imported;
/** The workflow that receives answers and delivery reports. */
let replies: Imported;
beforeAll(async () => {
	example = await importExample(world, 'desk/question.json', copy);
	replies = await importExample(world, 'desk/question-replies.json', copy);
	// The node is set as its note explains, and without its speed limit, which is meant for thousands of messages.
	const { options } = example.workflow.nodes.find(({ name }) => name === 'Send')!.parameters;
	Object.assign(options!, { dlrUrl: replies.url('SMS Trigger', '/dlr'), messagesPerSecond: 0 });
	await save(world.n8n, example);
	await world.n8n.publish(example.id);
	await world.n8n.publish(replies.id);
});
beforeEach(() => {
	world.sandbox.settings.forwardUrl = replies.url('SMS Trigger', '/forward');
});

const SHEET = 'Λήψη του φύλλου με όλους τους παραλήπτες';
const REMIND = 'Υπενθύμιση σε όσους δεν απάντησαν';
const people = (count: number, first = 0): string[] =>
	Array.from({ length: count }, (_, index) => `69002${String(first + index).padStart(5, '0')}`);

const ask = async (file: File, question: string): Promise<FormPage> =>
	await (await FormPage.open(example.url('Ask'), secretary)).submit(file, question);
const answers = async (): Promise<FormPage> => await (await FormPage.open(example.url('Answers'), secretary)).submit();
/** Returns the counts of a question on the page, by their labels. */
const counts = (page: FormPage, question: string): Record<string, number> => {
	const [, part = ''] = new RegExp(`<h3>${question}</h3>([^]*?)<h3>`).exec(page.html) ?? [];
	return Object.fromEntries(
		[...part.matchAll(/<td>([^<]*)(?:<br \/>[^<]*)?<\/td><td><b>(\d+)/g)].map(([, word, count]) => [
			word,
			Number(count),
		]),
	);
};
/** Returns the number of answers on the page from people who were not asked. */
const otherAnswers = (page: FormPage): number => Number(/Απαντήσεις χωρίς ερώτηση\D*(\d+)/.exec(page.text)?.[1] ?? 0);
const sheetOfPeople = (numbers: string[]) =>
	sheetOf('people', ...numbers.map((mobile) => ({ Κινητό: mobile, Τμήμα: 'Φυσικής' })));

test(`${ASKED} people get a question, each answer is counted, even if thirty answers arrive at once, and only people without an answer get the reminder`, async () => {
	const all = people(ASKED);
	const other = ASKED / 15;
	const [yes, no, none] = [6 * other, 3 * other, 5 * other];
	const answering = ASKED - none;
	// The platform sends no delivery reports, because each report would start a further execution. Another test covers reports.
	Object.assign(world.sandbox.trouble, { report: 'lost' });
	const look = await ask(sheetOfPeople(all), 'Ορκωμοσία');
	expect(world.sandbox.messages).toEqual([]);
	expect(look.text).toMatch(/Θα έρθετε στην ορκωμοσία του τμήματος Φυσικής;/);
	expect((await look.submit()).title).toBe(`Στάλθηκαν: ${ASKED}`);
	expect(new Set(world.sandbox.messages.map(({ recipient }) => recipient)).size).toBe(ASKED);
	await world.sandbox.settled();

	const words = [
		...Array<string>(yes).fill('ΟΡΚ ΝΑΙ'),
		...Array<string>(no).fill('ορκ όχι, λείπω'),
		...Array<string>(other).fill('ΟΡΚ ίσως'),
	];
	const began = Date.now();
	const text = async (index: number) =>
		await world.sandbox.forward(all[index]!, index === 5 ? 'OPK nai' : words[index]!);
	const singly = answering / 4;
	for (let index = 0; index < singly; index++) await text(index);
	for (let first = singly; first < answering; first += 30) {
		const burst = Math.min(30, answering - first);
		await Promise.all(Array.from({ length: burst }, async (_, index) => await text(first + index)));
	}
	const seconds = (Date.now() - began) / 1000;
	console.info(`${answering} answers in ${seconds.toFixed(1)} s`);
	const replied = () => world.sandbox.messages.filter(({ messageId }) => messageId === '2');
	await until('each answer has a reply', () => replied().length >= answering, 90_000);
	await world.sandbox.settled();
	expect(replied()).toHaveLength(answering);
	expect(new Set(replied().map(({ recipient }) => recipient))).toEqual(new Set(all.slice(0, answering)));

	let page = await answers();
	const told = { Μηνύματα: ASKED, ΝΑΙ: yes, ΟΧΙ: no, 'Άλλη απάντηση': other, 'Δεν απάντησαν ακόμη': none };
	expect(counts(page, 'Ορκωμοσία')).toMatchObject(told);
	const sheet = rowsOf((await page.submit(undefined, 'Ορκωμοσία', [SHEET])).downloads[0]!.content);
	expect(sheet.filter((row) => row['Απάντηση'] === 'ΝΑΙ')).toHaveLength(yes);
	expect(sheet.find((row) => row['Κινητό'] === all[yes + 1])).toMatchObject({
		Απάντηση: 'ΟΧΙ',
		'Κείμενο απάντησης': 'όχι, λείπω',
	});

	world.sandbox.messages.length = 0;
	page = await answers();
	const reminded = await page.submit(undefined, 'Ορκωμοσία', [REMIND]);
	expect(reminded.title).toBe(`Στάλθηκαν: ${none}`);
	expect(world.sandbox.messages.map(({ recipient }) => recipient).sort()).toEqual(all.slice(answering));
	// The reminder is requested a second time on the same day, from a newly opened page.
	const twice = await (await answers()).submit(undefined, 'Ορκωμοσία', [REMIND]);
	expect(twice.title).toBe('Στάλθηκαν: 0');
	await world.sandbox.forward(all.at(-1)!, 'ΟΡΚ ΝΑΙ');
	await until('the reply has arrived', () => world.sandbox.messages.length === none + 1);
	await world.sandbox.settled();
	expect(counts(await answers(), 'Ορκωμοσία')).toMatchObject({
		...told,
		ΝΑΙ: yes + 1,
		'Δεν απάντησαν ακόμη': none - 1,
	});
});

test('a question is sent once to each person, and again under a new name', async () => {
	const sheet = sheetOfPeople(people(3, 1000));
	expect((await (await ask(sheet, 'Εκδρομή')).submit()).title).toBe('Στάλθηκαν: 3');
	const again = await ask(sheetOfPeople(people(4, 1000)), 'Εκδρομή');
	expect((await again.submit()).title).toBe('Στάλθηκαν: 1');
	expect((await (await ask(sheet, 'Εκδρομή, Μάιος')).submit()).title).toBe('Στάλθηκαν: 3');
	expect(world.sandbox.messages).toHaveLength(7);
	await world.sandbox.settled();
	expect(counts(await answers(), 'Εκδρομή, Μάιος')).toMatchObject({ Μηνύματα: 3, Παραδόθηκαν: 3 });

	// If all people have been asked already, the only button of the page sends nothing.
	const look = await ask(sheet, 'Εκδρομή');
	// The page reports no problem with the file.
	expect(look.text).not.toMatch(/Γίνονται δεκτά αρχεία/);
	const none = await look.submit();
	expect(none.title).toBe('Δεν στάλθηκε τίποτα');
	expect(none.text).toMatch(/έχουν ήδη σταλεί/);
	expect(world.sandbox.messages).toHaveLength(7);
});

test.each(['Τμήμα', 'ΤΜΗΜΑ', 'Τμημα *', 'Τμήμα'.normalize('NFD')])(
	'a person in two departments gets a question about each department, with the column heading %s',
	async (heading) => {
		const [mobile] = people(1, 2000);
		const rows = ['Φυσικής', 'Χημείας'].map((department) => ({ Κινητό: mobile, [heading]: department }));
		expect((await (await ask(sheetOf('people', ...rows), `Διπλό ${heading.length} ${heading}`)).submit()).title).toBe(
			'Στάλθηκαν: 2',
		);
		expect(new Set(world.sandbox.messages.map(({ text }) => text)).size).toBe(2);
	},
);

test('the reply to an answer states how the answer is counted, whatever its text is', async () => {
	const [mobile] = people(1, 4000) as [string];
	expect((await (await ask(sheetOfPeople([mobile]), 'Βεβαίωση')).submit()).title).toBe('Στάλθηκαν: 1');
	const confirmed = async (text: string) => {
		const before = world.sandbox.messages.length;
		await world.sandbox.forward(mobile, text);
		await until('the answer gets a reply', () => world.sandbox.messages.length === before + 1);
		return /^Η απάντησή σας (.*?)\. /.exec(world.sandbox.messages.at(-1)!.text)?.[1];
	};
	const question = 'Θα έρθετε; ΟΡΚ ΝΑΙ ή ΟΡΚ ΟΧΙ.';
	expect(await confirmed('ΟΡΚ ναι, ευχαριστώ')).toBe('καταγράφηκε ως ΝΑΙ');
	for (const text of [
		'ΟΡΚ Δεν ξέρω αν ναι ή όχι',
		`ΟΡΚ ναι\n> ${question}`,
		'ΟΡΚ ΝΑΙ/ΟΧΙ',
		'ΟΡΚ {{ 7 * 7 }}',
		'ΟΡΚ \u00a0',
	])
		expect(await confirmed(text)).toBe('δεν είναι ΝΑΙ ή ΟΧΙ');
	await world.sandbox.settled();
	expect(counts(await answers(), 'Βεβαίωση')).toMatchObject({ ΝΑΙ: 0, ΟΧΙ: 0, 'Άλλη απάντηση': 1 });
	expect(await confirmed('ΟΡΚ όχι')).toBe('καταγράφηκε ως ΟΧΙ');
});

test('the page and the sheet show ten answers from people who were not asked as answers without a question, beside ninety counted answers', async () => {
	const asked = people(90, 5000);
	const strangers = people(10, 5500);
	const before = otherAnswers(await answers());
	const last = await (await ask(sheetOfPeople(asked), 'Άγνωστοι')).submit();
	expect(last.title).toBe('Στάλθηκαν: 90');
	// The last page has links to the answers and to a new question.
	expect(last.links).toEqual([example.url('Answers'), example.url('Ask')]);
	const replied = () => world.sandbox.messages.filter(({ messageId }) => messageId === '2');
	await world.n8n.restart();
	for (const mobile of [...asked, ...strangers]) await world.sandbox.forward(mobile, 'ΟΡΚ ΝΑΙ');
	await until('each answer has a reply', () => replied().length === 100, 90_000);
	await world.sandbox.settled();

	const page = await answers();
	expect(counts(page, 'Άγνωστοι')).toMatchObject({ Μηνύματα: 90, ΝΑΙ: 90, ΟΧΙ: 0, 'Δεν απάντησαν ακόμη': 0 });
	expect(otherAnswers(page)).toBe(before + 10);
	// If there are many questions, the page asks for one before it shows counts.
	const isFirst = page.html.indexOf('<select') < page.html.indexOf('<table');
	const choice = isFirst ? ['Άγνωστοι', undefined] : [undefined, 'Άγνωστοι'];
	const sheet = rowsOf((await page.submit(...choice, [SHEET])).downloads[0]!.content);
	const others = sheet.filter((row) => strangers.includes(String(row['Παραλήπτης'])));
	expect(sheet.filter((row) => row['Απάντηση'] === 'ΝΑΙ' && row['Κινητό'] !== '')).toHaveLength(90);
	expect(others).toHaveLength(10);
	expect(others[0]).toMatchObject({ 'Κείμενο απάντησης': 'ΝΑΙ' });
});

test('a person who answers without having been asked gets a reply that states that no question was sent to this person recently', async () => {
	const [mobile] = people(1, 4100) as [string];
	await world.sandbox.forward(mobile, 'ΟΡΚ ΝΑΙ');
	await until('the reply has arrived', () => world.sandbox.messages.length === 1);
	expect(world.sandbox.messages[0]!.text).toContain('δεν σας στείλαμε πρόσφατα ερώτηση');
});

test('a person who texted ΣΤΟΠ to the subscriptions example gets no question', async () => {
	const subscriptions = await importExample(world, 'desk/subscriptions.json', copy);
	await world.n8n.publish(subscriptions.id);
	world.sandbox.settings.forwardUrl = subscriptions.url('SMS Trigger', '/forward');
	const [left, other] = people(2, 3000) as [string, string];
	await world.sandbox.forward(left, 'ΣΤΟΠ');
	await until('the reply has arrived', () => world.sandbox.messages.length === 1);
	world.sandbox.messages.length = 0;
	const last = await (await ask(sheetOfPeople([left, other]), 'Έξοδος')).submit();
	expect(last.title).toBe('Στάλθηκαν: 1');
	expect(world.sandbox.messages.map(({ recipient }) => recipient)).toEqual([other]);
});

test('the review of the sheet that comes with the example reports its landline before anything is sent', async () => {
	const look = await ask(new File([readFileSync('examples/desk/question.xlsx')], 'question.xlsx'), 'Δοκιμή');

	expect(look.text).toMatch(/είναι σταθερό τηλέφωνο/);
	expect(world.sandbox.messages).toEqual([]);
	const last = await look.submit();
	expect(last.title).toBe('Στάλθηκαν: 5');
	expect(last.downloads[0]!.fileName).toBe('Δοκιμή.xlsx');
});

test.each([
	['people.docx', 'not a sheet'],
	['people.csv', 'Κινητό;Τμήμα\n6900000001;Φυσικής\n'],
	['people.xlsx', 'PK not a sheet'],
])(
	'if %s is uploaded, which is no .xlsx sheet, the page advises to save it as .xlsx, and links to the form',
	async (name, content) => {
		const page = await ask(new File([content], name), 'Δοκιμή');

		expect(page.text).toMatch(/Δεν θα σταλεί τίποτα.*αποθηκεύστε το πρώτα ως \.xlsx/);
		const [, link] = /<a href="([^"]*form\/[^"]*)"/.exec(page.html)!;
		expect(new URL(link!, example.url('Ask')).href).toBe(example.url('Ask'));
		await page.send();
		expect(world.sandbox.messages).toEqual([]);
	},
);

test('the page of answers opens and shows its heading', async () => {
	expect((await answers()).text).toMatch(/Απαντήσεις/);
});

keysStaySecret(world);

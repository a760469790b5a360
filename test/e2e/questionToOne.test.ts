import { FormPage, importExample, rowsOfTable, secretary, type Imported } from './examples';
import { outputs, until, type Execution } from './n8n';
import { keysStaySecret, useWorld } from './world';

/** Checks `examples/more/question-to-one.json`: which incoming SMS resumes which waiting execution. */
const world = useWorld({});
jest.setTimeout(120_000);

let example: Imported;
beforeAll(async () => {
	example = await importExample(world, 'more/question-to-one.json');
	await world.n8n.publish(example.id);
});
beforeEach(() => {
	world.sandbox.settings.forwardUrl = example.url('SMS Trigger', '/forward');
});

/** Asks a person a question. @returns the number of the question in the SMS */
async function ask(mobile: string, what: string): Promise<string> {
	const phone = mobile.replace(/\D/g, '').slice(-10);
	const before = world.sandbox.accepted(phone);
	const open = (await statuses()).length;
	await (await FormPage.open(example.url('Ask somebody'), secretary)).send(mobile, what);
	await until('the question is on the phone', () => world.sandbox.accepted(phone) > before);
	const { text } = world.sandbox.messages.findLast(({ recipient }) => recipient === phone)!;
	const [, asked, number] = /^Δέχεστε (.*); Απαντήστε με SMS: ΑΠ (\d{4}) ΝΑΙ ή ΑΠ \2 ΟΧΙ\.$/.exec(text)!;
	expect(asked).toBe(what);
	await until('the execution waits', async () => (await statuses())[open] === 'waiting');
	return number!;
}

/** Sends an SMS from a phone. @returns the reply */
async function texts(mobile: string, text: string): Promise<string> {
	const before = world.sandbox.accepted(mobile);
	expect(await world.sandbox.forward(mobile, text)).toMatchObject({ answer: { result: '0' } });
	await until('the SMS has a reply', () => world.sandbox.accepted(mobile) > before);
	return world.sandbox.messages.findLast(({ recipient }) => recipient.endsWith(mobile))!.text;
}

/** Returns the executions that have asked a question. Executions without stored data are not among them yet. */
const asking = async (): Promise<Execution[]> =>
	(await world.n8n.executions(example.id)).filter(({ result }) => result.runData['Ask somebody']);
const statuses = async (): Promise<string[]> => (await asking()).map(({ status }) => status);
/** Returns for each question whose execution has continued, at which output of the node "Answer?" it continued. */
const ends = async (): Promise<Array<[unknown, string]>> =>
	(await asking())
		.filter(({ result }) => result.runData['Answer?'])
		.map((execution) => {
			const branches = outputs(execution, 'Answer?');
			const branch = branches.findIndex((items) => items.length > 0);
			return [branches[branch]![0]!.json.what, ['yes', 'no', 'no answer', 'not sent'][branch]!];
		});
const notTaken = (why: string) =>
	expect.stringMatching(new RegExp(`^Δεν καταγράφηκε απάντηση: η ερώτηση ${why}\\.`)) as string;

test('two questions to one phone can be answered in reverse order after a restart, and other messages to the number change nothing', async () => {
	const first = await ask('690 000 0001', 'τη θέση Α');
	const second = await ask('+306900000001', 'τη θέση Β');
	expect(first).not.toBe(second);
	await world.n8n.restart();

	expect(await texts('6900000002', `ΑΠ ${second} ΝΑΙ`)).toEqual(
		notTaken('δεν βρέθηκε. Στείλτε ΑΠ, τον αριθμό της και ΝΑΙ ή ΟΧΙ'),
	);
	expect(await texts('6900000001', `ΑΠ ${Number(first) === 9999 ? 1000 : 9999} ΝΑΙ`)).toEqual(
		notTaken('δεν βρέθηκε. Στείλτε ΑΠ, τον αριθμό της και ΝΑΙ ή ΟΧΙ'),
	);
	expect(await texts('6900000001', 'ΑΠ ΝΑΙ')).toEqual(
		notTaken('δεν βρέθηκε. Στείλτε ΑΠ, τον αριθμό της και ΝΑΙ ή ΟΧΙ'),
	);
	expect(await texts('6900000001', `ΑΠ ${second} ίσως`)).toEqual(
		notTaken('είναι ακόμη ανοιχτή. Στείλτε ΑΠ, τον αριθμό της και ΝΑΙ ή ΟΧΙ'),
	);
	for (const both of ['δεν ξέρω αν ναι ή όχι', 'ΝΑΙ/ΟΧΙ'])
		expect(await texts('6900000001', `ΑΠ ${second} ${both}`)).toEqual(
			notTaken('είναι ακόμη ανοιχτή. Στείλτε ΑΠ, τον αριθμό της και ΝΑΙ ή ΟΧΙ'),
		);
	expect(await statuses()).toEqual(['waiting', 'waiting']);

	expect(await texts('6900000001', `απ ${second} «Όχι»`)).toBe(
		`Η απάντησή σας στην ερώτηση ${second} καταγράφηκε: ΟΧΙ`,
	);
	await until('the execution of the second question has continued', async () => (await ends()).length === 1);
	expect(await texts('6900000001', `ΑΠ ${second} ΝΑΙ`)).toEqual(notTaken('έχει κλείσει. Ρωτήστε τη γραμματεία'));
	expect(await texts('6900000001', `ΑΠ ${first} nai`)).toBe(`Η απάντησή σας στην ερώτηση ${first} καταγράφηκε: ΝΑΙ`);
	await until('both executions have continued', async () => (await ends()).length === 2);

	expect(await ends()).toEqual([
		['τη θέση Α', 'yes'],
		['τη θέση Β', 'no'],
	]);
	const rows = await rowsOfTable(world.n8n, example.table('amka-sms-open-questions'));
	expect(rows.map(({ number, mobile, answer, resumeUrl }) => ({ number, mobile, answer, resumeUrl }))).toEqual([
		{ number: first, mobile: '6900000001', answer: 'ΝΑΙ', resumeUrl: '' },
		{ number: second, mobile: '6900000001', answer: 'ΟΧΙ', resumeUrl: '' },
	]);
});

test('exactly one of ten simultaneous answers to a question counts', async () => {
	const number = await ask('6900000003', 'τη θέση Γ');
	const before = world.sandbox.messages.length;
	await Promise.all(
		Array.from(
			{ length: 10 },
			async (_, index) => await world.sandbox.forward('6900000003', `ΑΠ ${number} ${index % 2 ? 'ΝΑΙ' : 'ΟΧΙ'}`),
		),
	);
	await until('each answer has got a reply', () => world.sandbox.messages.length === before + 10);

	const replies = world.sandbox.messages.slice(before).map(({ text }) => text);
	expect(replies.filter((text) => text.includes('καταγράφηκε: '))).toHaveLength(1);
	expect(replies.filter((text) => text.includes('έχει κλείσει'))).toHaveLength(9);
	const counted = /: (ΝΑΙ|ΟΧΙ)$/.exec(replies.find((text) => text.includes('καταγράφηκε: '))!)![1];
	await until('the execution has continued', async () => (await statuses()).every((status) => status === 'success'));
	expect((await ends()).at(-1)).toEqual(['τη θέση Γ', counted === 'ΝΑΙ' ? 'yes' : 'no']);
});

test('the execution does not wait for an answer if the question cannot be sent to the number', async () => {
	await (await FormPage.open(example.url('Ask somebody'), secretary)).send('2101234567', 'τη θέση Δ');
	await until('the execution has ended', async () => (await ends()).length === 4);

	expect((await ends()).at(-1)).toEqual(['τη θέση Δ', 'not sent']);
});

test('the URL that resumes an execution is never sent to the platform', () => {
	expect(JSON.stringify(world.sandbox.traffic.calls)).not.toMatch(/webhook-waiting/);
});

keysStaySecret(world);

import { startSandbox, type Sandbox } from '../../sandbox/server';
import { call, report } from './calls';
import { grades, send, sheetOf } from './desk';
import { FormPage, importExample, rowsOfTable, save, secretary, type Imported } from './examples';
import { outputs, until, type Execution } from './n8n';
import { after, expectOutcome, outcome, recipient, row, waitingIn, type Run } from './waiting';
import { withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

/*
 * Checks waits that reach their time limit without an answer: pages of the examples, a question to one person, Send
 * and Wait. n8n looks only once a minute for waits over their limit, so all of them start before the first test, and each
 * test checks one kind.
 */
const world = useWorld();
jest.setTimeout(240_000);
/** A page that reports a failure waits too, so an execution may end only at n8n's second look. */
const timeOutMs = 200_000;
const { waitNode, press, paused, finished } = waitingIn(world);

/** A separate sandbox for these executions. It is not reset between the tests, and sends no delivery reports. */
let platform: Sandbox;
let credentials: Record<'amkaApi' | 'smsPlatformApi', { id: string; name: string }>;

/** Imports and publishes an example in which these nodes wait for only three seconds. */
const impatient = async (
	file: string,
	waiting: string[],
	settings: object = {},
	copy?: string,
	called?: Imported,
): Promise<Imported> => {
	const imported = await importExample(world, file, copy, called);
	Object.assign(imported.workflow.settings, settings);
	for (const node of imported.workflow.nodes) {
		if (waiting.includes(node.name)) Object.assign(node.parameters, { resumeAmount: 0.05, resumeUnit: 'minutes' });
		for (const type of ['amkaApi', 'smsPlatformApi'] as const)
			if (node.credentials?.[type]) node.credentials = { ...node.credentials, [type]: credentials[type] };
	}
	await save(world.n8n, imported);
	await world.n8n.publish(imported.id);
	return imported;
};
type Sent = Awaited<ReturnType<FormPage['send']>>;

const begun = {} as {
	enrolments: Sent[];
	lists: Sent[];
	/** Reads the data table of the asked questions. */
	questions: () => Promise<unknown[]>;
	/** The number of rows in that table before the question that the secretary does not confirm. */
	asked: number;
	desk: Sent[];
	/** A list whose review page gets no answer. */
	unanswered: Sent;
	toOne: { example: Imported; number: string };
	without: Run;
	unknown: Run;
};

beforeAll(async () => {
	platform = await startSandbox();
	const { url: baseUrl } = platform;
	Object.assign(platform.trouble, { report: 'lost' });
	credentials = {
		amkaApi: await world.n8n.addCredential('amkaApi', { ...world.amkaApi(), baseUrl }),
		smsPlatformApi: await world.n8n.addCredential('smsPlatformApi', { ...world.smsPlatformApi(), baseUrl }),
	};

	// The execution that may need two looks of n8n starts first.
	const enrolment = await impatient('enrolment.json', ['Not matched', 'Not enrolled', 'Ask for code'], {
		saveDataSuccessExecution: 'none',
		saveDataErrorExecution: 'none',
	});
	const form = await FormPage.open(enrolment.url('Enrolment form'));
	begun.enrolments = [
		await form.send('15039904568', '1999-03-15', 'Δοκιμαστικού', '6900000004'),
		await form.send('15039904568', '1999-03-15', 'Υποθετικού', '690 000 0001'),
	];

	const wait = async (): Promise<Run> => {
		const node = waitNode(
			{ options: { maxWaitMinutes: 0.05 } },
			{ credentials: { smsPlatformApi: credentials.smsPlatformApi } },
		);
		const workflow = withRows([row()], node, after());
		workflow.pinData!.Start![0]!.binary = { id: { data: 'eA==', mimeType: 'text/plain', fileName: 'id.txt' } };
		const run = await press(workflow);
		await paused(run);
		return run;
	};
	begun.without = await wait();
	Object.assign(platform.trouble, { answer: 'cutAfter' });
	begun.unknown = await wait();
	Object.assign(platform.trouble, { answer: 'normal' });

	const toOne = await impatient('more/question-to-one.json', ['Wait for the answer']);
	await (await FormPage.open(toOne.url('Ask somebody'), secretary)).send('6900000005', 'τη θέση Ε');
	const asked = await until('the question is on the phone', () =>
		platform.messages.find((message) => message.recipient === '6900000005'),
	);
	begun.toOne = { example: toOne, number: /ΑΠ (\d{4}) ΝΑΙ/.exec(asked.text)![1]! };

	const list = await impatient('desk/question.json', ['Look', 'Choose']);
	const people = (...mobiles: string[]) =>
		sheetOf('people', ...mobiles.map((mobile) => ({ Κινητό: mobile, Τμήμα: 'Φυσικής' })));
	// The page with a choice of questions exists only after a question was sent.
	const asking = await FormPage.open(list.url('Ask'), secretary);
	await (await asking.submit(people('6900300001'), 'Παρουσία')).submit();
	const chosen = await (await FormPage.open(list.url('Answers'), secretary)).submit();
	await chosen.submit(undefined, 'Παρουσία', ['Υπενθύμιση σε όσους δεν απάντησαν']);
	expect(platform.accepted('6900300001')).toBe(2);
	begun.questions = async () => await rowsOfTable(world.n8n, list.table('amka-sms-questions'));
	begun.asked = (await begun.questions()).length;
	begun.lists = [
		await asking.send(people('6900200001', '6900200002'), 'Σιωπή'),
		await (await FormPage.open(list.url('Answers'), secretary)).send(),
	];

	const sender = await impatient('desk/check-and-send.json', [], {}, '-over-time');
	const upload = await impatient('desk/send-a-list.json', [], {}, '-over-time', sender);
	const review = await (
		await FormPage.open(upload.url('Upload'), secretary)
	).submit(sheetOf('late', ...grades('Ύλη', 1)));
	await send(review);
	const results = await impatient('desk/who-got-it.json', ['Choose'], {}, '-over-time');
	const again = await impatient('desk/send-again.json', ['Choose'], {}, '-over-time');
	begun.desk = [
		await (await FormPage.open(results.url('Who got it'), secretary)).send(),
		await (await FormPage.open(again.url('Send again to whom?'), secretary)).send(),
	];
	const leftOpen = await impatient('desk/send-a-list.json', ['Send or not', 'Not sent'], {}, '-left-open', sender);
	begun.unanswered = await (
		await FormPage.open(leftOpen.url('Upload'), secretary)
	).send(sheetOf('unanswered', ...grades('Σιωπή', 2)));
}, 120_000);
afterAll(async () => await platform?.close());

/** Waits until n8n reports this status for the page of each execution. */
async function gone(runs: Sent[], last: string): Promise<void> {
	const now = async () => await Promise.all(runs.map(async ({ status }) => await status().catch(String)));
	const all = async () => (await now()).every((each) => each === last);
	await until('all executions have ended', all, timeOutMs).catch(async () =>
		expect(await now()).toEqual(runs.map(() => last)),
	);
}

describe('Send and Wait', () => {
	test('ends at its time limit without a delivery report, and a later report changes nothing', async () => {
		const timedOut = outcome({ delivered: false, status: 'TIMEOUT', waitId: expect.any(String) as string });
		const execution = await finished(begun.without, timeOutMs);
		expectOutcome(execution, timedOut);
		expect(outputs(execution, 'smsSend')[0]![0]).not.toHaveProperty('binary');
		expect(outputs(execution, 'Start')[0]![0]).toHaveProperty('binary');
		const [status] = await call(platform.messages.find((message) => message.recipient === recipient)!.dlrUrl, report());

		expect(status).toBe(200);
		expectOutcome(await finished(begun.without), timedOut);
	});

	test("reports an unknown outcome if the platform's response to the message was lost and no delivery report arrived", async () => {
		const execution = await finished(begun.unknown, timeOutMs);

		expectOutcome(
			execution,
			outcome({
				delivered: false,
				status: 'TIMEOUT',
				unknown: true,
				notice: expect.stringContaining('Δεν είναι γνωστό') as string,
				waitId: expect.any(String) as string,
			}),
		);
		expect(platform.accepted(recipient)).toBe(2);
	});
});

test('a question to one person continues at its time limit without an answer, and the reply to a later answer states that the question is closed', async () => {
	const { example, number } = begun.toOne;
	const asking = async (): Promise<Execution | undefined> =>
		(await world.n8n.executions(example.id)).find(({ result }) => result.runData['Answer?']);
	const branches = outputs(await until('the execution has continued at its time limit', asking, timeOutMs), 'Answer?');
	// The outputs are yes, no, no answer, and not sent.
	expect(branches.map((items) => items.map(({ json }) => json.what))).toEqual([[], [], ['τη θέση Ε'], []]);

	platform.settings.forwardUrl = example.url('SMS Trigger', '/forward');
	expect(await platform.forward('6900000005', `ΑΠ ${number} ΝΑΙ`)).toMatchObject({ answer: { result: '0' } });
	await until('the late answer gets a reply', () => platform.accepted('6900000005') === 2);
	expect(platform.messages.findLast((message) => message.recipient === '6900000005')!.text).toMatch(
		/^Δεν καταγράφηκε απάντηση: η ερώτηση έχει κλείσει\./,
	);
});

test('a question to a list is neither sent nor recorded if the secretary does not confirm it on its page in time, and an unused page of the answers sends nothing', async () => {
	await gone(begun.lists, 'success');

	expect(platform.messages.filter((message) => message.recipient.startsWith('69002'))).toEqual([]);
	expect(platform.accepted('6900300001')).toBe(2);
	expect(await begun.questions()).toHaveLength(begun.asked);
});

test('a list of the desk is not sent if the secretary does not approve it in time', async () => {
	await gone([begun.unanswered], 'success');
	expect(platform.messages.filter(({ text }) => text.includes('Σιωπή'))).toEqual([]);
});

test('an execution of "Who got it" or "Send again" succeeds without a choice on its page, and sends nothing', async () => {
	await gone(begun.desk, 'success');
	expect(platform.messages.filter(({ text }) => text.includes('Ύλη'))).toHaveLength(1);
});

test('an enrolment whose page gets no answer in time ends, and sends no further SMS', async () => {
	// The example saves no execution data, so n8n knows no status.
	await gone(begun.enrolments, 'null');

	expect(platform.accepted('6900000004')).toBe(1);
	expect(platform.accepted('6900000001')).toBe(0);
});

keysStaySecret(world);

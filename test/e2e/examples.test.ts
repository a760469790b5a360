import { another, codeOnThePhone } from './codes';
import { grades, sheetOf, shipped } from './desk';
import { FormPage, importExample, publishWithTable, rowsOfTable, save, secretary, type Imported } from './examples';
import { items, until } from './n8n';
import { keysStaySecret, useWorld } from './world';

/**
 * Runs examples from the import to the result. The tests follow the notes of the examples.
 */
const world = useWorld();

describe('the example enrolment.json', () => {
	let enrolment: Imported;
	/** A person of the sandbox's registry, and a mobile number. */
	const [amka, birthDate, surname, mobile] = ['15039904568', '1999-03-15', 'Δοκιμαστικού', '690 000 0001'];

	beforeAll(async () => {
		enrolment = await importExample(world, 'enrolment.json');
		// As its note says, the workflow's settings switch off saving executions.
		Object.assign(enrolment.workflow.settings, { saveDataSuccessExecution: 'none', saveDataErrorExecution: 'none' });
		// If a test leaves this page open, it ends after half a minute instead of fifteen. n8n looks for such pages once a minute.
		const left = enrolment.workflow.nodes.find(({ name }) => name === 'Not enrolled')!;
		Object.assign(left.parameters, { resumeAmount: 0.5 });
		await save(world.n8n, enrolment);
		await world.n8n.publish(enrolment.id);
	});
	let begun = 0;
	const submit = async (...values: string[]): Promise<FormPage> => {
		begun++;
		return await (await FormPage.open(enrolment.url('Enrolment form'))).submit(...values);
	};
	/** Returns the link of a page that leads back to the form. */
	const wayBack = ({ html }: FormPage): string =>
		new URL(/<a href="([^"]*form\/[^"]*)"/.exec(html)![1]!, enrolment.url('Enrolment form')).href;
	const wrongCode = (): string => another(codeOnThePhone(world));

	test('sends a code by SMS to a person who matches, and enrols the person after the right code, even after a wrong code', async () => {
		const page = await submit(amka, birthDate, surname, mobile);
		const code = codeOnThePhone(world);
		const again = await page.submit(wrongCode());
		const last = await again.submit(` ${code.slice(0, 3)} ${code.slice(3)} `);

		expect(code).toMatch(/^\d{6}$/);
		expect(world.sandbox.accepted('6900000001')).toBe(1);
		expect(page.html).not.toContain(code);
		expect(again.message).toMatch(/You have 2 attempts left/);
		expect(again.html).not.toContain(code);
		expect(last.title).toMatch(/You are enrolled/);
	});

	test('ends after three wrong codes without enrolment, and without a fourth attempt', async () => {
		let page = await submit(amka, birthDate, surname, '6900000002');
		for (const left of ['2 attempts', 'one attempt']) {
			page = await page.submit(wrongCode());
			expect(page.message).toContain(`You have ${left} left`);
		}
		const last = await page.submit(wrongCode());
		const another = await submit(amka, birthDate, surname, '6900000002');

		expect(last.title).toMatch(/You are not enrolled/);
		expect(wayBack(last)).toBe(enrolment.url('Enrolment form'));
		expect(last.message).toMatch(/Too many wrong codes were typed/);
		expect(another.title).toMatch(/You are not enrolled/);
		expect(another.message).toMatch(/Too many wrong codes were typed/);
		// The button leads to a page that states how long to wait, and sends no code.
		const locked = await last.submit();
		expect(locked.title).toMatch(/You are not enrolled/);
		expect(locked.message).toMatch(/Ask for a new code in \d+ minutes/);
		expect(world.sandbox.accepted('6900000002')).toBe(1);
	});

	test('sends the same code again if the person begins again, and a new code to another mobile or after the code was used', async () => {
		const page = await submit(amka, birthDate, surname, '6900000003');
		expect(page.message).toMatch(/^Κινητό \/ Mobile: 6900000003\s+Σας στάλθηκε ένα SMS\..* An SMS was sent\./);
		expect(wayBack(page)).toBe(enrolment.url('Enrolment form'));
		const first = codeOnThePhone(world);
		const again = await submit(amka, birthDate, surname, '6900000003');
		expect(world.sandbox.accepted('6900000003')).toBe(2);
		expect(codeOnThePhone(world)).toBe(first);
		const other = await submit(amka, birthDate, surname, '6900000011');
		expect(codeOnThePhone(world)).not.toBe(first);
		expect((await other.submit(codeOnThePhone(world))).title).toMatch(/You are enrolled/);
		expect((await again.submit(first)).title).toMatch(/You are enrolled/);
		// The code was used, so the older page also ends.
		const used = await page.submit(first);
		expect(used.title).toMatch(/You are not enrolled/);
		// The button of this page sends a new code, and the next page asks for it.
		const forward = await used.submit();
		expect(codeOnThePhone(world)).not.toBe(first);
		expect((await forward.submit(codeOnThePhone(world))).title).toMatch(/You are enrolled/);
	});

	test('states that the limit of codes is reached, and still accepts the code that the person has', async () => {
		const earlier: FormPage[] = [];
		for (let sms = 1; sms <= 5; sms++) earlier.push(await submit(amka, birthDate, surname, '6900000005'));
		const code = codeOnThePhone(world);
		const page = await submit(amka, birthDate, surname, '6900000005');
		expect(page.message).toMatch(/πολλοί κωδικοί/i);

		expect(world.sandbox.accepted('6900000005')).toBe(5);
		expect((await page.submit(code)).title).toMatch(/You are enrolled/);
		for (const other of earlier) expect((await other.submit(code)).title).toMatch(/You are not enrolled/);
	});

	test('names Latin letters in the surname as the cause, and links back to the form', async () => {
		const last = await submit(amka, birthDate, 'Dokimastikou', mobile);

		expect(last.message).toMatch(/λατινικ/);
		expect(wayBack(last)).toBe(enrolment.url('Enrolment form'));
		expect((await fetch(wayBack(last))).status).toBe(200);
	});

	test.each([
		['another surname', amka, birthDate, 'Υποθετικού', 1],
		['another birth date', amka, '1999-03-16', surname, 1],
		['a mistyped number, which is not sent', '15039904569', birthDate, surname, 0],
	])('shows a page about the mismatch and sends no SMS in this case: %s', async (_, ssn, date, name, questions) => {
		const last = await submit(ssn, date, name, mobile);

		expect(last.title).toMatch(/were not confirmed/);
		expect(wayBack(last)).toBe(enrolment.url('Enrolment form'));
		expect(last.message).toMatch(
			questions === 1
				? /Check the AMKA, the birth date and the surname|begins with a different birth date/
				: /150…569 has a mistake/,
		);
		expect(world.sandbox.traffic.calls.filter(({ url }) => url.includes('ssn_validation'))).toHaveLength(questions);
		expect(world.sandbox.messages).toEqual([]);
	});

	test('shows the same page for a person who has died as for a person who does not match', async () => {
		// The sandbox's registry reports that this invented person has died: death_note is Λ.
		const [ssn, date] = ['01013099997', '1930-01-01'];
		const died = await submit(ssn, date, 'Δοκιμαστικός', mobile);
		const notMatched = await submit(ssn, date, 'Υποθετικός', mobile);

		const shown = ({ title, message, text, links }: FormPage) => ({ title, message, text, links });
		expect(shown(died)).toEqual(shown(notMatched));
		expect(died.title).toMatch(/were not confirmed/);
		expect(died.message).toMatch(/Check the AMKA, the birth date and the surname/);
		expect(died.html).not.toMatch(/αποβι|died|deceased|θάνατ|death/i);
		const lookups = world.sandbox.traffic.calls.filter(({ url }) => url.includes('ssn_validation'));
		expect(lookups.map(({ answer }) => (answer as { death_note?: string }).death_note)).toEqual(['Λ', undefined]);
		expect(lookups[0]!.headers).toMatchObject({ 'content-type': 'application/json' });
		expect(world.sandbox.messages).toEqual([]);
	});

	test.each<['500' | 'refuse', RegExp]>([
		['500', /Your details could not be checked\. Try again later\. If it happens again, contact the office\./],
		['refuse', /Your details could not be checked\. Try again later\. If it happens again, contact the office\./],
	])(
		'refers a visitor to the office, not to an admin, if the registry answers with an error (%s)',
		async (answer, words) => {
			Object.assign(world.sandbox.trouble, { answer });
			const last = await submit(amka, birthDate, surname, mobile);

			expect(last.title).toMatch(/The details were not checked/);
			expect(last.text).toMatch(words);
			expect(last.text).not.toMatch(/διαχειριστή|admin/);
			expect(world.sandbox.messages).toEqual([]);
			world.sandbox.endTrouble();
			begun++;
			const page = await (await FormPage.open(wayBack(last))).submit(amka, birthDate, surname, mobile);
			expect((await page.submit(codeOnThePhone(world))).title).toMatch(/You are enrolled/);
		},
		60_000,
	);

	test.each<[string, string, object, RegExp]>([
		['cannot be sent to the number', '2100000000', {}, /210…000 is a landline.*Write a mobile number \(69…\)/],
		[
			'was rejected by the platform',
			'6900000007',
			{ answer: 'refuse', recipient: '6900000007' },
			/was not sent: the SMS service rejected it/,
		],
	])('states that the SMS %s', async (_, number, trouble, words) => {
		Object.assign(world.sandbox.trouble, trouble);
		expect((await submit(amka, birthDate, surname, number)).message).toMatch(words);
	});

	test('still asks for the code after an SMS of unknown outcome', async () => {
		Object.assign(world.sandbox.trouble, { answer: 'cutAfter', recipient: '6900000008' });
		const page = await submit(amka, birthDate, surname, '6900000008');
		expect(page.message).toMatch(/not known whether the message was sent\. If you got the SMS, type its code/);
		// The person may have no code, so one sentence says what to do in both cases.
		expect(page.message).not.toMatch(/που έχετε|that you have/);
		expect((await page.submit(codeOnThePhone(world))).title).toMatch(/You are enrolled/);
	});

	test('states that the person is not enrolled, and nothing about whether the SMS was sent, if a typed code cannot be checked', async () => {
		const page = await submit(amka, birthDate, surname, '6900000009');
		await world.changeSmsPlatform({ preSharedKey: '' });
		const last = await page.submit('123456').finally(async () => await world.changeSmsPlatform({}));

		expect(world.sandbox.accepted('6900000009')).toBe(1);
		expect(last.title).toMatch(/You are not enrolled/);
		expect(last.message).not.toMatch(/whether the message was sent/);
	});

	test('has no execution in the list of executions, and n8n marks the data of its executions for deletion', async () => {
		const stored = await until(
			'every run has ended',
			async () => {
				const runs = await world.n8n.query<{ deletedAt: string | null }>(
					'SELECT CAST("deletedAt" AS text) AS "deletedAt" FROM execution_entity WHERE "workflowId" = ?',
					enrolment.id,
				);
				return runs.every(({ deletedAt }) => deletedAt !== null) && runs;
			},
			150_000,
		);
		const filter = encodeURIComponent(JSON.stringify({ workflowId: enrolment.id }));
		const listed = await world.n8n.rest<{ results: unknown[] }>('GET', `/executions?filter=${filter}`);

		expect(stored).toHaveLength(begun);
		// n8n marks the data with the time of an hour ago, so that its next clean-up deletes them. Both times are compared in whole
		// seconds.
		const anHourAgo = new Date(Date.now() - 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
		expect(stored.every(({ deletedAt }) => deletedAt!.slice(0, 19) <= anHourAgo)).toBe(true);
		expect(listed.results).toEqual([]);
	}, 180_000);
});

describe('the example spreadsheet-to-sms.json', () => {
	let sheets: Imported;
	beforeAll(async () => {
		sheets = await importExample(world, 'spreadsheet-to-sms.json');
		await world.n8n.publish(sheets.id);
	});
	const open = async () => await FormPage.open(sheets.url('Upload'), secretary);
	const upload = async (sheet: File) => await (await open()).submit(sheet);
	const recipients = () => world.sandbox.messages.map(({ recipient }) => recipient).sort();

	test('sends a sheet, and its page states how many messages were sent, and why two were not', async () => {
		const page = await upload(shipped);

		expect(recipients()).toEqual(['6900000001', '6900000002', '6900000003']);
		expect(page.title).toBe('Στάλθηκαν: 3');
		expect(page.text).toMatch(/Βαθμός/);
		expect(page.text).toMatch(/210…000/);
		expect(page.links).toEqual([sheets.url('Upload')]);
	});

	test('sends no message twice after a double click, and one of the two pages states that the messages were sent before', async () => {
		const sheet = sheetOf('twice', ...grades('Διπλό', 4));
		const form = await open();
		const pages = await Promise.all([form.submit(sheet), form.submit(sheet)]);

		expect(world.sandbox.messages).toHaveLength(4);
		expect(pages.map(({ title }) => title).sort()).toEqual(['Στάλθηκαν: 0', 'Στάλθηκαν: 4']);
		const again = pages.find(({ title }) => title === 'Στάλθηκαν: 0')!;
		expect(again.text).toMatch(/ήδη/);
	});

	test.each([
		[
			'a file that is no sheet',
			new File(['%PDF-1.4'], 'grades.pdf'),
			/δεν διαβάζεται ως φύλλο.*Αποθηκεύστε το ως \.xlsx/,
		],
		[
			'a damaged sheet',
			new File(['no sheet'], 'grades.xlsx'),
			/δεν έχει καμία γραμμή με στοιχεία.*χωρίς κωδικό πρόσβασης/,
		],
		['a sheet without a column of mobiles', sheetOf('names', { Όνομα: 'Δοκιμή' }), /Κινητό/],
	])('gives advice about %s, and sends nothing', async (_, sheet, words) => {
		const page = await upload(sheet);

		expect(page.title).toBe('Στάλθηκαν: 0');
		expect(page.text).toMatch(words);
		expect(world.sandbox.messages).toEqual([]);
	});

	test.each<[string, object]>([
		['the platform answers HTTP 500', { answer: '500' }],
		['the platform rejects each message', { answer: 'refuse' }],
	])('does not count a message as sent if %s', async (name, trouble) => {
		Object.assign(world.sandbox.trouble, trouble);
		const page = await upload(sheetOf('trouble', ...grades(name, 3)));

		expect(page.title).toBe('Στάλθηκαν: 0');
		expect(page.text).not.toMatch(/Παραδόθηκ/);
	});
});

describe('the example keyword-auto-reply.json', () => {
	let autoReply: Imported;
	beforeAll(async () => {
		autoReply = await publishWithTable(world, 'keyword-auto-reply.json');
	});
	beforeEach(() => {
		world.sandbox.settings.forwardUrl = autoReply.url('SMS Trigger', '/forward');
	});
	const replies = async (count = 1): Promise<Array<[string, string]>> => {
		await until('the workflow has answered', () => world.sandbox.messages.length >= count);
		return world.sandbox.messages.map(({ recipient, text }) => [recipient, text]);
	};
	const taken = { status: 200, answer: { result: '0', errorCode: '', error: '' } };

	test.each([
		['6900000001', 'ΒΑ', ['Ο βαθμός σας στο μάθημα ΑΛΓΕΒΡΑ είναι 6,5', 'Ο βαθμός σας στο μάθημα ΦΥΣΙΚΗ είναι 8']],
		['+306900000002', 'βαθμός', ['Ο βαθμός σας στο μάθημα ΦΥΣΙΚΗ είναι 10']],
		['306900000003', 'Βα  και κάτι ακόμη', ['Ο βαθμός σας στο μάθημα ΗΛΕΚΤΡΟΝΙΚΗ ΙΙ είναι 7']],
		['6900000009', 'ΒΑ', ['Δεν βρέθηκε βαθμός σας.']],
	])('replies, if the phone %s sends "%s", with the texts %j', async (msisdn, text, texts) => {
		expect(await world.sandbox.forward(msisdn, text)).toEqual(taken);

		const got = await replies(texts.length);
		expect(got.map(([recipient]) => recipient)).toEqual(texts.map(() => msisdn.slice(-10)));
		expect(got.map(([, reply]) => reply).sort()).toEqual(texts);
	});
});

test.each([
	['delivered', '', 'Confirmed', { application: '17', confirmed: true }, 'Write an e-mail instead'],
	[
		'not delivered',
		'27',
		'Write an e-mail instead',
		{ to: 'student@example.gr', subject: 'Η αίτηση 17 εγκρίθηκε', why: 'ERROR 27' },
		'Confirmed',
	],
])(
	'the example more/send-and-wait.json continues, if the message is %s (error code "%s"), with the node "%s"',
	async (_, reportError, node, item, other) => {
		Object.assign(world.sandbox.trouble, { reportError });
		const { id } = await importExample(world, 'more/send-and-wait.json');
		await world.n8n.begin(id);
		const execution = await until('the run ends', async () =>
			(await world.n8n.executions(id)).find(({ status }) => status === 'success'),
		);

		expect(items(execution, 0, node)).toEqual([item]);
		expect(execution.result.runData).not.toHaveProperty(other);
	},
);

describe('the example desk/subscriptions.json', () => {
	const copy = '-of-this-test';
	let subscriptions: Imported;
	beforeAll(async () => {
		subscriptions = await importExample(world, 'desk/subscriptions.json', copy);
		await world.n8n.publish(subscriptions.id);
	});
	beforeEach(() => {
		world.sandbox.settings.forwardUrl = subscriptions.url('SMS Trigger', '/forward');
	});
	const text = async (msisdn: string, words: string) => {
		const before = world.sandbox.messages.length;
		expect(await world.sandbox.forward(msisdn, words)).toMatchObject({ status: 200, answer: { result: '0' } });
		await until('the workflow has answered', () => world.sandbox.messages.length > before);
		return world.sandbox.messages.at(-1)!;
	};
	const onTheList = async () =>
		(await rowsOfTable(world.n8n, `amka-sms-subscribers${copy}`))
			.filter(({ leftAt }) => !leftAt)
			.map(({ mobile }) => mobile)
			.sort();
	/** Writes the news. @returns the page with the review, or the last page if no message would be sent */
	const write = async (news: string) =>
		await (await FormPage.open(subscriptions.url('Write the news'), secretary)).submit(news);
	const send = async (page: FormPage) => await page.submit(undefined, ['Αποστολή τώρα']);

	test('states that the list is empty and sends nothing, if no person has subscribed', async () => {
		const page = await write('Κανείς ακόμη.');

		expect(page.title).toBe('Δεν στάλθηκε τίποτα');
		expect(page.message).toMatch(/^Η λίστα είναι κενή: δεν είναι κανείς εγγεγραμμένος\./);
		// The link contains the text, so that it need not be typed again.
		expect(page.links).toEqual([`${subscriptions.url('Write the news')}?news=${encodeURIComponent('Κανείς ακόμη.')}`]);
		expect(world.sandbox.messages).toEqual([]);
	});

	test('puts a person who sends ΝΕΑ twice on the list only once, removes a person who sends ΣΤΟΠ or STOP, and replies to each SMS', async () => {
		expect(await text('6900000001', 'ΝΕΑ')).toMatchObject({
			recipient: '6900000001',
			text: expect.stringMatching(/^Εγγραφήκατε/),
		});
		await text('6900000002', 'νέα');
		await text('6900000003', 'NEA');
		await text('6900000001', 'ΝΕΑ παρακαλώ');
		expect(await onTheList()).toEqual(['6900000001', '6900000002', '6900000003']);

		expect(await text('6900000002', 'Στοπ')).toMatchObject({
			recipient: '6900000002',
			text: expect.stringMatching(/^Δεν θα λαμβάνετε/),
		});
		await text('6900000003', 'STOP');
		// A person who was never on the list also gets an answer.
		expect(await text('6900000004', 'ΣΤΟΠ')).toMatchObject({
			recipient: '6900000004',
			text: expect.stringMatching(/^Δεν θα λαμβάνετε/),
		});
		expect(await onTheList()).toEqual(['6900000001']);
	});

	test.each([
		['none', 'ΝΕΑ', 'ΝΕΑ ΣΤΟΠ'],
		['keyword', 'UNI νέα', 'UNI ΝΕΑ στοπ!'],
	] as const)('removes a sender who writes ΣΤΟΠ after the keyword (prefix: %s)', async (prefix, join, leave) => {
		Object.assign(world.sandbox.trouble, { prefix });
		expect(await text('6900000009', join)).toMatchObject({ text: expect.stringMatching(/^Εγγραφήκατε/) });
		expect(await onTheList()).toContain('6900000009');
		expect(await text('6900000009', leave)).toMatchObject({
			text: 'Δεν θα λαμβάνετε SMS με νέα, βαθμούς και ερωτήσεις. Επανεγγραφή: ΝΕΑ',
		});
		expect(await onTheList()).not.toContain('6900000009');
	});

	test('shows a review before it sends the news, and sends the news once to the people who are on the list at that moment', async () => {
		await text('6900000005', 'ΝΕΑ');
		const page = await write('Η γραμματεία κλείνει στις 14:00.');
		expect(page.text).toMatch(/Μηνύματα που θα σταλούν 2 .*Νέα της σχολής: Η γραμματεία κλείνει στις 14:00/);
		expect((await page.submit(undefined, ['Να μη σταλεί'])).title).toBe('Δεν στάλθηκε τίποτα');
		const again = await write('Η γραμματεία κλείνει στις 14:00.');
		await text('6900000006', 'ΝΕΑ');
		await text('6900000005', 'ΣΤΟΠ');
		world.sandbox.messages.length = 0;

		expect((await send(again)).title).toBe('Στάλθηκαν: 2');
		expect(world.sandbox.messages.map(({ recipient }) => recipient).sort()).toEqual(['6900000001', '6900000006']);
		expect(world.sandbox.messages[0]!.text).toBe(
			'Νέα της σχολής: Η γραμματεία κλείνει στις 14:00. Διακοπή όλων των SMS: ΣΤΟΠ.',
		);
		expect((await write('Η γραμματεία κλείνει στις 14:00.')).message).toMatch(/έχουν ήδη σταλεί \(2\)/);
	});

	test('sends the news to a foreign number that subscribed without +, and removes the number when ΣΤΟΠ comes from the same number, written with 00', async () => {
		await world.sandbox.forward('447700900123', 'ΝΕΑ');
		await until('the number is on the list', async () => (await onTheList()).includes('+447700900123'));
		await send(await write('Η γραμματεία άνοιξε.'));
		const news = world.sandbox.traffic.calls
			.map(({ body }) => body as Record<string, string>)
			.filter(({ messageId }) => messageId === 'news');

		expect(news.map(({ recipient }) => recipient).sort()).toEqual(['+447700900123', '6900000001', '6900000006']);
		await world.sandbox.forward('00447700900123', 'ΣΤΟΠ');
		await until('the number is no longer on the list', async () => !(await onTheList()).includes('+447700900123'));
	});
});

describe('the example more/first-day.json', () => {
	let firstDay: Imported;
	beforeAll(async () => {
		firstDay = await importExample(world, 'more/first-day.json');
		await world.n8n.publish(firstDay.id);
	});

	test('shows, after a message to oneself, the delivery report, the text, the number of SMS, and how a message is rejected', async () => {
		const page = await (await FormPage.open(firstDay.url('First SMS'), secretary)).submit('690 000 0001');

		expect(page.title).toBe('DELIVRD');
		expect(page.text).toMatch(
			/Report DELIVRD after \d+ s .* Text Οι βαθμοί της εξεταστικής ανακοινώθηκαν\. SMS 1 .* Refusal HTTP 200, code E-002, rejected/,
		);
		expect(world.sandbox.messages.map(({ recipient }) => recipient)).toEqual(['6900000001']);
	});

	test('shows the answers of the services in its last form, and counts two reports with the same status', async () => {
		await (await FormPage.open(firstDay.url('Long SMS'), secretary)).send('6900000001');
		await until('the SMS is sent', () => world.sandbox.messages.length === 1);
		await world.sandbox.settled();
		const [{ dlrUrl, serviceId, recipient, text }] = world.sandbox.messages as [
			(typeof world.sandbox.messages)[number],
		];
		expect(text.length).toBeGreaterThan(70);
		await world.sandbox.call(dlrUrl, { serviceId, recipient, status: 'DELIVRD' });
		const rows = async () => await rowsOfTable(world.n8n, firstDay.table('amka-sms-first-day'));
		await until('both reports are kept', async () => (await rows()).filter(({ how }) => how !== null).length === 2);
		const page = await (await FormPage.open(firstDay.url('First day report'), secretary)).submit();

		expect(page.text).toMatch(/Reports for messages: 2 for 1\. SMS in each message: 2 /);
		expect(page.text).toMatch(
			/ POST application\/json: ref, mid, exp, sig, serviceId, recipient, status; sig: 43 of 43/,
		);
	});

	test('explains the cause if the platform rejects the key', async () => {
		await world.changeSmsPlatform({ preSharedKey: 'another-key' });
		const page = await (await FormPage.open(firstDay.url('First SMS'), secretary))
			.submit('6900000001')
			.finally(async () => await world.changeSmsPlatform({}));

		expect(page.title).toMatch(/SMS platform/);
		expect(page.text).toMatch(/Report rejected after \d+ s Κάτι δεν έχει ρυθμιστεί σωστά.* δεν δέχεται το κλειδί/);
	});

	test('queries the registry about the user, first with the right surname and then with a wrong surname', async () => {
		const form = await FormPage.open(firstDay.url('First look-up'), secretary);
		const person = ['15039904568', '1999-03-15', 'Δοκιμαστικού'];
		const page = await form.submit(...person);

		expect(page.text).toMatch(/You matched: true .* Wrong surname matched: false/);
		Object.assign(world.sandbox.trouble, { noMatchStatus: 404 });
		const other = await (await FormPage.open(firstDay.url('First look-up'), secretary)).submit(...person);

		expect(other.text).toMatch(/You matched: true .* Wrong surname The AMKA service has no such .*\(HTTP 404\)/);
	});
});

keysStaySecret(world);

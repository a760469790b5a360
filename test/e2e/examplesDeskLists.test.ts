import { answers, Desk, grades, rowsOf, send, sheetOf } from './desk';
import { until } from './n8n';
import { keysStaySecret, useWorld } from './world';

/** Checks scheduled and long lists of the desk, which the office can see and cancel. */
const world = useWorld();

let desk: Desk;
beforeAll(async () => {
	desk = await Desk.open(world);
});

/**
 * The number of rows of the long lists, and the row at which they are cancelled or interrupted. DESK_ROWS=2000 makes
 * a list as long as that of an office, which takes about ten minutes.
 */
const ROWS = Number(process.env.DESK_ROWS ?? 400);
const PART = 100;
const MIDDLE = Math.max(PART, Math.floor((ROWS * 0.4) / PART) * PART);
/** Returns a number as the pages write it. */
const el = (number: number) => number.toLocaleString('el');
/** The time limit of a test with such a list, in milliseconds: the example sends at most ten messages a second. */
const LONG = 240_000 + ROWS * 400;

/** Waits until the rows before the middle of a list are sent. */
const reachesMiddle = async (name: string) =>
	await until(
		'the list has reached its middle',
		async () => Number((await desk.listsNamed(name))[0]?.done) >= MIDDLE,
		LONG,
	);

/** Restarts n8n, and meanwhile makes all scheduled lists due 20 seconds later. */
async function comeNow(): Promise<void> {
	await world.n8n.stop();
	const soon = new Date(Date.now() + 20_000).toISOString().replace('T', ' ').replace('Z', '');
	await world.n8n.database.change(
		`UPDATE execution_entity SET "waitTill" = '${soon}' WHERE status = 'waiting' AND "workflowId" = '${desk.sender.id}'`,
	);
	await world.n8n.start();
}

const waitingEnded = async () =>
	await until(
		'the waiting executions have ended',
		async () => {
			const [{ waiting }] = (await world.n8n.query<{ waiting: number }>(
				`SELECT COUNT(*) AS waiting FROM execution_entity WHERE status = 'waiting' AND "workflowId" = ?`,
				desk.sender.id,
			)) as [{ waiting: number }];
			return Number(waiting) === 0;
		},
		150_000,
	);

/** Returns the name of the database table in which n8n stores a data table of this desk. */
async function tableOf(name: string): Promise<string> {
	const [table] = await world.n8n.query<{ id: string }>(
		'SELECT id FROM data_table WHERE name = ?',
		desk.lists.table(name),
	);
	return `data_table_user_${table!.id}`;
}

const zone = 'Europe/Athens';
/** Returns the time in the time zone of the workflows. */
const now = () => new Date().toLocaleTimeString('en-GB', { timeZone: zone });

test('the page for cancelling offers no list before the first upload', async () => {
	const page = await desk.openLists();
	expect(page.title).toBe('Δεν υπάρχει λίστα για ακύρωση');
	expect(page.links).toEqual([desk.results.url('Who got it')]);
});

test('a scheduled list is shown with its hour, and sends nothing after the office has cancelled it', async () => {
	await send(await desk.review(sheetOf('planned', ...grades('Ιστορία', 3))), answers.tomorrow);
	const page = await desk.whoGotIt();
	expect(page.text).toMatch(/planned, \d\d\/\d\d\/\d{4} προγραμματισμένη για \d\d\/\d\d, 09:00/);

	const cancelled = await desk.cancel('planned');
	expect(cancelled.title).toBe('Η λίστα ακυρώθηκε');
	expect(cancelled.text).toContain('Δεν θα σταλεί κανένα μήνυμα');
	expect((await desk.whoGotIt()).text).toMatch(/planned, \S+ ακυρώθηκε: 0 από 3/);

	await comeNow();
	await waitingEnded();
	expect(world.sandbox.messages).toEqual([]);
	expect(await desk.listsNamed('planned')).toMatchObject([{ state: 'cancelled', sent: 0, done: 0 }]);
}, 240_000);

test(
	'the progress of a list is recorded after each part, and a cancelled list stops after the part in progress',
	async () => {
		const page = await send(await desk.review(sheetOf('long', ...grades('Γλώσσα', ROWS))));
		expect(page.title).toMatch(/^Στέλνονται από τις/);
		await reachesMiddle('long');
		expect((await desk.whoGotIt()).text).toMatch(
			new RegExp(`long, \\S+ στέλνεται από τις \\d\\d/\\d\\d, \\d\\d:\\d\\d: ${el(MIDDLE)} από ${el(ROWS)}`),
		);

		const cancelled = await desk.cancel('long');
		expect(cancelled.text).toContain(`Μηνύματα που στάλθηκαν: ${MIDDLE}. Ίσως σταλούν έως 100 ακόμη`);
		const before = world.sandbox.messages.length;
		await until('the list has ended', async () => Number((await desk.listsNamed('long'))[0]!.done) > MIDDLE, 60_000);
		await world.sandbox.settled();

		const sent = world.sandbox.messages.length;
		expect(sent - before).toBeLessThanOrEqual(100);
		expect(await desk.listsNamed('long')).toMatchObject([{ state: 'cancelled', sent, done: sent }]);
		expect(sent).toBeLessThanOrEqual(MIDDLE + PART);
		expect((await desk.whoGotIt()).text).toMatch(new RegExp(`long, \\S+ ακυρώθηκε: ${el(sent)} από ${el(ROWS)}`));
		// The cancelled list does not continue after a restart.
		await world.n8n.restart();
		expect((await desk.whoGotIt()).text).toMatch(new RegExp(`long, \\S+ ακυρώθηκε: ${el(sent)} από ${el(ROWS)}`));
		expect(world.sandbox.messages).toHaveLength(sent);
	},
	LONG,
);

test(
	'a list stops if the service is down in the middle of it, and a later upload of the same list sends the rest, except messages of unknown outcome',
	async () => {
		const list = grades('Μουσική', ROWS);
		await send(await desk.review(sheetOf('down', ...list)));
		await reachesMiddle('down');
		Object.assign(world.sandbox.trouble, { answer: '500' });
		await until('the list has ended', async () => (await desk.listsNamed('down'))[0]!.state === 'stopped', 120_000);

		const [row] = await desk.listsNamed('down');
		const sent = world.sandbox.messages.length;
		expect(row).toMatchObject({ problem: 'serviceDown', sent });
		const unknown = (await desk.table('down')).filter(({ state }) => state === 'unknown').length;
		expect(unknown).toBeLessThanOrEqual(30);
		expect((await desk.whoGotIt()).text).toMatch(
			new RegExp(
				`down, \\S+ διακόπηκε: ${el(sent)} από ${el(ROWS)}\\. Στείλτε αργότερα την ίδια λίστα, μέσα σε μία εβδομάδα`,
			),
		);
		world.sandbox.reset();
		await world.n8n.restart();
		const rest = await send(await desk.review(sheetOf('down', ...list)));
		expect(rest.title).toMatch(/^Στ(άλθηκαν: \d+|έλνονται από τις .*)$/);
		await until('the rest has been sent', async () => (await desk.listsNamed('down'))[1]?.state === 'sent', LONG);
		expect(world.sandbox.messages).toHaveLength(ROWS - sent - unknown);
	},
	LONG,
);

/** Changes the credential: sets the report URL of the desk, and these values. By default there are no limits. */
const credential = async (limits: Record<string, string | boolean | number> = {}) =>
	await world.changeSmsPlatform({ dlrUrl: desk.results.url('Reports', '/dlr'), ...limits });

test('a list replaces a scheduled list of the same name, and the page announces the replacement first', async () => {
	const name = 'Εξετάσεις';
	const first = await desk.review(sheetOf('first', ...grades('Λάθος', 3)), name);
	expect(first.text).not.toContain('αντικαταστήσει');
	await send(first, answers.tomorrow);
	const second = await desk.review(sheetOf('second', ...grades('Σωστό', 2)), name);
	expect(second.text).toContain('θα αντικαταστήσει την προγραμματισμένη λίστα που έχει το ίδιο όνομα');
	await send(second, answers.tomorrow);
	expect(await desk.listsNamed(name)).toMatchObject([{ state: 'scheduled', rows: 2, messages: 2 }]);

	// Both sending times are due now, but only the second list is sent.
	await comeNow();
	await until('the list has ended', async () => (await desk.listsNamed(name))[0]!.state === 'sent', 60_000);
	await waitingEnded();
	expect(world.sandbox.messages.map(({ text }) => text)).toEqual(
		Array(2).fill('Ο βαθμός σας στο μάθημα Σωστό είναι 5'),
	);
}, 240_000);

test('the page refuses a sending time within the quiet hours or in the past, and accepts another time', async () => {
	const hour = (plus: number) => `${(Number(now().slice(0, 2)) + plus) % 24}`;
	const quietHours = `${hour(12).padStart(2, '0')}:00-${hour(13).padStart(2, '0')}:00 ${zone}`;
	await credential({ quietHours });
	const page = await desk.review(sheetOf('quiet', ...grades('Νύχτα', 2)));
	const days = [...page.html.matchAll(/<option[^>]*>\s*([^<]*\d\d\/\d\d\/\d{4})/g)].map(([, day]) => day!);
	expect(days).toHaveLength(14);
	const refused = await page.submit(undefined, [answers.chosen], days[3], `${hour(12)}:00`);
	expect(refused.title).toBe('Έλεγχος πριν από την αποστολή');
	expect(refused.text).toContain('Την ώρα που επιλέξατε δεν μπορούν να σταλούν SMS. Επιλέξτε άλλη ώρα.');
	const past = await refused.submit(undefined, [answers.chosen], days[0], '0:00');
	expect(past.text).toContain('Την ώρα που επιλέξατε δεν μπορούν να σταλούν SMS. Επιλέξτε άλλη ώρα.');
	expect(await desk.listsNamed('quiet')).toEqual([]);
	const later = await past.submit(undefined, [answers.chosen], days[3], `${hour(14)}:00`);
	expect(later.title).toMatch(new RegExp(`^Θα σταλούν στις ${days[3]!.slice(-10)}, ${hour(14).padStart(2, '0')}:00$`));
	await credential();
}, 120_000);

test("nothing of a list is sent if it is over the credential's limit, although each of its parts is under the limit", async () => {
	await credential({ maxMessagesPerRun: 500 });
	const page = await desk.review(sheetOf('limit', ...grades('Όριο', 600)));
	expect(page.title).toBe('Δεν θα σταλεί τίποτα');
	expect(page.text).toMatch(/600.*500|500.*600/);
	expect(world.sandbox.messages).toEqual([]);
	await credential();
}, 120_000);

test('a list stops if the platform rejects the key, its page explains what to do about the key, and "Who got it" shows that the list was interrupted', async () => {
	const page = await desk.review(sheetOf('refused', ...grades('Κλειδί', 3)));
	await credential({ preSharedKey: 'a-key-of-another-institution' });
	const last = await send(page);
	expect(last.title).toBe('Η αποστολή σταμάτησε');
	expect(last.text).toContain('Πείτε στον διαχειριστή ότι η υπηρεσία δεν δέχεται το κλειδί');
	expect(last.text).not.toContain('Στείλτε αργότερα την ίδια λίστα');
	const who = await desk.whoGotIt();
	expect(who.text).toMatch(/refused, \S+ διακόπηκε: 0 από 3\. Πιο κάτω θα βρείτε τον λόγο και τι πρέπει να κάνετε\./);
	await credential();
}, 120_000);

test('if twelve of thirty rows have a fault, the page names them, and they can be downloaded, corrected and uploaded', async () => {
	const rows = grades('Στατιστική', 30).map((row, index) => (index % 5 < 2 ? { ...row, Κινητό: '2101234567' } : row));
	const page = await desk.review(sheetOf('faults', ...rows));
	expect(page.text).toContain('Να σταλούν μόνο οι σωστές γραμμές;');
	expect(page.text).toMatch(/12 γραμμές: 2 \(2101234567\), 3 .*7 .*8 .*27 .*28/);
	await world.n8n.restart();
	const last = await send(page, 'Να μη σταλεί καμία');
	const faulty = rowsOf(last.downloads[0]!.content);
	expect(faulty).toHaveLength(12);
	expect(Object.keys(faulty[0]!)).toEqual(['Κινητό', 'Μάθημα', 'Βαθμός', 'Τι να διορθώσετε']);

	const corrected = faulty.map((row, index) => ({ ...row, Κινητό: `69002000${String(index).padStart(2, '0')}` }));
	expect((await send(await desk.review(sheetOf('corrected', ...corrected)))).title).toBe('Στάλθηκαν: 12');
	expect(world.sandbox.messages).toHaveLength(12);
}, 180_000);

test(
	'a list is shown as interrupted after n8n was killed, and a later upload of the same list sends the rest, except at most 20 messages',
	async () => {
		const list = grades('Κβαντική', ROWS);
		Object.assign(world.sandbox.trouble, { delayMs: 20 });
		await (await desk.review(sheetOf('killed', ...list))).send(undefined, [answers.send]);
		await reachesMiddle('killed');
		await world.n8n.kill();
		await world.sandbox.settled();
		await world.n8n.database.change(
			`UPDATE ${await tableOf('amka-sms-lists')} SET "updatedAt" = '2026-01-01 00:00:00.000', planned = '2026-01-01 00:00:00.000' WHERE list LIKE 'killed%'`,
		);
		await world.n8n.start();
		expect((await desk.whoGotIt()).text).toMatch(
			new RegExp(
				`killed, \\S+ διακόπηκε: ${el(MIDDLE)} από ${el(ROWS)}\\. Στείλτε αργότερα την ίδια λίστα, μέσα σε μία εβδομάδα: όσα μηνύματα στάλθηκαν δεν θα σταλούν ξανά`,
			),
		);
		const before = world.sandbox.messages.length;
		Object.assign(world.sandbox.trouble, { delayMs: 0 });
		await send(await desk.review(sheetOf('killed', ...list)));
		await until('the rest has been sent', async () => (await desk.listsNamed('killed'))[1]?.state === 'sent', LONG);
		const phones = world.sandbox.messages.map(({ recipient }) => recipient);
		expect(new Set(phones).size).toBe(phones.length);
		// The messages that were claimed when n8n was killed have an unknown outcome. At the speed of the example these are at most 20.
		expect(phones.length).toBeGreaterThanOrEqual(ROWS - 20);
		expect(phones.length).toBeGreaterThan(before);
	},
	LONG,
);

keysStaySecret(world);

import { answers, counts, Desk, grades, outcome, send, sheetOf, sheetPage } from './desk';
import { until } from './n8n';
import { keysStaySecret, useWorld } from './world';

/** Checks the examples of the desk after a stop of n8n between two pages, before the hour of a list, and in the middle of a list. */
const world = useWorld();

let desk: Desk;
beforeAll(async () => {
	desk = await Desk.open(world);
});

/** The duration of a start of n8n on this machine, in milliseconds. */
let startTakes = 0;

test('a list is sent from a review page that was open while n8n restarted', async () => {
	const page = await desk.review(sheetOf('geology', ...grades('Γεωλογία', 2)));
	await world.n8n.stop();
	const before = Date.now();
	await world.n8n.start();
	startTakes = Date.now() - before;
	await send(page);

	await until('both messages are delivered', async () => counts(await desk.whoGotIt())['Παραδόθηκαν'] === 2);
	expect(world.sandbox.messages).toHaveLength(2);
}, 180_000);

test('after a restart of n8n a scheduled list is sent at its hour, and a list whose hour was missed is sent when it is uploaded again', async () => {
	const [list, missed] = [grades('Μετεωρολογία', 3), grades('Ωκεανογραφία', 2)];
	const page = await send(await desk.review(sheetOf('weather', ...list)), answers.tomorrow);
	expect(page.title).toMatch(/^Θα σταλούν στις \d\d\/\d\d\/\d{4}, 09:00$/);
	expect(page.text).toMatch(/Μηνύματα: 3\. Μπορείτε να κλείσετε τη σελίδα/);
	expect(page.links).toEqual([desk.results.url('Who got it'), desk.cancelling.url('Cancel a list')]);
	await send(await desk.review(sheetOf('missed', ...missed)), answers.tomorrow);
	await send(await desk.review(sheetOf('one', list[0]!)));
	expect(world.sandbox.messages).toHaveLength(1);
	await world.n8n.stop();
	const waiting = await world.n8n.query<{ id: number }>(
		`SELECT id FROM execution_entity WHERE status = 'waiting' AND "workflowId" = ? ORDER BY id`,
		desk.sender.id,
	);
	// The first list becomes due after n8n has started. The second list was due while n8n was stopped. At its start, n8n may mark
	// the execution of such a list as crashed, so the test marks it.
	const at = new Date(Date.now() + 2 * startTakes + 5_000).toISOString().replace('T', ' ').replace('Z', '');
	await world.n8n.database.change(`UPDATE execution_entity SET "waitTill" = '${at}' WHERE id = ${waiting[0]!.id}`);
	await world.n8n.database.change(
		`UPDATE execution_entity SET status = 'crashed', "waitTill" = NULL WHERE id = ${waiting[1]!.id}`,
	);
	await world.n8n.start();

	await send(await desk.review(sheetOf('missed', ...missed)));
	await until(
		'all messages are delivered',
		async () => {
			const now = await desk.whoGotIt();
			return counts(now, 'weather')['Παραδόθηκαν'] === 3 && counts(now, 'missed')['Παραδόθηκαν'] === 2;
		},
		90_000,
	);
	expect(world.sandbox.messages).toHaveLength(5);
}, 240_000);

test('a list whose hour came while n8n was stopped is sent after the start, but not to people who texted ΣΤΟΠ', async () => {
	// No other test of this file uses these numbers, because one of these people texts ΣΤΟΠ.
	const [stays, left] = ['6900600000', '6900600001'].map((mobile) => ({
		Κινητό: mobile,
		Μάθημα: 'Σεισμολογία',
		Βαθμός: 5,
	}));
	const planned = await send(await desk.review(sheetOf('seismology', stays!, left!)), answers.tomorrow);
	await desk.leave(left!['Κινητό']);
	await world.n8n.stop();
	const [, day, month, year] = /(\d\d)\/(\d\d)\/(\d{4}), 09:00$/.exec(planned.title)!;
	// Changes the planned hour of the list to an hour that has passed.
	await world.n8n.database.change(
		`UPDATE execution_data SET data = REPLACE(data, '${year}-${month}-${day}T09', '2020-01-02T09')`,
	);
	await world.n8n.database.change(
		`UPDATE execution_entity SET "waitTill" = '2020-01-02 07:00:00.000' WHERE status = 'waiting' AND "workflowId" = '${desk.sender.id}'`,
	);
	await world.n8n.start();

	// n8n resumes the execution before n8n's data tables work. The example waits for them for more than a minute.
	await until('the list is being sent', () => world.sandbox.messages.length > 0, 150_000);
	await until('the messages in the list are sent', () => world.sandbox.inFlight === 0);
	expect(world.sandbox.messages.map(({ recipient }) => recipient)).toEqual([stays!['Κινητό']]);
	const page = await until('the list is delivered', async () => {
		const now = await desk.whoGotIt();
		return counts(now, 'seismology')['Παραδόθηκαν'] === 1 && now;
	});
	expect(counts(page, 'seismology')).toMatchObject({ 'Δεν θέλουν μηνύματα': 1 });
}, 300_000);

test('if n8n is killed in the middle of a list, another upload of the sheet sends the remaining messages, except those of unknown outcome, and the results include the reports that came meanwhile', async () => {
	const list = grades('Αστρονομία', 40);
	// The platform accepts the first ten messages while n8n is stopped.
	Object.assign(world.sandbox.trouble, { delayMs: 3_000, report: 'lost' });
	const page = await desk.review(sheetOf('astronomy', ...list));
	const sent = page.send(undefined, [answers.send]);
	await until('ten messages are in progress', () => world.sandbox.inFlight === 10);
	await world.n8n.kill();
	await sent.catch(() => undefined);
	await until('the ten messages are accepted', () => world.sandbox.messages.length === 10);
	Object.assign(world.sandbox.trouble, { delayMs: 0, report: 'normal' });
	await world.n8n.start();
	for (const { dlrUrl, serviceId, recipient } of [...world.sandbox.messages]) {
		await world.sandbox.call(dlrUrl, { serviceId, recipient, status: 'DELIVRD' });
	}

	const again = await desk.review(sheetOf('astronomy', ...list));
	// The node can't know which claimed messages were not sent. At the speed of the example it claims at most 20 messages at once.
	const toSend = Number(/Μηνύματα που θα σταλούν (\d+)/.exec(again.text)![1]);
	expect(toSend).toBeGreaterThanOrEqual(20);
	expect(again.text).toContain(`Άγνωστο αν έχουν ήδη σταλεί ${40 - toSend}`);
	await send(again);
	const who = await until('all delivery reports are stored', async () => {
		const now = await desk.whoGotIt();
		return counts(now, 'astronomy')['Παραδόθηκαν'] === 10 + toSend && now;
	});
	const phones = world.sandbox.messages.map(({ recipient }) => recipient).sort();
	expect(new Set(phones).size).toBe(phones.length);
	const said = outcome(await sheetPage(who));
	expect(said).toHaveLength(40);
	expect(said.flatMap(([phone, state]) => (state === 'παραδόθηκε' ? [phone] : [])).sort()).toEqual(phones);
	expect(said.filter(([, state]) => state === 'άγνωστο αν στάλθηκε')).toHaveLength(30 - toSend);
}, 240_000);

keysStaySecret(world);

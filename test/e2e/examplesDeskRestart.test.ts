import { answers, counts, Desk, grades, outcome, send, sheetOf } from './desk';
import { until } from './n8n';
import { keysStaySecret, useWorld } from './world';

/** The desk outlives n8n: between two pages, and in the middle of a list. */
const world = useWorld();

let desk: Desk;
beforeAll(async () => {
	desk = await Desk.open(world);
});

test('stopped while the review is open, started, and sent', async () => {
	const page = await desk.review(sheetOf('geology', ...grades('Γεωλογία', 2)));
	await world.n8n.stop();
	await world.n8n.start();
	await send(page);

	await until('both have been delivered', async () => counts(await desk.whoGotIt())['Παραδόθηκαν'] === 2);
	expect(world.sandbox.messages).toHaveLength(2);
}, 180_000);

test('killed in the middle of a list: its reports are written down, the same sheet again sends the rest, each once, and what is said is true', async () => {
	const list = grades('Αστρονομία', 40);
	// The first ten are in progress, and the platform accepts them, while n8n is gone.
	Object.assign(world.sandbox.trouble, { delayMs: 3_000, report: 'lost' });
	const page = await desk.review(sheetOf('astronomy', ...list));
	const sent = page.send(undefined, [answers.send]);
	await until('ten are in progress', () => world.sandbox.inFlight === 10);
	await world.n8n.kill();
	await sent.catch(() => undefined);
	await until('they have been accepted', () => world.sandbox.messages.length === 10);
	Object.assign(world.sandbox.trouble, { delayMs: 0, report: 'normal' });
	await world.n8n.start();
	for (const { dlrUrl, serviceId, recipient } of [...world.sandbox.messages])
		await world.sandbox.call(dlrUrl, { serviceId, recipient, status: 'DELIVRD' });
	await until('their reports are written down', async () => counts(await desk.whoGotIt())['Παραδόθηκαν'] === 10);

	const again = await desk.review(sheetOf('astronomy', ...list));
	// Of what was claimed and not begun, n8n can't know that it was not: at most as many as go out in parallel.
	const toSend = Number(/Messages to be sent (\d+)/.exec(again.text)![1]);
	expect(toSend).toBeGreaterThanOrEqual(20);
	expect(again.text).toContain(`Unknown whether sent; not sent again ${40 - toSend}`);
	const done = await send(again);
	expect(
		outcome(done)
			.map(([, what]) => what)
			.sort(),
	).toEqual([...Array(40 - toSend).fill('άγνωστο / unknown'), ...Array(toSend).fill('στάλθηκε / sent')]);
	await until('all reports are written down', async () => counts(await desk.whoGotIt())['Παραδόθηκαν'] === 10 + toSend);
	const phones = world.sandbox.messages.map(({ recipient }) => recipient).sort();
	expect(new Set(phones).size).toBe(phones.length);
	const table = await desk.table('astronomy');
	expect(table).toHaveLength(40);
	expect(
		table
			.filter(({ state }) => state === 'παραδόθηκε / delivered')
			.map(({ mobile }) => mobile)
			.sort(),
	).toEqual(phones);
	expect(table.filter(({ state }) => state === 'άγνωστο / unknown')).toHaveLength(30 - toSend);
}, 240_000);

keysStaySecret(world);

import { answers, Desk, grades, outcome, send, sheetOf } from './desk';
import { until } from './n8n';
import { keysStaySecret, useWorld } from './world';

/** The life of a list that the office can see and cancel. */
const world = useWorld();

let desk: Desk;
beforeAll(async () => {
	desk = await Desk.open(world);
});

test('offers no list to cancel before the first upload', async () => {
	const page = await desk.openLists();
	expect(page.title).toBe('Καμία λίστα δεν περιμένει');
	expect(page.links).toEqual([desk.results.url('Who got it')]);
});

test('shows a scheduled list, and the office cancels it completely', async () => {
	await send(await desk.review(sheetOf('planned', ...grades('Ιστορία', 3))), answers.tomorrow);
	const page = await desk.whoGotIt();
	expect(page.text).toMatch(/planned, \d\d\/\d\d\/\d{4} προγραμματισμένη για \d\d\/\d\d, 09:00/);

	const cancelled = await desk.cancel('planned');
	expect(cancelled.title).toBe('Η λίστα ακυρώθηκε');
	expect(cancelled.text).toContain('Δεν θα σταλεί κανένα μήνυμα');
	expect((await desk.whoGotIt()).text).toMatch(/planned, \S+ ακυρώθηκε: 0 από 3/);

	// The hour comes now.
	await world.n8n.stop();
	const soon = new Date(Date.now() + 20_000).toISOString().replace('T', ' ').replace('Z', '');
	await world.n8n.database.change(`UPDATE execution_entity SET "waitTill" = '${soon}' WHERE status = 'waiting'`);
	await world.n8n.start();
	await until(
		'the waiting execution has ended',
		async () => {
			const [{ waiting }] = (await world.n8n.query<{ waiting: number }>(
				`SELECT COUNT(*) AS waiting FROM execution_entity WHERE status = 'waiting' AND "workflowId" = ?`,
				desk.sender.id,
			)) as [{ waiting: number }];
			return Number(waiting) === 0;
		},
		150_000,
	);
	expect(world.sandbox.messages).toEqual([]);
	expect(await desk.listsNamed('planned')).toMatchObject([{ state: 'cancelled', sent: 0, done: 0 }]);
}, 240_000);

test('writes down the progress of a list after each part, and a cancelled list stops after the part in progress', async () => {
	const page = await send(await desk.review(sheetOf('long', ...grades('Γλώσσα', 400))));
	expect(page.title).toMatch(/^Στέλνονται από τις/);
	await until('the first part is written down', async () => (await desk.listsNamed('long'))[0]?.done === 100, 60_000);
	expect((await desk.whoGotIt()).text).toMatch(/long, \S+ στέλνεται από τις \d\d\/\d\d, \d\d:\d\d: 100 από 400/);

	const cancelled = await desk.cancel('long');
	expect(cancelled.text).toMatch(/Στάλθηκαν 100, και ίσως σταλούν έως 100 ακόμη/);
	const before = world.sandbox.messages.length;
	await until('the list has ended', async () => Number((await desk.listsNamed('long'))[0]!.done) > 100, 60_000);
	await world.sandbox.settled();

	const sent = world.sandbox.messages.length;
	expect(sent - before).toBeLessThanOrEqual(100);
	expect(await desk.listsNamed('long')).toMatchObject([{ state: 'cancelled', sent, done: sent }]);
	expect((await desk.whoGotIt()).text).toMatch(new RegExp(`long, \\S+ ακυρώθηκε: ${sent} από 400`));
}, 120_000);

test('tries no further part after an outage', async () => {
	world.sandbox.reset();
	Object.assign(world.sandbox.trouble, { answer: '500' });
	const down = await send(await desk.review(sheetOf('down', ...grades('Μουσική', 250))));
	expect(down.title).toBe('Η αποστολή σταμάτησε');
	const unknown = outcome(down).filter(([, state]) => state === 'άγνωστο αν στάλθηκε').length;
	expect(unknown).toBeLessThanOrEqual(30);
	expect(await desk.listsNamed('down')).toMatchObject([{ state: 'stopped', problem: 'serviceDown', done: 100 }]);
	expect((await desk.whoGotIt()).text).toMatch(/down, \S+ διακόπηκε: 0 από 250\. Στείλτε αργότερα την ίδια λίστα/);
	world.sandbox.reset();
	expect((await send(await desk.review(sheetOf('down', ...grades('Μουσική', 250))))).title).toBe(
		`Στάλθηκαν: ${250 - unknown}`,
	);
}, 120_000);

keysStaySecret(world);

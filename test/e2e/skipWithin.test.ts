import type { IDataObject } from 'n8n-workflow';
import { Clock } from './clock';
import { items } from './n8n';
import { rowsUpTo, sendingIn } from './sending';
import { withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

/** How long a message is remembered: a real n8n, whose clock goes on by hours. */
const clock = new Clock();
const world = useWorld(clock.settings);
const { sendNode, taken } = sendingIn(world);
afterEach(() => clock.ahead(0));
afterAll(() => clock.remove());

test.each([
	['where nothing is set, 10', {}, 10],
	['where it is set, 2', { skipWithinHours: 2 }, 2],
])('Skip Within (Hours), %s: skipped for so long at least, sent again after twice that', async (_, options, hours) => {
	const rows = rowsUpTo(3);
	const id = await world.n8n.addWorkflow(withRows(rows, sendNode(options)));
	const runAt = async (ahead: number): Promise<IDataObject[]> => {
		clock.ahead(ahead);
		return items(await world.n8n.executeSaved(id));
	};
	const first = await runAt(0);
	const before = await runAt(0.9 * hours);
	const times = taken(rows);
	const after = await runAt(2.1 * hours);

	expect(first).toMatchObject(rows.map(() => ({ accepted: true })));
	expect(before).toMatchObject(rows.map(() => ({ accepted: false, skipped: true })));
	expect(times).toEqual(rows.map(() => 1));
	expect(after).toMatchObject(rows.map(() => ({ accepted: true })));
	expect(taken(rows)).toEqual(rows.map(() => 2));
	// One message has one name, and what goes out again is another message.
	const references = (list: IDataObject[]): unknown[] => list.map(({ reference }) => reference);
	expect(references(before)).toEqual(references(first));
	expect(references(after)).not.toEqual(references(first));
});

keysStaySecret(world);

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runNode } from './harness/engine';

const usage = (rows: IDataObject[], usageOutput = 'items', options: INodeParameters = {}, timezone = 'Europe/Athens') =>
	runNode({ node: 'smsResults', parameters: { operation: 'usage', usageOutput, options }, timezone }, rows);

/** Returns a row of the messages table. */
const row = (reference: string, state: string, more: IDataObject = {}): IDataObject => ({
	...{ list: 'Βαθμοί', reference, state, recipient: '6900000001', serviceId: 'grades', messageId: 'result' },
	...{ text: 'Γεια σας', segments: 1, attempts: 1, sentAt: '2026-01-20T10:00:00.000Z' },
	...more,
});
const report = (reference: string, status: string): IDataObject => ({
	...{ event: 'deliveryReport', serviceId: 'grades', recipient: '306900000001', reference, status },
	receivedAt: '2026-03-01T10:00:00.000Z',
});
const COUNTED = ['delivered', 'partly', 'notDelivered', 'unknown', 'open'];

describe('Usage', () => {
	it('counts the sent messages of each state, and the counts add up to the number of sent messages', async () => {
		const states = 'delivered partly notDelivered late onItsWay unknown notWanted notSent'.split(' ');
		const rows = states.map((state) => row(state, state, { segments: 2 }));
		const [item, ...more] = (await usage(rows)).json[0]!;
		expect(more).toEqual([]);
		expect(item).toEqual({
			...{ month: '2026-01', serviceId: 'grades', messages: 6, segments: 12, withoutText: 0 },
			...{ delivered: 1, partly: 1, notDelivered: 1, unknown: 1, open: 2 },
		});
		expect(COUNTED.reduce((sum, name) => sum + Number(item![name]), 0)).toBe(6);
	});

	it('counts each attempt to send a message, and an attempt that is in two lists once', async () => {
		const again = row('b', 'onItsWay', { againOf: 'a', attempts: 2 });
		const other = row('a', 'notDelivered', { list: 'Άλλη' });
		const { json } = await usage([row('a', 'notDelivered'), again, other, report('b', 'DELIVRD')]);
		expect(json[0]).toMatchObject([{ messages: 2, notDelivered: 1, delivered: 1, open: 0 }]);
	});

	it('counts a message in the month in which it was sent, in the time zone of the workflow', async () => {
		const atMidnight = [row('a', 'delivered', { sentAt: '2026-01-31T22:30:00.000Z' })];
		expect((await usage(atMidnight)).json[0]).toMatchObject([{ month: '2026-02' }]);
		expect((await usage(atMidnight, 'items', {}, 'UTC')).json[0]).toMatchObject([{ month: '2026-01' }]);
	});

	it('uses the time of the table row if the message has no time', async () => {
		const rows = [row('a', 'unknown', { sentAt: null, createdAt: '2025-12-05T10:00:00.000Z' })];
		expect((await usage(rows)).json[0]).toMatchObject([{ month: '2025-12', unknown: 1 }]);
	});

	it('returns one item for each month and service, the oldest first, linked to its input items', async () => {
		const rows = [
			row('a', 'delivered', { sentAt: '2026-02-03T10:00:00.000Z' }),
			row('b', 'delivered', { serviceId: 'fees' }),
			row('c', 'delivered'),
			row('d', 'delivered'),
		];
		const { json, outputs } = await usage(rows);
		expect(json[0]!.map(({ month, serviceId, messages }) => [month, serviceId, messages])).toEqual([
			['2026-01', 'fees', 1],
			['2026-01', 'grades', 2],
			['2026-02', 'grades', 1],
		]);
		expect(outputs[0]![1]!.pairedItem).toEqual([{ item: 2 }, { item: 3 }]);
	});

	it('counts SMS by the length of the text, and states for how many messages the text is unknown', async () => {
		const long = row('a', 'delivered', { segments: null, text: 'Χαίρετε. '.repeat(10) });
		const { json } = await usage([long, row('b', 'delivered', { segments: null, text: null })]);
		expect(json[0]).toMatchObject([{ messages: 2, segments: 2, withoutText: 1 }]);
	});

	it('reads the output of SMS Send, and does not count rejected messages', async () => {
		const accepted = { accepted: true, reference: 'a', serviceId: 'grades', sentAt: '2026-01-20T10:00:00.000Z' };
		const failed = (outcome: string, reference: string) => ({
			...{ error: 'x', message: 'y' },
			details: { outcome, reference, serviceId: 'grades', sentAt: '2026-01-20T10:00:00.000Z' },
		});
		const { json } = await usage([accepted, failed('unknown', 'b'), failed('rejected', 'c')]);
		expect(json[0]).toMatchObject([{ month: '2026-01', messages: 2, open: 1, unknown: 1, withoutText: 2 }]);
	});

	it('adds new messages to earlier counts from a table', async () => {
		const before = (await usage([row('a', 'delivered'), row('b', 'unknown')])).json[0]!;
		const kept = before.map((item) => ({ ...item, messages: '2', list: 'Βαθμοί', id: 1 }));
		const { json, hints } = await usage([...kept, row('c', 'delivered')]);
		expect(json[0]).toEqual([{ ...before[0], messages: 3, segments: 3, delivered: 2 }]);
		expect(hints).toEqual([]);
	});

	it('returns a page with a table and a total if Output is set to a page', async () => {
		const rows = [
			row('a', 'delivered'),
			row('b', 'unknown', { sentAt: '2026-02-03T10:00:00.000Z', text: null, segments: null }),
		];
		const [item, ...more] = (await usage(rows, 'page')).json[0]!;
		expect(more).toEqual([]);
		expect(item!.html).toBe(
			'<h2>Χρήση</h2><table>' +
				'<tr><td>Μήνας</td><td>Υπηρεσία</td><td>Μηνύματα</td><td>SMS</td><td>Παραδόθηκαν</td></tr>' +
				'<tr><td>01/2026</td><td>grades</td><td><b>1</b></td><td><b>1</b></td><td>1</td></tr>' +
				'<tr><td>02/2026</td><td>grades</td><td><b>1</b></td><td><b>0+</b></td><td>0</td></tr>' +
				'<tr><td>Σύνολο</td><td></td><td><b>2</b></td><td><b>1+</b></td><td>1</td></tr></table>' +
				'<p>Μηνύματα που το κείμενό τους δεν είναι γνωστό: 1. Τα SMS που χρειάστηκαν αυτά τα μηνύματα δεν περιλαμβάνονται στον πίνακα.</p>',
		);
		expect((await usage([{}], 'page', { language: 'en' })).json[0]).toEqual([
			{ html: '<h2>Usage</h2><p>No message has been sent yet.</p>' },
		]);
	});

	it('rejects an unknown output', async () => {
		const run = await usage([row('a', 'delivered')], "={{ 'x' }}");
		expect([run.status, run.error?.message]).toEqual(['error', expect.stringMatching(/^Output/)]);
	});
});

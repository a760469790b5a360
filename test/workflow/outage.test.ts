import { runNode, TestWorkflow } from './harness/engine';
import {
	continuing,
	hintsOf,
	indexOf,
	platform,
	recipients,
	REFUSED,
	rowsUpTo,
	send,
	TAKEN,
	withoutWaits,
	Workflow,
} from './harness/send';
import type { Reply } from './harness/httpServer';

/*
 * A run stops after ten messages, or twice its concurrency, if the service is down, and after one message if the key is rejected.
 * The rejection of a single item has no effect on others.
 */

const reasonsOf = (json: Array<Record<string, unknown>>) =>
	json.map(({ details, accepted }) => (accepted === true ? 'accepted' : (details as { reason: string }).reason));

withoutWaits();

it.each<[string, number, number, Reply]>([
	['always answers HTTP 503', 1, 10, { status: 503 }],
	['breaks every connection', 10, 20, { cut: 'ECONNRESET' }],
])(
	'a platform that %s ends a run with a concurrency of %d after %d items and the items in progress',
	async (_, concurrency, most, reply) => {
		const sent = platform(reply);
		const run = await runNode(send({}, { concurrency }, continuing), rowsUpTo(60));
		expect(sent.length).toBeGreaterThanOrEqual(most);
		expect(sent.length).toBeLessThanOrEqual(most + concurrency);
		const reasons = reasonsOf(run.json[0]!);
		expect(reasons.filter((each) => each === 'unknown')).toHaveLength(sent.length);
		const down = run.json[0]!.filter((_row, index) => reasons[index] === 'serviceDown');
		expect(down).toHaveLength(60 - sent.length);
		const text = expect.any(String) as unknown;
		expect(down[0]).toMatchObject({
			error: 'The SMS service does not answer, so these rows were not sent',
			// Who Got It needs these fields to recognise the message if it is sent later.
			details: { outcome: 'rejected', recipient: text, reference: text, serviceId: 'grades', messageId: 'result' },
		});
		expect(hintsOf(run).join('\n')).toMatch(/\d+ rows were not sent, because the SMS platform does not answer/);
	},
);

it('an outage releases the claims of unsent messages, so that a later run of the list sends each of them once', async () => {
	let isUp = false;
	const sent = platform(() => (isUp ? TAKEN : { status: 503 }));
	const workflow = new TestWorkflow(send({}, { concurrency: 5 }, continuing));
	await workflow.run(rowsUpTo(60));
	const lost = recipients(sent);
	isUp = true;
	const run = await workflow.run(rowsUpTo(60));
	expect(new Set(recipients(sent)).size).toBe(sent.length);
	expect(sent).toHaveLength(60);
	expect(run.json[0]!.filter(({ skipReason }) => skipReason === 'unknown')).toHaveLength(lost.length);
});

it('a run with an unreachable platform ends, and leaves no message unknown, even with equal rows', async () => {
	const sent = platform({ cut: 'ECONNREFUSED' });
	const list = [...rowsUpTo(15), ...rowsUpTo(15).slice(10), ...rowsUpTo(20).slice(15)];
	const run = await runNode(send({}, { concurrency: 5 }, continuing), list);
	expect(new Set(reasonsOf(run.json[0]!))).toEqual(new Set(['notReached', 'serviceDown']));
	expect(new Set(recipients(sent)).size).toBeLessThanOrEqual(15);
});

it('a definite answer of the platform, even a rejection, resets the count of failures that end a run', async () => {
	const sent = platform((each) => (indexOf(each) % 9 === 8 ? REFUSED : { status: 500 }));
	await runNode(send({}, { concurrency: 1 }, continuing), rowsUpTo(50));
	expect(sent).toHaveLength(50);
});

it.each<[string, Reply]>([
	['HTTP 401', { status: 401 }],
	['HTTP 403', { status: 403, body: { errorCode: 'E-7', error: 'x' } }],
	['the error text', { body: { errorCode: 'E-9', error: 'Invalid pre-shared key' } }],
])(
	'a key that is rejected with %s ends a run after the first item, and all items state the key as the cause',
	async (_, reply) => {
		const sent = platform(reply);
		const run = await runNode(send({}, { concurrency: 1 }, continuing), rowsUpTo(30));
		expect(sent).toHaveLength(1);
		expect(new Set(reasonsOf(run.json[0]!))).toEqual(new Set(['setting']));
		expect(new Set(run.json[0]!.map(({ error }) => error)).size).toBe(1);
		expect(run.json[0]![29]).toMatchObject({
			error: expect.stringMatching(/rejected/) as unknown,
			details: { outcome: 'rejected', notice: expect.stringMatching(/δεν δέχεται το κλειδί/) as unknown },
		});
	},
);

it('while the service is down, items that were sent before are still reported as sent', async () => {
	let isUp = true;
	platform(() => (isUp ? TAKEN : { status: 500 }));
	const workflow = new TestWorkflow(send({}, { concurrency: 1 }, continuing));
	await workflow.run(rowsUpTo(40).slice(30));
	isUp = false;
	const run = await workflow.run(rowsUpTo(40));
	expect(run.json[0]!.slice(30)).toMatchObject(Array.from({ length: 10 }, () => ({ skipReason: 'sentBefore' })));
	expect(reasonsOf(run.json[0]!.slice(10, 30))).toEqual(Array.from({ length: 20 }, () => 'serviceDown'));
});

it('a run does not pace items that it no longer tries after an outage', async () => {
	const sent = platform({ status: 500 });
	// Pacing takes less than two seconds for the tried items. For all items it would exceed the time limit of the test.
	const options = { concurrency: 1, messagesPerSecond: 6 };
	expect((await runNode(send({}, options, continuing), rowsUpTo(200))).json[0]).toHaveLength(200);
	expect(sent).toHaveLength(10);
});

it('a run does not pace skipped, excluded or faulty items', async () => {
	const sent = platform();
	const workflow = new Workflow(send({}, {}, continuing));
	await workflow.run(rowsUpTo(3));
	// With pacing, each row would come a thousand seconds after the row before.
	workflow.set({}, { messagesPerSecond: 0.001, doNotSendTo: '6900000003, 6900000004' });
	const rows = rowsUpTo(7).map((row, index) => (index < 5 ? row : { ...row, mobile: '' }));
	const { json } = await workflow.run(rows);
	const reasons = json[0]!.map(({ skipReason, details }) => skipReason ?? (details as { reason: string }).reason);
	expect(reasons).toEqual(
		'sentBefore sentBefore sentBefore doNotSend doNotSend emptyRecipient emptyRecipient'.split(' '),
	);
	expect(sent).toHaveLength(3);
});

it('a platform that answers HTTP 503 with Retry-After ends a run after ten items, each of which was sent three times', async () => {
	const sent = platform({ status: 503, headers: { 'retry-after': '0' } });
	const run = await runNode(send({}, { concurrency: 1 }, continuing), rowsUpTo(30));
	expect(sent).toHaveLength(30);
	expect(reasonsOf(run.json[0]!).filter((reason) => reason === 'serviceDown')).toHaveLength(20);
});

it.each([{ status: 500 }, { cut: 'ECONNREFUSED' }] as Reply[])(
	'the error of an outage (%j) under On Error Stop advises to run the node again, and mentions no rejected rows',
	async (reply) => {
		platform(reply);
		const { error } = await runNode(send({}, { concurrency: 1 }), rowsUpTo(30));
		const { description } = error as unknown as { description: string };
		expect(description).toMatch(
			/20 rows were not sent.*When the platform answers again, run the node again within 10 hours/,
		);
		expect(description).not.toMatch(/refused/);
	},
);

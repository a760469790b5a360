import type { IDataObject, INodeParameters, OnError } from 'n8n-workflow';

import { logLines, processed, runNode, TestWorkflow, type NodeUnderTest } from './engine';
import { serve, type Reply, type Sent } from './wire';

/*
 * Whichever row fails, and whatever n8n does about it: what was taken is not sent again. Counted on the wire, which
 * is what the platform would count.
 */

const BASE = 'https://sms.example.gr:9999';
const OPERATION = `${BASE}/sendSMS`;
const TAKEN: Reply = { body: { serviceId: 'grades', errorCode: '', error: '' } };
const REFUSED: Reply = { body: { serviceId: 'grades', errorCode: 'E-002', error: 'Unknown Service' } };

const mobile = (index: number) => String(6_900_000_000 + index);
const rowsUpTo = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ mobile: mobile(index), name: `row ${index}` }));
const rows = rowsUpTo(3);

const send = (options: INodeParameters = {}, more: Partial<NodeUnderTest> = {}): NodeUnderTest => ({
	node: 'smsSend',
	// The node's own retries are off: they wait, and have tests of their own.
	parameters: { serviceId: 'grades', messageId: 'result', recipient: '={{ $json.mobile }}', options: { retries: 0, ...options } },
	credentials: { smsPlatformApi: { baseUrl: BASE, institution: 'example-university', preSharedKey: 'key' } },
	...more,
});

const recipientOf = (sent: Sent) => String((JSON.parse(sent.body) as IDataObject).recipient);
const indexOf = (sent: Sent) => Number(recipientOf(sent)) - 6_900_000_000;
/** How often each row reached the platform, in the rows' order. */
const counts = (sent: Sent[], of = rows.length) =>
	Array.from({ length: of }, (_, index) => sent.filter((each) => indexOf(each) === index).length);

/** A platform that answers the row `bad` like this, and takes every other. */
const failing = (bad: number, reply: Reply) => serve('POST', OPERATION, (each) => (indexOf(each) === bad ? reply : TAKEN));

// n8n takes a wait of 0 for "not set", which is a second.
const retrying = (onError: OnError) => ({ onError, retryOnFail: true, maxTries: 3, waitBetweenTries: 1 });

describe.each<[string, Reply, 'rejected' | 'unknown']>([
	['is refused by the platform', REFUSED, 'rejected'],
	['finds the connection refused', { cut: 'ECONNREFUSED' }, 'rejected'],
	['meets HTTP 500', { status: 500 }, 'unknown'],
	['loses its connection', { cut: 'ECONNRESET' }, 'unknown'],
	['gets no answer in time', { delayMs: 60_000 }, 'unknown'],
])('a row that %s, three tries of the node', (_, reply, outcome) => {
	const options = { timeout: 1 };
	const details = { outcome };
	/** How often the row that fails is sent, where n8n runs the node three times. */
	const tries = outcome === 'rejected' ? 3 : 1;

	describe.each([0, 1, 2])('row %d', (bad) => {
		const others = rows.filter((_row, index) => index !== bad);
		const once = (index: number) => (index === bad ? tries : 1);

		it('stops the run, one at a time: the rows before it once, the rows after it not', async () => {
			const sent = failing(bad, reply);
			const run = await runNode(send({ ...options, concurrency: 1 }, retrying('stopWorkflow')), rows);
			expect(counts(sent)).toEqual([0, 1, 2].map((index) => (index > bad ? 0 : once(index))));
			expect([run.status, run.outputs]).toEqual(['error', []]);
			expect(run.error).toMatchObject({ context: { itemIndex: bad, details } });
			expect(run.error?.description).toContain(
				[
					'It was item 0; 0 messages were taken, and items 1 to 2 were not tried',
					'It was item 1; 1 message was taken, and item 2 was not tried',
					'It was item 2; 2 messages were taken, and every row was tried',
				][bad],
			);
		});

		it('stops the run, all at once: the other rows finish, and are not sent again', async () => {
			const sent = failing(bad, reply);
			const run = await runNode(send(options, retrying('stopWorkflow')), rows);
			expect(counts(sent)).toEqual([0, 1, 2].map(once));
			expect([run.status, run.outputs]).toEqual(['error', []]);
			expect(run.error).toMatchObject({ context: { itemIndex: bad, details } });
			expect(run.error?.description).toContain(`It was item ${bad}; 2 messages were taken, and every row was tried`);
		});

		// When it goes on, n8n looks at the first item alone to see whether the node failed.
		const onceOrAgain = (index: number) => (bad === 0 ? once(index) : 1);

		it('leaves on the regular output, in its place', async () => {
			const sent = failing(bad, reply);
			const run = await runNode(send(options, retrying('continueRegularOutput')), rows);
			expect(counts(sent)).toEqual([0, 1, 2].map(onceOrAgain));
			expect(run.status).toBe('success');
			expect(run.json).toEqual([
				rows.map(({ mobile: recipient }, index) =>
					index === bad
						? {
								error: expect.any(String) as unknown,
								message: expect.any(String) as unknown,
								details: expect.objectContaining({ ...details, recipient }) as unknown,
							}
						: { accepted: true, serviceId: 'grades', messageId: 'result', recipient },
				),
			]);
			expect(run.origins).toEqual([rows]);
			expect(run.hints.at(-1)?.message).toContain(outcome === 'rejected' ? '2 taken, 1 rejected' : '2 taken, 0 rejected, 1 unknown');
		});

		it('leaves on the error output, with the row it came from', async () => {
			const sent = failing(bad, reply);
			const run = await runNode(send(options, retrying('continueErrorOutput')), rows);
			expect(counts(sent)).toEqual([0, 1, 2].map(onceOrAgain));
			expect(run.status).toBe('success');
			expect(run.json).toEqual([
				others.map(({ mobile: recipient }) => ({ accepted: true, serviceId: 'grades', messageId: 'result', recipient })),
				[
					{
						...rows[bad],
						error: expect.any(String) as unknown,
						message: expect.any(String) as unknown,
						details: expect.objectContaining({ ...details, recipient: mobile(bad) }) as unknown,
					},
				],
			]);
			expect(run.origins).toEqual([others, [rows[bad]]]);
		});
	});
});

describe('a run that stops, with more rows than places', () => {
	const many = rowsUpTo(30);

	/** A platform that leaves the first row waiting until twelve requests came, and then does this to it, so many times. */
	const failingLate = (reply: Reply, times = Infinity) => {
		let came = 0;
		let failed = 0;
		let release: () => void;
		const enough = new Promise<void>((resolve) => {
			release = resolve;
		});
		return serve('POST', OPERATION, async (each) => {
			if (++came === 12) release();
			if (indexOf(each) !== 0) return TAKEN;
			await enough;
			return failed++ < times ? reply : TAKEN;
		});
	};

	it.each<[string, Partial<NodeUnderTest>]>([
		['one try of the node', {}],
		['three tries of the node', retrying('stopWorkflow')],
	])('names exactly the rows that nobody sent (%s)', async (_, more) => {
		const sent = failingLate({ cut: 'ECONNRESET' });
		const run = await runNode(send({ concurrency: 5 }, more), many);
		const received = counts(sent, many.length);
		const firstNotSent = received.indexOf(0);
		expect(received).toEqual(many.map((_row, index) => (index < firstNotSent ? 1 : 0)));
		expect(run.error?.description).toContain(
			`${firstNotSent - 1} messages were taken, and items ${firstNotSent} to 29 were not tried`,
		);
	});

	it('goes on where it was when the refused row is taken at the second try', async () => {
		const sent = failingLate(REFUSED, 1);
		const run = await runNode(send({ concurrency: 5 }, retrying('stopWorkflow')), many);
		expect(run.status).toBe('success');
		expect(counts(sent, many.length)).toEqual(many.map((_row, index) => (index === 0 ? 2 : 1)));
	});
});

describe('the memory of what was sent', () => {
	const skipping = { skipDuplicates: true };
	const claimed = async (workflow: TestWorkflow) =>
		await processed.getProcessedDataCount(
			'node',
			{ workflow: { id: TestWorkflow.ID }, node: { id: workflow.nodeId } } as never,
			{ mode: 'entries' },
		);

	it.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'holds what was taken or is unknown, after three tries of the node and %s',
		async (onError) => {
			const sent = serve('POST', OPERATION, (each) => {
				if (indexOf(each) === 0) return REFUSED;
				return indexOf(each) === 1 ? { cut: 'ECONNRESET' } : TAKEN;
			});
			const workflow = new TestWorkflow(send(skipping, retrying(onError)));
			await workflow.run(rows);
			expect(counts(sent)).toEqual([3, 1, 1]);
			sent.length = 0;
			const second = await workflow.run(rows);
			expect(counts(sent)).toEqual([3, 0, 0]);
			if (onError === 'continueRegularOutput') {
				expect(second.json[0]).toMatchObject([{ details: { outcome: 'rejected' } }, { skipped: true }, { skipped: true }]);
			}
		},
	);

	it('lets the rows that a stopped run did not try be sent by the next', async () => {
		let down = true;
		let thirdCame: () => void;
		const third = new Promise<void>((resolve) => {
			thirdCame = resolve;
		});
		const sent = serve('POST', OPERATION, async (each) => {
			// By then a further block is claimed, whose other row nobody starts.
			if (indexOf(each) === 2) thirdCame();
			if (!down || indexOf(each) !== 1) return TAKEN;
			await third;
			return { cut: 'ECONNREFUSED' };
		});
		const workflow = new TestWorkflow(send({ ...skipping, concurrency: 2 }));
		await workflow.run(rowsUpTo(20));
		down = false;
		const second = await workflow.run(rowsUpTo(20));
		expect(second.status).toBe('success');
		expect(counts(sent, 20)).toEqual(Array.from({ length: 20 }, (_, index) => (index === 1 ? 2 : 1)));
	});

	it('is asked by one run at a time, so that two that begin at once send each row once', async () => {
		const many = rowsUpTo(40);
		const sent = serve('POST', OPERATION, (each) => (indexOf(each) === 7 ? REFUSED : TAKEN));
		const workflow = new TestWorkflow(send({ ...skipping, concurrency: 5 }, { onError: 'continueRegularOutput' }));
		const runs = await Promise.all([workflow.run(many), workflow.run(many)]);
		expect(runs.map(({ status }) => status)).toEqual(['success', 'success']);
		expect(counts(sent, many.length).filter((_count, index) => index !== 7)).toEqual(many.slice(1).map(() => 1));
	});

	it.each([
		'duplicate key value violates unique constraint "PK_ca04b9d8dc72de268fe07a65773"',
		'SQLITE_CONSTRAINT: UNIQUE constraint failed: processed_data.workflowId, processed_data.context',
	])('is looked into where another run has begun it at the same moment: %s', async (message) => {
		const sent = serve('POST', OPERATION, TAKEN);
		jest.spyOn(processed, 'checkProcessedAndRecord').mockRejectedValueOnce(new Error(message));
		const run = await runNode(send(skipping), rows);
		expect(run.status).toBe('success');
		expect(counts(sent)).toEqual([1, 1, 1]);
	});

	it('that n8n could not write stops the run before anything is sent', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		// It may have been written all the same, so a second look would take the rows for sent ones.
		jest.spyOn(processed, 'checkProcessedAndRecord').mockRejectedValueOnce(new Error('Connection terminated'));
		const run = await runNode(send(skipping), rows);
		expect(run.status).toBe('error');
		expect(counts(sent)).toEqual([0, 0, 0]);
	});

	it('that n8n could not write once is written the next time, also for a row with the same message', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		jest.spyOn(processed, 'checkProcessedAndRecord').mockRejectedValueOnce(new Error('Connection terminated'));
		const twice = [rows[0]!, rows[0]!, rows[1]!];
		const run = await runNode(send({ ...skipping, concurrency: 1 }, { onError: 'continueRegularOutput' }), twice);
		expect(run.json[0]).toMatchObject([{ details: { outcome: 'rejected' } }, { accepted: true }, { accepted: true }]);
		expect(counts(sent)).toEqual([1, 1, 0]);
	});

	/** Refuses the first row at the first time. */
	const refusingOnce = () => {
		let refused = false;
		return serve('POST', OPERATION, (each) => {
			if (refused || indexOf(each) !== 0) return TAKEN;
			refused = true;
			return REFUSED;
		});
	};

	it.each([1, 10])('gives a refused row back although one error of the database comes between, %d at once', async (concurrency) => {
		const sent = refusingOnce();
		const workflow = new TestWorkflow(send({ ...skipping, concurrency }, { onError: 'continueRegularOutput' }));
		jest.spyOn(processed, 'removeProcessed').mockRejectedValueOnce(new Error('Connection terminated'));
		const first = await workflow.run(rows);
		expect(first.json[0]).toMatchObject([{ details: { outcome: 'rejected' } }, { accepted: true }, { accepted: true }]);
		expect(first.hints.filter(({ message }) => message.includes('Connection terminated'))).toEqual([]);
		await workflow.run(rows);
		expect(counts(sent)).toEqual([2, 1, 1]);
	});

	it('holds a message that a later row of the run got taken, although giving it back ended in an error halfway', async () => {
		const sent = refusingOnce();
		const { removeProcessed } = processed;
		jest.spyOn(processed, 'removeProcessed').mockImplementationOnce(async (...args) => {
			await removeProcessed.apply(processed, args);
			throw new Error('Connection terminated');
		});
		const workflow = new TestWorkflow(send({ ...skipping, concurrency: 1 }, { onError: 'continueRegularOutput' }));
		await workflow.run([rows[0]!, rows[1]!, rows[0]!]);
		const second = await workflow.run([rows[0]!]);
		expect(second.json[0]).toMatchObject([{ skipped: true }]);
		expect(counts(sent)).toEqual([2, 1, 0]);
	});

	it.each(['continueRegularOutput', 'stopWorkflow'] as const)('that cannot be corrected costs no item and tells the user (%s)', async (onError) => {
		const sent = refusingOnce();
		const remove = jest.spyOn(processed, 'removeProcessed').mockRejectedValue(new Error('Connection terminated'));
		const run = await runNode(send(skipping, { onError }), rows);
		remove.mockRestore();
		expect(counts(sent)).toEqual([1, 1, 1]);
		expect(logLines.join('\n')).toMatch(/warn SMS Send: The messages that were not taken \(1\) .*\(Connection terminated\)/);
		if (onError === 'stopWorkflow') return expect(run.error?.message).toMatch(/E-002/);
		expect(run.json[0]).toMatchObject([{ details: { outcome: 'rejected' } }, { accepted: true }, { accepted: true }]);
		expect(run.hints.at(-1)).toMatchObject({ type: 'warning', message: expect.stringContaining('Skip Duplicates switched off') as unknown });
	});

	it('lets rows be sent once a Base URL that is none is corrected', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		const workflow = new TestWorkflow(send(skipping, { onError: 'continueRegularOutput' }));
		const { credentials } = workflow.spec;
		workflow.spec.credentials = { smsPlatformApi: { ...credentials!.smsPlatformApi, baseUrl: 'sms.example.gr' } };
		const first = await workflow.run(rows);
		expect(first.json[0]).toMatchObject(rows.map(() => ({ details: { outcome: 'rejected' } })));
		workflow.spec.credentials = credentials;
		await workflow.run(rows);
		expect(counts(sent)).toEqual([1, 1, 1]);
	});

	it.each<[string, INodeParameters]>([
		['at full speed', {}],
		['at a limited speed', { messagesPerSecond: 40 }],
	])('is never further ahead of the platform than the places in flight, %s', async (_, options) => {
		let received = 0;
		let furthest = 0;
		const workflow = new TestWorkflow(send({ ...skipping, concurrency: 5, ...options }));
		serve('POST', OPERATION, async () => {
			received++;
			furthest = Math.max(furthest, (await claimed(workflow)) - received);
			return TAKEN;
		});
		const run = await workflow.run(rowsUpTo(40));
		expect(run.status).toBe('success');
		expect(received).toBe(40);
		expect(furthest).toBeLessThanOrEqual(5);
	});
});

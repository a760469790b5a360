import type { INodeParameters } from 'n8n-workflow';

import { logLines, processed, runNode, TestWorkflow } from './harness/engine';
import {
	continuing,
	counts,
	hintsOf,
	indexOf,
	LOST,
	platform,
	REFUSED,
	retrying,
	rowsUpTo,
	send,
	TAKEN,
	withoutWaits,
} from './harness/send';

const REJECTED = { details: { outcome: 'rejected' } };
const BROKEN = new Error('Connection terminated');
const rows = rowsUpTo(3);

describe('the memory of what was sent', () => {
	withoutWaits();

	it.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'holds what was taken or is unknown, after three tries of the node and %s',
		async (onError) => {
			const sent = platform((each) => [REFUSED, LOST, TAKEN][indexOf(each)]!);
			const workflow = new TestWorkflow(send({}, {}, { onError, ...retrying }));
			await workflow.run(rows);
			expect(counts(sent, 3)).toEqual([3, 1, 1]);
			sent.length = 0;
			const second = await workflow.run(rows);
			expect(counts(sent, 3)).toEqual([3, 0, 0]);
			if (onError === 'continueRegularOutput') {
				expect(second.json[0]).toMatchObject([REJECTED, { skipped: true }, { skipped: true }]);
			}
		},
	);

	it('needs no count of what is there: rows that n8n passed on as they came would look as if they were sent', async () => {
		const sent = platform();
		const counting = jest.spyOn(processed, 'getProcessedDataCount').mockRejectedValue(BROKEN);
		const { json } = await runNode(send({}, {}, continuing), rows);
		counting.mockRestore();
		expect(json[0]).toMatchObject([{ accepted: true }, { accepted: true }, { accepted: true }]);
		expect(counts(sent, 3)).toEqual([1, 1, 1]);
	});

	it('lets the rows that a stopped run did not try be sent by the next', async () => {
		let down = true;
		let thirdCame: () => void;
		const third = new Promise<void>((resolve) => {
			thirdCame = resolve;
		});
		const sent = platform(async (each) => {
			// By then a further block is claimed, whose other row nobody starts.
			if (indexOf(each) === 2) thirdCame();
			if (!down || indexOf(each) !== 1) return TAKEN;
			await third;
			return REFUSED;
		});
		const workflow = new TestWorkflow(send({}, { concurrency: 2 }));
		await workflow.run(rowsUpTo(20));
		down = false;
		const second = await workflow.run(rowsUpTo(20));
		expect(second.status).toBe('success');
		expect(counts(sent, 20)).toEqual(Array.from({ length: 20 }, (_, index) => (index === 1 ? 2 : 1)));
	});

	it('that n8n could not write stops the run before anything is sent', async () => {
		const sent = platform();
		const record = jest.spyOn(processed, 'checkProcessedAndRecord').mockRejectedValue(BROKEN);
		const run = await runNode(send(), rows);
		record.mockRestore();
		expect(run.status).toBe('error');
		expect(run.error?.message).toMatch(/list of what was sent can't be used: Connection terminated/);
		expect(counts(sent, 3)).toEqual([0, 0, 0]);
	});

	it.each([false, true])(
		'that n8n could not write once is written the next time, also for a row with the same message (it was written all the same: %s)',
		async (isWritten) => {
			const sent = platform();
			const { checkProcessedAndRecord } = processed;
			jest.spyOn(processed, 'checkProcessedAndRecord').mockImplementationOnce(async (...args) => {
				if (isWritten) await checkProcessedAndRecord.apply(processed, args);
				throw BROKEN;
			});
			const twice = [rows[0]!, rows[0]!, rows[1]!];
			const workflow = new TestWorkflow(send({}, { concurrency: 1 }, continuing));
			const run = await workflow.run(twice);
			// What is found there then may be an earlier run's.
			const [first, again] = isWritten
				? [{ skipReason: 'unknown' }, { skipReason: 'unknown' }]
				: [{ accepted: true }, { skipReason: 'sentBefore' }];
			expect(run.json[0]).toMatchObject([first, again, { accepted: true }]);
			expect((await workflow.run(twice)).json[0]).toMatchObject([again, again, { skipReason: 'sentBefore' }]);
			expect(counts(sent, 3)).toEqual([isWritten ? 0 : 1, 1, 0]);
		},
	);

	it.each(['continueRegularOutput', 'stopWorkflow'] as const)(
		'that cannot be corrected costs no item, tells the user, and is corrected by the next run (%s)',
		async (onError) => {
			let refused = false;
			const sent = platform((each) => {
				if (refused || indexOf(each) !== 0) return TAKEN;
				refused = true;
				return REFUSED;
			});
			const workflow = new TestWorkflow(send({}, {}, { onError }));
			const remove = jest.spyOn(processed, 'removeProcessed').mockRejectedValue(BROKEN);
			const run = await workflow.run(rows);
			remove.mockRestore();
			expect(counts(sent, 3)).toEqual([1, 1, 1]);
			expect(logLines.join('\n')).toMatch(/warn SMS Send: n8n's list of what was sent can't be used/);
			if (onError === 'stopWorkflow') expect(run.error?.message).toMatch(/E-002/);
			else {
				expect(run.json[0]).toMatchObject([REJECTED, { accepted: true }, { accepted: true }]);
				expect(hintsOf(run).at(-1)).toMatch(/^warning: .*skips messages of this run as unknown/);
			}
			expect((await workflow.run(rows)).json[0]).toMatchObject([
				{ accepted: true },
				{ skipReason: 'sentBefore' },
				{ skipReason: 'sentBefore' },
			]);
			expect(counts(sent, 3)).toEqual([2, 1, 1]);
		},
	);

	it.each([
		[1, 3],
		[3, 1],
	])(
		'is changed once for each claim, of as many as go out in parallel (%d), and once at the end: where no row is left, nothing is claimed',
		async (concurrency, claims) => {
			platform();
			jest.restoreAllMocks();
			const record = jest.spyOn(processed, 'checkProcessedAndRecord');
			await runNode(send({}, { concurrency }), rows);
			expect(record).toHaveBeenCalledTimes(claims + 1);
		},
	);

	it('is not counted for a single row: a reply does not wait for a long list', async () => {
		platform();
		const count = jest.spyOn(processed, 'getProcessedDataCount');
		await runNode(send(), rowsUpTo(1));
		expect(count).not.toHaveBeenCalled();
		await runNode(send(), rows);
		expect(count).toHaveBeenCalled();
	});

	it.each<[string, INodeParameters, number]>([
		// Those in hand may be on their way.
		['at full speed', {}, 10],
		['at a limited speed', { messagesPerSecond: 40 }, 5],
	])(
		'is never further ahead of the platform than a block, and leaves no more than three times the places unknown, %s',
		async (_, options, ahead) => {
			let received = 0;
			const furthest = { ahead: 0, unknown: 0 };
			const written = { claims: new Set<unknown>(), sent: new Set<unknown>() };
			jest.restoreAllMocks();
			const { checkProcessedAndRecord } = processed;
			const record = jest.spyOn(processed, 'checkProcessedAndRecord').mockImplementation(async (...args) => {
				const result = await checkProcessedAndRecord.apply(processed, args);
				for (const entry of args[0]) (String(entry).endsWith(' sent') ? written.sent : written.claims).add(entry);
				return result;
			});
			const workflow = new TestWorkflow(send({ rememberFor: 'week' }, { concurrency: 5, ...options }));
			platform(async () => {
				received++;
				furthest.ahead = Math.max(furthest.ahead, written.claims.size / 4 - received);
				furthest.unknown = Math.max(furthest.unknown, (written.claims.size - written.sent.size) / 4);
				return TAKEN;
			});
			const run = await workflow.run(rowsUpTo(40));
			record.mockRestore();
			expect([run.status, run.error?.message]).toEqual(['success', undefined]);
			expect(received).toBe(40);
			expect(furthest.ahead).toBeLessThanOrEqual(ahead);
			expect(furthest.unknown).toBeLessThanOrEqual(15);
		},
	);
});

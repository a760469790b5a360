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

describe('the record of sent messages', () => {
	withoutWaits();

	it.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'contains accepted and unknown messages, but no rejected messages, after three tries of the node under %s',
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

	it('allows sending even if n8n fails to count the entries of its list', async () => {
		const sent = platform();
		const counting = jest.spyOn(processed, 'getProcessedDataCount').mockRejectedValue(BROKEN);
		const { json } = await runNode(send({}, {}, continuing), rows);
		counting.mockRestore();
		expect(json[0]).toMatchObject([{ accepted: true }, { accepted: true }, { accepted: true }]);
		expect(counts(sent, 3)).toEqual([1, 1, 1]);
	});

	it('lets the next run send only the message that was rejected while other messages of its chunk were sent', async () => {
		let down = true;
		let thirdCame: () => void;
		const third = new Promise<void>((resolve) => {
			thirdCame = resolve;
		});
		const sent = platform(async (each) => {
			// The second row is rejected after the request of the third row has arrived. Both rows belong to the same chunk.
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

	it('stops the run before the first message is sent if n8n cannot write the record', async () => {
		const sent = platform();
		const record = jest.spyOn(processed, 'checkProcessedAndRecord').mockRejectedValue(BROKEN);
		const run = await runNode(send(), rows);
		record.mockRestore();
		expect(run.status).toBe('error');
		expect(run.error?.message).toMatch(/list of sent messages can't be used: Connection terminated/);
		expect(counts(sent, 3)).toEqual([0, 0, 0]);
	});

	it.each([false, true])(
		'is written by a retry if a write of n8n fails, and no message is sent twice (failed write was stored: %s)',
		async (isWritten) => {
			const sent = platform();
			const { checkProcessedAndRecord } = processed;
			let failures = 0;
			jest.spyOn(processed, 'checkProcessedAndRecord').mockImplementation(async (...args) => {
				const isClaim = args[0].some((entry) => /^day \d+ [\w-]{43}$/.test(String(entry)));
				if (!isClaim || failures++ > 0) return await checkProcessedAndRecord.apply(processed, args);
				if (isWritten) await checkProcessedAndRecord.apply(processed, args);
				throw BROKEN;
			});
			const twice = [rows[0]!, rows[0]!, rows[1]!];
			const workflow = new TestWorkflow(send({}, { concurrency: 1 }, continuing));
			const run = await workflow.run(twice);
			// If the failed write was stored, its entries may belong to an earlier run, so the outcome is unknown.
			const [first, again] = isWritten
				? [{ skipReason: 'unknown' }, { skipReason: 'unknown' }]
				: [{ accepted: true }, { skipReason: 'sentBefore' }];
			// The third row is in the same chunk as the first row.
			expect(run.json[0]).toMatchObject([first, again, first]);
			expect((await workflow.run(twice)).json[0]).toMatchObject([again, again, again]);
			expect(counts(sent, 3)).toEqual(isWritten ? [0, 0, 0] : [1, 1, 0]);
		},
	);

	it.each(['continueRegularOutput', 'stopWorkflow'] as const)(
		'that n8n fails to correct causes no further error item, is reported in the log, and is corrected by the next run (%s)',
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
			expect(logLines.join('\n')).toMatch(/warn SMS Send: n8n's list of sent messages can't be used/);
			if (onError === 'stopWorkflow') expect(run.error?.message).toMatch(/E-002/);
			else {
				expect(run.json[0]).toMatchObject([REJECTED, { accepted: true }, { accepted: true }]);
				expect(hintsOf(run).at(-1)).toMatch(
					/^warning: .*does not know whether messages of this run were sent, so the next run skips them/,
				);
			}
			expect((await workflow.run(rows)).json[0]).toMatchObject([
				{ accepted: true },
				{ skipReason: 'sentBefore' },
				{ skipReason: 'sentBefore' },
			]);
			expect(counts(sent, 3)).toEqual([2, 1, 1]);
		},
	);

	it('is written once for each chunk of messages, and once at the end', async () => {
		platform();
		jest.restoreAllMocks();
		const workflow = new TestWorkflow(send({}, { concurrency: 1 }));
		await workflow.run(rowsUpTo(1));
		const record = jest.spyOn(processed, 'checkProcessedAndRecord');
		await workflow.run(rowsUpTo(11).slice(1));
		// The ten rows are two chunks.
		expect(record).toHaveBeenCalledTimes(3);
		record.mockClear();
		await workflow.run(rowsUpTo(12).slice(11));
		expect(record).toHaveBeenCalledTimes(2);
	});

	it('has its entries counted only if the run has several items, because the count would delay a single reply', async () => {
		platform();
		const count = jest.spyOn(processed, 'getProcessedDataCount');
		await runNode(send(), rowsUpTo(1));
		expect(count).not.toHaveBeenCalled();
		await runNode(send(), rows);
		expect(count).toHaveBeenCalled();
	});

	it.each<[string, INodeParameters, most: number, entries: number]>([
		['at full speed', { concurrency: 4 }, 20, 19_000],
		['with many recorded messages', { concurrency: 4 }, 100, 20_001],
		['at a limited speed', { concurrency: 5, messagesPerSecond: 5 }, 10, 0],
		['one at a time', { concurrency: 5, messagesPerSecond: 0.9 }, 1, 0],
	])(
		'has claims for at most one chunk of messages that the platform has not received yet: %s',
		async (_, options, most, entries) => {
			let received = 0;
			let ahead = 0;
			jest.restoreAllMocks();
			const claims = new Set<unknown>();
			jest.spyOn(processed, 'getProcessedDataCount').mockResolvedValue(entries);
			const { checkProcessedAndRecord } = processed;
			jest.spyOn(processed, 'checkProcessedAndRecord').mockImplementation(async (...args) => {
				const result = await checkProcessedAndRecord.apply(processed, args);
				for (const entry of result.new) if (/^\w+ \d+ [\w-]{43}$/.test(String(entry))) claims.add(entry);
				return result;
			});
			const workflow = new TestWorkflow(send({}, options));
			platform(async () => {
				ahead = Math.max(ahead, claims.size / 2 - received++);
				return TAKEN;
			});
			const run = await workflow.run(rowsUpTo(most === 1 ? 3 : 2 * Math.max(most, 20)));
			jest.restoreAllMocks();
			expect([run.status, run.error?.message]).toEqual(['success', undefined]);
			expect(ahead).toBeLessThanOrEqual(most);
			expect(ahead).toBeGreaterThan(most / 2);
		},
	);
});

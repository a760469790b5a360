import { ExecuteContext } from 'n8n-core';

import { processed, runNode, TestWorkflow } from './harness/engine';
import { continuing, hintsOf, OPERATION, row, rowsUpTo, send, TAKEN } from './harness/send';
import { serve, type Reply, type Sent } from './harness/wire';

/** A run that somebody can stop. */
function stoppable() {
	const stop = new AbortController();
	jest.spyOn(ExecuteContext.prototype, 'getExecutionCancelSignal').mockReturnValue(stop.signal);
	return stop;
}
afterEach(() => jest.restoreAllMocks());

describe('the summary of a run', () => {
	const refuseThird = ({ body }: Sent): Reply =>
		body.includes('6912345673') ? { body: { errorCode: 'E-9', error: 'User not opted in' } } : TAKEN;

	it('counts what became of the rows, and groups what failed by its reason', async () => {
		serve('POST', OPERATION, refuseThird);
		const rows = [row(1), { ...row(2), mobile: '6.9E9' }, row(3), row(4), { ...row(5), mobile: '6.9E9' }];
		const run = await runNode(send({}, {}, continuing), rows);
		expect(hintsOf(run)).toEqual([
			expect.stringMatching(
				/^warning: 2 accepted, 3 rejected, 0 unknown, 0 skipped\. "6\.9E9" has lost digits, because Excel shortened the number: 2 rows \(row 2, row 5\); The SMS platform refused the message \(E-9: User not opted in\): 1 row \(row 3 \(…\d{3}\)\)$/,
			),
		]);
	});

	it('is no warning where all is well, and no summary at all for one row', async () => {
		serve('POST', OPERATION, TAKEN);
		const hints = hintsOf(await runNode(send(), [row(1), row(2)]));
		expect(hints).toEqual(['info: 2 accepted, 0 rejected, 0 unknown, 0 skipped']);
		expect(hintsOf(await runNode(send(), [row(1)]))).toEqual([]);
	});

	it('warns of what was skipped, and says what alerts and reminders need', async () => {
		serve('POST', OPERATION, TAKEN);
		const workflow = new TestWorkflow(send());
		await workflow.run([row(1), row(2)]);
		const again = await workflow.run([row(1), row(2), row(3)]);
		expect(hintsOf(again)).toEqual([
			'info: 1 accepted, 0 rejected, 0 unknown, 2 skipped',
			expect.stringMatching(/^warning: 2 rows were not sent, because the same message went out before\. .*Send\.$/),
		]);
		expect(hintsOf(await workflow.run([row(1)]))).toEqual([
			'info: 0 accepted, 0 rejected, 0 unknown, 1 skipped',
			expect.stringMatching(/^warning: 1 row was not sent/),
		]);
	});

	it('of a run that stopped names what else failed, once for each reason, and how to go on', async () => {
		serve('POST', OPERATION, { cut: 'ECONNREFUSED' });
		const run = await runNode(send({}, { concurrency: 3 }), rowsUpTo(5));
		expect(run.error?.message).toMatch(/can't be reached/);
		expect(run.error?.description).toMatch(
			/can't be reached \(ECONNREFUSED\): 3 rows \(row 1 \(…\d{3}\), row 2 \(…\d{3}\), row 3 \(…\d{3}\)\)\. 0 accepted, 3 rejected, 0 unknown, 0 skipped, 2 not tried/,
		);
	});

	it('says of an outage nothing that one item did', async () => {
		serve('POST', OPERATION, { status: 500 });
		const run = await runNode(send({}, { concurrency: 1 }), rowsUpTo(5));
		expect(run.error?.description).toMatch(/^(?!.*item).*4 not tried/s);
	});

	it('shows codes and ids of the platform whole', async () => {
		serve('POST', OPERATION, { body: { errorCode: '10000007', error: 'Unknown Service 2026100' } });
		const run = await runNode(send({ serviceId: '2026100' }, {}, continuing), [row(1)]);
		const error = 'The SMS platform refused the message (10000007: Unknown Service 2026100)';
		expect(run.json[0]).toMatchObject([{ error, details: { errorCode: '10000007' } }]);
	});

	it.each<[string, Reply]>([
		['there was no connection', { cut: 'ECONNREFUSED' }],
		['the platform was too busy', { status: 503, headers: { 'retry-after': '60' } }],
	])('a stop while rows wait for another attempt leaves them rejected: %s', async (_, reply) => {
		const stop = stoppable();
		let isUp = false;
		const sent = serve('POST', OPERATION, (_request, index) => {
			// Once it is answered; the first wait is longer.
			if (index === 1) setTimeout(() => stop.abort(), 100);
			return isUp ? TAKEN : reply;
		});
		const workflow = new TestWorkflow(send({}, { concurrency: 2 }, continuing));
		const run = await workflow.run(rowsUpTo(2));
		jest.restoreAllMocks();
		expect(run.json[0]).toMatchObject([1, 2].map(() => ({ details: { outcome: 'rejected' } })));
		isUp = true;
		expect((await workflow.run(rowsUpTo(2))).json[0]).toMatchObject([{ accepted: true }, { accepted: true }]);
		expect(sent).toHaveLength(4);
	});

	it('a stop before a request leaves keeps nothing back from the next run', async () => {
		const stop = stoppable();
		const sent = serve('POST', OPERATION, TAKEN);
		const { checkProcessedAndRecord } = processed;
		jest.spyOn(processed, 'checkProcessedAndRecord').mockImplementationOnce(async (...args) => {
			stop.abort();
			return await checkProcessedAndRecord.apply(processed, args);
		});
		const workflow = new TestWorkflow(send({}, { concurrency: 2 }, continuing));
		await workflow.run(rowsUpTo(2));
		jest.restoreAllMocks();
		expect(sent).toEqual([]);
		expect((await workflow.run(rowsUpTo(2))).json[0]).toMatchObject([{ accepted: true }, { accepted: true }]);
	});

	it('says of a cancelled run how many rows were not tried, and how to go on', async () => {
		const stop = stoppable();
		const sent = serve('POST', OPERATION, (_, index) => {
			if (index === 5) stop.abort();
			return TAKEN;
		});
		const run = await runNode(send({}, { concurrency: 2 }, continuing), rowsUpTo(20));
		jest.restoreAllMocks();
		// A row whose turn came as the run was stopped is rejected; nothing of it left.
		const [, taken, rejected, unknown, notTried] =
			/^warning: (\d+) accepted, (\d+) rejected, (\d+) unknown, 0 skipped, (\d+) not tried/
				.exec(hintsOf(run)[0]!)!
				.map(Number);
		expect([taken! + unknown!, rejected! + notTried!]).toEqual([sent.length, 20 - sent.length]);
		expect(hintsOf(run).join('\n')).toMatch(/Run the node again to go on/);
	});
});

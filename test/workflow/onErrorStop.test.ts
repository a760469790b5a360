import { ExecuteContext } from 'n8n-core';
import type { IWorkflowDataProxyData } from 'n8n-workflow';

import { runNode, TestWorkflow } from './harness/engine';
import { platform, recipients, rowsUpTo, send, TAKEN, withCredential } from './harness/send';

/*
 * Under On Error Stop, n8n's default, a list with faulty rows is not sent at all. advice.test.ts tests how to continue.
 */

it('a list under On Error Stop is sent to its trial recipients, even if it has other recipients', async () => {
	const sent = platform();
	const trial = withCredential({ trialRecipients: '6900000000, 6900000002' });
	const run = await runNode(send({}, {}, trial), rowsUpTo(3));
	expect(recipients(sent).sort()).toEqual(['6900000000', '6900000002']);
	expect(run.error?.description).toMatch(/2 accepted, 1 rejected/);
});

it('the error for faulty rows does not count rows outside the trial as faulty', async () => {
	const sent = platform();
	const trial = withCredential({ trialRecipients: '6900000000' });
	const rows = [...rowsUpTo(2), { ...rowsUpTo(3)[2]!, mobile: '2101234567' }];
	const run = await runNode(send({}, {}, trial), rows);
	expect(run.error?.message).toBe('Nothing was sent: 1 of 3 rows contains an error');
	expect(sent).toEqual([]);
});

it('the error does not say "Nothing was sent" if an earlier attempt sent a message', async () => {
	const sent = platform((_, index) => (index === 2 ? { status: 400 } : TAKEN));
	const workflow = new TestWorkflow(send({}, { concurrency: 1 }));
	const stopped = await workflow.run(rowsUpTo(3));
	const faulty = rowsUpTo(3).map((row, index) => (index === 2 ? { ...row, mobile: '2101234567' } : row));
	const run = await workflow.retry(stopped, faulty);
	expect(run.error?.message).toBe('Nothing more was sent: 1 of 3 rows contains an error');
	expect(sent).toHaveLength(3);
});

it('the error does not say "Nothing was sent" if an earlier batch of a loop was sent', async () => {
	const sent = platform();
	const batch = [...rowsUpTo(1), { ...rowsUpTo(2)[1]!, mobile: '2101234567' }];
	const proxy = { $runIndex: 1 } as unknown as IWorkflowDataProxyData;
	jest.spyOn(ExecuteContext.prototype, 'getWorkflowDataProxy').mockReturnValue(proxy);
	const run = await runNode(send(), batch);
	jest.restoreAllMocks();
	expect(run.error?.message).toBe('Nothing more was sent: 1 of 2 rows contains an error');
	expect(sent).toEqual([]);
});

it('the error does not say "Nothing was sent" if an earlier attempt may have sent a message', async () => {
	const sent = platform((_, index) => (index === 0 ? { status: 500 } : { status: 400 }));
	const workflow = new TestWorkflow(send({}, { concurrency: 1 }));
	const stopped = await workflow.run(rowsUpTo(2));
	const faulty = rowsUpTo(2).map((row, index) => (index === 1 ? { ...row, mobile: '2101234567' } : row));
	const run = await workflow.retry(stopped, faulty);
	expect(run.error?.message).toBe('Nothing more was sent: 1 of 2 rows contains an error');
	expect(run.error?.description).toMatch(/landline.*Correct this row.* It is not known whether 1 row went out\./);
	expect(sent).toHaveLength(2);
});

it('SMS Send yields to the event loop after every tenth row that it reads', async () => {
	const timers = jest.spyOn(global, 'setTimeout');
	let yields: number | undefined;
	// Under On Error Stop all rows are read before the first request.
	platform(() => {
		yields ??= timers.mock.calls.filter(([, milliseconds]) => milliseconds === 0).length;
		return TAKEN;
	});
	await runNode(send(), rowsUpTo(400));
	jest.restoreAllMocks();
	expect(yields).toBeGreaterThanOrEqual(40);
});

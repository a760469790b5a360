import type { IDataObject } from 'n8n-workflow';

import { processed, TestWorkflow } from './harness/engine';
import { continuing, counts, hintsOf, platform, rowsUpTo, send } from './harness/send';

const PERIOD = 10 * 3_600_000;

/**
 * Returns a workflow whose list of processed items is filled.
 * @param pages thousands of entries that count as recorded in this period
 */
async function filledWorkflow(pages: number, spec = send()): Promise<TestWorkflow> {
	const workflow = new TestWorkflow(spec);
	const day = `day ${Math.floor(Date.now() / PERIOD)}`;
	const names = Array.from({ length: pages }, (_, index) => `${day} page ${index + 1}`);
	const entries = [`${day} start`, ...names.flatMap((page) => [page, `${page} opened`])];
	const context = { workflow: { id: workflow.id } } as never;
	await processed.checkProcessedAndRecord(entries, 'workflow', context, { mode: 'entries' });
	return workflow;
}

const endOfNextPeriod = () => {
	const end = new Date((Math.floor(Date.now() / PERIOD) + 2) * PERIOD);
	const parts = new Intl.DateTimeFormat('en-GB', { dateStyle: 'short', timeStyle: 'short', timeZone: 'Europe/Athens' });
	return parts.format(end).replace(',', '');
};

describe('a list that does not fit into the record of sent messages', () => {
	it('is rejected as a whole under On Error Stop, before the first request', async () => {
		const sent = platform();
		const run = await (await filledWorkflow(123)).run(rowsUpTo(3));
		expect(sent).toEqual([]);
		expect(run.error?.message).toMatch(/^The message was not sent, because the memory of sent messages is full/);
		expect(run.error?.description).toMatch(/use the Redis counter .*, or a copy of this workflow for this list/);
	});

	it('is sent as far as it fits under On Error Continue, and the other items are errors', async () => {
		const sent = platform();
		// 123,000 entries can be used, so at most 250 more messages fit.
		const workflow = await filledWorkflow(122, send({}, {}, continuing));
		const { json } = await workflow.run(rowsUpTo(255));
		const refused = json[0]!.filter(({ error }) => error !== undefined);
		expect(refused.length).toBeGreaterThanOrEqual(5);
		expect(refused.length).toBeLessThan(10);
		expect(sent.length + refused.length).toBe(255);
		expect(refused[0]!.details).toMatchObject({ outcome: 'rejected', reason: 'memoryFull' });
		expect(refused[0]!.message).toMatch(
			/Send a list of just the refused rows after that, or now from a copy of this workflow/,
		);
		// The messages that were recorded are still recognised.
		const again = (await workflow.run(rowsUpTo(255))).json[0]!;
		expect(again.filter(({ skipReason }) => skipReason === 'sentBefore')).toHaveLength(sent.length);
		expect(counts(sent, 255).every((times) => times <= 1)).toBe(true);
		// Following the advice of the error, only the rejected items are sent later.
		const rows = rowsUpTo(255).filter((_, index) => json[0]![index]!.error !== undefined);
		const now = Date.now();
		jest.spyOn(Date, 'now').mockReturnValue((Math.floor(now / PERIOD) + 2) * PERIOD);
		await workflow.run(rows);
		jest.restoreAllMocks();
		expect(counts(sent, 255)).toEqual(rowsUpTo(255).map(() => 1));
	});

	it("is reported in the summary of a review, but not in its items for rows, and the summary does not change n8n's list", async () => {
		const workflow = await filledWorkflow(123, send({ operation: 'review' }));
		const before = processed.entries;
		const run = await workflow.run(rowsUpTo(2));
		expect(run.json[0]![0]).toMatchObject({
			listFault: { reason: 'memoryFull', notice: expect.stringContaining(endOfNextPeriod()) as unknown },
			nothing: { reason: 'listFault' },
			faulty: 0,
		});
		expect(hintsOf(run).join()).toMatch(/The message was not sent, because the memory of sent messages is full/);
		expect(processed.entries).toBe(before);
		const asRows = await filledWorkflow(123, send({ operation: 'review', reviewOutput: 'rows' }));
		const { json } = await asRows.run(rowsUpTo(2));
		expect(json[0]).toMatchObject([
			{ messageKey: expect.any(String) as unknown },
			{ messageKey: expect.any(String) as unknown },
		]);
		expect(json[0]![0]).not.toHaveProperty('problem');
	});

	it('is sent as the error advises: now from a copy of the workflow, or later from the same workflow', async () => {
		const sent = platform();
		const workflow = await filledWorkflow(123);
		await workflow.run(rowsUpTo(3));
		await new TestWorkflow(send()).run(rowsUpTo(2));
		expect(counts(sent, 3)).toEqual([1, 1, 0]);
		const now = Date.now();
		jest.spyOn(Date, 'now').mockReturnValue((Math.floor(now / PERIOD) + 2) * PERIOD);
		await workflow.run(rowsUpTo(3));
		expect(counts(sent, 3)).toEqual([2, 2, 1]);
		jest.restoreAllMocks();
	});
});

it('a run and a review state how full the record of sent messages is, if it is at least 80 % full', async () => {
	platform();
	for (const [pages, expected] of [
		[98, false],
		[99, true],
	] as const) {
		for (const operation of ['send', 'review']) {
			const run = await (await filledWorkflow(pages, send({ operation }))).run(rowsUpTo(1));
			expect(/The memory of sent messages is 8\d% full/.test(hintsOf(run).join())).toBe(expected);
		}
	}
});

it('messages with If Already Sent set to Send Again are sent even if the record of sent messages is full', async () => {
	const sent = platform();
	await (await filledWorkflow(123, send({ ifAlreadySent: 'send' }))).run(rowsUpTo(3));
	expect(sent).toHaveLength(3);
});

it('the record of sent messages is full for Remember For a week if messages of Remember For a day have filled it', async () => {
	platform();
	const run = await (await filledWorkflow(123, send({ rememberFor: 'week' }))).run(rowsUpTo(1));
	expect((run.error as unknown as { context: { details: IDataObject } }).context.details.reason).toBe('memoryFull');
});

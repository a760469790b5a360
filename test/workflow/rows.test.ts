import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runNode, TestWorkflow } from './harness/engine';
import {
	accepted,
	continuing,
	expectErrorItem,
	hintsOf,
	LOST,
	platform,
	recipients,
	ROW,
	row,
	rowsUpTo,
	send,
	splitting,
	TAKEN,
} from './harness/send';
import type { Reply, Sent } from './harness/httpServer';

describe('the items of SMS Send', () => {
	const rows = [row(1), { ...ROW, mobile: '6.9E9' }, row(3), row(4)];
	const refuseThird = ({ body }: Sent): Reply =>
		body.includes('6912345673') ? { body: { errorCode: 'E-9', error: 'User not opted in' } } : TAKEN;

	it('keep their order and the links to their input items, even if an answer is late', async () => {
		platform((request, index) => ({ ...refuseThird(request), delayMs: [60, 5, 30][index] ?? 0 }));
		const run = await runNode(send({}, {}, continuing), rows);
		const became = run.json[0]?.map(({ recipient, error }) => recipient ?? (error ? 'failed' : undefined));
		expect(became).toEqual(['6912345671', 'failed', 'failed', '6912345674']);
		expect(run.origins).toEqual([rows]);
	});

	it('leave at the error output if they failed, linked to their input items', async () => {
		platform(refuseThird);
		const run = await runNode(send({}, {}, splitting), rows);
		expect(run.json[0]?.map(({ recipient }) => recipient)).toEqual(['6912345671', '6912345674']);
		expect(run.json[1]).toMatchObject([{ mobile: '6.9E9' }, { mobile: '6912345673', details: { errorCode: 'E-9' } }]);
		const [first, second, third, fourth] = rows;
		expect(run.origins).toEqual([
			[first, fourth],
			[second, third],
		]);
	});

	it.each([
		[{}, 10],
		[{ concurrency: 3 }, 3],
	])('with the options %j have at most %d messages in progress', async (options, most) => {
		let inFlight = 0;
		let highest = 0;
		platform(async () => {
			highest = Math.max(highest, ++inFlight);
			await new Promise((resolve) => setTimeout(resolve, 100));
			inFlight--;
			return TAKEN;
		});
		await runNode(send({}, options), rowsUpTo(30));
		expect(highest).toBe(most);
	});

	it('are paced by Messages per Second, even the first items after a start of n8n', async () => {
		platform();
		const workflow = new TestWorkflow(send({}, { messagesPerSecond: 20 }));
		workflow.restart();
		const times = (await workflow.run(rowsUpTo(4))).json[0]!.map(({ sentAt }) => Date.parse(String(sentAt)));
		expect(times.at(-1)! - times[0]!).toBeGreaterThanOrEqual(130);
	});

	it('cause only one read of the credential', async () => {
		platform();
		const run = await runNode(send(), [row(1), row(2), row(3)]);
		expect(run.decryptions).toEqual(['smsPlatformApi']);
	});

	it('give an empty output if there are none in the input', async () => {
		const run = await runNode(send(), []);
		expect([run.status, run.outputs]).toEqual(['success', []]);
	});

	it('are independent: an option whose expression fails for one item does not affect the others', async () => {
		const sent = platform();
		const reference = "={{ $json.mobile.endsWith('1') ? $('Nowhere').item.json.x : 'r' }}";
		const run = await runNode(send({}, { reference, concurrency: 2 }, continuing), [row(1), row(2), row(3)]);
		expectErrorItem(run.json[0]?.[0], /^Reference can't be read/, { outcome: 'rejected', recipient: '6912345671' });
		expect(recipients(sent).sort()).toEqual(['6912345672', '6912345673']);
		expect(hintsOf(run)[0]).toMatch(/^warning: 2 accepted, 1 rejected/);
	});

	it('are all errors if an option of the whole run fails, and a warning counts them', async () => {
		const sent = platform();
		const options = { concurrency: "={{ $('Nowhere').item.json.x }}" };
		const run = await runNode(send({}, options, continuing), [row(1), row(2)]);
		for (const json of run.json[0]!) expectErrorItem(json, /^Concurrency can't be read/, { outcome: 'rejected' });
		expect(hintsOf(run)).toEqual([
			expect.stringMatching(
				/^warning: 0 accepted, 2 rejected, .*: 2 items \(item 1 \(…\d{3}\), item 2 \(…\d{3}\)\)\. Check the expression in Concurrency$/,
			),
		]);
		expect(sent).toEqual([]);
	});
});

describe('Include Input Fields of SMS Send', () => {
	/** Returns a node whose option Include Input Fields has the default of a new node. */
	const byDefault = (parameters: INodeParameters = {}, more = {}) => {
		const node = send(parameters, {}, more);
		delete (node.parameters!.options as INodeParameters).includeInputFields;
		return node;
	};

	it('is on by default, and puts the columns before the fields of the node, which have precedence', async () => {
		platform();
		const run = await runNode(byDefault(), [
			{ ...ROW, accepted: 'x', error: 'x', name: 'Μαρία', skipped: true, unknown: true, review: true },
			row(2),
		]);
		expect(run.json[0]?.[0]).toEqual({ ...ROW, name: 'Μαρία', ...accepted('6912345678') });
		expect(Object.keys(run.json[0]![1]!).join()).toBe(
			'mobile,course,grade,recipient,accepted,serviceId,messageId,reference,sentAt',
		);
	});

	it('is on by default in a review with Review Output set to rows', async () => {
		const run = await runNode(byDefault({ operation: 'review', reviewOutput: 'rows' }), [row(1)]);
		expect(run.json[0]).toMatchObject([{ ...row(1), review: true }]);
	});

	it('copies no columns if it is off', async () => {
		platform();
		const run = await runNode(send(), [row(2)]);
		expect(run.json[0]).toEqual([accepted('6912345672')]);
	});

	it('copies no columns for an AI agent', async () => {
		platform();
		const run = await runNode(byDefault({}, { asTool: true }), [row(2)]);
		expect(JSON.stringify(run.json)).toContain('6912345672');
		expect(JSON.stringify(run.json)).not.toContain('Φυσική');
	});

	it('copies the columns of a failed item into its details', async () => {
		platform(LOST);
		const rows = [row(1), { ...ROW, mobile: '', error: 'x' }];
		const run = await runNode(byDefault({}, continuing), rows);
		expectErrorItem(run.json[0]?.[0], /./, { outcome: 'unknown', recipient: '6912345671', input: row(1) });
		expectErrorItem(run.json[0]?.[1], /./, { outcome: 'rejected' });
		expect((run.json[0]?.[1]?.details as IDataObject).input).toEqual({ ...ROW, mobile: '' });
		const without = await runNode(send({}, {}, continuing), rows);
		for (const { details } of without.json[0]!) expect(details).not.toHaveProperty('input');
	});
});

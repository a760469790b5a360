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

describe('many items', () => {
	const rows = [row(1), { ...ROW, mobile: '6.9E9' }, row(3), row(4)];
	const refuseThird = ({ body }: Sent): Reply =>
		body.includes('6912345673') ? { body: { errorCode: 'E-9', error: 'User not opted in' } } : TAKEN;

	it('keep their order and origin, even if an answer is late', async () => {
		platform((request, index) => ({ ...refuseThird(request), delayMs: [60, 5, 30][index] ?? 0 }));
		const run = await runNode(send({}, {}, continuing), rows);
		const became = run.json[0]?.map(({ recipient, error }) => recipient ?? (error ? 'failed' : undefined));
		expect(became).toEqual(['6912345671', 'failed', 'failed', '6912345674']);
		expect(run.origins).toEqual([rows]);
	});

	it('split off failed items, linked to their input items', async () => {
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
	])('have with %j at most %d messages in progress', async (options, most) => {
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

	it('are paced as the user sets, also the first ones after a start of n8n', async () => {
		platform();
		const workflow = new TestWorkflow(send({}, { messagesPerSecond: 20 }));
		workflow.restart();
		const times = (await workflow.run(rowsUpTo(4))).json[0]!.map(({ sentAt }) => Date.parse(String(sentAt)));
		expect(times.at(-1)! - times[0]!).toBeGreaterThanOrEqual(130);
	});

	it('read the credential once', async () => {
		platform();
		const run = await runNode(send(), [row(1), row(2), row(3)]);
		expect(run.decryptions).toEqual(['smsPlatformApi']);
	});

	it('are not required: an empty input gives an empty output', async () => {
		const run = await runNode(send(), []);
		expect([run.status, run.outputs]).toEqual(['success', []]);
	});

	it('read run-wide options separately: an item whose option fails affects no other', async () => {
		const sent = platform();
		const reference = "={{ $json.mobile.endsWith('1') ? $('Nowhere').item.json.x : 'r' }}";
		const run = await runNode(send({}, { reference, concurrency: 2 }, continuing), [row(1), row(2), row(3)]);
		expectErrorItem(run.json[0]?.[0], /^Reference can't be read/, { outcome: 'rejected', recipient: '6912345671' });
		expect(recipients(sent).sort()).toEqual(['6912345672', '6912345673']);
		expect(hintsOf(run)[0]).toMatch(/^warning: 2 accepted, 1 rejected/);
	});

	it('all fail if a run-wide option fails, and the hint counts them as a warning', async () => {
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

describe('Include Input Fields', () => {
	/** A node whose option is as in a new node. */
	const byDefault = (parameters: INodeParameters = {}, more = {}) => {
		const node = send(parameters, {}, more);
		delete (node.parameters!.options as INodeParameters).includeInputFields;
		return node;
	};

	it('copies the columns of the item before the fields of the node, which take precedence, by default', async () => {
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

	it('copies the columns of the row into the items of a review by default', async () => {
		const run = await runNode(byDefault({ operation: 'review', reviewOutput: 'rows' }), [row(1)]);
		expect(run.json[0]).toMatchObject([{ ...row(1), review: true }]);
	});

	it('copies nothing if it is switched off', async () => {
		platform();
		const run = await runNode(send(), [row(2)]);
		expect(run.json[0]).toEqual([accepted('6912345672')]);
	});

	it('copies nothing for an AI agent', async () => {
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

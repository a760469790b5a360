import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runNode, TestWorkflow, type NodeUnderTest } from './harness/engine';
import {
	continuing,
	DLR,
	expectErrorItem,
	expectNoKey,
	hintsOf,
	OPERATION,
	recipients,
	ROW,
	row,
	send,
	splitting,
	TAKEN,
} from './harness/send';
import { serve } from './harness/wire';

describe('a dry run', () => {
	it('checks every row, sends nothing, and shows what would be sent', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		const run = await runNode(
			send({ dlrUrl: DLR }, { dryRun: true, messageText: '{α,1}: {β,2}', reference: 'r' }, splitting),
			[row(1), { ...ROW, mobile: '' }, row(2)],
		);
		expect(sent).toEqual([]);
		expect(run.json[0]).toEqual(
			['6912345671', '6912345672'].map((recipient) => ({
				recipient,
				text: 'Φυσική: 8',
				segments: 1,
				accepted: false,
				dryRun: true,
				serviceId: 'grades',
				messageId: 'result',
				reference: 'r',
			})),
		);
		expect(run.json[1]).toMatchObject([{ error: expect.stringMatching(/Recipient/) as unknown }]);
		expect(hintsOf(run)).toEqual([
			expect.stringMatching(
				/^warning: Dry run, nothing was sent: 2 would go out, 1 has a problem, 0 would be skipped\. Recipient is empty: 1 row \(2nd row\)$/,
			),
		]);
		expectNoKey(run);
	});

	it.each<[string, IDataObject[], Partial<NodeUnderTest>, string]>([
		[
			'all of its rows would be skipped',
			[{ ...row(1), test: true }],
			{},
			'info: Dry run, nothing was sent: 0 would go out, 0 have a problem, 1 would be skipped',
		],
		[
			'none of its rows can be read',
			[
				{ ...row(1), mobile: '', test: true },
				{ ...row(2), mobile: '', test: true },
			],
			continuing,
			'warning: Dry run, nothing was sent: 0 would go out, 2 have a problem, 0 would be skipped. Recipient is empty: 2 rows (1st row, 2nd row)',
		],
		[
			'other rows are sent',
			[
				{ ...row(2), test: true },
				{ ...row(3), test: false },
				{ ...row(1), test: false },
			],
			{},
			'info: Dry run of 1 row: 1 would go out, 0 have a problem, 0 would be skipped. 1 accepted, 0 rejected, 0 unknown, 1 skipped',
		],
	])('is called one in its summary where %s', async (_, rows, more, summary) => {
		serve('POST', OPERATION, TAKEN);
		const workflow = new TestWorkflow(send({}, { dryRun: '={{ $json.test ?? false }}' }, more));
		await workflow.run([row(1)]);
		const run = await workflow.run(rows);
		expect(hintsOf(run)[0]).toBe(summary);
		const isSkipped = (item: IDataObject) => item.skipped === true && item.dryRun !== true;
		expect(hintsOf(run).some((hint) => hint.includes('because the same message went out before'))).toBe(
			run.json[0]!.some(isSkipped),
		);
	});

	it('finds everything that a run would', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		const bad: IDataObject[] = [
			{ ...ROW, mobile: '2101234567' },
			{ ...ROW, mobile: '691234567' },
			{ ...ROW, mobile: '6912345678, 6912345679' },
			{ ...ROW, mobile: 'δεν έχει' },
			{ ...ROW, course: '' },
			{ ...ROW, grade: null },
		];
		const run = await runNode(send({}, { dryRun: true }, continuing), bad);
		for (const json of run.json[0]!) expectErrorItem(json, /./, { outcome: 'rejected' });
		expect(run.json[0]).toHaveLength(bad.length);
		expect(sent).toEqual([]);
	});

	it('says which rows would be skipped, and leaves nothing remembered', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		const workflow = new TestWorkflow(send());
		await workflow.run([row(1)]);
		workflow.spec.parameters = send({}, { dryRun: true }).parameters;
		for (let time = 0; time < 2; time++) {
			const rehearsal = await workflow.run([row(1), row(2), row(2)]);
			expect(rehearsal.json[0]).toMatchObject([
				{ accepted: false, skipped: true, dryRun: true },
				{ accepted: false, dryRun: true },
				{ accepted: false, skipped: true, dryRun: true },
			]);
			expect(rehearsal.json[0]?.[1]).not.toHaveProperty('skipped');
		}
		workflow.spec.parameters = send().parameters;
		const real = await workflow.run([row(1), row(2)]);
		expect(real.json[0]).toMatchObject([{ skipped: true }, { accepted: true }]);
		expect(recipients(sent)).toEqual(['6912345671', '6912345672']);
	});

	it('of some rows sends the others', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		const run = await runNode(send({}, { dryRun: '={{ $json.test }}' }), [
			{ ...row(1), test: true },
			{ ...row(2), test: 'false' },
			{ ...row(1), test: false },
		]);
		expect(run.json[0]).toMatchObject([{ dryRun: true }, { accepted: true }, { accepted: true }]);
		expect(recipients(sent).sort()).toEqual(['6912345671', '6912345672']);
	});
});

describe('what keeps messages from going out', () => {
	const guards: Array<[string, INodeParameters, INodeParameters, RegExp]> = [
		['Dry Run', {}, { dryRun: '={{ $json.guard }}' }, /^Dry Run has no value/],
		['If Already Sent', { ifAlreadySent: '={{ $json.guard }}' }, {}, /^If Already Sent has no value/],
	];

	it.each(guards)(
		'is an error where the expression of %s gives nothing: nothing at all is sent',
		async (_, parameters, options, text) => {
			const sent = serve('POST', OPERATION, TAKEN);
			const fine = parameters.ifAlreadySent === undefined ? false : 'send';
			for (const nothing of [undefined, null, '', ' ']) {
				const rows = [
					{ ...row(1), guard: fine },
					{ ...row(2), guard: fine },
					{ ...row(3), guard: nothing as never },
				];
				const run = await runNode(send(parameters, { concurrency: 1, ...options }), rows);
				expect(run.error?.message).toMatch(text);
				expect(run.error?.description).toMatch(/Nothing was sent/);
			}
			expect(sent).toEqual([]);
		},
	);

	it.each(guards)('fails its own row where the run goes on: %s', async (_, parameters, options, text) => {
		const sent = serve('POST', OPERATION, TAKEN);
		const fine = parameters.ifAlreadySent === undefined ? false : 'send';
		const run = await runNode(send(parameters, options, continuing), [{ ...row(1), guard: fine }, row(2)]);
		expect(run.json[0]?.[0]).toMatchObject({ accepted: true });
		expectErrorItem(run.json[0]?.[1], text, { outcome: 'rejected', recipient: '6912345672' });
		expect(recipients(sent)).toEqual(['6912345671']);
	});

	it.each(['no', 'yes', 1, [], {}])('is an error where Dry Run is %j', async (test) => {
		const sent = serve('POST', OPERATION, TAKEN);
		const run = await runNode(send({}, { dryRun: '={{ $json.test }}' }, continuing), [{ ...ROW, test: test as never }]);
		expectErrorItem(run.json[0]?.[0], /^Dry Run must be true or false/, { outcome: 'rejected' });
		expect(sent).toEqual([]);
	});

	it.each(["={{ 'true' }}", '={{ " TRUE " }}', '={{ true }}'])(
		'may be text: Dry Run %s sends nothing',
		async (dryRun) => {
			const sent = serve('POST', OPERATION, TAKEN);
			const run = await runNode(send({}, { dryRun }), [ROW]);
			expect(run.json[0]).toMatchObject([{ dryRun: true }]);
			expect(sent).toEqual([]);
		},
	);
});

import { ExecuteContext } from 'n8n-core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';

import { TestWorkflow, type NodeUnderTest } from './engine';
import { bodyOf, continuing, expectErrorItem, expectNoKey, KEY, OPERATION, ROW, row, send, splitting, TAKEN, UUID } from './send';
import { callResumeAddress } from './webhook';
import { serve, type Reply } from './wire';

describe('send and wait', () => {
	const wait = (options: INodeParameters = {}, more: Partial<NodeUnderTest> = {}, parameters: INodeParameters = {}) =>
		new TestWorkflow(send({ operation: 'sendAndWait', ...parameters }, { reference: 'ref-1', ...options }, more));
	const report = (changes: IDataObject = {}) => ({
		query: { ref: 'ref-1', once: randomUUID() },
		body: { serviceId: 'grades', recipient: '6912345678', status: 'DELIVRD', ...changes },
	});
	const MESSAGE = { serviceId: 'grades', messageId: 'result', recipient: '6912345678', reference: 'ref-1' };
	const pause = async (workflow: TestWorkflow) => {
		const sent = serve('POST', OPERATION, TAKEN);
		const run = await workflow.run([ROW]);
		expect([run.error?.message, run.status]).toEqual([undefined, 'waiting']);
		return { run, sent };
	};

	it('sends once with an address that n8n itself signs, and pauses the run for an hour', async () => {
		const workflow = wait({ reference: 'ref-1' });
		const { run, sent } = await pause(workflow);
		expect(sent).toHaveLength(1);
		const url = new URL(String(bodyOf(sent[0])['dlr-url']));
		expect(url.origin + url.pathname).toBe(
			`https://n8n.example.gr/webhook-waiting/${TestWorkflow.EXECUTION_ID}/${workflow.nodeId}`,
		);
		expect(url.searchParams.get('signature')).toMatch(/^[\da-f]{64}$/);
		const minutes = (Number(run.waitTill) - Date.now()) / 60_000;
		expect(minutes).toBeGreaterThan(59);
		expect(minutes).toBeLessThanOrEqual(60);
		expectNoKey(run);
	});

	it('waits as long as the user says', async () => {
		const { run } = await pause(wait({ maxWaitMinutes: 5 }));
		expect(Math.round((Number(run.waitTill) - Date.now()) / 60_000)).toBe(5);
	});

	it.each<[IDataObject, IDataObject]>([
		[{}, { ...MESSAGE, delivered: true, status: 'DELIVRD' }],
		[{ status: 'ERROR', error: '27' }, { ...MESSAGE, delivered: false, status: 'ERROR', errorCode: '27' }],
		[{ status: 'EXPIRED' }, { ...MESSAGE, delivered: false, status: 'EXPIRED' }],
		[{ recipient: '306912345678' }, { ...MESSAGE, delivered: true, status: 'DELIVRD' }],
	])('goes on when the report %j comes', async (changes, expected) => {
		const workflow = wait({ reference: 'ref-1' });
		const { run, sent } = await pause(workflow);
		const answer = await callResumeAddress(workflow, run, report(changes));
		expect([answer.status, answer.text]).toEqual([200, '{"result":"0","errorCode":"","error":""}']);
		expect(answer.execution?.status).toBe('success');
		expect(answer.execution?.json).toEqual([[expected]]);
		expect(answer.execution?.origins).toEqual([[ROW]]);
		expect(sent).toHaveLength(1);
	});

	it.each([
		['e.papadopoulou', '6912345678'],
		['1003451', '306912345678'],
		['it21100', '+491701234567'],
		['+491701234567', '491701234567'],
		['2101234567', '302101234567'],
		['06912345678', '6912345678'],
		['6912345678', 'e.papadopoulou'],
	])('goes on when a message to %s is reported for %s', async (recipient, reported) => {
		const workflow = wait({}, {}, { recipient });
		const { run } = await pause(workflow);
		const answer = await callResumeAddress(workflow, run, report({ recipient: reported }));
		expect(answer.status).toBe(200);
		expect(answer.execution?.json).toMatchObject([[{ delivered: true, recipient }]]);
	});

	it.each(['error', 'status'])('stores no key that stands in the %s of a report', async (field) => {
		const workflow = wait();
		const { run } = await pause(workflow);
		const answer = await callResumeAddress(workflow, run, report({ status: 'ERROR', [field]: `E 7 ${KEY}` }));
		expect(answer.execution?.status).toBe('success');
		expect(JSON.stringify(answer.execution?.json)).toContain('E 7 •••');
		expectNoKey(answer.execution!);
	});

	it('goes on once when the same report comes twice at the same moment, as n8n 1 would not', async () => {
		const workflow = wait({ reference: 'ref-1' });
		const { run } = await pause(workflow);
		const twice = report();
		const answers = await Promise.all([1, 2].map(async () => await callResumeAddress(workflow, run, twice)));
		expect(answers.map(({ status }) => status)).toEqual([200, 200]);
		expect(answers.filter(({ started }) => started !== undefined)).toHaveLength(1);
	});

	it('goes on waiting when the report of an earlier message comes, as in a loop', async () => {
		const workflow = wait({ reference: 'ref-2' });
		const { run } = await pause(workflow);
		const answer = await callResumeAddress(workflow, run, report());
		expect([answer.status, answer.started]).toEqual([401, undefined]);
	});

	it('goes on with TIMEOUT when none comes', async () => {
		const workflow = wait({ reference: 'ref-1' });
		const { run, sent } = await pause(workflow);
		const after = await workflow.resume(run);
		expect(after.status).toBe('success');
		expect(after.json).toEqual([[{ ...MESSAGE, delivered: false, status: 'TIMEOUT' }]]);
		expect(after.origins).toEqual([[ROW]]);
		expect(sent).toHaveLength(1);
	});

	it.each<[string, unknown, number]>([
		['of another service', report({ serviceId: 'exams' }).body, 401],
		['on another recipient', report({ recipient: '6912345679' }).body, 401],
		['without a status', report({ status: '' }).body, 400],
		['that is none', '[]', 400],
		['that is null', 'null', 400],
		['that is absent', undefined, 400],
	])('goes on waiting when a report comes %s', async (_, body, status) => {
		const workflow = wait();
		const { run } = await pause(workflow);
		const answer = await callResumeAddress(workflow, run, { ...report(), body });
		expect(answer.status).toBe(status);
		expect(answer.json).toMatchObject({ result: '1' });
		expect(answer.started).toBeUndefined();
	});

	it('goes on waiting, and says thanks, when a report is not the last word', async () => {
		const workflow = wait();
		const { run } = await pause(workflow);
		const answer = await callResumeAddress(workflow, run, report({ status: 'SENT' }));
		expect([answer.status, answer.text]).toEqual([200, '{"result":"0","errorCode":"","error":""}']);
		expect(answer.started).toBeUndefined();
	});

	it('takes one item, and sends nothing for more', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		const run = await wait({}, splitting).run([row(1), row(2)]);
		expect(sent).toEqual([]);
		expect(run.status).toBe('success');
		expect(run.json[0]).toEqual([]);
		expect(run.json[1]).toMatchObject([
			{ mobile: '6912345671', details: { outcome: 'rejected' } },
			{ mobile: '6912345672', details: { outcome: 'rejected' } },
		]);
	});

	it.each<[string, INodeParameters, INodeParameters, RegExp]>([
		['a recipient', { recipient: "={{ '' }}" }, {}, /Recipient/],
		['a wait of 0', {}, { maxWaitMinutes: 0 }, /Max Wait/],
		['a wait that is no number', {}, { maxWaitMinutes: "={{ 'x' }}" }, /Max Wait/],
		['a message text', {}, { messageText: '{α,1}' }, /Replacements/],
	])('refuses %s that breaks its rule, and does not wait', async (_, parameters, options, text) => {
		const sent = serve('POST', OPERATION, TAKEN);
		const run = await wait(options, continuing, { recipient: '6912345678', ...parameters }).run([ROW]);
		expect([sent, run.status]).toEqual([[], 'success']);
		expectErrorItem(run.json[0]?.[0], text, { outcome: 'rejected' });
	});

	it.each<[string, Reply, string]>([
		['refused', { body: { errorCode: 'E-002', error: 'Unknown Service' } }, 'rejected'],
		['lost', { cut: 'ECONNRESET' }, 'unknown'],
	])('does not wait for a message that was %s', async (_, reply, outcome) => {
		const sent = serve('POST', OPERATION, reply);
		const run = await wait({ reference: 'ref-1' }, continuing).run([ROW]);
		expect(run.status).toBe('success');
		expectErrorItem(run.json[0]?.[0], /./, { outcome, recipient: '6912345678', reference: 'ref-1' });
		expect(sent).toHaveLength(1);
		expectNoKey(run);
	});

	it.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		"sends a message of unknown outcome once with n8n's Retry On Fail and %s",
		async (onError) => {
			const sent = serve('POST', OPERATION, { cut: 'ECONNRESET' });
			await wait({}, { onError, retryOnFail: true, maxTries: 3, waitBetweenTries: 1 }).run([ROW]);
			expect(sent).toHaveLength(1);
		},
	);

	describe('when n8n cannot put the execution to wait', () => {
		const failing = () => jest.spyOn(ExecuteContext.prototype, 'putExecutionToWait').mockRejectedValueOnce(new Error('the database is down'));
		const retrying = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };

		it.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)('the message is not sent again, and the next try waits (%s)', async (onError) => {
			failing();
			const workflow = wait({ reference: '', maxWaitMinutes: '={{ $json.grade }}', skipDuplicates: true }, { onError, ...retrying });
			const { run, sent } = await pause(workflow);
			expect(sent).toHaveLength(1);
			expect(Math.round((Number(run.waitTill) - Date.now()) / 60_000)).toBe(8);
			const { ref, once } = Object.fromEntries(new URL(String(bodyOf(sent[0])['dlr-url'])).searchParams);
			const answer = await callResumeAddress(workflow, run, { ...report(), query: { ref: ref!, once: once! } });
			expect(answer.execution?.json[0]).toMatchObject([{ delivered: true, reference: ref }]);
		});

		it('without another try the outcome is unknown, and no later run sends it', async () => {
			failing();
			const sent = serve('POST', OPERATION, TAKEN);
			const workflow = wait({ skipDuplicates: true }, splitting);
			const run = await workflow.run([ROW]);
			expect(run.json[0]).toEqual([]);
			expect(run.json[1]).toMatchObject([
				{ ...ROW, error: expect.stringContaining('the database is down') as unknown, details: { outcome: 'unknown', recipient: '6912345678', reference: 'ref-1' } },
			]);
			const second = await workflow.run([ROW]);
			expect(second.json[0]).toMatchObject([{ accepted: false, skipped: true }]);
			expect(sent).toHaveLength(1);
		});
	});

	it('lets a message be sent later that something stopped before', async () => {
		jest.spyOn(ExecuteContext.prototype, 'getSignedResumeUrl').mockImplementationOnce(() => {
			throw new Error('no address');
		});
		const workflow = wait({ skipDuplicates: true, reference: '' }, continuing);
		const sent = serve('POST', OPERATION, TAKEN);
		const first = await workflow.run([ROW]);
		expectErrorItem(first.json[0]?.[0], /no address/, { outcome: 'rejected', recipient: '6912345678', reference: expect.stringMatching(UUID) as never });
		expect((await workflow.run([ROW])).status).toBe('waiting');
		expect(sent).toHaveLength(1);
	});

	it('sends nothing where Dry Run is still set from the operation Send', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		await wait({ dryRun: true }, continuing).run([ROW]);
		expect(sent).toEqual([]);
	});
});


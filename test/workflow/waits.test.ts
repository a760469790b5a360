import { ExecuteContext } from 'n8n-core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { logLines, TestWorkflow } from './harness/engine';
import {
	bodyOf,
	continuing,
	expectErrorItem,
	expectNoKey,
	KEY,
	LOST,
	platform,
	REFUSED,
	retrying,
	ROW,
	row,
	splitting,
	TAKEN,
	withCredential,
} from './harness/send';
import { MESSAGE, pause, report, wait } from './harness/waiting';
import { callResumeAddress, type Call } from './harness/webhook';
import type { Reply } from './harness/httpServer';

const TIMED_OUT = { ...MESSAGE, delivered: false, status: 'TIMEOUT', waitId: expect.any(String) as unknown };

const SUCCESS = '{"result":"0","errorCode":"","error":""}';

/** Runs a node until it waits, and sends a report to its resume URL. @param reply the platform's answer to the message */
async function answered(workflow: TestWorkflow, changes: IDataObject = {}, more: Partial<Call> = {}, reply = TAKEN) {
	const { run, sent } = await pause(workflow, platform(reply));
	return { answer: await callResumeAddress(workflow, run, { ...report(changes), ...more }), sent };
}

describe('Send and Wait', () => {
	it('sends one message with a report URL that n8n has signed, and pauses the execution for an hour', async () => {
		const workflow = wait();
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

	it.each([
		['https://n8n.example.gr/n8n/webhook-waiting', [expect.stringMatching(/under the path \/n8n\/, /)]],
		['https://n8n.example.gr/n8n/waits', [expect.stringMatching(/under the path \/n8n\/, /)]],
		['https://n8n.example.gr/waits', []],
	] as Array<[string, unknown[]]>)(
		'warns that no report can arrive if n8n is under a path, and only then: %s',
		async (webhookWaitingBaseUrl, hints) => {
			const workflow = wait({}, { webhookWaitingBaseUrl });
			const { run } = await pause(workflow);
			expect(run.hints.map(({ message }) => message)).toEqual(hints);
			// n8n drops the hints when the wait ends, so the item has them as a warning.
			const after = await workflow.resume(run);
			const [warning] = hints;
			expect(after.json).toEqual([[{ ...TIMED_OUT, ...(warning !== undefined && { warning }) }]]);
		},
	);

	it('waits as long as Max Wait (Minutes) says', async () => {
		const { run } = await pause(wait({ maxWaitMinutes: 0.5 }));
		const seconds = (Number(run.waitTill) - Date.now()) / 1000;
		expect([seconds > 20, seconds <= 30]).toEqual([true, true]);
	});

	it('continues with TIMEOUT if no report arrives', async () => {
		const workflow = wait();
		const { run, sent } = await pause(workflow);
		const after = await workflow.resume(run);
		expect([after.status, after.json, after.origins]).toEqual(['success', [[TIMED_OUT]], [[ROW]]]);
		expect(sent).toHaveLength(1);
	});

	it('does not use the delivery report URL of the credential', async () => {
		const { sent } = await pause(wait({}, withCredential({ dlrUrl: 'https://n8n.example.gr/webhook/abc/forward' })));
		expect(bodyOf(sent[0])['dlr-url']).toMatch(/^https:\/\/n8n\.example\.gr\/webhook-waiting\//);
	});

	it('accepts only one item: with more items no message is sent, and the run has one error', async () => {
		const sent = platform();
		const stopped = await wait().run([row(1), row(2)]);
		expect(stopped.error).toMatchObject({
			message: expect.stringMatching(/takes one item, but got 2; nothing was sent/),
			description: expect.stringMatching(/Loop Over Items/),
		});
		const run = await wait({}, splitting).run([row(1), row(2)]);
		expect([run.status, run.json[0]]).toEqual(['success', []]);
		const error = expect.stringMatching(/takes one item/) as unknown;
		expect(run.json[1]).toMatchObject([{ error, details: { outcome: 'rejected' } }]);
		expect(sent).toEqual([]);
	});

	it.each<[string, INodeParameters, INodeParameters, RegExp]>([
		['an empty recipient', { recipient: "={{ '' }}" }, {}, /mobile number is missing/],
		['a wait of 0', {}, { maxWaitMinutes: 0 }, /Max Wait/],
	])('rejects %s, and does not wait', async (_, parameters, options, text) => {
		const sent = platform();
		const run = await wait(options, continuing, { recipient: '6912345678', ...parameters }).run([ROW]);
		expect([sent, run.status]).toEqual([[], 'success']);
		expectErrorItem(run.json[0]?.[0], text, { outcome: 'rejected' });
	});

	it('does not wait for a rejected message', async () => {
		const sent = platform(REFUSED);
		const run = await wait({}, continuing).run([ROW]);
		expect(run.status).toBe('success');
		const details = { outcome: 'rejected', recipient: '6912345678', reference: 'ref-1' };
		expectErrorItem(run.json[0]?.[0], /Unknown Service/, details);
		expect(sent).toHaveLength(1);
		expectNoKey(run);
	});

	describe.each<[string, Reply]>([
		['was lost', LOST],
		['is not the documented object', { body: 'ok' }],
		['is HTTP 500', { status: 500 }],
	])('if the answer of the platform %s', (_, reply) => {
		it.each(['ref-1', ''])(
			'waits, and a delivery report gives the message the state delivered (reference "%s")',
			async (reference) => {
				const { answer } = await answered(wait({ reference }), {}, {}, reply);
				const { ref } = report().query;
				expect(answer.execution?.json).toEqual([[{ ...MESSAGE, reference: ref, delivered: true, status: 'DELIVRD' }]]);
				expect(ref).toMatch(/^[\w.-]+$/);
			},
		);

		it('reports an unknown outcome if no report arrives', async () => {
			platform(reply);
			const workflow = wait();
			const after = await workflow.resume(await workflow.run([ROW]));
			const notice = expect.stringMatching(/^Δεν είναι γνωστό/) as unknown;
			expect(after.json).toEqual([[{ ...TIMED_OUT, unknown: true, notice }]]);
		});

		it.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
			"sends the message only once with n8n's Retry On Fail and %s",
			async (onError) => {
				const sent = platform(reply);
				const run = await wait({}, { onError, ...retrying }).run([ROW]);
				expect([sent.length, run.status]).toEqual([1, 'waiting']);
			},
		);
	});

	it('sends the same message again by default, and skips it with If Already Sent set to Skip', async () => {
		const sent = platform();
		const workflow = wait();
		for (let time = 0; time < 2; time++) expect((await workflow.run([ROW])).status).toBe('waiting');
		workflow.spec.parameters = wait({}, {}, { ifAlreadySent: 'skip' }).spec.parameters;
		expect((await workflow.run([ROW])).status).toBe('waiting');
		const skipped = await workflow.run([ROW]);
		expect(skipped.status).toBe('success');
		expect(skipped.json[0]).toMatchObject([{ accepted: false, skipped: true }]);
		expect(sent).toHaveLength(3);
	});

	it('is an error as the tool of an AI agent', async () => {
		const sent = platform();
		const run = await wait({}, { asTool: true }, { recipient: '6912345678' }).run([ROW]);
		expect(run.json[0]?.[0]?.error).toMatch(/AI tool.*nothing was sent/);
		expect(sent).toEqual([]);
	});

	describe('if n8n cannot put the execution to wait', () => {
		const failing = () =>
			jest
				.spyOn(ExecuteContext.prototype, 'putExecutionToWait')
				.mockRejectedValueOnce(new Error('the database is down'));

		it.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
			'does not send the message again in the next try of the node, which waits (%s)',
			async (onError) => {
				failing();
				const options = { reference: '', maxWaitMinutes: '={{ $json.grade }}' };
				const workflow = wait(options, { onError, ...retrying }, { ifAlreadySent: 'skip' });
				const { run, sent } = await pause(workflow);
				expect(sent).toHaveLength(1);
				expect(Math.round((Number(run.waitTill) - Date.now()) / 60_000)).toBe(8);
				const answer = await callResumeAddress(workflow, run, report());
				const { ref } = report().query;
				expect(answer.execution?.json[0]).toMatchObject([{ delivered: true, reference: ref }]);
			},
		);

		it('waits in the next try, even if the node cannot read the credential in that try', async () => {
			jest.spyOn(ExecuteContext.prototype, 'putExecutionToWait').mockImplementationOnce(async () => {
				jest.spyOn(ExecuteContext.prototype, 'getCredentials').mockRejectedValue(new Error('the database is down'));
				throw new Error('the database is down');
			});
			await pause(wait({}, { ...continuing, ...retrying }));
			jest.restoreAllMocks();
		});

		it.each<[string, Reply, RegExp]>([
			['was accepted', TAKEN, /^It is not known whether the accepted message arrives: .*database is down/],
			['has no answer of the platform', LOST, /^It is not known whether the message was sent: .*database is down/],
		])(
			'reports an unknown outcome without Retry On Fail, and a later run does not send a message that %s',
			async (_, reply, error) => {
				failing();
				const sent = platform(reply);
				const workflow = wait({}, splitting, { ifAlreadySent: 'skip' });
				const run = await workflow.run([ROW]);
				expect(run.json[0]).toEqual([]);
				const details = { outcome: 'unknown', recipient: '6912345678', reference: 'ref-1' };
				expect(run.json[1]).toMatchObject([{ ...ROW, error: expect.stringMatching(error) as unknown, details }]);
				const second = await workflow.run([ROW]);
				expect(second.json[0]).toMatchObject([{ accepted: false, skipped: true }]);
				expect(sent).toHaveLength(1);
			},
		);
	});

	it('can send a message in a later run if an error stopped the first run before the message was sent', async () => {
		jest.spyOn(ExecuteContext.prototype, 'getSignedResumeUrl').mockImplementationOnce(() => {
			throw new Error('no address');
		});
		const workflow = wait({ reference: '' }, continuing, { ifAlreadySent: 'skip' });
		const sent = platform();
		const first = await workflow.run([ROW]);
		expectErrorItem(first.json[0]?.[0], /no address/, { outcome: 'rejected', recipient: '6912345678' });
		expect(first.json[0]?.[0]?.details).not.toHaveProperty('reference');
		expect((await workflow.run([ROW])).status).toBe('waiting');
		expect(sent).toHaveLength(1);
	});
});

describe('an execution that waits for its report', () => {
	const GREEK = '6912345678';
	it.each<[string, IDataObject, IDataObject]>([
		[GREEK, {}, { delivered: true, status: 'DELIVRD' }],
		[GREEK, { status: 'ERROR', error: '27' }, { delivered: false, status: 'ERROR', errorCode: '27' }],
		[GREEK, { recipient: '306912345678' }, { delivered: true, status: 'DELIVRD' }],
		[GREEK, { status: ' delivrd' }, { delivered: true, status: ' delivrd' }],
		[GREEK, { recipient: 'e.papadopoulou' }, { delivered: true, status: 'DELIVRD' }],
		['e.papadopoulou', {}, { delivered: true, status: 'DELIVRD' }],
		['+491701234567', { recipient: '491701234567' }, { delivered: true, status: 'DELIVRD' }],
	])('on a message to %s continues when the report %j arrives', async (recipient, changes, expected) => {
		const { answer, sent } = await answered(wait({}, withCredential({ userNames: true }), { recipient }), changes);
		expect([answer.status, answer.text]).toEqual([200, SUCCESS]);
		expect(answer.execution?.status).toBe('success');
		expect(answer.execution?.json).toEqual([[{ ...MESSAGE, recipient, ...expected }]]);
		expect(answer.execution?.origins).toEqual([[ROW]]);
		expect(sent).toHaveLength(1);
	});

	it.each(['error', 'status'])('redacts the key in a report that contains it in the field %s', async (field) => {
		const { answer } = await answered(wait(), { status: 'ERROR', [field]: `E 7 ${KEY}` });
		expect(answer.execution?.status).toBe('success');
		expect(JSON.stringify(answer.execution?.json)).toContain('E 7 •••');
		expectNoKey(answer.execution!);
	});

	it('continues only once if the same report arrives twice at the same moment', async () => {
		const workflow = wait();
		const { run } = await pause(workflow);
		const twice = report();
		const answers = await Promise.all([1, 2].map(async () => await callResumeAddress(workflow, run, twice)));
		expect(answers.map(({ status }) => status)).toEqual([200, 500]);
		expect(answers[1]!.json).toMatchObject({ result: '1', errorCode: 'INTERNAL_ERROR' });
		expect(answers.filter(({ started }) => started !== undefined)).toHaveLength(1);
	});

	it.each(['PUT', 'GET', 'POST'] as const)(
		'continues when the report arrives in the body of a %s request',
		async (method) => {
			const { answer } = await answered(wait(), {}, { method });
			expect(answer.execution?.json).toMatchObject([[{ delivered: true }]]);
		},
	);

	it('continues even if the credential was deleted during the wait', async () => {
		const workflow = wait();
		const { run } = await pause(workflow);
		workflow.spec.credentials = { smsPlatformApi: new Error('Credential with ID "1" does not exist') };
		const answer = await callResumeAddress(workflow, run, report());
		expect(answer.status).toBe(200);
		expect(answer.execution?.json[0]).toEqual([{ ...MESSAGE, delivered: true, status: 'DELIVRD' }]);
	});

	it('does not continue with a report on an earlier message, even with the same reference', async () => {
		const workflow = wait();
		const { sent } = await pause(workflow);
		const earlier = report();
		const { run } = await pause(workflow, sent);
		const ofAnother = { ...report(), query: { ...report().query, ref: 'ref-2' } };
		for (const other of [earlier, ofAnother]) {
			const answer = await callResumeAddress(workflow, run, other);
			expect([answer.status, answer.started]).toEqual([401, undefined]);
		}
		expect((await callResumeAddress(workflow, run, report())).status).toBe(200);
	});

	it.each<[string, IDataObject, object, number]>([
		['on a message of another service', { serviceId: 'exams' }, {}, 401],
		['on another recipient', { recipient: '6912345679' }, {}, 401],
		['without a status', { status: '' }, {}, 400],
		['whose body is a list', {}, { body: '[]' }, 400],
		['without a body', {}, { body: undefined }, 400],
	])('does not continue with a report %s, and logs the refusal', async (_, changes, more, status) => {
		const { answer } = await answered(wait(), changes, more);
		expect(answer).toMatchObject({ status, json: { result: '1' } });
		expect(answer.started).toBeUndefined();
		const line = `^warn Node \\(SMS Send, workflow [\\w-]+\\) refused a request with [A-Z_]+, HTTP ${status}: `;
		expect(logLines).toContainEqual(expect.stringMatching(line));
	});

	it('does not continue with a report that is not final, and answers that it is accepted', async () => {
		const { answer } = await answered(wait(), { status: ' sent' });
		expect([answer.status, answer.text, answer.started]).toEqual([200, SUCCESS, undefined]);
	});
});

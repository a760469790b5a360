import type { IDataObject } from 'n8n-workflow';

import { expectNoKey, KEY, ROW, withCredential } from './harness/send';
import { MESSAGE, pause, report, wait } from './harness/waiting';
import { callResumeAddress } from './harness/webhook';

describe('an execution that waits for its report', () => {
	it.each<[IDataObject, IDataObject]>([
		[{}, { delivered: true, status: 'DELIVRD' }],
		[
			{ status: 'ERROR', error: '27' },
			{ delivered: false, status: 'ERROR', errorCode: '27' },
		],
		[{ recipient: '306912345678' }, { delivered: true, status: 'DELIVRD' }],
		[{ status: ' delivrd' }, { delivered: true, status: ' delivrd' }],
	])('goes on when the report %j comes', async (changes, expected) => {
		const workflow = wait({ reference: 'ref-1' });
		const { run, sent } = await pause(workflow);
		const answer = await callResumeAddress(workflow, run, report(changes));
		expect([answer.status, answer.text]).toEqual([200, '{"result":"0","errorCode":"","error":""}']);
		expect(answer.execution?.status).toBe('success');
		expect(answer.execution?.json).toEqual([[{ ...MESSAGE, ...expected }]]);
		expect(answer.execution?.origins).toEqual([[ROW]]);
		expect(sent).toHaveLength(1);
	});

	it.each([
		['e.papadopoulou', '6912345678'],
		['+491701234567', '491701234567'],
		['6912345678', 'e.papadopoulou'],
	])('goes on when a message to %s is reported for %s', async (recipient, reported) => {
		const workflow = wait({}, withCredential({ userNames: true }), { recipient });
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
		expect(answers.map(({ status }) => status)).toEqual([200, 500]);
		expect(answers[1]!.json).toMatchObject({ result: '1', errorCode: 'INTERNAL_ERROR' });
		expect(answers.filter(({ started }) => started !== undefined)).toHaveLength(1);
	});

	it.each(['PUT', 'GET', 'POST'] as const)(
		'goes on when the report comes by %s, with its fields in the body',
		async (method) => {
			const workflow = wait();
			const { run } = await pause(workflow);
			const answer = await callResumeAddress(workflow, run, { ...report(), method });
			expect(answer.execution?.json).toMatchObject([[{ delivered: true }]]);
		},
	);

	it('goes on although the credential was deleted meanwhile', async () => {
		const workflow = wait();
		const { run } = await pause(workflow);
		workflow.spec.credentials = { smsPlatformApi: new Error('Credential with ID "1" does not exist') };
		const answer = await callResumeAddress(workflow, run, report());
		expect(answer.status).toBe(200);
		expect(answer.execution?.json[0]).toEqual([{ ...MESSAGE, delivered: true, status: 'DELIVRD' }]);
	});

	it('goes on waiting when the report of an earlier message comes, as in a loop', async () => {
		const workflow = wait({ reference: 'ref-2' });
		const { run } = await pause(workflow);
		const answer = await callResumeAddress(workflow, run, report());
		expect([answer.status, answer.started]).toEqual([401, undefined]);
	});

	it('goes on waiting when the report of an earlier message comes that had the same reference', async () => {
		const workflow = wait();
		const { sent } = await pause(workflow);
		const earlier = report();
		const { run } = await pause(workflow, sent);
		expect((await callResumeAddress(workflow, run, earlier)).status).toBe(401);
		expect((await callResumeAddress(workflow, run, report())).status).toBe(200);
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

	it.each(['PENDING', ' sent'])(
		'goes on waiting, and says thanks, when a report is not the last word: %s',
		async (status) => {
			const workflow = wait();
			const { run } = await pause(workflow);
			const answer = await callResumeAddress(workflow, run, report({ status }));
			expect([answer.status, answer.text]).toEqual([200, '{"result":"0","errorCode":"","error":""}']);
			expect(answer.started).toBeUndefined();
		},
	);
});

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { sentence, type Sentence } from '../advice';
import {
	continuing,
	CREDENTIAL,
	OPERATION,
	platform,
	row,
	send,
	TAKEN,
	withCredential,
	withoutWaits,
	Workflow,
} from './harness/send';
import { serve, type Reply, type Sent } from './harness/httpServer';

/* Continues advice.test.ts: a person tells the admin what the notice says, and the admin changes the credential or the node. */

withoutWaits();

const keyed = ({ body }: Sent): Reply => {
	if (body.includes('"pre-shared key":"another"'))
		return { body: { errorCode: 'E-7', error: 'Invalid pre-shared key' } };
	return body.includes('"institution":"not-registered"')
		? { body: { errorCode: 'E-9', error: 'Unauthorized sender address' } }
		: TAKEN;
};
const noticeIn = (items: IDataObject[]) => (items[0]!.details as IDataObject).notice;

describe('advice that visitors pass on to the admin solves the problem', () => {
	const messages = 'grades/result: {course,1} {grade,2}';
	it.each<[advice: Sentence, credential: IDataObject, options: INodeParameters]>([
		['key', { preSharedKey: 'another' }, {}],
		['sender', { institution: 'not-registered' }, {}],
		['address', { baseUrl: `${CREDENTIAL.baseUrl}/other` }, {}],
		['wrongCount', {}, { replacements: '={{ [$json.course] }}' }],
	])('for the advice %s', async (advice, credential, options) => {
		platform(keyed);
		serve('POST', OPERATION.replace('/sendSMS', '/other/sendSMS'), { status: 404 });
		const right = { ...send({}, {}, continuing), ...withCredential({ messages }) };
		const wrong = { ...send({}, options, continuing), ...withCredential({ messages, ...credential }) };
		const workflow = new Workflow(wrong);
		expect(noticeIn((await workflow.run([row(1)])).json[0]!)).toMatch(sentence(advice));
		Object.assign(workflow.spec, right);
		expect((await workflow.run([row(1)])).json[0]).toMatchObject([{ accepted: true }]);
	});
});

describe('the same message is sent later, as advised', () => {
	it.each<[string, Reply]>([
		['HTTP 429', { status: 429 }],
		['HTTP 503', { status: 503, headers: { 'retry-after': '0' } }],
	])('after %s', async (_, reply) => {
		let isBusy = true;
		platform(() => (isBusy ? reply : TAKEN));
		const workflow = new Workflow(send({}, {}, continuing));
		expect(noticeIn((await workflow.run([row(1)])).json[0]!)).toMatch(sentence('busySending'));
		isBusy = false;
		expect((await workflow.run([row(1)])).json[0]).toMatchObject([{ accepted: true }]);
	});
});

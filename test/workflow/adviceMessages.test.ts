import type { IDataObject, INodeParameters } from 'n8n-workflow';

import * as list from '../../nodes/Sms/memory/list';
import { REMEMBERED } from '../../nodes/Sms/memory/list';
import { sentence, type Sentence } from '../advice';
import { processed } from './harness/engine';
import {
	continuing,
	CREDENTIAL,
	hintsOf,
	OPERATION,
	platform,
	recipients,
	row,
	rowsUpTo,
	send,
	TAKEN,
	withCredential,
	withoutWaits,
	Workflow,
} from './harness/send';
import { serve, type Reply, type Sent } from './harness/wire';

/* The rest of advice.test.ts: what people are to tell the admin, and what the admin then does. */

withoutWaits();

const keyed = ({ body }: Sent): Reply => {
	if (body.includes('"pre-shared key":"another"'))
		return { body: { errorCode: 'E-7', error: 'Invalid pre-shared key' } };
	return body.includes('"institution":"not-registered"')
		? { body: { errorCode: 'E-9', error: 'Unauthorized sender address' } }
		: TAKEN;
};
const noticeIn = (items: IDataObject[]) => (items[0]!.details as IDataObject).notice;

describe('what the admin is told through people, once it is set right', () => {
	const messages = 'grades/result: {course,1} {grade,2}';
	it.each<[advice: Sentence, credential: IDataObject, options: INodeParameters]>([
		['key', { preSharedKey: 'another' }, {}],
		['sender', { institution: 'not-registered' }, {}],
		['address', { baseUrl: `${CREDENTIAL.baseUrl}/other` }, {}],
		['wrongCount', {}, { replacements: '={{ [$json.course] }}' }],
	])('%s', async (advice, credential, options) => {
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

describe('the same is sent later, as it says', () => {
	it.each<[string, Reply]>([
		['HTTP 429', { status: 429 }],
		['HTTP 503', { status: 503, headers: { 'retry-after': '0' } }],
	])('%s', async (_, reply) => {
		let isBusy = true;
		platform(() => (isBusy ? reply : TAKEN));
		const workflow = new Workflow(send({}, {}, continuing));
		expect(noticeIn((await workflow.run([row(1)])).json[0]!)).toMatch(sentence('busySending'));
		isBusy = false;
		expect((await workflow.run([row(1)])).json[0]).toMatchObject([{ accepted: true }]);
	});
});

it('a list longer than what is remembered goes out twice as a whole, and once in parts as it says', async () => {
	const sent = platform();
	// Four entries for each message.
	jest.replaceProperty(list as { MOST_ENTRIES: number }, 'MOST_ENTRIES', 80);
	jest.replaceProperty(REMEMBERED, 'day', 20);
	const workflow = new Workflow(send({}, { concurrency: 1 }));
	const twice = async (rows: IDataObject[]) => {
		for (let times = 0; times < 2; times++) await workflow.run(rows);
		return sent.splice(0).length;
	};
	const rows = rowsUpTo(30);
	const [item] = (await new Workflow(send({ operation: 'review' })).run(rows)).json[0]!;
	expect((item!.doubts as IDataObject[])[0]!.notice).toMatch(sentence('moreThanRemembered'));
	expect(await twice(rows)).toBeGreaterThan(30);
	processed.clear();
	expect([await twice(rows.slice(0, 20)), await twice(rows.slice(20))]).toEqual([20, 10]);
	// And no part again after the next one.
	expect(await twice(rows.slice(0, 20))).toBeGreaterThan(0);
});

it('after a list that was too long it is not sent again, and the next one goes in parts, once each, as it says', async () => {
	const sent = platform();
	jest.replaceProperty(list as { MOST_ENTRIES: number }, 'MOST_ENTRIES', 80);
	jest.replaceProperty(REMEMBERED, 'day', 20);
	const workflow = new Workflow(send({}, { concurrency: 1 }));
	const all = rowsUpTo(60);
	const [tooLong, next] = [all.slice(0, 30), all.slice(30)];
	expect(hintsOf(await workflow.run(tooLong)).join(' ')).toContain('Do not send it again');
	for (const part of [next.slice(0, 20), next.slice(20)])
		for (let times = 0; times < 2; times++) await workflow.run(part);
	expect(recipients(sent)).toEqual(all.map(({ mobile }) => mobile));
	// Against the advice: its first recipients get it again.
	await workflow.run(tooLong);
	expect(sent.length).toBeGreaterThan(60);
});

import type { IDataObject } from 'n8n-workflow';

import { expectIgnored, expectRefusal, expectStarted, forward, report, signed, trigger } from './calls';

describe('an SMS forward that comes again', () => {
	it('is answered as a success and starts nothing, whatever else changed in it', async () => {
		const node = trigger();
		expectStarted(await node.call(forward({ 'sms-forward-id': '4711' })));
		expectIgnored(await node.call(forward({ 'sms-forward-id': '4711' })));
		expectIgnored(await node.call(forward({ 'sms-forward-id': 4711, body: 'άλλο' })));
		expectStarted(await node.call(forward({ 'sms-forward-id': '4712' })));
	});

	it.each([undefined, null, '', ' ', '\u200b'])('is not known by the id %j', async (id) => {
		const node = trigger();
		for (let i = 0; i < 2; i++) expectStarted(await node.call(forward({ 'sms-forward-id': id as never })));
	});

	it('is known until n8n restarts', async () => {
		const node = trigger();
		const call = forward();
		expectStarted(await node.call(call));
		expectIgnored(await node.call(call));
		node.restart();
		expectStarted(await node.call(call));
	});

	it.each<[string, IDataObject]>([
		['number', { MSISDN: '6912345679' }],
		['keyword', { keyword: 'ΒΑΘΜΟΣ' }],
		['id', { 'sms-forward-id': '4712' }],
	])('is another one with another %s', async (_, changes) => {
		const node = trigger();
		for (const each of [{}, changes]) expectStarted(await node.call(forward({ 'sms-forward-id': '4711', ...each })));
	});

	it('is told to call again while the first is under way, and starts nothing', async () => {
		const node = trigger();
		const call = forward();
		const answers = await Promise.all([node.call(call), node.call(call), node.call(call)]);
		expectStarted(answers.find(({ started }) => started)!);
		const repeats = answers.filter(({ started }) => !started);
		expect(repeats).toHaveLength(2);
		for (const repeat of repeats) expectRefusal(repeat, 500, 'INTERNAL_ERROR');
		expectIgnored(await node.call(call));
	});

	it('starts the workflow each time while somebody tests in the editor', async () => {
		const node = trigger();
		const call = { ...forward(), test: true };
		for (let i = 0; i < 2; i++) expectStarted(await node.call(call));
	});

	it('is not a duplicate of one that was refused', async () => {
		const node = trigger({ keywords: 'ΒΑ' });
		expectRefusal(await node.call(forward({ 'sms-forward-id': '1', 'pre-shared key': 'x' })), 401, 'INVALID_KEY');
		expectRefusal(await node.call(forward({ 'sms-forward-id': '1', keyword: 'Γ' })), 200, 'UNKNOWN_KEYWORD');
		expectRefusal(await node.call(forward({ 'sms-forward-id': '1', MSISDN: '' })), 400, 'INVALID_REQUEST');
		expectStarted(await node.call(forward({ 'sms-forward-id': '1' })));
	});

	it('gets through when n8n could not record the first', async () => {
		const node = trigger();
		const call = forward();
		const lost = await node.call({ ...call, unrecorded: true });
		expect([lost.status, lost.started]).toEqual([500, undefined]);
		expectStarted(await node.call(call));
		expectIgnored(await node.call(call));
	});

	it("overwrites nothing that the workflow saves in its static data at the same moment: that is the workflow's own", async () => {
		const node = trigger();
		const call = node.call(forward());
		node.staticData = { global: { unsubscribed: ['6912345678'] } };
		expectStarted(await call);
		expect(node.staticData).toEqual({ global: { unsubscribed: ['6912345678'] } });
	});
});

describe('a delivery report that comes again', () => {
	it('starts once for each message and status', async () => {
		const node = trigger();
		const query = signed('grades', 'r-1', { mid: 'm-1' });
		expectStarted(await node.call(report({ status: 'SENT' }, query)));
		expectStarted(await node.call(report({ status: 'DELIVRD' }, query)));
		expectIgnored(await node.call(report({ status: 'DELIVRD' }, query)));
		for (const status of [' delivrd', 'Delivered']) expectIgnored(await node.call(report({ status }, query)));
		const later = Math.floor(Date.now() / 1000) + 500;
		expectIgnored(await node.call(report({ status: 'SENT' }, signed('grades', 'r-1', { mid: 'm-1', exp: later }))));
		expectIgnored(await node.call(report({ status: 'SENT' }, signed('grades', 'r-2', { mid: 'm-1' }))));
		expectStarted(await node.call(report({ status: 'SENT' }, signed('grades', 'r-1', { mid: 'm-2' }))));
	});

	it('starts for every message of a reference that repeats, as a student number does', async () => {
		const node = trigger();
		for (let message = 0; message < 3; message++)
			expectStarted(await node.call(report({}, signed('grades', 'student 17'))));
	});

	it('without a signature is never a duplicate', async () => {
		const node = trigger({ acceptUnsignedReports: true });
		for (let i = 0; i < 2; i++) expectStarted(await node.call(report({}, {})));
	});

	it('is not compared with forwards', async () => {
		const node = trigger();
		expectStarted(await node.call(forward({ 'sms-forward-id': 'same', MSISDN: 'DELIVRD' })));
		expectStarted(await node.call(report({}, signed('grades', 'same', { mid: 'same' }))));
	});
});

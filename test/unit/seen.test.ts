import type { IDataObject } from 'n8n-workflow';

import { claimUnseen } from '../../nodes/Sms/receive/seen';
import { call } from './call';

/** Accepts an event, as n8n does after it has recorded the execution. @returns the static data as n8n saves it */
function take(node: string, key: string, staticData: IDataObject = {}): IDataObject {
	const one = call(node, { staticData: structuredClone(staticData) });
	const claim = claimUnseen(one.context, { message: key });
	if (claim.state !== 'first') throw new Error(`The event is ${claim.state}`);
	claim.accept();
	one.answer(200);
	return one.staticData;
}

/** How a process that knows nothing but the static data meets an event: the place in it is that of `node`. */
function afterRestart(node: string, key: string | { message: string; status: string }, staticData: IDataObject) {
	jest.resetModules();
	const fresh = require('../../nodes/Sms/receive/seen') as typeof import('../../nodes/Sms/receive/seen');
	return fresh.claimUnseen(
		call(node, { staticData: structuredClone(staticData) }).context,
		typeof key === 'string' ? { message: key } : key,
	).state;
}

describe('claimUnseen', () => {
	it("knows after a restart what was accepted, by the node's id", () => {
		const staticData = take('stored', 'event 1');
		expect(afterRestart('stored', 'event 1', staticData)).toBe('accepted');
		expect(afterRestart('stored', 'event 2', staticData)).toBe('first');
		expect(afterRestart('another node', 'event 1', staticData)).toBe('first');
	});

	it('stores nothing of what is only claimed, or was answered without being stored', () => {
		const one = call('claimed');
		claimUnseen(one.context, { message: 'event 1' });
		one.answer(200);
		expect(one.staticData).toEqual({});
		expect(claimUnseen(call('claimed').context, { message: 'event 1' }).state).toBe('accepted');
	});

	it('stores what other requests brought meanwhile, so that none overwrites the other', () => {
		const [one, two] = [call('merged'), call('merged')];
		const claims = [claimUnseen(one.context, { message: 'event 1' }), claimUnseen(two.context, { message: 'event 2' })];
		for (const claim of claims) if (claim.state === 'first') claim.accept();
		for (const key of ['event 1', 'event 2']) expect(afterRestart('merged', key, two.staticData)).toBe('accepted');
	});

	it("leaves alone what others keep in the workflow's data", () => {
		const others = { counter: 1, 'smsTrigger other': ['abc'] };
		expect(take('beside others', 'event 1', others)).toMatchObject(others);
	});

	it('does not stumble over what it did not write itself', () => {
		expect(take('odd', 'event 1', { 'smsTrigger odd': 'text' })).toEqual({
			'smsTrigger odd': [expect.stringMatching(/^[\w-]{12}$/)],
		});
	});

	it('stores the last 500 events, as hashes', () => {
		let staticData: IDataObject = {};
		for (let i = 0; i < 600; i++) staticData = take('bounded', `secret-${i}`, staticData);
		expect(staticData['smsTrigger bounded']).toHaveLength(500);
		expect(JSON.stringify(staticData)).not.toContain('secret');
		expect(afterRestart('bounded', 'secret-599', staticData)).toBe('accepted');
		expect(afterRestart('bounded', 'secret-0', staticData)).toBe('first');
	});

	it('counts the statuses of one message over a restart, so that they displace no other event', () => {
		let staticData = take('statuses', 'a forward');
		for (let i = 0; i < 600; i++) {
			const one = call('statuses', { staticData: structuredClone(staticData) });
			const claim = claimUnseen(one.context, { message: 'm', status: String(i) });
			if (claim.state === 'first') claim.accept();
			one.answer(200);
			staticData = one.staticData;
		}
		expect(staticData['smsTrigger statuses']).toHaveLength(1 + 8);
		expect(afterRestart('statuses', 'a forward', staticData)).toBe('accepted');
		expect(afterRestart('statuses', { message: 'm', status: 'another' }, staticData)).toBe('accepted');
		expect(afterRestart('statuses', { message: 'another', status: '1' }, staticData)).toBe('first');
	});

	it('remembers nothing while somebody tests in the editor', () => {
		const manual = call('manual', { mode: 'manual' });
		for (let i = 0; i < 2; i++) {
			const claim = claimUnseen(manual.context, { message: 'event 1' });
			if (claim.state === 'first') claim.accept();
			expect([claim.state, manual.staticData]).toEqual(['first', {}]);
		}
	});
});

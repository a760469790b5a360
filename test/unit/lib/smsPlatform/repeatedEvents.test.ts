import { claimEvent } from '../../../../lib/smsPlatform/repeatedEvents';
import { call } from '../../call';

/** Claims an event for a new request to the node. */
const next = (node: string, key = 'an event') => claimEvent(call(node).context, { message: key });

describe('claimEvent', () => {
	it('gives an event to only one of two simultaneous requests', () => {
		expect([next('at once'), next('at once'), next('at once', 'another')]).toEqual(['first', 'inProgress', 'first']);
	});

	it('treats the same event at two nodes as two events', () => {
		expect([next('node 1'), next('node 2'), next('node 2')]).toEqual(['first', 'first', 'inProgress']);
	});

	it.each<[string, number, unknown]>([
		['no body', 200, undefined],
		['a body that is not JSON', 200, 'ok'],
		['the body null', 200, 'null'],
		['the result 0 as a number', 202, '{"result":0}'],
		['the result 0 as bytes', 200, Buffer.from('{"result":"0"}')],
		['a redirect', 302, ''],
	])('counts an event as accepted after an answer with %s', (_, status, body) => {
		const one = call('accepted');
		claimEvent(one.context, { message: String(_) });
		one.answer(status, body);
		expect([next('accepted', String(_)), one.sent]).toEqual(['accepted', [body]]);
	});

	it.each<[string, number, unknown]>([
		['status 400', 400, '{"result":"0"}'],
		['the result 1 as a number', 200, '{"result":1}'],
		['the result 1 as bytes', 200, Buffer.from('{"result":"1"}')],
		['a result that is null', 200, '{"result":null}'],
		['a result that is an object', 200, '{"result":{"toString":1}}'],
	])('gives an event to the next request after an answer with %s', (_, status, body) => {
		const one = call('failed');
		claimEvent(one.context, { message: String(_) });
		one.answer(status, body);
		expect([next('failed', String(_)), one.sent]).toEqual(['first', [body]]);
	});

	it('uses the first answer to a request, because n8n ends the response again after a Respond to Webhook node', () => {
		const [failing, working] = [call('ended twice'), call('ended twice')];
		claimEvent(failing.context, { message: 'fails' });
		claimEvent(working.context, { message: 'works' });
		failing.answer(200, '{"result":"1"}');
		working.answer(200, '{"result":"0"}');
		for (const each of [failing, working]) each.answer(200);
		expect([next('ended twice', 'fails'), next('ended twice', 'works')]).toEqual(['first', 'accepted']);
		expect(failing.sent).toEqual(['{"result":"1"}', undefined]);
	});

	it('keeps an event in progress if the client disconnects, and records the answer that follows', () => {
		const [failing, working] = [call('left'), call('left')];
		claimEvent(failing.context, { message: 'fails' });
		claimEvent(working.context, { message: 'works' });
		for (const each of [failing, working]) each.hangUp();
		expect([next('left', 'fails'), next('left', 'works')]).toEqual(['inProgress', 'inProgress']);
		failing.answer(500);
		working.answer(200, '{"result":"0"}');
		expect([next('left', 'fails'), next('left', 'works')]).toEqual(['first', 'accepted']);
	});

	it('records up to seven intermediate statuses of a message, and its delivery, and reports each further status as accepted', () => {
		const claim = (message: string, status: string) => claimEvent(call('statuses').context, { message, status });
		for (let i = 0; i < 7; i++) expect(claim('m-1', `S${i}`)).toBe('first');
		expect([claim('m-1', 'S7'), claim('m-1', 'S6'), claim('m-2', 'S7')]).toEqual(['accepted', 'inProgress', 'first']);
		expect([claim('m-1', 'DELIVRD'), claim('m-1', 'DELIVRD'), claim('m-1', 'S8')]).toEqual([
			'first',
			'inProgress',
			'accepted',
		]);
		for (const [i, status] of ['DELIVRD', 'S1', 'S2', 'S3', 'S4', 'S5', 'S6', 'S7', 'S8'].entries())
			expect(claim('m-3', status)).toBe(i < 8 ? 'first' : 'accepted');
	});

	it('records an eighth status of a message if the request for one of the first seven got HTTP 500', () => {
		const claims = Array.from({ length: 7 }, (_, i) => {
			const one = call('statuses that fail');
			claimEvent(one.context, { message: 'm', status: `S${i}` });
			return one;
		});
		claims[3]!.answer(500);
		expect(claimEvent(call('statuses that fail').context, { message: 'm', status: 'other' })).toBe('first');
	});

	it('does not forget other events if one message gets 10,000 different statuses', () => {
		next('flushed', 'a forward');
		for (let i = 0; i < 10_000; i++) claimEvent(call('flushed').context, { message: 'm', status: String(i) });
		expect(next('flushed', 'a forward')).toBe('inProgress');
	});

	it('remembers 10,000 events, and forgets the oldest event first', () => {
		for (let i = 0; i < 10_000; i++) next('crowded', String(i));
		expect(next('crowded', '0')).toBe('inProgress');
		expect([next('crowded', '10000'), next('crowded', '10000'), next('crowded', '0')]).toEqual([
			'first',
			'inProgress',
			'first',
		]);
	});
});

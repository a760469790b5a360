import { claimEvent } from '../../nodes/Sms/claim';
import { call } from './call';

/** How the next call of the same event is met. */
const next = (node: string, key = 'an event') => claimEvent(call(node).context, key).state;

describe('claimEvent', () => {
	it('gives an event to one call, also at the same moment', () => {
		expect([next('at once'), next('at once'), next('at once', 'another')]).toEqual(['first', 'underWay', 'first']);
	});

	it('keeps the events of two nodes apart', () => {
		expect([next('node 1'), next('node 2')]).toEqual(['first', 'first']);
	});

	it('knows a node by its id, whatever its name', () => {
		next('renamed');
		expect(next('renamed')).toBe('underWay');
	});

	it.each<[string, number, unknown]>([
		['no body', 200, undefined],
		['no JSON', 200, 'ok'],
		['no result', 204, '{"answer":"1"}'],
		['null', 200, 'null'],
		['the result 0', 200, '{"result":"0","errorCode":"","error":""}'],
		['the result 0 as a number', 202, '{"result":0}'],
		['the result 0 as bytes', 200, Buffer.from('{"result":"0"}')],
		['another encoding', 200, new Uint8Array([1])],
		['a redirect', 302, ''],
	])('counts it as taken after an answer with %s', (_, status, body) => {
		const one = call('taken');
		claimEvent(one.context, String(_));
		one.answer(status, body);
		expect([next('taken', String(_)), one.sent]).toEqual(['taken', [body]]);
	});

	it.each<[string, number, unknown]>([
		['status 400', 400, '{"result":"0"}'],
		['status 500', 500, '{"message":"Error in workflow"}'],
		['the result 1', 200, '{"result":"1","errorCode":"FULL","error":"No places left"}'],
		['the result 1 as a number', 200, '{"result":1}'],
		['the result 1 as bytes', 200, Buffer.from('{"result":"1"}')],
		['a result that is null', 200, '{"result":null}'],
	])('gives it away again after an answer with %s', (_, status, body) => {
		const one = call('failed');
		claimEvent(one.context, String(_));
		one.answer(status, body);
		expect([next('failed', String(_)), one.sent]).toEqual(['first', [body]]);
	});

	it('counts what was said to be taken, whatever is answered then', () => {
		const one = call('said');
		const claim = claimEvent(one.context, 'an event');
		if (claim.state === 'first') claim.take();
		one.answer(500);
		expect(next('said')).toBe('taken');
	});

	it('keeps it under way when the caller leaves, and learns the end all the same', () => {
		const [failing, working] = [call('left'), call('left')];
		claimEvent(failing.context, 'fails');
		claimEvent(working.context, 'works');
		for (const each of [failing, working]) each.hangUp();
		expect([next('left', 'fails'), next('left', 'works')]).toEqual(['underWay', 'underWay']);
		failing.answer(500);
		working.answer(200, '{"result":"0"}');
		expect([next('left', 'fails'), next('left', 'works')]).toEqual(['first', 'taken']);
	});

	it('is bounded', () => {
		for (let i = 0; i < 10_001; i++) next('crowded', String(i));
		expect([next('crowded', '10000'), next('crowded', '0')]).toEqual(['underWay', 'first']);
	});
});

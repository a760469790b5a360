import { createCircuitBreaker } from '../../../../lib/http/circuitBreaker';
import { noticeOf } from '../../../../lib/texts/notice';
import { fault } from '../../../../lib/texts/problem';

const down = () => fault('serviceDown');

describe('what ends a run before its last row', () => {
	it.each([
		[1, 10],
		[5, 10],
		[6, 12],
		[20, 40],
	])('with %i places, after %i rows without an answer', (places, most) => {
		const breaker = createCircuitBreaker(places, down);
		for (let row = 1; row < most; row++) breaker.record('noAnswer');
		expect(breaker.problem()).toBeUndefined();
		breaker.record('noAnswer');
		expect(breaker.problem()?.why.reason).toBe('serviceDown');
		breaker.record('answered');
		expect(breaker.problem()?.why.reason).toBe('serviceDown');
	});

	it('not where an answer comes between', () => {
		const breaker = createCircuitBreaker(5, down);
		for (let row = 0; row < 30; row++) breaker.record(row % 10 === 9 ? 'answered' : 'noAnswer');
		expect(breaker.problem()).toBeUndefined();
	});

	it('each service in its own words', () => {
		expect(down().message).toBe('The SMS service does not answer, and nothing was sent to these rows');
		const registry = fault('serviceDown', { what: 'registryDown', todo: 'checkLater' });
		expect(registry.message).toBe('The registry does not answer, and these rows were not checked');
		expect(noticeOf(registry.why, 'el')).toMatch(/^Το μητρώο δεν απαντά .* Ελέγξτε τις ξανά αργότερα\./);
	});

	it('a refused key does at once, with its own words', () => {
		const breaker = createCircuitBreaker(5, down);
		const refused = fault('setting', { field: 'the key' });
		breaker.record(refused);
		for (let row = 0; row < 10; row++) breaker.record('noAnswer');
		expect(breaker.problem()).toBe(refused);
	});
});

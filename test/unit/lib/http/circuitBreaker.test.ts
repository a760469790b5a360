import { createCircuitBreaker } from '../../../../lib/http/circuitBreaker';
import { outageThreshold } from '../../../../lib/http/retryPolicy';
import { noticeOf } from '../../../../lib/texts/notice';
import { fault } from '../../../../lib/texts/problem';

const outage = () => fault('serviceDown');

describe('createCircuitBreaker', () => {
	it('opens at the outage threshold, and stays open after a late answer', () => {
		const breaker = createCircuitBreaker(6, outage);
		for (let item = 1; item < outageThreshold(6); item++) breaker.record('noAnswer');
		expect(breaker.problem()).toBeUndefined();
		breaker.record('noAnswer');
		expect(breaker.problem()?.why.reason).toBe('serviceDown');
		breaker.record('answered');
		expect(breaker.problem()?.why.reason).toBe('serviceDown');
	});

	it('stays closed if an answer arrives before the threshold', () => {
		const breaker = createCircuitBreaker(5, outage);
		for (let item = 0; item < 30; item++) breaker.record(item % 10 === 9 ? 'answered' : 'noAnswer');
		expect(breaker.problem()).toBeUndefined();
	});

	it('opens immediately if the key is refused, and keeps returning the error about the key', () => {
		const breaker = createCircuitBreaker(5, outage);
		const refused = fault('setting', { field: 'the key' });
		breaker.record(refused);
		expect(breaker.problem()).toBe(refused);
		for (let item = 0; item < 10; item++) breaker.record('noAnswer');
		expect(breaker.problem()).toBe(refused);
	});
});

it('the error of an outage names the SMS service or the registry', () => {
	expect(outage().message).toBe('The SMS service does not answer, so these rows were not sent');
	const registry = fault('serviceDown', { what: 'registryDown', todo: 'checkLater' });
	expect(registry.message).toBe('The registry does not answer, so these rows were not checked');
	expect(noticeOf(registry.why, 'el')).toMatch(
		/^Το μητρώο δεν απαντά, .* Επαναλάβετε αργότερα τον έλεγχο για αυτές τις γραμμές\./,
	);
});

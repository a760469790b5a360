import type { Problem } from '../texts/problem';
import { outageThreshold } from './retryPolicy';

/**
 * Creates a circuit breaker. It opens if the service refuses the key, or if it does not answer several items in a row
 * (`outageThreshold`). Then no further item of the run is tried. It stays open for the rest of the run, even if a late answer
 * arrives.
 * @param concurrency the number of items in progress at the same time
 * @param outage makes the Problem of the items after an outage
 */
export function createCircuitBreaker(concurrency: number, outage: () => Problem) {
	const threshold = outageThreshold(concurrency);
	let unanswered = 0;
	let problem: Problem | undefined;
	return {
		/** Records the result of a request. A Problem means that the key was refused. Every later item gets this Problem. */
		record(result: 'answered' | 'noAnswer' | Problem): void {
			if (typeof result === 'object') problem ??= result;
			else unanswered = result === 'answered' ? 0 : unanswered + 1;
			if (unanswered >= threshold) problem ??= outage();
		},
		/** Returns why no further item may be tried. Undefined: the breaker is closed. */
		problem: () => problem,
	};
}

import type { Problem } from '../texts/problem';
import { outageThreshold } from './retryPolicy';

/**
 * Creates a circuit breaker. It ends a run before its last item if the service refuses the key or does not answer
 * (`outageThreshold`). Once open, it stays open for the rest of the run, even if a late answer comes.
 * @param concurrency how many items are in progress at the same time
 * @param outage returns the problem of the items after an outage
 */
export function createCircuitBreaker(concurrency: number, outage: () => Problem) {
	const threshold = outageThreshold(concurrency);
	let unanswered = 0;
	let problem: Problem | undefined;
	return {
		/** Records the result of a request. If the key was refused, that is the problem, which every later item gets. */
		record(result: 'answered' | 'noAnswer' | Problem): void {
			if (typeof result === 'object') problem ??= result;
			else unanswered = result === 'answered' ? 0 : unanswered + 1;
			if (unanswered >= threshold) problem ??= outage();
		},
		/** Returns why no more items may be tried, or undefined if they may. */
		problem: () => problem,
	};
}

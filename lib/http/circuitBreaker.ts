import type { Problem } from '../texts/problem';

/** So many rows that could not be asked are an outage at least, however few are in work in parallel. */
const FEWEST = 10;

/**
 * What ends a run before its last row: a refused key, or a service that does not answer.
 *
 * Twice as many rows as are in work in parallel, one after the other without an answer, are an outage: one bad moment of
 * the network takes at most those in work. Once open it stays so: a late answer tries nothing again.
 * @param concurrency how many rows are in work in parallel
 * @param down what the rows after an outage get
 */
export function createCircuitBreaker(concurrency: number, down: () => Problem) {
	const most = Math.max(2 * concurrency, FEWEST);
	let unanswered = 0;
	let why: Problem | undefined;
	return {
		/** Tells what became of a row that was tried: of a refused key the problem, which every later row gets too. */
		record(end: 'answered' | 'noAnswer' | Problem): void {
			if (typeof end === 'object') why ??= end;
			else unanswered = end === 'answered' ? 0 : unanswered + 1;
			if (unanswered >= most) why ??= down();
		},
		/** Why nothing more may be tried; undefined while rows may be. */
		problem: () => why,
	};
}

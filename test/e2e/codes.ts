import { periodAt } from '../../nodes/Sms/code/oneTimeCode';
import type { Imported } from './examples';
import type { World } from './world';

/* What the tests of one-time codes have in common. */

/** The code in the last message on a phone. */
export const codeOnThePhone = (world: World): string => /(\d+)\D*$/.exec(world.sandbox.messages.at(-1)!.text)![1]!;

/** A code of the same length that is not this one. */
export const another = (code: string): string =>
	String((Number(code) + 1) % 10 ** code.length).padStart(code.length, '0');

/**
 * How long codes should be valid, in minutes, so that no new period, with another code and other tries, begins during a
 * test: of all lengths from half an hour to an hour the one with most time left, which is always half an hour.
 */
export function longestPeriod(): number {
	const now = Date.now() / 1000;
	const secondsLeft = (minutes: number) => (periodAt(now, minutes) + 1) * minutes * 60 - now;
	return Array.from({ length: 31 }, (_, index) => 30 + index).reduce((best, minutes) =>
		secondsLeft(minutes) > secondsLeft(best) ? minutes : best,
	);
}

/** The same for the code of the enrolment example. */
export function lengthenPeriod({ workflow }: Imported): void {
	const { parameters } = workflow.nodes.find(({ name }) => name === 'Send Code')!;
	Object.assign(parameters.options!, { validMinutes: longestPeriod() });
}

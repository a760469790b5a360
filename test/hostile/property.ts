import { appendFileSync } from 'node:fs';

import fc from 'fast-check';

/*
 * Runs properties that must hold for any input of unauthenticated callers. This is the only place that sets the number
 * of inputs: some thousands in `npm test`, the same ones each time, so that only a change makes it fail; over a
 * hundred thousand new ones in `npm run test:hostile`.
 *
 * A failure prints its seed and path. `HOSTILE_SEED=… HOSTILE_PATH=… npm test -- hostile -t '<its name>'` repeats it.
 */

/** All inputs of all properties together. */
const INPUTS = Number(process.env.HOSTILE_INPUTS ?? 6000);
const SEED = Number(process.env.HOSTILE_SEED ?? 6);
const PATH = process.env.HOSTILE_PATH;

let generated = 0;

/** Each test file says how many it generated; `npm run test:hostile` sums up. */
afterAll(() => {
	if (process.env.HOSTILE_COUNTS) appendFileSync(process.env.HOSTILE_COUNTS, `${generated}\n`);
});

/** Returns the properties that a polluted prototype would add to every object of the process. */
const prototypes = () =>
	[Object.prototype, Array.prototype, String.prototype].map((prototype) => Reflect.ownKeys(prototype).length);
const untouched = prototypes();

/**
 * Declares the test of one invariant. Each test also checks that no prototype changed.
 *
 * @param share of all inputs, in percent; together they are about 100
 * @param check throws if the invariant is broken
 */
export function holds<T>(
	invariant: string,
	share: number,
	inputs: fc.Arbitrary<T>,
	check: (input: T) => void | Promise<void>,
): void {
	test(
		invariant,
		async () => {
			const property = fc.asyncProperty(inputs, async (input) => {
				generated++;
				await check(input);
				expect(prototypes()).toEqual(untouched);
			});
			await fc.assert(property, {
				numRuns: Math.ceil((INPUTS * share) / 100),
				seed: SEED,
				...(PATH !== undefined && { path: PATH }),
			});
		},
		1_200_000,
	);
}

import { appendFileSync } from 'node:fs';

import fc from 'fast-check';

/*
 * Checks properties that must hold for any input of unauthenticated callers. This is the only file that sets the number of
 * inputs. `npm test` uses some thousands of inputs, which are the same each time, so that only a change of the code can make it
 * fail. `npm run test:hostile` uses more than a hundred thousand new inputs.
 *
 * A failure prints its seed and path. `HOSTILE_SEED=… HOSTILE_PATH=… npm test -- hostile -t '<title of the test>'` repeats it.
 */

/** The number of inputs of which each property gets its share. */
const INPUTS = Number(process.env.HOSTILE_INPUTS ?? 6000);
const SEED = Number(process.env.HOSTILE_SEED ?? 6);
const PATH = process.env.HOSTILE_PATH;

let generated = 0;

/** In `npm run test:hostile`, each test file writes how many inputs it generated, and the command adds them up. */
afterAll(() => {
	if (process.env.HOSTILE_COUNTS) appendFileSync(process.env.HOSTILE_COUNTS, `${generated}\n`);
});

/** Counts the properties of the basic prototypes. A polluted prototype would add properties to every object of the process. */
const prototypes = () =>
	[Object.prototype, Array.prototype, String.prototype].map((prototype) => Reflect.ownKeys(prototype).length);
const untouched = prototypes();

/**
 * Declares the test of one property. Each test also checks that the basic prototypes have no more and no fewer properties.
 *
 * @param share the part of INPUTS in percent; all shares together are about 120
 * @param check throws if the property does not hold
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

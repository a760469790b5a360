/**
 * The settings of `npm run test:hostile`, which runs the tests with random inputs on many more inputs than `npm test`. The
 * variable HOSTILE_INPUTS sets their number (by default 120,000), and HOSTILE_SEED repeats the inputs of an earlier run.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

/** Returns the environment for jest. When this process exits, it prints how many inputs the tests have generated. */
export function hostileInputs(env) {
	const inputs = env.HOSTILE_INPUTS ?? '120000';
	const seed = env.HOSTILE_SEED ?? String(Date.now() % 2 ** 31);
	/** Each test file appends its number of inputs to this file. */
	const counts = join(root, '.tmp', 'hostile-counts');
	mkdirSync(join(root, '.tmp'), { recursive: true });
	rmSync(counts, { force: true });
	process.on('exit', () => {
		const sum = readFileSync(counts, 'utf8').split('\n').reduce((total, count) => total + Number(count), 0);
		console.log(`${sum} inputs were generated, with the seed ${seed}.`);
	});
	return { ...env, HOSTILE_INPUTS: inputs, HOSTILE_SEED: seed, HOSTILE_COUNTS: counts };
}

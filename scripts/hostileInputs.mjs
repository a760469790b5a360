/** What `npm run test:hostile` changes: over 100,000 new inputs. HOSTILE_INPUTS and HOSTILE_SEED say how many and which. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

/** Prints at the end how many inputs there were. @returns the environment for jest */
export function hostileInputs(env) {
	const inputs = env.HOSTILE_INPUTS ?? '120000';
	const seed = env.HOSTILE_SEED ?? String(Date.now() % 2 ** 31);
	const counts = join(root, '.tmp', 'hostile-counts');
	mkdirSync(join(root, '.tmp'), { recursive: true });
	rmSync(counts, { force: true });
	process.on('exit', () => {
		const sum = readFileSync(counts, 'utf8').split('\n').reduce((total, count) => total + Number(count), 0);
		console.log(`${sum} inputs were generated, with the seed ${seed}.`);
	});
	return { ...env, HOSTILE_INPUTS: inputs, HOSTILE_SEED: seed, HOSTILE_COUNTS: counts };
}

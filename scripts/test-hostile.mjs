/**
 * `npm run test:hostile`: the properties for hostile callers, with over 100,000 new inputs. Further arguments go to
 * jest. HOSTILE_INPUTS and HOSTILE_SEED change how many and which.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runTests } from './runTests.mjs';
import { ensureDependencies, ensureNode24, root } from './setup.mjs';

const inputs = process.env.HOSTILE_INPUTS ?? '120000';
const seed = process.env.HOSTILE_SEED ?? String(Date.now() % 2 ** 31);
const counts = join(root, '.tmp', 'hostile-counts');
mkdirSync(join(root, '.tmp'), { recursive: true });
rmSync(counts, { force: true });

const env = await ensureNode24();
await ensureDependencies(env);
process.on('exit', () => {
	const sum = readFileSync(counts, 'utf8').split('\n').reduce((total, count) => total + Number(count), 0);
	console.log(`${sum} inputs were generated, with the seed ${seed}.`);
});
process.exitCode = await runTests(
	{ ...env, HOSTILE_INPUTS: inputs, HOSTILE_SEED: seed, HOSTILE_COUNTS: counts },
	[],
	['--selectProjects', 'unit', 'workflow', '--testPathPatterns', 'test/(unit|workflow)/hostile'],
);

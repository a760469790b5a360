/**
 * `npm run test:versions`: the packed package in older versions of n8n, and with zod 4 in the newest. Further arguments
 * go to jest; what its `--ignoreProjects` names is not installed either.
 */
import { runTests } from './runTests.mjs';
import { ensureDependencies, ensureHost, ensureNode24 } from './setup.mjs';

const env = await ensureNode24();
await ensureDependencies(env);
await ensureHost(env);
for (const host of ['1.123', '2.20']) if (!process.argv.includes(`n8n ${host}`)) await ensureHost(env, host);
// Two at a time, as in test-e2e.mjs.
process.exitCode = await runTests(env, ['build'], ['--selectProjects', 'n8n 1.123', 'n8n 2.20', 'e2e, zod 4', '--maxWorkers=2']);

/** `npm run test:e2e`: the packed package in a real n8n. Further arguments go to jest. */
import { runTests } from './runTests.mjs';
import { ensureDependencies, ensureHost, ensureNode24 } from './setup.mjs';

const env = await ensureNode24();
await ensureDependencies(env);
await ensureHost(env);
// Two real n8n at a time: each waits more than it works.
process.exitCode = await runTests(env, ['build'], [
	// It needs two webhook processes: `npm run test:queue` runs it.
	'--testPathIgnorePatterns=/duplicatesRace\\.test\\.ts$',
	'--selectProjects',
	'e2e',
	'--maxWorkers=2',
]);

/** `npm run test:browser`: the package in the editor of a real n8n, in a real browser. Further arguments go to jest. */
import { runTests } from './runTests.mjs';
import { ensureChromium, ensureDependencies, ensureHost, ensureNode24 } from './setup.mjs';

const node = await ensureNode24();
await ensureDependencies(node);
await ensureHost(node);
const env = await ensureChromium(node);
// Two at a time, as in test-e2e.mjs.
process.exitCode = await runTests(env, ['build'], ['--selectProjects', 'browser', '--maxWorkers=2']);

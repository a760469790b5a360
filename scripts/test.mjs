/**
 * `npm test` and its sisters: `node scripts/test.mjs SUITE [what jest takes besides]`. Installs what is missing, then tests.
 * `node scripts/test.mjs --install SUITE ...` installs what these suites need, and tests nothing.
 */
import { runTests } from './runTests.mjs';
import { endAtSignals, startServers } from './queue/servers.mjs';
import { ensureChromium, ensureDependencies, ensureHost, ensureNode24 } from './setup.mjs';

/**
 * `before`: npm scripts; `projects`: those of jest.config.js; `hosts`: for each that needs an n8n, its folder in `host`;
 * `jest`: arguments that the command line may override.
 */
const suites = {
	unit: { before: ['lint', 'typecheck', 'build'], projects: { unit: [], workflow: [] } },
	// Two real n8n at a time: each waits more than it works.
	e2e: { before: ['build'], projects: { e2e: [''] }, jest: ['--maxWorkers=2'] },
	browser: { before: ['build'], projects: { browser: [''] }, jest: ['--maxWorkers=2'], chromium: true },
	queue: { before: ['build'], projects: { queue: [''] }, jest: ['--maxWorkers=1'], servers: true },
};

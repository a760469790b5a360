/**
 * `npm run test:queue`: the e2e tests on n8n's queue mode, with PostgreSQL, Redis and nginx. Installs Debian's packages
 * of those that are missing, and starts servers of its own, never the system's. Further arguments go to jest.
 */
import { startServers } from './queue/servers.mjs';
import { endingSignals, runTests } from './runTests.mjs';
import { ensureDependencies, ensureHost, ensureNode24 } from './setup.mjs';

/** Test files that have nothing to say about queue mode, each with the reason. */
const leftOut = {
	'start.test.ts': '`npm start` is one n8n on SQLite',
	'sandbox.test.ts': 'the sandbox alone, without n8n',
	'sandboxMemory.test.ts': 'the sandbox alone, without n8n',
	'sandboxHabits.test.ts': 'the sandbox alone, without n8n',
	'clients.test.ts': 'the sandbox alone, without n8n',
};

const env = await ensureNode24();
await ensureDependencies(env);
await ensureHost(env);
// An exit ends the servers too; a signal alone would leave them.
for (const signal of endingSignals) process.on(signal, () => process.exit(1));
const servers = await startServers();
try {
	process.exitCode = await runTests({ ...env, N8N_E2E_QUEUE: JSON.stringify(servers.connection) }, ['build'], [
		...Object.keys(leftOut).map((file) => `--testPathIgnorePatterns=/${file.replaceAll('.', '\\.')}$`),
		'--selectProjects',
		'e2e',
		// Last: the option before it takes everything that follows.
		'--runInBand',
	]);
} finally {
	await servers.end();
}

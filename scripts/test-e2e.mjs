/** `npm run test:e2e`: the packed package in a real n8n. Further arguments go to jest. */
import { ensureDependencies, ensureHost, ensureNode24, run } from './setup.mjs';

const env = await ensureNode24();
await ensureDependencies(env);
await ensureHost(env);

const code = await run('npm', ['run', '--silent', 'build'], env);
if (code !== 0) {
	console.error('npm run build failed.');
	process.exit(code);
}
// One real n8n at a time: they'd share the machine, and the tests measure time.
process.exit(
	await run(
		'node',
		['node_modules/jest/bin/jest.js', '--selectProjects', 'e2e', '--runInBand', ...process.argv.slice(2)],
		env,
	),
);

/** `npm run bench`: measures in a real n8n and writes bench/RESULTS.md. Takes about ten minutes. */
import { ensureDependencies, ensureHost, ensureNode24, run } from './setup.mjs';

const env = await ensureNode24();
await ensureDependencies(env);
await ensureHost(env);
for (const [command, ...args] of [
	['npm', 'run', '--silent', 'build'],
	['node', 'node_modules/typescript/bin/tsc', '-p', 'bench/tsconfig.json'],
	['node', '.tmp/bench/bench/run.js'],
]) {
	const code = await run(command, args, env);
	if (code !== 0) process.exit(code);
}

/**
 * `npm run bench`: measures in a real n8n and writes bench/RESULTS.md. Takes about ten minutes.
 * `npm run bench -- again`: what it costs that nobody is messaged twice, and messages by name. Takes about ten.
 * `npm run bench -- early`: how long after a message n8n refuses its report. Takes a minute.
 * `npm run bench -- load`: the same for an n8n at its limit. Takes about twenty.
 * `npm run bench -- members`: how long a sheet of 3,000 members takes against the registry. Takes five.
 * `npm run bench -- texts`: how long texts hold up n8n. Takes a minute, and needs no n8n.
 */
import { ensureDependencies, ensureHost, ensureNode24, run } from './setup.mjs';

const part = ['again', 'early', 'load', 'members', 'texts'].find((name) => name === process.argv[2]) ?? 'run';
const env = await ensureNode24();
await ensureDependencies(env);
if (part !== 'texts') await ensureHost(env);
for (const [command, ...args] of [
	['npm', 'run', '--silent', 'build'],
	['node', 'node_modules/typescript/bin/tsc', '-p', 'bench/tsconfig.json'],
	['node', `.tmp/bench/bench/${part}.js`],
]) {
	const code = await run(command, args, env);
	if (code !== 0) process.exit(code);
}

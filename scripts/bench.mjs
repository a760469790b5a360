/**
 * `npm run bench`: measures in a real n8n and writes bench/RESULTS.md. Takes about ten minutes.
 * `npm run bench -- pool`: SMS Send against the bare pool alone, at 10 and 50 in parallel; printed. Takes a minute.
 * `npm run bench -- again`: the cost of sending no message twice, and of values by name. Takes about twenty.
 * `npm run bench -- skip`: of that Skip against Send alone, and how long it holds n8n up; printed. Takes about eight.
 * `npm run bench -- long`: of that 30,000 rows alone, and what they leave in n8n's memory; printed. Takes about six.
 * `npm run bench -- names`: of that messages by name alone; printed. Takes a minute or two.
 * `npm run bench -- limits`: what the memory of sent messages costs and promises; an error if a promise is broken. Takes about twenty.
 * `npm run bench -- year`: a reply and a code on n8n's list as long as it gets. Takes five.
 * `npm run bench -- postgres`: of that the replies, on PostgreSQL, which it installs and starts. Takes three.
 * `npm run bench -- scale`: the example with Redis sends 100,000 rows twice, the second time eight days later by a moved clock, with
 * Redis, PostgreSQL and faketime, which it installs. Takes about twenty.
 * `npm run bench -- early`: how long after a message n8n refuses its report. Takes a minute.
 * `npm run bench -- load`: the same for an n8n at its limit. Takes about twenty.
 * `npm run bench -- slow`: how long n8n's other answers take while slow clients hold requests open. Takes five.
 * `npm run bench -- guards`: what guard rails and a review cost. Takes five.
 * `npm run bench -- desk`: how long a form takes, and the longest time without any answer of n8n, while 3,000 rows go through the example that takes a spreadsheet. Takes seven.
 * `npm run bench -- members`: how long a sheet of 3,000 members takes against the registry. Takes five.
 * `npm run bench -- texts`: how long texts hold up n8n. Takes a minute, and needs no n8n.
 * `npm run bench -- whoGotIt`: Who Got It with 20,000 items. Takes seconds, and needs no n8n.
 */
import { isBuiltAlready } from './built.mjs';
import { ensureFaketime, ensureServers } from './debian.mjs';
import { startServers } from './queue/servers.mjs';
import { ensureDependencies, ensureHost, ensureNode24, run } from './setup.mjs';

/** The program of each, and which part of it is asked for. */
const programs = { pool: 'run', again: 'again', skip: 'again', long: 'again', names: 'again', limits: 'limits', scale: 'scale', early: 'early', load: 'load', slow: 'slow', year: 'year', postgres: 'year', guards: 'guards', members: 'members', desk: 'desk', texts: 'texts', whoGotIt: 'whoGotIt' };
const [, , name] = process.argv;
if (name !== undefined && !(name in programs)) throw new Error(`There is no bench "${name}", but: ${Object.keys(programs).join(', ')}`);
const program = programs[name] ?? 'run';
const part = name === undefined || name === program ? [] : [name];
let env = await ensureNode24();
await ensureDependencies(env);
if (program !== 'texts' && program !== 'whoGotIt') await ensureHost(env);
const needsServers = name === 'postgres' || name === 'scale';
if (needsServers) await ensureServers();
if (name === 'scale') env = await ensureFaketime(env);
const servers = needsServers ? await startServers() : undefined;
if (servers !== undefined) env.BENCH_SERVERS = JSON.stringify(servers.connection);
for (const [command, ...args] of [
	...(isBuiltAlready() ? [] : [['npm', 'run', '--silent', 'build']]),
	['node', 'node_modules/typescript/bin/tsc', '-p', 'bench/tsconfig.json'],
	['node', `.tmp/bench/bench/${program}.js`, ...part],
]) {
	const code = await run(command, args, env);
	if (code !== 0) {
		process.exitCode = code;
		break;
	}
}
await servers?.end();

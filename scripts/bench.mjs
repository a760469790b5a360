/**
 * The measurements. `npm run bench` compares SMS Send with HTTP Request and others, and `npm run bench -- PART` runs one of the
 * parts below. The results are written to bench/RESULTS.md, except for parts marked "printed only". The number at the end of
 * each part is its usual duration in minutes. Most parts run a real n8n.
 *
 * (no part)  SMS Send and SMS Trigger, compared with nodes that do nothing but send or accept requests. 10
 * minimal    Only SMS Send and `bench/nodes/MinimalSender.node.js`, with 10 and 50 requests in parallel. Printed only. 1
 * again      The cost of sending no message twice (If Already Sent: Skip), and of placeholders by name. 20
 * skip       Of `again` only Skip, and how long n8n does not respond meanwhile. Printed only. 8
 * long       Of `again` only 30,000 rows, and n8n's memory before and after them. Printed only. 6
 * names      Of `again` only placeholders by name. Printed only. 1 to 2
 * limits     The cost of remembering sent messages, and the limits that the package promises. Fails if one is exceeded. 20
 * year       A reply and a one-time code when n8n's list of sent messages has its greatest length, as after a year. 5
 * postgres   Of `year` the replies, with PostgreSQL as n8n's database. Installs and starts PostgreSQL. 3
 * scale      The example with Redis sends 100,000 rows twice, the second time with n8n's clock eight days ahead. Installs and
 *            starts Redis, and installs faketime. 20
 * early      How long n8n rejects a delivery report that arrives too early. 1
 * load       The requests per second, latencies and memory of an n8n under full load. 20
 * slow       How long n8n takes to answer other requests while slow clients keep requests open. 5
 * guards     The cost of guard rails (limits of the credential) and of a review. 5
 * desk       The response time of a form while the desk example sends 3,000 rows. 7
 * members    The time to check a sheet of 3,000 members against the registry. 5
 * texts      How long a long text blocks the n8n process. Runs without n8n. 1
 * whoGotIt   Who Got It with 20,000 items. Runs without n8n, in seconds.
 */
import { isBuiltAlready } from './built.mjs';
import { ensureFaketime, ensureServers } from './debian.mjs';
import { startServers } from './queue/servers.mjs';
import { ensureDependencies, ensureHost, ensureNode24, run } from './setup.mjs';

/** The file in `bench/` that measures each part. A file with several parts gets the name of the part as argument. */
const programs = { minimal: 'run', again: 'again', skip: 'again', long: 'again', names: 'again', limits: 'limits', scale: 'scale', early: 'early', load: 'load', slow: 'slow', year: 'year', postgres: 'year', guards: 'guards', members: 'members', desk: 'desk', texts: 'texts', whoGotIt: 'whoGotIt' };
const [, , name] = process.argv;
if (name !== undefined && !(name in programs)) throw new Error(`There is no part "${name}". The parts are: ${Object.keys(programs).join(', ')}`);
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

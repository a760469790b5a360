/**
 * `npm test` and its sisters: `node scripts/test.mjs SUITE`. Installs what is missing, then tests; further arguments go
 * to jest. `node scripts/test.mjs --install SUITE ...` installs Node, and what these suites need beside the package's own
 * dependencies, which another may install meanwhile; it tests nothing. Projects that jest's `--ignoreProjects` names
 * need nothing, with either.
 */
import { hostileInputs } from './hostileInputs.mjs';
import { ensureServers, startServers } from './queue/servers.mjs';
import { endingSignals, runTests } from './runTests.mjs';
import { ensureChromium, ensureDependencies, ensureHost, ensureNode24 } from './setup.mjs';

/**
 * `before`: npm scripts that must pass first. `projects`: what jest runs, and the folders below `host` of the n8n that
 * each needs. `jest`: arguments that those of the command line replace.
 */
const suites = {
	// jest leaves a core free, and of two cores that is half of them.
	unit: { before: ['lint', 'typecheck', 'build'], projects: { unit: [], workflow: [] }, jest: ['--maxWorkers=2'] },
	// Two real n8n at a time: each waits more than it works.
	e2e: { before: ['build'], projects: { e2e: [''] }, jest: ['--maxWorkers=2'] },
	browser: { before: ['build'], projects: { browser: [''] }, jest: ['--maxWorkers=2'], chromium: true },
	// One file has at least four processes of n8n.
	queue: { before: ['build'], projects: { queue: [''] }, jest: ['--maxWorkers=1'], servers: true },
	versions: {
		before: ['build'],
		projects: { 'n8n 1.123': ['1.123'], 'n8n 2.20': ['2.20'], 'n8n 2.41, zod 4': [''] },
		jest: ['--maxWorkers=2'],
	},
	hostile: {
		before: [],
		projects: { unit: [], workflow: [] },
		jest: ['--testPathPatterns=test/(unit|workflow)/hostile'],
		inputs: true,
	},
};

/** What of a suite's projects is not left out with jest's own `--ignoreProjects`, which takes all the names that follow. */
const chosen = ({ projects }, args) => {
	const ignored = args.includes('--ignoreProjects') ? args.slice(args.indexOf('--ignoreProjects')) : [];
	return Object.entries(projects).filter(([name]) => !ignored.includes(name));
};

/** @returns the environment for jest */
async function install(env, { chromium, servers }, projects) {
	for (const host of new Set(projects.flatMap(([, hosts]) => hosts))) await ensureHost(env, host);
	if (servers) await ensureServers();
	return chromium ? await ensureChromium(env) : env;
}

async function test(suite, args) {
	const projects = chosen(suite, args);
	let env = await ensureNode24();
	await ensureDependencies(env);
	env = await install(env, suite, projects);
	if (suite.inputs) env = hostileInputs(env);
	const optionOf = (arg) => arg.split('=')[0];
	const defaults = (suite.jest ?? []).filter((arg) => !args.map(optionOf).includes(optionOf(arg)));
	// `--selectProjects` last: it takes every word that follows.
	const jest = [...args, ...defaults, '--selectProjects', ...Object.keys(suite.projects)];
	if (!suite.servers) return await runTests(env, suite.before, jest);

	// An exit ends the servers too; a signal alone would leave them.
	for (const signal of endingSignals) process.on(signal, () => process.exit(1));
	const servers = await startServers();
	try {
		return await runTests({ ...env, N8N_E2E_QUEUE: JSON.stringify(servers.connection) }, suite.before, jest);
	} finally {
		await servers.end();
	}
}

const [name, ...args] = process.argv.slice(2);
if (name === '--install') {
	const env = await ensureNode24();
	for (const suite of args.filter((arg) => arg in suites)) await install(env, suites[suite], chosen(suites[suite], args));
} else {
	process.exitCode = await test(suites[name], args);
}

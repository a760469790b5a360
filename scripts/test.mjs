/**
 * `npm test` and the other test scripts: `node scripts/test.mjs SUITE`. It installs what is missing and then runs the tests.
 * Further arguments go to jest. If they choose some files of a suite, only the checks that these files need run before.
 *
 * `node scripts/test.mjs --install SUITE ...` installs Node and what these suites need besides the package's own
 * dependencies, which another process may install meanwhile. It runs no tests. Both ignore projects that jest's
 * `--ignoreProjects` names.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isBuiltAlready } from './built.mjs';
import { ensureChromium, ensureFaketime, ensureServers } from './debian.mjs';
import { hostileInputs } from './hostileInputs.mjs';
import { startServers } from './queue/servers.mjs';
import { endingSignals, runTests } from './runTests.mjs';
import { ensureDependencies, ensureHost, ensureNode24, root } from './setup.mjs';

/**
 * `projects`: what jest runs, and the folders below `host` of the n8n that each needs. `jest`: arguments that those of the
 * command line replace. `checks`: npm scripts that must pass before the whole suite. `built`: whether its files need the built
 * package. `alsoChosen`: projects whose files run only if the command line chooses them.
 */
const suites = {
	unit: {
		projects: { unit: [], workflow: [] },
		// jest leaves a core free, and of two cores that is half of them.
		jest: ['--maxWorkers=2'],
		checks: ['lint', 'typecheck'],
		alsoChosen: ['slow'],
	},
	// Files that take up to a minute each, and fail only if a pattern or a schema has changed. CI runs them too.
	slow: { projects: { slow: [] }, jest: ['--maxWorkers=2'] },
	// Two real n8n at a time: each waits more than it works.
	e2e: { projects: { e2e: [''] }, jest: ['--maxWorkers=2'], built: true, clocks: true },
	browser: { projects: { browser: [''] }, jest: ['--maxWorkers=2'], built: true, chromium: true },
	pictures: { projects: { pictures: [''] }, jest: ['--maxWorkers=1'], built: true, chromium: true },
	// One file has at least four processes of n8n.
	queue: { projects: { queue: [''] }, jest: ['--maxWorkers=1'], built: true, servers: true },
	versions: {
		projects: { 'n8n 2.20': ['2.20'], 'n8n 2.41, zod 4': [''] },
		jest: ['--maxWorkers=2'],
		built: true,
	},
	hostile: {
		projects: { unit: [], workflow: [] },
		jest: ['--testPathPatterns=test/(unit|workflow)/hostile'],
		inputs: true,
	},
};

/** Returns a suite's projects without those of jest's `--ignoreProjects`, which takes all the names that follow. */
const chosen = ({ projects }, args) => {
	const ignored = args.includes('--ignoreProjects') ? args.slice(args.indexOf('--ignoreProjects')) : [];
	return Object.entries(projects).filter(([name]) => !ignored.includes(name));
};

/** @returns the environment for jest */
async function install(env, { chromium, clocks, servers }, projects) {
	for (const host of new Set(projects.flatMap(([, hosts]) => hosts))) await ensureHost(env, host);
	if (servers) await ensureServers();
	if (clocks) env = await ensureFaketime(env);
	return chromium ? await ensureChromium(env) : env;
}

/** Returns the test files of a suite that jest runs with these arguments. Undefined: all of them. */
function chosenFiles({ projects, alsoChosen }, args, env) {
	if (args.length === 0) return undefined;
	// If jest writes the results to a file, it would write the list there too.
	const choice = args.filter((arg, index) => !/^--(json|outputFile)\b/.test(arg) && args[index - 1] !== '--outputFile');
	const jest = ['node_modules/jest/bin/jest.js', '--listTests', ...choice, '--selectProjects', ...Object.keys(projects), ...alsoChosen];
	const { stdout } = spawnSync('node', jest, { cwd: root, env, encoding: 'utf8' });
	const files = stdout.match(/\S+\.test\.ts$/gm) ?? [];
	const all = Object.keys(projects).flatMap((folder) => readdirSync(join(root, 'test', folder), { recursive: true }));
	return files.length < all.filter((file) => file.endsWith('.test.ts')).length ? files : undefined;
}

/** @returns the scripts that must pass before, and jest's projects */
function plan(suite, args, env) {
	const { projects, checks = [], built = false, alsoChosen = [] } = suite;
	const files = checks.length > 0 ? chosenFiles(suite, args, env) : undefined;
	if (files === undefined && alsoChosen.length > 0) console.log(`Leaves out what is slow: npm run test:${alsoChosen.join(', npm run test:')}`);
	return {
		scripts: [...(files === undefined ? checks : []), ...(built && !isBuiltAlready() ? ['build'] : [])],
		projects: [...Object.keys(projects), ...(files === undefined ? [] : alsoChosen)],
	};
}

async function test(suite, args) {
	let env = await ensureNode24();
	await ensureDependencies(env);
	env = await install(env, suite, chosen(suite, args));
	if (suite.inputs) env = hostileInputs(env);
	const optionOf = (arg) => arg.split('=')[0];
	const defaults = (suite.jest ?? []).filter((arg) => !args.map(optionOf).includes(optionOf(arg)));
	const { scripts, projects } = plan(suite, args, env);
	// `--selectProjects` last: it takes every word that follows.
	const jest = [...args, ...defaults, '--selectProjects', ...projects];
	if (!suite.servers) return await runTests(env, scripts, jest);

	// An exit ends the servers too; a signal alone would leave them.
	for (const signal of endingSignals) process.on(signal, () => process.exit(1));
	const servers = await startServers();
	try {
		return await runTests({ ...env, N8N_E2E_QUEUE: JSON.stringify(servers.connection) }, scripts, jest);
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

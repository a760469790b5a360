/**
 * `npm test` and the other test scripts: `node scripts/test.mjs SUITE`. It installs what is missing, and then runs the tests.
 * Further arguments are passed to jest. If the arguments select test files, lint and type check are skipped.
 *
 * `node scripts/test.mjs --install SUITE ...` installs Node, n8n and the programs that these suites need. It runs no tests. It
 * does not install the dependencies of the package, so that another process may do that at the same time.
 *
 * Both commands leave out the jest projects that `--ignoreProjects` names.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isBuiltAlready } from './built.mjs';
import { ensureChromium, ensureFaketime, ensureServers } from './debian.mjs';
import { hostileInputs } from './hostileInputs.mjs';
import { startServers } from './queue/servers.mjs';
import { terminationSignals, runTests } from './runTests.mjs';
import { ensureDependencies, ensureHost, ensureNode24, root } from './setup.mjs';

/**
 * The test suites.
 * - `projects`: the jest projects, each with the folders in `host/` whose n8n it needs ('' is `host` itself).
 * - `jest`: default arguments for jest. Arguments of the command line replace them.
 * - `checks`: npm scripts that must pass before the whole suite runs.
 * - `built`: whether the tests need the built package.
 * - `alsoChosen`: projects whose files run only if the arguments select them.
 * - `clocks`, `chromium`, `servers`: whether the tests need faketime, Chromium, or PostgreSQL, Redis and nginx.
 * - `inputs`: whether the suite uses the settings of hostileInputs.mjs.
 */
const suites = {
	unit: {
		projects: { unit: [], workflow: [] },
		// By default jest leaves one core unused, so with two cores it would use only one.
		jest: ['--maxWorkers=2'],
		checks: ['lint', 'typecheck'],
		alsoChosen: ['slow'],
	},
	// Each of these test files takes up to a minute. They seldom fail, except after a change of a regular expression or a schema.
	// CI runs these files too.
	slow: { projects: { slow: [] }, jest: ['--maxWorkers=2'] },
	// Two test files run at the same time, each with a real n8n. In these tests n8n is mostly idle.
	e2e: { projects: { e2e: [''] }, jest: ['--maxWorkers=2'], built: true, clocks: true },
	browser: { projects: { browser: [''] }, jest: ['--maxWorkers=2'], built: true, chromium: true },
	pictures: { projects: { pictures: [''] }, jest: ['--maxWorkers=1'], built: true, chromium: true },
	// Each test file starts at least four processes of n8n, so only one file runs at a time.
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

/** Returns the projects of a suite without those that follow `--ignoreProjects`. jest takes all words after it as names. */
const projectsOf = ({ projects }, args) => {
	const ignored = args.includes('--ignoreProjects') ? args.slice(args.indexOf('--ignoreProjects')) : [];
	return Object.entries(projects).filter(([name]) => !ignored.includes(name));
};

/** Installs n8n and the programs that a suite needs. @returns the environment for jest */
async function install(env, { chromium, clocks, servers }, projects) {
	for (const host of new Set(projects.flatMap(([, hosts]) => hosts))) await ensureHost(env, host);
	if (servers) await ensureServers();
	if (clocks) env = await ensureFaketime(env);
	return chromium ? await ensureChromium(env) : env;
}

/** Returns the test files of a suite that the arguments select. Undefined: they select all files. */
function chosenFiles({ projects, alsoChosen }, args, env) {
	if (args.length === 0) return undefined;
	// These options are left out, because jest would write the list of files into the result file.
	const choice = args.filter((arg, index) => !/^--(json|outputFile)\b/.test(arg) && args[index - 1] !== '--outputFile');
	const jest = ['node_modules/jest/bin/jest.js', '--listTests', ...choice, '--selectProjects', ...Object.keys(projects), ...alsoChosen];
	const { stdout } = spawnSync('node', jest, { cwd: root, env, encoding: 'utf8' });
	const files = stdout.match(/\S+\.test\.ts$/gm) ?? [];
	const all = Object.keys(projects).flatMap((folder) => readdirSync(join(root, 'test', folder), { recursive: true }));
	return files.length < all.filter((file) => file.endsWith('.test.ts')).length ? files : undefined;
}

/** Returns the npm scripts that must pass before the tests, and the jest projects to run. */
function plan(suite, args, env) {
	const { projects, checks = [], built = false, alsoChosen = [] } = suite;
	const files = checks.length > 0 ? chosenFiles(suite, args, env) : undefined;
	if (files === undefined && alsoChosen.length > 0) console.log(`Slow tests are left out. To run them: npm run test:${alsoChosen.join(', npm run test:')}`);
	return {
		scripts: [...(files === undefined ? checks : []), ...(built && !isBuiltAlready() ? ['build'] : [])],
		projects: [...Object.keys(projects), ...(files === undefined ? [] : alsoChosen)],
	};
}

async function test(suite, args) {
	let env = await ensureNode24();
	await ensureDependencies(env);
	env = await install(env, suite, projectsOf(suite, args));
	if (suite.inputs) env = hostileInputs(env);
	const optionOf = (arg) => arg.split('=')[0];
	const defaults = (suite.jest ?? []).filter((arg) => !args.map(optionOf).includes(optionOf(arg)));
	const { scripts, projects } = plan(suite, args, env);
	// `--selectProjects` must be last, because jest takes all words after it as names of projects.
	const jest = [...args, ...defaults, '--selectProjects', ...projects];
	if (!suite.servers) return await runTests(env, scripts, jest);

	// `startServers` adds an `exit` handler that stops the servers. Without the handlers here, a signal would end this process
	// without calling that handler.
	for (const signal of terminationSignals) process.on(signal, () => process.exit(1));
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
	for (const suite of args.filter((arg) => arg in suites)) await install(env, suites[suite], projectsOf(suites[suite], args));
} else {
	process.exitCode = await test(suites[name], args);
}

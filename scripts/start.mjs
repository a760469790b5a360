/**
 * `npm start`: lets a user try the package without preparation. It installs what is missing, and runs the sandbox and a real n8n
 * until Ctrl-C. All data is in `.tmp/start`, or in the folder that `--folder` names. Deleting that folder resets everything.
 * `npm run dev` does the same with `--watch`: a change of the sources is in that n8n some seconds later.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { holdPort, isTaken, owner, until } from './n8n.js';
import { ensureDependencies, ensureHost, ensureNode24, root, step } from './setup.mjs';
import { startN8n, startSandbox } from './start/children.mjs';
import { Editor } from './start/editor.mjs';
import {
	createCredentials,
	importExamples,
	setReportUrl,
	formLogin,
	importedExamples,
	registerForwardUrls,
} from './start/examples.mjs';
import { compileSandbox, installPackage } from './start/package.mjs';
import { State } from './start/state.mjs';
import { reloading, watchSources } from './start/watch.mjs';

const usage = `npm start -- OPTIONS
  --n8n-port 5678       the port of n8n, or the environment variable N8N_PORT
  --sandbox-port 9999   the port of the sandbox, or the environment variable SANDBOX_PORT
  --folder .tmp/start   the folder for all data
  --watch               update n8n after each change of the sources, as npm run dev does`;

/** An error that is shown to the user without a stack trace. */
class StartError extends Error {}

function options() {
	let values;
	try {
		({ values } = parseArgs({
			options: {
				'n8n-port': { type: 'string', default: process.env.N8N_PORT || '5678' },
				'sandbox-port': { type: 'string', default: process.env.SANDBOX_PORT || '9999' },
				folder: { type: 'string', default: join(root, '.tmp', 'start') },
				watch: { type: 'boolean', default: false },
				help: { type: 'boolean', short: 'h', default: false },
			},
		}));
	} catch (error) {
		throw new StartError(`${error.message}\n${usage}`);
	}
	if (values.help) {
		console.log(usage);
		process.exit(0);
	}
	const port = (name) => {
		const number = Number(values[name]);
		if (Number.isInteger(number) && number > 0 && number < 65536) return number;
		throw new StartError(`--${name} is "${values[name]}", which is not a port (1 to 65535).`);
	};
	const [n8nPort, sandboxPort] = [port('n8n-port'), port('sandbox-port')];
	if (n8nPort === sandboxPort) throw new StartError(`n8n and the sandbox need two different ports. Both are set to ${n8nPort}.`);
	return { n8nPort, sandboxPort, folder: resolve(values.folder), watch: values.watch };
}

const isAlive = (pid) => {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
};

/**
 * Opens both ports before the installation, which takes minutes, and keeps them until n8n and the sandbox start. So a second
 * `npm start` notices this one, and does not install at the same time.
 * @returns the servers that keep the ports open
 * @throws {StartError} if a port is taken, or if `npm start` runs already
 */
async function takePorts({ n8nPort, sandboxPort, folder }) {
	const earlier = readRunningFile(folder);
	const leftOver = earlier && isAlive(earlier.n8n) && (await new Editor(earlier.url).isReady());
	if (leftOver && isAlive(earlier.start)) {
		throw new StartError(`npm start is running already, at ${earlier.url}. To end it, press Ctrl-C in its terminal.`);
	}
	if (leftOver) {
		throw new StartError(`The n8n of an earlier start is still running (process ${earlier.n8n}). End it with: kill ${earlier.n8n}`);
	}
	// The process number alone does not prove that an earlier start is running, because another program may have that number by
	// now. So the ports are checked too.
	if (earlier && isAlive(earlier.start) && (await Promise.all((earlier.ports ?? []).map(isTaken))).includes(true)) {
		throw new StartError('npm start is already starting in another terminal. Wait until it is ready, or press Ctrl-C there to end it.');
	}
	const held = [];
	for (const [name, port, flag, variable] of [
		['n8n', n8nPort, '--n8n-port', 'N8N_PORT'],
		['the sandbox', sandboxPort, '--sandbox-port', 'SANDBOX_PORT'],
	]) {
		const holder = await holdPort(port).catch(() => undefined);
		if (holder === undefined) {
			const other = port < 65000 ? port + 10 : port - 10;
			throw new StartError(
				`Port ${port} is for ${name}, and is taken by another program.\n` +
					`Choose another one: npm start -- ${flag} ${other}   (or ${variable}=${other} npm start)`,
			);
		}
		held.push(holder);
	}
	return held;
}

/** Returns the path of the file that exists while `npm start` runs, so that a second start notices the first. */
const runningFileIn = (folder) => join(folder, 'running.json');
/** Reads the file at `runningFileIn`. @returns undefined if there is no file, or if it is incomplete after a power failure */
function readRunningFile(folder) {
	try {
		return JSON.parse(readFileSync(runningFileIn(folder), 'utf8'));
	} catch {
		return undefined;
	}
}
const closeServer = (holder) => new Promise((resolve) => holder.close(resolve));

const children = [];
let ending = false;
/** The file to delete at the end. Empty: it was not written yet. */
let runningFile = '';

/** Stops n8n and the sandbox, waits until both have ended, and then ends this process. */
async function end(code) {
	if (ending) return;
	ending = true;
	await Promise.all(children.map(async (child) => await child.end()));
	if (runningFile) rmSync(runningFile, { force: true });
	if (code === 0) console.log('Both have ended. Your data is kept for the next start.');
	process.exit(code);
}

function endWithSignals() {
	let first = 0;
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
		process.on(signal, () => {
			if (ending) {
				// After one Ctrl-C this process gets two signals: one from the terminal and one from npm. The second is ignored.
				if (Date.now() - first < 1000) return;
				console.log('Killing both now.');
				for (const child of children) child.kill();
				return;
			}
			first = Date.now();
			console.log('\nEnding n8n and the sandbox ...');
			void end(0);
		});
	}
}

async function main() {
	const settings = options();
	const { n8nPort, sandboxPort, folder, watch } = settings;
	const [n8nPortHeld, sandboxPortHeld] = await takePorts(settings);

	const began = Date.now();
	const home = join(folder, 'n8n');
	const state = new State(folder);
	mkdirSync(home, { recursive: true });
	runningFile = runningFileIn(folder);
	const running = { start: process.pid, ports: [n8nPort, sandboxPort] };
	writeFileSync(runningFile, JSON.stringify(running));
	if (!state.examples) console.log('The first start takes some minutes; later ones take seconds.');

	const env = await ensureNode24();
	await ensureDependencies(env);
	await ensureHost(env);
	await installPackage(home, state, env);
	await compileSandbox(state, env);

	endWithSignals();
	let sandbox;
	let n8n;
	let editor;
	await step('Starting the sandbox and n8n', 10, async () => {
		await closeServer(sandboxPortHeld);
		sandbox = await startSandbox(sandboxPort, folder, env);
		children.push(sandbox.child);
		await closeServer(n8nPortHeld);
		n8n = await startN8n(n8nPort, home, folder, env, watch ? reloading : {});
		children.push(n8n.child);
		writeFileSync(runningFile, JSON.stringify({ ...running, n8n: n8n.child.process.pid, url: n8n.url }));
		for (const { child } of [sandbox, n8n]) {
			void child.gone.then(async () => {
				if (ending) return;
				console.error(child.failed('has ended by itself').message);
				await end(1);
			});
		}
		editor = new Editor(n8n.url);
		await until('n8n is ready', async () => ending || (await editor.isReady()), 180_000);
	});
	if (ending) return;
	let problems = [];
	const setUp = async () => {
		problems = await setUpN8n(editor, state, folder, n8n.url, sandbox);
		await registerForwardUrls(state, n8n.url, sandbox.url);
	};
	await (state.examples ? setUp() : step('Importing credentials and examples into n8n', 5, setUp));
	await waitForWebhooks(state, n8n.url);
	if (ending) return;
	printUrls(state, folder, n8n.url, sandbox.url, problems, Math.round((Date.now() - began) / 1000));
	if (watch) await watchSources(home, env);
}

/** Creates the credentials and imports the examples. @returns a text for each that failed */
async function setUpN8n(editor, state, folder, n8nUrl, sandbox) {
	const isFirstStart = !state.examples;
	try {
		await editor.signIn();
	} catch {
		return isFirstStart
			? [`Signing in to n8n as ${owner.email} failed. Delete the folder ${folder} and start again.`]
			: ['You have changed the password of n8n, so new examples were not imported. Log in with your own password.'];
	}
	await createCredentials(editor, state, sandbox);
	const problems = await importExamples(editor, state, n8nUrl);
	await setReportUrl(editor, state, n8nUrl);
	return problems;
}

/**
 * Waits until n8n accepts calls of one example's webhook, which is a moment after n8n is ready. It waits at most 10 s, because
 * the user may have deactivated that example.
 */
async function waitForWebhooks(state, n8nUrl) {
	const path = Object.values(state.examples ?? {}).find(({ forward }) => forward)?.forward;
	const isOpen = async () =>
		// A request without a key starts no workflow. The answer is 401 if the webhook exists, and otherwise 404.
		(await fetch(n8nUrl + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })).status !== 404;
	if (path) await until('the webhook of the example exists', isOpen, 10_000).catch(() => undefined);
}

function printUrls(state, folder, n8nUrl, sandboxUrl, problems, seconds) {
	const forms = importedExamples(state).flatMap(({ name: example, forms }) =>
		forms.map(({ name, path, login }) => ({ name: `${name}" of "${example}`, url: n8nUrl + path, login })),
	);
	const lines = [
		'',
		`Ready after ${seconds} s. No SMS leaves this computer, and all people are invented.`,
		'',
		`  n8n       ${n8nUrl}`,
		`            log in as ${owner.email} with ${owner.password}`,
		`  Sandbox   ${sandboxUrl}`,
		'            simulated phones, people of the registry, all HTTP requests, and simulated faults',
		'',
		'Try this first:',
		`  a list         upload the file examples/grades.xlsx at ${n8nUrl}/form/spreadsheet-to-sms *`,
		'  a keyword      in the sandbox, send ΒΑ from the phone 6900000001',
		`  an enrolment   fill in the form at ${n8nUrl}/form/enrolment with a person of the sandbox`,
		'The workflows for an office:',
		`  a list         upload the file examples/grades.xlsx at ${n8nUrl}/form/send-a-list *, then open ${n8nUrl}/form/who-got-it *`,
		'  a question     upload examples/desk/question.xlsx in the form "Ask", answer with the buttons on the phones, then open "Answers"',
		'  one person     ask 6900000001 with the form "Ask somebody"',
		'',
		...forms.map(({ name, url, login }) => `Form "${name}": ${url}${login ? ' *' : ''}`),
		`  * asks for a login: ${formLogin.user} with ${formLogin.password}`,
		`The log of n8n: ${join(folder, 'n8n.log')}`,
		...problems.map((problem) => `Note: ${problem}`),
		'',
		'Ctrl-C ends both.',
	];
	console.log(lines.join('\n'));
}

main().catch(async (error) => {
	if (ending) return;
	console.error(error instanceof StartError ? error.message : error.stack);
	await end(1);
});

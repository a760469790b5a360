/**
 * `npm start`: a place to try the package, with nothing before it. Installs what is missing, and runs the sandbox
 * and a real n8n until Ctrl-C. Everything it keeps is in `.tmp/start`: delete that folder to begin anew.
 * `npm run dev` is the same with `--watch`: what you change in the sources is in that n8n seconds later.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { holdPort, isTaken, owner, until } from './n8n.js';
import { ensureDependencies, ensureHost, ensureNode24, root, step } from './setup.mjs';
import { startN8n, startSandbox } from './start/children.mjs';
import { Editor } from './start/editor.mjs';
import {
	bringCredentials,
	bringExamples,
	bringReportAddress,
	formLogin,
	importedExamples,
	registerForwardAddresses,
} from './start/examples.mjs';
import { compileSandbox, installPackage } from './start/package.mjs';
import { State } from './start/state.mjs';
import { reloading, watchSources } from './start/watch.mjs';

const usage = `npm start [-- --n8n-port 5678] [--sandbox-port 9999] [--folder .tmp/start] [--watch]
The ports can also be given as N8N_PORT and SANDBOX_PORT.`;

/** An error that ends the start with one sentence, because a stack would add nothing. */
class Refusal extends Error {}

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
		throw new Refusal(`${error.message}\n${usage}`);
	}
	if (values.help) {
		console.log(usage);
		process.exit(0);
	}
	const port = (name) => {
		const number = Number(values[name]);
		if (Number.isInteger(number) && number > 0 && number < 65536) return number;
		throw new Refusal(`--${name} is "${values[name]}", which is not a port (1 to 65535).`);
	};
	const [n8nPort, sandboxPort] = [port('n8n-port'), port('sandbox-port')];
	if (n8nPort === sandboxPort) throw new Refusal(`n8n and the sandbox need two different ports, not ${n8nPort} twice.`);
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
 * Takes both ports before the first installation, which takes minutes. They stay taken until they are needed. So a second
 * start sees that this one still runs, and does not install at the same time.
 * @returns the servers that hold the ports
 */
async function takePorts({ n8nPort, sandboxPort, folder }) {
	const earlier = readMark(folder);
	const leftOver = earlier && isAlive(earlier.n8n) && (await new Editor(earlier.url).isReady());
	if (leftOver && isAlive(earlier.start)) {
		throw new Refusal(`It is running already, at ${earlier.url}. Ctrl-C there ends it.`);
	}
	if (leftOver) {
		throw new Refusal(`The n8n of an earlier start still runs (process ${earlier.n8n}). End it with: kill ${earlier.n8n}`);
	}
	// The number alone is not enough, because it may belong to another program by now.
	if (earlier && isAlive(earlier.start) && (await Promise.all((earlier.ports ?? []).map(isTaken))).includes(true)) {
		throw new Refusal('It is starting already, in another terminal: wait until that one is ready. Ctrl-C there ends it.');
	}
	const held = [];
	for (const [name, port, flag, variable] of [
		['n8n', n8nPort, '--n8n-port', 'N8N_PORT'],
		['the sandbox', sandboxPort, '--sandbox-port', 'SANDBOX_PORT'],
	]) {
		const holder = await holdPort(port).catch(() => undefined);
		if (holder === undefined) {
			const other = port < 65000 ? port + 10 : port - 10;
			throw new Refusal(
				`Port ${port}, on which ${name} is to listen, is taken by another program.\n` +
					`Choose another one: npm start -- ${flag} ${other}   (or ${variable}=${other} npm start)`,
			);
		}
		held.push(holder);
	}
	return held;
}

/** The file that is there while it runs, so that a second one says so. */
const markIn = (folder) => join(folder, 'running.json');
/** Reads the file. @returns undefined if nothing runs, or if a power failure has cut the file */
function readMark(folder) {
	try {
		return JSON.parse(readFileSync(markIn(folder), 'utf8'));
	} catch {
		return undefined;
	}
}
const letGo = (holder) => new Promise((resolve) => holder.close(resolve));

const children = [];
let ending = false;
/** Removed at the end. */
let mark = '';

/** Ends both, waits until they are gone, and then itself. */
async function end(code) {
	if (ending) return;
	ending = true;
	await Promise.all(children.map(async (child) => await child.end()));
	if (mark) rmSync(mark, { force: true });
	if (code === 0) console.log('Both have ended. What you did is kept for the next start.');
	process.exit(code);
}

function endWithSignals() {
	let first = 0;
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
		process.on(signal, () => {
			if (ending) {
				// One Ctrl-C sends two signals: the terminal sends one, and npm passes on another.
				if (Date.now() - first < 1000) return;
				console.log('At once, then.');
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
	const choice = options();
	const { n8nPort, sandboxPort, folder, watch } = choice;
	const [n8nPortHeld, sandboxPortHeld] = await takePorts(choice);

	const began = Date.now();
	const home = join(folder, 'n8n');
	const state = new State(folder);
	mkdirSync(home, { recursive: true });
	mark = markIn(folder);
	const running = { start: process.pid, ports: [n8nPort, sandboxPort] };
	writeFileSync(mark, JSON.stringify(running));
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
		await letGo(sandboxPortHeld);
		sandbox = await startSandbox(sandboxPort, folder, env);
		children.push(sandbox.child);
		await letGo(n8nPortHeld);
		n8n = await startN8n(n8nPort, home, folder, env, watch ? reloading : {});
		children.push(n8n.child);
		writeFileSync(mark, JSON.stringify({ ...running, n8n: n8n.child.process.pid, url: n8n.url }));
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
	const bring = async () => {
		problems = await bringEverything(editor, state, n8n.url, sandbox);
		await registerForwardAddresses(state, n8n.url, sandbox.url);
	};
	await (state.examples ? bring() : step('Bringing credentials and examples into n8n', 5, bring));
	await webhooksAreOpen(state, n8n.url);
	if (ending) return;
	printAddresses(state, folder, n8n.url, sandbox.url, problems, Math.round((Date.now() - began) / 1000));
	if (watch) await watchSources(home, env);
}

/** Brings credentials and examples into n8n. @returns texts about those that failed */
async function bringEverything(editor, state, n8nUrl, sandbox) {
	const first = !state.examples;
	try {
		await editor.signIn();
	} catch {
		return first
			? [`n8n knows neither ${owner.email} nor takes a new owner; delete ${join('.tmp', 'start')} and start again.`]
			: ['The password was changed, so nothing new was brought into n8n. Log in with your own.'];
	}
	await bringCredentials(editor, state, sandbox);
	const problems = await bringExamples(editor, state, n8nUrl);
	await bringReportAddress(editor, state, n8nUrl);
	return problems;
}

/**
 * Waits until n8n has opened the webhooks, a moment after it is ready. Deactivated workflows stay closed, so the wait is
 * short.
 */
async function webhooksAreOpen(state, n8nUrl) {
	const path = Object.values(state.examples ?? {}).find(({ forward }) => forward)?.forward;
	const open = async () =>
		// A request without a key starts no workflow. The answer is 401 if the webhook is open, and 404 if it is not.
		(await fetch(n8nUrl + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })).status !== 404;
	if (path) await until('the forward address is open', open, 10_000).catch(() => undefined);
}

function printAddresses(state, folder, n8nUrl, sandboxUrl, problems, seconds) {
	const forms = importedExamples(state).flatMap(({ name: example, forms }) =>
		forms.map(({ name, path, login }) => ({ name: `${name}" of "${example}`, url: n8nUrl + path, login })),
	);
	const lines = [
		'',
		`Ready after ${seconds} s. Everything stays on this computer, and all people in it are made up.`,
		'',
		`  n8n       ${n8nUrl}`,
		`            log in as ${owner.email} with ${owner.password}`,
		`  Sandbox   ${sandboxUrl}`,
		'            phones, people of the registry, every request, and simulated faults',
		'',
		'Try first',
		`  a list         give the form "Upload" at ${n8nUrl}/form/spreadsheet-to-sms the file examples/grades.xlsx *`,
		'  a keyword      send ΒΑ from the phone 6900000001 of the sandbox',
		`  an enrolment   fill in the form at ${n8nUrl}/form/enrolment with a person of the sandbox`,
		'Then, for an office',
		`  a list         give the form at ${n8nUrl}/form/send-a-list the file examples/grades.xlsx *, then open ${n8nUrl}/form/who-got-it *`,
		'  a question     give the form "Ask" examples/desk/question.xlsx, answer with the buttons on the phones, then open "Answers"',
		'  to one         ask 6900000001 with the form "Ask somebody"',
		'',
		...forms.map(({ name, url, login }) => `Form "${name}": ${url}${login ? ' *' : ''}`),
		`  * asks for a login: ${formLogin.user} with ${formLogin.password}`,
		`n8n’s log: ${join(folder, 'n8n.log')}`,
		...problems.map((problem) => `Note: ${problem}`),
		'',
		'Ctrl-C ends both.',
	];
	console.log(lines.join('\n'));
}

main().catch(async (error) => {
	if (ending) return;
	console.error(error instanceof Refusal ? error.message : error.stack);
	await end(1);
});

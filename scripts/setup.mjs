/**
 * Installs what the tests need from npm and is not there yet: a Node that n8n runs on, this package's own
 * dependencies, and a real n8n. Runs on Node 20.19 or later with nothing installed.
 * Every function is safe to call again: what is in place is left as it is.
 */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const nodeVersion = '24.21.0';

/**
 * Runs a command with the reader watching, its output unchanged.
 * @returns {Promise<number>} the exit code; a command ended by a signal counts as 1
 */
export const run = (command, args, env) =>
	new Promise((resolve, reject) => {
		const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
		child.on('error', reject).on('close', (code) => resolve(code ?? 1));
	});

/**
 * Does one step and prints one line about it: what is done and how long that usually takes, then how long it took.
 * Steps run one after the other, so that no line interrupts another.
 * @param {string} title
 * @param {number} usualSeconds as measured on two cores
 * @param {() => Promise<unknown>} work
 */
export async function step(title, usualSeconds, work) {
	const started = Date.now();
	process.stdout.write(`${title} (usually ${usualSeconds} s) ...`);
	try {
		await work();
		process.stdout.write(` ${Math.round((Date.now() - started) / 1000)} s\n`);
	} catch (error) {
		process.stdout.write(' failed\n');
		throw error;
	}
}

/**
 * Runs a command without showing its output.
 * @throws {Error} if the command fails, with the end of its output
 */
export const runQuietly = (command, args, cwd, env) =>
	new Promise((resolve, reject) => {
		const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
		const output = [];
		child.stdout.on('data', (chunk) => output.push(chunk));
		child.stderr.on('data', (chunk) => output.push(chunk));
		child.on('error', reject).on('close', (code) => {
			if (code === 0) return resolve();
			// A shared log must not show which registry a machine uses.
			const text = Buffer.concat(output)
				.toString()
				.replace(/https?:\/\/[^\s/]+/g, '<registry>');
			reject(new Error(`${command} ${args.join(' ')} failed:\n${text.slice(-4000)}`));
		});
	});

const readJson = (path) => {
	try {
		return JSON.parse(readFileSync(path, 'utf8'));
	} catch {
		return undefined;
	}
};

const outputOf = (command) =>
	new Promise((resolve) => {
		const child = spawn(command, ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] });
		let text = '';
		child.stdout.on('data', (chunk) => (text += chunk));
		child.on('error', () => resolve('')).on('close', () => resolve(text.trim()));
	});

/**
 * n8n needs Node 24. If this one is older, it installs the npm package `node` with the binary into `.node/`.
 * @returns the environment for everything that follows, with that Node first in its PATH, and its headers for node-gyp
 */
export async function ensureNode24() {
	if (Number(process.versions.node.split('.')[0]) >= 24) return withHeaders(process.env, join(process.execPath, '..', '..'));

	const folder = join(root, '.node');
	const bin = join(folder, 'node_modules', 'node', 'bin');
	if ((await outputOf(join(bin, 'node'))) !== `v${nodeVersion}`) {
		rmSync(folder, { recursive: true, force: true });
		mkdirSync(folder);
		writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
		// Its install script is what fetches the binary, so scripts are allowed here.
		const options = ['--prefix', folder, '--ignore-scripts=false', '--no-package-lock', '--no-audit', '--no-fund'];
		await step(`Installing Node ${nodeVersion}, because this is ${process.version}`, 10, () =>
			runQuietly('npm', ['install', `node@${nodeVersion}`, ...options], folder, process.env),
		);
	}
	const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
	return withHeaders(env, join(bin, '..', 'node_modules', `node-${process.platform}-${process.arch}`));
}

/** Names the headers that a Node brings along, which node-gyp otherwise downloads. @param place the folder of this Node */
const withHeaders = (env, place) =>
	existsSync(join(place, 'include', 'node', 'node_version.h')) ? { npm_config_nodedir: place, ...env } : env;

/** Installs the root's dependencies if the installed ones differ from the lock file. */
export async function ensureDependencies(env) {
	const wanted = readJson(join(root, 'package-lock.json'))?.packages ?? {};
	const installed = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages ?? {};
	const complete = Object.entries(wanted).every(
		([path, { version, optional }]) => path === '' || optional || installed[path]?.version === version,
	);
	if (complete) return;
	if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) {
		console.warn('node_modules is a link to the installation of another folder, which is left as it is: it differs from the lock file.');
		return;
	}
	await step('Installing the dependencies', 60, () =>
		runQuietly('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], root, env),
	);
}

/**
 * Installs the real n8n of host/package.json, or of a folder below it, such as "2.20", and meanwhile compiles the driver
 * that all of them have. It has no lock file, which would be close to a megabyte that no reviewer reads: the versions that
 * matter are exact.
 */
export async function ensureHost(env, name = '') {
	const folder = join(root, 'host', name);
	const wanted = readFileSync(join(folder, 'package.json'), 'utf8');
	const stamp = join(folder, 'node_modules', '.made-from.json');
	if (JSON.stringify(readJson(stamp)) === JSON.stringify(JSON.parse(wanted))) return;

	const { n8n } = JSON.parse(wanted).dependencies;
	await step(`Installing n8n ${n8n} (2.2 GB) and compiling its SQLite driver`, 180, async () => {
		const [installed, compiled] = await Promise.allSettled([
			// One of n8n's dependencies (a Kafka client) doesn't build everywhere, and n8n starts without it.
			runQuietly('npm', [...install, '--legacy-peer-deps'], folder, env),
			ensureDriver(env),
		]);
		for (const { reason } of [installed, compiled]) if (reason) throw reason;
	});
	const [own, ours] = [folder, driver].map((place) => join(place, 'node_modules', 'sqlite3'));
	if (versionIn(own) !== versionIn(ours)) {
		throw new Error(`n8n ${n8n} has sqlite3 ${versionIn(own)}, and ${versionIn(ours)} was compiled: change host/driver/package.json.`);
	}
	cpSync(join(ours, binary), join(own, binary), { recursive: true });
	writeFileSync(stamp, wanted);
}

const install = ['install', '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund'];
const versionIn = (folder) => readJson(join(folder, 'package.json'))?.version;

const driver = join(root, 'host', 'driver');
const binary = join('build', 'Release', 'node_sqlite3.node');

async function ensureDriver(env) {
	const { sqlite3 } = readJson(join(driver, 'package.json')).dependencies;
	const folder = join(driver, 'node_modules', 'sqlite3');
	if (versionIn(folder) === sqlite3 && existsSync(join(folder, binary))) return;

	await runQuietly('npm', install, driver, env);
	// Full optimisation takes twice as long, and nothing here waits for SQLite.
	const quickly = { ...env, CFLAGS: '-O1', CXXFLAGS: '-O1', JOBS: 'max' };
	await runQuietly('npm', ['rebuild', 'sqlite3', '--ignore-scripts=false'], driver, quickly);
}

/**
 * Installs from npm what the tests need: a Node.js version that n8n supports, the dependencies of this package, and a real n8n.
 * Each `ensure…` function does nothing if nothing is missing. This file runs on Node 20.19 or later, and needs no dependencies.
 */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const nodeVersion = '24.21.0';

/**
 * Runs a command and shows its output.
 * @returns {Promise<number>} the exit code, or 1 if a signal has ended the command
 */
export const run = (command, args, env) =>
	new Promise((resolve, reject) => {
		const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
		child.on('error', reject).on('close', (code) => resolve(code ?? 1));
	});

/**
 * Does one step of an installation, and prints one line: the title and the usual duration, then the actual duration. Steps must
 * not run at the same time, because their output would be mixed.
 * @param {string} title
 * @param {number} usualSeconds the usual duration on a computer with two cores
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
 * @throws {Error} if the command fails. The error contains the end of the output
 */
export const runQuietly = (command, args, cwd, env) =>
	new Promise((resolve, reject) => {
		const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
		const output = [];
		child.stdout.on('data', (chunk) => output.push(chunk));
		child.stderr.on('data', (chunk) => output.push(chunk));
		child.on('error', reject).on('close', (code) => {
			if (code === 0) return resolve();
			// Users publish such logs. They must not show which npm registry this computer uses.
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

/** Returns the version that a program prints. Empty: the program does not exist. */
const versionOf = (command) =>
	new Promise((resolve) => {
		const child = spawn(command, ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] });
		let text = '';
		child.stdout.on('data', (chunk) => (text += chunk));
		child.on('error', () => resolve('')).on('close', () => resolve(text.trim()));
	});

/**
 * Provides Node 24, which n8n needs. If this process runs on an older version, it installs the npm package `node` into `.node/`.
 * @returns the environment variables for all further commands: Node 24 is first in PATH, and node-gyp finds its headers
 */
export async function ensureNode24() {
	if (Number(process.versions.node.split('.')[0]) >= 24) return withHeaders(process.env, join(process.execPath, '..', '..'));

	const folder = join(root, '.node');
	const bin = join(folder, 'node_modules', 'node', 'bin');
	if ((await versionOf(join(bin, 'node'))) !== `v${nodeVersion}`) {
		rmSync(folder, { recursive: true, force: true });
		mkdirSync(folder);
		writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
		// The install script of this npm package installs the binary, so it must be allowed to run.
		const options = ['--prefix', folder, '--ignore-scripts=false', '--no-package-lock', '--no-audit', '--no-fund'];
		await step(`Installing Node ${nodeVersion}, because this is ${process.version}`, 10, () =>
			runQuietly('npm', ['install', `node@${nodeVersion}`, ...options], folder, process.env),
		);
	}
	const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
	return withHeaders(env, join(bin, '..', 'node_modules', `node-${process.platform}-${process.arch}`));
}

/** Adds the path of Node's headers for node-gyp, which would download them otherwise. @param place the folder of Node */
const withHeaders = (env, place) =>
	existsSync(join(place, 'include', 'node', 'node_version.h')) ? { npm_config_nodedir: place, ...env } : env;

/**
 * Installs the dependencies of this package if the installed ones differ from package-lock.json. If `node_modules` is a symbolic
 * link, it only prints a warning.
 */
export async function ensureDependencies(env) {
	const wanted = readJson(join(root, 'package-lock.json'))?.packages ?? {};
	const installed = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages ?? {};
	const complete = Object.entries(wanted).every(
		([path, { version, optional }]) => path === '' || optional || installed[path]?.version === version,
	);
	if (complete) return;
	if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) {
		console.warn('node_modules is a symbolic link to another folder, so its packages are not updated. They differ from package-lock.json.');
		return;
	}
	await step('Installing the dependencies', 60, () =>
		runQuietly('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], root, env),
	);
}

/**
 * Installs the n8n of host/package.json, or of a folder below `host`, such as "2.20". At the same time it compiles the SQLite
 * driver, which all these n8n have in common. There is no lock file: it would have a megabyte that nobody reviews, and the
 * versions that matter are exact in package.json.
 */
export async function ensureHost(env, name = '') {
	const folder = join(root, 'host', name);
	const wanted = readFileSync(join(folder, 'package.json'), 'utf8');
	const stamp = join(folder, 'node_modules', '.made-from.json');
	if (JSON.stringify(readJson(stamp)) === JSON.stringify(JSON.parse(wanted))) return;

	const { n8n } = JSON.parse(wanted).dependencies;
	await step(`Installing n8n ${n8n} (2.2 GB) and compiling its SQLite driver`, 180, async () => {
		const [installed, compiled] = await Promise.allSettled([
			// No install scripts run: one of n8n's dependencies (a Kafka client) does not compile on every computer. n8n starts
			// without it.
			runQuietly('npm', [...install, '--legacy-peer-deps'], folder, env),
			ensureDriver(env),
		]);
		for (const { reason } of [installed, compiled]) if (reason) throw reason;
	});
	const [own, ours] = [folder, driver].map((place) => join(place, 'node_modules', 'sqlite3'));
	if (versionIn(own) !== versionIn(ours)) {
		throw new Error(`n8n ${n8n} needs sqlite3 ${versionIn(own)}, but ${versionIn(ours)} was compiled. Change the version in host/driver/package.json.`);
	}
	cpSync(join(ours, binary), join(own, binary), { recursive: true });
	writeFileSync(stamp, wanted);
}

const install = ['install', '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund'];
const versionIn = (folder) => readJson(join(folder, 'package.json'))?.version;

const driver = join(root, 'host', 'driver');
const binary = join('build', 'Release', 'node_sqlite3.node');

/** Compiles the SQLite driver in host/driver, unless the version in its package.json is compiled already. */
async function ensureDriver(env) {
	const { sqlite3 } = readJson(join(driver, 'package.json')).dependencies;
	const folder = join(driver, 'node_modules', 'sqlite3');
	if (versionIn(folder) === sqlite3 && existsSync(join(folder, binary))) return;

	await runQuietly('npm', install, driver, env);
	// With full optimisation the compilation would take twice as long, and n8n would be no faster here.
	const quickly = { ...env, CFLAGS: '-O1', CXXFLAGS: '-O1', JOBS: 'max' };
	await runQuietly('npm', ['rebuild', 'sqlite3', '--ignore-scripts=false'], driver, quickly);
}

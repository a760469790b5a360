/**
 * Finds the programs that the tests need beside npm's packages, and installs Debian's packages of those that are missing,
 * as root or through sudo without a password. Every function is safe to call again.
 */
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root, runQuietly, step } from './setup.mjs';

/** Returns the path of a program. It also searches the administrator's folder, which may be missing in PATH. */
export const programIn = (name) =>
	[...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'].map((folder) => join(folder, name)).find((path) => existsSync(path));

/**
 * Installs packages.
 * @throws {Error} if that is not possible here. The error says what to do instead
 */
async function install(what, packages) {
	const advice = `Install ${what} first; on Debian or Ubuntu: apt-get install ${packages.join(' ')}`;
	const apt = programIn('apt-get');
	if (!apt) throw new Error(advice);
	const aptGet = async (title, usualSeconds, ...args) => {
		// sudo drops the environment.
		const command = [...(process.getuid() === 0 ? [] : ['sudo', '-n']), 'env', 'DEBIAN_FRONTEND=noninteractive', apt, '-y', '-q', ...args];
		await step(title, usualSeconds, () => runQuietly(command[0], command.slice(1), root, process.env));
	};
	try {
		await aptGet("Reading the lists of Debian's packages", 10, 'update');
		await aptGet(`Installing ${what}`, 60, 'install', '--no-install-recommends', ...packages);
	} catch (error) {
		throw new Error(`${error.message}\n${advice}`);
	}
}

/**
 * Returns the folder of PostgreSQL's programs. Debian keeps the programs of every version, and only some of them are in PATH.
 */
export function postgresFolder() {
	const versions = '/usr/lib/postgresql';
	const newestFirst = existsSync(versions) ? readdirSync(versions).sort((a, b) => Number(b) - Number(a)) : [];
	return [...newestFirst.map((version) => join(versions, version, 'bin')), ...(process.env.PATH ?? '').split(delimiter)].find(
		(folder) => ['initdb', 'postgres', 'pg_dump'].every((program) => existsSync(join(folder, program))),
	);
}

/** Installs the servers of n8n's queue mode. @throws {Error} that says what to install, if this can't install them */
export async function ensureServers() {
	const found = { postgresql: postgresFolder(), 'redis-server': programIn('redis-server'), nginx: programIn('nginx') };
	const missing = Object.keys(found).filter((name) => !found[name]);
	if (missing.length > 0) await install('PostgreSQL, Redis and nginx', missing);
}

/** The names under which Chromium and Chrome are installed, in the order in which they are looked for. */
const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * Finds Chromium, or installs it with a font that has Greek letters, for the pictures. `CHROMIUM_PATH` chooses another one.
 * @returns the environment for the browser tests, with `CHROMIUM_PATH` in it
 * @throws {Error} if there is no browser and none can be installed. The error says what to do
 */
export async function ensureChromium(env) {
	const found = () => env.CHROMIUM_PATH || browsers.map(programIn).find(Boolean);
	if (!found()) await install('Chromium, or Google Chrome, or set CHROMIUM_PATH to its program', ['chromium', 'fonts-dejavu-core']);
	const path = found();
	if (!existsSync(path ?? '')) throw new Error(`CHROMIUM_PATH is ${path}, where no file is.`);
	return { ...env, CHROMIUM_PATH: path };
}

/** Returns the path of Debian's library that moves a process's clock. The folder is named after the processor. */
const faketime = () =>
	['/usr/lib', ...readdirSync('/usr/lib').map((name) => join('/usr/lib', name))]
		.map((folder) => join(folder, 'faketime/libfaketime.so.1'))
		.find((path) => existsSync(path));

/**
 * Finds the library that moves the clock of a whole n8n, or installs it. If that is not possible, the tests that move a clock
 * fail and say why. All others run.
 * @returns the environment for the tests, with its path in `N8N_E2E_FAKETIME`
 */
export async function ensureFaketime(env) {
	if (!faketime()) await install('faketime', ['faketime']).catch((error) => console.error(error.message));
	return { ...env, N8N_E2E_FAKETIME: faketime() ?? '' };
}

/**
 * Finds the programs that the tests need and that npm does not install. If one is missing, the functions install its Debian
 * package, as root or by sudo without a password. Each function may be called again, and then does nothing.
 */
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root, runQuietly, step } from './setup.mjs';

/** Returns the path of a program. It searches PATH, and /usr/sbin, which may be missing there. */
export const programIn = (name) =>
	[...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'].map((folder) => join(folder, name)).find((path) => existsSync(path));

/**
 * Installs Debian packages.
 * @throws {Error} if that fails. The error says which packages the user should install
 */
async function install(what, packages) {
	const advice = `Install ${what} first; on Debian or Ubuntu: apt-get install ${packages.join(' ')}`;
	const apt = programIn('apt-get');
	if (!apt) throw new Error(advice);
	const aptGet = async (title, usualSeconds, ...args) => {
		// The variable is set by `env`, because sudo does not pass the environment on.
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

/** Installs the servers that n8n's queue mode needs. @throws {Error} if that fails. The error says what to install */
export async function ensureServers() {
	const found = { postgresql: postgresFolder(), 'redis-server': programIn('redis-server'), nginx: programIn('nginx') };
	const missing = Object.keys(found).filter((name) => !found[name]);
	if (missing.length > 0) await install('PostgreSQL, Redis and nginx', missing);
}

/** The names of the programs of Chromium and Chrome. The first one that is installed is used. */
const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * Finds Chromium, or installs it together with a font that has Greek letters, which the pictures need. The variable
 * `CHROMIUM_PATH` chooses another browser.
 * @returns the environment for the browser tests, with `CHROMIUM_PATH`
 * @throws {Error} if there is no browser and none can be installed. The error says what to do
 */
export async function ensureChromium(env) {
	const found = () => env.CHROMIUM_PATH || browsers.map(programIn).find(Boolean);
	if (!found()) await install('Chromium or Google Chrome (or set CHROMIUM_PATH to its program)', ['chromium', 'fonts-dejavu-core']);
	const path = found();
	if (!existsSync(path ?? '')) throw new Error(`There is no file at ${path}, the value of CHROMIUM_PATH.`);
	return { ...env, CHROMIUM_PATH: path };
}

/** Returns the path of the library that changes the clock of a process. Its folder is named after the processor. */
const faketime = () =>
	['/usr/lib', ...readdirSync('/usr/lib').map((name) => join('/usr/lib', name))]
		.map((folder) => join(folder, 'faketime/libfaketime.so.1'))
		.find((path) => existsSync(path));

/**
 * Finds the library that changes the clock of a process (faketime), or installs it. If that fails, it prints the reason. Then
 * the tests that change n8n's clock fail with an explanation, and all others run.
 * @returns the environment for the tests, with the library's path in `N8N_E2E_FAKETIME`
 */
export async function ensureFaketime(env) {
	if (!faketime()) await install('faketime', ['faketime']).catch((error) => console.error(error.message));
	return { ...env, N8N_E2E_FAKETIME: faketime() ?? '' };
}

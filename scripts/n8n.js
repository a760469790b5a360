/**
 * Functions to install and use a real n8n, for `npm start`, the tests and the measurements. This file is a CommonJS module,
 * because jest loads no other kind here. It is JavaScript, because `npm start` uses it before TypeScript is installed.
 */
const { execFile } = require('node:child_process');
const { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync, existsSync } = require('node:fs');
const { createServer } = require('node:net');
const { join } = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const { promisify } = require('node:util');

const run = promisify(execFile);
/** The folder of the package, which is npm's working directory. */
const root = process.cwd();

/** The account of the owner in each n8n that these scripts start. Only this computer can reach such an n8n. */
const owner = {
	email: 'owner@example.gr',
	firstName: 'Δοκιμαστική',
	lastName: 'Διαχειρίστρια',
	password: 'Sandbox-Only-1',
};

/**
 * Returns the environment variables for an n8n that only this computer can reach and that sends no usage data to n8n's servers.
 * The user's own N8N_… and DB_… variables are left out, because they are for another n8n.
 * @param {string} home the folder for the data of n8n
 * @param {NodeJS.ProcessEnv} [env] the environment from which PATH and TMPDIR are taken
 * @returns {NodeJS.ProcessEnv}
 */
const environmentOf = (home, env = process.env) => ({
	PATH: env.PATH,
	...(env.TMPDIR && { TMPDIR: env.TMPDIR }),
	HOME: home,
	N8N_USER_FOLDER: home,
	// Node stores compiled code here, which makes each further start a second faster.
	NODE_COMPILE_CACHE: join(root, 'host/node_modules/.compiled'),
	...JSON.parse(readFileSync(join(root, 'host/environment.json'), 'utf8')),
});

/**
 * Calls a function every 50 ms until it returns a value.
 * @template T
 * @param {string} what the condition that is waited for, for the error text
 * @param {() => Promise<T | undefined | false> | T | undefined | false} probe returns undefined or false if there is no value yet
 * @returns {Promise<T>} the first value that is neither undefined nor false
 * @throws {Error} if there is no value after `timeoutMs`
 */
async function until(what, probe, timeoutMs = 30_000) {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const value = await probe();
		if (value !== undefined && value !== false) return value;
		if (Date.now() > deadline) throw new Error(`Not true after ${timeoutMs} ms: ${what}`);
		await sleep(50);
	}
}

/**
 * Opens a port on 127.0.0.1 so that no other process can use it. Connections are closed immediately. The server does not keep
 * this process running.
 * @param {number} port
 * @returns {Promise<import('node:net').Server>}
 * @throws {Error} if the port is taken
 */
const holdPort = (port) =>
	new Promise((resolve, reject) => {
		const server = createServer((socket) => socket.destroy());
		server.once('error', reject).listen(port, '127.0.0.1', () => resolve(server.unref()));
	});

/** Returns whether a process uses this port. @param {number} port @returns {Promise<boolean>} */
const isTaken = (port) =>
	holdPort(port).then(
		(server) => new Promise((resolve) => server.close(() => resolve(false))),
		() => true,
	);

/*
 * Free ports are assigned from a range below the ports that operating systems use for outgoing connections. Otherwise such a
 * connection could take an assigned port before a server opens it. The range is divided into blocks, and each process reserves
 * whole blocks: it keeps the first port of a block open, so that other processes choose another block. A process assigns each
 * port only once, so that an n8n finds its port free after a restart.
 */
const [firstPort, blocks, portsOfBlock] = [10_000, 500, 40];
let nextPort = 0;

/** Assigns a free port. @returns {Promise<number>} @throws {Error} if all blocks are reserved */
async function freePort() {
	for (;;) {
		if (nextPort % portsOfBlock === 0) nextPort = (await reserveBlock()) + 1;
		const port = nextPort++;
		if (!(await isTaken(port))) return port;
	}
}

/** Reserves a block until this process ends. @returns {Promise<number>} its first port, which stays open */
async function reserveBlock() {
	for (let tries = 0; tries < blocks; tries++) {
		const port = firstPort + ((process.pid + tries) % blocks) * portsOfBlock;
		if (await holdPort(port).catch(() => undefined)) return port;
	}
	throw new Error('There is no free port between 10,000 and 30,000.');
}

/**
 * Signs in, by default as the owner. In a new n8n it creates the owner's account.
 * @param {string} url the URL of n8n without a trailing slash
 * @param {{ email: string, password: string }} [account]
 * @returns {Promise<string>} the cookie for further requests
 * @throws {Error} with n8n's answer, for example if the user has changed the password
 */
async function signIn(url, { email, password } = owner) {
	/** @param {string} path @param {object} body */
	const post = async (path, body) =>
		await fetch(`${url}/rest${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
	let response = await post('/login', { emailOrLdapLoginId: email, password });
	if (!response.ok) response = await post('/owner/setup', owner);
	if (!response.ok) throw new Error(`Could not sign in: ${response.status} ${await response.text()}`);
	return response.headers
		.getSetCookie()
		.map((cookie) => cookie.split(';')[0])
		.join('; ');
}

/**
 * Packs the package from `dist`, and installs the file as n8n installs a community package.
 * @param {string} home the N8N_USER_FOLDER
 * @param {{ more?: string[], env?: NodeJS.ProcessEnv }} [options] `more`: folders of further packages to install
 * @returns {Promise<string>} the path of the packed file
 */
async function packAndInstall(home, { more = [], env = process.env } = {}) {
	const nodes = join(home, '.n8n', 'nodes');
	mkdirSync(nodes, { recursive: true });
	const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', home];
	const { stdout } = await run('npm', pack, { cwd: root, env });
	// npm 11 prints an object with package names as keys, and older versions print a list.
	const [{ filename, name }] = Object.values(JSON.parse(stdout));
	// The file gets a unique name. If the name were the same, npm would not install the new file.
	const packed = join(home, `${filename.slice(0, -'.tgz'.length)}-${Date.now()}.tgz`);
	renameSync(join(home, filename), packed);

	const manifest = join(nodes, 'package.json');
	if (!existsSync(manifest)) writeFileSync(manifest, '{ "name": "installed-nodes", "private": true }\n');
	rmSync(join(nodes, 'node_modules', name), { recursive: true, force: true });
	const install = ['install', '--legacy-peer-deps', '--ignore-scripts', '--install-links', '--no-package-lock', '--no-audit', '--no-fund'];
	await run('npm', [...install, packed, ...more], { cwd: nodes, env });
	return packed;
}

module.exports = { environmentOf, freePort, holdPort, isTaken, owner, packAndInstall, signIn, until };

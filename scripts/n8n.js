/**
 * Functions that drive a real n8n, for `npm start`, the tests and the measurements. The file is CommonJS, because jest loads
 * nothing else, and JavaScript, because `npm start` runs it before anything is installed.
 */
const { execFile } = require('node:child_process');
const { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync, existsSync } = require('node:fs');
const { createServer } = require('node:net');
const { join } = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const { promisify } = require('node:util');

const run = promisify(execFile);
/** The package's folder, in which npm runs scripts. Files that use this one may be compiled to other folders. */
const root = process.cwd();

/** The account of every n8n that we start; only this computer can reach it. */
const owner = {
	email: 'owner@example.gr',
	firstName: 'Δοκιμαστική',
	lastName: 'Διαχειρίστρια',
	password: 'Sandbox-Only-1',
};

/**
 * Returns the environment of an n8n that only this computer can reach and that sends no requests to other hosts. It excludes the
 * user's own N8N_… and DB_… variables, which are for another n8n.
 * @param {string} home its folder
 * @param {NodeJS.ProcessEnv} [env] the environment whose programs it uses
 * @returns {NodeJS.ProcessEnv}
 */
const environmentOf = (home, env = process.env) => ({
	PATH: env.PATH,
	...(env.TMPDIR && { TMPDIR: env.TMPDIR }),
	HOME: home,
	N8N_USER_FOLDER: home,
	// Node keeps compiled code from one start to the next, which saves a second for each.
	NODE_COMPILE_CACHE: join(root, 'host/node_modules/.compiled'),
	...JSON.parse(readFileSync(join(root, 'host/environment.json'), 'utf8')),
});

/**
 * Asks again until there is an answer.
 * @template T
 * @param {string} what the name for the error when the time is over
 * @param {() => Promise<T | undefined | false> | T | undefined | false} probe
 * @returns {Promise<T>} the first value that is neither undefined nor false
 * @throws {Error} after `timeoutMs`
 */
async function until(what, probe, timeoutMs = 30_000) {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const value = await probe();
		if (value !== undefined && value !== false) return value;
		if (Date.now() > deadline) throw new Error(`Waited ${timeoutMs} ms in vain: ${what}`);
		await sleep(50);
	}
}

/**
 * Opens a port of this computer without answering on it. The open port does not keep the process running.
 * @param {number} port
 * @returns {Promise<import('node:net').Server>}
 * @throws {Error} if it is taken
 */
const holdPort = (port) =>
	new Promise((resolve, reject) => {
		const server = createServer((socket) => socket.destroy());
		server.once('error', reject).listen(port, '127.0.0.1', () => resolve(server.unref()));
	});

/** Returns whether another process uses this port. @param {number} port @returns {Promise<boolean>} */
const isTaken = (port) =>
	holdPort(port).then(
		(server) => new Promise((resolve) => server.close(() => resolve(false))),
		() => true,
	);

/*
 * The ports are below those that systems use for outgoing connections, because such a connection could take a port before its
 * server. Ports are assigned in blocks. The process that has a block keeps its first port open, so that no other process
 * assigns ports of the block. No port is assigned twice, so an n8n that is down for a moment finds its port free.
 */
const [firstPort, blocks, portsOfBlock] = [10_000, 500, 40];
let nextPort = 0;

/** @returns {Promise<number>} a free port, which is assigned only once @throws {Error} if all are assigned */
async function freePort() {
	for (;;) {
		if (nextPort % portsOfBlock === 0) nextPort = (await holdBlock()) + 1;
		const port = nextPort++;
		if (!(await isTaken(port))) return port;
	}
}

/** @returns {Promise<number>} the first port of a block, which stays open as long as this process runs */
async function holdBlock() {
	for (let tries = 0; tries < blocks; tries++) {
		const port = firstPort + ((process.pid + tries) % blocks) * portsOfBlock;
		if (await holdPort(port).catch(() => undefined)) return port;
	}
	throw new Error('No port is free');
}

/**
 * Signs the owner in; the first time it makes the account.
 * @param {string} url of n8n, without a trailing slash
 * @returns {Promise<string>} the cookie for further calls
 * @throws {Error} with n8n's answer, for example if a user has changed the password
 */
async function signIn(url) {
	/** @param {string} path @param {object} body */
	const post = async (path, body) =>
		await fetch(`${url}/rest${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
	const { email, password } = owner;
	let response = await post('/login', { emailOrLdapLoginId: email, password });
	if (!response.ok) response = await post('/owner/setup', owner);
	if (!response.ok) throw new Error(`Could not sign in: ${response.status} ${await response.text()}`);
	return response.headers
		.getSetCookie()
		.map((cookie) => cookie.split(';')[0])
		.join('; ');
}

/**
 * Packs the built repository, and installs the file into n8n's home, as n8n installs a community package.
 * @param {string} home the N8N_USER_FOLDER
 * @param {{ more?: string[], env?: NodeJS.ProcessEnv }} [options] folders of packages to install beside it
 * @returns {Promise<string>} the packed file
 */
async function packAndInstall(home, { more = [], env = process.env } = {}) {
	const nodes = join(home, '.n8n', 'nodes');
	mkdirSync(nodes, { recursive: true });
	const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', home];
	const { stdout } = await run('npm', pack, { cwd: root, env });
	// npm 11 prints an object by name, and older versions print a list.
	const [{ filename, name }] = Object.values(JSON.parse(stdout));
	// The file gets a unique name, because npm considers a file of the same name as installed already.
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

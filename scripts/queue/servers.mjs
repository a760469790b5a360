/**
 * Starts PostgreSQL and Redis for the tests, and finds nginx. The programs are those of Debian. The servers store their data in a
 * temporary folder, and listen on free ports of 127.0.0.1.
 */
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { postgresFolder, programIn } from '../debian.mjs';
import { freePort } from '../n8n.js';

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;

/**
 * Returns the user id and group id for PostgreSQL, which refuses to run as root. Debian's package has created that user. Empty:
 * this process does not run as root, so PostgreSQL runs as the same user.
 */
async function postgresUser() {
	if (!isRoot) return {};
	const id = async (flag) => Number((await run('id', [flag, 'postgres'])).stdout);
	return { uid: await id('-u'), gid: await id('-g') };
}

/** Waits until a server listens on its port. @throws {Error} if its process ends, or after 30 s */
async function listening(child, name, port) {
	let printed = '';
	child.stderr.on('data', (chunk) => (printed += chunk));
	child.stdout.on('data', (chunk) => (printed += chunk));
	for (let tries = 0; tries < 300; tries++) {
		if (child.exitCode !== null) throw new Error(`${name} ended during its start:\n${printed}`);
		const answers = await new Promise((resolve) => {
			const socket = createConnection({ port, host: '127.0.0.1' });
			socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
			socket.on('connect', () => socket.destroy());
		});
		if (answers) return;
		await sleep(100);
	}
	throw new Error(`${name} does not listen on its port after 30 s:\n${printed}`);
}

/**
 * Starts both servers. They must be installed (see debian.mjs).
 * @returns `connection`: ports, passwords and paths for the tests. `end`: stops both servers and deletes their folder
 * @throws {Error} if a server does not start
 */
export async function startServers() {
	const folder = mkdtempSync(join(tmpdir(), 'n8n-queue-'));
	const children = [];
	process.once('exit', () => {
		for (const child of children) child.kill('SIGKILL');
		rmSync(folder, { recursive: true, force: true });
	});
	const end = async () => {
		await Promise.all(
			children.map(async (child) => {
				if (child.exitCode !== null || child.signalCode !== null) return;
				const gone = new Promise((exited) => child.once('exit', exited));
				// On SIGINT PostgreSQL closes open connections. On SIGTERM it would wait for them.
				child.kill('SIGINT');
				await gone;
			}),
		);
		rmSync(folder, { recursive: true, force: true });
	};
	// The servers have their own process groups, so Ctrl-C does not reach them. Otherwise n8n would lose its database before it
	// has stopped, and would wait for it.
	const start = async (name, port, command, args, options) => {
		const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], detached: true, ...options });
		child.on('error', () => undefined);
		children.push(child);
		child.stdin.end(options.input ?? '');
		await listening(child, name, port);
	};
	try {
		console.log('Starting PostgreSQL and Redis for the tests (without fsync, so a power failure may destroy their data) ...');
		return { connection: { ...(await startPostgres(folder, start)), ...(await startRedis(folder, start)), nginx: programIn('nginx') }, end };
	} catch (error) {
		await end();
		throw error;
	}
}

async function startPostgres(folder, start) {
	const programs = postgresFolder();
	const user = await postgresUser();
	const data = join(folder, 'postgres');
	const passwordFile = join(folder, 'password');
	const password = randomBytes(18).toString('base64url');
	writeFileSync(passwordFile, password, { mode: 0o600 });
	mkdirSync(data, { mode: 0o700 });
	if (user.uid !== undefined) for (const path of [folder, data, passwordFile]) chownSync(path, user.uid, user.gid);
	const options = { cwd: folder, ...user, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC' } };
	await run(
		join(programs, 'initdb'),
		['-D', data, '-U', 'n8n', '-E', 'UTF8', '--locale=C.UTF-8', '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--no-sync'],
		options,
	);
	const port = await freePort();
	const settings = {
		listen_addresses: '127.0.0.1',
		port,
		unix_socket_directories: '',
		max_connections: 200,
		// With these settings PostgreSQL is faster. It may lose data in a crash, which does not matter in tests.
		fsync: 'off',
		synchronous_commit: 'off',
		full_page_writes: 'off',
	};
	const set = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
	await start('PostgreSQL', port, join(programs, 'postgres'), ['-D', data, ...set], options);
	return {
		postgres: { host: '127.0.0.1', port, user: 'n8n', password, database: 'postgres' },
		pgDump: join(programs, 'pg_dump'),
	};
}

async function startRedis(parent, start) {
	const folder = join(parent, 'redis');
	mkdirSync(folder);
	const port = await freePort();
	const password = randomBytes(18).toString('base64url');
	const input = [
		'bind 127.0.0.1',
		`port ${port}`,
		`dir ${folder}`,
		`requirepass ${password}`,
		// Redis writes each changing command to a file as readable text. The tests search that file for secrets.
		'appendonly yes',
		'appendfsync no',
		'auto-aof-rewrite-percentage 0',
		'save ""',
	].join('\n');
	// Redis reads its configuration from standard input. On the command line, other users could read the password.
	await start('Redis', port, programIn('redis-server'), ['-'], { cwd: folder, input });
	return { redis: { host: '127.0.0.1', port, password, folder } };
}

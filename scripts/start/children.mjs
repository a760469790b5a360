/** The two processes that `npm start` starts and stops: the sandbox and n8n. */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { environmentOf, freePort } from '../n8n.js';
import { root } from '../setup.mjs';

const endTimeoutMs = 30_000;

/**
 * A child process. It has its own process group, so Ctrl-C does not reach it: `npm start` gets the signal and stops both.
 */
class Child {
	constructor(name, log, args, env, stdio) {
		this.name = name;
		this.log = log;
		const output = openSync(log, 'a');
		this.process = spawn('node', args, {
			cwd: root,
			env,
			detached: true,
			stdio: ['ignore', output, output, ...stdio],
		});
		closeSync(output);
		/** Resolves when the process is gone. */
		this.gone = new Promise((resolve) => {
			this.process.once('exit', resolve);
			this.process.once('error', resolve);
		});
	}

	get running() {
		return this.process.pid !== undefined && this.process.exitCode === null && this.process.signalCode === null;
	}

	/** Sends SIGTERM and waits until the process has ended. After 30 s it kills the process. */
	async end() {
		if (!this.running) return;
		this.process.kill('SIGTERM');
		const stuck = setTimeout(() => this.kill(), endTimeoutMs);
		await this.gone;
		clearTimeout(stuck);
	}

	/** Kills the process and all processes that it has started. */
	kill() {
		if (this.running) process.kill(-this.process.pid, 'SIGKILL');
	}

	/** Returns an error with the end of the log. @param what the failure, such as `did not start` */
	failed(what) {
		return new Error(`${this.name} ${what}. The end of its log (${this.log}):\n${readFileSync(this.log, 'utf8').slice(-2000)}`);
	}
}

/** Starts the sandbox and waits until it listens. @returns the process, and the fields of `StartMessage` (sandbox/main.ts) */
export async function startSandbox(port, folder, env) {
	const child = new Child(
		'The sandbox',
		join(folder, 'sandbox.log'),
		['--disable-warning=ExperimentalWarning', '.tmp/sandbox/main.js', String(port), join(folder, 'sandbox.sqlite')],
		env,
		['ipc'],
	);
	const message = await Promise.race([new Promise((resolve) => child.process.once('message', resolve)), child.gone]);
	if (!message?.url) throw child.failed('did not start');
	return { child, ...message };
}

/** Starts n8n, without waiting until it is ready. @param more further environment variables @returns the process and its URL */
export async function startN8n(port, home, folder, env, more = {}) {
	const child = new Child('n8n', join(folder, 'n8n.log'), ['host/node_modules/n8n/bin/n8n', 'start'], {
		...environmentOf(home, env),
		N8N_PORT: String(port),
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),
		WEBHOOK_URL: `http://127.0.0.1:${port}/`,
		...more,
	}, []);
	return { child, url: `http://127.0.0.1:${port}` };
}

import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, until } from '../../scripts/n8n';
import { bin, isReadyWithApi } from './versions';

/** The first start after a boot took more than 90 s on a machine with two cores. */
const startTimeoutMs = 240_000;
/** n8n ends by itself after 32 s if something delays its stop. */
const stopTimeoutMs = 45_000;

/** One process of n8n, with its own home folder and its own port. */
export class N8nProcess {
	/** The URL of the process, without a trailing slash. It is the same after a restart. */
	url = '';
	/** The process id while it runs. */
	pid: number | undefined;
	private readonly log: string;
	/** A file with the URL and the process id, for other test files that use the same home. */
	private readonly running: string;

	/**
	 * @param home its folder, which also contains its log
	 * @param environment its environment variables, without its ports, its folders and the default of its public URL
	 * @param command n8n's command and its arguments
	 */
	constructor(
		readonly home: string,
		private readonly environment: NodeJS.ProcessEnv,
		private readonly command: string[],
	) {
		mkdirSync(home, { recursive: true });
		this.log = join(home, 'n8n.log');
		this.running = join(home, 'running.json');
	}

	/**
	 * Starts the process, unless it still runs, and waits until it is ready.
	 * @param publicUrl the URL under which others reach n8n; by default the URL of the process
	 */
	async start(publicUrl?: string): Promise<void> {
		const left =
			existsSync(this.running) && (JSON.parse(readFileSync(this.running, 'utf8')) as { url: string; pid: number });
		let printedBefore = 0;
		if (left && isAlive(left.pid)) {
			Object.assign(this, left);
		} else {
			printedBefore = existsSync(this.log) ? this.printed().length : 0;
			await this.begin(publicUrl);
		}
		await until(
			`n8n ${this.command[0]} is ready; its log is ${this.log}`,
			async () => {
				if (!isAlive(this.pid!)) {
					throw new Error(`n8n ${this.command[0]} ended while starting:\n${this.printed().slice(-3000)}`);
				}
				const response = await fetch(`${this.url}/healthz/readiness`).catch(() => undefined);
				if (isReadyWithApi || this.command[0] !== 'start') return response?.ok;
				return response?.ok && this.printed().includes('Editor is now accessible', printedBefore);
			},
			startTimeoutMs,
		);
	}

	private async begin(publicUrl?: string): Promise<void> {
		this.url ||= `http://127.0.0.1:${await freePort()}`;
		const { port } = new URL(this.url);
		const log = openSync(this.log, 'a');
		const child = spawn(process.execPath, [bin, ...this.command], {
			env: {
				WEBHOOK_URL: publicUrl ?? this.url,
				...this.environment,
				HOME: this.home,
				N8N_USER_FOLDER: this.home,
				N8N_PORT: port,
				// A worker answers on this port.
				QUEUE_HEALTH_CHECK_PORT: port,
				N8N_RUNNERS_BROKER_PORT: String(await freePort()),
			},
			stdio: ['ignore', log, log],
		});
		closeSync(log);
		// The test run can end while this n8n still runs.
		child.unref();
		this.pid = child.pid!;
		writeFileSync(this.running, JSON.stringify({ url: this.url, pid: this.pid }));
	}

	/**
	 * Ends the process, and waits for it.
	 * @param signal SIGTERM as from an admin, or SIGKILL, which is like a power failure
	 */
	async end(signal: NodeJS.Signals): Promise<void> {
		const { pid } = this;
		this.pid = undefined;
		if (!pid || !isAlive(pid)) return;
		process.kill(pid, signal);
		await until(`n8n ${this.command[0]} has stopped`, () => !isAlive(pid), stopTimeoutMs).catch(() => {
			// A service manager also kills a process that does not stop in time. The log shows the cause.
			console.warn(`n8n ${this.command[0]} did not stop in ${stopTimeoutMs} ms:\n${this.printed().slice(-3000)}`);
			process.kill(pid, 'SIGKILL');
		});
	}

	/** Returns everything that the process has printed so far, also before a restart. */
	printed(): string {
		return readFileSync(this.log, 'utf8');
	}
}

function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

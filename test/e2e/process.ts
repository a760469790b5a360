import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, until } from '../../scripts/n8n';
import { bin, isReadyWithApi } from './versions';

const startTimeoutMs = 90_000;
/** n8n ends by itself 32 s after it was told to, where something holds it. */
const stopTimeoutMs = 45_000;

/** One process of n8n, with a home of its own, that answers on a port of its own. */
export class N8nProcess {
	/** Its own address, without a trailing slash; the same after a restart, as an admin's server has it. */
	url = '';
	private readonly log: string;
	private process: ChildProcess | undefined;

	/**
	 * @param home its folder, where its log is written too
	 * @param environment all of its environment variables but its ports
	 * @param command n8n's command and its arguments
	 */
	constructor(
		readonly home: string,
		private readonly environment: NodeJS.ProcessEnv,
		private readonly command: string[],
	) {
		mkdirSync(home, { recursive: true });
		this.log = join(home, 'n8n.log');
	}

	/** Starts it and waits until it is ready. @param publicUrl the address that n8n gives to others; its own by default */
	async start(publicUrl?: string): Promise<void> {
		this.url ||= `http://127.0.0.1:${await freePort()}`;
		const { port } = new URL(this.url);
		const log = openSync(this.log, 'a');
		const printedBefore = this.printed().length;
		this.process = spawn(process.execPath, [bin, ...this.command], {
			env: {
				WEBHOOK_URL: publicUrl ?? this.url,
				...this.environment,
				HOME: this.home,
				N8N_USER_FOLDER: this.home,
				N8N_PORT: port,
				// A worker answers on this one.
				QUEUE_HEALTH_CHECK_PORT: port,
				N8N_RUNNERS_BROKER_PORT: String(await freePort()),
			},
			stdio: ['ignore', log, log],
		});
		closeSync(log);
		await until(
			`n8n ${this.command[0]} is ready; its log is ${this.log}`,
			async () => {
				if (this.process?.exitCode !== null) {
					throw new Error(`n8n ${this.command[0]} ended while starting:\n${this.printed().slice(-3000)}`);
				}
				const response = await fetch(`${this.url}/healthz/readiness`).catch(() => undefined);
				if (isReadyWithApi || this.command[0] !== 'start') return response?.ok;
				return response?.ok && this.printed().includes('Editor is now accessible', printedBefore);
			},
			startTimeoutMs,
		);
	}

	/** The process id while it runs. */
	get pid(): number | undefined {
		return this.process?.pid;
	}

	/**
	 * Ends it and waits until it is gone.
	 * @param signal SIGTERM as an admin does, SIGKILL as a power failure does
	 */
	async end(signal: NodeJS.Signals): Promise<void> {
		const child = this.process;
		if (!child?.pid) return;
		this.process = undefined;
		if (child.exitCode !== null || child.signalCode !== null) return;
		const gone = new Promise((exited) => child.once('exit', exited));
		child.kill(signal);
		const stuck = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
		await gone;
		clearTimeout(stuck);
		if (child.signalCode === 'SIGKILL' && signal !== 'SIGKILL') {
			throw new Error(`n8n ${this.command[0]} didn't stop within ${stopTimeoutMs} ms`);
		}
	}

	/** Everything it has printed so far. */
	printed(): string {
		return readFileSync(this.log, 'utf8');
	}
}

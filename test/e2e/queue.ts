import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PostgresDatabase } from './database';
import { Nginx } from './nginx';
import { N8nProcess } from './process';

const run = promisify(execFile);

/** The servers that `npm run test:queue` has started for n8n's queue mode. */
interface Servers {
	postgres: { host: string; port: number; user: string; password: string; database: string };
	redis: { host: string; port: number; password: string; folder: string };
	/** The path of pg_dump, which writes a whole database as text. */
	pgDump: string;
	/** The path of nginx. */
	nginx: string;
}

const { queueMode } = globalThis as { queueMode?: boolean };
if (queueMode && !process.env.N8N_E2E_QUEUE) throw new Error('Queue mode needs servers: npm run test:queue -- <file>');

/** Undefined if the tests run n8n in regular mode. */
export const servers = queueMode ? (JSON.parse(process.env.N8N_E2E_QUEUE!) as Servers) : undefined;

const nodesFolder = '.n8n/nodes';

/**
 * Runs n8n in queue mode: a database, the main process, two workers, webhook processes, and a reverse proxy in front of them.
 * Each process of n8n has its own home folder, as if it ran on its own machine.
 */
export class Queue {
	/** The environment variables of every process. */
	readonly environment: NodeJS.ProcessEnv;
	readonly database: PostgresDatabase;
	readonly main: N8nProcess;
	readonly workers: N8nProcess[];
	/** The webhook processes; at first one. */
	readonly webhooks: N8nProcess[];
	private readonly proxy: Nginx;
	private readonly name = `n8n_${randomBytes(6).toString('hex')}`;

	/**
	 * @param home the folder of the main process, which contains the folders of the other processes
	 * @param environment the environment variables of n8n in regular mode
	 */
	constructor(
		private readonly home: string,
		private readonly servers: Servers,
		environment: NodeJS.ProcessEnv,
	) {
		const { postgres, redis } = servers;
		this.database = new PostgresDatabase({ ...postgres, database: this.name });
		this.environment = {
			EXECUTIONS_MODE: 'queue',
			OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
			N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
			N8N_ENCRYPTION_KEY: randomBytes(24).toString('base64'),
			N8N_PROXY_HOPS: '1',
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: postgres.host,
			DB_POSTGRESDB_PORT: String(postgres.port),
			DB_POSTGRESDB_DATABASE: this.name,
			DB_POSTGRESDB_USER: postgres.user,
			DB_POSTGRESDB_PASSWORD: postgres.password,
			QUEUE_BULL_REDIS_HOST: redis.host,
			QUEUE_BULL_REDIS_PORT: String(redis.port),
			QUEUE_BULL_REDIS_PASSWORD: redis.password,
			QUEUE_BULL_PREFIX: this.name,
			N8N_REDIS_KEY_PREFIX: this.name,
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
			// After a crash of all processes n8n looks for abandoned executions after this number of minutes; the default is 180.
			N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '1',
			// When a webhook process is stopped, it waits for the executions that it believes to be running, for this number of seconds
			// at most (the default is 30). If it has missed the end of an execution, it waits for the whole time.
			N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '10',
			...environment,
		};
		this.main = new N8nProcess(home, this.environment, ['start']);
		this.workers = [1, 2].map((number) => this.beside(`worker${number}`, 'worker', '--concurrency=10'));
		this.webhooks = [this.beside('webhook1', 'webhook')];
		this.proxy = new Nginx(join(home, 'nginx'), servers.nginx);
	}

	/** The URL of the proxy, under which others reach n8n. Without a trailing slash. */
	get url(): string {
		return this.proxy.url;
	}

	private beside(name: string, ...command: string[]): N8nProcess {
		return new N8nProcess(join(this.home, name), this.environment, command);
	}

	get processes(): N8nProcess[] {
		return [this.main, ...this.others];
	}

	/** All processes except the main process. */
	private get others(): N8nProcess[] {
		return [...this.workers, ...this.webhooks];
	}

	/** Creates the database, and copies the community packages of the main process to the other processes. */
	async install(): Promise<void> {
		await new PostgresDatabase(this.servers.postgres).query(`CREATE DATABASE ${this.name}`);
		for (const process of this.others) this.installInto(process);
	}

	private installInto({ home }: N8nProcess): void {
		cpSync(join(this.home, nodesFolder), join(home, nodesFolder), { recursive: true });
	}

	/** Starts all processes, and then the proxy in front of them. */
	async start(): Promise<void> {
		await this.proxy.choosePort();
		// Only the main process creates the tables.
		await this.main.start(this.url);
		await Promise.all(this.others.map(async (process) => await process.start(this.url)));
		await this.startProxy();
	}

	private async startProxy(): Promise<void> {
		await this.proxy.start(
			this.main.url,
			this.webhooks.map(({ url }) => url),
		);
	}

	/** Starts a further webhook process beside the first. */
	async addWebhook(): Promise<void> {
		const webhook = this.beside(`webhook${this.webhooks.length + 1}`, 'webhook');
		this.installInto(webhook);
		await webhook.start(this.url);
		this.webhooks.push(webhook);
		await this.startProxy();
	}

	/** Writes the database as text, and Redis's record of its commands, into the home of the main process. */
	async dump(): Promise<void> {
		const { postgres, redis } = this.servers;
		const { host, port, user, password } = postgres;
		await run(
			this.servers.pgDump,
			['-h', host, '-p', String(port), '-U', user, '-f', join(this.home, 'postgres.sql'), this.name],
			{
				env: { PGPASSWORD: password },
			},
		);
		// This folder contains every command that changed something in Redis, also values that were changed later.
		cpSync(join(redis.folder, 'appendonlydir'), join(this.home, 'redis'), { recursive: true });
	}

	/** Ends the proxy and drops the database, after all processes have ended. */
	async remove(): Promise<void> {
		await this.proxy.end();
		await new PostgresDatabase(this.servers.postgres).query(`DROP DATABASE IF EXISTS ${this.name} WITH (FORCE)`);
	}
}

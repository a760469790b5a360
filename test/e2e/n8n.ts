import { execFile } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'flatted';
import type {
	IConnections,
	IDataObject,
	INode,
	INodeExecutionData,
	IPinData,
	IRunExecutionData,
	ITaskData,
} from 'n8n-workflow';
import { environmentOf, freePort, owner, packAndInstall, signIn, until } from '../../scripts/n8n';
import { findSecrets } from '../spellings';
import { SqliteFile, type Database } from './database';
import { N8nProcess } from './process';
import { Queue, servers } from './queue';
import * as versions from './versions';

export { owner, until };

const run = promisify(execFile);

/** A workflow as the editor exports it. */
export interface WorkflowFile {
	id?: string;
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings: Record<string, unknown>;
	pinData?: IPinData;
}

/** A stored execution, read from the database. */
export interface Execution {
	id: string;
	status: string;
	mode: string;
	result: IRunExecutionData['resultData'];
}

/**
 * A real n8n with its own home folder, in which this package is installed from the packed file, as n8n installs packages.
 * Its database and log can be read after it has stopped, until `remove`.
 */
export class N8n {
	/** The processes of n8n in queue mode; undefined in regular mode. */
	readonly queue: Queue | undefined;
	/** The URL of n8n, without a trailing slash. */
	url = '';
	/** The packed file that was installed. */
	packedFile = '';
	private readonly home: string;
	readonly data: string;
	private readonly environment: NodeJS.ProcessEnv;
	private readonly main: N8nProcess;
	readonly database: Database;
	private cookie = '';

	/**
	 * @param settings further environment variables of this n8n
	 * @param isShared whether several test files of a jest worker use it, so that it continues to run after each of them
	 * @param database the database that the settings name; by default n8n's own SQLite file, or PostgreSQL in queue mode
	 */
	constructor(
		settings: Record<string, string> = {},
		readonly isShared = false,
		database?: Database,
	) {
		this.home = isShared ? sharedHome! : mkdtempSync(join(tmpdir(), 'n8n-e2e-'));
		this.data = join(this.home, '.n8n');
		const environment = {
			...environmentOf(this.home),
			N8N_LOG_LEVEL: 'debug',
			...versions.settings,
			...settings,
		};
		this.queue = servers && new Queue(this.home, servers, environment);
		this.environment = this.queue?.environment ?? environment;
		this.main = this.queue?.main ?? new N8nProcess(this.home, this.environment, ['start']);
		this.database = database ?? this.queue?.database ?? new SqliteFile(join(this.data, 'database.sqlite'));
	}

	/**
	 * Packs the built repository and installs the file, as n8n installs a community package.
	 * @param more folders of further packages to install beside it
	 */
	async install(...more: string[]): Promise<void> {
		this.packedFile = await packAndInstall(this.home, { more: [...versions.installedBeside, ...more] });
		await this.queue?.install();
	}

	/** Copies an installed home, which the first n8n of `npm run test:…` prepares for all others. This saves ten seconds. */
	async installAsFirst(): Promise<void> {
		if (!firstHome) {
			await this.install();
			return;
		}
		if (this.isShared && existsSync(this.data)) return;
		if (!existsSync(firstHome)) await makeFirst(firstHome);
		cpSync(firstHome, this.data, { recursive: true });
		await this.queue?.install();
	}

	/** Stops n8n and moves its installed packages and its tables to a folder, unless another worker has already done so. */
	async keepAs(folder: string): Promise<void> {
		await this.stop();
		// In queue mode the tables are in PostgreSQL, and the encryption key is in the environment.
		const kept = readdirSync(this.data).filter(
			(name) => name === 'nodes' || (!this.queue && /^(config|database\.sqlite)/.test(name)),
		);
		const made = join(this.home, 'kept');
		mkdirSync(made);
		for (const name of kept) renameSync(join(this.data, name), join(made, name));
		try {
			renameSync(made, folder);
		} catch (error) {
			if (!existsSync(folder)) throw error;
		}
	}

	/** Runs a command of n8n on this home, while n8n itself is stopped. @returns the printed text */
	async cli(...args: string[]): Promise<string> {
		const { stdout } = await run(process.execPath, [versions.bin, ...args], {
			env: { ...this.environment, N8N_RUNNERS_BROKER_PORT: String(await freePort()) },
		});
		return stdout;
	}

	/** Publishes an imported workflow on the command line, so that it accepts calls as soon as n8n has started. */
	async publishStopped(workflowId: string): Promise<void> {
		await this.cli('publish:workflow', `--id=${workflowId}`);
	}

	/** Imports workflows or credentials on the command line from a file, as an admin does. */
	async importFile(kind: 'workflow' | 'credentials', content: object[]): Promise<void> {
		const file = join(this.home, `${kind}.json`);
		writeFileSync(file, JSON.stringify(content));
		try {
			await this.cli(`import:${kind}`, `--input=${file}`);
		} finally {
			// The file may contain plain keys, which the search at the end would find.
			rmSync(file);
		}
	}

	/** Starts n8n, waits until it is ready, and logs in. The first time it creates the owner's account. */
	async start(): Promise<void> {
		if (this.queue) await this.queue.start();
		else await this.main.start();
		this.url = this.queue?.url ?? this.main.url;
		this.cookie = await signIn(this.url);
		await this.published();
	}

	/** The URL of the first process that answers published webhooks, without the proxy that is before it in queue mode. */
	get webhookUrl(): string {
		return this.queue?.webhooks[0]!.url ?? this.url;
	}

	/** The process id of n8n's main process while it runs. */
	get pid(): number | undefined {
		return this.main.pid;
	}

	/** Stops n8n as an admin does, and waits until its process has ended. */
	async stop(): Promise<void> {
		await this.end('SIGTERM');
	}

	/** Stops n8n as an admin does, and starts it again. */
	async restart(): Promise<void> {
		await this.stop();
		await this.start();
	}

	/** Ends n8n as a power failure does. */
	async kill(): Promise<void> {
		await this.end('SIGKILL');
	}

	private async end(signal: NodeJS.Signals): Promise<void> {
		await Promise.all(this.processes.map(async (process) => await process.end(signal)));
	}

	private get processes(): N8nProcess[] {
		return this.queue?.processes ?? [this.main];
	}

	/** Stops n8n and deletes its home, unless others share it. */
	async remove(): Promise<void> {
		if (this.isShared) return;
		await this.stop();
		await this.queue?.remove();
		rmSync(this.home, { recursive: true, force: true });
	}

	private async request(method: string, path: string, body?: unknown): Promise<Response> {
		return await fetch(`${this.url}${path}`, {
			method,
			// Each request uses a new connection, because a busy n8n may close an old connection while the next request is
			// being sent.
			headers: { 'content-type': 'application/json', cookie: this.cookie, connection: 'close' },
			body: body === undefined ? undefined : JSON.stringify(body),
		});
	}

	/**
	 * Calls n8n's own API, as its editor does.
	 * @returns the `data` of the answer
	 * @throws {Error} on any status other than 2xx, with n8n's text
	 */
	async rest<T>(method: string, path: string, body?: unknown): Promise<T> {
		const response = await this.request(method, `/rest${path}`, body);
		const text = await response.text();
		if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
		return (JSON.parse(text) as { data: T }).data;
	}

	/** Saves a new credential. @returns its entry for the `credentials` of a node */
	async addCredential(
		type: string,
		data: object,
		name = `${type} ${Date.now()}`,
	): Promise<{ id: string; name: string }> {
		const { id } = await this.rest<{ id: string }>('POST', '/credentials', { name, type, data });
		return { id, name };
	}

	/** Tests a credential. @returns the status and the text that the editor shows */
	async testCredential(type: string, data: object): Promise<{ status: 'OK' | 'Error'; message: string }> {
		const { id, name } = versions.testsUnsavedCredentials
			? { id: '', name: 'to be tested' }
			: await this.addCredential(type, data);
		return await this.rest('POST', '/credentials/test', { credentials: { id, name, type, data } });
	}

	/** Saves a new workflow. @returns its id */
	async addWorkflow(workflow: WorkflowFile): Promise<string> {
		return (await this.rest<{ id: string }>('POST', '/workflows', { active: false, ...workflow })).id;
	}

	/** Publishes a saved workflow, and waits until its production webhooks accept calls. */
	async publish(workflowId: string): Promise<void> {
		const { versionId } = await this.rest<{ versionId: string }>('GET', `/workflows/${workflowId}`);
		await this.rest('POST', `/workflows/${workflowId}/activate`, { versionId });
		await this.published();
	}

	/** Waits until n8n has carried out all requests to publish. Newer versions only record such requests at first, also at a start. */
	private async published(): Promise<void> {
		if (!versions.publishesLater) return;
		await until(
			'n8n has opened the webhooks of what was published',
			async () => {
				const orders = await this.query<{ status: string; errorMessage: string }>(
					'SELECT status, "errorMessage" FROM workflow_publication_outbox',
				);
				const failed = orders.find(({ status }) => ['failed', 'partial_success'].includes(status));
				if (failed) throw new Error(failed.errorMessage);
				return orders.every(({ status }) => status === 'completed');
			},
			60_000,
		);
	}

	/** Saves a workflow, runs it from its node `Start`, as the editor's button does, and waits for the end of the execution. */
	async execute(workflow: WorkflowFile, timeoutMs?: number): Promise<Execution> {
		return await this.executeSaved(await this.addWorkflow(workflow), timeoutMs);
	}

	/** Runs a saved workflow as the editor's button does, and waits for the end. n8n has the data of its earlier executions. */
	async executeSaved(workflowId: string, timeoutMs?: number): Promise<Execution> {
		const executionId = await this.begin(workflowId);
		await until(
			`execution ${executionId} ends`,
			async () => {
				const [execution] = await this.query<{ status: string }>(
					'SELECT status FROM execution_entity WHERE id = ?',
					executionId,
				);
				return execution && ended(execution);
			},
			timeoutMs,
		);
		return (await this.executions(workflowId)).find(({ id }) => id === executionId)!;
	}

	/** Starts an execution as the editor's button does, and does not wait for its end. @returns the execution's id */
	async begin(workflowId: string, trigger = 'Start'): Promise<string> {
		const { executionId } = await this.rest<{ executionId: string }>('POST', `/workflows/${workflowId}/run`, {
			triggerToStartFrom: { name: trigger },
		});
		return executionId;
	}

	/** Returns the executions of a workflow whose data are stored, oldest first, including unfinished ones. */
	async executions(workflowId: string): Promise<Execution[]> {
		const rows = await this.query<{ id: number; status: string; mode: string; data: string }>(
			'SELECT e.id, e.status, e.mode, d.data FROM execution_entity e JOIN execution_data d ON d."executionId" = e.id WHERE e."workflowId" = ? ORDER BY e.id',
			workflowId,
		);
		return rows.map(({ id, status, mode, data }) => ({
			id: String(id),
			status,
			mode,
			// An execution that has just begun is stored before its data is.
			result: (parse(data) as IRunExecutionData | undefined)?.resultData ?? { runData: {} },
		}));
	}

	/**
	 * Waits until a workflow has exactly this number of ended executions and none in progress.
	 * @throws {Error} at once if there are more, and when the time limit is reached
	 */
	async executionsWhenEnded(workflowId: string, count: number, timeoutMs?: number): Promise<Execution[]> {
		return await until(
			`workflow ${workflowId} has ${count} executions`,
			async () => {
				const executions = await this.executions(workflowId);
				if (executions.length > count) throw new Error(`${executions.length} executions instead of ${count}`);
				return executions.length === count && executions.every(ended) ? executions : undefined;
			},
			timeoutMs,
		);
	}

	/** Waits until all executions of a workflow have ended. */
	async executionsWhenAllEnded(workflowId: string, timeoutMs?: number): Promise<Execution[]> {
		const look = async () => {
			const executions = await this.executions(workflowId);
			return executions.every(ended) && executions;
		};
		return await until(`all executions of workflow ${workflowId} have ended`, look, timeoutMs);
	}

	/**
	 * Reads n8n's database, while n8n runs or is stopped.
	 * @param sql in the syntax of both SQLite and PostgreSQL: names with capitals in double quotes, `?` for each value
	 */
	async query<T>(sql: string, ...values: string[]): Promise<T[]> {
		return await this.database.query(sql, ...values);
	}

	/**
	 * Searches n8n's files for secrets: databases, write-ahead log, log and event files, but not installed packages and caches.
	 * @param secrets values that n8n may store only in its encrypted credentials
	 * @returns a line for every place that was found; empty if nothing leaked
	 */
	async leaks(secrets: string[]): Promise<string[]> {
		await this.queue?.dump();
		const files = readdirSync(this.home, { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile() && !/node_modules|\.npm\b|\.cache/.test(entry.parentPath))
			.map((entry) => join(entry.parentPath, entry.name))
			.filter((file) => file !== this.packedFile);
		return files.flatMap((file) => {
			const content = readFileSync(file);
			return findSecrets(content, secrets).map((text) => `${file.slice(this.home.length + 1)} holds ${text}`);
		});
	}

	/** Returns everything that n8n has printed so far. */
	printed(): string {
		return this.processes.map((process) => process.printed()).join('');
	}
}

const homes = process.env.N8N_E2E_HOMES;

/** The folder for the installed home of the first n8n, which each later n8n copies. `.ci/run` sets one for several runs. */
const firstHome = homes && join(process.env.N8N_E2E_FIRST ?? homes, versions.surrounding);

/**
 * The home of the n8n that test files share, one for each jest worker. It is stopped and deleted after the run. Undefined in
 * queue mode, where each test file has its own database.
 */
export const sharedHome =
	homes && !servers ? join(homes, `${versions.surrounding}, worker ${process.env.JEST_WORKER_ID}`) : undefined;

async function makeFirst(folder: string): Promise<void> {
	const n8n = new N8n();
	try {
		await n8n.install();
		if (!n8n.queue) await n8n.start();
		await n8n.keepAs(folder);
	} finally {
		await n8n.remove();
	}
}

const ended = ({ status }: { status: string }): boolean => !['new', 'running', 'unknown'].includes(status);

/** @returns the items of each output of a node at its last run */
export function outputs(execution: Execution, node: string): INodeExecutionData[][] {
	return (taskOf(execution, node).data?.main ?? []).map((branch) => branch ?? []);
}

/** @returns the JSON of the items at one output of a node at its last run */
export const items = (execution: Execution, branch = 0, node = 'smsSend'): IDataObject[] =>
	outputs(execution, node)[branch]?.map(({ json }) => json) ?? [];

/** @returns the record of a node's last run, with its error, hints and time */
export function taskOf(execution: Execution, node: string): ITaskData {
	const task = execution.result.runData[node]?.at(-1);
	if (!task) throw new Error(`"${node}" did not run: ${JSON.stringify(execution.result.error ?? execution.status)}`);
	return task;
}

import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { N8n, until } from '../test/e2e/n8n';
import { builtIn, chain, packageNode } from '../test/e2e/workflows';
import { cpuOf, KEY, peakOf, resetPeak, ROOT, startPlatform, startProber, type Platform, type Prober } from './common';
import { debugged, Inspector } from './inspector';
import { fillList } from './replies';

export const MESSAGES = 'bench/named: Ο βαθμός σας στο μάθημα {Μάθημα,1} είναι {Βαθμός,2}';
/** The parameter with all values of a message in their order. */
export const inOrder: INodeParameters = { options: { replacements: '={{ [$json.course, $json.grade] }}' } };

export interface Measure {
	/** The time of the node, as n8n reports it. */
	milliseconds: number;
	/** CPU time of the n8n process for each row, in milliseconds. */
	cpuPerRow: number;
	peakMegabytes: number;
	/** The longest time that n8n took to answer `/healthz` during the run, in milliseconds. */
	slowestProbe: number;
	/** How many requests reached the platform. */
	requests: number;
}

/** A list to send. */
export interface List {
	rows: number;
	/** How many messages are sent at the same time. */
	concurrency: number;
	/** The time before each answer of the platform, in milliseconds. */
	delay: number;
	/** The number of the first recipient. The recipients are numbered. */
	from: number;
	/** How many messages must reach the platform. Undefined: one for each row. `any`: the number is not checked. */
	sent?: number | 'any';
}

/** A published workflow with SMS Send. A call of this function sends one list through it. */
export interface BenchWorkflow {
	(list: List): Promise<Measure>;
	workflowId: string;
}

const addCredential = async (
	n8n: N8n,
	platform: Platform,
	guards: IDataObject = {},
): Promise<{ id: string; name: string }> =>
	await n8n.addCredential('smsPlatformApi', {
		baseUrl: platform.url,
		institution: 'example-university',
		preSharedKey: KEY,
		messages: MESSAGES,
		...guards,
	});

/** Measures lists that one n8n sends to one simulated platform. */
export class Lists {
	private published = 0;

	private constructor(
		private readonly n8n: N8n,
		private readonly platform: Platform,
		private readonly prober: Prober,
		private readonly credential: { id: string; name: string },
	) {}

	static async open(): Promise<Lists> {
		const n8n = new N8n({ N8N_LOG_LEVEL: 'error', ...debugged });
		const platform = await startPlatform(20);
		try {
			await n8n.install(join(ROOT, 'bench/nodes'));
			await n8n.start();
			const credential = await addCredential(n8n, platform);
			return new Lists(n8n, platform, startProber(n8n.url), credential);
		} catch (error) {
			platform.close();
			await n8n.remove();
			throw error;
		}
	}

	async close(): Promise<void> {
		this.prober.close();
		this.platform.close();
		await this.n8n.remove();
	}

	/** Fills n8n's list of a workflow: see `fillList`. */
	async fill({ workflowId }: BenchWorkflow, entries: number): Promise<void> {
		await fillList(this.n8n, workflowId, entries);
	}

	/** Restarts n8n. @param end `stop`: as an admin does. `kill`: as after a power failure */
	async restart(end: 'stop' | 'kill' = 'stop'): Promise<void> {
		await this.n8n[end]();
		await this.n8n.start();
	}

	/** Returns the heap of n8n after a full garbage collection, in MB. */
	async live(): Promise<number> {
		const inspector = await Inspector.connect(this.n8n);
		await inspector.collect();
		const heap = await inspector.heap();
		inspector.close();
		return heap;
	}

	/**
	 * Publishes a workflow with one SMS Send node.
	 *
	 * @param parameters the parameters of the node
	 * @param guards further fields of the credential
	 */
	async publish(parameters: INodeParameters, guards?: IDataObject): Promise<BenchWorkflow> {
		const { n8n, platform } = this;
		const path = `bench-lists-${++this.published}`;
		const smsPlatformApi = guards ? await addCredential(n8n, platform, guards) : this.credential;
		const node = packageNode('smsSend', {
			serviceId: 'bench',
			messageId: 'grade',
			recipient: '={{ $json.recipient }}',
			...parameters,
			options: {
				concurrency: "={{ $('Start').first().json.body.concurrency }}",
				...(parameters.options as INodeParameters),
			},
		});
		const start = builtIn('n8n-nodes-base.webhook', 'Start', 2, {
			path,
			httpMethod: 'POST',
			responseMode: 'onReceived',
		});
		const rowsNode = builtIn('n8n-nodes-bench.benchRows', 'Rows', 1, {
			count: '={{ $json.body.rows }}',
			from: '={{ $json.body.from }}',
		});
		const id = await n8n.addWorkflow(
			chain(path, { ...start, webhookId: path }, rowsNode, { ...node, name: 'Send', credentials: { smsPlatformApi } }),
		);
		await n8n.publish(id);
		let runs = 0;
		const run = async (list: List): Promise<Measure> => {
			const pid = n8n.pid!;
			platform.delay(list.delay);
			await platform.count();
			resetPeak(pid);
			const cpu = cpuOf(pid);
			await this.prober.slowestProbe();
			await fetch(`${n8n.url}/webhook/${path}`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(list),
			});
			runs++;
			const [execution] = await until(
				`${list.rows} rows are sent`,
				async () => {
					const stored = await n8n.query<{ id: number; status: string }>(
						'SELECT id, status FROM execution_entity WHERE "workflowId" = ? ORDER BY id DESC',
						id,
					);
					return stored.length === runs && !['new', 'running'].includes(stored[0]!.status) && stored;
				},
				1_800_000,
			);
			const slowestProbe = await this.prober.slowestProbe();
			const { requests } = await platform.count();
			const expected = list.sent ?? list.rows;
			if (expected !== 'any' && (execution!.status !== 'success' || requests !== expected))
				throw new Error(`${path}: ${execution!.status}, ${requests} of ${expected}`);
			return {
				milliseconds: await this.timeOf(execution!.id),
				cpuPerRow: (cpuOf(pid) - cpu) / list.rows,
				peakMegabytes: peakOf(pid),
				slowestProbe,
				requests,
			};
		};
		return Object.assign(run, { workflowId: id });
	}

	/**
	 * Returns the running time of the slowest node, in milliseconds. The query reads only this value, because an execution has
	 * many megabytes.
	 */
	private async timeOf(executionId: number): Promise<number> {
		const [found] = await this.n8n.query<{ time: number }>(
			`SELECT max(json_extract(value, '$.executionTime')) AS time FROM execution_data, json_each(data) WHERE "executionId" = CAST(? AS INTEGER) AND json_each.type = 'object' AND json_extract(value, '$.executionTime') IS NOT NULL`,
			String(executionId),
		);
		return found!.time;
	}
}

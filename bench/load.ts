import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { N8n, taskOf, until } from '../test/e2e/n8n';
import { builtIn, chain, packageNode } from '../test/e2e/workflows';
import { cpuOf, KEY, machine, ROOT, startPlatform, writeResults } from './common';
import { debugged, Inspector } from './inspector';

/*
 * `npm run bench -- load` measures n8n under full load: all kinds of requests at the same time, and a list that SMS Send sends.
 * LOAD_SECONDS sets the length of the measurement, and then the result is only printed.
 */
const SECONDS = Number(process.env.LOAD_SECONDS ?? 600);
const ROWS = Math.round((10_000 * Math.min(SECONDS, 600)) / 600);
const CONCURRENCY = 4;
const SAMPLE_MS = 5000;
/** The number of samples between two full garbage collections, which is one minute. */
const COLLECT_EVERY = 60_000 / SAMPLE_MS;
/**
 * The seconds before the growth of the memory is measured. Caches of fixed size fill up meanwhile, so later growth may be a
 * leak.
 */
const SETTLED = SECONDS * 0.3;
const LAZY = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };
const EAGER = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'false' };

interface Kind {
	name: string;
	type: 'forward' | 'wrongKey' | 'report' | 'plain';
	url: string;
	concurrency: number;
}

interface Called {
	name: string;
	type: Kind['type'];
	count: number;
	statuses: Record<string, number>;
	acknowledged: string[];
	p50: number;
	p95: number;
	p99: number;
	max: number;
}

/** Memory of n8n in MB. `live` is the heap after a full garbage collection, which runs once a minute. */
interface Sample {
	second: number;
	rss: number;
	heap: number;
	live?: number;
}

interface Run {
	title: string;
	seconds: number;
	kinds: Array<Called & { executions: number; lost: number }>;
	/** The list that SMS Send sent at the same time: its rows, the seconds, and the messages that reached the platform. */
	sends?: { rows: number; seconds: number; messages: number };
	/** The CPU time of n8n, divided by the duration. 1 is one core. */
	cpu: number;
	samples: Sample[];
}

const rssOf = (pid: number): number =>
	Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;

/** Returns the growth of a value in MB a minute (linear regression). */
function slope(samples: Array<[second: number, megabytes: number]>): number {
	const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
	const [x, y] = [mean(samples.map(([second]) => second)), mean(samples.map(([, value]) => value))];
	const covariance = samples.reduce((sum, [second, value]) => sum + (second - x) * (value - y), 0);
	return (covariance / samples.reduce((sum, [second]) => sum + (second - x) ** 2, 0)) * 60;
}

/**
 * Measures one n8n under load.
 *
 * @param everything false: all clients call n8n's own Webhook node, to measure the memory of n8n without this package
 */
async function run(
	title: string,
	settings: Record<string, string>,
	seconds: number,
	everything: boolean,
): Promise<Run> {
	console.log(`${title}, ${seconds} s`);
	const platform = await startPlatform(20);
	const n8n = new N8n({
		N8N_LOG_LEVEL: 'error',
		// n8n deletes no executions, so that all can be counted.
		EXECUTIONS_DATA_PRUNE: 'false',
		...debugged,
		...settings,
	});
	try {
		await n8n.install(join(ROOT, 'bench/nodes'));
		await n8n.start();
		const pid = n8n.pid!;
		const inspector = await Inspector.connect(n8n);
		const credential = await n8n.addCredential('smsPlatformApi', {
			baseUrl: platform.url,
			institution: 'example-university',
			preSharedKey: KEY,
		});
		const publish = async (path: string, ...nodes: Array<ReturnType<typeof builtIn>>): Promise<string> => {
			const id = await n8n.addWorkflow(chain(path, { ...nodes[0]!, webhookId: path }, ...nodes.slice(1)));
			await n8n.publish(id);
			return id;
		};
		const webhook = (path: string) =>
			builtIn('n8n-nodes-base.webhook', 'Start', 2, { path, httpMethod: 'POST', responseMode: 'onReceived' });
		const trigger = (events: string[]) => ({
			...packageNode('smsTrigger', { events }),
			credentials: { smsPlatformApi: credential },
		});
		const ids: Record<Kind['type'], string> = {
			forward: await publish('load-forward', trigger(['smsForward'])),
			wrongKey: await publish('load-wrong-key', trigger(['smsForward'])),
			report: await publish('load-report', trigger(['deliveryReport'])),
			plain: await publish('load-plain', webhook('load-plain')),
		};
		const sendsId = await publish(
			'load-sends',
			webhook('load-sends'),
			builtIn('n8n-nodes-bench.benchRows', 'Rows', 1, { count: ROWS }),
			{
				...packageNode('smsSend', {
					serviceId: 'bench',
					messageId: 'grade',
					recipient: '={{ $json.recipient }}',
					options: { replacements: '={{ [$json.course, $json.grade] }}' },
				}),
				name: 'Send',
				credentials: { smsPlatformApi: credential },
			},
		);

		const base = `${n8n.url}/webhook`;
		const own: Kind = { name: "n8n's own Webhook", type: 'plain', url: `${base}/load-plain`, concurrency: CONCURRENCY };
		const kinds: Kind[] = everything
			? [
					{
						name: 'incoming message with the right key',
						type: 'forward',
						url: `${base}/load-forward/forward`,
						concurrency: CONCURRENCY,
					},
					{
						name: 'incoming message with a wrong key',
						type: 'wrongKey',
						url: `${base}/load-wrong-key/forward`,
						concurrency: 1,
					},
					{ name: 'delivery report, signed', type: 'report', url: `${base}/load-report/dlr`, concurrency: CONCURRENCY },
					own,
				]
			: [{ ...own, concurrency: 3 * CONCURRENCY + 1 }];

		const callers = spawn(process.execPath, [join(ROOT, 'bench/callers.mjs')], { stdio: ['pipe', 'pipe', 'inherit'] });
		callers.stdin!.end(JSON.stringify({ seconds, key: KEY, kinds }));
		let calling = true;
		const called = (json(callers.stdout!) as Promise<Called[]>).finally(() => (calling = false));
		if (everything) await fetch(`${base}/load-sends`, { method: 'POST' });

		const samples: Sample[] = [];
		const begun = Date.now();
		const cpu = cpuOf(pid);
		for (let count = 0; calling; count++) {
			const sample: Sample = { second: (Date.now() - begun) / 1000, rss: rssOf(pid), heap: await inspector.heap() };
			if (count % COLLECT_EVERY === 0) {
				await inspector.collect();
				sample.live = await inspector.heap();
				console.log(
					`${sample.second.toFixed(0)} s: RSS ${sample.rss.toFixed(0)} MB, live heap ${sample.live.toFixed(0)} MB`,
				);
			}
			samples.push(sample);
			await Promise.race([sleep(begun + (count + 1) * SAMPLE_MS - Date.now()), called]);
		}
		const lasted = (Date.now() - begun) / 1000;
		const used = (cpuOf(pid) - cpu) / (lasted * 1000);
		const results = await called;

		await until(
			'all executions have ended',
			async () => {
				const sql = "SELECT count(*) AS left FROM execution_entity WHERE status IN ('new', 'running')";
				return (await n8n.query<{ left: number }>(sql))[0]!.left === 0;
			},
			600_000,
		);
		await inspector.collect();
		samples.push({ second: lasted, rss: rssOf(pid), heap: Number.NaN, live: await inspector.heap() });
		inspector.close();
		let sends: Run['sends'];
		if (everything) {
			const [execution] = await n8n.executions(sendsId);
			if (execution!.status !== 'success') throw new Error(`The run of sends ended as ${execution!.status}`);
			const { requests } = await platform.count();
			sends = { rows: ROWS, seconds: taskOf(execution!, 'Send').executionTime / 1000, messages: requests };
		}
		return {
			title,
			seconds: lasted,
			kinds: await Promise.all(
				results.map(async (result) => {
					const stored = await idsIn(n8n, ids[result.type]);
					const lost = result.acknowledged.filter((id) => !stored.ids.has(id)).length;
					return { ...result, executions: stored.count, lost };
				}),
			),
			sends,
			cpu: used,
			samples,
		};
	} finally {
		platform.close();
		await n8n.remove();
	}
}

/** Returns the number of stored executions of a workflow, and the ids of the requests that are in them. */
async function idsIn(n8n: N8n, workflowId: string): Promise<{ count: number; ids: Set<string> }> {
	const ids = new Set<string>();
	let count = 0;
	// The executions are read in parts, because those of ten minutes do not fit into memory.
	for (let after = 0; ; ) {
		const rows = await n8n.query<{ id: number; data: string }>(
			'SELECT e.id, d.data FROM execution_entity e JOIN execution_data d ON d."executionId" = e.id WHERE e."workflowId" = ? AND e.id > CAST(? AS INTEGER) ORDER BY e.id LIMIT 2000',
			workflowId,
			String(after),
		);
		if (rows.length === 0) return { count, ids };
		count += rows.length;
		after = rows.at(-1)!.id;
		for (const { data } of rows) for (const [id] of data.matchAll(/\b(?:forward|report|plain)-\d+\b/g)) ids.add(id);
	}
}

function describe({ title, seconds, kinds, sends, cpu, samples }: Run): string {
	const whole = (value: number) => value.toFixed(0);
	const settled = samples.filter(({ second }) => second >= SETTLED * (seconds / SECONDS));
	const live = settled.flatMap(
		({ second, live: value }): Array<[number, number]> => (value === undefined ? [] : [[second, value]]),
	);
	const rss = settled.map(({ second, rss: value }): [number, number] => [second, value]);
	const growth = (values: Array<[number, number]>) =>
		values.length < 3 ? 'unknown, because the run was too short' : `${slope(values).toFixed(2)} MB a minute`;
	const lines = kinds.map(({ name, count, statuses, acknowledged, executions, lost, p50, p95, p99, max }) => {
		const answers = Object.entries(statuses)
			.map(([status, times]) => `${times} × ${status}`)
			.join(', ');
		return `| ${name} | ${answers} | ${(count / seconds).toFixed(1)} | ${[p50, p95, p99, max].map(whole).join(' | ')} | ${acknowledged.length} | ${executions} | ${lost} |`;
	});
	const beside =
		sends === undefined
			? ''
			: ` At the same time SMS Send sent a list: ${sends.rows} rows in ${whole(sends.seconds)} s, and ${sends.messages} messages reached the platform.`;
	return `### ${title}

${whole(seconds)} seconds. n8n used ${whole(cpu * 100)} % of a core.${beside}

| request | answers × HTTP status | a second | median ms | 95 % within, ms | 99 % within, ms | longest, ms | acknowledged | executions | lost |
|---|---|---|---|---|---|---|---|---|---|
${lines.join('\n')}

Growth of the memory after the first ${whole(SETTLED * (seconds / SECONDS))} s: live heap ${growth(live)} (${live.map(([, value]) => whole(value)).join(', ')} MB), whole process (RSS) ${growth(rss)} (at most ${whole(Math.max(...samples.map(({ rss: value }) => value)))} MB).
`;
}

async function main(): Promise<void> {
	const runs = [
		await run('With `N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true`', LAZY, SECONDS, true),
		await run("Only n8n's own Webhook node, with the same setting", LAZY, SECONDS / 4, false),
		await run("With n8n's default settings", EAGER, SECONDS / 5, true),
	];
	const text = `\`npm run bench -- load\` has measured these figures: one ${machine()}, SQLite. Clients and platform run on the same computer.
These clients run at the same time: ${CONCURRENCY} send incoming messages to SMS Trigger, one does so with a wrong key, ${CONCURRENCY} send signed delivery reports, and ${CONCURRENCY} call n8n's own Webhook
node. Each sends its next request as soon as it gets an answer. Meanwhile SMS Send sends a list (10 in parallel, the platform answers after 20 ms).
*Acknowledged*: answered with success. *Lost*: acknowledged, but in no execution. *Live heap*: the heap after a full garbage collection once a minute. These collections
make some answers slow.

${runs.map(describe).join('\n')}`;
	if (process.env.LOAD_SECONDS === undefined) writeResults('load', text);
	else console.log(text);
	if (runs.some(({ kinds }) => kinds.some(({ lost }) => lost > 0)))
		throw new Error('Acknowledged requests are in no execution');
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});

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
 * `npm run bench -- load`: n8n at its limit, with everything at once. With LOAD_SECONDS it is a try: printed, and not kept.
 */
const SECONDS = Number(process.env.LOAD_SECONDS ?? 600);
const ROWS = Math.round((10_000 * Math.min(SECONDS, 600)) / 600);
const PLACES = 4;
const SAMPLE_MS = 5000;
/** Once a minute, counted in samples. */
const COLLECT_EVERY = 60_000 / SAMPLE_MS;
/** The first minutes fill caches of fixed size. Growth after them is a leak. */
const SETTLED = SECONDS * 0.3;
const LAZY = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };
const EAGER = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'false' };

interface Kind {
	name: string;
	type: 'forward' | 'refused' | 'report' | 'plain';
	url: string;
	places: number;
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

/** Memory of n8n, in MB; `live` is what is left after a full collection, which is made once a minute. */
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
	/** The list that was sent at the same time: its rows, its seconds, and the messages that reached the platform. */
	sends?: { rows: number; seconds: number; messages: number };
	cpu: number;
	samples: Sample[];
}

const rssOf = (pid: number): number =>
	Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;

/** Returns how fast a value grows in MB a minute, by least squares. */
function slope(samples: Array<[second: number, megabytes: number]>): number {
	const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
	const [x, y] = [mean(samples.map(([second]) => second)), mean(samples.map(([, value]) => value))];
	const covariance = samples.reduce((sum, [second, value]) => sum + (second - x) * (value - y), 0);
	return (covariance / samples.reduce((sum, [second]) => sum + (second - x) ** 2, 0)) * 60;
}

/**
 * One n8n under load.
 *
 * @param everything false: n8n's own Webhook node alone, with as many clients: what the host itself does to its memory
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
		// No execution is deleted, so that all can be counted.
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
			refused: await publish('load-refused', trigger(['smsForward'])),
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
		const own: Kind = { name: "n8n's own Webhook", type: 'plain', url: `${base}/load-plain`, places: PLACES };
		const kinds: Kind[] = everything
			? [
					{ name: 'incoming message, accepted', type: 'forward', url: `${base}/load-forward/forward`, places: PLACES },
					{ name: 'incoming message, refused', type: 'refused', url: `${base}/load-refused/forward`, places: 1 },
					{ name: 'report, signed', type: 'report', url: `${base}/load-report/dlr`, places: PLACES },
					own,
				]
			: [{ ...own, places: 3 * PLACES + 1 }];

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
			'n8n has worked off what it took',
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

/** Returns how many executions of a workflow n8n has recorded, and the ids of their events. */
async function idsIn(n8n: N8n, workflowId: string): Promise<{ count: number; ids: Set<string> }> {
	const ids = new Set<string>();
	let count = 0;
	// Reads in parts, because the executions of ten minutes do not fit into memory.
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
		values.length < 3 ? 'too short to say' : `${slope(values).toFixed(2)} MB a minute`;
	const lines = kinds.map(({ name, count, statuses, acknowledged, executions, lost, p50, p95, p99, max }) => {
		const answers = Object.entries(statuses)
			.map(([status, times]) => `${times} × ${status}`)
			.join(', ');
		return `| ${name} | ${answers} | ${(count / seconds).toFixed(1)} | ${[p50, p95, p99, max].map(whole).join(' | ')} | ${acknowledged.length} | ${executions} | ${lost} |`;
	});
	const beside =
		sends === undefined
			? ''
			: ` Beside them one run of SMS Send: ${sends.rows} rows in ${whole(sends.seconds)} s, ${sends.messages} messages reached the platform.`;
	return `### ${title}

${whole(seconds)} seconds, n8n at ${whole(cpu * 100)} % of a core.${beside}

| request | answers | a second | p50 ms | p95 ms | p99 ms | most ms | acknowledged | executions | lost |
|---|---|---|---|---|---|---|---|---|---|
${lines.join('\n')}

Memory after the first ${whole(SETTLED * (seconds / SECONDS))} s: live heap ${growth(live)} (${live.map(([, value]) => whole(value)).join(', ')} MB), RSS ${growth(rss)} (at most ${whole(Math.max(...samples.map(({ rss: value }) => value)))} MB).
`;
}

async function main(): Promise<void> {
	const runs = [
		await run('With `N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true`', LAZY, SECONDS, true),
		await run("n8n's own Webhook node alone, for its memory, with the same setting", LAZY, SECONDS / 4, false),
		await run("With n8n's default settings", EAGER, SECONDS / 5, true),
	];
	const text = `Made by \`npm run bench -- load\`: one ${machine()}, SQLite, clients and platform on the same machine.
Everything in parallel: ${PLACES} clients with incoming messages, one with a wrong key, ${PLACES} with signed reports, ${PLACES} of n8n's own Webhook node, each
sending its next request as soon as it is answered, and a run of SMS Send (10 in parallel, the platform answers after 20 ms). *Lost*: acknowledged,
and in no execution. *Live heap*: after a full collection, once a minute, which is part of the longest answers.

${runs.map(describe).join('\n')}`;
	if (process.env.LOAD_SECONDS === undefined) writeResults('load', text);
	else console.log(text);
	if (runs.some(({ kinds }) => kinds.some(({ lost }) => lost > 0))) throw new Error('Acknowledged events were lost');
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});

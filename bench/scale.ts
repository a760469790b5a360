import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';

import { readExample } from '../test/e2e/examples';
import { N8n, until, type WorkflowFile } from '../test/e2e/n8n';
import { builtIn } from '../test/e2e/workflows';
import { KEY, machine, peakOf, resetPeak, ROOT, writeResults } from './common';

/*
 * `npm run bench -- scale` sends a long list twice with the example once-across-workers.json, in which Redis counts the
 * messages. The second time n8n's clock is eight days ahead. The messages must still count as sent then, because Redis keeps
 * their keys for two weeks. The list is sent in parts, as docs/scale.md recommends. The measurement fails if a person gets
 * the message twice, or not at all. SCALE_ROWS and SCALE_PART make the list and its parts smaller.
 */
const ROWS = Number(process.env.SCALE_ROWS ?? 100_000);
const PART = Number(process.env.SCALE_PART ?? 10_000);
const LATER = '+8d';
/** The file from which faketime reads the offset of n8n's clock. */
const CLOCK = join(ROOT, '.tmp/bench/clock');
const servers = JSON.parse(process.env.BENCH_SERVERS!) as { redis: { host: string; port: number; password: string } };
const { host, port, password } = servers.redis;

/**
 * Starts a simulated platform that accepts every message immediately.
 * @returns its URL, and `taken`: the number of accepted messages for each recipient
 */
async function openPlatform() {
	const taken = new Map<string, number>();
	const server = createServer((request, response) => {
		void json(request).then((body) => {
			const { recipient } = body as { recipient: string };
			taken.set(recipient, (taken.get(recipient) ?? 0) + 1);
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify({ serviceId: '101', errorCode: '', error: '' }));
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, taken, close: () => server.close() };
}

/** Returns the memory that Redis uses, in MB, and its number of keys. */
async function redisSize(): Promise<{ megabytes: number; keys: number }> {
	const socket = connect(port, host);
	const chunks: string[] = [];
	socket.on('data', (data) => chunks.push(data.toString()));
	socket.write(`AUTH ${password}\r\nINFO memory\r\nDBSIZE\r\n`);
	const answer = await until('Redis has answered', () => /\n:(\d+)\r\n$/.exec(chunks.join('')) ?? undefined);
	socket.destroy();
	const used = /used_memory:(\d+)/.exec(chunks.join(''))![1];
	return { megabytes: Number(used) / 2 ** 20, keys: Number(answer[1]) };
}

/** Returns the example with chosen credentials. A webhook starts it, and a test node generates its rows. */
function exampleFor(path: string, redis: object, smsPlatformApi: object): WorkflowFile {
	const example = readExample('more/once-across-workers.json');
	const start = {
		...builtIn('n8n-nodes-base.webhook', 'Start', 2, { path, httpMethod: 'POST', responseMode: 'onReceived' }),
		webhookId: randomUUID(),
	};
	const rows = builtIn('n8n-nodes-bench.benchRows', 'Rows', 1, {
		...{ count: '={{ $json.body.rows }}', from: '={{ $json.body.from }}', headings: 'Greek' },
	});
	const others = example.nodes.filter(({ name }) => !['Start', 'Sheet', 'Rows'].includes(name));
	for (const node of others) {
		if (node.type === 'n8n-nodes-base.redis') node.credentials = { redis } as never;
		if (node.type === 'n8n-nodes-amka-sms.smsSend') node.credentials = { smsPlatformApi } as never;
	}
	const connections = { ...example.connections };
	delete connections.Sheet;
	connections.Start = { main: [[{ node: 'Rows', type: 'main', index: 0 }]] };
	return { ...example, nodes: [start, rows, ...others], connections };
}

async function main(): Promise<void> {
	const platform = await openPlatform();
	const settings = {
		...{ N8N_LOG_LEVEL: 'error', N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true', EXECUTIONS_DATA_PRUNE: 'false' },
		...{ LD_PRELOAD: process.env.N8N_E2E_FAKETIME!, FAKETIME_DONT_FAKE_MONOTONIC: '1' },
		...{ FAKETIME_TIMESTAMP_FILE: CLOCK },
	};
	const clock = (ahead: string) => writeFileSync(CLOCK, ahead);
	clock('+0');
	const home = new N8n(settings);
	try {
		await home.install(join(ROOT, 'bench/nodes'));
		await home.start();
		const redis = await home.addCredential('redis', { host, port, password, database: 0, ssl: false });
		const smsPlatformApi = await home.addCredential('smsPlatformApi', {
			...{ baseUrl: platform.url, institution: 'example-university', preSharedKey: KEY },
			messages: '101/1: Ο βαθμός σας στο μάθημα {Μάθημα,1} είναι {Βαθμός,2}',
		});
		const path = randomUUID();
		const id = await home.addWorkflow(exampleFor(path, redis, smsPlatformApi));
		await home.publish(id);
		let runs = 0;
		/** Sends the whole list in parts. */
		const sendAll = async () => {
			resetPeak(home.pid!);
			const begun = performance.now();
			for (let from = 0; from < ROWS; from += PART) {
				await fetch(`${home.url}/webhook/${path}`, {
					method: 'POST',
					headers: { 'content-type': 'application/json' },
					body: JSON.stringify({ from, rows: Math.min(PART, ROWS - from) }),
				});
				runs++;
				await until(
					`run ${runs} has ended`,
					async () => {
						const select = 'SELECT status FROM execution_entity WHERE "workflowId" = ?';
						const stored = await home.query<{ status: string }>(select, id);
						const failed = stored.find(({ status }) => !['new', 'running', 'success'].includes(status));
						if (failed) throw new Error(`A run ended with ${failed.status}`);
						return stored.length === runs && stored.every(({ status }) => status === 'success');
					},
					1_200_000,
				);
			}
			return { seconds: (performance.now() - begun) / 1000, megabytes: peakOf(home.pid!) };
		};
		const before = await redisSize();
		const first = await sendAll();
		const afterFirst = platform.taken.size;
		await home.stop();
		clock(LATER);
		await home.start();
		const second = await sendAll();
		const after = await redisSize();
		const counts = [...platform.taken.values()];
		const twice = counts.filter((count) => count > 1).length;
		const [latest] = await home.query<{ startedAt: string }>(
			'SELECT max("startedAt") AS "startedAt" FROM execution_entity WHERE "workflowId" = ?',
			id,
		);
		const isLater = Date.parse(`${latest!.startedAt.replace(' ', 'T')}Z`) - Date.now() > 7 * 24 * 3_600_000;
		write({ first, second, twice, sent: afterFirst, redis: after.megabytes - before.megabytes, keys: after.keys });
		if (!isLater) throw new Error(`The clock of n8n was not moved: ${latest!.startedAt}`);
		if (twice > 0 || afterFirst !== ROWS || counts.length !== ROWS)
			throw new Error(`Broken promise: ${afterFirst} of ${ROWS} messages were sent, ${twice} of them twice`);
	} finally {
		platform.close();
		await home.remove();
	}
}

interface Cost {
	seconds: number;
	megabytes: number;
}

function write(found: { first: Cost; second: Cost; twice: number; sent: number; redis: number; keys: number }): void {
	const line = (what: string, { seconds, megabytes }: Cost, sent: number) =>
		`| ${what} | ${seconds.toFixed(0)} | ${Math.round(ROWS / seconds)} | ${megabytes.toFixed(0)} | ${sent.toLocaleString('en')} | ${found.twice} |`;
	const text = `\`npm run bench -- scale\` has measured these figures: one ${machine()}, SQLite, Redis on the same computer. The example more/once-across-workers.json sends
${ROWS.toLocaleString('en')} rows in parts of ${PART.toLocaleString('en')}, to a platform that answers immediately. Then it sends the same list again, with n8n's clock eight days ahead, which is
longer than the choice *A Week* of *Remember For*. Redis has ${found.keys.toLocaleString('en')} keys in ${found.redis.toFixed(1)} MB.

| | seconds | rows a second | peak memory of n8n, MB | sent | sent twice |
|---|---|---|---|---|---|
${line('first time', found.first, found.sent)}
${line('second time', found.second, 0)}
`;
	if (process.env.SCALE_ROWS === undefined) writeResults('scale', text);
	else console.log(text);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { N8n, until } from '../test/e2e/n8n';
import { builtIn, chain, packageNode } from '../test/e2e/workflows';
import { KEY, machine, writeResults } from './common';

/*
 * `npm run bench -- early`: n8n rejects a delivery report that arrives before n8n has stored the waiting execution of Send
 * and Wait. This program measures for how long after the platform's answer n8n rejects reports. With EARLY_TRY the result is only
 * printed.
 */

/** The attempts to deliver the report on one message. Times are in milliseconds after the answer to the send. */
interface Report {
	/** The start of the last rejected attempt. 0: no attempt was rejected. */
	rejectedAt: number;
	acceptedAt: number;
	/** The number of rejections by HTTP status. */
	rejections: Record<number, number>;
}

/** Starts a simulated platform that answers a send and then sends its report again and again, until n8n accepts it. */
async function startPlatform(): Promise<{ url: string; reports: Report[]; server: Server }> {
	const reports: Report[] = [];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, string>;
			response.setHeader('content-type', 'application/json');
			response.end('{"serviceId":"bench","errorCode":"","error":""}', () => void report(body).catch(console.error));
		});
	});
	const report = async (message: Record<string, string>): Promise<void> => {
		const answered = performance.now();
		const found: Report = { rejectedAt: 0, acceptedAt: 0, rejections: {} };
		for (;;) {
			const called = performance.now() - answered;
			const { status } = await fetch(message['dlr-url']!, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ serviceId: message.serviceId, recipient: message.recipient, status: 'DELIVRD' }),
			});
			if (status === 200) {
				found.acceptedAt = called;
				reports.push(found);
				return;
			}
			found.rejectedAt = called;
			found.rejections[status] = (found.rejections[status] ?? 0) + 1;
			if (called > 20_000) throw new Error(`n8n still rejects the report after 20 s: ${status}`);
			await sleep(2);
		}
	};
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, reports, server };
}

/**
 * The cases. `atOnce` is the number of executions at the same time, `times` the number of repetitions, and `megabytes` the size
 * of the data in each execution.
 */
const cases = [
	{ name: 'one at a time', atOnce: 1, times: 20, megabytes: 0 },
	{ name: 'ten in parallel', atOnce: 10, times: 5, megabytes: 0 },
	{ name: 'one at a time, the execution contains 10 MB', atOnce: 1, times: 5, megabytes: 10 },
];

async function main(): Promise<void> {
	const n8n = new N8n({ N8N_LOG_LEVEL: 'error', N8N_PAYLOAD_SIZE_MAX: '64' });
	const { url, reports, server } = await startPlatform();
	try {
		await n8n.install();
		await n8n.start();
		const smsPlatformApi = await n8n.addCredential('smsPlatformApi', {
			baseUrl: url,
			institution: 'example-university',
			preSharedKey: KEY,
		});
		const path = 'bench-early';
		const start = {
			...builtIn('n8n-nodes-base.webhook', 'Start', 2, { path, httpMethod: 'POST', responseMode: 'onReceived' }),
			webhookId: path,
		};
		const wait = packageNode('smsSend', {
			operation: 'sendAndWait',
			serviceId: 'bench',
			messageId: 'wait',
			recipient: '6900000001',
			options: { replacements: '[]' },
		});
		await n8n.publish(await n8n.addWorkflow(chain('early', start, { ...wait, credentials: { smsPlatformApi } })));
		const run = async (atOnce: number, megabytes: number): Promise<Report[]> => {
			const before = reports.length;
			const body = JSON.stringify({ data: 'x'.repeat(megabytes * 2 ** 20) });
			const call = async () =>
				await fetch(`${n8n.url}/webhook/${path}`, {
					method: 'POST',
					headers: { 'content-type': 'application/json' },
					body,
				});
			await Promise.all(Array.from({ length: atOnce }, call));
			await until('n8n has accepted every report', () => reports.length === before + atOnce, 60_000);
			return reports.slice(before);
		};
		// The first run is not measured, because n8n also loads the code then.
		await run(1, 0);

		const lines: string[] = [];
		for (const { name, atOnce, times, megabytes } of cases) {
			const found: Report[] = [];
			for (let time = 0; time < times; time++) found.push(...(await run(atOnce, megabytes)));
			const sorted = found.map(({ rejectedAt }) => rejectedAt).sort((a, b) => a - b);
			const rejected = sorted.filter((milliseconds) => milliseconds > 0).length;
			const statuses = [...new Set(found.flatMap(({ rejections }) => Object.keys(rejections)))].sort().join(', ');
			const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(0);
			lines.push(`| ${name} | ${found.length} | ${rejected} | ${at(0.5)} | ${at(0.95)} | ${at(1)} | ${statuses} |`);
		}
		const text = `\`npm run bench -- early\` has measured these figures: one ${machine()}, SQLite. Other programs on the computer: ${process.env.EARLY_BESIDE ?? 'none'}.
n8n rejects a delivery report that arrives before it has stored the waiting execution of *Send and Wait*. Here the platform sends its report immediately after
it has answered the send, and again 2 ms after each rejection. *Last rejected*: the time from the answer to the start of the last rejected request.

| messages | number | with a rejection | last rejected, median ms | 95 % within, ms | longest, ms | HTTP status of rejections |
|---|---|---|---|---|---|---|
${lines.join('\n')}
`;
		if (process.env.EARLY_TRY === undefined) writeResults('early', text);
		else console.log(text);
	} finally {
		server.close();
		server.closeAllConnections();
		await n8n.remove();
	}
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});

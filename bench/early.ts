import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { N8n, until } from '../test/e2e/n8n';
import { builtIn, chain, packageNode } from '../test/e2e/workflows';
import { KEY, machine, writeResults } from './common';

/*
 * `npm run bench -- early`: n8n refuses a report that comes before it has stored the pause of Send and Wait. How long
 * after the platform's answer is that? With EARLY_TRY it is a try: printed, and not kept.
 */

/** The report of one message: how long after the answer to the send its last call was refused, and its first call accepted. */
interface Report {
	refusedAt: number;
	takenAt: number;
	refusals: Record<number, number>;
}

/** Starts a platform that repeats its report, beginning with its answer to the send, until n8n accepts it. */
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
		const found: Report = { refusedAt: 0, takenAt: 0, refusals: {} };
		for (;;) {
			const called = performance.now() - answered;
			const { status } = await fetch(message['dlr-url']!, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ serviceId: message.serviceId, recipient: message.recipient, status: 'DELIVRD' }),
			});
			if (status === 200) {
				found.takenAt = called;
				reports.push(found);
				return;
			}
			found.refusedAt = called;
			found.refusals[status] = (found.refusals[status] ?? 0) + 1;
			if (called > 20_000) throw new Error(`The report is still refused after 20 s: ${status}`);
			await sleep(2);
		}
	};
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, reports, server };
}

/** The cases: how many executions wait at the same time, how often, and how much data each of them holds. */
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
			await until('every report is taken', () => reports.length === before + atOnce, 60_000);
			return reports.slice(before);
		};
		// The first run also loads the code, so it does not count.
		await run(1, 0);

		const lines: string[] = [];
		for (const { name, atOnce, times, megabytes } of cases) {
			const found: Report[] = [];
			for (let time = 0; time < times; time++) found.push(...(await run(atOnce, megabytes)));
			const sorted = found.map(({ refusedAt }) => refusedAt).sort((a, b) => a - b);
			const refused = sorted.filter((milliseconds) => milliseconds > 0).length;
			const statuses = [...new Set(found.flatMap(({ refusals }) => Object.keys(refusals)))].sort().join(', ');
			const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(0);
			lines.push(`| ${name} | ${found.length} | ${refused} | ${at(0.5)} | ${at(0.95)} | ${at(1)} | ${statuses} |`);
		}
		const text = `Made by \`npm run bench -- early\`: one ${machine()}, SQLite. Beside it ran ${process.env.EARLY_BESIDE ?? 'nothing but the bench'}.
n8n refuses a report that comes before it has stored the pause of *Send and Wait*. Here the platform sends its report immediately after it
has answered the send, and again 2 ms after each refusal. *Last refused*: how long after the answer the last refused request began.

| messages | number | with a refusal | last refused, median ms | 95 % ms | most ms | HTTP status of refusals |
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

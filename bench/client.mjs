/*
 * A raw keep-alive client: the physical limit. Sends requests with a bounded number in flight and prints how long
 * that took and what came back. A process of its own.
 *
 * Standard input: {"url": ..., "places": 10, "bodies": [...]} as JSON.
 */
import { Agent, request } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';

let input = '';
for await (const chunk of process.stdin) input += chunk;
const { url, places, bodies } = JSON.parse(input);
const secure = url.startsWith('https:');
const agent = new (secure ? SecureAgent : Agent)({ keepAlive: true, maxSockets: places, rejectUnauthorized: false });
const statuses = {};
const latencies = [];

const send = (body) =>
	new Promise((resolve, reject) => {
		const started = performance.now();
		const call = (secure ? secureRequest : request)(
			url,
			{ agent, method: 'POST', headers: { 'content-type': 'application/json' } },
			(response) => {
				response.resume();
				response.on('end', () => {
					statuses[response.statusCode] = (statuses[response.statusCode] ?? 0) + 1;
					latencies.push(performance.now() - started);
					resolve();
				});
			},
		);
		call.on('error', reject);
		call.end(JSON.stringify(body));
	});

let next = 0;
const place = async () => {
	while (next < bodies.length) await send(bodies[next++]);
};
const started = performance.now();
await Promise.all(Array.from({ length: places }, place));
const milliseconds = performance.now() - started;
latencies.sort((a, b) => a - b);
const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))];
console.log(JSON.stringify({ milliseconds, statuses, p50: at(0.5), p95: at(0.95), p99: at(0.99) }));
agent.destroy();

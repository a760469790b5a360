/*
 * A raw HTTP client with keep-alive, which shows the fastest time that the computer allows. It sends requests with a limited
 * number in parallel, and prints the time, the HTTP statuses and the latencies. It runs as a separate process.
 *
 * Standard input: {"url": ..., "concurrency": 10, "bodies": [...]} as JSON.
 */
import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { json } from 'node:stream/consumers';
import { percentiles, post } from './post.mjs';

const { url, concurrency, bodies } = await json(process.stdin);
const agent = new (url.startsWith('https:') ? SecureAgent : Agent)({
	keepAlive: true,
	maxSockets: concurrency,
	rejectUnauthorized: false,
});
const statuses = {};
const latencies = [];

let next = 0;
const worker = async () => {
	while (next < bodies.length) {
		const { status, milliseconds } = await post(agent, url, bodies[next++]);
		statuses[status] = (statuses[status] ?? 0) + 1;
		latencies.push(milliseconds);
	}
};
const started = performance.now();
await Promise.all(Array.from({ length: concurrency }, worker));
console.log(JSON.stringify({ milliseconds: performance.now() - started, statuses, ...percentiles(latencies) }));
agent.destroy();

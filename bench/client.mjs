/*
 * A raw keep-alive client: the physical limit. Sends requests with a bounded number in parallel and prints how long
 * that took and what came back. A process of its own.
 *
 * Standard input: {"url": ..., "places": 10, "bodies": [...]} as JSON.
 */
import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { json } from 'node:stream/consumers';
import { percentiles, post } from './post.mjs';

const { url, places, bodies } = await json(process.stdin);
const agent = new (url.startsWith('https:') ? SecureAgent : Agent)({
	keepAlive: true,
	maxSockets: places,
	rejectUnauthorized: false,
});
const statuses = {};
const latencies = [];

let next = 0;
const place = async () => {
	while (next < bodies.length) {
		const { status, milliseconds } = await post(agent, url, bodies[next++]);
		statuses[status] = (statuses[status] ?? 0) + 1;
		latencies.push(milliseconds);
	}
};
const started = performance.now();
await Promise.all(Array.from({ length: places }, place));
console.log(JSON.stringify({ milliseconds: performance.now() - started, statuses, ...percentiles(latencies) }));
agent.destroy();

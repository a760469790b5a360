/*
 * Clients that call n8n's webhooks for some time. Each sends its next request as soon as it gets an answer. This program runs as a
 * separate process, and prints for each kind of request the statuses, latencies, and the ids that n8n acknowledged.
 *
 * Standard input: {"seconds": 60, "key": ..., "kinds": [{"name": ..., "type": "forward", "url": ..., "concurrency": 4}]} as JSON;
 * `type` is forward, wrongKey, report or plain.
 */
import { createHmac } from 'node:crypto';
import { Agent } from 'node:http';
import { json } from 'node:stream/consumers';
import { percentiles, post } from './post.mjs';

const { seconds, key, kinds } = await json(process.stdin);
const end = performance.now() + seconds * 1000;

const forward = (id, preSharedKey) => ({
	MSISDN: '6912345678',
	keyword: 'ΒΑ',
	body: 'ΦΥΣΙΚΗ',
	'pre-shared key': preSharedKey,
	'sms-forward-id': id,
});

/** For each `type`, the function that returns the URL and body of one request. */
const calls = {
	forward: (url, id) => [url, forward(id, key)],
	wrongKey: (url, id) => [url, forward(id, 'wrong')],
	report: (url, ref) => {
		const exp = String(Math.floor(Date.now() / 1000) + 3600);
		const sig = createHmac('sha256', key).update(`dlr.v1\n101\n${ref}\n${ref}\n${exp}`).digest('base64url');
		return [`${url}?${new URLSearchParams({ ref, mid: ref, exp, sig })}`, { serviceId: '101', recipient: '6912345678', status: 'DELIVRD' }];
	},
	plain: (url, id) => [url, forward(id, key)],
};

const work = async ({ name, type, url, concurrency }) => {
	const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
	const statuses = {};
	const latencies = [];
	const acknowledged = [];
	let last = 0;
	const worker = async () => {
		while (performance.now() < end) {
			const id = `${type}-${++last}`;
			const [address, body] = calls[type](url, id);
			const { status, text, milliseconds } = await post(agent, address, body).catch(({ code }) => ({ status: code }));
			statuses[status] = (statuses[status] ?? 0) + 1;
			if (milliseconds === undefined) continue;
			latencies.push(milliseconds);
			if (status === 200 && (type === 'plain' || text.includes('"result":"0"'))) acknowledged.push(id);
		}
	};
	await Promise.all(Array.from({ length: concurrency }, worker));
	agent.destroy();
	return { name, type, statuses, count: latencies.length, acknowledged, ...percentiles(latencies) };
};

console.log(JSON.stringify(await Promise.all(kinds.map(work))));

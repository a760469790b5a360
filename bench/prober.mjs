/*
 * Measures how fast n8n answers while it works. It requests `/healthz` every 20 ms, even if n8n has not answered the request
 * before. It runs as a separate process, so that the work of the measurement does not delay it.
 *
 * Argument: the URL of n8n. For each line on standard input it prints, as JSON, the longest response time since the line
 * before, in milliseconds. It ends with the process that started it.
 */
import { createInterface } from 'node:readline';

const [, , url] = process.argv;
/** The start of each request that has no answer yet. */
const open = new Set();
let most = 0;

setInterval(async () => {
	const began = performance.now();
	open.add(began);
	await fetch(`${url}/healthz`)
		.then((response) => response.arrayBuffer())
		.catch(() => undefined);
	open.delete(began);
	most = Math.max(most, performance.now() - began);
}, 20);

createInterface({ input: process.stdin })
	.on('line', () => {
		console.log(JSON.stringify(Math.max(most, ...[...open].map((began) => performance.now() - began))));
		most = 0;
	})
	.on('close', () => process.exit());

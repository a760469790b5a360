/*
 * Measures how long n8n's other answers take. It asks for n8n's health every 20 ms, even if the earlier request is not
 * answered yet. It is a process of its own, so that it never shares a core's time slice with the measured process.
 *
 * Argument: the address. For each line of standard input it prints, in milliseconds, the longest answer since the line
 * before, as JSON; ends with its parent.
 */
import { createInterface } from 'node:readline';

const [, , url] = process.argv;
/** When each question began that is not answered yet. */
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

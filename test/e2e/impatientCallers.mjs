/*
 * A platform without patience: it sends its messages all at once, gives each call up after a while, and comes again until
 * it is told that the message was taken. A process of its own, so that nothing but n8n is slow.
 *
 * Standard input, as JSON: {"url", "messages": [the bodies], "giveUpAfter", "pause", "within"}, all times in seconds.
 * Prints, as JSON: how many calls there were, what came back how often, the indexes of the messages that were
 * acknowledged, and the seconds that all took.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { json } from 'node:stream/consumers';

const { url, messages, giveUpAfter, pause, within } = await json(process.stdin);
const started = performance.now();
const isOver = () => performance.now() - started > within * 1000;

const answers = {};
const acknowledged = [];
let calls = 0;

/** @returns what the caller learns: `0`, an error code, an HTTP status, or that it gave up */
async function call(body) {
	calls++;
	try {
		const response = await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
			signal: AbortSignal.timeout(giveUpAfter * 1000),
		});
		const { result, errorCode } = JSON.parse(await response.text());
		return response.ok && result === '0' ? '0' : `${response.status} ${errorCode}`;
	} catch ({ name }) {
		return name === 'TimeoutError' ? 'gave up' : name;
	}
}

await Promise.all(
	messages.map(async (body, index) => {
		while (!isOver()) {
			const answer = await call(body);
			answers[answer] = (answers[answer] ?? 0) + 1;
			if (answer === '0') return void acknowledged.push(index);
			await sleep(pause * 1000);
		}
	}),
);
console.log(JSON.stringify({ calls, answers, acknowledged: acknowledged.sort((a, b) => a - b), seconds: (performance.now() - started) / 1000 }));

/*
 * Simulates an impatient platform: it forwards all incoming SMS at the same time, gives up each call after a time-out, and
 * repeats it until it gets a success. This is a separate process, so that only n8n can slow it down.
 *
 * Standard input, as JSON: {"url", "messages": [the bodies], "giveUpAfter", "pause", "within"}, all times in seconds.
 * Prints, as JSON: the number of calls, how often each result came back, the indexes of the SMS that got a success, and
 * the duration in seconds.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { json } from 'node:stream/consumers';

const { url, messages, giveUpAfter, pause, within } = await json(process.stdin);
const started = performance.now();
const isOver = () => performance.now() - started > within * 1000;

const answers = {};
const acknowledged = [];
let calls = 0;

/** Makes one call. @returns its result: `0` for a success, an error code, an HTTP status, or that the caller gave up */
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

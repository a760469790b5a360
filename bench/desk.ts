import { randomUUID } from 'node:crypto';

import { answers, Desk, grades, sheetOf } from '../test/e2e/desk';
import { readExample } from '../test/e2e/examples';
import { taskOf, until } from '../test/e2e/n8n';
import { builtIn, chain } from '../test/e2e/workflows';
import { World } from '../test/e2e/world';
import { machine, median, writeResults } from './common';

/*
 * `npm run bench -- desk`: 3,000 rows through the example that takes a spreadsheet, from the press on Send to the last message,
 * against its node SMS Send alone: 15 % more at most.
 */
const ROWS = 3000;
const DELAY = 50;
const ROUNDS = Number(process.env.DESK_ROUNDS ?? 3);

async function main(): Promise<void> {
	const world = new World({ N8N_LOG_LEVEL: 'error' });
	try {
		await world.start();
		const { n8n, sandbox } = world;
		const desk = await Desk.open(world);
		let lists = 0;
		/** A list that nobody has got yet. */
		const nextList = (rows: number) => grades(`Μάθημα ${++lists}`, rows);
		const allSent = async (rows: number) => {
			await until('all are sent', () => sandbox.messages.length >= rows && sandbox.inFlight === 0, 300_000);
			if (sandbox.messages.length !== rows) throw new Error(`${sandbox.messages.length} of ${rows}`);
		};
		const byDesk = async (rows: number) => {
			sandbox.reset();
			Object.assign(sandbox.trouble, { delayMs: DELAY, report: 'lost' });
			const page = await desk.review(sheetOf(`list ${lists}`, ...nextList(rows)));
			const pressed = Date.now();
			const { status } = await page.send(undefined, [answers.send]);
			await allSent(rows);
			const milliseconds = Date.now() - pressed;
			await until('the last page is there', async () => (await status()) === 'form-waiting', 60_000);
			return milliseconds;
		};

		const path = randomUUID();
		const [review, send] = ['Review', 'Send'].map(
			(name) => readExample('spreadsheet-to-sms.json').nodes.find((node) => node.name === name)!,
		);
		const { serviceId, messageId } = review!.parameters;
		const start = builtIn('n8n-nodes-base.webhook', 'Start', 2, {
			path,
			httpMethod: 'POST',
			responseMode: 'onReceived',
		});
		const id = await n8n.addWorkflow(
			chain(
				'alone',
				{ ...start, webhookId: path },
				builtIn('n8n-nodes-base.splitOut', 'Rows', 1, { fieldToSplitOut: 'body.rows', options: {} }),
				{ ...world.node('smsSend', { ...send!.parameters, serviceId, messageId }), name: 'Send' },
			),
		);
		await n8n.publish(id);
		let runs = 0;
		const alone = async (rows: number) => {
			sandbox.reset();
			Object.assign(sandbox.trouble, { delayMs: DELAY, report: 'lost' });
			await fetch(`${n8n.url}/webhook/${path}`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ rows: nextList(rows) }),
			});
			await allSent(rows);
			const executions = await n8n.executionsWhenEnded(id, ++runs);
			return taskOf(executions.at(-1)!, 'Send').executionTime;
		};

		// The first runs compile and load; they count for nobody.
		await byDesk(50);
		await alone(50);
		const found = { desk: [] as number[], alone: [] as number[] };
		for (let round = 0; round < ROUNDS; round++) {
			found.alone.push(await alone(ROWS));
			found.desk.push(await byDesk(ROWS));
			console.log(`alone ${found.alone.at(-1)} ms, from the press on Send ${found.desk.at(-1)} ms`);
		}
		write(median(found.alone), median(found.desk));
	} finally {
		await world.sandbox?.close();
		await world.n8n.remove();
	}
}

function write(alone: number, desk: number): void {
	const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1);
	writeResults(
		'desk',
		`Made by \`npm run bench -- desk\`: one ${machine()}, SQLite. Medians of ${ROUNDS} rounds. ${ROWS.toLocaleString('en')} rows of a sheet, each a message that was
never sent before, to a platform that answers after ${DELAY} ms; 10 in progress in parallel, as by default.

| | seconds | against the node alone | target |
|---|---|---|---|
| SMS Send of the example alone | ${seconds(alone)} | | |
| the example, from the press on *Send* to the last message | ${seconds(desk)} | ${(desk / alone).toFixed(2)} | ≤ 1.15 |
`,
	);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});

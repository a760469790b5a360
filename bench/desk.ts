import { answers, counts, Desk, grades, sheetOf } from '../test/e2e/desk';
import { FormPage, importExample, save } from '../test/e2e/examples';
import { until } from '../test/e2e/n8n';
import { World } from '../test/e2e/world';
import { machine, median, startProber, writeResults, type Prober } from './common';

/*
 * `npm run bench -- desk`: how long a visitor's form needs to answer while a list of 3,000 rows goes out through the example and
 * its delivery reports come in, compared with the same form on an idle n8n. Also the longest time in which n8n gives no answer.
 */
const ROWS = Number(process.env.DESK_ROWS ?? 3000);
const VISITS = 20;

async function main(): Promise<void> {
	const world = new World({ N8N_LOG_LEVEL: 'error' });
	let prober: Prober | undefined;
	try {
		await world.start();
		const { n8n, sandbox } = world;
		const desk = await Desk.open(world);
		const enrolment = await importExample(world, 'enrolment.json', '-bench');
		await save(n8n, enrolment);
		await n8n.publish(enrolment.id);
		const form = enrolment.url('Enrolment form');
		/** Measures how long the form takes to appear, with one visit every so many milliseconds. */
		const visit = async (every: number) => {
			const took: number[] = [];
			while (took.length < VISITS) {
				const begun = performance.now();
				await FormPage.open(form);
				took.push(performance.now() - begun);
				await new Promise((resolve) => setTimeout(resolve, every));
			}
			return took;
		};

		// The first visits also compile and load the code, so they do not count.
		await visit(0);
		const idle = await visit(500);
		prober = startProber(n8n.url);
		const sheet = sheetOf('list', ...grades('Μάθημα', ROWS));
		const heldUp: Record<string, number> = {};
		await prober.heldUp();
		const page = await desk.review(sheet);
		heldUp['from the upload to the review'] = await prober.heldUp();
		const pressed = Date.now();
		await page.send(undefined, [answers.send]);
		await until('the list goes out', () => sandbox.messages.length > 50, 60_000);
		const busy = await visit((ROWS * 100 * 0.8) / VISITS);
		const meanwhile = sandbox.messages.length;
		await until('all are sent', () => sandbox.messages.length >= ROWS && sandbox.inFlight === 0, 600_000);
		const seconds = (Date.now() - pressed) / 1000;
		heldUp['while the messages go out'] = await prober.heldUp();
		await until('the list has ended', async () => (await desk.listsNamed('list'))[0]!.state === 'sent', 60_000);
		heldUp['from the last message to the end of the list'] = await prober.heldUp();
		const afterwards = await visit(1000);
		heldUp['in the twenty seconds after that'] = await prober.heldUp();
		const reported = counts(await desk.whoGotIt())['Παραδόθηκαν'] ?? 0;
		write(idle, busy, afterwards, heldUp, [meanwhile, sandbox.messages.length, reported], seconds);
	} finally {
		prober?.close();
		await world.sandbox?.close();
		await world.n8n.remove();
	}
}

function write(
	idle: number[],
	busy: number[],
	afterwards: number[],
	heldUp: Record<string, number>,
	[meanwhile, sent, reported]: number[],
	seconds: number,
): void {
	const longest = Object.entries(heldUp).map(
		([when, ms]) => `| ${when} | ${ms.toFixed(0)} | ${ms <= 1000 ? '≤ 1,000' : '≤ 1,000, missed'} |\n`,
	);
	const shown = (times: number[]) => `${median(times).toFixed(0)} | ${Math.max(...times).toFixed(0)}`;
	writeResults(
		'desk',
		`Made by \`npm run bench -- desk\`: one ${machine()}, SQLite. ${sent} rows of a sheet went out through *Αποστολή SMS από φύλλο* in ${seconds.toFixed(0)} s
(the example sends ten a second at most, in parts of 100), and *Ποιος το έλαβε;* counted ${reported} as delivered afterwards. ${VISITS} visits to the form of
*Enrolment* before, ${VISITS} while the first ${meanwhile} went out, and ${VISITS} after the end.

| the form of *Enrolment* | ms, median | most ms | against idle | target |
|---|---|---|---|---|
| nothing else is under way | ${shown(idle)} | | |
| while a list goes out and its reports come in | ${shown(busy)} | ${(median(busy) / median(idle)).toFixed(2)} | ≤ 3 |
| after the last SMS | ${shown(afterwards)} | ${(median(afterwards) / median(idle)).toFixed(2)} | ≤ 3 |

The longest time for which n8n did not answer \`/healthz\`, asked every 20 ms:

| part | ms | target |
|---|---|---|
${longest.join('')}`,
	);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});

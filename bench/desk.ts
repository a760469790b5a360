import { answers, counts, Desk, grades, sheetOf } from '../test/e2e/desk';
import { FormPage, importExample, save } from '../test/e2e/examples';
import { until } from '../test/e2e/n8n';
import { World } from '../test/e2e/world';
import { machine, median, startProber, writeResults, type Prober } from './common';

/*
 * `npm run bench -- desk` measures the response time of a form (enrolment.json) while the desk example sends 3,000 rows and
 * receives their delivery reports, compared with an idle n8n. It also measures the longest time in which n8n does not respond.
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
		/** Opens the form several times, and returns the response times. @param pauseMs the pause after each visit */
		const visit = async (pauseMs: number) => {
			const took: number[] = [];
			while (took.length < VISITS) {
				const begun = performance.now();
				await FormPage.open(form);
				took.push(performance.now() - begun);
				await new Promise((resolve) => setTimeout(resolve, pauseMs));
			}
			return took;
		};

		// The first visits are not measured, because n8n also compiles and loads the code then.
		await visit(0);
		const idle = await visit(500);
		prober = startProber(n8n.url);
		const sheet = sheetOf('list', ...grades('Μάθημα', ROWS));
		const slowestProbe: Record<string, number> = {};
		await prober.slowestProbe();
		const page = await desk.review(sheet);
		slowestProbe['from the upload to the review'] = await prober.slowestProbe();
		const pressed = Date.now();
		await page.send(undefined, [answers.send]);
		await until('the list goes out', () => sandbox.messages.length > 50, 60_000);
		const busy = await visit((ROWS * 100 * 0.8) / VISITS);
		const meanwhile = sandbox.messages.length;
		await until('all are sent', () => sandbox.messages.length >= ROWS && sandbox.inFlight === 0, 600_000);
		const seconds = (Date.now() - pressed) / 1000;
		slowestProbe['while the messages are sent'] = await prober.slowestProbe();
		await until('the list has ended', async () => (await desk.listsNamed('list'))[0]!.state === 'sent', 60_000);
		slowestProbe['from the last message until the list is marked as sent'] = await prober.slowestProbe();
		const afterwards = await visit(1000);
		slowestProbe['in the twenty seconds after that'] = await prober.slowestProbe();
		const reported = counts(await desk.whoGotIt())['Παραδόθηκαν'] ?? 0;
		write(idle, busy, afterwards, slowestProbe, [meanwhile, sandbox.messages.length, reported], seconds);
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
	slowestProbe: Record<string, number>,
	[meanwhile, sent, reported]: number[],
	seconds: number,
): void {
	const longest = Object.entries(slowestProbe).map(
		([when, ms]) => `| ${when} | ${ms.toFixed(0)} | ${ms <= 1000 ? '≤ 1,000' : '≤ 1,000, missed'} |\n`,
	);
	const shown = (times: number[]) => `${median(times).toFixed(0)} | ${Math.max(...times).toFixed(0)}`;
	writeResults(
		'desk',
		`\`npm run bench -- desk\` has measured these figures: one ${machine()}, SQLite. The example \`desk/send-a-list.json\` (*Αποστολή SMS από φύλλο*) sent
a sheet of ${sent} rows in ${seconds.toFixed(0)} s (at most ten a second, in parts of 100). Afterwards \`desk/who-got-it.json\` (*Ποιος το έλαβε;*) counted ${reported} as delivered. The form of
\`enrolment.json\` was opened ${VISITS} times before the list, ${VISITS} times while the first ${meanwhile} messages were sent, and ${VISITS} times after the end.

| the form was opened | median, ms | longest, ms | median divided by idle | target |
|---|---|---|---|---|
| on an idle n8n | ${shown(idle)} | | |
| while a list is sent and its reports arrive | ${shown(busy)} | ${(median(busy) / median(idle)).toFixed(2)} | ≤ 3 |
| after the last SMS | ${shown(afterwards)} | ${(median(afterwards) / median(idle)).toFixed(2)} | ≤ 3 |

\`/healthz\` was requested every 20 ms. The longest time of an answer:

| part | ms | target |
|---|---|---|
${longest.join('')}`,
	);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});

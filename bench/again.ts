import type { INodeParameters } from 'n8n-workflow';

import { machine, median, writeResults } from './common';
import { inOrder, Lists, type List, type Measure, type BenchWorkflow } from './lists';

/*
 * Measures the cost of two features of SMS Send. The first is to send no message twice: the choices *Skip* and
 * *Skip Sent, Resend Unknown* of *If Already Sent* are compared with *Send Again*. The second is to give values by the
 * placeholder's name, compared with a list of values in their order.
 * `npm run bench -- again` measures everything and stores the results. `skip`, `names` and `long` (30,000 rows) measure one
 * part and only print it. If one of the first three variables is set, `again` also only prints its results.
 * Environment variables: AGAIN_ROUNDS is the largest number of rounds, AGAIN_ENTRIES the length of the list in which n8n
 * stores the sent messages of a workflow, AGAIN_LONG the number of rows that `long` sends, and AGAIN_BESIDE describes the
 * other programs on the computer, for the results.
 */
const part = process.argv[2];
const measures = (name: string): boolean => part === undefined || part === name;
const ROUNDS = Number(process.env.AGAIN_ROUNDS ?? 5);
const ENTRIES = Number(process.env.AGAIN_ENTRIES ?? 100_000);
/** The number of rows that `long` sends. By default this is the number of messages that the package always remembers. */
const LONG = Number(process.env.AGAIN_LONG ?? 30_000);

type Setting = Omit<List, 'from'>;
interface Result extends Setting {
	name: string;
	measures: Measure[];
}

/**
 * The targets by variant and by the platform's delay in milliseconds: the time of a variant may be at most this many times that
 * of the variant with which it is compared.
 */
const targets: Record<string, number | undefined> = {
	'Skip, nothing remembered, 20': 1.15,
	'Skip, nothing remembered, 100': 1.15,
	'Skip, many remembered, 20': 1.8,
	'Skip, many remembered, 100': 1.8,
	'by placeholder, 20': 1.05,
};
/** The target for `/healthz`: its longest answer may take this many milliseconds more than with the first variant. */
const MAX_EXTRA_MS = 200;

async function main(): Promise<void> {
	const lists = await Lists.open();
	try {
		const results: Result[] = [];
		let from = 10_000_000;
		/** Returns a list of people who got no message before. */
		const next = (setting: Setting): List => ({ ...setting, from: (from += setting.rows) - setting.rows });
		const compare = async (
			rounds: number,
			setting: Setting,
			workflows: Record<string, () => Promise<BenchWorkflow>>,
		) => {
			const found = Object.keys(workflows).map((name): Result => ({ name, ...setting, measures: [] }));
			results.push(...found);
			// All variants run in each round, so that other load on the computer affects all of them equally.
			for (let round = 0; round < rounds; round++) {
				for (const one of found) {
					const run = await workflows[one.name]!();
					const measure = await run(next(setting));
					one.measures.push(measure);
					console.log(
						`${one.name}, ${setting.delay} ms, ${setting.concurrency} in parallel, ${setting.rows} rows: ${(measure.milliseconds / 1000).toFixed(2)} s, longest /healthz ${measure.slowestProbe.toFixed(0)} ms`,
					);
				}
			}
		};
		const send: INodeParameters = { ...inOrder, ifAlreadySent: 'send' };
		// The first run is not measured, because n8n also compiles and loads the code then.
		await (
			await lists.publish(send)
		)(next({ rows: 2000, concurrency: 10, delay: 0 }));

		let long: Long | undefined;
		const onLongList = async (parameters: INodeParameters) => {
			const workflow = await lists.publish(parameters);
			await lists.fill(workflow, ENTRIES);
			return workflow;
		};
		if (measures('long')) {
			const before = await lists.live();
			const workflow = await lists.publish(inOrder);
			const measure = await workflow(next({ rows: LONG, concurrency: 50, delay: 20 }));
			long = { measure, before, after: await lists.live() };
			console.log(sentenceOf(long));
		}
		if (measures('skip')) {
			const settings: Array<[rounds: number, setting: Setting]> = [
				[ROUNDS, { delay: 20, concurrency: 10, rows: 1000 }],
				[ROUNDS, { delay: 20, concurrency: 50, rows: 1000 }],
				[Math.min(3, ROUNDS), { delay: 100, concurrency: 10, rows: 1000 }],
				[Math.min(3, ROUNDS), { delay: 100, concurrency: 50, rows: 1000 }],
			];
			const whole: typeof settings = [
				[Math.min(3, ROUNDS), { delay: 20, concurrency: 10, rows: 10_000 }],
				[Math.min(3, ROUNDS), { delay: 20, concurrency: 50, rows: 10_000 }],
			];
			for (const [rounds, setting] of part === undefined ? [...settings, ...whole] : settings) {
				await compare(rounds, setting, {
					'Send Again': async () => await lists.publish(send),
					'Skip, nothing remembered': async () => await lists.publish(inOrder),
					'Skip, many remembered': async () => await onLongList(inOrder),
					'Skip Sent, Resend Unknown, many remembered': async () =>
						await onLongList({ ...inOrder, ifAlreadySent: 'resendUnknown' }),
				});
			}
		}
		if (measures('names')) {
			const value = { Μάθημα: '={{ $json.course }}', Βαθμός: '={{ $json.grade }}' };
			const byName: INodeParameters = {
				placeholders: { mappingMode: 'defineBelow', value },
			};
			for (const concurrency of [10, 50]) {
				await compare(
					ROUNDS,
					{ delay: 20, concurrency, rows: 1000 },
					{
						'list in its order': async () => await lists.publish({ ...send, messageId: 'named' }),
						'by placeholder': async () => await lists.publish({ ...byName, messageId: 'named', ifAlreadySent: 'send' }),
					},
				);
			}
		}
		write(results, long);
	} finally {
		await lists.close();
	}
}

/** The result of the long list, and n8n's heap before and after it, in MB. */
interface Long {
	measure: Measure;
	before: number;
	after: number;
}

const sentenceOf = ({ measure, before, after }: Long): string =>
	`A list of ${LONG.toLocaleString('en')} rows with Skip, 50 in parallel, took ${(measure.milliseconds / 1000).toFixed(0)} s (${Math.round((LONG / measure.milliseconds) * 1000)} a second). The highest memory of n8n was ${measure.peakMegabytes.toFixed(0)} MB. Its heap after a full garbage collection was ${before.toFixed(0)} MB before the list, and ${after.toFixed(0)} MB after it.`;

const lineOf =
	(results: Result[]) =>
	(result: Result): string => {
		const of = ({ measures: found }: Result, field: keyof Measure): number[] => found.map((measure) => measure[field]);
		const { name, delay, concurrency, rows } = result;
		const isBase = ({ name: other }: Result): boolean =>
			other === (name.startsWith('Skip') ? 'Send Again' : 'list in its order');
		const base = results.find(
			(one) =>
				isBase(one) && one !== result && one.delay === delay && one.concurrency === concurrency && one.rows === rows,
		);
		const against = (field: 'milliseconds' | 'cpuPerRow'): number | undefined =>
			base && median(of(result, field)) / median(of(base, field));
		const target = base && targets[`${name}, ${delay}`];
		const [ratio, cpu] = [against('milliseconds'), against('cpuPerRow')];
		const seconds = of(result, 'milliseconds').map((milliseconds) => milliseconds / 1000);
		const [held, ofBase] = [result, base].map((one) => one && Math.max(...of(one, 'slowestProbe')));
		return `| ${[
			name,
			`${delay} ms`,
			concurrency,
			rows.toLocaleString('en'),
			median(seconds).toFixed(2),
			`${Math.min(...seconds).toFixed(2)} to ${Math.max(...seconds).toFixed(2)}`,
			ratio?.toFixed(2) ?? '',
			target === undefined ? '' : `≤ ${target.toFixed(2)}${ratio! > target ? ', missed' : ''}`,
			median(of(result, 'cpuPerRow')).toFixed(2),
			cpu?.toFixed(2) ?? '',
			`${held!.toFixed(0)}${ofBase !== undefined && held! - ofBase > MAX_EXTRA_MS ? ', missed' : ''}`,
		].join(' | ')} |`;
	};

function write(results: Result[], long: Long | undefined): void {
	const beside = process.env.AGAIN_BESIDE ?? 'none';
	const text = `\`npm run bench -- again\` has measured these figures: one ${machine()}, SQLite. Other programs on the computer: ${beside}.
*Send Again* and *Skip* are choices of *If Already Sent*. Times are those of the node, as medians. In each round every variant runs once. *Many remembered*: n8n's list
of the workflow has ${ENTRIES.toLocaleString('en')} entries before each run. *List in its order* and *by placeholder* give the same values. The list is one expression,
and by placeholder each value has its own, so n8n evaluates one more. *Longest \`/healthz\`*: during the run \`/healthz\` is requested every 20 ms, and this is the longest
time of an answer in all rounds. The target is at most ${MAX_EXTRA_MS} ms more than with the first variant.

| variant | platform | in parallel | rows | seconds | fastest to slowest | divided by the first variant | target | CPU ms a row | divided by the first variant | longest \`/healthz\`, ms |
|---|---|---|---|---|---|---|---|---|---|---|
${results.map(lineOf(results)).join('\n')}

${long ? sentenceOf(long) : ''}
`;
	if (part === undefined && !process.env.AGAIN_ROUNDS && !process.env.AGAIN_LONG && !process.env.AGAIN_ENTRIES)
		writeResults('again', text);
	else console.log(text);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});

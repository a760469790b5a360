import type { INodeParameters } from 'n8n-workflow';

import { machine, median, writeResults } from './common';
import { inOrder, Lists, type List, type Measure, type Way } from './lists';

/*
 * Measures the cost of sending no message twice (If Already Sent: Skip, and Skip Sent, Resend Unknown, against Send Again),
 * and of values by the placeholder's name (against fields in their order). `npm run bench -- again` measures all and keeps
 * the results. Each of its parts can be measured alone, and is printed: `skip` (Skip against Send Again), `names`, and `long`
 * (30,000 rows). AGAIN_ROUNDS says how often, AGAIN_ENTRIES how long n8n's list is, AGAIN_BESIDE what ran beside, for the
 * results.
 */
const part = process.argv[2];
const measures = (name: string): boolean => part === undefined || part === name;
const ROUNDS = Number(process.env.AGAIN_ROUNDS ?? 5);
const ENTRIES = Number(process.env.AGAIN_ENTRIES ?? 100_000);
/** How many messages n8n's list remembers at least. */
const LONG = Number(process.env.AGAIN_LONG ?? 30_000);

type Setting = Omit<List, 'from'>;
interface Result extends Setting {
	name: string;
	measures: Measure[];
}

/** The targets by way and by the platform's delay in milliseconds: how many times as long as the first way a way may take. */
const targets: Record<string, number | undefined> = {
	'Skip, empty list, 20': 1.15,
	'Skip, empty list, 100': 1.15,
	'Skip, long list, 20': 1.8,
	'Skip, long list, 100': 1.8,
	'by placeholder, 20': 1.05,
};
/** How many milliseconds later than with the first way n8n may give its other answers. */
const MOST_HELD_UP = 200;

async function main(): Promise<void> {
	const lists = await Lists.open();
	try {
		const results: Result[] = [];
		let from = 10_000_000;
		/** Every list goes to people who got no message before. */
		const next = (setting: Setting): List => ({ ...setting, from: (from += setting.rows) - setting.rows });
		const compare = async (rounds: number, setting: Setting, ways: Record<string, () => Promise<Way>>) => {
			const found = Object.keys(ways).map((name): Result => ({ name, ...setting, measures: [] }));
			results.push(...found);
			// All ways run in each round, so that other load on the machine affects all of them equally.
			for (let round = 0; round < rounds; round++) {
				for (const one of found) {
					const run = await ways[one.name]!();
					const measure = await run(next(setting));
					one.measures.push(measure);
					console.log(
						`${one.name}, ${setting.delay} ms, ${setting.places} in parallel, ${setting.rows} rows: ${(measure.milliseconds / 1000).toFixed(2)} s, held up ${measure.heldUp.toFixed(0)} ms`,
					);
				}
			}
		};
		const send: INodeParameters = { ...inOrder, ifAlreadySent: 'send' };
		// The first run also compiles and loads the code, so it does not count.
		await (
			await lists.publish(send)
		)(next({ rows: 2000, places: 10, delay: 0 }));

		let long: Long | undefined;
		const onLongList = async (parameters: INodeParameters) => {
			const way = await lists.publish(parameters);
			await lists.fill(way, ENTRIES);
			return way;
		};
		if (measures('long')) {
			const before = await lists.live();
			const way = await lists.publish(inOrder);
			const measure = await way(next({ rows: LONG, places: 50, delay: 20 }));
			long = { measure, before, after: await lists.live() };
			console.log(sentenceOf(long));
		}
		if (measures('skip')) {
			const settings: Array<[rounds: number, setting: Setting]> = [
				[ROUNDS, { delay: 20, places: 10, rows: 1000 }],
				[ROUNDS, { delay: 20, places: 50, rows: 1000 }],
				[Math.min(3, ROUNDS), { delay: 100, places: 10, rows: 1000 }],
				[Math.min(3, ROUNDS), { delay: 100, places: 50, rows: 1000 }],
			];
			const whole: typeof settings = [
				[Math.min(3, ROUNDS), { delay: 20, places: 10, rows: 10_000 }],
				[Math.min(3, ROUNDS), { delay: 20, places: 50, rows: 10_000 }],
			];
			for (const [rounds, setting] of part === undefined ? [...settings, ...whole] : settings) {
				await compare(rounds, setting, {
					'Send Again': async () => await lists.publish(send),
					'Skip, empty list': async () => await lists.publish(inOrder),
					'Skip, long list': async () => await onLongList(inOrder),
					'Skip Sent, Resend Unknown, long list': async () =>
						await onLongList({ ...inOrder, ifAlreadySent: 'resendUnknown' }),
				});
			}
		}
		if (measures('names')) {
			const value = { Μάθημα: '={{ $json.course }}', Βαθμός: '={{ $json.grade }}' };
			const byName: INodeParameters = {
				placeholders: { mappingMode: 'defineBelow', value },
			};
			for (const places of [10, 50]) {
				await compare(
					ROUNDS,
					{ delay: 20, places, rows: 1000 },
					{
						'fields in their order': async () => await lists.publish({ ...send, messageId: 'named' }),
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

/** The result of the long list, and the memory of n8n before and after it. */
interface Long {
	measure: Measure;
	before: number;
	after: number;
}

const sentenceOf = ({ measure, before, after }: Long): string =>
	`A list of ${LONG.toLocaleString('en')} rows with Skip, 50 in parallel, ran to its end in ${(measure.milliseconds / 1000).toFixed(0)} s (${Math.round((LONG / measure.milliseconds) * 1000)} a second). n8n held at most ${measure.peakMegabytes.toFixed(0)} MB; after a full collection ${before.toFixed(0)} MB before it, and ${after.toFixed(0)} MB after it.`;

const lineOf =
	(results: Result[]) =>
	(result: Result): string => {
		const of = ({ measures: found }: Result, field: keyof Measure): number[] => found.map((measure) => measure[field]);
		const { name, delay, places, rows } = result;
		const isBase = ({ name: other }: Result): boolean =>
			other === (name.startsWith('Skip') ? 'Send Again' : 'fields in their order');
		const base = results.find(
			(one) => isBase(one) && one !== result && one.delay === delay && one.places === places && one.rows === rows,
		);
		const against = (field: 'milliseconds' | 'cpuPerRow'): number | undefined =>
			base && median(of(result, field)) / median(of(base, field));
		const target = base && targets[`${name}, ${delay}`];
		const [ratio, cpu] = [against('milliseconds'), against('cpuPerRow')];
		const seconds = of(result, 'milliseconds').map((milliseconds) => milliseconds / 1000);
		const [held, heldByBase] = [result, base].map((one) => one && Math.max(...of(one, 'heldUp')));
		return `| ${[
			name,
			`${delay} ms`,
			places,
			rows.toLocaleString('en'),
			median(seconds).toFixed(2),
			`${Math.min(...seconds).toFixed(2)} to ${Math.max(...seconds).toFixed(2)}`,
			ratio?.toFixed(2) ?? '',
			target === undefined ? '' : `≤ ${target.toFixed(2)}${ratio! > target ? ', missed' : ''}`,
			median(of(result, 'cpuPerRow')).toFixed(2),
			cpu?.toFixed(2) ?? '',
			`${held!.toFixed(0)}${heldByBase !== undefined && held! - heldByBase > MOST_HELD_UP ? ', missed' : ''}`,
		].join(' | ')} |`;
	};

function write(results: Result[], long: Long | undefined): void {
	const beside = process.env.AGAIN_BESIDE ?? 'nothing but the bench';
	const text = `Made by \`npm run bench -- again\`: one ${machine()}, SQLite. Beside it ran ${beside}.
Times are of the node itself, medians; each round is a run of every kind. *Long list*: n8n's list of the workflow has
${ENTRIES.toLocaleString('en')} entries before each run. *Fields* and *by placeholder* have the same values and
the same text; by placeholder there is an expression for each value, and n8n evaluates one more. *Held up*: the longest that n8n took
meanwhile to say that it is well, which it was asked every 20 ms, in all rounds; at most ${MOST_HELD_UP} ms more than with the first way.

| way | platform | in parallel | rows | seconds | from, to | against the first | target | CPU ms a row | against the first | held up, ms |
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

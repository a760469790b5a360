import type { INodeParameters } from 'n8n-workflow';

import { machine, median, writeResults } from './common';
import { inOrder, Lists, type List, type Measure, type BenchWorkflow } from './lists';

/*
 * `npm run bench -- guards` measures the cost of guard rails, which are limits in the credential and in SMS Send: a list with
 * all of them, compared with none. It also measures a review of a long list. GUARDS_ROUNDS is the number of rounds.
 */
const ROUNDS = Number(process.env.GUARDS_ROUNDS ?? 5);
/** The rounds of the list with 1,000 rows. Its runs are short, so other load on the computer affects their times more. */
const SHORT_ROUNDS = 3 * ROUNDS;
const FIRST = 20_000_000;
const SENT: List = { rows: 1000, concurrency: 10, delay: 20, from: FIRST };
const REVIEWED: List = { rows: 10_000, concurrency: 5, delay: 20, from: FIRST, sent: 0 };

interface Result {
	name: string;
	list: List;
	measures: Measure[];
	/**
	 * The time of this variant may be at most this many times that of the first variant with the same list. Undefined: there is no
	 * target.
	 */
	target?: number;
}

const numbers = (from: number, count: number): string =>
	Array.from({ length: count }, (_, index) => 6_900_000_000 + from + index).join(',');

/** Returns quiet hours (in which nothing is sent) that begin in twelve hours. */
function laterToday(): string {
	const hour = (new Date().getUTCHours() + 12) % 24;
	return `${hour}:00-${(hour + 1) % 24}:00 UTC`;
}

async function main(): Promise<void> {
	const lists = await Lists.open();
	try {
		const results: Result[] = [];
		/**
		 * Measures several variants. All variants run in each round, and each round begins with a different variant, so that other
		 * load on the computer affects all of them equally.
		 */
		const compare = async (
			list: List,
			rounds: number,
			workflows: Array<[name: string, workflow: BenchWorkflow, target?: number]>,
		) => {
			const found = workflows.map(([name, , target]): Result => ({ name, list, measures: [], target }));
			results.push(...found);
			for (let round = 0; round < rounds; round++) {
				const order = [...workflows.entries()];
				order.push(...order.splice(0, round % order.length));
				for (const [index, [name, workflow]] of order) {
					const measure = await workflow(list);
					found[index]!.measures.push(measure);
					console.log(`${name}: ${(measure.milliseconds / 1000).toFixed(2)} s`);
				}
			}
		};
		const send: INodeParameters = { ...inOrder, ifAlreadySent: 'send' };
		const options = { concurrency: SENT.concurrency, doNotSendTo: numbers(FIRST + 100_000, 10_000) };
		const guards = {
			trialRecipients: numbers(FIRST, SENT.rows),
			maxMessagesPerRun: SENT.rows,
			quietHours: laterToday(),
		};
		const plain = await lists.publish(send);
		// The first run is not measured, because n8n also compiles and loads the code then.
		await plain({ ...SENT, delay: 0 });
		await compare(SENT, SHORT_ROUNDS, [
			['Send', plain],
			['Send, measured again', await lists.publish(send)],
			['Send with all guard rails', await lists.publish({ ...send, options }, guards), 1.02],
		]);
		await compare(REVIEWED, ROUNDS, [
			[
				'review with an item for each row',
				await lists.publish({ ...inOrder, operation: 'review', reviewOutput: 'rows' }),
			],
			['review', await lists.publish({ ...inOrder, operation: 'review' }), 1],
		]);
		write(results);
	} finally {
		await lists.close();
	}
}

function write(results: Result[]): void {
	const line = ({ name, list, measures, target }: Result, index: number): string => {
		const seconds = measures.map(({ milliseconds }) => milliseconds / 1000);
		const first = results.findIndex((result) => result.list === list);
		const ratio =
			first === index
				? undefined
				: median(seconds) / median(results[first]!.measures.map(({ milliseconds }) => milliseconds / 1000));
		return `| ${[
			name,
			list.rows.toLocaleString('en'),
			median(seconds).toFixed(2),
			`${Math.min(...seconds).toFixed(2)} to ${Math.max(...seconds).toFixed(2)}`,
			ratio?.toFixed(2) ?? '',
			ratio === undefined || target === undefined ? '' : `≤ ${target.toFixed(2)}${ratio > target ? ', missed' : ''}`,
			median(measures.map(({ cpuPerRow }) => cpuPerRow)).toFixed(2),
			Math.max(...measures.map(({ slowestProbe }) => slowestProbe)).toFixed(0),
		].join(' | ')} |`;
	};
	writeResults(
		'guards',
		`\`npm run bench -- guards\` has measured these figures: one ${machine()}, SQLite. They are medians of ${SHORT_ROUNDS} rounds of the short list and ${ROUNDS} of the long one, and times are those of
the node. The platform answers after ${SENT.delay} ms, and ${SENT.concurrency} requests are in progress at the same time. Guard rails are limits that protect from accidents. *All guard
rails*: ${SENT.rows.toLocaleString('en')} trial recipients (only they get messages), a limit of messages, quiet hours, and 10,000 recipients in *Do Not Send To*. *Measured again* shows how
much the same measurement varies. A review checks a list without sending. *Longest \`/healthz\`*: during the run \`/healthz\` is requested every 20 ms, and this is the longest time of an answer.

| variant | rows | seconds | fastest to slowest | divided by the first variant | target | CPU ms a row | longest \`/healthz\`, ms |
|---|---|---|---|---|---|---|---|
${results.map(line).join('\n')}
`,
	);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});

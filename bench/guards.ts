import type { INodeParameters } from 'n8n-workflow';

import { machine, median, writeResults } from './common';
import { inOrder, Lists, type List, type Measure, type Way } from './lists';

/*
 * `npm run bench -- guards`: what guard rails cost, all of them against none, and how long a review of a long list takes.
 * GUARDS_ROUNDS says how often.
 */
const ROUNDS = Number(process.env.GUARDS_ROUNDS ?? 5);
/** A run of a thousand rows is short, so other load on the machine affects it more. */
const SHORT_ROUNDS = 3 * ROUNDS;
const FIRST = 20_000_000;
const SENT: List = { rows: 1000, places: 10, delay: 20, from: FIRST };
const REVIEWED: List = { rows: 10_000, places: 5, delay: 20, from: FIRST, sent: 0 };

interface Result {
	name: string;
	list: List;
	measures: Measure[];
	/** How many times as long as the first way it may take with the same list. Undefined: there is no target. */
	target?: number;
}

const numbers = (from: number, count: number): string =>
	Array.from({ length: count }, (_, index) => 6_900_000_000 + from + index).join(',');

/** Returns quiet hours that do not begin soon. */
function laterToday(): string {
	const hour = (new Date().getUTCHours() + 12) % 24;
	return `${hour}:00-${(hour + 1) % 24}:00 UTC`;
}

async function main(): Promise<void> {
	const lists = await Lists.open();
	try {
		const results: Result[] = [];
		/**
		 * All ways run in each round, and each round begins with another one, so that other load on the machine affects all of
		 * them equally.
		 */
		const compare = async (list: List, rounds: number, ways: Array<[name: string, way: Way, target?: number]>) => {
			const found = ways.map(([name, , target]): Result => ({ name, list, measures: [], target }));
			results.push(...found);
			for (let round = 0; round < rounds; round++) {
				const order = [...ways.entries()];
				order.push(...order.splice(0, round % order.length));
				for (const [index, [name, way]] of order) {
					const measure = await way(list);
					found[index]!.measures.push(measure);
					console.log(`${name}: ${(measure.milliseconds / 1000).toFixed(2)} s`);
				}
			}
		};
		const send: INodeParameters = { ...inOrder, ifAlreadySent: 'send' };
		const options = { concurrency: SENT.places, doNotSendTo: numbers(FIRST + 100_000, 10_000) };
		const guards = {
			trialRecipients: numbers(FIRST, SENT.rows),
			maxMessagesPerRun: SENT.rows,
			quietHours: laterToday(),
		};
		const plain = await lists.publish(send);
		// The first run also compiles and loads the code, so it does not count.
		await plain({ ...SENT, delay: 0 });
		await compare(SENT, SHORT_ROUNDS, [
			['Send', plain],
			['Send, the same once more', await lists.publish(send)],
			['Send with all guard rails', await lists.publish({ ...send, options }, guards), 1.02],
		]);
		await compare(REVIEWED, ROUNDS, [
			['a review, a row each', await lists.publish({ ...inOrder, operation: 'review', reviewOutput: 'rows' })],
			['a review', await lists.publish({ ...inOrder, operation: 'review' }), 1],
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
			Math.max(...measures.map(({ heldUp }) => heldUp)).toFixed(0),
		].join(' | ')} |`;
	};
	writeResults(
		'guards',
		`Made by \`npm run bench -- guards\`: one ${machine()}, SQLite. Medians of ${SHORT_ROUNDS} rounds of the short list and ${ROUNDS} of the long one; times are of the node itself. The platform
answers after ${SENT.delay} ms, ${SENT.places} requests in progress. *All guard rails*: ${SENT.rows.toLocaleString('en')} trial recipients, a limit of messages, quiet hours, and 10,000 recipients
in *Do Not Send To*. *The same once more* says how much is chance. *Held up*: the longest that n8n took meanwhile to say that it is well.

| way | rows | seconds | from, to | against the first | target | CPU ms a row | held up, ms |
|---|---|---|---|---|---|---|---|
${results.map(line).join('\n')}
`,
	);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});

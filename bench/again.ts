import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';

import { N8n, until } from '../test/e2e/n8n';
import { builtIn, chain, packageNode } from '../test/e2e/workflows';
import { cpuOf, KEY, machine, median, peakOf, resetPeak, ROOT, startPlatform, writeResults } from './common';

/*
 * `npm run bench -- again`: what it costs that nobody is messaged twice (If Already Sent: Skip, against Send), and that values
 * are given by the placeholder's name (against fields in their order). With AGAIN_MOST, fewer rows than 100,000: a try,
 * printed and not kept. With AGAIN_BESIDE, what ran beside is told in the results.
 */
const MOST = Number(process.env.AGAIN_MOST ?? 100_000);
const ROUNDS = Number(process.env.AGAIN_ROUNDS ?? 5);
/** n8n keeps two keys for each of so many messages. */
const REMEMBERED = 60_000;
const MESSAGES = 'bench/named: Ο βαθμός σας στο μάθημα {Μάθημα,1} είναι {Βαθμός,2}';

interface Measure {
	milliseconds: number;
	cpuPerRow: number;
	peakMegabytes: number;
}

async function main(): Promise<void> {
	const n8n = new N8n({ N8N_LOG_LEVEL: 'error' });
	/** By the milliseconds before each answer. */
	const platforms = { 20: await startPlatform(20), 100: await startPlatform(100) };
	type Delay = keyof typeof platforms;
	try {
		await n8n.install(join(ROOT, 'bench/nodes'));
		await n8n.start();
		const pid = n8n.pid!;
		const credentialOf = async (delay: Delay) =>
			await n8n.addCredential('smsPlatformApi', {
				baseUrl: platforms[delay].url,
				institution: 'example-university',
				preSharedKey: KEY,
				messages: MESSAGES,
			});
		const credentials = { 20: await credentialOf(20), 100: await credentialOf(100) };

		const list = { specifyReplacements: 'fields', replacements: { values: [{ value: '={{ $json.course }}' }, { value: '={{ $json.grade }}' }] } };
		const value = { Μάθημα: '={{ $json.course }}', Βαθμός: '={{ $json.grade }}' };
		const byName = { specifyReplacements: 'placeholders', placeholders: { mappingMode: 'defineBelow', value } };

		let last = 0;
		/** A workflow that runs with each call; n8n remembers what its node has sent. */
		const publish = async (parameters: INodeParameters, delay: Delay = 20) => {
			const platform = platforms[delay];
			const smsPlatformApi = credentials[delay];
			const path = `bench-again-${++last}`;
			const node = packageNode('smsSend', {
				serviceId: 'bench',
				messageId: 'grade',
				recipient: '={{ $json.recipient }}',
				options: { concurrency: "={{ $('Start').first().json.body.places }}" },
				...parameters,
			});
			const id = await n8n.addWorkflow(
				chain(
					path,
					{
						...builtIn('n8n-nodes-base.webhook', 'Start', 2, { path, httpMethod: 'POST', responseMode: 'onReceived' }),
						webhookId: path,
					},
					builtIn('n8n-nodes-bench.benchRows', 'Rows', 1, { count: '={{ $json.body.count }}', from: '={{ $json.body.from }}' }),
					{ ...node, name: 'Send', credentials: { smsPlatformApi } },
				),
			);
			await n8n.publish(id);
			let runs = 0;
			return async (count: number, places: number, from = 0): Promise<Measure> => {
				await platform.count();
				resetPeak(pid);
				const cpu = cpuOf(pid);
				await fetch(`${n8n.url}/webhook/${path}`, {
					method: 'POST',
					headers: { 'content-type': 'application/json' },
					body: JSON.stringify({ count, from, places }),
				});
				runs++;
				const [execution] = await until(
					`${count} rows are sent`,
					async () => {
						const rows = await n8n.query<{ id: number; status: string }>('SELECT id, status FROM execution_entity WHERE "workflowId" = ? ORDER BY id DESC', id);
						return rows.length === runs && !['new', 'running'].includes(rows[0]!.status) && rows;
					},
					1_800_000,
				);
				const { requests: sent } = await platform.count();
				if (execution!.status !== 'success' || sent !== count) throw new Error(`${path}: ${execution!.status}, ${sent} of ${count}`);
				return { milliseconds: await timeOf(n8n, execution!.id), cpuPerRow: (cpuOf(pid) - cpu) / count, peakMegabytes: peakOf(pid) };
			};
		};

		type Way = Awaited<ReturnType<typeof publish>>;
		const send: INodeParameters = { ...list, ifAlreadySent: 'send' };

		// The first run compiles and loads; it counts for nobody.
		await (await publish(send))(200, 10);

		// The long list, which also fills the memory of its node to the end.
		const remembers = await publish(list);
		const long = await remembers(MOST, 50);
		console.log(`${MOST} rows: ${(long.milliseconds / 1000).toFixed(0)} s`);

		let from = 10_000_000;
		const next = (count: number): number => (from += count) - count;
		const results: Result[] = [];
		const compare = async (delay: Delay, places: number, rows: number, rounds: number, ways: Record<string, () => Promise<Way>>) => {
			const found = Object.keys(ways).map((name) => ({ name, delay, places, rows, measures: [] as Measure[] }));
			results.push(...found);
			// Round by round, so that what disturbs the machine disturbs all alike.
			for (let round = 0; round < rounds; round++) {
				for (const one of found) {
					const run = await ways[one.name]!();
					one.measures.push(await run(rows, places, next(rows)));
					console.log(`${one.name}, ${places} in flight, ${rows} rows: ${(one.measures.at(-1)!.milliseconds / 1000).toFixed(2)} s`);
				}
			}
		};
		for (const [delay, places, rows, rounds] of [
			[20, 10, 1000, ROUNDS],
			[20, 50, 1000, ROUNDS],
			[100, 10, 1000, Math.min(3, ROUNDS)],
			[20, 10, 10_000, Math.min(3, ROUNDS)],
			[20, 50, 10_000, Math.min(3, ROUNDS)],
		] as const) {
			await compare(delay, places, Math.min(rows, MOST), rounds, {
				Send: async () => await publish(send, delay),
				'Skip, nothing remembered': async () => await publish(list, delay),
				...(delay === 20 && { 'Skip, all that n8n keeps remembered': async () => remembers }),
			});
		}
		for (const places of [10, 50]) {
			await compare(20, places, 1000, ROUNDS, {
				'fields in their order': async () => await publish({ ...send, messageId: 'named' }),
				'by placeholder': async () => await publish({ ...byName, messageId: 'named', ifAlreadySent: 'send' }),
			});
		}
		write(results, long);
	} finally {
		for (const platform of Object.values(platforms)) platform.close();
		await n8n.remove();
	}
}

/** How long the node took, in milliseconds, without reading the whole run into memory. */
async function timeOf(n8n: N8n, executionId: number): Promise<number> {
	const [found] = await n8n.query<{ time: number }>(
		`SELECT max(json_extract(value, '$.executionTime')) AS time FROM execution_data, json_each(data) WHERE "executionId" = CAST(? AS INTEGER) AND json_each.type = 'object' AND json_extract(value, '$.executionTime') IS NOT NULL`,
		String(executionId),
	);
	return found!.time;
}

interface Result {
	name: string;
	/** Of the platform, in milliseconds. */
	delay: number;
	places: number;
	rows: number;
	measures: Measure[];
}

function write(results: Result[], long: Measure): void {
	const typical = (measures: Measure[]) => ({
		milliseconds: median(measures.map(({ milliseconds }) => milliseconds)),
		cpuPerRow: median(measures.map(({ cpuPerRow }) => cpuPerRow)),
	});
	const targets: Record<string, string> = {
		'Skip, nothing remembered': '≤ 1.05',
		'Skip, all that n8n keeps remembered': '≤ 1.15',
		'by placeholder': '≤ 1.05',
	};
	const lines = results.map(({ name, delay, places, rows, measures }) => {
		const own = typical(measures);
		const first = name.startsWith('Skip') ? 'Send' : 'fields in their order';
		const base = name in targets ? results.find((one) => one.name === first && one.delay === delay && one.places === places && one.rows === rows) : undefined;
		const against = (field: 'milliseconds' | 'cpuPerRow') => (base === undefined ? '' : (own[field] / typical(base.measures)[field]).toFixed(2));
		const seconds = measures.map(({ milliseconds }) => milliseconds / 1000);
		const spread = `${Math.min(...seconds).toFixed(2)} to ${Math.max(...seconds).toFixed(2)}`;
		return `| ${name} | ${delay} ms | ${places} | ${rows.toLocaleString('en')} | ${(own.milliseconds / 1000).toFixed(2)} | ${spread} | ${against('milliseconds')} | ${targets[name] ?? ''} | ${own.cpuPerRow.toFixed(2)} | ${against('cpuPerRow')} |`;
	});
	const beside = process.env.AGAIN_BESIDE ?? 'nothing but the bench';
	const text = `Made by \`npm run bench -- again\`: one ${machine()}, SQLite. Beside it ran ${beside}.
Times are of the node itself, medians; each round is a run of every kind. *Remembered*: n8n keeps two keys for each of the last
${REMEMBERED.toLocaleString('en')} messages of a node. *Fields* and *by placeholder* have the same values and the same text.

The targets were set when Send took 4.8 s for 1,000 rows at 10 in flight, and 47 s for 10,000: its rows waited for each other. Now n8n's own
work on each row is the limit where the platform answers within 20 ms, and what n8n takes to rewrite its list adds to that.
Where the platform takes 100 ms, it is hidden behind the answers.

| way | platform | in flight | rows | seconds | from, to | against the first | target | CPU ms a row | against the first |
|---|---|---|---|---|---|---|---|---|---|
${lines.join('\n')}

A list of ${MOST.toLocaleString('en')} rows with Skip, 50 in flight, ran to its end in ${(long.milliseconds / 1000).toFixed(0)} s (${Math.round((MOST / long.milliseconds) * 1000)} a second); n8n held at most ${long.peakMegabytes.toFixed(0)} MB.
`;
	if (process.env.AGAIN_MOST === undefined) writeResults('again', text);
	else console.log(text);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});

import { join } from 'node:path';

import { PostgresDatabase } from '../test/e2e/database';
import { N8n, until } from '../test/e2e/n8n';
import { KEY, machine, median, ROOT, writeResults } from './common';
import { call, fillList, Platform, ways } from './replies';

/*
 * `npm run bench -- year`: a keyword's reply, and a one-time code, with n8n's list empty and as long as it gets: what people
 * live with after a year. The list is filled here, with entries as the package's own. The other side of a reply is n8n's own
 * Webhook node and HTTP Request. YEAR_ROUNDS says how often; the time is from the call to the request that leaves. `npm run bench
 * -- postgres` measures the replies on PostgreSQL, with a list of 30,000 messages.
 */
const ROUNDS = Number(process.env.YEAR_ROUNDS ?? 3);
/** The servers that scripts/bench.mjs has started; undefined where n8n keeps its own file. */
const servers =
	process.env.BENCH_SERVERS === undefined ? undefined : (JSON.parse(process.env.BENCH_SERVERS) as Servers);
/** Each message has four entries. */
const LONGEST = servers === undefined ? 125_000 : 120_000;
const ONE_BY_ONE = 20;

interface Servers {
	postgres: { host: string; port: number; user: string; password: string; database: string };
}

/** Returns the median time of single calls, and of calls at the same time, in milliseconds. */
async function measure(url: string, platform: Platform, atOnce: number): Promise<[one: number, many: number]> {
	const ones: number[] = [];
	for (let count = 0; count < ONE_BY_ONE; count++) ones.push(await call(url, platform, 1));
	return [median(ones), await call(url, platform, atOnce)];
}

async function main(): Promise<void> {
	const platform = await Platform.open();
	const database = servers && new PostgresDatabase(servers.postgres);
	const settings = { N8N_LOG_LEVEL: 'error', N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true', ...onPostgres() };
	const n8n = new N8n(settings, false, database);
	try {
		await n8n.install(join(ROOT, 'bench/nodes'));
		await n8n.start();
		const credential = await n8n.addCredential('smsPlatformApi', {
			...{ baseUrl: platform.url, institution: 'example-university', preSharedKey: KEY },
			messages: 'bench/text: Καλημέρα\nbench/code: Ο κωδικός σας είναι {Κωδικός,1}',
		});
		const credentials = { smsPlatformApi: credential };
		const { own, reply, code } = ways(n8n, platform, credentials);

		const found: Record<string, Array<[number, number]>> = {};
		const round = async (
			name: string,
			way: () => Promise<{ id: string; url: string }>,
			atOnce: number,
			isLong = false,
		) => {
			// After a hundred calls n8n may report for a moment that its database is not available.
			await until('n8n is ready', async () => (await fetch(`${n8n.url}/healthz/readiness`)).ok, 60_000);
			const { id, url } = await way();
			// The list is filled before the first code, because entries of codes must not be dropped.
			if (isLong) await fillList(n8n, id, LONGEST);
			await call(url, platform, 1);
			const times = await measure(url, platform, atOnce);
			(found[name] ??= []).push(times);
			console.log(`${name}: one ${times[0].toFixed(0)} ms, ${atOnce} at once ${times[1].toFixed(0)} ms`);
		};
		for (let count = 0; count <= ROUNDS; count++) {
			await round("n8n's own", own, 100);
			await round('reply', reply, 100);
			await round('reply, long list', reply, 100, true);
			if (servers === undefined) {
				await round('code', code, 20);
				await round('code, long list', code, 20, true);
			}
			// The first round also compiles and loads the code, so it does not count.
			if (count === 0) for (const name of Object.keys(found)) delete found[name];
		}
		write(found);
	} finally {
		platform.close();
		await n8n.remove();
	}
}

/** Returns n8n's settings for the database if it is PostgreSQL. */
function onPostgres(): Record<string, string> {
	if (servers === undefined) return {};
	const { host, port, user, password, database } = servers.postgres;
	return {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: host,
		DB_POSTGRESDB_PORT: String(port),
		DB_POSTGRESDB_DATABASE: database,
		DB_POSTGRESDB_USER: user,
		DB_POSTGRESDB_PASSWORD: password,
		DB_POSTGRESDB_POOL_SIZE: '10',
	};
}

function write(found: Record<string, Array<[number, number]>>): void {
	const of = (name: string, index: 0 | 1) => median(found[name]!.map((times) => times[index]));
	const line = (what: string, name: string, index: 0 | 1, base: string, target: string) =>
		`| ${what} | ${of(name, index).toFixed(0)} | ${of(base, index).toFixed(0)} | × ${(of(name, index) / of(base, index)).toFixed(2)} | ${target} |`;
	const own = "n8n's own";
	if (servers !== undefined) {
		writeResults(
			'postgres',
			`Made by \`npm run bench -- postgres\`: one ${machine()}, PostgreSQL on the same machine, the lazy expression engine. Medians of
${ROUNDS} rounds, from the call to the request that leaves. *Long*: 30,000 messages are remembered (${LONGEST.toLocaleString('en')} entries).

| | ms | beside | |
|---|---|---|---|
${[
	line("a reply, one at a time, beside n8n's own two nodes", 'reply', 0, own, ''),
	line('a hundred replies at once, beside the same', 'reply', 1, own, ''),
	line('one reply on a long list, beside one on an empty one', 'reply, long list', 0, 'reply', ''),
	line('a hundred on a long list, beside the same', 'reply, long list', 1, 'reply', ''),
]
	.map((row) => row.replace(/ \|  \|$/, ' |'))
	.join('\n')}
`,
		);
		return;
	}
	writeResults(
		'year',
		`Made by \`npm run bench -- year\`: one ${machine()}, SQLite, the lazy expression engine. Medians of ${ROUNDS} rounds, from the call to the
request that leaves. *Long*: n8n's list of the workflow has ${LONGEST.toLocaleString('en')} entries, as many as it ever has.

| | ms | beside | | at most |
|---|---|---|---|---|
${[
	line("a reply, one at a time, beside n8n's own two nodes", 'reply', 0, own, '× 1.4'),
	line('a hundred replies at once, beside the same', 'reply', 1, own, '× 1.3'),
	line('a hundred on a long list, beside the same', 'reply, long list', 1, own, '× 1.4'),
	line('one reply on a long list, beside the same', 'reply, long list', 0, own, '× 5.2'),
	line('one code on a long list, beside an empty one', 'code, long list', 0, 'code', '× 1.1'),
	line('twenty codes at once on a long list, beside an empty one', 'code, long list', 1, 'code', '× 1.1'),
].join('\n')}
`,
	);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});

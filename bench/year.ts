import { join } from 'node:path';

import { PostgresDatabase } from '../test/e2e/database';
import { N8n, until } from '../test/e2e/n8n';
import { KEY, machine, median, ROOT, writeResults } from './common';
import { call, fillList, Platform, workflows } from './replies';

/*
 * `npm run bench -- year` measures the reply to a keyword, and a one-time code. It does so with an empty list of sent messages,
 * which n8n stores for each workflow, and with a list of the greatest length, as after a year of use. The program fills that
 * list with entries in the format of the package. A reply is compared with a workflow of n8n's own nodes, Webhook and HTTP
 * Request. The time is from the call of the workflow until its message arrives at the platform. YEAR_ROUNDS is the number of
 * rounds.
 * `npm run bench -- postgres` measures the replies with PostgreSQL, and with a list of 30,000 messages.
 */
const ROUNDS = Number(process.env.YEAR_ROUNDS ?? 3);
/** The servers that scripts/bench.mjs has started. Undefined: n8n uses SQLite. */
const servers =
	process.env.BENCH_SERVERS === undefined ? undefined : (JSON.parse(process.env.BENCH_SERVERS) as Servers);
/** The greatest number of entries. With PostgreSQL it is 30,000 messages with four entries each. */
const LONGEST = servers === undefined ? 125_000 : 120_000;
const ONE_BY_ONE = 20;

interface Servers {
	postgres: { host: string; port: number; user: string; password: string; database: string };
}

/**
 * Returns two times in milliseconds. `one` is the median of single calls. `many` is the time from `atOnce` simultaneous calls
 * until the last of their messages has arrived at the platform.
 */
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
		const { own, reply, code } = workflows(n8n, platform, credentials);

		const found: Record<string, Array<[number, number]>> = {};
		const round = async (
			name: string,
			publish: () => Promise<{ id: string; url: string }>,
			atOnce: number,
			isLong = false,
		) => {
			// After a hundred calls n8n may report for a short time that its database is not available.
			await until('n8n is ready', async () => (await fetch(`${n8n.url}/healthz/readiness`)).ok, 60_000);
			const { id, url } = await publish();
			// The list is filled before the first call, so that it is long for all calls.
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
			// The first round is not measured, because n8n also compiles and loads the code then.
			if (count === 0) for (const name of Object.keys(found)) delete found[name];
		}
		write(found);
	} finally {
		platform.close();
		await n8n.remove();
	}
}

/** Returns n8n's settings for PostgreSQL. Empty: n8n uses SQLite. */
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
			`\`npm run bench -- postgres\` has measured these figures: one ${machine()}, PostgreSQL on the same computer, lazy engine. The times are from the call of the workflow
until its message arrives at the platform, as medians of ${ROUNDS} rounds. *n8n's own nodes* are Webhook and HTTP Request. *Long list*: n8n's list of the workflow remembers 30,000 messages
(${LONGEST.toLocaleString('en')} entries).

| measured, and compared with | measured, ms | compared, ms | measured ÷ compared |
|---|---|---|---|
${[
	line("one reply, and n8n's own nodes", 'reply', 0, own, ''),
	line("a hundred replies at the same time, and n8n's own nodes", 'reply', 1, own, ''),
	line('one reply with a long list, and with an empty one', 'reply, long list', 0, 'reply', ''),
	line('a hundred replies with a long list, and with an empty one', 'reply, long list', 1, 'reply', ''),
]
	.map((row) => row.replace(/ \|  \|$/, ' |'))
	.join('\n')}
`,
		);
		return;
	}
	writeResults(
		'year',
		`\`npm run bench -- year\` has measured these figures: one ${machine()}, SQLite, lazy engine. The times are from the call of the workflow until its message arrives at
the platform, as medians of ${ROUNDS} rounds. *n8n's own nodes* are Webhook and HTTP Request. *Long list*: n8n's list of the workflow has ${LONGEST.toLocaleString('en')} entries, which is its greatest length.

| measured, and compared with | measured, ms | compared, ms | measured ÷ compared | at most |
|---|---|---|---|---|
${[
	line("one reply, and n8n's own nodes", 'reply', 0, own, '× 1.4'),
	line("a hundred replies at the same time, and n8n's own nodes", 'reply', 1, own, '× 1.3'),
	line("a hundred replies with a long list, and n8n's own nodes", 'reply, long list', 1, own, '× 1.4'),
	line("one reply with a long list, and n8n's own nodes", 'reply, long list', 0, own, '× 5.2'),
	line('one code with a long list, and with an empty one', 'code, long list', 0, 'code', '× 1.1'),
	line('twenty codes at the same time with a long list, and with an empty one', 'code, long list', 1, 'code', '× 1.1'),
].join('\n')}
`,
	);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});

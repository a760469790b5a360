import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { DatabaseSync } from 'node:sqlite';

import { PostgresDatabase } from '../test/e2e/database';
import { N8n, until } from '../test/e2e/n8n';
import { builtIn, chain, packageNode } from '../test/e2e/workflows';
import { KEY, machine, median, ROOT, writeResults } from './common';

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
/** Four entries for each message. */
const LONGEST = servers === undefined ? 125_000 : 120_000;
const ONE_BY_ONE = 20;

interface Servers {
	postgres: { host: string; port: number; user: string; password: string; database: string };
}

/** The platform, which notes when the request of each call came. */
class Platform {
	private readonly came = new Map<string, number>();
	private constructor(private readonly server: Server) {}

	static async open(): Promise<Platform> {
		const server = createServer();
		const platform = new Platform(server);
		server.on('request', (request, response) => {
			const at = performance.now();
			void json(request).then((body) => {
				const { recipient } = body as { recipient: string };
				platform.came.set(recipient, at);
				response.setHeader('content-type', 'application/json');
				response.end(JSON.stringify({ serviceId: 'bench', errorCode: '', error: '' }));
			});
		});
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		return platform;
	}

	get url(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	/** When the messages to all of these came, the last one. */
	async last(recipients: string[]): Promise<number> {
		await until(`${recipients.length} messages`, async () => recipients.every((one) => this.came.has(one)), 120_000);
		return Math.max(...recipients.map((one) => this.came.get(one)!));
	}

	close(): void {
		this.server.close();
	}
}

let nextNumber = 6_900_000_000;

/** Calls a workflow so many times at once, each with a number of its own. @returns milliseconds until the last request left */
async function call(url: string, platform: Platform, count: number): Promise<number> {
	const recipients = Array.from({ length: count }, () => String(++nextNumber));
	const begun = performance.now();
	await Promise.all(
		recipients.map(async (recipient) => {
			const body = { MSISDN: recipient, keyword: 'ΒΑ', body: '', 'pre-shared key': KEY, 'sms-forward-id': recipient };
			const response = await fetch(url, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ ...body, recipient }),
			});
			await response.text();
		}),
	);
	return (await platform.last(recipients)) - begun;
}

/** The middle time of calls one after the other, and of so many at once, in milliseconds. */
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
		let published = 0;
		const publish = async (first: ReturnType<typeof builtIn>, second: ReturnType<typeof builtIn>, path = '') => {
			const name = `year-${++published}`;
			const parameters = path === '' ? { ...first.parameters, path: name } : first.parameters;
			const id = await n8n.addWorkflow(chain(name, { ...first, parameters, webhookId: name }, second));
			await n8n.publish(id);
			return { id, url: `${n8n.url}/webhook/${name}${path}` };
		};
		const webhook = builtIn('n8n-nodes-base.webhook', 'Start', 2, { httpMethod: 'POST', responseMode: 'onReceived' });
		const message = { serviceId: 'bench', messageId: 'text' };
		const own = async () =>
			await publish(
				webhook,
				builtIn('n8n-nodes-base.httpRequest', 'Send', 4.2, {
					...{ method: 'POST', url: `${platform.url}/sendSMS`, sendBody: true, specifyBody: 'json' },
					jsonBody: '={{ $json.body }}',
				}),
			);
		const reply = async () =>
			await publish(
				{ ...packageNode('smsTrigger', { events: ['smsForward'] }), credentials },
				{ ...packageNode('smsSend', { ...message, operation: 'reply' }), credentials },
				'/forward',
			);
		const code = async () =>
			await publish(webhook, {
				...packageNode('smsCode', {
					...{ serviceId: 'bench', messageId: 'code', recipient: '={{ $json.body.recipient }}' },
					options: { maxCodesPerHour: 10_000 },
				}),
				credentials,
			});
		const fill = async (workflowId: string) => {
			const data = Array.from({ length: LONGEST }, (_, index) =>
				createHash('md5').update(`10h0 ${workflowId} ${index}`).digest('base64'),
			);
			await writeList(n8n, workflowId, JSON.stringify({ mode: 'entries', data }));
		};

		const found: Record<string, Array<[number, number]>> = {};
		const round = async (
			name: string,
			way: () => Promise<{ id: string; url: string }>,
			atOnce: number,
			isLong = false,
		) => {
			// After a hundred calls n8n may take its database for gone, for a moment.
			await until('n8n is ready', async () => (await fetch(`${n8n.url}/healthz/readiness`)).ok, 60_000);
			const { id, url } = await way();
			// Before the first code: what was forgotten of it would be missed.
			if (isLong) await fill(id);
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
			// The first round compiles and loads.
			if (count === 0) for (const name of Object.keys(found)) delete found[name];
		}
		write(found);
	} finally {
		platform.close();
		await n8n.remove();
	}
}

/** n8n's settings for the database, where it is PostgreSQL. */
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

/** Writes n8n's list of a workflow, as n8n keeps it. */
async function writeList(n8n: N8n, workflowId: string, value: string): Promise<void> {
	const now = new Date().toISOString();
	const row = [workflowId, '', now, now, value];
	const insert =
		'INSERT INTO processed_data ("workflowId", context, "createdAt", "updatedAt", value) VALUES (?, ?, ?, ?, ?) ON CONFLICT ("workflowId", context) DO UPDATE SET value = excluded.value';
	if (servers !== undefined) {
		await n8n.query(insert, ...row);
		return;
	}
	const database = new DatabaseSync(join(n8n.data, 'database.sqlite'));
	database.exec('PRAGMA busy_timeout = 10000');
	database.prepare(insert).run(...row);
	database.close();
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
	line('one reply on a long list, beside the same', 'reply, long list', 0, own, ''),
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

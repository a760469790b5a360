import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { selfSignedCertificate } from '../sandbox/certificate';
import { N8n, taskOf, until } from '../test/e2e/n8n';
import { builtIn, chain, packageNode } from '../test/e2e/workflows';
import { cpuOf, KEY, machine, median, peakOf, resetPeak, ROOT, startPlatform, writeResults } from './common';

const CLIENT = join(ROOT, 'bench/client.mjs');
const ROUNDS = 3;
/** `npm run bench -- pool`: SMS Send against the bare pool alone, printed and not kept. */
const onlyPool = process.argv[2] === 'pool';

interface Measure {
	milliseconds: number;
	cpuPerRow: number;
	peakMegabytes: number;
	mostInFlight: number;
	connections: number;
}

/** Starts a plain HTTP client in a process of its own. */
async function client(url: string, places: number, bodies: object[]) {
	const child = spawn(process.execPath, [CLIENT], { stdio: ['pipe', 'pipe', 'inherit'] });
	child.stdin!.end(JSON.stringify({ url, places, bodies }));
	const chunks: Buffer[] = [];
	child.stdout!.on('data', (chunk: Buffer) => chunks.push(chunk));
	await once(child, 'close');
	return JSON.parse(Buffer.concat(chunks).toString()) as {
		milliseconds: number;
		statuses: Record<string, number>;
		p50: number;
		p95: number;
		p99: number;
	};
}

const medianOf = (measures: Measure[]): Measure => ({
	milliseconds: median(measures.map((measure) => measure.milliseconds)),
	cpuPerRow: median(measures.map((measure) => measure.cpuPerRow)),
	peakMegabytes: median(measures.map((measure) => measure.peakMegabytes)),
	mostInFlight: median(measures.map((measure) => measure.mostInFlight)),
	connections: median(measures.map((measure) => measure.connections)),
});

const bodies = (rows: number) =>
	Array.from({ length: rows }, (_, item) => ({
		serviceId: 'bench',
		messageId: 'grade',
		replacements: ['Φυσική', String(item % 11)],
		recipient: String(6_900_000_000 + item),
		institution: 'example-university',
		'pre-shared key': KEY,
	}));

async function main(): Promise<void> {
	const certificate = selfSignedCertificate();
	const keyFile = join(ROOT, '.tmp/bench/key.pem');
	const certificateFile = join(ROOT, '.tmp/bench/certificate.pem');
	writeFileSync(keyFile, certificate.key);
	writeFileSync(certificateFile, certificate.cert);

	// n8n's own default, against which the lazy engine is measured below.
	const n8n = new N8n({ N8N_LOG_LEVEL: 'error', N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'false' });
	const platforms = {
		slow: await startPlatform(20),
		fast: await startPlatform(0),
		secure: await startPlatform(20, [keyFile, certificateFile]),
	};
	try {
		await n8n.install(join(ROOT, 'bench/nodes'));
		await n8n.start();
		const pid = n8n.pid!;
		const credentials = Object.fromEntries(
			await Promise.all(
				Object.entries(platforms).map(async ([name, { url }]) => [
					name,
					await n8n.addCredential('smsPlatformApi', {
						baseUrl: url,
						institution: 'example-university',
						preSharedKey: KEY,
						allowUnauthorizedCerts: true,
						messages: 'bench/grade: Ο βαθμός σας στο μάθημα {course,1} είναι {grade,2}',
					}),
				]),
			),
		) as Record<string, { id: string; name: string }>;

		const expressions = {
			recipient: '={{ $json.recipient }}',
			replacements: '={{ [$json.course, $json.grade] }}',
		};
		const fixed = { recipient: '6900000001', replacements: '["Φυσική", "8"]' };
		const smsSend = (places: number, { recipient, replacements }: typeof fixed) =>
			packageNode('smsSend', {
				serviceId: 'bench',
				messageId: 'grade',
				recipient,
				// The bare pool remembers nothing either. `bench/again.ts` measures the cost of Skip.
				ifAlreadySent: 'send',
				options: { concurrency: places, replacements },
			});
		const barePool = (places: number, url: string, parameters: typeof fixed) =>
			builtIn('n8n-nodes-bench.barePool', 'Send', 1, { places, url: `${url}/sendSMS`, ...parameters });
		const senders: Record<string, (places: number, platform: keyof typeof platforms) => object> = {
			'SMS Send': (places) => smsSend(places, expressions),
			// The most frequent kind of workflow: each value is a plain column. The bare pool has the list of values as one expression.
			'SMS Send, plain columns': (places) =>
				packageNode('smsSend', {
					serviceId: 'bench',
					messageId: 'grade',
					recipient: expressions.recipient,
					placeholders: {
						mappingMode: 'defineBelow',
						value: { course: '={{ $json.course }}', grade: '={{ $json.grade }}' },
					},
					ifAlreadySent: 'send',
					options: { concurrency: places },
				}),
			// With Stop the whole list is read before anything is sent; with Continue rows are read while others are sent.
			'SMS Send, Continue': (places) => ({ ...smsSend(places, expressions), onError: 'continueRegularOutput' }),
			'bare pool': (places, platform) => barePool(places, platforms[platform].url, expressions),
			'SMS Send, fixed values': (places) => smsSend(places, fixed),
			'bare pool, fixed values': (places, platform) => barePool(places, platforms[platform].url, fixed),
			'HTTP Request': (_, platform) =>
				builtIn('n8n-nodes-base.httpRequest', 'Send', 4.2, {
					method: 'POST',
					url: `${platforms[platform].url}/sendSMS`,
					authentication: 'predefinedCredentialType',
					nodeCredentialType: 'smsPlatformApi',
					sendBody: true,
					specifyBody: 'json',
					jsonBody:
						'={{ { serviceId: "bench", messageId: "grade", replacements: [$json.course, $json.grade], recipient: $json.recipient } }}',
					options: { allowUnauthorizedCerts: true },
				}),
		};

		/** Measures one run of one sender in n8n. The workflow is started by its webhook, as in production. */
		const measure = async (
			sender: string,
			places: number,
			rows: number,
			platform: keyof typeof platforms,
		): Promise<Measure> => {
			const send = {
				...(senders[sender]!(places, platform) as ReturnType<typeof builtIn>),
				name: 'Send',
				credentials: { smsPlatformApi: credentials[platform]! },
			};
			const path = `bench-${Date.now()}`;
			const start = {
				...builtIn('n8n-nodes-base.webhook', 'Start', 2, { path, httpMethod: 'POST', responseMode: 'onReceived' }),
				webhookId: path,
			};
			const id = await n8n.addWorkflow(
				chain(sender, start, builtIn('n8n-nodes-bench.benchRows', 'Rows', 1, { count: rows }), send),
			);
			await n8n.publish(id);
			await platforms[platform].count();
			resetPeak(pid);
			const cpu = cpuOf(pid);
			await fetch(`${n8n.url}/webhook/${path}`, { method: 'POST' });
			await until(
				`${sender} has sent ${rows} rows`,
				async () =>
					(await n8n.query<{ status: string }>('SELECT status FROM execution_entity WHERE workflowId = ?', id))[0]
						?.status === 'success',
				600_000,
			);
			const used = cpuOf(pid) - cpu;
			const { requests, connections, mostInFlight } = await platforms[platform].count();
			if (requests !== rows) throw new Error(`${sender} sent ${requests} of ${rows}`);
			const [execution] = await n8n.executions(id);
			await n8n.rest('POST', `/workflows/${id}/deactivate`);
			return {
				milliseconds: taskOf(execution!, 'Send').executionTime,
				cpuPerRow: used / rows,
				peakMegabytes: peakOf(pid),
				mostInFlight,
				connections,
			};
		};

		const raw = async (places: number, rows: number, platform: keyof typeof platforms): Promise<Measure> => {
			await platforms[platform].count();
			const { milliseconds } = await client(`${platforms[platform].url}/sendSMS`, places, bodies(rows));
			const { connections, mostInFlight } = await platforms[platform].count();
			return { milliseconds, cpuPerRow: Number.NaN, peakMegabytes: Number.NaN, mostInFlight, connections };
		};

		type Case = [sender: string, places: number, rows: number, platform: keyof typeof platforms, rounds: number];
		const againstPool: Case[] = [10, 50].flatMap((places): Case[] => [
			['SMS Send', places, 1000, 'slow', ROUNDS],
			['SMS Send, plain columns', places, 1000, 'slow', ROUNDS],
			['SMS Send, Continue', places, 1000, 'slow', ROUNDS],
			['bare pool', places, 1000, 'slow', ROUNDS],
		]);
		const others: Case[] = [
			['SMS Send, fixed values', 10, 1000, 'slow', ROUNDS],
			['bare pool, fixed values', 10, 1000, 'slow', ROUNDS],
			['SMS Send, fixed values', 50, 1000, 'slow', ROUNDS],
			['bare pool, fixed values', 50, 1000, 'slow', ROUNDS],
			['SMS Send', 200, 1000, 'slow', ROUNDS],
			['bare pool', 200, 1000, 'slow', ROUNDS],
			['HTTP Request', Number.NaN, 1000, 'slow', ROUNDS],
			['raw client', 10, 1000, 'slow', ROUNDS],
			['raw client', 50, 1000, 'slow', ROUNDS],
			['SMS Send', 1, 1000, 'slow', 1],
			['bare pool', 1, 1000, 'slow', 1],
			['SMS Send', 10, 1000, 'fast', ROUNDS],
			['bare pool', 10, 1000, 'fast', ROUNDS],
			['SMS Send', 50, 1000, 'fast', ROUNDS],
			['bare pool', 50, 1000, 'fast', ROUNDS],
			['raw client', 50, 1000, 'fast', ROUNDS],
			['SMS Send', 10, 1000, 'secure', ROUNDS],
			['bare pool', 10, 1000, 'secure', ROUNDS],
			['SMS Send', 50, 1000, 'secure', ROUNDS],
			['bare pool', 50, 1000, 'secure', ROUNDS],
			['raw client', 50, 1000, 'secure', ROUNDS],
			['SMS Send', 10, 10_000, 'slow', 1],
			['bare pool', 10, 10_000, 'slow', 1],
			['SMS Send', 50, 10_000, 'slow', 1],
			['bare pool', 50, 10_000, 'slow', 1],
		];
		const cases = onlyPool ? againstPool : [...againstPool, ...others];
		const results = new Map<Case, Measure[]>(cases.map((key) => [key, []]));
		// The first run also compiles and loads the code, so it does not count.
		for (const sender of Object.keys(senders)) await measure(sender, 10, 200, 'fast');
		// All senders run in each round, so that other load on the machine affects all of them equally.
		for (let round = 0; round < ROUNDS; round++) {
			for (const key of cases) {
				const [sender, places, rows, platform, rounds] = key;
				if (round >= rounds) continue;
				console.log(`round ${round + 1}: ${sender}, ${places} in parallel, ${rows} rows, ${platform}`);
				results
					.get(key)!
					.push(
						sender === 'raw client' ? await raw(places, rows, platform) : await measure(sender, places, rows, platform),
					);
			}
		}
		const medians = new Map([...results].map(([key, measures]) => [key, medianOf(measures)]));
		const find = (sender: string, places: number, rows: number, platform: string) =>
			[...medians].find(
				([key]) => key[0] === sender && key[1] === places && key[2] === rows && key[3] === platform,
			)![1];

		if (onlyPool) {
			for (const [places, target, targetOfPlainColumns] of [
				[10, 1.1, 0.8],
				[50, 1.15, 0.4],
			] as const) {
				const of = (sender: string) => find(sender, places, 1000, 'slow').milliseconds;
				const bare = of('bare pool');
				for (const sender of ['SMS Send', 'SMS Send, plain columns', 'SMS Send, Continue'])
					console.log(
						`${sender}, ${places} in parallel: ${(of(sender) / 1000).toFixed(2)} s, the bare pool ${(bare / 1000).toFixed(2)} s: ${(of(sender) / bare).toFixed(2)} (target ≤ ${sender === 'SMS Send, plain columns' ? targetOfPlainColumns : target})`,
					);
			}
			return;
		}
		const trigger = await measureTrigger(n8n, '');
		await n8n.stop();
		const lazy = new N8n({ N8N_LOG_LEVEL: 'error', N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' });
		try {
			await lazy.install(join(ROOT, 'bench/nodes'));
			await lazy.start();
			trigger.push(...(await measureTrigger(lazy, ', lazy engine')));
		} finally {
			await lazy.remove();
		}
		write(medians, find, trigger);
	} finally {
		for (const platform of Object.values(platforms)) platform.close();
		await n8n.remove();
	}
}

const CALLS = 150;
const CALLERS = 10;

/**
 * Requests a second that n8n accepts, for each kind of trigger, from the same number of clients in parallel.
 *
 * @param mode how this n8n is set up, for the names in the table
 */
async function measureTrigger(n8n: N8n, mode: string) {
	const credential = await n8n.addCredential('smsPlatformApi', {
		baseUrl: 'https://sms.example.gr:9999',
		institution: 'example-university',
		preSharedKey: KEY,
	});
	const forward = (key: string, round: number) =>
		Array.from({ length: CALLS }, (_, call) => ({
			MSISDN: '6912345678',
			keyword: 'ΒΑ',
			body: 'ΦΥΣΙΚΗ',
			'pre-shared key': key,
			'sms-forward-id': `${round}-${call}`,
		}));
	const triggers = {
		'SMS Trigger': {
			...packageNode('smsTrigger', {}),
			name: 'Start',
			webhookId: 'bench-sms',
			credentials: { smsPlatformApi: credential },
		},
		'bare trigger': { ...builtIn('n8n-nodes-bench.bareTrigger', 'Start', 2, {}), webhookId: 'bench-bare' },
		'bare trigger with a credential': {
			...builtIn('n8n-nodes-bench.bareTrigger', 'Start', 2, {}),
			webhookId: 'bench-key',
			credentials: { smsPlatformApi: credential },
		},
		Webhook: {
			...builtIn('n8n-nodes-base.webhook', 'Start', 2, {
				path: 'bench-own',
				httpMethod: 'POST',
				responseMode: 'onReceived',
			}),
			webhookId: 'bench-own',
		},
	};
	for (const [name, node] of Object.entries(triggers)) await n8n.publish(await n8n.addWorkflow(chain(name, node)));

	const calls: Array<[name: string, path: string, key: string, status: string]> = [
		['SMS Trigger, accepted', 'bench-sms/forward', KEY, '200'],
		['SMS Trigger, refused', 'bench-sms/forward', 'wrong', '401'],
		['bare trigger', 'bench-bare/bare', KEY, '200'],
		['bare trigger with a credential', 'bench-key/bare', KEY, '200'],
		["n8n's own Webhook", 'bench-own', KEY, '200'],
	];
	const perSecond = new Map<string, number[]>(calls.map(([name]) => [name, []]));
	const latency = new Map<string, number>();
	for (let round = 0; round <= ROUNDS; round++) {
		for (const [name, path, key, status] of calls) {
			const result = await client(`${n8n.url}/webhook/${path}`, CALLERS, forward(key, round));
			if (result.statuses[status] !== CALLS) throw new Error(`${name}: ${JSON.stringify(result.statuses)}`);
			console.log(`round ${round}: ${name}${mode}: ${Math.round((CALLS / result.milliseconds) * 1000)} a second`);
			await until(
				'n8n has worked off what it took',
				async () =>
					(
						await n8n.query<{ left: number }>(
							"SELECT count(*) AS left FROM execution_entity WHERE status IN ('new', 'running')",
						)
					)[0]!.left === 0,
				120_000,
			);
			// The first round warms up.
			if (round === 0) continue;
			perSecond.get(name)!.push((CALLS / result.milliseconds) * 1000);
			latency.set(name, result.p95);
		}
	}
	return [...perSecond].map(([name, values]) => ({
		name: name + mode,
		perSecond: median(values),
		p95: latency.get(name)!,
	}));
}

type Found = (sender: string, places: number, rows: number, platform: string) => Measure;

function write(
	medians: Map<[string, number, number, string, number], Measure>,
	find: Found,
	trigger: Array<{ name: string; perSecond: number; p95: number }>,
): void {
	const number = (value: number, digits = 0) => (Number.isNaN(value) ? '' : value.toFixed(digits));
	const where: Record<string, string> = { slow: 'http, 20 ms', fast: 'http, 0 ms', secure: 'https, 20 ms' };
	const lines = [...medians].map(([[sender, places, rows, platform], measure]) => {
		const bare = [...medians].find(
			([key]) =>
				key[0] === sender.replace(/^SMS Send(, Continue|, plain columns)?/, 'bare pool') &&
				key[1] === places &&
				key[2] === rows &&
				key[3] === platform,
		)?.[1];
		const ratio =
			bare === undefined || !/pool|SMS/.test(sender) ? Number.NaN : measure.milliseconds / bare.milliseconds;
		return `| ${sender} | ${number(places)} | ${rows} | ${where[platform]} | ${number(measure.milliseconds / 1000, 2)} | ${number(ratio, 2)} | ${number(measure.cpuPerRow, 2)} | ${number(measure.peakMegabytes)} | ${measure.mostInFlight} | ${measure.connections} |`;
	});
	const rate = (name: string) => trigger.find((entry) => entry.name === name)!.perSecond;
	const ratio = (a: Measure, b: Measure) => (a.milliseconds / b.milliseconds).toFixed(2);
	const send = (places: number, rows = 1000) => find('SMS Send', places, rows, 'slow');
	const pool = (places: number) => find('bare pool', places, 1000, 'slow');
	const perRow = (places: number, rows: number) => ((send(places, rows).peakMegabytes * 1024) / rows).toFixed(0);
	const cost = (dearer: string, cheaper: string, mode: string) =>
		(1000 / rate(dearer + mode) - 1000 / rate(cheaper + mode)).toFixed(1);
	const shares = ['', ', lazy engine'].map(
		(mode) =>
			`| ${mode === '' ? 'default' : 'lazy'} | ${(1000 / rate(`bare trigger${mode}`)).toFixed(1)} | ${cost('bare trigger with a credential', 'bare trigger', mode)} | ${cost('SMS Trigger, accepted', 'bare trigger with a credential', mode)} |`,
	);
	const targets = [
		...['', ', fixed values'].flatMap((kind) =>
			[[10, '≤ 1.10'] as const, [50, '≤ 1.15'] as const].map(([places, target]) => [
				`1,000 rows, 20 ms, ${places} in parallel, against the bare pool${kind}`,
				target,
				ratio(find(`SMS Send${kind}`, places, 1000, 'slow'), find(`bare pool${kind}`, places, 1000, 'slow')),
			]),
		),
		...[[10, '≤ 0.80'] as const, [50, '≤ 0.40'] as const].map(([places, target]) => [
			`1,000 rows, 20 ms, ${places} in parallel, plain columns, against the bare pool`,
			target,
			ratio(find('SMS Send, plain columns', places, 1000, 'slow'), pool(places)),
		]),
		[
			'default (10) against one at a time',
			'≥ 6',
			`${ratio(send(1), send(10))} (bare pool ${ratio(pool(1), pool(10))})`,
		],
		['10,000 rows against 1,000, 10 in parallel', '< 11', ratio(send(10, 10_000), send(10))],
		[
			'peak memory of n8n at 10,000 rows, above that at 1,000 (kB a row)',
			'flat',
			`${(((send(10, 10_000).peakMegabytes - send(10).peakMegabytes) * 1024) / 9000).toFixed(1)} (whole process: ${perRow(10, 1000)} → ${perRow(10, 10_000)})`,
		],
		...['', ', lazy engine'].flatMap((mode) => [
			...['bare trigger', 'bare trigger with a credential'].map((bare) => [
				`incoming messages accepted a second, against the ${bare}${mode}`,
				'≥ 0.95',
				(rate(`SMS Trigger, accepted${mode}`) / rate(`${bare}${mode}`)).toFixed(2),
			]),
			[
				`a refused incoming message, against an accepted one${mode}`,
				'≥ 1.5 × as cheap',
				(rate(`SMS Trigger, refused${mode}`) / rate(`SMS Trigger, accepted${mode}`)).toFixed(2),
			],
		]),
	];
	const text = `# Results

Made by \`npm run bench\`: one ${machine()}.
Times are of the node itself, medians of ${ROUNDS} rounds (one for a single place and for 10,000 rows). CPU and memory are of
the whole n8n process. The platform is a process of its own on the same machine.

## Targets

| what | target | measured |
|---|---|---|
${targets.map((target) => `| ${target.join(' | ')} |`).join('\n')}

## Sending

| sender | in parallel | rows | platform | seconds | against the bare pool | CPU ms a row | peak MB | most in parallel | connections |
|---|---|---|---|---|---|---|---|---|---|
${lines.join('\n')}

*Bare pool*: a bounded pool over \`httpRequestWithAuthentication\` that does nothing else (\`bench/nodes\`). Recipient and two
replacements are expressions for both, which n8n evaluates at a cost of its own; with *fixed values* neither has any. With *On Error*
on *Stop* the whole list is read before anything is sent; with *Continue* rows are read while others are sent. *HTTP Request*: n8n's own
node, which starts all its requests in parallel. *Raw client*: Node's HTTP client with keep-alive, outside n8n: the physical limit.

## Receiving

${CALLERS} clients in parallel, ${CALLS} requests a round. *Lazy engine*: n8n with \`N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true\`; without it n8n starts its
expression engine for every request to a package's webhook, before the node is asked, and once more to read a credential: a bare
trigger with a credential reads it, as every trigger that checks a key must.

| trigger | requests a second | p95 ms |
|---|---|---|
${trigger.map(({ name, perSecond, p95 }) => `| ${name} | ${number(perSecond)} | ${number(p95)} |`).join('\n')}

How the time of an accepted incoming message is spent, in ms of the whole n8n for each request, by difference between the rows above:

| engine | n8n, for any package's trigger | n8n, to read the credential | this node's checks |
|---|---|---|---|
${shares.join('\n')}

n8n reads a credential at every request. A trigger that checks no key would be as fast as the bare one.
`;
	writeResults('bench', text);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});

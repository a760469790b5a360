import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { selfSignedCertificate } from '../sandbox/certificate';
import { N8n, taskOf, until } from '../test/e2e/n8n';
import { builtIn, chain, packageNode } from '../test/e2e/workflows';
import { cpuOf, KEY, machine, median, peakOf, resetPeak, ROOT, startPlatform, writeResults } from './common';

/*
 * `npm run bench` compares SMS Send and SMS Trigger with minimal nodes, which do nothing but send or accept requests, and with
 * n8n's own nodes.
 */

const CLIENT = join(ROOT, 'bench/client.mjs');
const ROUNDS = 3;
/** `npm run bench -- minimal` compares only SMS Send with the minimal node. It prints the result, and does not store it. */
const onlyMinimal = process.argv[2] === 'minimal';

interface Measure {
	/** The time of the node, as n8n reports it. */
	milliseconds: number;
	/** CPU time of the n8n process for each row, in milliseconds. */
	cpuPerRow: number;
	peakMegabytes: number;
	mostInFlight: number;
	connections: number;
}

/** Runs the raw HTTP client (client.mjs) in a separate process. */
async function client(url: string, concurrency: number, bodies: object[]) {
	const child = spawn(process.execPath, [CLIENT], { stdio: ['pipe', 'pipe', 'inherit'] });
	child.stdin!.end(JSON.stringify({ url, concurrency, bodies }));
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

	// `false` is n8n's default. `true` (the lazy engine) is measured below.
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
		const smsSend = (concurrency: number, { recipient, replacements }: typeof fixed) =>
			packageNode('smsSend', {
				serviceId: 'bench',
				messageId: 'grade',
				recipient,
				// Sent messages are not remembered, as in the minimal node. again.ts measures the cost of remembering them.
				ifAlreadySent: 'send',
				options: { concurrency, replacements },
			});
		const minimalSender = (concurrency: number, url: string, parameters: typeof fixed) =>
			builtIn('n8n-nodes-bench.minimalSender', 'Send', 1, { concurrency, url: `${url}/sendSMS`, ...parameters });
		const senders: Record<string, (concurrency: number, platform: keyof typeof platforms) => object> = {
			'SMS Send': (concurrency) => smsSend(concurrency, expressions),
			// In most workflows each value is an expression that is only a column.
			// The minimal node gets all values from one expression.
			'SMS Send, plain columns': (concurrency) =>
				packageNode('smsSend', {
					serviceId: 'bench',
					messageId: 'grade',
					recipient: expressions.recipient,
					placeholders: {
						mappingMode: 'defineBelow',
						value: { course: '={{ $json.course }}', grade: '={{ $json.grade }}' },
					},
					ifAlreadySent: 'send',
					options: { concurrency },
				}),
			// With On Error on Continue, SMS Send reads rows while it sends others. With Stop it reads the whole list first.
			'SMS Send, Continue': (concurrency) => ({
				...smsSend(concurrency, expressions),
				onError: 'continueRegularOutput',
			}),
			'minimal node': (concurrency, platform) => minimalSender(concurrency, platforms[platform].url, expressions),
			'SMS Send, fixed values': (concurrency) => smsSend(concurrency, fixed),
			'minimal node, fixed values': (concurrency, platform) =>
				minimalSender(concurrency, platforms[platform].url, fixed),
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

		/** Measures one run of one sender in n8n. A webhook starts the workflow, as in production. */
		const measure = async (
			sender: string,
			concurrency: number,
			rows: number,
			platform: keyof typeof platforms,
		): Promise<Measure> => {
			const send = {
				...(senders[sender]!(concurrency, platform) as ReturnType<typeof builtIn>),
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

		/** Measures the raw HTTP client, without n8n. */
		const raw = async (concurrency: number, rows: number, platform: keyof typeof platforms): Promise<Measure> => {
			await platforms[platform].count();
			const { milliseconds } = await client(`${platforms[platform].url}/sendSMS`, concurrency, bodies(rows));
			const { connections, mostInFlight } = await platforms[platform].count();
			return { milliseconds, cpuPerRow: Number.NaN, peakMegabytes: Number.NaN, mostInFlight, connections };
		};

		type Case = [sender: string, concurrency: number, rows: number, platform: keyof typeof platforms, rounds: number];
		const againstMinimal: Case[] = [10, 50].flatMap((concurrency): Case[] => [
			['SMS Send', concurrency, 1000, 'slow', ROUNDS],
			['SMS Send, plain columns', concurrency, 1000, 'slow', ROUNDS],
			['SMS Send, Continue', concurrency, 1000, 'slow', ROUNDS],
			['minimal node', concurrency, 1000, 'slow', ROUNDS],
		]);
		const others: Case[] = [
			['SMS Send, fixed values', 10, 1000, 'slow', ROUNDS],
			['minimal node, fixed values', 10, 1000, 'slow', ROUNDS],
			['SMS Send, fixed values', 50, 1000, 'slow', ROUNDS],
			['minimal node, fixed values', 50, 1000, 'slow', ROUNDS],
			['SMS Send', 200, 1000, 'slow', ROUNDS],
			['minimal node', 200, 1000, 'slow', ROUNDS],
			['HTTP Request', Number.NaN, 1000, 'slow', ROUNDS],
			['raw client', 10, 1000, 'slow', ROUNDS],
			['raw client', 50, 1000, 'slow', ROUNDS],
			['SMS Send', 1, 1000, 'slow', 1],
			['minimal node', 1, 1000, 'slow', 1],
			['SMS Send', 10, 1000, 'fast', ROUNDS],
			['minimal node', 10, 1000, 'fast', ROUNDS],
			['SMS Send', 50, 1000, 'fast', ROUNDS],
			['minimal node', 50, 1000, 'fast', ROUNDS],
			['raw client', 50, 1000, 'fast', ROUNDS],
			['SMS Send', 10, 1000, 'secure', ROUNDS],
			['minimal node', 10, 1000, 'secure', ROUNDS],
			['SMS Send', 50, 1000, 'secure', ROUNDS],
			['minimal node', 50, 1000, 'secure', ROUNDS],
			['raw client', 50, 1000, 'secure', ROUNDS],
			['SMS Send', 10, 10_000, 'slow', 1],
			['minimal node', 10, 10_000, 'slow', 1],
			['SMS Send', 50, 10_000, 'slow', 1],
			['minimal node', 50, 10_000, 'slow', 1],
		];
		const cases = onlyMinimal ? againstMinimal : [...againstMinimal, ...others];
		const results = new Map<Case, Measure[]>(cases.map((key) => [key, []]));
		// The first run of each sender is not measured, because n8n also compiles and loads the code then.
		for (const sender of Object.keys(senders)) await measure(sender, 10, 200, 'fast');
		// Each round runs all senders in turn, so that other load on the computer affects all of them equally. Some cases run once.
		for (let round = 0; round < ROUNDS; round++) {
			for (const key of cases) {
				const [sender, concurrency, rows, platform, rounds] = key;
				if (round >= rounds) continue;
				console.log(`round ${round + 1}: ${sender}, ${concurrency} in parallel, ${rows} rows, ${platform}`);
				results
					.get(key)!
					.push(
						sender === 'raw client'
							? await raw(concurrency, rows, platform)
							: await measure(sender, concurrency, rows, platform),
					);
			}
		}
		const medians = new Map([...results].map(([key, measures]) => [key, medianOf(measures)]));
		const find = (sender: string, concurrency: number, rows: number, platform: string) =>
			[...medians].find(
				([key]) => key[0] === sender && key[1] === concurrency && key[2] === rows && key[3] === platform,
			)![1];

		if (onlyMinimal) {
			for (const [concurrency, target, targetOfPlainColumns] of [
				[10, 1.1, 0.8],
				[50, 1.15, 0.4],
			] as const) {
				const of = (sender: string) => find(sender, concurrency, 1000, 'slow').milliseconds;
				const bare = of('minimal node');
				for (const sender of ['SMS Send', 'SMS Send, plain columns', 'SMS Send, Continue'])
					console.log(
						`${sender}, ${concurrency} in parallel: ${(of(sender) / 1000).toFixed(2)} s, the minimal node ${(bare / 1000).toFixed(2)} s: ${(of(sender) / bare).toFixed(2)} (target ≤ ${sender === 'SMS Send, plain columns' ? targetOfPlainColumns : target})`,
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
 * Measures how many requests a second n8n answers, for each kind of trigger.
 *
 * @param mode the setting of this n8n, which is appended to the names in the table
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
		'minimal trigger': { ...builtIn('n8n-nodes-bench.minimalTrigger', 'Start', 2, {}), webhookId: 'bench-minimal' },
		'minimal trigger with a credential': {
			...builtIn('n8n-nodes-bench.minimalTrigger', 'Start', 2, {}),
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
		['SMS Trigger, rejected', 'bench-sms/forward', 'wrong', '401'],
		['minimal trigger', 'bench-minimal/minimal', KEY, '200'],
		['minimal trigger with a credential', 'bench-key/minimal', KEY, '200'],
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
				'all executions have ended',
				async () =>
					(
						await n8n.query<{ left: number }>(
							"SELECT count(*) AS left FROM execution_entity WHERE status IN ('new', 'running')",
						)
					)[0]!.left === 0,
				120_000,
			);
			// The first round is not measured, because n8n also compiles and loads the code then.
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

type Found = (sender: string, concurrency: number, rows: number, platform: string) => Measure;

function write(
	medians: Map<[string, number, number, string, number], Measure>,
	find: Found,
	trigger: Array<{ name: string; perSecond: number; p95: number }>,
): void {
	const number = (value: number, digits = 0) => (Number.isNaN(value) ? '' : value.toFixed(digits));
	const where: Record<string, string> = { slow: 'http, 20 ms', fast: 'http, 0 ms', secure: 'https, 20 ms' };
	const lines = [...medians].map(([[sender, concurrency, rows, platform], measure]) => {
		const bare = [...medians].find(
			([key]) =>
				key[0] === sender.replace(/^SMS Send(, Continue|, plain columns)?/, 'minimal node') &&
				key[1] === concurrency &&
				key[2] === rows &&
				key[3] === platform,
		)?.[1];
		const ratio =
			bare === undefined || !/minimal|SMS/.test(sender) ? Number.NaN : measure.milliseconds / bare.milliseconds;
		return `| ${sender} | ${number(concurrency)} | ${rows} | ${where[platform]} | ${number(measure.milliseconds / 1000, 2)} | ${number(ratio, 2)} | ${number(measure.cpuPerRow, 2)} | ${number(measure.peakMegabytes)} | ${measure.mostInFlight} | ${measure.connections} |`;
	});
	const rate = (name: string) => trigger.find((entry) => entry.name === name)!.perSecond;
	const ratio = (a: Measure, b: Measure) => (a.milliseconds / b.milliseconds).toFixed(2);
	const send = (concurrency: number, rows = 1000) => find('SMS Send', concurrency, rows, 'slow');
	const minimal = (concurrency: number) => find('minimal node', concurrency, 1000, 'slow');
	const perRow = (concurrency: number, rows: number) =>
		((send(concurrency, rows).peakMegabytes * 1024) / rows).toFixed(0);
	const cost = (dearer: string, cheaper: string, mode: string) =>
		(1000 / rate(dearer + mode) - 1000 / rate(cheaper + mode)).toFixed(1);
	const shares = ['', ', lazy engine'].map(
		(mode) =>
			`| ${mode === '' ? 'default' : 'lazy'} | ${(1000 / rate(`minimal trigger${mode}`)).toFixed(1)} | ${cost('minimal trigger with a credential', 'minimal trigger', mode)} | ${cost('SMS Trigger, accepted', 'minimal trigger with a credential', mode)} |`,
	);
	const targets = [
		...['', ', fixed values'].flatMap((kind) =>
			[[10, '≤ 1.10'] as const, [50, '≤ 1.15'] as const].map(([concurrency, target]) => [
				`SMS Send${kind}: time for 1,000 rows at 20 ms, ${concurrency} in parallel, divided by that of the minimal node`,
				target,
				ratio(
					find(`SMS Send${kind}`, concurrency, 1000, 'slow'),
					find(`minimal node${kind}`, concurrency, 1000, 'slow'),
				),
			]),
		),
		...[[10, '≤ 0.80'] as const, [50, '≤ 0.40'] as const].map(([concurrency, target]) => [
			`SMS Send, plain columns: time for 1,000 rows at 20 ms, ${concurrency} in parallel, divided by that of the minimal node`,
			target,
			ratio(find('SMS Send, plain columns', concurrency, 1000, 'slow'), minimal(concurrency)),
		]),
		[
			'SMS Send: how many times as fast with 10 in parallel (the default) as with 1',
			'≥ 6',
			`${ratio(send(1), send(10))} (minimal node ${ratio(minimal(1), minimal(10))})`,
		],
		[
			'SMS Send: time for 10,000 rows divided by the time for 1,000, at 20 ms, 10 in parallel',
			'< 11',
			ratio(send(10, 10_000), send(10)),
		],
		[
			'SMS Send: additional peak memory of n8n from 1,000 to 10,000 rows, in kB for each further row',
			'no growth',
			`${(((send(10, 10_000).peakMegabytes - send(10).peakMegabytes) * 1024) / 9000).toFixed(1)} (peak of the whole process divided by the rows: ${perRow(10, 1000)} → ${perRow(10, 10_000)})`,
		],
		...['', ', lazy engine'].flatMap((mode) => [
			...['minimal trigger', 'minimal trigger with a credential'].map((bare) => [
				`SMS Trigger: accepted requests a second, divided by those of the ${bare}${mode}`,
				'≥ 0.95',
				(rate(`SMS Trigger, accepted${mode}`) / rate(`${bare}${mode}`)).toFixed(2),
			]),
			[
				`SMS Trigger: rejected requests a second, divided by accepted ones${mode}`,
				'≥ 1.5',
				(rate(`SMS Trigger, rejected${mode}`) / rate(`SMS Trigger, accepted${mode}`)).toFixed(2),
			],
		]),
	];
	const text = `# Results

\`npm run bench\` has measured these figures: one ${machine()}.
The time of a node is the one that n8n reports, as the median of ${ROUNDS} rounds (one round for 1 request in parallel and for 10,000 rows).
CPU time and memory are those of the whole n8n process. A separate process on the same computer simulates the SMS platform.

## Terms

- *Minimal node*: the test node \`bench/nodes/MinimalSender.node.js\`. It sends the same requests as SMS Send with n8n's function
  \`httpRequestWithAuthentication\`, and does nothing else. So its time is the cost of n8n itself.
- *Minimal trigger*: the test node \`bench/nodes/MinimalTrigger.node.js\`. It accepts every request without a check.
- *10 in parallel*: at most ten requests are in progress at the same time.
- *20 ms*: the platform answers each request after 20 ms.
- *Fixed values*: recipient and text are the same for all rows. Otherwise they are expressions, which n8n evaluates for each row.
- *Plain columns*: each value is an expression that is only a column, such as \`{{ $json.course }}\`. SMS Send reads it without n8n's
  expression engine.
- *Continue*: the setting *On Error* of the node is *Continue*, and SMS Send reads rows while it sends others. With the default,
  *Stop*, it reads the whole list before it sends the first message.
- *HTTP Request*: n8n's own node, which starts all its requests at the same time.
- *Raw client*: Node's HTTP client with keep-alive, outside n8n. It shows the fastest time that the computer allows.
- *Lazy engine*: n8n runs with \`N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true\`. By default n8n starts its expression engine for each
  request to the webhook of a package's trigger, before it calls the node, and again to read a credential.

## Targets

| figure | target | measured |
|---|---|---|
${targets.map((target) => `| ${target.join(' | ')} |`).join('\n')}

## Sending

| sender | in parallel | rows | protocol, answer time | seconds | divided by the minimal node | CPU ms a row | peak memory, MB | highest number in parallel | connections |
|---|---|---|---|---|---|---|---|---|---|
${lines.join('\n')}

## Receiving

${CALLERS} clients together send ${CALLS} requests in each round, and each client sends its next request after an answer. *Accepted* requests have the right
key, and *rejected* ones a wrong key. The *minimal trigger with a credential* also reads the credential, as each trigger must that checks a
key.

| trigger | requests a second | 95 % answered within, ms |
|---|---|---|
${trigger.map(({ name, perSecond, p95 }) => `| ${name} | ${number(perSecond)} | ${number(p95)} |`).join('\n')}

The time for an accepted request consists of these parts, in ms. They are differences between the rows above, so they can be negative:

| engine | n8n, for the trigger of any package | n8n, to read the credential | the checks of SMS Trigger |
|---|---|---|---|
${shares.join('\n')}

n8n reads the credential again for each request. A trigger that checks no key would be as fast as the minimal trigger.
`;
	writeResults('bench', text);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});

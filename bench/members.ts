import { join } from 'node:path';
import type { INode } from 'n8n-workflow';

import { N8n, taskOf, until } from '../test/e2e/n8n';
import { builtIn, chain, packageNode } from '../test/e2e/workflows';
import { cpuOf, machine, median, ROOT, startPlatform, writeResults } from './common';

/*
 * `npm run bench -- members` looks up 3,000 rows in a registry that answers after 50 ms, with the node's defaults (five
 * look-ups at a time). The target: the run takes at most 15 % longer than 3,000 × 50 ms ÷ 5. A person who is in two rows is
 * looked up once.
 */
const ROWS = 3000;
const DELAY = 50;
/** The node's default. */
const CONCURRENCY = 5;
const ROUNDS = Number(process.env.MEMBERS_ROUNDS ?? 3);

interface Measure {
	name: string;
	/** The number of different people in the rows. */
	members: number;
	milliseconds: number;
	cpuPerRow: number;
	requests: number;
	mostInFlight: number;
}

const person = {
	ssn: "={{ $json['ΑΜΚΑ'] }}",
	birthDate: "={{ $json['Ημ. γέννησης'] }}",
	surname: "={{ $json['Επώνυμο'] }}",
};
const compare = packageNode('amka', {
	operation: 'compare',
	...person,
	compareWith: { mappingMode: 'autoMapInputData', value: null },
	options: { includeInputFields: true },
});
const validate = packageNode('amka', { operation: 'validate', ...person, output: 'verdict' });
async function main(): Promise<void> {
	const n8n = new N8n({ N8N_LOG_LEVEL: 'error' });
	const registry = await startPlatform(DELAY);
	try {
		await n8n.install(join(ROOT, 'bench/nodes'));
		await n8n.start();
		const pid = n8n.pid!;
		const amkaApi = await n8n.addCredential('amkaApi', {
			baseUrl: registry.url,
			apiKey: 'bench-api-key',
			allowUnauthorizedCerts: false,
		});

		let last = 0;
		const measure = async (name: string, node: INode, rows: number, members: number): Promise<Measure> => {
			const path = `bench-members-${++last}`;
			const start = {
				...builtIn('n8n-nodes-base.webhook', 'Start', 2, { path, httpMethod: 'POST', responseMode: 'onReceived' }),
				webhookId: path,
			};
			const id = await n8n.addWorkflow(
				chain(path, start, builtIn('n8n-nodes-bench.benchRows', 'Rows', 1, { count: rows, members }), {
					...node,
					name: 'AMKA',
					credentials: { amkaApi },
				}),
			);
			await n8n.publish(id);
			await registry.count();
			const cpu = cpuOf(pid);
			await fetch(`${n8n.url}/webhook/${path}`, { method: 'POST' });
			await until(
				`${rows} rows are answered`,
				async () =>
					(await n8n.query<{ status: string }>('SELECT status FROM execution_entity WHERE "workflowId" = ?', id))[0]
						?.status === 'success',
				600_000,
			);
			const used = cpuOf(pid) - cpu;
			const { requests, mostInFlight } = await registry.count();
			const [execution] = await n8n.executions(id);
			return {
				name,
				members,
				milliseconds: taskOf(execution!, 'AMKA').executionTime,
				cpuPerRow: used / rows,
				requests,
				mostInFlight,
			};
		};

		// The first run is not measured, because n8n also compiles and loads the code then.
		await measure('', compare, 200, 200);
		const measures: Measure[] = [];
		for (let round = 0; round < ROUNDS; round++) {
			measures.push(await measure('Compare', compare, ROWS, ROWS));
			measures.push(await measure('Validate', validate, ROWS, ROWS));
			measures.push(await measure('Compare, each person in two rows', compare, ROWS, ROWS / 2));
			for (const one of measures.slice(-3))
				console.log(`${one.name}: ${(one.milliseconds / 1000).toFixed(1)} s, ${one.requests} requests`);
		}
		write(measures);
	} finally {
		registry.close();
		await n8n.remove();
	}
}

function write(measures: Measure[]): void {
	const line = (name: string) => {
		const own = measures.filter((one) => one.name === name);
		const [first] = own;
		const ideal = (first!.members / CONCURRENCY) * DELAY;
		const milliseconds = median(own.map((one) => one.milliseconds));
		return `| ${name} | ${ROWS.toLocaleString('en')} | ${first!.members.toLocaleString('en')} | ${median(own.map(({ requests }) => requests)).toLocaleString('en')} | ${(milliseconds / 1000).toFixed(1)} | ${(milliseconds / ideal).toFixed(2)} | ${name === 'Compare' ? '≤ 1.15' : ''} | ${median(own.map(({ cpuPerRow }) => cpuPerRow)).toFixed(2)} | ${Math.max(...own.map(({ mostInFlight }) => mostInFlight))} |`;
	};
	writeResults(
		'members',
		`\`npm run bench -- members\` has measured these figures: one ${machine()}. They are medians of ${ROUNDS} rounds, and times are those of the node. A separate process simulates the registry,
and answers after ${DELAY} ms. By default ${CONCURRENCY} look-ups are in progress at the same time, so the shortest possible time is people × ${DELAY} ms ÷ ${CONCURRENCY}. Number, birth date and
surname are expressions.

| operation | rows | people | look-ups | seconds | divided by the shortest possible time | target | CPU ms a row | highest number in parallel |
|---|---|---|---|---|---|---|---|---|
${['Compare', 'Validate', 'Compare, each person in two rows'].map(line).join('\n')}
`,
	);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});

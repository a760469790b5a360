import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { N8n } from '../test/e2e/n8n';
import { builtIn, chain, packageNode } from '../test/e2e/workflows';
import { KEY, machine, ROOT, writeResults } from './common';

/*
 * `npm run bench -- slow`: how long n8n's other answers take while slow clients without a key hold requests open. n8n holds an
 * isolate of its expression engine for each open request to a package's webhook, unless it acquires them lazily.
 */
const CONNECTIONS = 200;
const SECONDS = 45;

const engine = (isLazy: boolean) => ({ N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: String(isLazy) });

/** Starts a program of the bench in a process of its own. */
const program = (name: string, ...args: string[]) =>
	spawn(process.execPath, [join(ROOT, 'bench', name), ...args], { stdio: ['pipe', 'pipe', 'inherit'] });

/** Returns the longest answer of `/healthz` for each webhook, in milliseconds, while the slow clients are there. */
async function measure(isLazy: boolean): Promise<Record<'idle' | 'trigger' | 'webhook', number>> {
	const n8n = new N8n({ N8N_LOG_LEVEL: 'error', ...engine(isLazy) });
	try {
		await n8n.install();
		await n8n.start();
		const smsPlatformApi = await n8n.addCredential('smsPlatformApi', {
			baseUrl: 'http://127.0.0.1:9',
			institution: 'example-university',
			preSharedKey: KEY,
		});
		const publish = async (path: string, node: ReturnType<typeof builtIn>) =>
			await n8n.publish(await n8n.addWorkflow(chain(path, { ...node, webhookId: path })));
		await publish('slow-trigger', { ...packageNode('smsTrigger', {}), credentials: { smsPlatformApi } });
		const parameters = { path: 'slow-webhook', httpMethod: 'POST', responseMode: 'onReceived' };
		await publish('slow-webhook', builtIn('n8n-nodes-base.webhook', 'Start', 2, parameters));

		const prober = program('prober.mjs', n8n.url);
		/** Returns the longest time of an answer since the last call of this function. */
		const longest = async () => {
			prober.stdin.write('\n');
			const [answer] = (await once(prober.stdout, 'data')) as [Buffer];
			return JSON.parse(answer.toString()) as number;
		};
		const during = async (path: string) => {
			await longest();
			const clients = program('slowClients.mjs', `${n8n.url}/webhook/${path}`, String(CONNECTIONS));
			await once(clients.stdout, 'data');
			await sleep(SECONDS * 1000);
			const most = await longest();
			clients.stdin.end();
			await once(clients, 'close');
			// After the clients have left, n8n still works on their requests. That must not affect the next figure.
			await sleep(10_000);
			return most;
		};
		try {
			await longest();
			await sleep(5000);
			const idle = await longest();
			return { idle, webhook: await during('slow-webhook'), trigger: await during('slow-trigger/forward') };
		} finally {
			prober.stdin.end();
		}
	} finally {
		await n8n.remove();
	}
}

async function main(): Promise<void> {
	const eager = await measure(false);
	const lazy = await measure(true);
	const row = (name: string, of: keyof typeof eager) =>
		`| ${name} | ${eager[of].toFixed(0)} | ${lazy[of].toFixed(0)} |`;
	writeResults(
		'slow',
		`Made by \`npm run bench -- slow\`: one ${machine()}, SQLite. ${CONNECTIONS} connections send the headers of a POST and one byte of its body,
without a key, and stay open for ${SECONDS} s. Meanwhile \`/healthz\` is asked every 20 ms. *Lazy*: with \`N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true\`.

| the slow clients call | longest answer of \`/healthz\` by default, ms | lazy, ms |
|---|---|---|
${row('nothing', 'idle')}
${row("n8n's own Webhook node", 'webhook')}
${row('SMS Trigger', 'trigger')}

A proxy that buffers request bodies keeps such clients away from n8n: [docs/admin.md](../docs/admin.md#a-proxy-for-a-public-url) has the lines.
`,
	);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});

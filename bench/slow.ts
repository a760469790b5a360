import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { N8n } from '../test/e2e/n8n';
import { builtIn, chain, packageNode } from '../test/e2e/workflows';
import { KEY, machine, ROOT, writeResults } from './common';

/*
 * `npm run bench -- slow` measures how long n8n takes to answer other requests while slow clients without a key keep requests
 * open. For each open request to the webhook of a package's node, n8n reserves an isolate (a V8 instance) of its expression
 * engine, unless N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE is true.
 */
const CONNECTIONS = 200;
const SECONDS = 45;

const engine = (isLazy: boolean) => ({ N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: String(isLazy) });

/** Runs a program of this folder in a separate process. */
const program = (name: string, ...args: string[]) =>
	spawn(process.execPath, [join(ROOT, 'bench', name), ...args], { stdio: ['pipe', 'pipe', 'inherit'] });

/**
 * Returns the longest response times of `/healthz` in milliseconds: without slow clients (`idle`), and while slow clients keep
 * requests open to SMS Trigger (`trigger`) or to n8n's own Webhook node (`webhook`).
 */
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
		/** Returns the longest response time of `/healthz` since the last call of this function. */
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
			// After the clients have ended, n8n still works on their requests. That must not affect the next measurement.
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
		`\`npm run bench -- slow\` has measured these figures: one ${machine()}, SQLite. ${CONNECTIONS} clients each send the headers of a POST request and one byte of its body,
without a key, and keep the connection open for ${SECONDS} s. Meanwhile \`/healthz\` is requested every 20 ms. *Lazy*: with \`N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true\`.

| webhook that the slow clients call | longest response time of \`/healthz\` by default, ms | lazy, ms |
|---|---|---|
${row('none', 'idle')}
${row("n8n's own Webhook node", 'webhook')}
${row('SMS Trigger', 'trigger')}

A proxy that buffers request bodies protects n8n from such clients. [docs/admin.md](../docs/admin.md#a-proxy-for-a-public-url) shows its configuration.
`,
	);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});

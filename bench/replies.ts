import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { DatabaseSync } from 'node:sqlite';

import { SqliteFile } from '../test/e2e/database';
import { until, type N8n } from '../test/e2e/n8n';
import { builtIn, chain, packageNode } from '../test/e2e/workflows';
import { KEY } from './common';

/* Measures workflows that a webhook starts and that send one message: with SMS Send, SMS Code, or n8n's own nodes. */

/** A simulated SMS platform that records when the message to each recipient arrived. */
export class Platform {
	private readonly arrivals = new Map<string, number>();
	private constructor(private readonly server: Server) {}

	static async open(): Promise<Platform> {
		const server = createServer();
		const platform = new Platform(server);
		server.on('request', (request, response) => {
			const at = performance.now();
			void json(request).then((body) => {
				const { recipient } = body as { recipient: string };
				platform.arrivals.set(recipient, at);
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

	/** Waits for the messages to these recipients, and returns when the last one arrived. */
	async lastArrival(recipients: string[]): Promise<number> {
		await until(
			`${recipients.length} messages`,
			async () => recipients.every((one) => this.arrivals.has(one)),
			120_000,
		);
		return Math.max(...recipients.map((one) => this.arrivals.get(one)!));
	}

	close(): void {
		this.server.close();
	}
}

let nextNumber = 6_900_000_000;

/**
 * Calls a workflow several times at the same moment. Each call has a different recipient.
 * @param count the number of calls
 * @returns the milliseconds until the last message has arrived at the platform
 */
export async function call(url: string, platform: Platform, count: number): Promise<number> {
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
	return (await platform.lastArrival(recipients)) - begun;
}

/** Returns functions that publish workflows: `own` has only n8n's own nodes, `reply` replies, and `code` sends a code. */
export function workflows(n8n: N8n, platform: Platform, credentials: { smsPlatformApi: { id: string; name: string } }) {
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
	return { own, reply, code };
}

/**
 * Fills the list that n8n stores for a workflow (the data of *Remove Duplicates*) up to a number of entries. The new entries come
 * before the existing ones, and belong to no message of the measurement.
 */
export async function fillList(n8n: N8n, workflowId: string, entries: number): Promise<void> {
	const select = 'SELECT value FROM processed_data WHERE "workflowId" = ?';
	const [stored] = await n8n.query<{ value: unknown }>(select, workflowId);
	const value = typeof stored?.value === 'string' ? (JSON.parse(stored.value) as unknown) : stored?.value;
	const own = (value as { data: string[] } | undefined)?.data ?? [];
	const filler = Array.from({ length: Math.max(0, entries - own.length) }, (_, index) =>
		createHash('md5').update(`filler ${workflowId} ${index}`).digest('base64'),
	);
	await writeList(n8n, workflowId, JSON.stringify({ mode: 'entries', data: [...filler, ...own] }));
}

/** Writes the list of a workflow into n8n's database, in n8n's format. */
async function writeList(n8n: N8n, workflowId: string, value: string): Promise<void> {
	const now = new Date().toISOString();
	const row = [workflowId, '', now, now, value];
	const insert =
		'INSERT INTO processed_data ("workflowId", context, "createdAt", "updatedAt", value) VALUES (?, ?, ?, ?, ?) ON CONFLICT ("workflowId", context) DO UPDATE SET value = excluded.value';
	if (!(n8n.database instanceof SqliteFile)) {
		await n8n.query(insert, ...row);
		return;
	}
	const database = new DatabaseSync(join(n8n.data, 'database.sqlite'));
	database.exec('PRAGMA busy_timeout = 10000');
	database.prepare(insert).run(...row);
	database.close();
}

import { createHmac } from 'node:crypto';

import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { SmsTrigger } from '../../nodes/SmsTrigger/SmsTrigger.node';
import { FakeResponse } from '../response';
import { strict } from '../strict';

/*
 * Calls a webhook of SMS Trigger with only those parts of n8n that the node uses, so that a hundred thousand calls take little
 * time. The workflow and e2e tests show that n8n itself calls the node in this way.
 */

export const KEY = 'psk-7&Ω"9f3a';

export interface Settings {
	events: string[];
	keywords: string;
	acceptUnsignedReports: boolean;
	options: { ipAllowlist?: string };
}

export interface Request {
	event: 'smsForward' | 'deliveryReport';
	method: string;
	ip: string | undefined;
	query: unknown;
	/**
	 * How n8n passes the body on. `json`: n8n has parsed it. `raw`: the node gets the bytes. `unreadable`: the bytes can't be
	 * read.
	 */
	how: 'json' | 'raw' | 'unreadable';
	contentType: string | undefined;
	/** The parsed value, or the bytes, or the bytes as text. */
	body: unknown;
}

export interface Outcome {
	status: number;
	/** The response body that the caller gets. */
	text: string;
	/** The items of each output, if the workflow was started. */
	started?: unknown[];
}

/** Signs a report URL as SECURITY.md describes. */
export const signature = (serviceId: string, ref: string, mid: string, exp: string): string =>
	createHmac('sha256', KEY).update(`dlr.v1\n${serviceId}\n${ref}\n${mid}\n${exp}`).digest('base64url');

/** An SMS Trigger with its own node id. The process remembers the events of each node id separately. */
export class TriggerUnderTest {
	private static count = 0;
	private readonly id = `node ${TriggerUnderTest.count++}`;
	readonly logLines: string[] = [];

	async call(settings: Settings, request: Request): Promise<Outcome> {
		const response = strict('response', new FakeResponse());
		const { how, body } = request;
		const bytes = how !== 'raw' ? undefined : Buffer.isBuffer(body) ? body : Buffer.from(String(body));
		const httpRequest = strict('request', {
			method: request.method,
			ip: request.ip,
			headers: { 'content-type': request.contentType },
			rawBody:
				how === 'json' && body !== undefined ? Buffer.from(JSON.stringify(body)) : (undefined as Buffer | undefined),
			async readRawBody(this: { rawBody?: Buffer }) {
				if (how === 'unreadable') throw new Error('Request body stream was aborted or is not readable');
				this.rawBody ??= bytes;
			},
		});
		const context = strict('context', {
			getNodeParameter: (name: string, fallback?: unknown) => {
				const parameters = strict('parameters', {
					respond: 'onReceived',
					keywordOutputs: false,
					...settings,
				}) as unknown as Record<string, unknown>;
				const [, option] = /^options\.(.+)$/.exec(name) ?? [];
				return option === undefined ? parameters[name] : ((parameters.options as IDataObject)[option] ?? fallback);
			},
			getWebhookName: () => (request.event === 'deliveryReport' ? 'setup' : 'default'),
			getMode: () => 'webhook',
			getNode: () => strict('node', { id: this.id, name: 'Trigger' }),
			getWorkflow: () => strict('workflow', { id: 'workflow' }),
			getQueryData: () => request.query,
			getBodyData: () => (how === 'json' ? body : undefined),
			getResponseObject: () => response,
			getRequestObject: () => httpRequest,
			getCredentials: async () => ({
				baseUrl: 'https://sms.example.gr:9999',
				institution: 'example',
				preSharedKey: KEY,
			}),
			logger: strict('logger', { warn: (line: string) => this.logLines.push(line) }),
		});
		const returned: IWebhookResponseData = await new SmsTrigger().webhook.call(context as unknown as IWebhookFunctions);
		if (returned.workflowData !== undefined) {
			if (returned.noWebhookResponse) throw new Error('An accepted call is answered by n8n alone');
			response.json(returned.webhookResponse);
		}
		if (!response.headersSent) throw new Error('The caller was left without an answer');
		await new Promise(setImmediate);
		response.emit('close');
		return { status: response.statusCode, text: response.text, started: returned.workflowData };
	}
}

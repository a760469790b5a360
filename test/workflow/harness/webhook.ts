import { WebhookContext, type ExecutionLifecycleHooks } from 'n8n-core';
import {
	resolveWebhookDescriptionField,
	type IHttpRequestMethods,
	type INode,
	type INodeExecutionData,
	type IRunExecutionData,
	type IWebhookData,
	type IWebhookDescription,
	type IWebhookResponseData,
	type IWorkflowExecuteAdditionalData,
	type Workflow,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { parse } from 'node:querystring';

import { FakeResponse } from '../../response';
import { strict } from '../../strict';
import type { NodeUnderTest } from './layout';
import { TestWorkflow, type Result } from './testWorkflow';

/*
 * Simulates calls to the webhooks of SMS Trigger and of Send and Wait, from the platform's request to the response.
 *
 * n8n-core runs the node. The parts of n8n around it (routes, body parser, response mode) are not in n8n-core, and are
 * simulated here in the same way as in n8n's webhook-helpers.
 */

export interface Call {
	/** The path after the node's webhook id. */
	path: string;
	method?: IHttpRequestMethods;
	/** Sent as JSON, or unchanged if it is text or bytes. */
	body?: unknown;
	/** With null, the request has no content type, and n8n does not read the body. */
	contentType?: string | null;
	query?: Record<string, string | string[]>;
	headers?: Record<string, string>;
	ip?: string;
	/** Whether the call is made to the Test URL, as with "Listen for test event". */
	test?: boolean;
	/** Whether n8n fails to record the execution, as if its database did not answer. */
	unrecorded?: boolean;
}

export interface Answer {
	status: number;
	/** The headers, with lower-case names. */
	headers: Record<string, string>;
	/** The response body that the caller gets. */
	text: string;
	/** The parsed text; undefined if the text is not JSON. */
	json: unknown;
	/** The node's return value; absent if n8n answered without the node. */
	returned?: IWebhookResponseData;
	/** The items of each output with which the workflow was started; undefined if it was not started. */
	started?: INodeExecutionData[][];
	/** The started execution. */
	execution?: Result;
	/** The node's exception, for which n8n gives its own response and records a failed execution. */
	thrown?: Error;
}

/** Processes the items of a webhook as n8n does: it starts an execution, or continues a waiting execution. */
type Go = (items: INodeExecutionData[][], hooks?: (hooks: ExecutionLifecycleHooks) => void) => Promise<Result>;

/** A call to one webhook of a node, in a loaded workflow. */
class Exchange {
	private readonly response = new FakeResponse();

	private readonly mode: WorkflowExecuteMode;

	private readonly node: INode;

	constructor(
		private readonly owner: TestWorkflow,
		private readonly workflow: Workflow,
		private readonly call: Call,
	) {
		this.mode = call.test ? 'manual' : 'webhook';
		this.node = workflow.getNode('Node') as INode;
	}

	/** Returns the value of a field of a webhook description, as n8n evaluates it. */
	evaluate(description: IWebhookDescription, field: keyof IWebhookDescription): unknown {
		const native = resolveWebhookDescriptionField(this.node, description, String(field));
		if (native.resolved) return native.value;
		const value = description[field];
		if (typeof value === 'object' || typeof value === 'function') return value;
		return this.workflow.expression.getSimpleParameterValue(this.node, value, this.mode, {});
	}

	private answered(more: Partial<Answer> = {}): Answer {
		const { statusCode: status, headers, headersSent, text } = this.response;
		if (!headersSent) throw new Error('The caller was left without an answer');
		let json: unknown;
		try {
			json = JSON.parse(text);
		} catch {
			json = undefined;
		}
		return { status, headers, text, json, ...more };
	}

	private send(status: number, value: unknown): void {
		this.response.status(status);
		if (typeof value === 'string') this.response.send(value);
		else this.response.json(value);
	}

	/** Returns n8n's own response, instead of a response of the node. */
	failed(status: number, message: string, more?: Partial<Answer>): Answer {
		this.send(status, { code: status === 500 ? 0 : status, message });
		return this.answered(more);
	}

	/**
	 * Returns the request as n8n passes it to a node, with the body parsed by its content type; undefined if that fails.
	 */
	private request(path: string): object | undefined {
		const { method = 'POST', query = {}, ip = '192.0.2.1' } = this.call;
		const contentHeader = this.call.contentType === undefined ? 'application/json' : this.call.contentType;
		const contentType = contentHeader?.split(';')[0];
		const given = this.call.body;
		const bytes = Buffer.isBuffer(given)
			? given
			: Buffer.from(typeof given === 'string' ? given : (JSON.stringify(given) ?? ''));
		const text = bytes.toString('utf8').replace(/^\ufeff/, contentType === 'text/plain' ? '\ufeff' : '');
		let body: unknown;
		try {
			if (text === '') body = undefined;
			else if (contentType === 'application/json') body = JSON.parse(text);
			else if (contentType === 'application/x-www-form-urlencoded') body = parse(text);
			else if (contentType === 'text/plain') body = text;
		} catch {
			return undefined;
		}
		const headers: Record<string, string> = {
			...(contentHeader !== null && { 'content-type': contentHeader }),
			host: 'n8n.example.gr',
		};
		for (const [name, value] of Object.entries(this.call.headers ?? {})) headers[name.toLowerCase()] = value;
		const has = {
			method,
			headers,
			header: (name: string) => headers[name.toLowerCase()],
			params: {},
			query,
			body,
			// n8n reads the bytes immediately only if it parses them.
			rawBody: body === undefined ? undefined : bytes,
			async readRawBody(this: { rawBody?: Buffer }) {
				this.rawBody ??= bytes;
			},
			contentType,
			ip,
			ips: [],
			socket: { remoteAddress: ip },
			originalUrl: `/webhook/${path}`,
		};
		return strict('request', has, ['toJSON']);
	}

	/** Makes the call to a webhook. @param waiting the data of the execution that waits for the call, if there is one */
	async run(description: IWebhookDescription, waiting: IRunExecutionData | null, go: Go): Promise<Answer> {
		const { call, mode, node, owner, response, workflow } = this;
		const path = `${TestWorkflow.WEBHOOK_ID}/${call.path}`;
		const request = this.request(path);
		if (!request) return this.failed(422, 'Failed to parse request body');
		const { data } = owner.additionalData(mode, {
			...(waiting === null && { executionId: undefined }),
			httpRequest: request as IWorkflowExecuteAdditionalData['httpRequest'],
			httpResponse: strict('response', response) as unknown as IWorkflowExecuteAdditionalData['httpResponse'],
		});
		const webhookData: IWebhookData = {
			httpMethod: call.method ?? 'POST',
			node: 'Node',
			path,
			webhookDescription: description,
			workflowId: TestWorkflow.ID,
			workflowExecuteAdditionalData: data,
			isTest: call.test,
		};

		let returned: IWebhookResponseData;
		try {
			const context = new WebhookContext(workflow, node, data, mode, webhookData, [], waiting);
			returned = (await owner.nodeType.webhook!.call(context)) as IWebhookResponseData;
		} catch (error) {
			return this.failed(500, 'Workflow Webhook Error: Workflow could not be started!', { thrown: error as Error });
		}
		const responseCode = Number(this.evaluate(description, 'responseCode') ?? 200);
		const responseMode = this.evaluate(description, 'responseMode') ?? 'onReceived';
		const responseData = this.evaluate(description, 'responseData');

		if (returned.workflowData === undefined) {
			if (!returned.noWebhookResponse) {
				this.send(responseCode, returned.webhookResponse ?? { message: 'Webhook call received' });
			}
			owner.save(workflow);
			return this.answered({ returned });
		}
		// n8n does not store static data if a call ends with n8n's own error.
		if (call.unrecorded) return this.failed(500, 'There was a problem executing the workflow', { returned });

		const started = returned.workflowData as INodeExecutionData[][];
		if (returned.noWebhookResponse || responseMode === 'onReceived') {
			if (!returned.noWebhookResponse) {
				const byNode = returned.webhookResponse ?? { message: 'Workflow was started' };
				this.send(responseCode, responseData || byNode);
			}
			owner.save(workflow);
			return this.answered({ returned, started, execution: await go(started) });
		}

		let sentByNode: { body?: unknown; statusCode?: number; headers?: Record<string, string> } | undefined;
		const execution = await go(started, (hooks) =>
			hooks.addHandler('sendResponse', async (given) => {
				sentByNode ??= given as NonNullable<typeof sentByNode>;
			}),
		);
		const { error, runData, lastNodeExecuted } = execution.run.data.resultData;
		const lastTask = runData[lastNodeExecuted ?? '']?.at(-1);
		if (responseMode === 'responseNode' && sentByNode) {
			const { body, statusCode = 200, headers = {} } = sentByNode;
			for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
			this.send(statusCode, body);
		} else if (error || lastTask?.error) {
			this.send(500, { message: 'Error in workflow' });
		} else if (responseMode === 'responseNode') {
			this.send(responseCode, undefined);
		} else if (responseMode === 'lastNode') {
			const item = lastTask?.data?.main?.[0]?.[0];
			if (!item) return this.failed(500, 'No item to return was found', { returned, started, execution });
			this.send(responseCode, item.json);
		} else {
			throw new Error(`n8n has no response mode "${String(responseMode)}"`);
		}
		owner.save(workflow);
		return this.answered({ returned, started, execution });
	}
}

async function exchange(
	owner: TestWorkflow,
	call: Call,
	talk: (exchange: Exchange) => Promise<Answer>,
): Promise<Answer> {
	const workflow = owner.load();
	await workflow.expression.acquireIsolate();
	try {
		const answer = await talk(new Exchange(owner, workflow, call));
		// Lets the response end before the test continues.
		await new Promise(setImmediate);
		return answer;
	} finally {
		await workflow.expression.releaseIsolate();
	}
}

/** A published workflow that begins with a trigger. */
export class TestTrigger extends TestWorkflow {
	constructor(spec: Omit<NodeUnderTest, 'node'> & { node?: NodeUnderTest['node'] }) {
		super({ node: 'smsTrigger', active: true, ...spec });
		if (this.nodeType.webhook === undefined) throw new Error('The node has no webhooks');
	}

	/** Makes a call as the platform does. @returns the response */
	async call(call: Call): Promise<Answer> {
		return await exchange(this, call, async (talk) => {
			const webhook = this.nodeType.description.webhooks?.find((each) => {
				const methods = String(talk.evaluate(each, 'httpMethod') ?? 'GET').split(',');
				return each.path === call.path && methods.includes(call.method ?? 'POST');
			});
			if (!webhook) return talk.failed(404, 'The requested webhook is not registered.');
			return await talk.run(webhook, null, async (items, hooks) => await this.runFromNode(items, hooks));
		});
	}
}

/**
 * Calls the resume URL of a waiting execution. n8n itself checks the signature of that URL, so the path does not
 * matter here.
 */
export async function callResumeAddress(
	owner: TestWorkflow,
	waiting: Result,
	call: Omit<Call, 'path'>,
): Promise<Answer> {
	return await exchange(owner, { ...call, path: owner.nodeId }, async (talk) => {
		const webhook = owner.nodeType.description.webhooks?.find(({ restartWebhook }) => restartWebhook === true);
		const methods = String(webhook?.httpMethod).split(',');
		if (!webhook || !methods.includes(call.method ?? 'POST')) throw new Error('The node has no such resume webhook');
		const stored = JSON.parse(JSON.stringify(waiting.run.data)) as IRunExecutionData;
		return await talk.run(webhook, stored, async (items) => await owner.resume(waiting, items));
	});
}

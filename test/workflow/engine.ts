import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { ExpressionEvaluator, IsolatedVmBridge } from '@n8n/expression-runtime';
import {
	CredentialTestContext,
	DataDeduplicationService,
	ExecutionLifecycleHooks,
	WorkflowExecute,
} from 'n8n-core';
import {
	createRunExecutionData,
	Expression,
	ICredentialsHelper,
	isExpression,
	LoggerProxy,
	NodeHelpers,
	Workflow,
	type DeduplicationScope,
	type DeduplicationItemTypes,
	type ICheckProcessedContextData,
	type ICheckProcessedOptions,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type IDataDeduplicator,
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type INode,
	type INodeCredentialTestResult,
	type INodeExecutionData,
	type INodeParameters,
	type INodeProperties,
	type INodeType,
	type INodeTypes,
	type IRun,
	type IWorkflowExecuteAdditionalData,
	type NodeExecutionHint,
	type OnError,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { notProvided, strict } from '../strict';

/*
 * Whole workflows through n8n's own engine, in this process.
 *
 * Real: the engine, the contexts given to nodes, the request helpers, the expression engine n8n starts by default,
 * the nodes and credentials from their sources. Played by this file, after n8n's own code outside n8n-core: the
 * credential store, the memory of processed keys, the log. Whatever n8n-core asks for beyond that is an error with a
 * name, never an empty answer.
 */

// n8n keeps a key file in its home; a home of one's own keeps runs apart.
const home = mkdtempSync(join(tmpdir(), 'amka-sms-workflow-'));
process.env.N8N_USER_FOLDER = home;
process.env.N8N_ENCRYPTION_KEY = 'a key of the tests';

/** Every log line of this test, as text, with its metadata. */
export const logLines: string[] = [];

const recorder = {
	...Object.fromEntries(
		['error', 'warn', 'info', 'debug'].map((level) => [
			level,
			(message: string, metadata?: object) => {
				logLines.push(`${level} ${message} ${asStored(metadata ?? {})}`);
			},
		]),
	),
	scoped: () => recorder,
} as unknown as Logger;
Container.set(Logger, recorder);
LoggerProxy.init(recorder);

/** n8n stores an execution as JSON in which an object is written once; so does this. */
function asStored(value: unknown): string {
	const seen = new Set<unknown>();
	return JSON.stringify(value, (_key, part: unknown) => {
		if (part instanceof Error && !('toJSON' in part)) {
			return { ...part, name: part.name, message: part.message, stack: part.stack };
		}
		if (typeof part !== 'object' || part === null) return part;
		if (seen.has(part)) return undefined;
		seen.add(part);
		return part;
	});
}

// Required, because their types are behind export maps that tsc's Node10 resolution does not read.
const { expressionSandboxHooks } = require('n8n-workflow/expression-sandboxing');
const { unwrapLuxonValues } = require('@n8n/expression-runtime/dist/cjs/runtime/luxon-transfer.js');

/** A value that the isolate made in Node's own realm, with the classes of jest's sandbox: to a node, a Date is a Date. */
function intoSandbox(value: unknown): unknown {
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) return Array.from(value, intoSandbox);
	const kind = Object.prototype.toString.call(value);
	if (kind === '[object Date]') return new Date(Number(value));
	if (kind !== '[object Object]') throw new Error(`An expression returned ${kind}, which the tests do not carry over`);
	return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, intoSandbox(part)]));
}

class Evaluator extends ExpressionEvaluator {
	override evaluate(...args: Parameters<ExpressionEvaluator['evaluate']>): unknown {
		return unwrapLuxonValues(intoSandbox(super.evaluate(...args)));
	}
}

/**
 * Started as n8n's start command does, with its default settings: `Expression.initExpressionEngine` itself needs a
 * dynamic import, which jest does not have.
 */
const evaluator = new Evaluator({
	createBridge: () => new IsolatedVmBridge({ timeout: 5000, memoryLimit: 128, logger: recorder }),
	maxCodeCacheSize: 1024,
	poolSize: 1,
	// An isolate for a run that has expressions only: an option of n8n's that changes nothing but the time.
	lazyAcquire: true,
	hooks: expressionSandboxHooks,
	logger: recorder,
});

beforeAll(async () => {
	await evaluator.initialize();
	Object.assign(Expression, { vmEvaluator: evaluator });
	Expression.setExpressionEngine('vm');
	await DataDeduplicationService.init(processed);
});
beforeEach(() => {
	logLines.length = 0;
	processed.clear();
});
afterAll(async () => {
	await Expression.disposeExpressionEngine();
	rmSync(home, { recursive: true, force: true });
});

/**
 * n8n's memory of processed keys, in a map instead of its database: one list of hashes per workflow and node,
 * keys inside one call not compared with each other when the list is new, the oldest dropped over `maxEntries`.
 */
class ProcessedKeys implements IDataDeduplicator {
	private readonly lists = new Map<string, string[]>();

	/** How often the list was read or written: each costs n8n a rewrite of the whole list. */
	calls = 0;

	clear() {
		this.lists.clear();
		this.calls = 0;
	}

	private open(scope: DeduplicationScope, context: ICheckProcessedContextData, options: ICheckProcessedOptions) {
		if (options.mode !== 'entries') notProvided(`deduplication mode "${options.mode}"`);
		if (scope === 'node' && !context.node) throw new Error('Scope "node" without a node');
		this.calls++;
		return `${context.workflow.id}|${scope === 'node' ? `n:${context.node?.id}` : ''}`;
	}

	/** A copy, as n8n has it until it writes it back: what others write meanwhile is not in it. */
	private async read(key: string): Promise<string[] | undefined> {
		const list = this.lists.get(key)?.slice();
		await sleep(2);
		return list;
	}

	private static hash(value: DeduplicationItemTypes) {
		return createHash('md5').update(value.toString()).digest('base64');
	}

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
		options: ICheckProcessedOptions,
	) {
		const key = this.open(scope, context, options);
		const hashes = items.map(ProcessedKeys.hash);
		const list = await this.read(key);
		const drop = (all: string[]) =>
			options.maxEntries ? all.splice(0, all.length - options.maxEntries) : [];
		if (!list) {
			if (this.lists.has(key)) throw new Error('SQLITE_CONSTRAINT: UNIQUE constraint failed: processed_data.context');
			drop(hashes);
			this.lists.set(key, hashes);
			return { new: items, processed: [] };
		}
		const known = new Set(list);
		const isNew = hashes.map((hash) => !known.has(hash));
		list.push(...hashes.filter((_, index) => isNew[index]));
		drop(list);
		this.lists.set(key, list);
		return {
			new: items.filter((_, index) => isNew[index]),
			processed: items.filter((_, index) => !isNew[index]),
		};
	}

	async removeProcessed(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
		options: ICheckProcessedOptions,
	) {
		const key = this.open(scope, context, options);
		const list = await this.read(key);
		const removed = new Set(items.map(ProcessedKeys.hash));
		if (list) this.lists.set(key, list.filter((hash) => !removed.has(hash)));
	}

	async clearAllProcessedItems(): Promise<void> {
		notProvided('clearAllProcessedItems');
	}

	async getProcessedDataCount(
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
		options: ICheckProcessedOptions,
	) {
		return this.lists.get(this.open(scope, context, options))?.length ?? 0;
	}
}
export const processed = new ProcessedKeys();

/** Sources are read when first used, so that one broken file fails its own tests only. */
const sources: Record<string, () => INodeType> = {
	amka: () => new (require('../../nodes/Amka/Amka.node').Amka)(),
	smsSend: () => new (require('../../nodes/Sms/SmsSend.node').SmsSend)(),
	smsTrigger: () => new (require('../../nodes/Sms/SmsTrigger.node').SmsTrigger)(),
};
const credentialSources: Record<string, () => ICredentialType> = {
	amkaApi: () => new (require('../../credentials/AmkaApi.credentials').AmkaApi)(),
	smsPlatformApi: () =>
		new (require('../../credentials/SmsPlatformApi.credentials').SmsPlatformApi)(),
};
const PACKAGE = 'n8n-nodes-amka-sms';

/** Decrypted values per credential type; an Error in place of values is what the store throws when it is read. */
export type CredentialValues = Record<string, ICredentialDataDecryptedObject | Error>;

/** n8n's credentials helper, with the values of the test in place of its database. */
class Credentials extends ICredentialsHelper {
	/** Names of the types, one entry for every decryption. */
	readonly decryptions: string[] = [];

	constructor(
		private readonly values: CredentialValues,
		private readonly types: ICredentialType[],
	) {
		super();
	}

	private type(name: string): ICredentialType {
		const own = this.types.find((type) => type.name === name);
		return own ?? (credentialSources[name] ?? (() => notProvided(`the credential type "${name}"`)))();
	}

	getParentTypes(name: string): string[] {
		return this.type(name).extends ?? [];
	}

	isCredentialUsableByNode() {
		return true;
	}

	getCredentialsProperties(name: string): INodeProperties[] {
		const { properties, extends: parents } = this.type(name);
		if (parents?.length) notProvided('credential types that extend others');
		return properties;
	}

	async getDecrypted(
		...[, nodeCredentials, type]: Parameters<ICredentialsHelper['getDecrypted']>
	): Promise<ICredentialDataDecryptedObject> {
		this.decryptions.push(type);
		const values = this.values[type];
		if (values === undefined) notProvided(`values for the credential "${type}"`);
		if (values instanceof Error) throw values;
		if (nodeCredentials.id !== type) throw new Error(`Wrong credential id ${nodeCredentials.id}`);
		if (Object.values(values).some(isExpression)) notProvided('expressions in credentials');
		return NodeHelpers.getNodeParameters(
			this.getCredentialsProperties(type),
			values as INodeParameters,
			true,
			false,
			null,
			null,
		) as ICredentialDataDecryptedObject;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		requestOptions: IHttpRequestOptions,
		workflow?: Workflow,
		node?: INode,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.type(typeName);
		if (authenticate === undefined) return requestOptions;
		if (typeof authenticate === 'function') return await authenticate(credentials, requestOptions);
		if (!workflow || !node) throw new Error('Workflow and node are required');
		const resolve = (text: string) => {
			if (!isExpression(text)) return text;
			const value = workflow.expression.getSimpleParameterValue(
				node,
				text,
				'internal',
				{ $credentials: credentials } as never,
				undefined,
				'',
			);
			return value ? value.toString() : '';
		};
		const options = requestOptions as unknown as Record<string, Record<string, unknown>>;
		options.headers ??= {};
		for (const [part, entries] of Object.entries(authenticate.properties)) {
			for (const [key, value] of Object.entries(entries as Record<string, string>)) {
				(options[part] ??= {})[resolve(key)] = resolve(value);
			}
		}
		return requestOptions;
	}

	// n8n has this for expiring tokens only, but because it is there, a 401 makes n8n-core send the request again.
	async preAuthentication(...[, , typeName]: Parameters<ICredentialsHelper['preAuthentication']>) {
		if (this.type(typeName).preAuthentication) notProvided('preAuthentication');
		return undefined;
	}

	async runPreAuthentication(...[, , typeName]: Parameters<ICredentialsHelper['runPreAuthentication']>) {
		if (this.type(typeName).preAuthentication) notProvided('preAuthentication');
		return undefined;
	}

	async getCredentials(): Promise<never> {
		return notProvided('credentialsHelper.getCredentials');
	}

	async updateCredentials(): Promise<never> {
		return notProvided('credentialsHelper.updateCredentials');
	}

	async updateCredentialsOauthTokenData(): Promise<never> {
		return notProvided('credentialsHelper.updateCredentialsOauthTokenData');
	}
}

/** Read by n8n-core and left out by n8n itself unless something special is switched on. */
const MAY_LACK = [
	'currentNodeParameters',
	'currentNodeAttemptedDynamicCredentials',
	'currentNodeUsedDynamicCredentials',
	'data-table',
	'dynamic-credentials',
	'dynamicCredentialsResolvedUserId',
	'encryptedRunnerIdentity',
	'evalLlmMockHandler',
	'evaluationRunId',
	'executionContext',
	'executionTimeoutTimestamp',
	'otel',
	'restartExecutionId',
	'rootExecutionMode',
	'sendDataToUI',
	'ssrfBridge',
	'streamingEnabled',
	'toJSON',
];

export interface NodeUnderTest {
	/** One of the package's nodes by name, or a node type of the test. */
	node: 'amka' | 'smsSend' | 'smsTrigger' | INodeType;
	/** Defaults to the newest version. */
	typeVersion?: number;
	parameters?: INodeParameters;
	credentials?: CredentialValues;
	/** Credential types that are not the package's own. */
	credentialTypes?: ICredentialType[];
	onError?: OnError;
	retryOnFail?: boolean;
	maxTries?: number;
	/** At least 1: n8n takes 0 for "not set", which is a second. */
	waitBetweenTries?: number;
	executeOnce?: boolean;
	/** Whether the workflow is published. */
	active?: boolean;
	mode?: WorkflowExecuteMode;
	timezone?: string;
	/** What the node after each output does with its items; it hands them on when absent. */
	then?: (this: IExecuteFunctions, items: INodeExecutionData[]) => Promise<INodeExecutionData[][]>;
}

export interface Result {
	/** success, error, waiting, … as the execution list shows it. */
	status: IRun['status'];
	/** The items of each output of the node. */
	outputs: INodeExecutionData[][];
	/** The JSON of each output. */
	json: IDataObject[][];
	/** Per output and item: the input row that a later node finds with `$('Start').item`, or the reason it finds none. */
	origins: unknown[][];
	/** Why the run stopped. */
	error?: { message: string; description?: string | null; [key: string]: unknown };
	/** What the node failed with, also where the run went on. */
	nodeError?: { message: string; [key: string]: unknown };
	hints: NodeExecutionHint[];
	waitTill?: Date | null;
	/** The credential types read, one entry for every decryption. */
	decryptions: string[];
	/** The execution as n8n would store it. */
	stored: string;
	run: IRun;
}

/** A workflow `Start → Node → After 0…`, that keeps what n8n keeps between runs: static data and processed keys. */
export class TestWorkflow {
	static readonly ID = 'workflow1';
	static readonly WEBHOOK_ID = '22222222-2222-4222-8222-222222222222';
	static readonly EXECUTION_ID = '77';

	/** Each workflow has a node of its own: what n8n or the node remembers by this id stays with it. */
	readonly nodeId = randomUUID();

	/** As n8n stores it: what a run changed and no more. */
	staticData: IDataObject = {};

	nodeType: INodeType;

	private readonly types: Record<string, INodeType>;

	private input: INodeExecutionData[] = [];

	/** The settings may be changed between runs, as in the editor. */
	constructor(readonly spec: NodeUnderTest) {
		this.nodeType = this.loadNode();
		const own = (
			name: string,
			properties: INodeProperties[],
			execute: INodeType['execute'],
		): INodeType => ({
			description: {
				name,
				displayName: name,
				group: ['input'],
				version: 1,
				description: '',
				defaults: {},
				inputs: ['main'],
				outputs: ['main'],
				properties,
			},
			execute,
		});
		const start = () => this.input;
		const { then } = spec;
		this.types = {
			'test.start': own('start', [], async () => [start()]),
			'test.after': own(
				'after',
				[{ displayName: 'Origin', name: 'origin', type: 'json', default: '' }],
				async function () {
					const items = this.getInputData();
					const origins = items.map((_, index) => {
						try {
							return this.getNodeParameter('origin', index) as IDataObject;
						} catch (error) {
							return `no origin: ${(error as Error).message}`;
						}
					});
					this.setMetadata({ origins } as never);
					return then ? await then.call(this, items) : [items];
				},
			),
		};
	}

	private loadNode(): INodeType {
		const { node } = this.spec;
		return typeof node === 'string' ? sources[node]!() : node;
	}

	/** n8n stops and starts: what the node kept in its process is gone, what n8n stored is there. */
	restart(): void {
		jest.resetModules();
		this.nodeType = this.loadNode();
	}

	private type(name: string): INodeType {
		if (name === `${PACKAGE}.${this.nodeType.description.name}`) return this.nodeType;
		return this.types[name] ?? notProvided(`the node type "${name}"`);
	}

	private readonly nodeTypes: INodeTypes = {
		getByName: (name) => this.type(name),
		getByNameAndVersion: (name) => this.type(name),
		getKnownTypes: () => ({}),
	};

	/** A new copy of the workflow, as n8n loads one for every run and every webhook call. */
	load(): Workflow {
		const { spec, nodeType } = this;
		const { version, defaultVersion, webhooks } = nodeType.description;
		const node: INode = {
			id: this.nodeId,
			name: 'Node',
			type: `${PACKAGE}.${nodeType.description.name}`,
			typeVersion: spec.typeVersion ?? defaultVersion ?? [version].flat().at(-1)!,
			position: [0, 0],
			parameters: JSON.parse(JSON.stringify(spec.parameters ?? {})) as INodeParameters,
			credentials: Object.fromEntries(
				Object.keys(spec.credentials ?? {}).map((type) => [type, { id: type, name: `${type} account` }]),
			),
			...(webhooks && { webhookId: TestWorkflow.WEBHOOK_ID }),
			...Object.fromEntries(
				(['onError', 'retryOnFail', 'maxTries', 'waitBetweenTries', 'executeOnce'] as const)
					.filter((name) => spec[name] !== undefined)
					.map((name) => [name, spec[name]]),
			),
		};
		const around = (name: string, type: string, parameters: INodeParameters = {}): INode => ({
			id: name,
			name,
			type,
			typeVersion: 1,
			position: [0, 0],
			parameters,
		});
		const after = Array.from({ length: AFTER }, (_, output) => `After ${output}`);
		return new Workflow({
			id: TestWorkflow.ID,
			name: 'Test',
			active: spec.active ?? false,
			nodes: [
				around('Start', 'test.start'),
				node,
				// Nothing comes before a trigger.
				...after.map((name) => around(name, 'test.after', nodeType.description.group.includes('trigger') ? {} : { origin: "={{ $('Start').item.json }}" })),
			],
			connections: {
				Start: { main: [[{ node: 'Node', type: 'main', index: 0 }]] },
				Node: { main: after.map((name) => [{ node: name, type: 'main', index: 0 }]) },
			},
			nodeTypes: this.nodeTypes,
			staticData: JSON.parse(JSON.stringify(this.staticData)) as IDataObject,
			settings: { executionOrder: 'v1', timezone: spec.timezone ?? 'Europe/Athens' },
		});
	}

	/** Keeps static data the way n8n does: only when a node changed it, and as JSON. */
	save(workflow: Workflow): void {
		if (workflow.staticData.__dataChanged !== true) return;
		this.staticData = JSON.parse(JSON.stringify(workflow.staticData)) as IDataObject;
	}

	/** What n8n hands to the engine for one run. */
	additionalData(
		mode: WorkflowExecuteMode,
		more: Partial<IWorkflowExecuteAdditionalData> = {},
	): { data: IWorkflowExecuteAdditionalData; credentials: Credentials } {
		const credentials = new Credentials(this.spec.credentials ?? {}, this.spec.credentialTypes ?? []);
		const base = 'https://n8n.example.gr';
		const data = strict(
			'additionalData',
			{
				credentialsHelper: credentials,
				currentNodeExecutionIndex: 0,
				executionId: TestWorkflow.EXECUTION_ID,
				hooks: new ExecutionLifecycleHooks(mode, TestWorkflow.EXECUTION_ID, {} as never),
				instanceBaseUrl: `${base}/`,
				restApiUrl: `${base}/rest`,
				webhookBaseUrl: `${base}/webhook`,
				webhookTestBaseUrl: `${base}/webhook-test`,
				webhookWaitingBaseUrl: `${base}/webhook-waiting`,
				formWaitingBaseUrl: `${base}/form-waiting`,
				setExecutionStatus: () => {},
				variables: {},
				workflowId: TestWorkflow.ID,
				...more,
			},
			MAY_LACK,
		);
		return { data: data as unknown as IWorkflowExecuteAdditionalData, credentials };
	}

	/** One run from the start node. In: the rows, as JSON or as whole items. */
	async run(rows: Array<IDataObject | INodeExecutionData>): Promise<Result> {
		this.input = rows.map((row) =>
			'json' in row ? (row as INodeExecutionData) : { json: row as IDataObject },
		);
		const mode = this.spec.mode ?? 'trigger';
		const { data, credentials } = this.additionalData(mode);
		const workflow = this.load();
		const startNode = workflow.getNode('Start') as INode;
		const run = await new WorkflowExecute(data, mode).run({ workflow, startNode });
		return this.result(workflow, run, credentials);
	}

	/** A run that begins at the node itself: what n8n starts when its webhook returned these items. */
	async runFromNode(
		workflowData: INodeExecutionData[][],
		hooks: (hooks: ExecutionLifecycleHooks) => void = () => {},
	): Promise<Result> {
		const { data, credentials } = this.additionalData('webhook');
		hooks(data.hooks as ExecutionLifecycleHooks);
		const workflow = this.load();
		const run = await new WorkflowExecute(
			data,
			'webhook',
			createRunExecutionData({
				executionData: {
					nodeExecutionStack: [
						{ node: workflow.getNode('Node') as INode, data: { main: workflowData }, source: null },
					],
				},
			}),
		).processRunExecutionData(workflow);
		return this.result(workflow, run, credentials);
	}

	/** A waiting run goes on. In: the items its resume webhook returned, or nothing when the wait ended by time. */
	async resume(waiting: Result, workflowData?: INodeExecutionData[][]): Promise<Result> {
		const mode = this.spec.mode ?? 'trigger';
		const { data, credentials } = this.additionalData(mode, {
			restartExecutionId: TestWorkflow.EXECUTION_ID,
		});
		const workflow = this.load();
		// n8n has stored the execution in between.
		const stored = JSON.parse(JSON.stringify(waiting.run.data)) as IRun['data'];
		stored.waitTill = new Date(stored.waitTill as unknown as string);
		const entry = stored.executionData?.nodeExecutionStack[0];
		if (!entry) throw new Error('The run does not wait');
		if (workflowData) {
			entry.data.main = workflowData;
			entry.metadata = { ...entry.metadata, forwardAllOutputs: true } as never;
		}
		const run = await new WorkflowExecute(data, mode, stored).processRunExecutionData(workflow);
		return this.result(workflow, run, credentials);
	}

	private result(workflow: Workflow, run: IRun, credentials: Credentials): Result {
		this.save(workflow);
		const { runData, error } = run.data.resultData;
		const task = runData.Node?.at(-1);
		const outputs = (task?.data?.main ?? []).map((items) => items ?? []);
		const origins = outputs.map((_, output) => {
			const metadata = runData[`After ${output}`]?.at(-1)?.metadata as { origins?: unknown[] } | undefined;
			return metadata?.origins ?? [];
		});
		return {
			status: run.status,
			outputs,
			json: outputs.map((items) => items.map((item) => item.json)),
			origins,
			error: error as unknown as Result['error'],
			nodeError: task?.error as unknown as Result['nodeError'],
			hints: task?.hints ?? [],
			waitTill: run.waitTill,
			decryptions: credentials.decryptions,
			stored: asStored({ workflow: Object.values(workflow.nodes), run }),
			run,
		};
	}
}

/** Outputs a node under test may have, the error output included. */
const AFTER = 5;

/** One node, one run. */
export async function runNode(
	spec: NodeUnderTest,
	rows: Array<IDataObject | INodeExecutionData>,
): Promise<Result> {
	return await new TestWorkflow(spec).run(rows);
}

/**
 * The "Test" of a credential's form, for tests that are a function of a node.
 * In: the credential type and the values typed into the form. Out: what the form shows.
 */
export async function testCredential(
	type: string,
	values: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> {
	const workflow = new TestWorkflow({ node: type === 'amkaApi' ? 'amka' : 'smsSend', credentials: { [type]: values } });
	const testedBy = workflow.nodeType.description.credentials?.find(({ name }) => name === type)?.testedBy;
	const test = workflow.nodeType.methods?.credentialTest?.[typeof testedBy === 'string' ? testedBy : ''];
	if (!test) throw new Error(`The credential type "${type}" has no test function`);
	const { data } = workflow.additionalData('internal');
	const decrypted = await data.credentialsHelper.getDecrypted(data, { id: type, name: type }, type, 'internal');
	return await test.call(new CredentialTestContext(data), { id: type, name: type, type, data: decrypted });
}

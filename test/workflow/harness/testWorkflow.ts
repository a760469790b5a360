import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	Workflow,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type INodeTypes,
	type IRun,
	type IWorkflowExecuteAdditionalData,
	type NodeExecutionHint,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { randomUUID } from 'node:crypto';

import { notProvided, strict } from '../../strict';
import { aroundTypes, layOut, loadNode, toTool, typeName, type NodeUnderTest } from './layout';
import { asStored } from './runtime';
import { Credentials } from './stores';

/** Properties that n8n-core reads, but that n8n itself sets only with special settings. */
const MAY_LACK = [
	...'currentNodeParameters currentNodeAttemptedDynamicCredentials currentNodeUsedDynamicCredentials'.split(' '),
	...'data-table dynamic-credentials dynamicCredentialsResolvedUserId encryptedRunnerIdentity'.split(' '),
	...'evalLlmMockHandler evaluationRunId executionContext executionTimeoutTimestamp otel'.split(' '),
	...'restartExecutionId rootExecutionMode sendDataToUI ssrfBridge streamingEnabled toJSON'.split(' '),
];

export interface Result {
	/** The status in the list of executions: success, error, waiting and so on. */
	status: IRun['status'];
	/** The items of each output of the node. */
	outputs: INodeExecutionData[][];
	/** The JSON of each output. */
	json: IDataObject[][];
	/** For each item of each output, the input row that a later node finds with `$('Start').item`, or the error message. */
	origins: unknown[][];
	/** The error that stopped the execution. */
	error?: { message: string; description?: string | null; [key: string]: unknown };
	/** The node's error, also if the execution continued. */
	nodeError?: { message: string; [key: string]: unknown };
	hints: NodeExecutionHint[];
	waitTill?: Date | null;
	/** The type of the credential of each decryption. */
	decryptions: string[];
	/** The execution data as n8n would store it. */
	stored: string;
	run: IRun;
}

const asItems = (outputs: IDataObject[][] = []): INodeExecutionData[][] =>
	outputs.map((rows) => rows.map((json) => ({ json })));

/** Returns the data of an execution that this node's webhook has started with these items. */
const startedAt = (workflow: Workflow, node: string, main: INodeExecutionData[][]) =>
	createRunExecutionData({
		executionData: {
			nodeExecutionStack: [{ node: workflow.getNode(node) as INode, data: { main }, source: null }],
		},
	});

/**
 * A workflow `Start → Node → After 0, After 1, …`. It stores what n8n stores between executions: static data and processed
 * keys.
 */
export class TestWorkflow {
	/** The id of the workflows, except those that record sent messages: each of these has its own id, and so an empty list. */
	static readonly ID = 'workflow1';
	static readonly WEBHOOK_ID = '22222222-2222-4222-8222-222222222222';
	static readonly EXECUTION_ID = '77';

	/** Each workflow has its own node id, so that n8n and the node have no data of another workflow. */
	readonly nodeId = randomUUID();
	readonly id: string;

	/** The stored static data, which changes only if a node changes it. */
	staticData: IDataObject = {};

	nodeType: INodeType;

	private readonly types: Record<string, INodeType>;

	private input: INodeExecutionData[] = [];

	/** Between executions a test can change `spec`, as a user can change the node in the editor. */
	constructor(
		readonly spec: NodeUnderTest,
		id?: string,
	) {
		this.nodeType = this.loadNode();
		this.id = id ?? (spec.node === 'smsSend' ? `${TestWorkflow.ID}-${this.nodeId}` : TestWorkflow.ID);
		this.types = aroundTypes(() => this.input, spec.then);
		for (const { node = 'smsTrigger' } of Object.values(spec.triggers ?? {})) {
			const type = loadNode(node);
			this.types[typeName(type)] = type;
		}
	}

	private loadNode(): INodeType {
		const type = loadNode(this.spec.node);
		return this.spec.asTool ? toTool(type) : type;
	}

	/** Simulates a restart of n8n: the node's data in the process is lost, and stored data is kept. */
	restart(): void {
		jest.resetModules();
		this.nodeType = this.loadNode();
	}

	private type(name: string): INodeType {
		if (name === typeName(this.nodeType)) return this.nodeType;
		return this.types[name] ?? notProvided(`the node type "${name}"`);
	}

	private readonly nodeTypes: INodeTypes = {
		getByName: (name) => this.type(name),
		getByNameAndVersion: (name) => this.type(name),
		getKnownTypes: () => ({}),
	};

	/** Returns a new copy of the workflow, as n8n loads it for every execution and every webhook call. */
	load(): Workflow {
		const { spec, nodeType } = this;
		const { version, defaultVersion, webhooks } = nodeType.description;
		const node: INode = {
			id: this.nodeId,
			name: 'Node',
			type: typeName(nodeType),
			typeVersion: defaultVersion ?? [version].flat().at(-1)!,
			position: [0, 0],
			parameters: JSON.parse(JSON.stringify(spec.parameters ?? {})) as INodeParameters,
			credentials: Object.fromEntries(
				Object.keys(spec.credentials ?? {}).map((type) => [type, { id: type, name: `${type} account` }]),
			),
			...(webhooks && { webhookId: TestWorkflow.WEBHOOK_ID }),
			...Object.fromEntries(
				(['onError', 'retryOnFail', 'maxTries', 'waitBetweenTries', 'alwaysOutputData'] as const)
					.filter((name) => spec[name] !== undefined)
					.map((name) => [name, spec[name]]),
			),
		};
		return new Workflow({
			id: this.id,
			name: 'Test',
			active: spec.active ?? false,
			...layOut(spec, node, nodeType),
			nodeTypes: this.nodeTypes,
			staticData: JSON.parse(JSON.stringify(this.staticData)) as IDataObject,
			settings: { executionOrder: 'v1', timezone: spec.timezone ?? 'Europe/Athens' },
			pinData: Object.fromEntries(
				Object.entries(spec.triggers ?? {}).flatMap(([name, { pinned }]) =>
					pinned ? [[name, pinned.map((json) => ({ json }))]] : [],
				),
			),
		});
	}

	/** Stores static data as n8n does: as JSON, and only if a node has changed it. */
	save(workflow: Workflow): void {
		if (workflow.staticData.__dataChanged !== true) return;
		this.staticData = JSON.parse(JSON.stringify(workflow.staticData)) as IDataObject;
	}

	/** Returns the data that n8n passes to the engine for one execution. */
	additionalData(
		mode: WorkflowExecuteMode,
		more: Partial<IWorkflowExecuteAdditionalData> = {},
	): { data: IWorkflowExecuteAdditionalData; credentials: Credentials } {
		const credentials = new Credentials(this.spec.credentials ?? {});
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
				webhookWaitingBaseUrl: this.spec.webhookWaitingBaseUrl ?? `${base}/webhook-waiting`,
				formWaitingBaseUrl: `${base}/form-waiting`,
				setExecutionStatus: () => {},
				variables: {},
				workflowId: this.id,
				...more,
			},
			MAY_LACK,
		);
		return { data: data as unknown as IWorkflowExecuteAdditionalData, credentials };
	}

	/** Runs the workflow from the node Start, or from the trigger that has outputs. @param rows as JSON or as whole items */
	async run(rows: Array<IDataObject | INodeExecutionData>): Promise<Result> {
		this.input = rows.map((row) => ('json' in row ? (row as INodeExecutionData) : { json: row as IDataObject }));
		const mode = this.spec.mode ?? 'trigger';
		const { data, credentials } = this.additionalData(mode);
		const workflow = this.load();
		const [trigger, begun] = Object.entries(this.spec.triggers ?? {}).find(([, { outputs }]) => outputs) ?? [];
		const execution = trigger
			? new WorkflowExecute(data, mode, startedAt(workflow, trigger, asItems(begun?.outputs))).processRunExecutionData(
					workflow,
				)
			: new WorkflowExecute(data, mode).run({ workflow, startNode: workflow.getNode('Start') as INode });
		return this.result(workflow, await execution, credentials);
	}

	/** Runs the workflow from the node under test, as n8n does after its webhook has returned these items. */
	async runFromNode(
		workflowData: INodeExecutionData[][],
		hooks: (hooks: ExecutionLifecycleHooks) => void = () => {},
	): Promise<Result> {
		const { data, credentials } = this.additionalData('webhook');
		hooks(data.hooks as ExecutionLifecycleHooks);
		const workflow = this.load();
		const begin = startedAt(workflow, 'Node', workflowData);
		const run = await new WorkflowExecute(data, 'webhook', begin).processRunExecutionData(workflow);
		return this.result(workflow, run, credentials);
	}

	/** Continues a waiting execution with the items that its webhook returned, or with nothing after the time limit. */
	async resume(waiting: Result, workflowData?: INodeExecutionData[][]): Promise<Result> {
		const mode = this.spec.mode ?? 'trigger';
		const { data, credentials } = this.additionalData(mode, {
			restartExecutionId: TestWorkflow.EXECUTION_ID,
		});
		const workflow = this.load();
		// n8n has stored and loaded the execution in between.
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

	/** Runs n8n's *Retry with currently saved workflow* for an execution that stopped at the node, with changed rows. */
	async retry(stopped: Result, rows: IDataObject[]): Promise<Result> {
		const { data, credentials } = this.additionalData('retry', { executionId: '78' });
		const workflow = this.load();
		const stored = JSON.parse(JSON.stringify(stopped.run.data)) as IRun['data'];
		const { runData } = stored.resultData;
		delete stored.resultData.error;
		runData.Node!.pop();
		runData.Start![0]!.data!.main = asItems([rows]);
		const entry = stored.executionData!.nodeExecutionStack[0]!;
		entry.node = workflow.getNode('Node') as INode;
		entry.data.main = asItems([rows]);
		const run = await new WorkflowExecute(data, 'retry', stored).processRunExecutionData(workflow);
		return this.result(workflow, run, credentials);
	}

	private result(workflow: Workflow, run: IRun, credentials: Credentials): Result {
		this.save(workflow);
		const { runData, error } = run.data.resultData;
		const tasks = runData.Node ?? [];
		const task = tasks.at(-1);
		// An agent calls its tool once for each row, and gets only its first output. The items of all calls are put together here.
		const outputs = this.spec.asTool
			? [tasks.flatMap((call) => call.data?.ai_tool?.[0] ?? [])]
			: (task?.data?.main ?? []).map((items) => items ?? []);
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

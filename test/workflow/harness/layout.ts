import type {
	EngineResponse,
	IConnections,
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	INodeTypeDescription,
	OnError,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import type { CredentialValues } from './stores';

/*
 * The workflow around a node under test: `Start → Node → After 0, After 1, …`, with triggers before Start, or with an agent
 * that has the node as its tool.
 */

export interface NodeUnderTest {
	/** A node of the package by name, or a node type that the test defines. */
	node: 'amka' | 'smsSend' | 'smsResults' | 'smsCode' | 'smsTrigger' | INodeType;
	parameters?: INodeParameters;
	credentials?: CredentialValues;
	onError?: OnError;
	retryOnFail?: boolean;
	maxTries?: number;
	/** In milliseconds, at least 1: for 0, n8n uses its default of a second. */
	waitBetweenTries?: number;
	alwaysOutputData?: boolean;
	/** Whether the workflow is published. */
	active?: boolean;
	mode?: WorkflowExecuteMode;
	timezone?: string;
	/** The URL of n8n's endpoint for waiting executions. */
	webhookWaitingBaseUrl?: string;
	/**
	 * Triggers before the node Start, by their names. The trigger with `outputs` has started the execution with these items. If
	 * no trigger has outputs, the execution starts at Start.
	 */
	triggers?: Record<
		string,
		{ node?: NodeUnderTest['node']; parameters?: INodeParameters; outputs?: IDataObject[][]; pinned?: IDataObject[] }
	>;
	/** Whether an AI agent calls the node as its tool, once for each row and without values from the model. */
	asTool?: boolean;
	/** The function of the nodes after the outputs; by default they pass their items on. */
	then?: (this: IExecuteFunctions, items: INodeExecutionData[]) => Promise<INodeExecutionData[][]>;
}

/** Each source file is loaded at its first use, so that a broken file fails only its own tests. */
const sources: Record<string, () => INodeType> = {
	amka: () => new (require('../../../nodes/Amka/Amka.node').Amka)(),
	smsSend: () => new (require('../../../nodes/SmsSend/SmsSend.node').SmsSend)(),
	smsResults: () => new (require('../../../nodes/SmsResults/SmsResults.node').SmsResults)(),
	smsCode: () => new (require('../../../nodes/SmsCode/SmsCode.node').SmsCode)(),
	smsTrigger: () => new (require('../../../nodes/SmsTrigger/SmsTrigger.node').SmsTrigger)(),
};

export const loadNode = (node: NodeUnderTest['node']): INodeType =>
	typeof node === 'string' ? sources[node]!() : node;

/** Returns the name of a node type as it is in a workflow. */
export const typeName = (type: INodeType): string => `n8n-nodes-amka-sms.${type.description.name}`;

/** Returns the node type that n8n derives from a node for AI agents. */
export function toTool(type: INodeType): INodeType {
	const { description } = type;
	const changed = { name: `${description.name}Tool`, inputs: [], outputs: ['ai_tool'] };
	return Object.create(type, { description: { value: { ...description, ...changed } } }) as INodeType;
}

/** Returns a node type that only the tests use. */
export const tinyNode = (
	name: string,
	execute: INodeType['execute'],
	more: Partial<INodeTypeDescription> = {},
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
		properties: [],
		...more,
	},
	execute,
});

/** Returns the types of the nodes around the node under test. `start` returns the input rows. */
export const aroundTypes = (
	start: () => INodeExecutionData[],
	then: NodeUnderTest['then'],
): Record<string, INodeType> => ({
	'test.start': tinyNode('start', async () => [start()]),
	'test.after': tinyNode(
		'after',
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
		{ properties: [{ displayName: 'Origin', name: 'origin', type: 'json', default: '' }] },
	),
	// Like n8n's own agent, this node asks the engine to run its tools, and is called again with their results.
	'test.agent': tinyNode('agent', async function (response?: EngineResponse) {
		const items = this.getInputData();
		if (response?.actionResponses.length) return [items];
		const actions = items.map((_, itemIndex) => ({
			actionType: 'ExecutionNodeAction' as const,
			nodeName: 'Node',
			input: {},
			type: 'ai_tool' as const,
			id: `call ${itemIndex}`,
			metadata: { itemIndex },
		}));
		return { actions, metadata: {} };
	}),
});

/** The highest number of outputs of a node under test, including the error output. */
const AFTER = 5;

const around = (name: string, type: string, parameters: INodeParameters = {}): INode => ({
	id: name,
	name,
	type,
	typeVersion: 1,
	position: [0, 0],
	parameters,
});

/** Returns connections from all outputs of a node to one other node. */
const toOne = (node: string) => Array.from({ length: AFTER }, () => [{ node, type: 'main' as const, index: 0 }]);

/** Returns the nodes and connections of the workflow. */
export function layOut(spec: NodeUnderTest, node: INode, nodeType: INodeType) {
	const after = Array.from({ length: AFTER }, (_, output) => `After ${output}`);
	// A trigger has no node before it.
	const origin = nodeType.description.group.includes('trigger') ? {} : { origin: "={{ $('Start').item.json }}" };
	const nodes = [around('Start', 'test.start'), node, ...after.map((name) => around(name, 'test.after', origin))];
	const connections: IConnections = {
		Start: { main: [[{ node: spec.asTool ? 'Agent' : 'Node', type: 'main', index: 0 }]] },
	};
	if (spec.asTool) {
		nodes.push(around('Agent', 'test.agent'));
		connections.Node = { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] };
	} else {
		connections.Node = { main: after.map((name) => [{ node: name, type: 'main', index: 0 }]) };
	}
	for (const [name, { node: trigger = 'smsTrigger', parameters }] of Object.entries(spec.triggers ?? {})) {
		const type = loadNode(trigger);
		const typeVersion = [type.description.version].flat().at(-1)!;
		nodes.push({ ...around(name, typeName(type), parameters), typeVersion });
		connections[name] = { main: toOne('Start') };
	}
	return { nodes, connections };
}

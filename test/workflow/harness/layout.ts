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

/* The workflow around a node under test: `Start → Node → After 0…`, triggers before the start, an agent above a tool. */

export interface NodeUnderTest {
	/** One of the package's nodes by name, or a node type of the test. */
	node: 'amka' | 'smsSend' | 'smsResults' | 'smsCode' | 'smsTrigger' | INodeType;
	parameters?: INodeParameters;
	credentials?: CredentialValues;
	onError?: OnError;
	retryOnFail?: boolean;
	maxTries?: number;
	/** At least 1: n8n takes 0 for "not set", which is a second. */
	waitBetweenTries?: number;
	alwaysOutputData?: boolean;
	/** Whether the workflow is published. */
	active?: boolean;
	mode?: WorkflowExecuteMode;
	timezone?: string;
	/** The URL of n8n's endpoint for waiting executions. */
	webhookWaitingBaseUrl?: string;
	/**
	 * Triggers that lead to the start node, by their names. The one with `outputs` started the execution with these
	 * items. If none has outputs, the start node did.
	 */
	triggers?: Record<
		string,
		{ node?: NodeUnderTest['node']; parameters?: INodeParameters; outputs?: IDataObject[][]; pinned?: IDataObject[] }
	>;
	/** An AI agent calls the node once for each row of the start node, with nothing filled in. */
	asTool?: boolean;
	/** The function of the node after each output; by default it passes its items on. */
	then?: (this: IExecuteFunctions, items: INodeExecutionData[]) => Promise<INodeExecutionData[][]>;
}

/** Sources are read when first used, so that one broken file fails its own tests only. */
const sources: Record<string, () => INodeType> = {
	amka: () => new (require('../../../nodes/Amka/Amka.node').Amka)(),
	smsSend: () => new (require('../../../nodes/SmsSend/SmsSend.node').SmsSend)(),
	smsResults: () => new (require('../../../nodes/SmsResults/SmsResults.node').SmsResults)(),
	smsCode: () => new (require('../../../nodes/SmsCode/SmsCode.node').SmsCode)(),
	smsTrigger: () => new (require('../../../nodes/SmsTrigger/SmsTrigger.node').SmsTrigger)(),
};

export const loadNode = (node: NodeUnderTest['node']): INodeType =>
	typeof node === 'string' ? sources[node]!() : node;

/** The type of a node in a workflow. */
export const typeName = (type: INodeType): string => `n8n-nodes-amka-sms.${type.description.name}`;

/** Returns the node type that n8n makes of a node for an AI agent. */
export function toTool(type: INodeType): INodeType {
	const { description } = type;
	const changed = { name: `${description.name}Tool`, inputs: [], outputs: ['ai_tool'] };
	return Object.create(type, { description: { value: { ...description, ...changed } } }) as INodeType;
}

/** A node of the tests' own. */
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

/** The types of the nodes around it. `start` gives the rows of the run. */
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
	// Acts as n8n's own agent does: it asks the engine to run its tools, and is called again with their results.
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

/** Outputs a node under test may have, the error output included. */
const AFTER = 5;

const around = (name: string, type: string, parameters: INodeParameters = {}): INode => ({
	id: name,
	name,
	type,
	typeVersion: 1,
	position: [0, 0],
	parameters,
});

/** Every output of a node to one other. */
const toOne = (node: string) => Array.from({ length: AFTER }, () => [{ node, type: 'main' as const, index: 0 }]);

/** The nodes and connections of the workflow. */
export function layOut(spec: NodeUnderTest, node: INode, nodeType: INodeType) {
	const after = Array.from({ length: AFTER }, (_, output) => `After ${output}`);
	// Nothing comes before a trigger.
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

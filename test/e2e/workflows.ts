import { randomUUID } from 'node:crypto';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { WorkflowFile } from './n8n';

/** The names of the nodes of this package. */
export type PackageNode = 'amka' | 'smsSend' | 'smsResults' | 'smsCode' | 'smsTrigger';

/** Returns a node of this package in its newest version, with the given parameters. */
export function packageNode(type: PackageNode, parameters: INodeParameters): INode {
	return builtIn(`n8n-nodes-amka-sms.${type}`, type, type === 'smsTrigger' ? 2 : 1, parameters);
}

/** Returns one of n8n's own nodes. */
export function builtIn(type: string, name: string, typeVersion: number, parameters: INodeParameters): INode {
	return { id: randomUUID(), name, type, typeVersion, position: [0, 0], parameters };
}

/** Returns a workflow in which the first output of each node leads to the next node. */
export function chain(name: string, ...nodes: INode[]): WorkflowFile {
	const connections: WorkflowFile['connections'] = {};
	nodes.slice(0, -1).forEach((node, index) => {
		connections[node.name] = { main: [[{ node: nodes[index + 1]!.name, type: 'main', index: 0 }]] };
	});
	return { name, nodes, connections, settings: { executionOrder: 'v1' } };
}

/** Returns a workflow that starts with these rows when it is executed in the editor. */
export function withRows(rows: IDataObject[], ...nodes: INode[]): WorkflowFile {
	return {
		...chain('rows', builtIn('n8n-nodes-base.manualTrigger', 'Start', 1, {}), ...nodes),
		pinData: { Start: rows.map((json, item) => ({ json, pairedItem: { item } })) },
	};
}

import { CredentialTestContext, LoadOptionsContext } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	ILoadOptionsFunctions,
	INodeCredentialTestResult,
	INodeExecutionData,
	INodeListSearchResult,
	INodeParameters,
	ResourceMapperFields,
} from 'n8n-workflow';

import type { NodeUnderTest } from './layout';
import { TestWorkflow, type Result } from './testWorkflow';

export { logLines } from './runtime';
export { processed, type CredentialValues } from './stores';
export type { NodeUnderTest } from './layout';
export { TestWorkflow, type Result } from './testWorkflow';

/*
 * Runs whole workflows in n8n's own engine, in this process.
 *
 * Real: the engine, the contexts of nodes, the request helpers, n8n's default expression engine, and the nodes and credentials
 * from their sources. Simulated, because n8n has them outside n8n-core: the credentials and the lists of processed keys
 * (`stores.ts`), and the log (`runtime.ts`). If n8n-core calls anything else, the harness throws an error that names it.
 */

/** Runs a workflow with one node of the package once. */
export async function runNode(spec: NodeUnderTest, rows: Array<IDataObject | INodeExecutionData>): Promise<Result> {
	return await new TestWorkflow(spec).run(rows);
}

/**
 * Runs the test of a credential that a node implements.
 *
 * @param type the credential type
 * @param values the values in the form of the credential
 * @returns the result that the form shows
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

/**
 * Returns what the editor shows for a node while a workflow is edited. `ask` is called as n8n calls the methods of a node.
 */
async function inTheEditor<T>(
	spec: Pick<NodeUnderTest, 'node' | 'credentials' | 'parameters'>,
	ask: (workflow: TestWorkflow, context: ILoadOptionsFunctions) => Promise<T>,
): Promise<T> {
	const owner = new TestWorkflow(spec);
	const { data } = owner.additionalData('internal', { currentNodeParameters: spec.parameters ?? {} });
	const workflow = owner.load();
	await workflow.expression.acquireIsolate();
	try {
		return await ask(owner, new LoadOptionsContext(workflow, workflow.getNode('Node')!, data, 'parameters'));
	} finally {
		await workflow.expression.releaseIsolate();
	}
}

/**
 * Returns the list of a resource locator, as the editor requests it.
 *
 * @param method the name of the node's method that returns the list
 * @param filter the text in the search field
 */
export async function listSearchOf(
	node: NodeUnderTest['node'],
	method: string,
	filter: string | undefined,
	credentials: NodeUnderTest['credentials'],
	parameters: INodeParameters = {},
): Promise<INodeListSearchResult> {
	return await inTheEditor({ node, credentials, parameters }, async ({ nodeType }, context) => {
		const search = nodeType.methods?.listSearch?.[method];
		if (!search) throw new Error(`The node has no list "${method}"`);
		return await search.call(context, filter);
	});
}

/**
 * Returns the fields of a resource mapper, as the editor requests them. If two fields have the same id, n8n shows the first
 * field.
 */
export async function resourceMappingOf(
	node: NodeUnderTest['node'],
	method: string,
	credentials: NodeUnderTest['credentials'],
	parameters: INodeParameters = {},
): Promise<ResourceMapperFields> {
	return await inTheEditor({ node, credentials, parameters }, async ({ nodeType }, context) => {
		const map = nodeType.methods?.resourceMapping?.[method];
		if (!map) throw new Error(`The node has no mapper "${method}"`);
		const result = await map.call(context);
		const fields = result.fields.filter(({ id }, index) => result.fields.findIndex((each) => each.id === id) === index);
		return { ...result, fields };
	});
}

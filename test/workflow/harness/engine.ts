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
 * Whole workflows through n8n's own engine, in this process.
 *
 * Real: the engine, the contexts of nodes, the request helpers, n8n's default expression engine, and the nodes and credentials
 * from their sources. Simulated (`stores.ts`), after n8n's own code outside n8n-core: the credential store, the memory of
 * processed keys, and the log. If n8n-core calls anything else, the harness throws an error that names it.
 */

/** One node, one run. */
export async function runNode(spec: NodeUnderTest, rows: Array<IDataObject | INodeExecutionData>): Promise<Result> {
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

/**
 * Returns what the editor shows of a node while a workflow is edited. `ask` is called as n8n calls a node's own
 * methods.
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
 * A list of a resource locator, as the editor asks for it.
 * In: the node, the method's name, what was typed into the search, the credentials' values, the form's other fields.
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

/** The fields of a resource mapper, as the editor asks for them: of two with one id, n8n shows the first. */
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

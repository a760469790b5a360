import { CredentialTestContext } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeCredentialTestResult,
	INodeExecutionData,
} from 'n8n-workflow';

import { TestWorkflow, type NodeUnderTest, type Result } from './testWorkflow';

export { logLines } from './runtime';
export { processed, type CredentialValues } from './stores';
export { TestWorkflow, type NodeUnderTest, type Result } from './testWorkflow';

/*
 * Whole workflows through n8n's own engine, in this process.
 *
 * Real: the engine, the contexts given to nodes, the request helpers, the expression engine n8n starts by default,
 * the nodes and credentials from their sources. Played (`stores.ts`), after n8n's own code outside n8n-core: the
 * credential store, the memory of processed keys, the log. Whatever n8n-core asks for beyond that is an error with a
 * name, never an empty answer.
 */

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

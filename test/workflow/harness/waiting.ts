import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { TestWorkflow, type NodeUnderTest } from './engine';
import { bodyOf, platform, ROW, send } from './send';

/* Common parts of the tests of Send and Wait. */

/** Returns a node that sends to the row's mobile and waits for the delivery report. */
export const wait = (
	options: INodeParameters = {},
	more: Partial<NodeUnderTest> = {},
	parameters: INodeParameters = {},
) => new TestWorkflow(send({ operation: 'sendAndWait', ...parameters }, { reference: 'ref-1', ...options }, more));
/** Query parameters of the report URL of the last message, which identify the wait. */
let asked: { ref: string; once: string };
/** Returns the call with the delivery report of the last message. */
export const report = (changes: IDataObject = {}) => ({
	query: asked,
	body: { serviceId: 'grades', recipient: '6912345678', status: 'DELIVRD', ...changes },
});
export const MESSAGE = { serviceId: 'grades', messageId: 'result', recipient: '6912345678', reference: 'ref-1' };
/** Runs a workflow until its node waits. */
export const pause = async (workflow: TestWorkflow, sent = platform()) => {
	const run = await workflow.run([ROW]);
	expect([run.error?.message, run.status]).toEqual([undefined, 'waiting']);
	const { searchParams } = new URL(String(bodyOf(sent.at(-1))['dlr-url']));
	asked = { ref: searchParams.get('ref')!, once: searchParams.get('once')! };
	return { run, sent };
};

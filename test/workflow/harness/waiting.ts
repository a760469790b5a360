import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { TestWorkflow, type NodeUnderTest } from './engine';
import { bodyOf, platform, ROW, send } from './send';

/* Common parts of the tests of Send and Wait. */

/** A node that sends to the row's mobile and waits for the report. */
export const wait = (
	options: INodeParameters = {},
	more: Partial<NodeUnderTest> = {},
	parameters: INodeParameters = {},
) => new TestWorkflow(send({ operation: 'sendAndWait', ...parameters }, { reference: 'ref-1', ...options }, more));
/** Query parameters of the last message's report URL, which identify the wait. */
let asked: { ref: string; once: string };
/** The report on its message, as the platform calls. */
export const report = (changes: IDataObject = {}) => ({
	query: asked,
	body: { serviceId: 'grades', recipient: '6912345678', status: 'DELIVRD', ...changes },
});
export const MESSAGE = { serviceId: 'grades', messageId: 'result', recipient: '6912345678', reference: 'ref-1' };
/** Runs a node until it waits. */
export const pause = async (workflow: TestWorkflow, sent = platform()) => {
	const run = await workflow.run([ROW]);
	expect([run.error?.message, run.status]).toEqual([undefined, 'waiting']);
	const { searchParams } = new URL(String(bodyOf(sent.at(-1))['dlr-url']));
	asked = { ref: searchParams.get('ref')!, once: searchParams.get('once')! };
	return { run, sent };
};

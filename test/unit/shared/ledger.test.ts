import type { IExecuteFunctions } from 'n8n-workflow';

import { openLedger } from '../../../nodes/shared/ledger';

/** A node in an execution: its context stays while n8n runs it again, also as JSON. */
const executionOf = () => {
	const store: Record<string, unknown> = {};
	return (runIndex: number) =>
		openLedger<string>({
			getContext: () => store,
			getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
		} as unknown as IExecuteFunctions);
};

describe('a ledger', () => {
	it('of a node in a loop begins anew with each run', () => {
		const open = executionOf();
		open(0).set('3', 'answered');
		expect(open(1).get('3')).toBeUndefined();
	});
});

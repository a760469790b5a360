import type { IExecuteFunctions } from 'n8n-workflow';

import { openRetryState } from '../../../../lib/smsPlatform/retryState';

/**
 * Returns a function that opens the retry state for a run of one node. All runs are in one execution and share the node's
 * context.
 */
const executionOf = (type = 'smsSend') => {
	const store: Record<string, unknown> = {};
	return (runIndex: number) =>
		openRetryState<{ answered: boolean }>({
			getContext: () => store,
			getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
			getExecutionId: () => '7',
			getNode: () => ({ type }),
		} as unknown as IExecuteFunctions);
};

describe('openRetryState', () => {
	it('returns no outcome of an earlier run of the node in a loop', () => {
		const open = executionOf();
		const name = ['7 3'];
		open(0).keep(name, { answered: true });
		expect(open(0).find(name)).toEqual({ answered: true });
		expect(open(1).find(name)).toBeUndefined();
	});

	it('runs the work once for two equal, simultaneous calls of a tool, and returns its outcome to both', async () => {
		const open = executionOf('smsCodeTool');
		let times = 0;
		const work = async () => await Promise.resolve({ answered: ++times > 0 });
		const call = async (name: string) => await open(0).once([name], work);
		expect(await Promise.all([call('a'), call('a'), call('b')])).toEqual(Array(3).fill({ answered: true }));
		expect(times).toBe(2);
	});
});

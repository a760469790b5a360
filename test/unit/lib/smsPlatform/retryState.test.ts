import type { IExecuteFunctions } from 'n8n-workflow';

import { openRetryState } from '../../../../lib/smsPlatform/retryState';

/** A node in an execution: its context stays while n8n runs it again, also as JSON. */
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
	it('starts again with each run of a node in a loop', () => {
		const open = executionOf();
		const name = ['7 3'];
		open(0).keep(name, { answered: true });
		expect(open(0).find(name)).toEqual({ answered: true });
		expect(open(1).find(name)).toBeUndefined();
	});

	it('returns the first outcome to the second of two equal, simultaneous calls of a tool', async () => {
		const open = executionOf('smsCodeTool');
		let times = 0;
		const work = async () => await Promise.resolve({ answered: ++times > 0 });
		const call = async (name: string) => await open(0).once([name], work);
		expect(await Promise.all([call('a'), call('a'), call('b')])).toEqual(Array(3).fill({ answered: true }));
		expect(times).toBe(2);
	});
});

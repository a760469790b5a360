import { withDeadline } from '../../nodes/shared/baseUrl';

describe('withDeadline', () => {
	it.each([33.3, 1, 2 ** 40])('takes a time-out of %d ms', (timeout) => {
		expect(withDeadline({ url: '', timeout }).abortSignal).toMatchObject({ aborted: false });
	});
	it.each([undefined, 0])('sets none for %p, which is no limit', (timeout) => {
		expect(withDeadline({ url: '', timeout })).toEqual({ url: '', timeout });
	});
	it('leaves the signal that stops a cancelled execution in force', () => {
		const execution = new AbortController();
		const { abortSignal } = withDeadline({ url: '', timeout: 60_000, abortSignal: execution.signal });
		execution.abort();
		expect(abortSignal?.aborted).toBe(true);
	});
});

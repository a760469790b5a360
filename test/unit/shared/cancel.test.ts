import type { IExecuteFunctions } from 'n8n-workflow';

import { pause } from '../../../nodes/shared/cancel';

describe('pause', () => {
	const context = (signal?: AbortSignal) =>
		({ getExecutionCancelSignal: () => signal }) as unknown as IExecuteFunctions;

	it('ends with an error where the run was cancelled before', async () => {
		await expect(pause(context(AbortSignal.abort()), 10_000)).rejects.toThrow('cancelled');
	});

	it('ends with an error where the run is cancelled meanwhile, also in its last second', async () => {
		const stop = new AbortController();
		setTimeout(() => stop.abort(), 10);
		await expect(pause(context(stop.signal), 50)).rejects.toThrow('cancelled');
	});

	it('of nothing does not wait', async () => {
		await expect(pause(context(), 0)).resolves.toBeUndefined();
	});
});

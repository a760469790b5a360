import type { IExecuteFunctions } from 'n8n-workflow';

import { pause } from '../../../../lib/http/cancel';

const context = (signal?: AbortSignal) => ({ getExecutionCancelSignal: () => signal }) as unknown as IExecuteFunctions;

describe('pause', () => {
	it('rejects if the run was already cancelled', async () => {
		await expect(pause(context(AbortSignal.abort()), 10_000)).rejects.toThrow('cancelled');
	});

	it('rejects if the run is cancelled during the pause, even if the pause is shorter than a second', async () => {
		const stop = new AbortController();
		setTimeout(() => stop.abort(), 10);
		await expect(pause(context(stop.signal), 50)).rejects.toThrow('cancelled');
	});

	it('resolves after a pause of zero milliseconds', async () => {
		await expect(pause(context(), 0)).resolves.toBeUndefined();
	});
});

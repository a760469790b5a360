import type { IExecuteFunctions } from 'n8n-workflow';

import { pause } from './cancel';

/**
 * Creates a rate limiter that spaces the starts of requests evenly.
 * @param perSecond the number of requests that may start in a second; 0: no limit
 */
export function openPace(context: IExecuteFunctions, perSecond: number) {
	let nextStart = 0;
	const waitUntil = async (start: number) => {
		const now = Date.now();
		if (start > now) await pause(context, start - now);
	};
	return {
		perSecond,
		/** Waits until a request may start, and reserves nothing. @throws if the run was cancelled meanwhile */
		wait: async () => await waitUntil(nextStart),
		/** Reserves the next start, so that further requests start later, and waits for it. @throws as `wait` does */
		async take(): Promise<void> {
			if (perSecond === 0) return;
			const start = Math.max(Date.now(), nextStart);
			nextStart = start + 1000 / perSecond;
			await waitUntil(start);
		},
	};
}

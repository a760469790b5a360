import type { IExecuteFunctions } from 'n8n-workflow';

import { pause } from '../../shared/retry';

/** Spaces the starts of requests evenly. Zero is no limit. */
export function openPace(context: IExecuteFunctions, perSecond: number): () => Promise<void> {
	let nextStart = 0;
	return async () => {
		if (perSecond === 0) return;
		const now = Date.now();
		const start = Math.max(now, nextStart);
		nextStart = start + 1000 / perSecond;
		if (start > now) await pause(context, start - now);
	};
}

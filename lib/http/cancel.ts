import { sleep, type IExecuteFunctions } from 'n8n-workflow';

/** Returns whether the run was cancelled. Then no further request may start. */
export const isCancelled = (context: IExecuteFunctions) => context.getExecutionCancelSignal()?.aborted === true;

export function throwIfCancelled(context: IExecuteFunctions): void {
	if (isCancelled(context)) throw new Error('The run was cancelled before this item had a result');
}

/** Waits for a number of milliseconds, in short steps so that a cancelled run ends soon. @throws if the run was cancelled */
export async function pause(context: IExecuteFunctions, milliseconds: number): Promise<void> {
	const end = Date.now() + milliseconds;
	for (;;) {
		throwIfCancelled(context);
		const left = end - Date.now();
		if (left <= 0) return;
		await sleep(Math.min(left, 1000));
	}
}

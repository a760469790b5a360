import { sleep, type IExecuteFunctions } from 'n8n-workflow';

/** @throws Error where the run was cancelled: nothing more begins */
export function throwIfCancelled(context: IExecuteFunctions): void {
	if (context.getExecutionCancelSignal()?.aborted === true)
		throw new Error('The run was cancelled before this item was tried');
}

/** Waits, in short steps, so that a cancelled run does not wait to the end. In milliseconds. */
export async function pause(context: IExecuteFunctions, milliseconds: number): Promise<void> {
	const end = Date.now() + milliseconds;
	for (;;) {
		throwIfCancelled(context);
		const left = end - Date.now();
		if (left <= 0) return;
		await sleep(Math.min(left, 1000));
	}
}

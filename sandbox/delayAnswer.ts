import type { Running } from './running';
import type { State } from './state';

/** Waits before an answer, as the switches `delayMs` and `holdUntilTaken` say. */
export async function delayAnswer({ trouble, messages }: State, running: Running): Promise<void> {
	await running.wait(trouble.delayMs);
	while (messages.length < trouble.holdUntilTaken && !running.stopped) await running.wait(10);
}

import type { Running } from './running';
import type { State } from './state';

/** Waits as long as the switches say before an answer. */
export async function holdUp({ trouble, messages }: State, running: Running): Promise<void> {
	await running.wait(trouble.delayMs);
	while (messages.length < trouble.holdUntilTaken && !running.stopped) await running.wait(10);
}

import { setTimeout as sleep } from 'node:timers/promises';

/** Work that goes on after its request. Callers can wait for it, and the end of the sandbox cuts it short. */
export class Running {
	private readonly stopping = new AbortController();
	private readonly work = new Set<Promise<void>>();

	/** Aborted when the sandbox ends. */
	get signal(): AbortSignal {
		return this.stopping.signal;
	}

	/** Whether the sandbox is ending. */
	get stopped(): boolean {
		return this.signal.aborted;
	}

	/** Ends every wait. */
	stop(): void {
		this.stopping.abort();
	}

	/** Waits until the time is over or the sandbox stops. */
	async wait(ms: number): Promise<void> {
		if (ms > 0) await sleep(ms, undefined, { signal: this.signal }).catch(() => undefined);
	}

	/** Runs work for which `settled` waits. */
	async background(work: () => Promise<void>): Promise<void> {
		const done = work().finally(() => this.work.delete(done));
		this.work.add(done);
		await done;
	}

	/** Resolves when no work is running or waiting. */
	async settled(): Promise<void> {
		while (this.work.size > 0) await Promise.all(this.work);
	}
}

import { setTimeout as sleep } from 'node:timers/promises';

/** What outlives its request: it is waited for, and cut short when the sandbox ends. */
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

	/** Waits; a stopping sandbox waits no longer. */
	async wait(ms: number): Promise<void> {
		if (ms > 0) await sleep(ms, undefined, { signal: this.signal }).catch(() => undefined);
	}

	/** Runs something that `settled` is to know about. */
	async background(work: () => Promise<void>): Promise<void> {
		const done = work().finally(() => this.work.delete(done));
		this.work.add(done);
		await done;
	}

	/** Resolves when nothing is under way or waiting. */
	async settled(): Promise<void> {
		while (this.work.size > 0) await Promise.all(this.work);
	}
}

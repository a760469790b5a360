import { setTimeout as sleep } from 'node:timers/promises';

/** Manages work that continues after the answer to its request. Tests can wait for that work, and `stop` ends its waits. */
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

	/** Ends all waits and aborts `signal`. */
	stop(): void {
		this.stopping.abort();
	}

	/** Waits for a time, or until the sandbox stops. */
	async wait(ms: number): Promise<void> {
		if (ms > 0) await sleep(ms, undefined, { signal: this.signal }).catch(() => undefined);
	}

	/** Runs a function. `settled` waits until it has ended. */
	async background(work: () => Promise<void>): Promise<void> {
		const done = work().finally(() => this.work.delete(done));
		this.work.add(done);
		await done;
	}

	/** Resolves when all background work has ended. */
	async settled(): Promise<void> {
		while (this.work.size > 0) await Promise.all(this.work);
	}
}

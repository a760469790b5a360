import type { Sandbox } from './server';
import type { Kept } from './store';

/** Calls that the platform owes one address: one body after the other, each until it is taken or given up. */
export interface Errand {
	url: string;
	bodies: Array<Record<string, unknown>>;
	/** How often the first of them was sent in vain. */
	tries: number;
	/** When the next call is due, in Unix milliseconds. */
	dueAt: number;
	/** The number of the text that it passes on, 0 where it reports on a message. */
	text: number;
}

/** What an institution's webhook answered; status 0 when it didn't. */
export interface CallResult {
	status: number;
	answer: unknown;
}

/**
 * Carries out what the platform owes, again where it wasn't taken. It is written down until it is done:
 * a restart goes on where it was.
 */
export class Outbox {
	private readonly sandbox: Sandbox;
	private readonly retryMs: readonly number[];

	/** @param retryMs how long after each failed call it calls again; after the last it gives up */
	constructor(sandbox: Sandbox, retryMs: readonly number[]) {
		this.sandbox = sandbox;
		this.retryMs = retryMs;
	}

	/**
	 * Begins an errand.
	 * @returns what the first call was answered (undefined: the sandbox ended before it), and when all is done
	 */
	begin(errand: Omit<Errand, 'tries'>): { first: Promise<CallResult | undefined>; done: Promise<void> } {
		return this.run(this.sandbox.store.add('errand', { ...errand, tries: 0 }));
	}

	/** Takes up again what an earlier run of the sandbox has left. */
	goOn(): void {
		for (const errand of this.sandbox.store.all<Errand>('errand')) this.run(errand);
	}

	private run(errand: Kept<Errand>): { first: Promise<CallResult | undefined>; done: Promise<void> } {
		let tellFirst: (result: CallResult | undefined) => void;
		const first = new Promise<CallResult | undefined>((resolve) => (tellFirst = resolve));
		const done = this.sandbox
			.background(async () => await this.work(errand, tellFirst))
			.finally(() => tellFirst(undefined));
		return { first, done };
	}

	private async work(errand: Kept<Errand>, called: (result: CallResult) => void): Promise<void> {
		const { sandbox } = this;
		for (let [body] = errand.bodies; body; [body] = errand.bodies) {
			await sandbox.wait(errand.dueAt - Date.now());
			if (sandbox.stopped) return;
			const result = await sandbox.call(errand.url, body);
			// A call that our own end has cut is made again after the start.
			if (sandbox.stopped && result.status === 0) return;
			if (errand.text) sandbox.textWasPassedOn(errand.text, result);
			called(result);

			const pause = this.retryMs[errand.tries];
			if (isDecided(result) || pause === undefined) {
				errand.bodies.shift();
				Object.assign(errand, { tries: 0, dueAt: Date.now() });
			} else {
				Object.assign(errand, { tries: errand.tries + 1, dueAt: Date.now() + pause });
			}
			if (errand.bodies.length > 0) sandbox.store.change('errand', errand);
		}
		sandbox.store.remove('errand', errand.id);
	}
}

/** It was taken, or refused in the documented words: calling again would change nothing. */
function isDecided({ status, answer }: CallResult): boolean {
	if (status >= 200 && status < 300) return true;
	return status > 0 && status < 500 && (answer as { result?: unknown } | null)?.result === '1';
}

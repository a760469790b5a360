import { callWebhook } from './callWebhook';
import type { Running } from './running';
import type { CallResult, State } from './state';
import type { Stored } from './store';

/**
 * The calls that the platform still has to make to one URL: one for each body, in their order. The platform makes the next call
 * when the institution has accepted or rejected the body before, or when the platform has given that body up.
 */
export interface PendingCalls {
	url: string;
	bodies: Array<Record<string, unknown>>;
	/** How often the call with the first of these bodies has failed. */
	tries: number;
	/** When the next call is due, in Unix milliseconds. */
	dueAt: number;
	/** The id of the user's SMS (`Text`) that is passed on. 0: the calls are delivery reports. */
	text: number;
}

/** The largest number of `PendingCalls` at the same time. If there are already so many, further calls are never made. */
const mostPending = 50_000;

/** Milliseconds between two calls if the switch `callsAgain` sets their number. */
const shortPauseMs = 500;

/**
 * Makes the calls of the platform to institutions, and repeats a call that the institution has neither accepted nor rejected
 * with a documented answer. It stores pending calls, so that they are made after a restart.
 */
export class Outbox {
	private readonly state: State;
	private readonly running: Running;
	private readonly retryMs: readonly number[];
	private open = 0;

	/**
	 * @param retryMs the pause after each failed call, in milliseconds. If the call fails after the last pause, the platform
	 * gives up
	 */
	constructor(state: State, running: Running, retryMs: readonly number[]) {
		this.state = state;
		this.running = running;
		this.retryMs = retryMs;
	}

	/**
	 * Starts making the calls.
	 * @returns `first` resolves with the answer to the first call. Undefined: the call was not made, because the sandbox ended
	 * or too many calls are pending. `done` resolves when no call is left
	 */
	begin(pending: Omit<PendingCalls, 'tries'>): { first: Promise<CallResult | undefined>; done: Promise<void> } {
		if (this.open >= mostPending) return { first: Promise.resolve(undefined), done: Promise.resolve() };
		return this.run(this.state.store.add('pending', { ...pending, tries: 0 }));
	}

	/** Makes the calls that were pending when the sandbox ended. */
	resume(): void {
		for (const pending of this.state.store.all<PendingCalls>('pending')) this.run(pending);
	}

	private run(pending: Stored<PendingCalls>): { first: Promise<CallResult | undefined>; done: Promise<void> } {
		this.open++;
		let tellFirst: (result: CallResult | undefined) => void;
		const first = new Promise<CallResult | undefined>((resolve) => (tellFirst = resolve));
		const done = this.running
			.background(async () => await this.work(pending, tellFirst))
			.finally(() => {
				this.open--;
				tellFirst(undefined);
			});
		return { first, done };
	}

	private async work(pending: Stored<PendingCalls>, called: (result: CallResult) => void): Promise<void> {
		const { state, running } = this;
		for (let [body] = pending.bodies; body; [body] = pending.bodies) {
			await running.wait(pending.dueAt - Date.now());
			if (running.stopped) return;
			const result = await callWebhook(state, running, pending.url, body);
			// The end of the sandbox has interrupted this call. It is made again after the next start.
			if (running.stopped && result.status === 0) return;
			const pause = isDecided(result) ? undefined : this.pauseAfter(pending.tries);
			if (pending.text) state.textWasPassedOn(pending.text, result, pause === undefined);
			called(result);

			if (pause === undefined) {
				pending.bodies.shift();
				Object.assign(pending, { tries: 0, dueAt: Date.now() });
			} else {
				Object.assign(pending, { tries: pending.tries + 1, dueAt: Date.now() + pause });
			}
			if (pending.bodies.length > 0) state.store.change('pending', pending);
		}
		state.store.remove('pending', pending.id);
	}

	/** Returns the milliseconds until the next attempt. Undefined: the platform gives up. */
	private pauseAfter(tries: number): number | undefined {
		const { callsAgain } = this.state.trouble;
		if (callsAgain === null) return this.retryMs[tries];
		return tries < callsAgain ? shortPauseMs : undefined;
	}
}

/** Returns whether the institution has accepted the call, or rejected it with a documented answer. Neither is repeated. */
function isDecided({ status, answer }: CallResult): boolean {
	if (status >= 200 && status < 300) return true;
	// The documentation has `result` as text, and one real client sends it as a number.
	return status > 0 && status < 500 && String((answer as { result?: unknown } | null)?.result) === '1';
}

import { callWebhook } from './callWebhook';
import type { Running } from './running';
import type { CallResult, State } from './state';
import type { Kept } from './store';

/**
 * The calls that the platform still has to make to one URL. It sends one body after the other, until it is accepted or given
 * up.
 */
export interface Errand {
	url: string;
	bodies: Array<Record<string, unknown>>;
	/** How often the first call failed. */
	tries: number;
	/** When the next call is due, in Unix milliseconds. */
	dueAt: number;
	/** The number of the text that it passes on. 0 for a report on a message. */
	text: number;
}

/** The largest number of pending calls. Further calls are never made. */
const mostErrands = 50_000;

/** Milliseconds between two calls if the switches set their number. */
const momentMs = 500;

/**
 * Makes the pending calls of the platform, and repeats a call that was not accepted. Pending calls are stored, so that a restart
 * goes on with them.
 */
export class Outbox {
	private readonly state: State;
	private readonly running: Running;
	private readonly retryMs: readonly number[];
	private open = 0;

	/** @param retryMs how long after each failed call it calls again; after the last it gives up */
	constructor(state: State, running: Running, retryMs: readonly number[]) {
		this.state = state;
		this.running = running;
		this.retryMs = retryMs;
	}

	/**
	 * Begins an errand.
	 * @returns what the first call was answered (undefined: the sandbox ended before it), and when all is done
	 */
	begin(errand: Omit<Errand, 'tries'>): { first: Promise<CallResult | undefined>; done: Promise<void> } {
		if (this.open >= mostErrands) return { first: Promise.resolve(undefined), done: Promise.resolve() };
		return this.run(this.state.store.add('errand', { ...errand, tries: 0 }));
	}

	/** Takes up again what an earlier run of the sandbox has left. */
	goOn(): void {
		for (const errand of this.state.store.all<Errand>('errand')) this.run(errand);
	}

	private run(errand: Kept<Errand>): { first: Promise<CallResult | undefined>; done: Promise<void> } {
		this.open++;
		let tellFirst: (result: CallResult | undefined) => void;
		const first = new Promise<CallResult | undefined>((resolve) => (tellFirst = resolve));
		const done = this.running
			.background(async () => await this.work(errand, tellFirst))
			.finally(() => {
				this.open--;
				tellFirst(undefined);
			});
		return { first, done };
	}

	private async work(errand: Kept<Errand>, called: (result: CallResult) => void): Promise<void> {
		const { state, running } = this;
		for (let [body] = errand.bodies; body; [body] = errand.bodies) {
			await running.wait(errand.dueAt - Date.now());
			if (running.stopped) return;
			const result = await callWebhook(state, running, errand.url, body);
			// A call that our own end has cut is made again after the start.
			if (running.stopped && result.status === 0) return;
			const pause = isDecided(result) ? undefined : this.pauseAfter(errand.tries);
			if (errand.text) state.textWasPassedOn(errand.text, result, pause === undefined);
			called(result);

			if (pause === undefined) {
				errand.bodies.shift();
				Object.assign(errand, { tries: 0, dueAt: Date.now() });
			} else {
				Object.assign(errand, { tries: errand.tries + 1, dueAt: Date.now() + pause });
			}
			if (errand.bodies.length > 0) state.store.change('errand', errand);
		}
		state.store.remove('errand', errand.id);
	}

	/** @returns the milliseconds until it calls again; undefined: it has called often enough */
	private pauseAfter(tries: number): number | undefined {
		const { callsAgain } = this.state.trouble;
		if (callsAgain === null) return this.retryMs[tries];
		return tries < callsAgain ? momentMs : undefined;
	}
}

/** It was taken, or refused in the documented words: calling again would change nothing. */
function isDecided({ status, answer }: CallResult): boolean {
	if (status >= 200 && status < 300) return true;
	// A number in one working integration, text in the documents.
	return status > 0 && status < 500 && String((answer as { result?: unknown } | null)?.result) === '1';
}

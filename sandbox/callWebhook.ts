import type { Running } from './running';
import type { CallResult, State } from './state';
import { isThisComputer } from './thisComputer';
import { parsed } from './traffic';

/** The sandbox stores at most this many characters of an answer. Documented answers are much shorter. */
const mostCharacters = 100_000;

/**
 * Sends one JSON body by POST to an institution's webhook. It calls only URLs on this computer, because a workflow under test
 * may contain the URL of a real server. It gives up after `giveUpAfterMs`. It never throws: a failed call has status 0.
 */
export async function callWebhook(state: State, running: Running, url: string, body: object): Promise<CallResult> {
	const call = state.traffic.begun({ direction: 'out', method: 'POST', url, headers: {}, body });
	const { giveUpAfterMs } = state.trouble;
	const patience = AbortSignal.timeout(giveUpAfterMs);
	let result: CallResult;
	try {
		const { hostname } = new URL(url);
		if (!isThisComputer(hostname))
			throw new Error(`The sandbox sends requests to this computer only, not to ${hostname}`);
		const response = await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json', accept: 'application/json' },
			body: JSON.stringify(body),
			// A redirect may lead to another computer, and a forward contains the key.
			redirect: 'manual',
			signal: AbortSignal.any([running.signal, patience]),
		});
		result = { status: response.status, answer: parsed(await beginningOf(response)) };
	} catch (error) {
		const reason = String((error as Error).cause ?? error);
		result = { status: 0, answer: patience.aborted ? `Gave up after ${giveUpAfterMs / 1000} s` : reason };
	}
	state.traffic.answered(call, result.status, result.answer);
	return result;
}

/** Returns the first characters of an answer. */
async function beginningOf(response: Response): Promise<string> {
	let text = '';
	const decoder = new TextDecoder();
	for await (const chunk of response.body ?? []) {
		text += decoder.decode(chunk as Uint8Array, { stream: true });
		if (text.length > mostCharacters) return `${text.slice(0, mostCharacters)} …`;
	}
	return text + decoder.decode();
}

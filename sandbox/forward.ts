import { randomUUID } from 'node:crypto';
import { keywordsOf } from './agreed';
import { route } from './keywords';
import type { Outbox } from './outbox';
import type { CallResult, State } from './state';

/**
 * Sends a user's SMS to the platform, which passes it on if the text has a keyword.
 * @param msisdn the user's number, as the platform is to name it
 * @param text the whole SMS; what follows the keyword becomes the body
 * @param isTest whether it goes to the Test URL of the SMS Trigger, on which n8n listens during a test in the editor
 * @returns what the institution answered first, or undefined when the text has no known keyword (then nothing is called)
 */
export async function forward(
	state: State,
	outbox: Outbox,
	msisdn: string,
	text: string,
	isTest = false,
): Promise<CallResult | undefined> {
	const { settings, trouble } = state;
	const routed = route(text, keywordsOf(settings), trouble);
	const registered = routed ? settings.keywordUrls[routed.registered] || settings.forwardUrl : '';
	const url = isTest ? registered.replace('/webhook/', '/webhook-test/') : registered;
	const { id } = state.received({
		at: new Date().toISOString(),
		msisdn,
		text,
		keyword: routed?.keyword ?? '',
		url,
		result: null,
		calls: 0,
		over: url === '',
	});
	if (!routed) return undefined;
	if (url === '') return { status: 0, answer: 'No address is registered for this keyword.' };

	const request = {
		MSISDN: msisdn,
		keyword: routed.keyword,
		body: routed.body,
		'pre-shared key': settings.forwardKey || settings.preSharedKey,
		'sms-forward-id': randomUUID(),
	};
	return await outbox.begin({ url, bodies: [request], dueAt: Date.now(), text: id }).first;
}

import { randomUUID } from 'node:crypto';
import { keywordsOf } from './agreed';
import { route } from './keywords';
import type { Outbox } from './outbox';
import type { CallResult, State } from './state';

/**
 * Simulates a user who sends an SMS to the platform. If the text has a keyword with a URL, the platform passes the SMS on to
 * that URL (an SMS forward).
 * @param msisdn the user's number, as the platform passes it on
 * @param text the whole SMS. The part after the keyword becomes the `body` of the forward
 * @param isTest whether to call the Test URL of the SMS Trigger, at which n8n listens after a click on *Execute step*
 * @returns the institution's first answer. If no URL is registered, the status is 0. Undefined: the text has no known keyword, or
 * the call was not made for another reason (see `Outbox.begin`)
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
	if (url === '') return { status: 0, answer: 'No URL is registered for this keyword.' };

	const request = {
		MSISDN: msisdn,
		keyword: routed.keyword,
		body: routed.body,
		'pre-shared key': settings.forwardKey || settings.preSharedKey,
		'sms-forward-id': randomUUID(),
	};
	return await outbox.begin({ url, bodies: [request], dueAt: Date.now(), text: id }).first;
}

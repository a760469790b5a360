import { word } from './common.js';

/** Returns the outcome of an SMS that was sent from a phone, and what the user can do if n8n did not accept it. */
export function outcomeOf({ keyword, url, result, calls, over }) {
	if (!keyword) return word('noKeyword');
	if (!url) return word('noAddress', { keyword });
	if (!result) return word('sending');
	const { status, answer } = result;
	// The documentation has `result` as text, and one real client sends it as a number.
	if (String(answer?.result) === '1') return `${word('refused')} ${answer.errorCode} (${status})`;
	if (status >= 200 && status < 300) return word('passedOn');
	return `${reasonOf(url, status, String(answer))} ${word(over ? 'noMoreCalls' : 'moreCalls', { calls })}`;
}

/** Returns the reason why a webhook did not accept an SMS. */
function reasonOf(url, status, answer) {
	const { host, hostname } = new URL(url, location.href);
	if (status === 404) return word(url.includes('/webhook-test/') ? 'testAddress' : 'notListening');
	if (status > 0) return `${word('notTaken')} ${status}.`;
	if (answer.startsWith('Gave up')) return word('gaveUp', { seconds: answer.replace(/[^\d.]/g, '') });
	if (answer.includes('to this computer only')) return word('thisComputerOnly', { host: hostname });
	return word('nobodyThere', { host });
}

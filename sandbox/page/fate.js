import { word } from './common.js';

/** Returns the outcome of a text that was sent from a phone, and what to do if it did not arrive. */
export function fate({ keyword, url, result, calls, over }) {
	if (!keyword) return word('noKeyword');
	if (!url) return word('noAddress', { keyword });
	if (!result) return word('sending');
	const { status, answer } = result;
	// A number in one working integration, text in the documents.
	if (String(answer?.result) === '1') return `${word('refused')} ${answer.errorCode} (${status})`;
	if (status >= 200 && status < 300) return word('passedOn');
	return `${whyNot(url, status, String(answer))} ${word(over ? 'noMoreCalls' : 'moreCalls', { calls })}`;
}

function whyNot(url, status, answer) {
	const { host, hostname } = new URL(url, location.href);
	if (status === 404) return word(url.includes('/webhook-test/') ? 'testAddress' : 'notListening');
	if (status > 0) return `${word('notTaken')} ${status}.`;
	if (answer.startsWith('Gave up')) return word('gaveUp', { seconds: answer.replace(/[^\d.]/g, '') });
	if (answer.includes('this computer only')) return word('thisComputerOnly', { host: hostname });
	return word('nobodyThere', { host });
}

import { $, ask, clock, currentLanguage, element, reconcile, word } from './common.js';

/* The section with the list of HTTP requests. */

/** The number of requests that a narrow window shows at first. style.css contains the same number. */
const newest = 5;

const kindOf = ({ direction, url, body }) => {
	if (direction === 'out') return body?.keyword === undefined ? 'report' : 'forward';
	if (url.includes('/ssn_validation')) return 'amka';
	return url.startsWith('/sendSMS') ? 'send' : 'other';
};
const kinds = { amka: 'amka', send: 'sendCall', forward: 'forwardCall', report: 'reportCall', other: 'otherCall' };

/** Returns the most important values of a request and its answer, for one line. */
function summaryOf({ url, body, answer }, kind) {
	if (kind === 'amka') {
		const query = new URL(url, location.href).searchParams;
		return [query.get('ssn'), query.get('birthdate'), query.get('surname'), answer?.match && `match ${answer.match}`];
	}
	if (kind === 'send') return [body?.serviceId && `${body.serviceId}/${body.messageId}`, body?.recipient, answer?.errorCode && `${answer.errorCode} ${answer.error}`];
	if (kind === 'forward') return [body.MSISDN, `${body.keyword} ${body.body}`, answer?.errorCode];
	if (kind === 'report') return [body.recipient, body.status, body.error, answer?.errorCode];
	return [url];
}

const isGood = ({ status, answer }) => status >= 200 && status < 300 && !answer?.errorCode;

let state;

/** Updates the list. @param latest the state of the sandbox. Undefined: the state of the previous call */
export function showLog(latest = state) {
	state = latest;
	const filter = $('log-filter').value;
	const calls = state.calls
		.map((call) => ({ ...call, kind: kindOf(call) }))
		.filter(({ kind }) => filter === 'all' || kind === filter)
		.reverse();
	$('no-calls').hidden = calls.length > 0;
	$('more-calls').hidden = calls.length <= newest || $('calls').classList.contains('every');
	$('older-calls').textContent = state.older.calls > 0 ? word('olderCalls', { older: state.older.calls }) : '';
	reconcile(
		$('calls'),
		calls.map((call) => ({ ...call, key: String(call.id), content: [call.status, currentLanguage()].join() })),
		(call, before) => {
			const { direction, kind, status, at } = call;
			const arrow = direction === 'in' ? '→' : '←';
			const direct = element('span', { className: 'unseen' }, ` ${word(direction === 'in' ? 'toSandbox' : 'toN8n')}`);
			const summary = element(
				'summary',
				{},
				element('time', { dateTime: at }, clock(at)),
				element('span', { className: 'what' }, `n8n ${arrow} ${word(kinds[kind])}`, direct),
				element('span', { className: 'about' }, summaryOf(call, kind).filter(Boolean).join(' · ')),
				element('span', { className: 'outcome' }, status ? String(status) : word('noAnswerYet')),
			);
			const all = element('div', { className: 'all' });
			const details = element('details', { className: isGood(call) ? 'good' : 'bad', open: before?.firstElementChild?.open ?? false }, summary, all);
			// There may be hundreds of requests, so the details are created only when the user opens one.
			const fill = () => details.open && all.replaceChildren(...wholeOf(call));
			details.addEventListener('toggle', fill);
			fill();
			return element('li', {}, details);
		},
	);
}

function wholeOf({ method, url, headers, body, answer, status }) {
	const part = (name, value) => {
		const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
		return [element('h4', {}, word(name)), element('pre', { tabIndex: 0, ariaLabel: word(name) }, text)];
	};
	const filled = (value) => value !== null && Object.keys(Object(value)).length > 0;
	return [
		...part('address', `${method} ${readable(url)}`),
		...(filled(headers) ? part('headers', headers) : []),
		...(filled(body) ? part('body', body) : []),
		...part('answered', status || answer ? (answer ?? String(status)) : word('noAnswerYet')),
	];
}

/** Returns a URL with readable Greek letters, without percent-encoding. */
function readable(url) {
	try {
		return decodeURIComponent(url);
	} catch {
		return url;
	}
}

/**
 * Adds the event listeners of this section.
 * @param refresh loads the state of the sandbox and shows it
 * @param forget is called when the user empties the phones and the list
 */
export function listenOnLog(refresh, forget) {
	$('log-filter').addEventListener('change', () => showLog());
	$('more-calls').addEventListener('click', () => {
		$('calls').classList.add('every');
		showLog();
		$('calls').querySelector(`li:nth-child(${newest + 1}) summary`)?.focus();
	});
	$('clear').addEventListener('click', async () => {
		if (!confirm(word('confirmClear'))) return;
		await ask('POST', 'clear');
		forget();
		await refresh();
	});
}

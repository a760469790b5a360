import { $, ask, currentLanguage, element, reconcile, remembered, word } from './common.js';
import { outcomeOf } from './outcome.js';

/* The section with the data that the institution agrees on with the operators: the values for the credentials, and the URLs
 * for incoming SMS. */

/** Updates the section. @param state the state of the sandbox */
export function showAgreed(state) {
	const { institution, apiKey, preSharedKey } = state.settings;
	const values = { 'base-url': location.origin, 'amka-url': location.origin, institution, 'api-key': apiKey, 'shared-key': preSharedKey };
	for (const [id, value] of Object.entries(values)) {
		$(id).textContent = value || word('keyChanged');
		$(id).nextElementSibling.hidden = !value;
	}
	showMessages(state);
	showAddresses(state);
}

function showMessages({ messageLines }) {
	const area = $('message-lines');
	const lines = messageLines.join('\n');
	if (area.value === lines) return;
	area.value = lines;
	area.rows = messageLines.length;
}

/** Shows the keywords with the URLs to which the platform passes their SMS on. */
function showAddresses({ keywords, settings }) {
	const { keywordUrls, forwardUrl } = settings;
	reconcile($('known-keywords'), keywords.map((keyword) => ({ key: keyword, content: '', keyword })), ({ keyword }) =>
		element('option', { value: keyword }),
	);
	const own = keywords.filter((keyword) => keywordUrls[keyword]).map((keyword) => ({ keyword, url: keywordUrls[keyword], remove: { keywordUrls: { [keyword]: '' } } }));
	const others = keywords.filter((keyword) => !keywordUrls[keyword]);
	const named = others.length > 0 ? `${word('otherKeywords')} (${others.join(', ')})` : word('otherKeywords');
	const rows = [
		...own.map((row) => ({ ...row, testKeyword: row.keyword })),
		{ keyword: named, url: forwardUrl, remove: { forwardUrl: '' }, testKeyword: others[0] },
	];
	reconcile(
		$('addresses'),
		rows.map((row) => ({ ...row, key: row.remove.keywordUrls ? row.keyword : '', content: [row.url, row.keyword, currentLanguage()].join() })),
		({ keyword, url, remove, testKeyword }) => {
			const button = element('button', { type: 'button', ariaLabel: `${word('remove')}: ${keyword}` }, word('remove'));
			button.dataset.remove = JSON.stringify(remove);
			const test = element('button', { type: 'button', ariaLabel: `${word('sendTest')}: ${keyword}` }, word('sendTest'));
			test.dataset.test = testKeyword ?? '';
			return element(
				'li',
				{},
				element('strong', {}, keyword),
				url ? element('code', {}, url) : element('span', { className: 'hint' }, word('nowhere')),
				url && testKeyword ? test : undefined,
				url ? button : undefined,
			);
		},
	);
}

/** Sends an SMS with a keyword from the chosen phone to the Test URL of the SMS Trigger, and shows the outcome. */
async function sendTest(keyword, refresh) {
	const [msisdn, text] = [remembered('phone', '6900000001'), `${keyword} ${word('testText')}`];
	$('register-result').textContent = word('sending');
	await ask('POST', 'forward', { msisdn, text, isTest: true });
	const { texts } = await refresh();
	const sent = texts.findLast((entry) => entry.msisdn === msisdn && entry.text === text);
	$('register-result').textContent = sent ? outcomeOf(sent) : '';
}

/** Copies the text that belongs to a button. */
async function copy(button) {
	const source = $(button.dataset.copy);
	const text = source.value ?? source.textContent;
	try {
		await navigator.clipboard.writeText(text);
		$('news').textContent = word('copied');
		button.textContent = word('copied');
	} catch {
		// The browser does not allow access to the clipboard. The text is selected, so that the user can copy it.
		getSelection().selectAllChildren(source);
		source.select?.();
	}
}

/** Adds the event listeners of this section. @param refresh loads the state of the sandbox and shows it */
export function listenOnAgreed(refresh) {
	$('register').addEventListener('submit', async (event) => {
		event.preventDefault();
		const [keyword, url] = [$('forward-keyword').value.trim(), $('forward-url').value.trim()];
		const { ok } = await ask('PATCH', 'settings', keyword ? { keywordUrls: { [keyword]: url } } : { forwardUrl: url });
		$('register-result').textContent = word(ok ? 'registered' : 'notRegistered');
		if (ok) event.target.reset();
		await refresh();
	});
	$('addresses').addEventListener('click', async ({ target }) => {
		if (target.dataset.test) await sendTest(target.dataset.test, refresh);
		if (!target.dataset.remove) return;
		await ask('PATCH', 'settings', JSON.parse(target.dataset.remove));
		$('register-result').textContent = word('removed');
		await refresh();
		$('forward-keyword').focus();
	});
	for (const button of document.querySelectorAll('[data-copy]')) button.addEventListener('click', () => void copy(button));
}

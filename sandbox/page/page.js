import { words } from './words.js';

/** How many messages, texts and calls are shown at most. */
const latest = 300;
const msBetweenLooks = 800;

const $ = (id) => document.getElementById(id);
const remembered = (name, otherwise) => localStorage.getItem(name) ?? otherwise;
const mobilePattern = /^(69|68|94)\d{8}$/;

let state;
let language = remembered('language', navigator.language.startsWith('el') ? 'el' : 'en');
let phone = remembered('phone', '6900000001');
/** Numbers that were added here and have neither sent nor got anything yet. */
const added = new Set();
/** For each phone the last message that was looked at. */
const seen = JSON.parse(remembered('seen', '{}'));
/** What was announced already; nothing is at the first look. */
let announced;

const word = (name) => words[language][name];
/** What came from outside goes into the page as text, never as markup. */
function element(name, properties = {}, ...children) {
	const made = Object.assign(document.createElement(name), properties);
	made.append(...children.filter((child) => child !== undefined));
	return made;
}

/** Calls the sandbox. @returns the response; one with status 0 where there was none */
async function ask(method, path, body) {
	try {
		return await fetch(`/control/${path}`, {
			method,
			headers: body ? { 'content-type': 'application/json' } : {},
			body: body && JSON.stringify(body),
		});
	} catch {
		return { ok: false, status: 0 };
	}
}

// Texts, language, colours

function putWords() {
	document.documentElement.lang = language;
	document.title = word('title');
	for (const node of document.querySelectorAll('[data-word]')) node.textContent = word(node.dataset.word);
	for (const node of document.querySelectorAll('[data-word-label]')) node.ariaLabel = word(node.dataset.wordLabel);
	for (const node of document.querySelectorAll('[data-word-placeholder]')) {
		node.placeholder = word(node.dataset.wordPlaceholder);
	}
}

const clock = (iso) => new Date(iso).toLocaleTimeString('en-GB');

// Phones

/** Everybody's number, then the others in the order in which they came up. */
function phones() {
	const owners = new Map(state.people.map(({ mobile, record }) => [mobile, `${record.surname_cur_gr} ${record.name_gr}`]));
	const others = [...state.messages.map((message) => message.phone), ...state.texts.map(({ msisdn }) => msisdn), ...added];
	return [...new Set([...owners.keys(), ...others])].map((number) => ({ number, owner: owners.get(number) ?? '' }));
}

const now = () => new Date().toISOString();
const hasArrived = ({ arrivesAt, failure }) => !failure && arrivesAt <= now();
const arrivedOn = (number) => state.messages.filter((message) => message.phone === number && hasArrived(message));

function showPhones() {
	const last = arrivedOn(phone).at(-1)?.id ?? 0;
	if (document.visibilityState === 'visible' && last > (seen[phone] ?? 0)) {
		seen[phone] = last;
		localStorage.setItem('seen', JSON.stringify(seen));
	}
	reconcile(
		$('phone-list'),
		phones().map(({ number, owner }) => {
			const unread = arrivedOn(number).filter(({ id }) => id > (seen[number] ?? 0)).length;
			return { key: number, content: [owner, unread, language].join(), number, owner, unread };
		}),
		({ number, owner, unread }) => {
			const radio = element('input', { type: 'radio', name: 'phone', value: number, checked: number === phone });
			const badge = element('span', { className: 'unread' }, String(unread), element('span', { className: 'unseen' }, ` ${word('unread')}`));
			return element('label', {}, radio, number, element('small', {}, owner.split(' ')[0] || '·'), unread > 0 ? badge : undefined);
		},
	);
	for (const radio of document.querySelectorAll('#phone-list input')) radio.checked = radio.value === phone;
}

function showConversation() {
	const owner = phones().find(({ number }) => number === phone)?.owner;
	$('phone-title').textContent = [`${word('phone')} ${phone}`, owner].filter(Boolean).join(' · ');

	const incoming = state.messages
		.filter((message) => message.phone === phone)
		.map((message) => ({ ...message, key: `m${message.id}`, at: message.arrivesAt, incoming: true }));
	const entries = [
		...incoming,
		...state.texts.filter(({ msisdn }) => msisdn === phone).map((text) => ({ ...text, key: `t${text.id}` })),
	]
		.filter((entry) => !entry.incoming || hasArrived(entry) || entry.failure)
		.sort((one, other) => one.at.localeCompare(other.at));
	if (incoming.some((message) => !hasArrived(message) && !message.failure)) {
		entries.push({ key: 'onItsWay', note: word('onItsWay') });
	}
	if (entries.length === 0) entries.push({ key: 'empty', note: word('emptyPhone') });

	const list = $('conversation');
	const atEnd = list.dataset.phone !== phone || list.scrollHeight - list.scrollTop - list.clientHeight < 40;
	const changed = reconcile(list, entries.map((entry) => ({ ...entry, content: JSON.stringify([entry, language]) })), bubble);
	list.dataset.phone = phone;
	if (changed && atEnd) list.scrollTop = list.scrollHeight;
}

function bubble(entry) {
	if (entry.note) return element('li', { className: 'empty' }, entry.note);
	const time = clock(entry.at);
	if (!entry.incoming) return element('li', { className: 'mine new' }, entry.text, element('small', {}, `${time} · ${fate(entry)}`));
	const failure = entry.failure && `${word('neverArrives')} ${entry.failure}`;
	const user = entry.recipient !== entry.phone ? `${word('toUser')} ${entry.recipient}` : '';
	const details = [time, `${entry.serviceId}/${entry.messageId}`, user, failure].filter(Boolean).join(' · ');
	return element('li', { className: failure ? 'never new' : 'new' }, entry.text, element('small', {}, details));
}

/** What became of a text that was sent from a phone. */
function fate({ keyword, result }) {
	if (!keyword) return word('noKeyword');
	if (!result) return word('sending');
	const { status, answer } = result;
	if (status === 0 && !state.settings.forwardUrl) return word('noAddress');
	if (answer?.result === '1') return `${word('refused')} ${answer.errorCode} (${status})`;
	if (status >= 200 && status < 300) return word('passedOn');
	return `${word('notTaken')} ${status || word('noAnswer')}`;
}

/** Reads out what has just arrived, on whichever phone. */
function announce() {
	const arrived = state.messages.filter(hasArrived);
	const fresh = announced ? arrived.filter(({ id }) => !announced.has(id)) : [];
	announced = new Set(arrived.map(({ id }) => id));
	if (fresh.length > 0) $('news').textContent = fresh.map(({ phone, text }) => `${word('newSms')} ${phone}: ${text}`).join('\n');
}

function showKeywords() {
	const all = Object.values(state.services).flatMap(({ keywords }) => keywords);
	reconcile($('keywords'), all.map((keyword) => ({ key: keyword, content: '', keyword })), ({ keyword }) => {
		const button = element('button', { type: 'button' }, keyword);
		button.addEventListener('click', () => {
			$('text').value = `${keyword} `;
			$('text').focus();
		});
		return button;
	});
}

// Log

const kindOf = ({ direction, url, body }) => {
	if (direction === 'out') return body?.keyword === undefined ? 'report' : 'forward';
	if (url.includes('/ssn_validation')) return 'amka';
	return url.startsWith('/sendSMS') ? 'send' : 'other';
};
const kinds = { amka: 'amka', send: 'sendCall', forward: 'forwardCall', report: 'reportCall', other: 'otherCall' };

/** The gist of a call in one line. */
function gist({ url, body, answer }, kind) {
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

function showLog() {
	const filter = $('log-filter').value;
	const calls = state.calls
		.map((call) => ({ ...call, kind: kindOf(call) }))
		.filter(({ kind }) => filter === 'all' || kind === filter)
		.reverse();
	$('no-calls').hidden = calls.length > 0;
	reconcile(
		$('calls'),
		calls.map((call) => ({ ...call, key: String(call.id), content: [call.status, language].join() })),
		(call, before) => {
			const { direction, kind, status, at } = call;
			const arrow = direction === 'in' ? '→' : '←';
			const direct = element('span', { className: 'unseen' }, ` ${word(direction === 'in' ? 'toSandbox' : 'toN8n')}`);
			const summary = element(
				'summary',
				{},
				element('time', { dateTime: at }, clock(at)),
				element('span', { className: 'what' }, `n8n ${arrow} ${word(kinds[kind])}`, direct),
				element('span', { className: 'about' }, gist(call, kind).filter(Boolean).join(' · ')),
				element('span', { className: 'outcome' }, status ? String(status) : word('noAnswerYet')),
			);
			const all = element('div', { className: 'all' });
			const details = element('details', { className: isGood(call) ? 'good' : 'bad', open: before?.firstElementChild?.open ?? false }, summary, all);
			// Hundreds of calls: what nobody has opened is not made.
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

/** Greek in an address as it reads, not as it travels. */
function readable(url) {
	try {
		return decodeURIComponent(url);
	} catch {
		return url;
	}
}

// Switches, people, what is agreed on

function showSwitches() {
	reconcile(
		$('only-for'),
		['', ...phones().map(({ number }) => number)].map((number) => ({ key: `r${number}`, content: language, number })),
		({ number }) => element('option', { value: number }, number || word('everyone')),
	);
	for (const select of document.querySelectorAll('#switches select')) {
		const value = String(state.trouble[select.name]);
		// Tests and curious people set values that are not among the choices.
		if (![...select.options].some((option) => option.value === value)) {
			select.append(element('option', { value }, select.name.endsWith('Ms') ? `${value} ms` : value));
		}
		if (select !== document.activeElement) select.value = value;
	}
	const on = ['answer', 'delayMs', 'report', 'reportError']
		.map((name) => document.querySelector(`#switches [name=${name}]`))
		.filter((select) => !['normal', '0', ''].includes(String(state.trouble[select.name])))
		.map((select) => {
			const chosen = [...select.options].find(({ value }) => value === String(state.trouble[select.name]));
			return `${select.previousElementSibling.textContent}: ${chosen.textContent}`;
		});
	$('alarm').hidden = on.length === 0;
	const text = on.join(' · ');
	if ($('alarm-text').textContent !== text) $('alarm-text').textContent = text;
}

function remarksOn(record) {
	return [
		record.amka_cur !== record.amka_in && 'numberReplaced',
		record.death_note && 'dead',
		record.bdate_istrue && 'placeholderDate',
		Object.keys(record).length < 10 && 'sparse',
	].filter(Boolean);
}

function showPeople() {
	reconcile(
		$('people-rows'),
		state.people.map((person) => ({ ...person, key: String(person.id), content: language })),
		({ record, mobile }) => {
			const cell = (name, ...content) => {
				const made = element('td', {}, ...content);
				made.dataset.label = word(name);
				return made;
			};
			const whole = element('details', {}, element('summary', {}, word('record')), element('pre', { tabIndex: 0 }, JSON.stringify(record, null, 2)));
			const badges = remarksOn(record).map((name) => element('span', { className: 'badge' }, word(name)));
			const remarks = element('td', {}, ...badges, whole);
			return element(
				'tr',
				{},
				cell('amkaNumber', record.amka_in),
				cell('birthDate', record.birth_date ?? ''),
				cell('surname', record.surname_cur_gr ?? ''),
				cell('name', record.name_gr ?? ''),
				cell('mobile', mobile),
				remarks,
			);
		},
	);
}

function showAgreed() {
	const { forwardUrl, institution } = state.settings;
	const input = $('forward-url');
	if (input !== document.activeElement && input.dataset.stored !== forwardUrl) input.value = forwardUrl;
	input.dataset.stored = forwardUrl;
	$('base-url').textContent = location.origin;
	$('institution').textContent = institution;
	reconcile(
		$('services'),
		Object.entries(state.services).map(([id, service]) => ({ ...service, key: id, content: language, id })),
		({ id, keywords, messages }) =>
			element(
				'article',
				{},
				element('strong', {}, id),
				` · ${word('keywords')}: ${keywords.join(', ') || word('noKeywords')}`,
				element('ul', {}, ...Object.entries(messages).map(([number, text]) => element('li', {}, element('code', {}, number), ` ${text}`))),
			),
	);
}

// The page as a whole

/**
 * Brings a list up to date and leaves alone what is the same: the focus, an open call and a scrolled text stay.
 * @param entries with a `key`, and a `content` that differs when an entry is to be made anew
 * @returns whether anything changed
 */
function reconcile(parent, entries, make) {
	const old = new Map([...parent.children].map((child) => [child.dataset.key, child]));
	let changed = false;
	let place = parent.firstElementChild;
	for (const entry of entries) {
		let child = old.get(entry.key);
		old.delete(entry.key);
		if (child?.dataset.content !== entry.content) {
			const made = make(entry, child);
			Object.assign(made.dataset, { key: entry.key, content: entry.content });
			if (child) {
				const focused = child.contains(document.activeElement) && document.activeElement.tagName;
				if (place === child) place = made;
				child.replaceWith(made);
				made.classList.remove('new');
				if (focused) made.querySelector(focused)?.focus();
			}
			child = made;
			changed = true;
		}
		if (child === place) place = place.nextElementSibling;
		else parent.insertBefore(child, place);
	}
	for (const gone of old.values()) {
		gone.remove();
		changed = true;
	}
	return changed;
}

function show() {
	if (!state) return;
	showPhones();
	showConversation();
	showKeywords();
	showLog();
	showSwitches();
	showPeople();
	showAgreed();
	announce();
}

async function look() {
	const response = await ask('GET', `state?latest=${latest}&version=${state?.version ?? ''}`);
	$('lost').hidden = response.status !== 0;
	if (response.status === 200) {
		state = await response.json();
		show();
	} else if (state) {
		// Nothing has changed but the time, and with it what has arrived.
		showPhones();
		showConversation();
		announce();
	}
}

async function lookAlways() {
	await look();
	setTimeout(lookAlways, msBetweenLooks);
}

// What a person does

$('language').addEventListener('change', ({ target }) => {
	language = target.value;
	localStorage.setItem('language', language);
	putWords();
	show();
});

$('theme').addEventListener('change', ({ target }) => {
	localStorage.setItem('theme', target.value);
	document.documentElement.style.colorScheme = target.value;
});

$('phone-list').addEventListener('change', ({ target }) => choosePhone(target.value));
function choosePhone(number) {
	phone = number;
	localStorage.setItem('phone', phone);
	$('write-result').textContent = '';
	show();
}

$('add-phone').addEventListener('submit', (event) => {
	event.preventDefault();
	const input = $('new-phone');
	const number = input.value.replace(/[\s-]/g, '').replace(/^(\+|00)30/, '');
	input.setCustomValidity(mobilePattern.test(number) ? '' : word('wrongNumber'));
	if (!input.reportValidity()) return;
	added.add(number);
	input.value = '';
	choosePhone(number);
	$('text').focus();
});
$('new-phone').addEventListener('input', ({ target }) => target.setCustomValidity(''));

$('write').addEventListener('submit', async (event) => {
	event.preventDefault();
	const input = $('text');
	const text = input.value.trim();
	if (!text) return;
	input.value = '';
	$('write-result').textContent = word('sending');
	const sending = ask('POST', 'forward', { msisdn: phone, text });
	await look();
	await sending;
	await look();
	const sent = state.texts.findLast((entry) => entry.msisdn === phone && entry.text === text);
	$('write-result').textContent = sent ? fate(sent) : '';
});

$('log-filter').addEventListener('change', showLog);

$('clear').addEventListener('click', async () => {
	if (!confirm(word('confirmClear'))) return;
	await ask('POST', 'clear');
	added.clear();
	await look();
});

$('switches').addEventListener('submit', (event) => event.preventDefault());
$('switches').addEventListener('change', async ({ target }) => {
	const { name, value } = target;
	const isText = ['answer', 'retryAfter', 'recipient', 'report', 'reportError'].includes(name);
	const { ok } = await ask('PATCH', 'trouble', { [name]: isText ? value : JSON.parse(value) });
	if (ok) $('news').textContent = word('saved');
	await look();
});
for (const button of document.querySelectorAll('.end-trouble')) {
	button.addEventListener('click', async () => {
		await ask('DELETE', 'trouble');
		$('news').textContent = word('saved');
		await look();
		// The notice is gone, and with it the button that had the focus.
		if (button.closest('#alarm')) $('phones-title').focus();
	});
}

$('add-person').addEventListener('submit', async (event) => {
	event.preventDefault();
	const { status } = await ask('POST', 'people', Object.fromEntries(new FormData(event.target)));
	const result = { 204: 'personAdded', 409: 'personExists', 400: 'personWrong' }[status];
	$('person-result').textContent = result ? word(result) : '';
	if (status === 204) event.target.reset();
	await look();
});

$('register').addEventListener('submit', async (event) => {
	event.preventDefault();
	const { ok } = await ask('PATCH', 'settings', { forwardUrl: $('forward-url').value.trim() });
	if (ok) $('register-result').textContent = word('registered');
	await look();
});

document.addEventListener('visibilitychange', () => void look());

$('language').value = language;
$('theme').value = remembered('theme', 'light dark');
document.documentElement.style.colorScheme = $('theme').value;
putWords();
void lookAlways();

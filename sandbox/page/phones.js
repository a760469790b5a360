import { $, ask, clock, currentLanguage, element, reconcile, remembered, word } from './common.js';
import { outcomeOf } from './outcome.js';

/* The section with the phones: the list of phones, the messages of the chosen one, and the field to send an SMS from it. */

const mobilePattern = /^(69|68|94)\d{8}$/;

let state;
let phone = remembered('phone', '6900000001');
/** The numbers that the user has added on this page. */
const added = new Set();
/** For each phone the id of the last message that the user has seen. */
const seen = JSON.parse(remembered('seen', '{}'));
/** The ids of the messages that screen readers have announced. Undefined: the first update announces nothing. */
let announced;

/**
 * Returns all phones: those of the people of the registry, those that accept no messages, and then all other numbers that have
 * a message or that the user has added.
 */
export function phonesOf({ people, unwilling, messages, texts }) {
	const owners = new Map(people.map(({ mobile, record }) => [mobile, `${record.surname_cur_gr} ${record.name_gr}`]));
	for (const [number, reason] of Object.entries(unwilling)) owners.set(number, word(reason));
	const others = [...messages.map((message) => message.phone), ...texts.map(({ msisdn }) => msisdn), ...added];
	return [...new Set([...owners.keys(), ...others])].map((number) => ({ number, owner: owners.get(number) ?? '' }));
}

const now = () => new Date().toISOString();
const hasArrived = ({ arrivesAt, failure }) => !failure && arrivesAt <= now();
const arrivedOn = (number) => state.messages.filter((message) => message.phone === number && hasArrived(message));

/** Updates the section. @param latest the state of the sandbox. Undefined: the state of the previous call */
export function showPhones(latest = state) {
	state = latest;
	showList();
	showConversation();
	showKeywords();
	announce();
}

function showList() {
	const last = arrivedOn(phone).at(-1)?.id ?? 0;
	if (document.visibilityState === 'visible' && last > (seen[phone] ?? 0)) {
		seen[phone] = last;
		localStorage.setItem('seen', JSON.stringify(seen));
	}
	reconcile(
		$('phone-list'),
		phonesOf(state).map(({ number, owner }) => {
			const unread = arrivedOn(number).filter(({ id }) => id > (seen[number] ?? 0)).length;
			return { key: number, content: [owner, unread, currentLanguage()].join(), number, owner, unread };
		}),
		({ number, owner, unread }) => {
			const radio = element('input', { type: 'radio', name: 'phone', value: number, checked: number === phone });
			const badge = element('span', { className: 'unread' }, unread > 99 ? '99+' : String(unread), element('span', { className: 'unseen' }, ` ${word('unread')}`));
			const name = Object.hasOwn(state.unwilling, number) ? owner : owner.split(' ')[0];
			return element('label', {}, radio, element('span', {}, number), unread > 0 ? badge : undefined, element('small', {}, name || '·'));
		},
	);
	for (const radio of document.querySelectorAll('#phone-list input')) radio.checked = radio.value === phone;
}

function showConversation() {
	const owner = phonesOf(state).find(({ number }) => number === phone)?.owner;
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
	const { messages: older } = state.older;
	if (older > 0) entries.unshift({ key: 'older', note: word('olderMessages', { older }) });
	if (Object.hasOwn(state.unwilling, phone)) entries.push({ key: 'unwilling', note: word('unwillingPhone') });
	if (entries.length === 0) entries.push({ key: 'empty', note: word('emptyPhone') });

	const list = $('conversation');
	const atEnd = list.dataset.phone !== phone || list.scrollHeight - list.scrollTop - list.clientHeight < 40;
	const changed = reconcile(
		list,
		entries.map((entry) => ({ ...entry, content: JSON.stringify([entry, currentLanguage()]) })),
		bubble,
	);
	list.dataset.phone = phone;
	if (changed && atEnd) list.scrollTop = list.scrollHeight;
}

function bubble(entry) {
	if (entry.note) return element('li', { className: 'empty' }, entry.note);
	const time = clock(entry.at);
	if (!entry.incoming) return element('li', { className: 'mine new' }, entry.text, element('small', {}, `${time} · ${outcomeOf(entry)}`));
	const failure = entry.failure && `${word('neverArrives')} ${entry.failure}`;
	const user = /[a-z]/i.test(entry.recipient) ? `${word('toUser')} ${entry.recipient}` : '';
	const details = [time, `${entry.serviceId}/${entry.messageId}`, user, failure].filter(Boolean).join(' · ');
	const answers = failure ? [] : answersIn(entry.text).map(answerButton);
	return element('li', { className: failure ? 'never new' : 'new' }, entry.text, element('small', {}, details), ...answers);
}

/** Returns the answers that the text of a question contains: a keyword, perhaps a number, and a word in capitals. */
function answersIn(text) {
	const keywords = state.keywords.map((keyword) => keyword.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
	return [...new Set(text.match(new RegExp(`(?<!\\p{L})(?:${keywords})(?: \\d+)? \\p{Lu}{2,}(?!\\p{L})`, 'gu')))];
}

function answerButton(answer) {
	const button = element('button', { type: 'button', className: 'answer' }, answer);
	button.addEventListener('click', () => void sendText(beforeKeyword() + answer));
	return button;
}

/** Lets screen readers announce the messages that have arrived on any phone since the last update. */
function announce() {
	const arrived = state.messages.filter(hasArrived);
	const fresh = announced ? arrived.filter(({ id }) => !announced.has(id)) : [];
	announced = new Set(arrived.map(({ id }) => id));
	if (fresh.length > 0) $('news').textContent = fresh.map((message) => `${word('newSms')} ${message.phone}: ${message.text}`).join('\n');
}

/** Returns the prefix that people type before a keyword, if the switches require one. */
const beforeKeyword = () => (state.trouble.prefix === 'none' ? '' : `${state.institutionsPrefix} `);

function showKeywords() {
	const before = beforeKeyword();
	reconcile($('keywords'), state.keywords.map((keyword) => ({ key: keyword, content: before, keyword })), ({ keyword }) => {
		const button = element('button', { type: 'button' }, keyword);
		button.addEventListener('click', () => {
			$('text').value = `${before}${keyword} `;
			$('text').focus();
		});
		return button;
	});
}

/** Loads the state of the sandbox and shows it. */
let refresh;

/** Sends an SMS from the chosen phone. */
async function sendText(text) {
	$('write-result').textContent = word('sending');
	const sending = ask('POST', 'forward', { msisdn: phone, text });
	await refresh();
	$('conversation').scrollTop = $('conversation').scrollHeight;
	await sending;
	await refresh();
	const sent = state.texts.findLast((entry) => entry.msisdn === phone && entry.text === text);
	$('write-result').textContent = sent ? outcomeOf(sent) : '';
}

function choosePhone(number) {
	phone = number;
	localStorage.setItem('phone', phone);
	$('write-result').textContent = '';
	showPhones();
}

/**
 * Adds the event listeners of this section.
 * @param refreshPage loads the state of the sandbox and shows it
 * @returns a function that removes the numbers that the user has added
 */
export function listenOnPhones(refreshPage) {
	refresh = refreshPage;
	$('phone-list').addEventListener('change', ({ target }) => choosePhone(target.value));

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
		await sendText(text);
	});
	return () => added.clear();
}

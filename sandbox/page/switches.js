import { $, ask, currentLanguage, element, reconcile, word } from './common.js';
import { phonesOf } from './phones.js';

/** The switches, and the notice at the top that says which trouble is on. */

/** Switches that the notice names, each with the value that is no trouble. */
const quiet = { answer: 'normal', delayMs: '0', report: 'normal', reportUrl: 'unchanged', reportError: '', notDelivered: '0', giveUpAfterMs: '30000', callsAgain: 'null', prefix: 'none' };
/** Switches that hold text; the others hold a number, yes or no, or null. */
const texts = ['answer', 'retryAfter', 'recipient', 'report', 'reportUrl', 'reportError', 'prefix'];

const selectOf = (name) => document.querySelector(`#switches [name=${name}]`);

/** @param state the state to show */
export function showSwitches(state) {
	reconcile(
		$('only-for'),
		['', ...phonesOf(state).map(({ number }) => number)].map((number) => ({ key: `r${number}`, content: currentLanguage(), number })),
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
	const on = Object.entries(quiet)
		.filter(([name, value]) => String(state.trouble[name]) !== value)
		.map(([name]) => {
			const select = selectOf(name);
			const chosen = [...select.options].find(({ value }) => value === String(state.trouble[name]));
			return `${select.previousElementSibling.textContent}: ${chosen.textContent}`;
		});
	$('alarm').hidden = on.length === 0;
	const text = on.join(' · ');
	if ($('alarm-text').textContent !== text) $('alarm-text').textContent = text;
}

/** @param refresh asks the sandbox for its state and shows it */
export function listenOnSwitches(refresh) {
	$('switches').addEventListener('submit', (event) => event.preventDefault());
	$('switches').addEventListener('change', async ({ target }) => {
		const { name, value } = target;
		const { ok } = await ask('PATCH', 'trouble', { [name]: texts.includes(name) ? value : JSON.parse(value) });
		if (ok) $('news').textContent = word('saved');
		await refresh();
	});
	for (const button of document.querySelectorAll('.end-trouble')) {
		button.addEventListener('click', async () => {
			await ask('DELETE', 'trouble');
			$('news').textContent = word('saved');
			await refresh();
			// The notice is gone, and with it the button that had the focus.
			if (button.closest('#alarm')) $('phones-title').focus();
		});
	}
}

import { $, ask, currentLanguage, element, reconcile, word } from './common.js';
import { phonesOf } from './phones.js';

/* The section with the switches, and the notice at the top of the page that names the active faults. */

/** The switches that the notice names, each with the value that means no fault. */
const noFaults = { answer: 'normal', delayMs: '0', report: 'normal', reportUrl: 'unchanged', reportError: '', notDelivered: '0', giveUpAfterMs: '30000', callsAgain: 'null', prefix: 'none' };
/** The switches of the page whose value is a text. The value of the others is a number, a boolean or null. */
const textSwitches = ['answer', 'retryAfter', 'recipient', 'report', 'reportUrl', 'reportError', 'prefix'];

const selectOf = (name) => document.querySelector(`#switches [name=${name}]`);

/** Updates the section. @param state the state of the sandbox */
export function showSwitches(state) {
	reconcile(
		$('only-for'),
		['', ...phonesOf(state).map(({ number }) => number)].map((number) => ({ key: `r${number}`, content: currentLanguage(), number })),
		({ number }) => element('option', { value: number }, number || word('everyone')),
	);
	for (const select of document.querySelectorAll('#switches select')) {
		const value = String(state.trouble[select.name]);
		// A request to /control/trouble can set a value that the list does not offer. Such a value is added to the list.
		if (![...select.options].some((option) => option.value === value)) {
			select.append(element('option', { value }, select.name.endsWith('Ms') ? `${value} ms` : value));
		}
		if (select !== document.activeElement) select.value = value;
	}
	const on = Object.entries(noFaults)
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

/** Adds the event listeners of this section. @param refresh loads the state of the sandbox and shows it */
export function listenOnSwitches(refresh) {
	$('switches').addEventListener('submit', (event) => event.preventDefault());
	$('switches').addEventListener('change', async ({ target }) => {
		const { name, value } = target;
		const { ok } = await ask('PATCH', 'trouble', { [name]: textSwitches.includes(name) ? value : JSON.parse(value) });
		if (ok) $('news').textContent = word('saved');
		await refresh();
	});
	for (const button of document.querySelectorAll('.end-trouble')) {
		button.addEventListener('click', async () => {
			await ask('DELETE', 'trouble');
			$('news').textContent = word('saved');
			await refresh();
			// The button that had the focus has disappeared with the notice, so another element gets the focus.
			if (button.closest('#alarm')) $('phones-title').focus();
		});
	}
}

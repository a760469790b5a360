import { listenOnAgreed, showAgreed } from './agreed.js';
import { $, ask, chooseLanguage, currentLanguage, putWords } from './common.js';
import { listenOnLog, showLog } from './log.js';
import { listenOnPeople, showPeople } from './people.js';
import { listenOnPhones, showPhones } from './phones.js';
import { listenOnSwitches, showSwitches } from './switches.js';

/* The whole page. It loads the state of the sandbox at short intervals, and updates all sections. */

/** The largest number of messages and texts together, and of HTTP requests, that the page shows. */
const latest = 300;
/** Milliseconds between two requests for the state. */
const pollingMs = 800;

let state;

function show() {
	if (!state) return;
	showPhones(state);
	showLog(state);
	showSwitches(state);
	showPeople(state);
	showAgreed(state);
}

/**
 * Loads the state of the sandbox. If the state has changed, all sections are updated. Otherwise only the phones are updated,
 * because messages may have arrived meanwhile.
 * @returns the state
 */
async function refresh() {
	const response = await ask('GET', `state?latest=${latest}&version=${state?.version ?? ''}`);
	$('lost').hidden = response.status !== 0;
	if (response.status === 200) {
		state = await response.json();
		show();
	} else if (state) {
		showPhones();
	}
	return state;
}

async function poll() {
	await refresh();
	setTimeout(poll, pollingMs);
}

const forgetAdded = listenOnPhones(refresh);
listenOnLog(refresh, forgetAdded);
listenOnSwitches(refresh);
listenOnPeople(refresh);
listenOnAgreed(refresh);

$('language').addEventListener('change', ({ target }) => {
	chooseLanguage(target.value);
	show();
});
document.addEventListener('visibilitychange', () => void refresh());

$('language').value = currentLanguage();
putWords();
void poll();

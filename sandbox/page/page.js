import { listenOnAgreed, showAgreed } from './agreed.js';
import { $, ask, chooseLanguage, currentLanguage, putWords } from './common.js';
import { listenOnLog, showLog } from './log.js';
import { listenOnPeople, showPeople } from './people.js';
import { listenOnPhones, showPhones } from './phones.js';
import { listenOnSwitches, showSwitches } from './switches.js';

/** The page as a whole: it looks at the sandbox again and again, and shows each part what is there. */

/** How many messages and texts, and how many calls, are shown at most. */
const latest = 300;
const msBetweenLooks = 800;

let state;

function show() {
	if (!state) return;
	showPhones(state);
	showLog(state);
	showSwitches(state);
	showPeople(state);
	showAgreed(state);
}

async function look() {
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

async function lookAlways() {
	await look();
	setTimeout(lookAlways, msBetweenLooks);
}

const forgetAdded = listenOnPhones(look);
listenOnLog(look, forgetAdded);
listenOnSwitches(look);
listenOnPeople(look);
listenOnAgreed(look);

$('language').addEventListener('change', ({ target }) => {
	chooseLanguage(target.value);
	show();
});
document.addEventListener('visibilitychange', () => void look());

$('language').value = currentLanguage();
putWords();
void lookAlways();

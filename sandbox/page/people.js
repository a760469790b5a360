import { $, ask, currentLanguage, element, reconcile, word } from './common.js';

/* The section with the people of the registry, and the form that adds a person. */

/** Returns the names (in words.js) of the remarks about a record. */
function remarksOn(record) {
	return [
		record.amka_cur !== record.amka_in && 'numberReplaced',
		record.death_note && 'dead',
		record.bdate_istrue && 'placeholderDate',
		Object.keys(record).length < 10 && 'sparse',
	].filter(Boolean);
}

/** Updates the section. @param state the state of the sandbox */
export function showPeople(state) {
	reconcile(
		$('people-rows'),
		state.people.map((person) => ({ ...person, key: String(person.id), content: currentLanguage() })),
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

/** Adds the event listeners of this section. @param refresh loads the state of the sandbox and shows it */
export function listenOnPeople(refresh) {
	$('add-person').addEventListener('submit', async (event) => {
		event.preventDefault();
		const { status } = await ask('POST', 'people', Object.fromEntries(new FormData(event.target)));
		const result = { 204: 'personAdded', 409: 'personExists', 507: 'tooManyPeople', 400: 'personWrong' }[status];
		$('person-result').textContent = result ? word(result) : '';
		if (status === 204) event.target.reset();
		await refresh();
	});
}

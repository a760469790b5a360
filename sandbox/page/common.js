import { words } from './words.js';

/** Functions that every part of the page uses: texts in two languages, elements, lists, and calls of the sandbox. */

export const $ = (id) => document.getElementById(id);
export const remembered = (name, otherwise) => localStorage.getItem(name) ?? otherwise;

let language = remembered('language', navigator.language.startsWith('el') ? 'el' : 'en');
export const currentLanguage = () => language;
export function chooseLanguage(chosen) {
	language = chosen;
	localStorage.setItem('language', language);
	putWords();
}

/** @param values what stands for each `{name}` in the text */
export const word = (name, values = {}) => words[language][name].replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);

export function putWords() {
	document.documentElement.lang = language;
	document.title = word('title');
	for (const node of document.querySelectorAll('[data-word]')) node.textContent = word(node.dataset.word);
	for (const node of document.querySelectorAll('[data-word-label]')) node.ariaLabel = word(node.dataset.wordLabel);
	for (const node of document.querySelectorAll('[data-word-placeholder]')) {
		node.placeholder = word(node.dataset.wordPlaceholder);
	}
}

export const clock = (iso) => new Date(iso).toLocaleTimeString('en-GB');

/** Makes an element. Values from outside become text, never markup. */
export function element(name, properties = {}, ...children) {
	const made = Object.assign(document.createElement(name), properties);
	made.append(...children.filter((child) => child !== undefined));
	return made;
}

/** Calls the sandbox. @returns the response, with status 0 if there was none */
export async function ask(method, path, body) {
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

/**
 * Updates a list and does not touch unchanged entries, so that the focus, an open call and a scrolled text stay.
 * @param entries with a `key`, and a `content` that differs if the entry has to be made again
 * @returns whether anything changed
 */
export function reconcile(parent, entries, make) {
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

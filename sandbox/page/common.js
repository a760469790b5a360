import { words } from './words.js';

/* Functions for all sections of the page: texts in two languages, HTML elements, lists, and requests to the sandbox. */

export const $ = (id) => document.getElementById(id);
/** Returns a value that the browser has stored for this page, or `otherwise`. */
export const remembered = (name, otherwise) => localStorage.getItem(name) ?? otherwise;

let language = remembered('language', navigator.language.startsWith('el') ? 'el' : 'en');
export const currentLanguage = () => language;
export function chooseLanguage(chosen) {
	language = chosen;
	localStorage.setItem('language', language);
	putWords();
}

/**
 * Returns a text of words.js in the current language.
 * @param values the values that replace the parts in braces, such as `{keyword}`
 */
export const word = (name, values = {}) => words[language][name].replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);

/** Puts the texts of the current language into the elements of index.html that name one in a `data-word…` attribute. */
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

/** Creates an HTML element. A value from a request is inserted as text, so that it can't contain markup. */
export function element(name, properties = {}, ...children) {
	const made = Object.assign(document.createElement(name), properties);
	made.append(...children.filter((child) => child !== undefined));
	return made;
}

/** Sends a request to the sandbox. @returns the response. Its status is 0 if the sandbox did not answer */
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
 * Updates the children of an element. It leaves the elements of unchanged entries in the page, so that they keep the focus, the
 * scroll position and their open details.
 * @param entries the new list. Each has a unique `key`, and a `content` that differs after every change of the entry
 * @param make creates the element of an entry. Its second argument is the old element, if there is one
 * @returns whether anything changed
 */
export function reconcile(parent, entries, make) {
	const old = new Map([...parent.children].map((child) => [child.dataset.key, child]));
	let changed = false;
	let next = parent.firstElementChild;
	for (const entry of entries) {
		let child = old.get(entry.key);
		old.delete(entry.key);
		if (child?.dataset.content !== entry.content) {
			const made = make(entry, child);
			Object.assign(made.dataset, { key: entry.key, content: entry.content });
			if (child) {
				const focused = child.contains(document.activeElement) && document.activeElement.tagName;
				if (next === child) next = made;
				child.replaceWith(made);
				made.classList.remove('new');
				if (focused) made.querySelector(focused)?.focus();
			}
			child = made;
			changed = true;
		}
		if (child === next) next = next.nextElementSibling;
		else parent.insertBefore(child, next);
	}
	for (const gone of old.values()) {
		gone.remove();
		changed = true;
	}
	return changed;
}

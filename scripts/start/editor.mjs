/** The running n8n, as its editor talks to it. */
import { signIn } from '../n8n.js';

export class Editor {
	#url;
	#cookie = '';

	constructor(url) {
		this.#url = url;
	}

	/** Whether n8n is ready to be used. */
	async isReady() {
		return (await fetch(`${this.#url}/healthz/readiness`).catch(() => undefined))?.ok === true;
	}

	/** Signs in; the first time it makes the account. @throws {Error} when somebody has changed the password */
	async signIn() {
		this.#cookie = await signIn(this.#url);
	}

	/** @returns the `data` of the answer @throws {Error} with n8n's text on any status other than 2xx */
	async rest(method, path, body) {
		const response = await this.#request(method, path, body);
		const text = await response.text();
		if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
		return text && JSON.parse(text).data;
	}

	/** Activates a workflow in its newest version. */
	async activate(id) {
		const { versionId } = await this.rest('GET', `/workflows/${id}`);
		await this.rest('POST', `/workflows/${id}/activate`, { versionId });
	}

	async #request(method, path, body) {
		return await fetch(`${this.#url}/rest${path}`, {
			method,
			headers: { 'content-type': 'application/json', cookie: this.#cookie },
			body: body && JSON.stringify(body),
		});
	}
}

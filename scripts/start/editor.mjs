/** A client for the internal REST API of n8n, which n8n's own editor uses. */
import { signIn } from '../n8n.js';

export class Editor {
	#url;
	#cookie = '';

	constructor(url) {
		this.#url = url;
	}

	/** Returns whether n8n is ready. */
	async isReady() {
		return (await fetch(`${this.#url}/healthz/readiness`).catch(() => undefined))?.ok === true;
	}

	/** Signs in as the owner. In a new n8n it creates the account. @throws {Error} if the user has changed the password */
	async signIn() {
		this.#cookie = await signIn(this.#url);
	}

	/** Sends a request. @returns the field `data` of the answer @throws {Error} with n8n's text if the status is not 2xx */
	async rest(method, path, body) {
		const response = await this.#request(method, path, body);
		const text = await response.text();
		if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
		return text && JSON.parse(text).data;
	}

	/** Activates the newest version of a workflow. */
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

/** The running n8n, as its editor talks to it. */
import { setTimeout as sleep } from 'node:timers/promises';

/** The account of this n8n, which only this computer can reach. */
export const owner = {
	email: 'owner@example.gr',
	firstName: 'Δοκιμαστική',
	lastName: 'Διαχειρίστρια',
	password: 'Sandbox-Only-1',
};

/** Asks again until the answer is true. @throws {Error} after `timeoutMs` */
export async function until(what, probe, timeoutMs) {
	const deadline = Date.now() + timeoutMs;
	while (!(await probe())) {
		if (Date.now() > deadline) throw new Error(`Waited ${timeoutMs / 1000} s in vain: ${what}`);
		await sleep(200);
	}
}

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

	/** Signs in; the first time it makes the account. @returns false when somebody has changed the password */
	async signIn() {
		const { email, password } = owner;
		let response = await this.#request('POST', '/login', { emailOrLdapLoginId: email, password });
		if (!response.ok) response = await this.#request('POST', '/owner/setup', owner);
		this.#cookie = response.headers
			.getSetCookie()
			.map((cookie) => cookie.split(';')[0])
			.join('; ');
		return response.ok;
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

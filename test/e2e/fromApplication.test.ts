import { randomUUID } from 'node:crypto';
import type { INode } from 'n8n-workflow';

import { builtIn } from './workflows';
import { keysStaySecret, useWorld } from './world';

/** Checks what docs/amka.md says under *From another application*: another program asks n8n about a person, and gets an answer. */
const world = useWorld();

const KEY = 'key-of-the-application-4711';
const path = randomUUID();
let credentials: Record<'httpHeaderAuth' | 'amkaApi', { id: string; name: string }>;

/** Returns Respond to Webhook, which answers with this status and this JSON. */
const respond = (name: string, responseCode: number, responseBody: string): INode =>
	builtIn('n8n-nodes-base.respondToWebhook', name, 1.1, {
		respondWith: 'json',
		responseBody,
		options: { responseCode },
	});

beforeAll(async () => {
	credentials = {
		httpHeaderAuth: await world.n8n.addCredential('httpHeaderAuth', { name: 'X-Key', value: KEY }, 'Application'),
		amkaApi: await world.n8n.addCredential('amkaApi', world.amkaApi(), 'AMKA of the application'),
	};
	const webhook: INode = {
		...builtIn('n8n-nodes-base.webhook', 'Webhook', 2, {
			httpMethod: 'POST',
			path,
			authentication: 'headerAuth',
			responseMode: 'responseNode',
			options: {},
		}),
		webhookId: path,
		credentials: { httpHeaderAuth: credentials.httpHeaderAuth },
	};
	const amka: INode = {
		...world.node('amka', {
			operation: 'validate',
			ssn: '={{ $json.body.amka }}',
			birthDate: '={{ $json.body.birthDate }}',
			surname: '={{ $json.body.surname }}',
			splitByResult: false,
		}),
		name: 'AMKA',
		credentials: { amkaApi: credentials.amkaApi },
		onError: 'continueErrorOutput',
	};
	const answer = respond(
		'Answer',
		200,
		"={{ { matched: $json.matched && !$json.deceased, notice: $json.notice ?? '' } }}",
	);
	const noAnswer = respond('No answer', 503, '={{ { notice: $json.details.notice } }}');
	const to = (name: string) => [{ node: name, type: 'main' as const, index: 0 }];
	const id = await world.n8n.addWorkflow({
		name: 'from an application',
		nodes: [webhook, amka, answer, noAnswer],
		connections: { Webhook: { main: [to('AMKA')] }, AMKA: { main: [to('Answer'), to('No answer')] } },
		settings: { executionOrder: 'v1' },
	});
	await world.n8n.publish(id);
}, 400_000);

const person = { amka: '15039904568', birthDate: '15/03/1999', surname: 'Δοκιμαστικού' };

/** Asks n8n about a person, as the application does. @returns the status and the answer */
async function ask(body: object, key = KEY, method = 'POST') {
	const response = await fetch(`${world.n8n.url}/webhook/${path}`, {
		method,
		headers: { 'content-type': 'application/json', 'x-key': key },
		body: method === 'GET' ? undefined : JSON.stringify(body),
	});
	const text = await response.text();
	return [response.status, response.status === 403 || response.status === 404 ? undefined : JSON.parse(text)] as const;
}

test('another application gets the verdict on a person, and a text that it can show', async () => {
	expect(await ask(person)).toEqual([200, { matched: true, notice: '' }]);
	const [status, answer] = await ask({ ...person, surname: 'Αγνώστου' });
	expect([status, answer.matched]).toEqual([200, false]);
	expect(answer.notice).not.toBe('');
});

test('the answer about a person who has died is the same as about a person who does not match', async () => {
	const asked = { amka: '01013099997', birthDate: '01/01/1930', surname: 'Δοκιμαστικός' };
	expect(await ask(asked)).toEqual(await ask({ ...asked, surname: 'Αγνώστου' }));
});

test('an outage is answered with 503 and a notice, and not as a person who does not match', async () => {
	const { id, name } = credentials.amkaApi;
	const change = async (data: object) =>
		await world.n8n.rest('PATCH', `/credentials/${id}`, { name, type: 'amkaApi', data });
	await change({ ...world.amkaApi(), baseUrl: 'http://127.0.0.1:1' });
	const [status, answer] = await ask(person);
	expect([status, Object.keys(answer)]).toEqual([503, ['notice']]);
	expect(answer.notice).not.toBe('');
	await change(world.amkaApi());
	expect((await ask(person))[0]).toBe(200);
}, 60_000);

test('a caller without the key, or with a GET request, gets no answer about a person', async () => {
	expect((await ask(person, 'another key'))[0]).toBe(403);
	expect((await ask(person, KEY, 'GET'))[0]).toBe(404);
});

keysStaySecret(world);

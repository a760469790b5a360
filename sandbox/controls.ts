import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { keywordsOf } from './agreed';
import { findKeyword } from './keywords';
import { inventedPerson } from './people';
import type { CallResult, State } from './state';
import { isThisComputer } from './thisComputer';
import { switches } from './trouble';
import { versionOf, viewOf } from './view';

const someSwitches = switches.partial();

const mostKeywords = 50;
const address = z.string().max(2_000);
const someSettings = z
	.object({
		apiKey: z.string().max(500),
		institution: z.string().max(500),
		preSharedKey: z.string().max(500),
		forwardKey: z.string().max(500),
		forwardUrl: address,
		keywordUrls: z.record(z.string().max(40).regex(/^\S+$/), address),
	})
	.partial()
	.strict();

const forwarded = z
	.object({ msisdn: z.string().max(64), text: z.string().max(2_000), isTest: z.boolean().optional() })
	.strict();

const capitals = z
	.string()
	.max(100)
	.regex(/^[Α-ΩΪΫ][Α-ΩΪΫ -]*$/);
const person = z
	.object({
		amka: z.string().regex(/^\d{11}$/),
		birthDate: z.string().regex(/^\d{4}-\d\d-\d\d$/),
		surname: capitals,
		name: capitals,
		mobile: z.string().regex(/^(69|68|94)\d{8}$/),
	})
	.strict();

const asked = z.object({ version: z.string().optional(), latest: z.coerce.number().int().min(0).optional() });

/**
 * Serves the HTTP interface through which the page and the tests control the sandbox. It answers 400 to a body with unknown
 * fields.
 * - `GET /control/state` returns the settings, the switches, the people, the messages and texts of the phones, and the stored
 *   HTTP requests, with masked keys. `latest` limits the number of messages and texts together, and that of requests. If
 *   `version` is that of an earlier answer and nothing has changed since, the answer is 204.
 * - `PATCH /control/trouble` sets some of the switches (see `Trouble`). `DELETE` sets all of them to their initial values.
 * - `PATCH /control/settings` sets some of the `Settings`. Of `keywordUrls` it changes only the given keywords, and an empty
 *   URL removes a keyword.
 * - `POST /control/people` `{amka, birthDate, surname, name, mobile}` adds an invented person.
 * - `POST /control/forward` `{msisdn, text, isTest}` simulates an SMS from a user. With `isTest` it goes to the Test URL of the
 *   SMS Trigger. The answer is 404 if the text has no known keyword or the call was not made.
 * - `POST /control/clear` empties the phones and the list of requests.
 * - `POST /control/reset` restores the initial state.
 */
export function controls(
	server: FastifyInstance,
	state: State,
	forward: (msisdn: string, text: string, isTest?: boolean) => Promise<CallResult | undefined>,
): void {
	// Rejects requests that other web pages in the same browser send.
	server.addHook('onRequest', async (request, reply) => {
		if (!request.url.startsWith('/control/')) return;
		const { origin, host = '' } = request.headers;
		const foreign = origin !== undefined && new URL(origin).host !== host;
		if (foreign || !isThisComputer(host.replace(/:\d+$/, ''))) {
			await reply.code(403).send({ error: 'Only the page of the sandbox may send this request.' });
		}
	});
	server.setErrorHandler(async (error, _request, reply) => {
		if (!(error instanceof z.ZodError)) throw error;
		const [first] = error.issues;
		return await reply.code(400).send({ error: `${first?.path.join('.')}: ${first?.message}` });
	});

	server.get('/control/state', async (request, reply) => {
		const { version, latest } = asked.parse(request.query);
		if (version === versionOf(state)) return await reply.code(204).send();
		return viewOf(state, latest ?? Infinity);
	});

	server.patch('/control/trouble', async (request) => {
		Object.assign(state.trouble, someSwitches.parse(request.body));
		state.save();
		return state.trouble;
	});

	server.delete('/control/trouble', async () => {
		state.endTrouble();
		return state.trouble;
	});

	server.patch('/control/settings', async (request, reply) => {
		const { keywordUrls = {}, ...others } = someSettings.parse(request.body);
		// Another spelling of a registered keyword is the same keyword: `βα` is ΒΑ.
		const known = keywordsOf(state.settings);
		const changes = Object.entries(keywordUrls).map(([word, url]) => [findKeyword(word, known) ?? word, url] as const);
		const all = Object.entries({ ...state.settings.keywordUrls, ...Object.fromEntries(changes) }).filter(
			([, url]) => url !== '',
		);
		if (all.length > mostKeywords) {
			return await reply.code(409).send({ error: `${mostKeywords} keywords already have a URL.` });
		}
		Object.assign(state.settings, others, { keywordUrls: Object.fromEntries(all) });
		state.save();
		return await reply.code(204).send();
	});

	server.post('/control/people', async (request, reply) => {
		const { amka, birthDate, surname, name, mobile } = person.parse(request.body);
		if (state.people.some(({ record }) => record.amka_in === amka)) {
			return await reply.code(409).send({ error: 'This number is already in the registry.' });
		}
		if (!state.addPerson({ record: inventedPerson(amka, birthDate, surname, name), mobile })) {
			return await reply.code(507).send({ error: 'The registry is full.' });
		}
		return await reply.code(204).send();
	});

	server.post('/control/forward', async (request, reply) => {
		const { msisdn, text, isTest } = forwarded.parse(request.body);
		return (
			(await forward(msisdn, text, isTest)) ?? (await reply.code(404).send({ error: 'No service has this keyword.' }))
		);
	});

	server.post('/control/clear', async (_request, reply) => {
		state.clear();
		return await reply.code(204).send();
	});

	server.post('/control/reset', async (_request, reply) => {
		state.reset();
		return await reply.code(204).send();
	});
}

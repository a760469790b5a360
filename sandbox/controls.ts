import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { keywordsOf } from './agreed';
import { findKeyword } from './keywords';
import { madeUp } from './people';
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
 * Serves the controls of the sandbox over HTTP. A body with other fields gets 400.
 * - `GET /control/state`: the switches, the people, the phones' messages and texts, and every call so far, keys
 *   masked; with `latest`, only so many of each list, and with the `version` of an earlier answer 204 while it is the same;
 * - `PATCH /control/trouble`: sets some of the switches of `Trouble`; `DELETE`: all as at the start;
 * - `PATCH /control/settings`: sets some of `Settings`; of `keywordUrls` those that are named, an empty one is removed;
 * - `POST /control/people` `{amka, birthDate, surname, name, mobile}`: one more invented person;
 * - `POST /control/forward` `{msisdn, text, isTest}`: a user sends an SMS, with `isTest` to the Test URL of the trigger; 404
 *   when it has no known keyword;
 * - `POST /control/clear`: empties phones and log;
 * - `POST /control/reset`: back to the start.
 */
export function controls(
	server: FastifyInstance,
	state: State,
	forward: (msisdn: string, text: string, isTest?: boolean) => Promise<CallResult | undefined>,
): void {
	// Rejects requests of other pages that are open in the same browser.
	server.addHook('onRequest', async (request, reply) => {
		if (!request.url.startsWith('/control/')) return;
		const { origin, host = '' } = request.headers;
		const foreign = origin !== undefined && new URL(origin).host !== host;
		if (foreign || !isThisComputer(host.replace(/:\d+$/, ''))) {
			await reply.code(403).send({ error: 'Only from this page.' });
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
		// `βα` is the same keyword as the registered ΒΑ.
		const known = keywordsOf(state.settings);
		const changes = Object.entries(keywordUrls).map(([word, url]) => [findKeyword(word, known) ?? word, url] as const);
		const all = Object.entries({ ...state.settings.keywordUrls, ...Object.fromEntries(changes) }).filter(
			([, url]) => url !== '',
		);
		if (all.length > mostKeywords) {
			return await reply.code(409).send({ error: `There are ${mostKeywords} keywords with an address already.` });
		}
		Object.assign(state.settings, others, { keywordUrls: Object.fromEntries(all) });
		state.save();
		return await reply.code(204).send();
	});

	server.post('/control/people', async (request, reply) => {
		const { amka, birthDate, surname, name, mobile } = person.parse(request.body);
		if (state.people.some(({ record }) => record.amka_in === amka)) {
			return await reply.code(409).send({ error: 'This number is in the registry already.' });
		}
		if (!state.addPerson({ record: madeUp(amka, birthDate, surname, name), mobile })) {
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

import type { FastifyInstance } from 'fastify';
import { echoPlaces, encodings } from './echo';
import { madeUp } from './people';
import { phoneOf, services } from './platform';
import type { Sandbox } from './server';
import { isThisComputer } from './thisComputer';
import { answers, reports } from './trouble';

const text = { type: 'string' } as const;
const milliseconds = { type: 'integer', minimum: 0, maximum: 600_000 } as const;
const mobile = { type: 'string', pattern: '^(69|68|94)\\d{8}$' } as const;
const capitals = { type: 'string', pattern: '^[Α-ΩΪΫ][Α-ΩΪΫ -]*$' } as const;

const troubleBody = {
	type: 'object',
	additionalProperties: false,
	properties: {
		answer: { enum: answers },
		times: { type: ['integer', 'null'], minimum: 1 },
		forMs: { type: ['integer', 'null'], minimum: 1, maximum: 600_000 },
		recipient: text,
		delayMs: milliseconds,
		holdUntilTaken: { type: 'integer', minimum: 0 },
		retryAfter: text,
		status: { type: ['integer', 'null'], minimum: 200, maximum: 599 },
		echoIn: { enum: echoPlaces },
		echoAs: { enum: Object.keys(encodings) },
		redirectTo: text,
		report: { enum: reports },
		reportDelayMs: milliseconds,
		reportError: text,
	},
} as const;

const settingsBody = {
	type: 'object',
	additionalProperties: false,
	properties: { apiKey: text, institution: text, preSharedKey: text, forwardUrl: text },
} as const;

const forwardBody = {
	type: 'object',
	additionalProperties: false,
	required: ['msisdn', 'text'],
	properties: { msisdn: text, text },
} as const;

const personBody = {
	type: 'object',
	additionalProperties: false,
	required: ['amka', 'birthDate', 'surname', 'name', 'mobile'],
	properties: {
		amka: { type: 'string', pattern: '^\\d{11}$' },
		birthDate: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$' },
		surname: capitals,
		name: capitals,
		mobile,
	},
} as const;
interface PersonBody {
	amka: string;
	birthDate: string;
	surname: string;
	name: string;
	mobile: string;
}

/** Everything that the page shows; of each list that only grows, the latest. */
function stateOf(sandbox: Sandbox, latest: number): object {
	const { institution, forwardUrl } = sandbox.settings;
	return {
		// A restarted sandbox counts from 0 again.
		version: versionOf(sandbox),
		now: new Date().toISOString(),
		// The other settings are keys: they go in, and never out.
		settings: { institution, forwardUrl },
		trouble: sandbox.trouble,
		services,
		people: sandbox.people,
		messages: sandbox.messages.slice(-latest).map((message) => ({ ...message, phone: phoneOf(message.recipient) })),
		texts: sandbox.texts.slice(-latest),
		calls: sandbox.traffic.calls.slice(-latest),
	};
}

const begun = Date.now();
const versionOf = ({ store }: Sandbox): string => `${begun}-${store.changes}`;

/**
 * What a person at the sandbox can do, over HTTP:
 * - `GET /control/state`: the switches, the people, the phones' messages and texts, and every call so far, keys
 *   masked; with `latest`, only so many of each list, and with the `version` of an earlier answer 204 while it is the same;
 * - `PATCH /control/trouble`: sets some of the switches of `Trouble`; `DELETE`: all as at the start;
 * - `PATCH /control/settings`: sets some of `Settings`;
 * - `POST /control/people` `{amka, birthDate, surname, name, mobile}`: one more invented person;
 * - `POST /control/forward` `{msisdn, text}`: a user sends an SMS; 404 when it has no known keyword;
 * - `POST /control/clear`: empties phones and log;
 * - `POST /control/reset`: back to the start.
 */
export function controls(server: FastifyInstance, sandbox: Sandbox): void {
	// A page of somebody else's that is open in the same browser has no business here.
	server.addHook('onRequest', async (request, reply) => {
		if (!request.url.startsWith('/control/')) return;
		const { origin, host = '' } = request.headers;
		const foreign = origin !== undefined && new URL(origin).host !== host;
		if (foreign || !isThisComputer(host.replace(/:\d+$/, ''))) {
			await reply.code(403).send({ error: 'Only from this page.' });
		}
	});

	server.get<{ Querystring: { version?: string; latest?: string } }>('/control/state', async (request, reply) => {
		const { version, latest } = request.query;
		if (version === versionOf(sandbox)) return await reply.code(204).send();
		return stateOf(sandbox, latest === undefined ? Infinity : Number(latest));
	});

	server.patch('/control/trouble', { schema: { body: troubleBody } }, async (request) => {
		Object.assign(sandbox.trouble, request.body);
		sandbox.save();
		return sandbox.trouble;
	});

	server.delete('/control/trouble', async () => {
		sandbox.endTrouble();
		return sandbox.trouble;
	});

	server.patch('/control/settings', { schema: { body: settingsBody } }, async (request, reply) => {
		Object.assign(sandbox.settings, request.body);
		sandbox.save();
		return await reply.code(204).send();
	});

	server.post<{ Body: PersonBody }>('/control/people', { schema: { body: personBody } }, async (request, reply) => {
		const { amka, birthDate, surname, name, mobile } = request.body;
		if (sandbox.people.some(({ record }) => record.amka_in === amka)) {
			return await reply.code(409).send({ error: 'This number is in the registry already.' });
		}
		sandbox.addPerson({ record: madeUp(amka, birthDate, surname, name), mobile });
		return await reply.code(204).send();
	});

	server.post<{ Body: { msisdn: string; text: string } }>(
		'/control/forward',
		{ schema: { body: forwardBody } },
		async (request, reply) => {
			const result = await sandbox.forward(request.body.msisdn, request.body.text);
			return result ?? (await reply.code(404).send({ error: 'No service has this keyword.' }));
		},
	);

	server.post('/control/clear', async (_request, reply) => {
		sandbox.clear();
		return await reply.code(204).send();
	});

	server.post('/control/reset', async (_request, reply) => {
		sandbox.reset();
		return await reply.code(204).send();
	});
}

import type { FastifyInstance } from 'fastify';
import type { Sandbox } from './server';
import { answers, reports } from './trouble';

const text = { type: 'string' } as const;
const milliseconds = { type: 'integer', minimum: 0, maximum: 600_000 } as const;

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

/**
 * What a person at the sandbox can do, over HTTP:
 * - `GET /control/state`: the switches, the messages taken, and every call so far, keys masked;
 * - `PATCH /control/trouble`: sets some of the switches of `Trouble`;
 * - `PATCH /control/settings`: sets some of `Settings`;
 * - `POST /control/forward` `{msisdn, text}`: a user sends an SMS; 404 when it has no known keyword;
 * - `POST /control/reset`: back to the start.
 */
export function controls(server: FastifyInstance, sandbox: Sandbox): void {
	server.get('/control/state', async () => ({
		trouble: sandbox.trouble,
		messages: sandbox.messages,
		calls: sandbox.traffic.calls,
	}));

	server.patch('/control/trouble', { schema: { body: troubleBody } }, async (request) =>
		Object.assign(sandbox.trouble, request.body),
	);

	server.patch('/control/settings', { schema: { body: settingsBody } }, async (request, reply) => {
		Object.assign(sandbox.settings, request.body);
		// The settings hold the keys: they go in, and never out.
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

	server.post('/control/reset', async (_request, reply) => {
		sandbox.reset();
		return await reply.code(204).send();
	});
}

import Fastify, { type FastifyInstance } from 'fastify';
import { amkaService } from './amka';
import { callWebhook } from './callWebhook';
import type { Certificate } from './certificate';
import { controls } from './controls';
import { forward } from './forward';
import { logCalls } from './logCalls';
import { answerWrongPaths } from './notTaken';
import { Outbox } from './outbox';
import { page } from './page';
import { smsPlatform } from './platform';
import { Running } from './running';
import { State, type CallResult } from './state';
import type { Trouble } from './trouble';

/** The differences of a sandbox from that of the tests, which is quick and keeps nothing. */
export interface Manner {
	/** The SQLite file. */
	database: string;
	/** Switches with another value at the start. */
	trouble: Partial<Trouble>;
	/** How long after each failed call it calls an institution again. */
	retryMs: readonly number[];
}

const quick: Manner = { database: ':memory:', trouble: {}, retryMs: [250, 500, 750] };

/** The state of a sandbox, with functions for callers that don't use HTTP. */
export type Sandbox = State & {
	/** The address of both services: https://127.0.0.1:PORT or http. */
	url: string;
	/** A user sends an SMS: see `forward` in forward.ts. */
	forward(msisdn: string, text: string, isTest?: boolean): Promise<CallResult | undefined>;
	/** One call of the platform's: see callWebhook.ts. */
	call(url: string, body: object): Promise<CallResult>;
	/** Resolves when no report is under way or waiting. */
	settled(): Promise<void>;
	/** Leaves what is waiting to the next start, cuts what is open, and frees the port. */
	close(): Promise<void>;
};

/**
 * Starts the simulated AMKA service and SMS platform on 127.0.0.1, in one process. All of its people are invented, and it
 * calls only this computer.
 * @param port 0 takes a free one; `url` says which
 * @param certificate given, the services speak https with it
 * @throws {Error} when the port is taken
 */
export async function startSandbox(
	port = 0,
	certificate?: Certificate,
	manner: Partial<Manner> = {},
): Promise<Sandbox> {
	const { database, trouble, retryMs } = { ...quick, ...manner };
	const server = Fastify({
		https: certificate ?? null,
		// Tests cut and hang connections on purpose: closing must not wait for them.
		forceCloseConnections: true,
	}) as unknown as FastifyInstance;
	const running = new Running();
	const state = new State(database, trouble);
	const outbox = new Outbox(state, running, retryMs);
	const send = async (msisdn: string, text: string, isTest = false) =>
		await forward(state, outbox, msisdn, text, isTest);

	logCalls(server, state.traffic);
	amkaService(server, state, running);
	smsPlatform(server, state, running, outbox);
	controls(server, state, send);
	page(server);
	answerWrongPaths(server);
	const url = await server.listen({ host: '127.0.0.1', port });
	outbox.goOn();
	return Object.assign(state, {
		url,
		forward: send,
		call: async (address: string, body: object) => await callWebhook(state, running, address, body),
		settled: async () => await running.settled(),
		async close() {
			running.stop();
			await running.settled();
			await server.close();
			state.save();
			state.store.close();
		},
	});
}

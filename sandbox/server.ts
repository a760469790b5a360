import Fastify, { type FastifyInstance } from 'fastify';
import { amkaService } from './amka';
import { callWebhook } from './callWebhook';
import type { Certificate } from './certificate';
import { controls } from './controls';
import { forward } from './forward';
import { logCalls } from './logCalls';
import { answerWrongPaths } from './invalidRequests';
import { Outbox } from './outbox';
import { page } from './page';
import { smsPlatform } from './platform';
import { Running } from './running';
import { State, type CallResult } from './state';
import type { Trouble } from './trouble';

/** Options of a sandbox. The defaults are for tests: short pauses, and no file. */
export interface SandboxOptions {
	/** The SQLite file. `:memory:` keeps the data only in this process. */
	database: string;
	/** Initial values of switches that differ from `noTrouble`. */
	trouble: Partial<Trouble>;
	/** The pause after each failed call to an institution before the next attempt, in milliseconds. */
	retryMs: readonly number[];
}

const testOptions: SandboxOptions = { database: ':memory:', trouble: {}, retryMs: [250, 500, 750] };

/** The state of a sandbox, with functions that tests call directly, without an HTTP request. */
export type Sandbox = State & {
	/** The base URL of both services: http://127.0.0.1:PORT, or https with a certificate. */
	url: string;
	/** Simulates a user who sends an SMS: see forward.ts. */
	forward(msisdn: string, text: string, isTest?: boolean): Promise<CallResult | undefined>;
	/** Makes one call of the platform to an institution: see callWebhook.ts. */
	call(url: string, body: object): Promise<CallResult>;
	/** Resolves when no call to an institution is in progress or pending. */
	settled(): Promise<void>;
	/** Closes all connections and frees the port. Pending calls stay in the database for the next start. */
	close(): Promise<void>;
};

/**
 * Starts the simulated AMKA service and SMS platform on 127.0.0.1, on one port. All people are invented, and the sandbox sends
 * requests only to this computer.
 * @param port 0 chooses a free port, which `url` contains
 * @param certificate if it is given, the services use https
 * @throws {Error} if the port is taken
 */
export async function startSandbox(
	port = 0,
	certificate?: Certificate,
	options: Partial<SandboxOptions> = {},
): Promise<Sandbox> {
	const { database, trouble, retryMs } = { ...testOptions, ...options };
	const server = Fastify({
		https: certificate ?? null,
		// Some tests leave connections open on purpose. `close` must not wait for them.
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
	outbox.resume();
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

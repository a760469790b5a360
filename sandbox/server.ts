import { setTimeout as sleep } from 'node:timers/promises';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { amkaService } from './amka';
import type { Certificate } from './certificate';
import { controls } from './controls';
import { forward, smsPlatform, type CallResult, type Message } from './platform';
import { Traffic, type Call } from './traffic';
import { endTrouble, noTrouble, type Trouble } from './trouble';

/** What an institution and the operators have agreed on. */
export interface Settings {
	/** The AMKA service's key. */
	apiKey: string;
	institution: string;
	preSharedKey: string;
	/** The institution's SMS forward address. */
	forwardUrl: string;
}

const defaults: Readonly<Settings> = {
	apiKey: 'sandbox-amka-key-4b1f0c7e',
	institution: 'example-university',
	preSharedKey: 'sandbox-pre-shared-key-9d2a63e5',
	forwardUrl: '',
};

const callTimeoutMs = 30_000;

/**
 * The simulated AMKA service and SMS platform, in one process on the loopback interface.
 * Nothing it knows is about real people, and it calls only the addresses it is given.
 */
export class Sandbox {
	readonly settings: Settings = { ...defaults };
	readonly trouble: Trouble = { ...noTrouble };
	/** Every message taken so far, in order. */
	readonly messages: Message[] = [];
	/** How many send requests are in work, and the most at once so far. */
	inFlight = 0;
	mostInFlight = 0;
	readonly traffic = new Traffic(() => [this.settings.apiKey, this.settings.preSharedKey]);
	/** The address of both services: https://127.0.0.1:PORT or http. */
	url = '';

	private readonly stopping = new AbortController();
	private readonly running = new Set<Promise<void>>();
	private readonly server: FastifyInstance;

	constructor(server: FastifyInstance) {
		this.server = server;
	}

	/** How many messages to this recipient were taken, whatever the caller was told. */
	accepted(recipient: string): number {
		return this.messages.filter((message) => message.recipient === recipient).length;
	}

	/** A user sends an SMS: see `forward` in platform.ts. */
	async forward(msisdn: string, text: string): Promise<CallResult | undefined> {
		return await forward(this, msisdn, text);
	}

	/** Settings and switches as at the start, and nothing remembered. Reports under way still go out. */
	reset(): void {
		Object.assign(this.settings, defaults);
		endTrouble(this.trouble);
		this.messages.length = 0;
		this.mostInFlight = this.inFlight;
		this.traffic.calls.length = 0;
	}

	/** Resolves when no report is under way or waiting. */
	async settled(): Promise<void> {
		while (this.running.size > 0) await Promise.all(this.running);
	}

	/** Drops what is waiting, cuts what is open, and frees the port. */
	async close(): Promise<void> {
		this.stopping.abort();
		await this.settled();
		await this.server.close();
	}

	/** Waits as long as the switches say before an answer. */
	async delay(): Promise<void> {
		if (this.trouble.delayMs > 0) await this.wait(this.trouble.delayMs);
		while (this.messages.length < this.trouble.holdUntilTaken && !this.stopping.signal.aborted) await this.wait(10);
	}

	/** Works on one send, which counts as in flight until its answer is on its way. */
	async counted<T>(work: () => Promise<T>): Promise<T> {
		this.mostInFlight = Math.max(this.mostInFlight, ++this.inFlight);
		try {
			return await work();
		} finally {
			this.inFlight--;
		}
	}

	/** Waits; a stopping sandbox waits no longer. */
	async wait(ms: number): Promise<void> {
		await sleep(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
	}

	/** Runs something that outlives its request, so that `settled` and `close` know about it. */
	async background(work: () => Promise<void>): Promise<void> {
		const done = work().finally(() => this.running.delete(done));
		this.running.add(done);
		await done;
	}

	/** POSTs one JSON body to an institution's webhook. Never throws: a call that fails has status 0. */
	async call(url: string, body: Record<string, unknown>): Promise<CallResult> {
		const call = this.traffic.begun({ direction: 'out', method: 'POST', url, headers: {}, body });
		let result: CallResult;
		try {
			const response = await fetch(url, {
				method: 'POST',
				headers: { 'content-type': 'application/json', accept: 'application/json' },
				body: JSON.stringify(body),
				signal: AbortSignal.any([this.stopping.signal, AbortSignal.timeout(callTimeoutMs)]),
			});
			result = { status: response.status, answer: parse(await response.text()) };
		} catch (error) {
			result = { status: 0, answer: String((error as Error).cause ?? error) };
		}
		this.traffic.answered(call, result.status, result.answer);
		return result;
	}
}

/** @returns the JSON value, or the text itself where it isn't JSON */
function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** Logs every call of the two services, also those that get no answer. */
function logCalls(server: FastifyInstance, { traffic }: Sandbox): void {
	const open = new WeakMap<FastifyRequest, Call>();
	server.addHook('preHandler', async (request) => {
		if (request.url.startsWith('/control/')) return;
		const { method, url, headers, body = null } = request;
		open.set(request, traffic.begun({ direction: 'in', method, url, headers, body }));
	});
	server.addHook('onSend', async (request, reply, payload) => {
		const call = open.get(request);
		if (call) traffic.answered(call, reply.statusCode, typeof payload === 'string' ? parse(payload) : null);
		return payload;
	});
}

/**
 * Starts a sandbox on 127.0.0.1.
 * @param port 0 takes a free one; `url` says which
 * @param certificate given, the services speak https with it
 * @throws {Error} when the port is taken
 */
export async function startSandbox(port = 0, certificate?: Certificate): Promise<Sandbox> {
	const server = Fastify({
		https: certificate ?? null,
		// Tests cut and hang connections on purpose: closing must not wait for them.
		forceCloseConnections: true,
		// A misspelt switch is to be refused, not dropped.
		ajv: { customOptions: { removeAdditional: false, coerceTypes: false } },
	}) as unknown as FastifyInstance;
	const sandbox = new Sandbox(server);
	logCalls(server, sandbox);
	amkaService(server, sandbox);
	smsPlatform(server, sandbox);
	controls(server, sandbox);
	sandbox.url = await server.listen({ host: '127.0.0.1', port });
	return sandbox;
}

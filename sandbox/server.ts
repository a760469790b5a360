import { setTimeout as sleep } from 'node:timers/promises';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { amkaService } from './amka';
import type { Certificate } from './certificate';
import { controls } from './controls';
import { Outbox, type CallResult } from './outbox';
import { page } from './page';
import { inhabitants, type Inhabitant } from './people';
import { forward, smsPlatform, type Message, type Text } from './platform';
import { Store, type Kept } from './store';
import { isThisComputer } from './thisComputer';
import { Traffic, type Call } from './traffic';
import { endTrouble, nextAnswer, noTrouble, type Trouble } from './trouble';

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

/** How a sandbox differs from the quick and forgetful one of the tests. */
export interface Manner {
	/** The SQLite file that remembers everything. */
	database: string;
	/** Switches that stand differently at the start. */
	trouble: Partial<Trouble>;
	/** How long after each failed call it calls an institution again. */
	retryMs: readonly number[];
}

const quick: Manner = { database: ':memory:', trouble: {}, retryMs: [250, 500, 750] };

const callTimeoutMs = 30_000;

/**
 * The simulated AMKA service and SMS platform, in one process on the loopback interface.
 * Nothing it knows is about real people, and it calls only the addresses it is given.
 */
export class Sandbox {
	readonly store: Store;
	readonly settings: Settings;
	readonly trouble: Trouble;
	readonly people: Array<Kept<Inhabitant>>;
	/** Every message taken so far, in order. */
	readonly messages: Array<Kept<Message>>;
	/** Every SMS that a user has sent, in order. */
	readonly texts: Array<Kept<Text>>;
	readonly traffic: Traffic;
	readonly outbox: Outbox;
	/** How many send requests are in work, and the most at once so far. */
	inFlight = 0;
	mostInFlight = 0;
	/** The address of both services: https://127.0.0.1:PORT or http. */
	url = '';

	private readonly noTrouble: Trouble;
	private readonly stopping = new AbortController();
	private readonly running = new Set<Promise<void>>();
	private readonly server: FastifyInstance;

	constructor(server: FastifyInstance, { database, trouble, retryMs }: Manner) {
		this.server = server;
		this.store = new Store(database);
		this.noTrouble = { ...noTrouble, ...trouble };
		this.settings = { ...defaults, ...this.store.setting<Settings>('settings') };
		this.trouble = { ...this.noTrouble, ...this.store.setting<Trouble>('trouble') };
		this.people = this.store.all('person');
		if (this.people.length === 0) this.populate();
		this.messages = this.store.all('message');
		this.texts = this.store.all('text');
		this.traffic = new Traffic(this.store, () => [this.settings.apiKey, this.settings.preSharedKey]);
		this.outbox = new Outbox(this, retryMs);
	}

	/** How many messages to this recipient were taken, whatever the caller was told. */
	accepted(recipient: string): number {
		return this.messages.filter((message) => message.recipient === recipient).length;
	}

	/** A user sends an SMS: see `forward` in platform.ts. */
	async forward(msisdn: string, text: string): Promise<CallResult | undefined> {
		return await forward(this, msisdn, text);
	}

	/** The answer that the switches have for one request. */
	nextAnswer(): Trouble['answer'] {
		const answer = nextAnswer(this.trouble);
		if (answer !== 'normal') this.save();
		return answer;
	}

	/** Notes a message that was taken. */
	took(message: Message): void {
		this.messages.push(this.store.add('message', message));
	}

	/** Notes an SMS of a user. */
	received(text: Text): Kept<Text> {
		const entry = this.store.add('text', text);
		this.texts.push(entry);
		return entry;
	}

	/** Notes what the institution has answered to a user's SMS. */
	textWasPassedOn(id: number, result: CallResult): void {
		const text = this.texts.find((entry) => entry.id === id);
		if (!text) return;
		text.result = result;
		this.store.change('text', text);
	}

	addPerson(person: Inhabitant): void {
		this.people.push(this.store.add('person', person));
	}

	/** Keeps settings and switches as they are now. */
	save(): void {
		this.store.keepSetting('settings', this.settings);
		this.store.keepSetting('trouble', this.trouble);
	}

	/** Switches as at the start. */
	endTrouble(): void {
		endTrouble(this.trouble, this.noTrouble);
		this.save();
	}

	/** Empties phones and log. What is agreed on, the switches and the people stay. */
	clear(): void {
		this.messages.length = 0;
		this.texts.length = 0;
		this.store.empty('message');
		this.store.empty('text');
		this.store.empty('errand');
		this.traffic.clear();
		this.mostInFlight = this.inFlight;
	}

	/** As new: nothing remembered. Reports under way still go out. */
	reset(): void {
		this.clear();
		Object.assign(this.settings, defaults);
		this.endTrouble();
		this.populate();
	}

	private populate(): void {
		this.store.empty('person');
		this.people.length = 0;
		for (const person of inhabitants()) this.addPerson(person);
	}

	/** Resolves when no report is under way or waiting. */
	async settled(): Promise<void> {
		while (this.running.size > 0) await Promise.all(this.running);
	}

	/** Whether it is ending. */
	get stopped(): boolean {
		return this.stopping.signal.aborted;
	}

	/** Leaves what is waiting to the next start, cuts what is open, and frees the port. */
	async close(): Promise<void> {
		this.stopping.abort();
		await this.settled();
		await this.server.close();
		this.save();
		this.store.close();
	}

	/** Waits as long as the switches say before an answer. */
	async delay(): Promise<void> {
		if (this.trouble.delayMs > 0) await this.wait(this.trouble.delayMs);
		while (this.messages.length < this.trouble.holdUntilTaken && !this.stopped) await this.wait(10);
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
		if (ms > 0) await sleep(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
	}

	/** Runs something that outlives its request, so that `settled` and `close` know about it. */
	async background(work: () => Promise<void>): Promise<void> {
		const done = work().finally(() => this.running.delete(done));
		this.running.add(done);
		await done;
	}

	/**
	 * POSTs one JSON body to an institution's webhook on this computer, and to none elsewhere: it is a toy, and an address
	 * in a test may be somebody's. Never throws: a call that fails has status 0.
	 */
	async call(url: string, body: Record<string, unknown>): Promise<CallResult> {
		const call = this.traffic.begun({ direction: 'out', method: 'POST', url, headers: {}, body });
		let result: CallResult;
		try {
			const { hostname } = new URL(url);
			if (!isThisComputer(hostname)) throw new Error(`The sandbox calls this computer only, not ${hostname}`);
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

/** The sandbox's own page is not one of the two services. */
const ofThePage = (url: string): boolean => /^\/($|\?|control\/|page\/|favicon\.ico$)/.test(url);

/** Logs every call of the two services, also those that get no answer. */
function logCalls(server: FastifyInstance, { traffic }: Sandbox): void {
	const open = new WeakMap<FastifyRequest, Kept<Call>>();
	server.addHook('preHandler', async (request) => {
		if (ofThePage(request.url)) return;
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
export async function startSandbox(
	port = 0,
	certificate?: Certificate,
	manner: Partial<Manner> = {},
): Promise<Sandbox> {
	const server = Fastify({
		https: certificate ?? null,
		// Tests cut and hang connections on purpose: closing must not wait for them.
		forceCloseConnections: true,
		// A misspelt switch is to be refused, not dropped.
		ajv: { customOptions: { removeAdditional: false, coerceTypes: false } },
	}) as unknown as FastifyInstance;
	const sandbox = new Sandbox(server, { ...quick, ...manner });
	logCalls(server, sandbox);
	amkaService(server, sandbox);
	smsPlatform(server, sandbox);
	controls(server, sandbox);
	page(server);
	sandbox.url = await server.listen({ host: '127.0.0.1', port });
	sandbox.outbox.goOn();
	return sandbox;
}

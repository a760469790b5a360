import { Readable } from 'node:stream';
import nock from 'nock';

/*
 * Simulates the network for the workflow tests. No request leaves the process, and a request that no test expects fails the
 * test.
 */

/** A request as the registry or the platform would get it. */
export interface Sent {
	method: string;
	/** The URL without the query. */
	url: string;
	query: Record<string, string>;
	/** The headers, with lower-case names. */
	headers: Record<string, string>;
	/** The body as text. */
	body: string;
}

/**
 * The server's reaction to a request: a response immediately, late or character by character, or a connection error with this code.
 */
export type Reply =
	| { status?: number; body?: unknown; headers?: Record<string, string>; delayMs?: number; dripMs?: number }
	| { cut: string };

const strays: string[] = [];
const noteStray = ({ method, url }: Request) => strays.push(`${method} ${url}`);

beforeAll(() => {
	if (!nock.isActive()) nock.activate();
	nock.disableNetConnect();
	globalThis.fetch = () => {
		throw new Error('fetch is not part of what n8n gives to nodes');
	};
});
beforeEach(() => {
	strays.length = 0;
	nock.emitter.on('no match', noteStray);
});
afterEach(() => {
	nock.emitter.off('no match', noteStray);
	nock.cleanAll();
	expect(strays).toEqual([]);
});
afterAll(() => nock.restore());

/**
 * Simulates a service under one URL until the test ends.
 * @returns the list of requests, to which each request is added when it arrives
 */
export function serve(
	method: 'GET' | 'POST' | 'HEAD' | 'OPTIONS',
	address: string,
	reply: Reply | ((request: Sent, index: number) => Reply | Promise<Reply>) = {},
): Sent[] {
	const { origin, pathname } = new URL(address);
	const received: Sent[] = [];
	const scope = nock(origin).persist();

	scope.on('request', (request: Request, _interceptor, body: string) => {
		const url = new URL(request.url);
		received.push({
			method: request.method,
			url: url.origin + url.pathname,
			query: Object.fromEntries(url.searchParams),
			headers: Object.fromEntries(request.headers),
			body,
		});
	});

	scope
		.intercept(pathname, method)
		.query(true)
		.reply(async () => {
			const index = received.length - 1;
			const request = received[index] as Sent;
			const given = typeof reply === 'function' ? await reply(request, index) : reply;
			if ('cut' in given) {
				throw Object.assign(new Error(`${given.cut} by the test`), { code: given.cut });
			}
			const { status = 200, body = '', headers = {}, delayMs = 0, dripMs } = given;
			await new Promise((resolve) => setTimeout(resolve, delayMs).unref());
			// With bytes, a test can answer in another charset. With a stream, a response can stall, break off or never end.
			if (Buffer.isBuffer(body) || body instanceof Readable)
				return [status, body, { 'content-type': 'application/json', ...headers }];
			const text = typeof body === 'string' ? body : JSON.stringify(body);
			const type = typeof body === 'string' ? 'text/plain' : 'application/json';
			return [
				status,
				dripMs === undefined ? text : Readable.from(drip(text, dripMs)),
				{ 'content-type': type, ...headers },
			];
		});
	return received;
}

/** Sends 200 spaces and then the text, one character at a time, which takes longer than any time-out in these tests. */
async function* drip(text: string, everyMs: number): AsyncGenerator<string> {
	for (const character of ' '.repeat(200) + text) {
		await new Promise((resolve) => setTimeout(resolve, everyMs).unref());
		yield character;
	}
}

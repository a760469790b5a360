import { Readable } from 'node:stream';
import nock from 'nock';

/*
 * Simulates the network for the workflow tests. No request leaves the process, and a request that no test expects fails the
 * test.
 */

/** One request as it left the process: what the service or the platform would read. */
export interface Sent {
	method: string;
	/** Address without the query. */
	url: string;
	query: Record<string, string>;
	/** Lower-case names. */
	headers: Record<string, string>;
	/** The body as text. */
	body: string;
}

/**
 * The server's reaction to a request: it answers now, late or byte by byte, or fails the connection with this code.
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
 * Puts a service behind one address until the test ends.
 * In: the full address of the operation, and the reply, fixed or made from each request.
 * Out: the requests that reach it, in order, growing as they come.
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
			// Bytes allow an answer in another charset. A stream allows an answer that stalls, breaks off or never ends.
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

/** A text that begins with white space, a character at a time: with 200 of those it takes longer than any time-out here. */
async function* drip(text: string, everyMs: number): AsyncGenerator<string> {
	for (const character of ' '.repeat(200) + text) {
		await new Promise((resolve) => setTimeout(resolve, everyMs).unref());
		yield character;
	}
}

import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A server on this computer. */
export interface Listening {
	/** The URL of the server, without a trailing slash. */
	url: string;
	close(): Promise<void>;
}

/** Starts a server on a free port. */
export async function listen(listener: RequestListener): Promise<Listening> {
	const server = createServer(listener);
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		close: async () => {
			server.closeAllConnections();
			await new Promise((closed) => server.close(closed));
		},
	};
}

/** A server whose URL is in no credential. */
export interface Stranger {
	url: string;
	/** The requests that the stranger got, each as one text: method, path, headers and body. */
	requests: string[];
}

/**
 * Starts a stranger for the tests of a file. The stranger records all requests that it gets.
 *
 * @param answer the JSON of its response, which should look like a success of the service
 */
export function useStranger(answer: object): Stranger {
	const stranger: Stranger = { url: '', requests: [] };
	let server: Listening;
	beforeAll(async () => {
		server = await listen((request, response) => {
			void text(request).then((body) => {
				stranger.requests.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)} ${body}`);
				response.setHeader('content-type', 'application/json');
				response.end(JSON.stringify(answer));
			});
		});
		stranger.url = server.url;
	});
	afterAll(async () => await server.close());
	return stranger;
}

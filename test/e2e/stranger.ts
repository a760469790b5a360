import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A server that no credential names. */
export interface Stranger {
	url: string;
	/** What reached it: method, path, headers and body of each request. */
	mail: string[];
}

/**
 * A server of somebody else's while the tests of a file run. It notes what reaches it.
 *
 * @param answer what it answers, in JSON: it should look like what the caller hopes for
 */
export function useStranger(answer: object): Stranger {
	const stranger: Stranger = { url: '', mail: [] };
	let server: Server;
	beforeAll(async () => {
		server = createServer((request, response) => {
			void text(request).then((body) => {
				stranger.mail.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)} ${body}`);
				response.setHeader('content-type', 'application/json');
				response.end(JSON.stringify(answer));
			});
		});
		await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
		stranger.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	});
	afterAll(() => {
		server.close();
		server.closeAllConnections();
	});
	return stranger;
}

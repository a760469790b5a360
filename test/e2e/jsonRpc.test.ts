import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

import { listen, type Listening } from './server';
import { builtIn, withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

/* Calls the JSON-RPC interface of the AMKA service as docs/amka.md explains: with HTTP Request and the credential AMKA API. */

const world = useWorld();
const KEY = 'json-rpc-key-of-nobody-4711';

/** The JSON-RPC body that docs/amka.md shows. */
const [, shown] = /```json\n(.*?)```/s.exec(readFileSync('docs/amka.md', 'utf8'))!;

let server: Listening;
let credential: { id: string; name: string };
const requests: Array<{ authorization: string | undefined; contentType: string | undefined; body: unknown }> = [];

beforeAll(async () => {
	server = await listen((request, response) => {
		void text(request).then((content) => {
			const body = JSON.parse(content) as { id: number; method: string; params: object };
			const { authorization, 'content-type': contentType } = request.headers;
			requests.push({ authorization, contentType, body });
			const answer =
				body.method === 'known'
					? { result: { match: 'true' } }
					: { error: { code: -32601, message: 'Method not found' } };
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify({ jsonrpc: '2.0', id: body.id, ...answer }));
		});
	});
	const data = { baseUrl: server.url, apiKey: KEY, allowUnauthorizedCerts: false };
	credential = await world.n8n.addCredential('amkaApi', data, 'AMKA (JSON-RPC)');
}, 400_000);
afterAll(async () => await server.close());
beforeEach(() => requests.splice(0));

/** Calls a method with the body of docs/amka.md, and returns the items of the HTTP Request node. */
async function call(method: string) {
	const node = {
		...builtIn('n8n-nodes-base.httpRequest', 'HTTP', 4.2, {
			method: 'POST',
			url: `${server.url}/jsonrpc`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'amkaApi',
			sendBody: true,
			specifyBody: 'json',
			jsonBody: `=${shown!.replace('the method name from the description', method)}`,
			options: {},
		}),
		credentials: { amkaApi: credential },
	};
	const { result } = await world.n8n.execute(withRows([{ ΑΜΚΑ: '21068302674' }], node));
	return result.runData.HTTP![0]!.data!.main![0]!.map(({ json }) => json);
}

it('HTTP Request sends the JSON-RPC body of docs/amka.md, with the API key as header and the key identifier in `params`', async () => {
	const answers = await call('known');
	expect(answers).toEqual([{ jsonrpc: '2.0', id: 1, result: { match: 'true' } }]);
	expect(requests).toEqual([
		{
			authorization: `Token ${KEY}`,
			contentType: expect.stringContaining('application/json') as string,
			body: {
				jsonrpc: '2.0',
				id: 1,
				method: 'known',
				params: { "the key identifier's name": 42, ssn: '21068302674' },
			},
		},
	]);
});

it('HTTP Request returns a JSON-RPC error as an item without a result', async () => {
	const [answer] = await call('unknown');
	expect(answer).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } });
});

keysStaySecret(world, KEY);

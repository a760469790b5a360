import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { selfSignedCertificate } from '../../sandbox/certificate';
import type { Sandbox } from '../../sandbox/server';
import { items } from './n8n';
import { withRows } from './workflows';
import { World } from './world';

/* Checks an n8n that reaches the services through a proxy for outgoing requests (docs/operation.md). */

const tunnels: string[] = [];
/** The logins with which n8n asked for the tunnels. */
const logins = new Set<string | undefined>();
const sockets: Socket[] = [];
let asksForLogin = false;
const proxy = createServer()
	.on('connection', (socket) => sockets.push(socket))
	.on('connect', (incoming: IncomingMessage, client: Socket) => {
		tunnels.push(incoming.url!);
		logins.add(incoming.headers['proxy-authorization']);
		if (asksForLogin) {
			client.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
			return;
		}
		const [host, port] = incoming.url!.split(':');
		const server = connect(Number(port), host, () => {
			client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
			server.pipe(client);
			client.pipe(server);
		});
		for (const socket of [server, client]) socket.on('error', () => {});
		sockets.push(server);
	});

let world: World;
let service: Sandbox;
let port: string;
jest.setTimeout(60_000);
beforeAll(async () => {
	await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
	const address = `http://n8n:secret@127.0.0.1:${(proxy.address() as AddressInfo).port}`;
	world = new World({ HTTPS_PROXY: address, NO_PROXY: 'localhost' });
	await world.start();
	service = await world.anotherSandbox(selfSignedCertificate());
	port = new URL(service.url).port;
}, 400_000);
afterAll(async () => {
	await world.closeOthers();
	await world.sandbox?.close();
	await world.n8n.remove();
	proxy.close();
	for (const socket of sockets) socket.destroy();
}, 60_000);
beforeEach(() => {
	tunnels.splice(0);
	logins.clear();
	asksForLogin = false;
});

/** Sends a message and looks a person up, with this host in the Base URL of both services. */
async function useBoth(host: string): Promise<IDataObject[]> {
	const address = { baseUrl: `https://${host}:${port}`, allowUnauthorizedCerts: true };
	const run = async (type: 'smsSend' | 'amka', credential: IDataObject, parameters: INodeParameters) => {
		const name = type === 'amka' ? 'amkaApi' : 'smsPlatformApi';
		const credentials = { [name]: await world.n8n.addCredential(name, { ...credential, ...address }) };
		const node = { ...world.node(type, parameters), credentials, onError: 'continueRegularOutput' as const };
		return items(await world.n8n.execute(withRows([{}], node)), 0, type);
	};
	const message = {
		operation: 'send',
		serviceId: '101',
		messageId: '2',
		recipient: '6900000001',
		ifAlreadySent: 'send',
	};
	const person = { ssn: '21068302674', birthDate: '21/06/1983', surname: 'ΔΟΚΙΜΑΣΤΙΚΟΣ', splitByResult: false };
	return [...(await run('smsSend', world.smsPlatformApi(), message)), ...(await run('amka', world.amkaApi(), person))];
}

test('both services are reached through HTTPS_PROXY, with the login in its URL', async () => {
	expect(await useBoth('127.0.0.1')).toMatchObject([{ accepted: true }, { matched: true }]);
	expect(new Set(tunnels)).toEqual(new Set([`127.0.0.1:${port}`]));
	expect(logins).toEqual(new Set([`Basic ${Buffer.from('n8n:secret').toString('base64')}`]));
});

test('services whose host is in NO_PROXY are reached directly', async () => {
	expect(await useBoth('localhost')).toMatchObject([{ accepted: true }, { matched: true }]);
	expect(tunnels).toEqual([]);
});

test('if the proxy refuses the login, the error message states that it asks for one, and nothing is sent', async () => {
	asksForLogin = true;
	const before = service.messages.length;

	expect(await useBoth('127.0.0.1')).toMatchObject([
		{ error: expect.stringMatching(/proxy .* asks for a login \(HTTP 407\)/), details: { outcome: 'rejected' } },
		{ error: expect.stringMatching(/proxy .* asks for a login \(HTTP 407\)/) },
	]);
	expect(service.messages).toHaveLength(before);
});

test("no key is in n8n's database or logs after these tests", async () => {
	const { apiKey, preSharedKey } = world.sandbox.settings;
	expect(await world.n8n.leaks([apiKey, preSharedKey])).toEqual([]);
});

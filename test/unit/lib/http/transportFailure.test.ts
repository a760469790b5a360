import { spawn } from 'node:child_process';
import http from 'node:http';
import https from 'node:https';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';

import { NodeApiError, NodeSslError, type INode } from 'n8n-workflow';

import { transportFailure } from '../../../../lib/http/transportFailure';
import { describeFailure } from '../../../../lib/texts/transportErrors';

test("a refused certificate is recognised in n8n's NodeSslError, which has neither the code nor the cause", () => {
	const refused = Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
	const failure = transportFailure(new NodeSslError(refused));

	expect(failure).toMatchObject({ kind: 'notSent', passing: false });
	expect(describeFailure('SMS platform', failure).whatToDo).toContain('Ignore SSL Issues');
});

/** Simulates a host that does not accept the connection, as behind a firewall, until the client gives up. */
test.each(['http', 'https'])('a connection that no host accepts in time counts as not sent (%s)', async (protocol) => {
	const server = spawn(process.execPath, [
		'-e',
		'require("net").createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, function () { console.log(this.address().port) })',
	]);
	// The stopped server accepts no connections. The following connections fill its queue.
	const port = await new Promise<number>((resolve) => server.stdout.once('data', (line) => resolve(Number(line))));
	server.kill('SIGSTOP');
	const waiting = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => {}));
	try {
		await after(200);
		const { request } = protocol === 'http' ? http : https;
		const asked = request({ host: '127.0.0.1', port, method: 'POST' }).on('error', () => {});
		asked.end('{}');
		await after(100);
		asked.destroy();
		const cause = Object.assign(new Error('canceled'), { code: 'ERR_CANCELED', request: asked });
		expect(transportFailure(cause)).toEqual({ kind: 'notSent', code: 'ERR_CANCELED', passing: true });
	} finally {
		for (const socket of waiting) socket.destroy();
		server.kill('SIGKILL');
	}
});

/** Ends a connection during its TLS handshake, as a firewall or a proxy without a backend does. */
test.each<[string, (socket: Socket) => void]>([
	['closed', (socket) => socket.end()],
	['reset', (socket) => socket.resetAndDestroy()],
])('a connection that is %s in the TLS handshake counts as not sent', async (_, end) => {
	const server = createServer((socket) => socket.on('error', () => {}).once('data', () => end(socket)));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const asked = https.request({ host: '127.0.0.1', port, method: 'POST' });
	const error = new Promise<NodeJS.ErrnoException>((resolve) => asked.on('error', resolve));
	asked.end('{}');
	const { code } = await error;
	server.close();
	const cause = Object.assign(new Error(code), { code, request: asked });
	expect(transportFailure(cause)).toEqual({ kind: 'notSent', code: 'ECONNRESET', passing: true });
});

/** Returns an error as older versions of n8n throw it, with only the code of the HTTP client's error. */
function wrapped(code: string, httpCode = code): NodeApiError {
	const error = new NodeApiError({} as INode, Object.assign(new Error(code), { code }) as never);
	return Object.assign(error, { httpCode, cause: undefined });
}

test.each([
	['ECONNREFUSED', { kind: 'notSent', code: 'ECONNREFUSED', passing: true }],
	['DEPTH_ZERO_SELF_SIGNED_CERT', { kind: 'notSent', code: 'DEPTH_ZERO_SELF_SIGNED_CERT', passing: false }],
	['ECONNABORTED', { kind: 'lost', code: 'ECONNABORTED' }],
	// Either the connection or the answer took too long, so the request may have been sent.
	['ETIMEDOUT', { kind: 'lost', code: 'ETIMEDOUT' }],
])('%s is recognised in an error without a cause, as older versions of n8n throw it', (code, failure) => {
	expect(transportFailure(wrapped(code))).toEqual(failure);
});

describe('a failed request', () => {
	const failing = (code: string, more: object = {}) => {
		const cause = Object.assign(new Error(code), { code, ...more });
		const byClient = Object.assign(new Error('by the client', { cause }), { code });
		return transportFailure(new Error('by n8n', { cause: byClient }));
	};
	const connecting = { syscall: 'connect' };

	test.each(['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ECONNRESET'])(
		'with the code %s counts as not sent if the error occurred while connecting, and otherwise as lost (it may have arrived)',
		(code) => {
			expect(failing(code, connecting)).toEqual({ kind: 'notSent', code, passing: true });
			expect(failing(code, { errors: [connecting, connecting] })).toEqual({ kind: 'notSent', code, passing: true });
			for (const other of [
				{ syscall: 'read' },
				{ syscall: 'write' },
				{ errors: [] },
				{ errors: [connecting, {}] },
				{},
			]) {
				expect(failing(code, other)).toEqual({ kind: 'lost', code });
			}
		},
	);

	test.each(['ETIMEDOUT', 'ECONNABORTED', 'ERR_CANCELED'])(
		'with the code %s counts as not sent if the connection was never established, and otherwise as lost (it may have arrived)',
		(code) => {
			const unmade = [{ connecting: true }, { connecting: false, secureConnecting: true }, { writableLength: 240 }];
			const perhapsMade = [
				{ connecting: true, connect() {} },
				{ secureConnecting: true, remoteAddress: '127.0.0.1' },
				{ connecting: false, secureConnecting: false, writableLength: 240 },
				{ connecting: false, writableLength: 0 },
			];
			for (const socket of [...unmade, ...perhapsMade]) {
				for (const request of [{ socket }, { _currentRequest: { socket } }]) {
					const cause = Object.assign(new Error(code), { code, request });
					const isUnmade = unmade.some((each) => each === socket);
					expect(transportFailure(new Error('by n8n', { cause }))).toEqual(
						isUnmade ? { kind: 'notSent', code, passing: true } : { kind: 'lost', code },
					);
				}
			}
		},
	);

	// These codes may occur after the TLS handshake, so the service may have read the request.
	test.each(['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'EPIPE', 'ERR_CANCELED'])(
		'with the code %s counts as lost, because the service may have read it',
		(code) => {
			expect(failing(code)).toEqual({ kind: 'lost', code });
		},
	);

	test('because of an expired certificate gets advice about expiry and host name first', () => {
		const { whatToDo } = describeFailure('SMS platform', failing('CERT_HAS_EXPIRED'));
		expect(whatToDo).toMatch(
			/expired, ask the operator .*renew.*another host, correct the Base URL\. Otherwise, install/,
		);
	});

	test('because of a failed TLS handshake is not reported as a certificate problem', () => {
		const failure = failing('EPROTO');
		expect(failure).toEqual({ kind: 'notSent', code: 'EPROTO', passing: false });
		expect(Object.values(describeFailure('SMS platform', failure)).join()).not.toMatch(/certificate|SSL Issues/);
		expect(describeFailure('SMS platform', failure).whatToDo).toContain('http or https');
	});
});

test('an HTTP status in httpCode is not read as the error code of a connection', () => {
	expect(transportFailure(wrapped('ECONNRESET', '502'))).toEqual({ kind: 'lost', code: 'UNKNOWN' });
});

import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { report, signed } from './calls';
import { keysStaySecret, useWorld } from './world';

/*
 * Sends unusual requests to the two public URLs, most of them without the right key. n8n reads a request before the node
 * does, so some of the expected answers are those of n8n itself.
 */

// The setting of a production server. Without it n8n's own answers contain a stack trace.
const world = useWorld({ NODE_ENV: 'production' });

interface Answer {
	/** The HTTP status; 0 if none came. */
	status: number;
	body: string;
}

/** Sends bytes unchanged, and reads until n8n closes the connection or sends nothing for a while. */
async function send(...parts: Array<string | Buffer>): Promise<Answer> {
	const { hostname, port } = new URL(world.n8n.webhookUrl);
	const chunks: Buffer[] = [];
	await new Promise<void>((done) => {
		const socket = connect(Number(port), hostname, () => {
			for (const part of parts) socket.write(part);
		});
		socket.setTimeout(10_000, () => socket.destroy());
		// A server that rejects a body may close the connection while the body is being sent. The answer that it sent before counts.
		socket.on('error', () => {});
		socket
			.on('data', (chunk) => chunks.push(chunk))
			.on('end', () => socket.destroy())
			.on('close', () => done());
	});
	const text = Buffer.concat(chunks).toString();
	// Bytes after the end of a request are a second request with a second answer.
	const [, status = '0', body = ''] = /^HTTP\/1\.1 (\d{3})[^]*?\r\n\r\n([^]*?)(?:HTTP\/1\.1 \d{3}|$)/.exec(text) ?? [];
	return { status: Number(status), body };
}

/** Returns a request with the right content length, unless `headers` contains another. */
function request(
	path: string,
	body: string | Buffer,
	headers: Record<string, string> = {},
	method = 'POST',
): Array<string | Buffer> {
	const bytes = Buffer.from(body);
	const all = { host: 'n8n.example.gr', connection: 'close', 'content-length': String(bytes.length), ...headers };
	const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
	return [`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n`, bytes];
}

let id: string;
let forward: string;
let dlr: string;
let staticData: unknown;
const readStaticData = async () =>
	(await world.n8n.query<{ staticData: unknown }>('SELECT "staticData" FROM workflow_entity WHERE id = ?', id))[0]
		?.staticData;

beforeAll(async () => {
	const trigger = await world.publishTrigger();
	id = trigger.id;
	forward = new URL(trigger.forwardUrl).pathname;
	dlr = new URL(trigger.dlrUrl).pathname;
	staticData = await readStaticData();
}, 60_000);

/**
 * Checks that an answer contains no key and no internal details, and that an answer of the node is in the platform's format
 * and has the status 400, 401 or 404.
 */
function expectHarmless(what: string, { status, body }: Answer) {
	const platform = /"result":/.test(body);
	const { preSharedKey, apiKey } = world.sandbox.settings;
	for (const secret of [preSharedKey, apiKey]) expect([what, body.includes(secret)]).toEqual([what, false]);
	expect([what, /node_modules|\bat .*\.js:\d+|stack/i.test(body)]).toEqual([what, false]);
	if (!platform) return;
	const answer = JSON.parse(body) as Record<string, unknown>;
	expect([what, Object.keys(answer), answer.result]).toEqual([what, ['result', 'errorCode', 'error'], '1']);
	expect([what, [400, 401, 404].includes(status)]).toEqual([what, true]);
}

const json = { 'content-type': 'application/json' };
const noKey = '{"MSISDN":"6912345678","keyword":"ΒΑ","body":"","pre-shared key":"wrong","sms-forward-id":"1"}';
/** Returns a body with the right key. */
const valid = (): object => ({
	...(JSON.parse(noKey) as object),
	'pre-shared key': world.sandbox.settings.preSharedKey,
});
const bodies: Record<string, string> = {
	'a wrong key': noKey,
	'no body': '',
	'broken JSON': noKey.slice(0, 40),
	'a list': `[${noKey}]`,
	null: 'null',
	'a number': '1e999',
	'a polluting body': '{"__proto__":{"pre-shared key":"x","isAdmin":true},"constructor":{"prototype":{"x":1}}}',
	'a form': 'MSISDN=6912345678&keyword=x&pre-shared+key=wrong&pre-shared+key=wrong&__proto__[x]=1',
	XML: '<?xml version="1.0"?><a>b</a>',
	'parts of a form': '--x\r\nContent-Disposition: form-data; name="pre-shared key"\r\n\r\nwrong\r\n--x--\r\n',
};
const contentTypes = [
	undefined,
	'',
	'application/json',
	'application/json; charset=utf-8',
	'APPLICATION/JSON',
	'application/json ; charset=utf-8',
	'application/problem+json',
	'text/json',
	'text/plain',
	'application/x-www-form-urlencoded',
	'multipart/form-data; boundary=x',
	'multipart/form-data',
	'multipart/mixed; boundary=x',
	'application/octet-stream',
	'__proto__',
	';;;=',
];

test.each(contentTypes)(
	'an unusual body with the content type %s is rejected with a status from 400 to 499',
	async (contentType) => {
		for (const [what, body] of Object.entries(bodies)) {
			for (const path of [forward, `${dlr}?ref=a&mid=m&exp=99999999999&sig=${'A'.repeat(43)}`]) {
				const answer = await send(
					...request(path, body, contentType === undefined ? {} : { 'content-type': contentType }),
				);
				expectHarmless(`${what} as ${contentType} to ${path}`, answer);
				expect([what, contentType, answer.status >= 400 && answer.status < 500]).toEqual([what, contentType, true]);
			}
		}
	},
);

test('a JSON body with an unusual or missing content type is read as JSON', async () => {
	const keyed = JSON.stringify({ 'pre-shared key': world.sandbox.settings.preSharedKey });
	for (const contentType of [
		undefined,
		'text/plain',
		'text/json',
		'application/problem+json',
		'application/json ; charset=utf-8',
		'application/x-www-form-urlencoded',
	]) {
		const answer = await send(
			...request(forward, keyed, contentType === undefined ? {} : { 'content-type': contentType }),
		);
		// The key is right, so the answer is about the missing fields.
		expect([contentType, answer.status, (JSON.parse(answer.body) as { errorCode: string }).errorCode]).toEqual([
			contentType,
			400,
			'INVALID_REQUEST',
		]);
	}
});

/** Calls without the right key whose header, method, path or raw bytes are unusual: n8n reads these before the node does. */
const odd: Record<string, () => Array<Array<string | Buffer>>> = {
	charset: () =>
		['utf-16', 'windows-1253', 'iso-8859-7', 'x-unknown', '', '"', '__proto__', '%E0%A4%A'].flatMap((charset) =>
			['application/json', 'text/plain', 'application/x-www-form-urlencoded'].map((type) =>
				request(forward, noKey, { 'content-type': `${type}; charset=${charset}` }),
			),
		),
	compression: () =>
		['gzip', 'deflate', 'br', 'gzip, gzip', 'identity', 'x'].flatMap((encoding) =>
			[noKey, gzipSync(noKey), gzipSync(noKey).subarray(0, 30), ''].flatMap((body) =>
				['application/json', 'application/octet-stream'].map((type) =>
					request(forward, body, { 'content-type': type, 'content-encoding': encoding }),
				),
			),
		),
	method: () =>
		[
			'GET',
			'HEAD',
			'PUT',
			'PATCH',
			'DELETE',
			'OPTIONS',
			'TRACE',
			'PROPFIND',
			'CONNECT',
			'post',
			'X'.repeat(30),
		].flatMap((method) => [forward, dlr].map((path) => request(path, noKey, json, method))),
	path: () =>
		[
			forward.toUpperCase(),
			`${forward}/`,
			`/${forward}`,
			forward.replace('forward', '%66orward'),
			`${forward}%00`,
			`${forward}%2e%2e/dlr`,
			`${forward}/../dlr`,
			`${forward};x=1`,
			`${forward}?${'a=1&'.repeat(2000)}`,
			`${forward}?__proto__[x]=1&constructor[prototype][x]=1`,
			`${forward}#x`,
			`${forward}?%E0%A4%A`,
			`${dlr}?ref[a]=1&mid[]=1&exp[]=1&sig=x`,
			`${dlr}?ref=a&ref=b&mid=a&mid=b&exp=1&exp=2&sig=x&sig=y`,
			`${dlr}?ref=${'a'.repeat(12_000)}&exp=1&sig=x`,
			`http://elsewhere.example.gr${forward}`,
			'*',
		].map((path) => request(path, noKey, json)),
	'request, which breaks off or contradicts itself,': () => {
		const begun = `POST ${forward} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n`;
		const chunked = `${begun}transfer-encoding: chunked\r\n`;
		return [
			[`POST ${forward} HTTP/1.1\r\n\r\n`],
			[`POST ${forward} HTTP/9.9\r\nhost: x\r\n\r\n`],
			[`POST ${forward}\r\n\r\n`],
			['\0\0\0\0\r\n\r\n'],
			[`${chunked}\r\n5\r\n{"a":\r\n0\r\n\r\n`],
			[`${chunked}\r\nZZ\r\n{}\r\n0\r\n\r\n`],
			[`${chunked}content-length: 5\r\n\r\n0\r\n\r\n`],
			[`${chunked}\r\n2\r\n{}\r\n0\r\n\r\n`],
			...['-1', '5', '1, 2'].map((length) => request(forward, noKey, { ...json, 'content-length': length })),
			...['100-continue', 'nonsense'].map((expect) => request(forward, noKey, { ...json, expect })),
			request(forward, noKey, { ...json, 'x-forwarded-for': `${'1.2.3.4, '.repeat(500)}` }),
			request(forward, noKey, { ...json, 'x-long': 'a'.repeat(20_000) }),
		];
	},
};

test.each(Object.keys(odd))(
	'a call with an unusual %s gets no HTTP 500 from SMS Trigger, and no internal details in the response',
	async (kind) => {
		for (const parts of odd[kind]!()) expectHarmless(String(parts[0]).slice(0, 200), await send(...parts));
	},
);

test('a small body that decompresses to a hundred megabytes gets no HTTP 200', async () => {
	const bomb = gzipSync(Buffer.alloc(100_000_000, ' '));
	for (const contentType of ['application/json', 'application/octet-stream']) {
		const answer = await send(...request(forward, bomb, { 'content-type': contentType, 'content-encoding': 'gzip' }));
		expectHarmless(`a bomb as ${contentType}`, answer);
		expect(answer.status).not.toBe(200);
	}
});

test('twenty calls whose body never ends do not block another call', async () => {
	const { hostname, port } = new URL(world.n8n.webhookUrl);
	const slow = Array.from({ length: 20 }, () => {
		const socket = connect(Number(port), hostname, () => {
			socket.write(
				`POST ${forward} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{"a`,
			);
		});
		return socket.on('error', () => {});
	});
	const answer = await send(...request(forward, noKey, json));
	expectHarmless('beside 20 slow ones', answer);
	expect(answer.status).toBe(401);
	for (const socket of slow) socket.destroy();
});

test('a field of 10 MB is rejected, and n8n answers other calls meanwhile', async () => {
	const key = world.sandbox.settings.preSharedKey;
	const url = signed(dlr, key);
	for (const unit of ['a', ' ', '\u0301\u0323', '7']) {
		const big = unit.repeat(10_000_000 / Buffer.byteLength(unit));
		for (const [path, body] of [
			[forward, { ...valid(), 'pre-shared key': big }],
			[forward, { ...valid(), keyword: big }],
			[forward, { ...valid(), body: big }],
			[url, report({ serviceId: big })],
			[url, report({ recipient: big })],
		] as const) {
			let answered = false;
			const sent = send(...request(path, JSON.stringify(body), json)).finally(() => (answered = true));
			while (!answered) {
				expect((await fetch(`${world.n8n.webhookUrl}/healthz`, { signal: AbortSignal.timeout(5000) })).status).toBe(
					200,
				);
			}
			const answer = await sent;
			expectHarmless('10 MB', answer);
			expect([400, 401]).toContain(answer.status);
		}
	}
}, 120_000);

test("n8n does not answer a client that offers HTTP/2 over plain http, as Java's HttpClient does; in queue mode, n8n's webhook process answers it", async () => {
	const offers = {
		connection: 'Upgrade, HTTP2-Settings',
		upgrade: 'h2c',
		'http2-settings': 'AAEAAEAAAAIAAAABAAMAAABk',
	};
	const { status } = await send(...request(forward, noKey, { ...json, ...offers }));
	// n8n treats the offer as a connection of its editor. A webhook process of queue mode has no editor.
	expect(status).toBe(world.n8n.queue ? 401 : 0);
});

test('a body of 20 MB, which is over the limit of n8n, gets no HTTP 200', async () => {
	for (const contentType of ['application/json', 'application/octet-stream']) {
		const answer = await send(...request(forward, Buffer.alloc(20_000_000, ' '), { 'content-type': contentType }));
		expectHarmless(`20 MB as ${contentType}`, answer);
		expect(answer.status).not.toBe(200);
	}
});

test('a body with the content type of XML gets HTTP 401 or 422, or no answer', async () => {
	for (const xml of [
		'<a><constructor>x</constructor></a>',
		'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
		noKey,
	]) {
		const answer = await send(...request(forward, xml, { 'content-type': 'application/xml' }));
		expectHarmless(xml, answer);
		// 0 stands for no answer: after XML that it can't parse, n8n's parser may not answer the next requests.
		expect([xml, [0, 401, 422].includes(answer.status)]).toEqual([xml, true]);
	}
});

test('all calls of this file have started no execution and left no data', async () => {
	expect(await world.n8n.executions(id)).toEqual([]);
	expect(await world.n8n.query('SELECT id FROM execution_entity')).toEqual([]);
	expect(await readStaticData()).toEqual(staticData);
	expect(world.n8n.printed()).not.toContain('refused a request with INTERNAL_ERROR');
	expect(await send(...request(forward, JSON.stringify(valid()), json))).toEqual({
		status: 200,
		body: '{"result":"0","errorCode":"","error":""}',
	});
	await world.n8n.executionsWhenEnded(id, 1);
});

keysStaySecret(world);

import { createHmac, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { chain } from './workflows';
import { keysStaySecret, useWorld } from './world';

/*
 * What a stranger can put on the wire, byte for byte, to the two addresses that stand on the open internet. n8n reads
 * the request before the node does; what it answers by itself stands here as it is.
 */

// As servers run it: without this setting n8n's own answers carry a stack trace.
const world = useWorld({ NODE_ENV: 'production' });

interface Answer {
	/** 0 where the connection was closed without one. */
	status: number;
	body: string;
}

/** Sends bytes as they are and reads until the other side closes, or has said nothing for a while. */
async function send(...parts: Array<string | Buffer>): Promise<Answer> {
	const { hostname, port } = new URL(world.n8n.webhookUrl);
	const chunks: Buffer[] = [];
	await new Promise<void>((done) => {
		const socket = connect(Number(port), hostname, () => {
			for (const part of parts) socket.write(part);
		});
		socket.setTimeout(10_000, () => socket.destroy());
		// A server that refuses a body may close while it is being sent; what it said before counts.
		socket.on('error', () => {});
		socket
			.on('data', (chunk) => chunks.push(chunk))
			.on('end', () => socket.destroy())
			.on('close', () => done());
	});
	const text = Buffer.concat(chunks).toString();
	// Bytes after a request's end are a second request, with an answer of its own.
	const [, status = '0', body = ''] = /^HTTP\/1\.1 (\d{3})[^]*?\r\n\r\n([^]*?)(?:HTTP\/1\.1 \d{3}|$)/.exec(text) ?? [];
	return { status: Number(status), body };
}

/** A request with its length right; undefined headers are left out. */
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
	const trigger = world.node('smsTrigger', {});
	trigger.webhookId = randomUUID();
	id = await world.n8n.addWorkflow(chain('hostile', trigger));
	await world.n8n.publish(id);
	forward = `/webhook/${trigger.webhookId}/forward`;
	dlr = `/webhook/${trigger.webhookId}/dlr`;
	staticData = await readStaticData();
}, 60_000);

const seen = new Map<string, number>();
afterAll(() => {
	if (process.env.HOSTILE_FIGURES)
		process.stdout.write(`${[...seen].map(([what, times]) => `${times} × ${what}`).join('\n')}\n`);
});

/** An answer of the node is in the platform's format and no 500; one of n8n's own shows no inside. Neither shows a key. */
function expectHarmless(what: string, { status, body }: Answer) {
	const platform = /"result":/.test(body);
	const kind = `${status} ${platform ? (JSON.parse(body) as { errorCode: string }).errorCode : `n8n: ${body.slice(0, 60)}`}`;
	seen.set(kind, (seen.get(kind) ?? 0) + 1);
	const { preSharedKey, apiKey } = world.sandbox.settings;
	for (const secret of [preSharedKey, apiKey]) expect([what, body.includes(secret)]).toEqual([what, false]);
	expect([what, /node_modules|\bat .*\.js:\d+|stack/i.test(body)]).toEqual([what, false]);
	if (!platform) return;
	const answer = JSON.parse(body) as Record<string, unknown>;
	expect([what, Object.keys(answer), answer.result]).toEqual([what, ['result', 'errorCode', 'error'], '1']);
	expect([what, [400, 401, 404].includes(status)]).toEqual([what, true]);
}

const noKey = '{"MSISDN":"6912345678","keyword":"ΒΑ","body":"","pre-shared key":"wrong","sms-forward-id":"1"}';
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

test.each(contentTypes)('no body of the content type %s is more than refused', async (contentType) => {
	for (const [what, body] of Object.entries(bodies)) {
		for (const path of [forward, `${dlr}?ref=a&mid=m&exp=99999999999&sig=${'A'.repeat(43)}`]) {
			const answer = await send(
				...request(path, body, contentType === undefined ? {} : { 'content-type': contentType }),
			);
			expectHarmless(`${what} as ${contentType} to ${path}`, answer);
			expect([what, contentType, answer.status >= 400 && answer.status < 500]).toEqual([what, contentType, true]);
		}
	}
});

test('what is JSON without saying so is read as JSON', async () => {
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
		// The key is right, so the fields that lack are named.
		expect([contentType, answer.status, (JSON.parse(answer.body) as { errorCode: string }).errorCode]).toEqual([
			contentType,
			400,
			'INVALID_REQUEST',
		]);
	}
});

test.each(['utf-16', 'windows-1253', 'iso-8859-7', 'x-unknown', '', '"', '__proto__', '%E0%A4%A'])(
	'no charset does more than being refused: %s',
	async (charset) => {
		for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
			expectHarmless(
				charset,
				await send(...request(forward, noKey, { 'content-type': `${type}; charset=${charset}` })),
			);
		}
	},
);

test.each(['gzip', 'deflate', 'br', 'gzip, gzip', 'identity', 'x'])(
	'no compression does more than being refused: %s',
	async (encoding) => {
		for (const body of [noKey, gzipSync(noKey), gzipSync(noKey).subarray(0, 30), '']) {
			for (const contentType of ['application/json', 'application/octet-stream']) {
				expectHarmless(
					`${encoding} ${contentType}`,
					await send(...request(forward, body, { 'content-type': contentType, 'content-encoding': encoding })),
				);
			}
		}
	},
);

test('a small body that unpacks to a hundred megabytes is refused', async () => {
	const bomb = gzipSync(Buffer.alloc(100_000_000, ' '));
	for (const contentType of ['application/json', 'application/octet-stream']) {
		const answer = await send(...request(forward, bomb, { 'content-type': contentType, 'content-encoding': 'gzip' }));
		expectHarmless(`a bomb as ${contentType}`, answer);
		expect(answer.status).not.toBe(200);
	}
});

test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'CONNECT', 'post', 'X'.repeat(30)])(
	'the method %s starts nothing',
	async (method) => {
		for (const path of [forward, dlr])
			expectHarmless(method, await send(...request(path, noKey, { 'content-type': 'application/json' }, method)));
	},
);

test('no odd path starts anything', async () => {
	for (const path of [
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
	]) {
		expectHarmless(path, await send(...request(path, noKey, { 'content-type': 'application/json' })));
	}
});

test('no request that breaks off or contradicts itself starts anything', async () => {
	const json = { 'content-type': 'application/json' };
	const chunked = `POST ${forward} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n`;
	for (const bytes of [
		[`POST ${forward} HTTP/1.1\r\n\r\n`],
		[`POST ${forward} HTTP/9.9\r\nhost: x\r\n\r\n`],
		[`POST ${forward}\r\n\r\n`],
		['\0\0\0\0\r\n\r\n'],
		[`${chunked}\r\n5\r\n{"a":\r\n0\r\n\r\n`],
		[`${chunked}\r\nZZ\r\n{}\r\n0\r\n\r\n`],
		[`${chunked}content-length: 5\r\n\r\n0\r\n\r\n`],
		[`${chunked}\r\n2\r\n{}\r\n0\r\n\r\n`],
		request(forward, noKey, { ...json, 'content-length': '-1' }),
		request(forward, noKey, { ...json, 'content-length': '5' }),
		request(forward, noKey, { ...json, 'content-length': '1, 2' }),
		request(forward, noKey, { ...json, expect: '100-continue' }),
		request(forward, noKey, { ...json, expect: 'nonsense' }),
		request(forward, noKey, { ...json, 'x-forwarded-for': `${'1.2.3.4, '.repeat(500)}` }),
		request(forward, noKey, { ...json, 'x-long': 'a'.repeat(20_000) }),
		request(
			forward,
			noKey,
			{ ...json, origin: 'https://elsewhere.example.gr', 'access-control-request-method': 'POST' },
			'OPTIONS',
		),
	]) {
		expectHarmless(String(bytes[0]).slice(0, 80), await send(...bytes));
	}
});

test('a body that never ends holds up no other call', async () => {
	const { hostname, port } = new URL(world.n8n.webhookUrl);
	const slow = Array.from({ length: 20 }, () => {
		const socket = connect(Number(port), hostname, () => {
			socket.write(
				`POST ${forward} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{"a`,
			);
		});
		return socket.on('error', () => {});
	});
	const answer = await send(...request(forward, noKey, { 'content-type': 'application/json' }));
	expectHarmless('beside 20 slow ones', answer);
	expect(answer.status).toBe(401);
	for (const socket of slow) socket.destroy();
});

test('10 MB in a field are refused, and n8n answers others meanwhile', async () => {
	const exp = Math.floor(Date.now() / 1000) + 3600;
	const sign = (serviceId: string) =>
		createHmac('sha256', world.sandbox.settings.preSharedKey)
			.update(`dlr.v1\n${serviceId}\nr\nm\n${exp}`)
			.digest('base64url');
	let slowest = 0;
	for (const unit of ['a', ' ', '\u0301\u0323', '7']) {
		const big = unit.repeat(10_000_000 / Buffer.byteLength(unit));
		const forwardWith = (changes: object) =>
			[forward, JSON.stringify({ ...(JSON.parse(noKey) as object), ...changes })] as const;
		for (const [path, body] of [
			forwardWith({ 'pre-shared key': big }),
			forwardWith({ 'pre-shared key': world.sandbox.settings.preSharedKey, keyword: big }),
			forwardWith({ 'pre-shared key': world.sandbox.settings.preSharedKey, body: big }),
			[
				`${dlr}?ref=r&mid=m&exp=${exp}&sig=${sign('grades')}`,
				JSON.stringify({ serviceId: big, recipient: '6912345678', status: 'DELIVRD' }),
			] as const,
			[
				`${dlr}?ref=r&mid=m&exp=${exp}&sig=${sign('grades')}`,
				JSON.stringify({ serviceId: 'grades', recipient: big, status: 'DELIVRD' }),
			] as const,
		]) {
			let answered = false;
			const sent = send(...request(path, body, { 'content-type': 'application/json' })).finally(
				() => (answered = true),
			);
			while (!answered) {
				const start = performance.now();
				expect((await fetch(`${world.n8n.webhookUrl}/healthz`, { signal: AbortSignal.timeout(5000) })).status).toBe(
					200,
				);
				slowest = Math.max(slowest, performance.now() - start);
			}
			const answer = await sent;
			expectHarmless('10 MB', answer);
			expect([400, 401]).toContain(answer.status);
		}
	}
	seen.set(`slowest /healthz beside 10 MB: ${slowest.toFixed(0)} ms`, 1);
}, 120_000);

test("a body over n8n's own limit is refused by n8n", async () => {
	for (const contentType of ['application/json', 'application/octet-stream']) {
		const answer = await send(...request(forward, Buffer.alloc(20_000_000, ' '), { 'content-type': contentType }));
		expectHarmless(`20 MB as ${contentType}`, answer);
		expect(answer.status).not.toBe(200);
	}
});

test('nothing that calls itself XML starts anything', async () => {
	for (const xml of [
		'<a><constructor>x</constructor></a>',
		'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
		noKey,
	]) {
		const answer = await send(...request(forward, xml, { 'content-type': 'application/xml' }));
		expectHarmless(xml, answer);
		// After XML that breaks, n8n's parser leaves others without an answer.
		expect([xml, [0, 401, 422].includes(answer.status)]).toEqual([xml, true]);
	}
});

test('after all of them nothing was started and nothing was kept', async () => {
	expect(await world.n8n.executions(id)).toEqual([]);
	expect(await world.n8n.query('SELECT id FROM execution_entity')).toEqual([]);
	expect(await readStaticData()).toEqual(staticData);
	expect(world.n8n.printed()).not.toContain('refused a request with INTERNAL_ERROR');
	const valid = { ...(JSON.parse(noKey) as object), 'pre-shared key': world.sandbox.settings.preSharedKey };
	expect(await send(...request(forward, JSON.stringify(valid), { 'content-type': 'application/json' }))).toEqual({
		status: 200,
		body: '{"result":"0","errorCode":"","error":""}',
	});
	await world.n8n.executionsWhenEnded(id, 1);
});

keysStaySecret(world);

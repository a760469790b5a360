import { setTimeout as sleep } from 'node:timers/promises';
import { encodings, type Encoding } from '../../sandbox/echo';
import { startSandbox, type Sandbox } from '../../sandbox/server';
import { findSecrets } from '../spellings';
import { until } from './n8n';

/** The sandbox stands for the real services in every other test, so a few things about it are tested themselves. */
let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

const message = (changes: object = {}) => ({
	serviceId: '101',
	messageId: '1',
	replacements: ['Άλγεβρα', '8'],
	recipient: '6900000001',
	institution: sandbox.settings.institution,
	'pre-shared key': sandbox.settings.preSharedKey,
	...changes,
});

const send = async (body: object): Promise<Response> =>
	await fetch(`${sandbox.url}/sendSMS`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});

const control = async (method: string, path: string, body?: object): Promise<Response> =>
	await fetch(`${sandbox.url}/control/${path}`, {
		method,
		headers: body ? { 'content-type': 'application/json' } : {},
		body: body && JSON.stringify(body),
	});

test('a message is taken, its placeholders filled', async () => {
	const response = await send(message());

	expect(await response.json()).toEqual({ serviceId: '101', errorCode: '', error: '' });
	expect(sandbox.messages[0]?.text).toBe('Ο βαθμός σας στο μάθημα Άλγεβρα είναι 8');
	expect(sandbox.accepted('6900000001')).toBe(1);
});

test('nobody but this computer is called', async () => {
	sandbox.settings.forwardUrl = 'https://n8n.example.gr/webhook/x/forward';

	expect(await sandbox.forward('6900000001', 'ΒΑ ΦΥΣΙΚΗ')).toEqual({
		status: 0,
		answer: expect.stringContaining('this computer only, not n8n.example.gr'),
	});
	await sandbox.settled();
});

test.each([
	['E-002', { serviceId: '999' }],
	['E-002', { serviceId: 'toString' }],
	['X-001', { replacements: 'Άλγεβρα' }],
	['X-002', { institution: 'another' }],
	['X-003', { 'pre-shared key': 'another' }],
	['X-004', { messageId: '9' }],
	['X-005', { replacements: ['Άλγεβρα'] }],
	['X-006', { recipient: '2100000000' }],
	['X-006', { recipient: '3069000000011' }],
])('a message is refused with %s: %j', async (errorCode, changes) => {
	const response = await send(message(changes));

	expect(await response.json()).toMatchObject({ errorCode, error: expect.stringMatching(/./) });
	expect(sandbox.messages).toEqual([]);
});

test('the log shows every call, also one that was cut, and no key', async () => {
	Object.assign(sandbox.trouble, { answer: 'cutAfter', times: 1 });
	await expect(send(message())).rejects.toThrow();
	await send(message({ 'pre-shared key': 'a key of something else' }));
	await fetch(`${sandbox.url}/api/rest/v1/ssn_validation?ssn=1`, {
		headers: { authorization: `Token ${sandbox.settings.apiKey}` },
	});

	const { messages, calls } = (await (await control('GET', 'state')).json()) as { messages: object[]; calls: object[] };
	expect({ messages, calls }).toMatchObject({
		messages: [{ recipient: '6900000001' }],
		calls: [
			{ status: 0, body: { 'pre-shared key': '***' } },
			{ status: 200, body: { 'pre-shared key': '***' }, answer: { errorCode: 'X-003' } },
			{ status: 400, headers: { authorization: 'Token ***' } },
		],
	});
	expect(JSON.stringify([messages, calls])).not.toContain(sandbox.settings.apiKey);
	expect(JSON.stringify([messages, calls])).not.toContain(sandbox.settings.preSharedKey);
});

test.each([
	['malformed JSON', 'application/json', '{"serviceId":', 400],
	['a type that nobody reads', 'application/xml', '<message/>', 415],
])('the log shows a call with %s', async (_, type, body, status) => {
	const response = await fetch(`${sandbox.url}/sendSMS`, { method: 'POST', headers: { 'content-type': type }, body });

	expect(response.status).toBe(status);
	const answer: unknown = await response.json();
	expect(answer).toEqual({ serviceId: '', errorCode: 'X-001', error: expect.stringMatching(/^Invalid Request: /) });
	expect(sandbox.traffic.calls).toMatchObject([{ direction: 'in', url: '/sendSMS', body: null, status, answer }]);
});

test.each([
	['POST', '/sendSms', { errorCode: '404', error: 'Not Found: POST /sendSms' }],
	['GET', '/sendSMS?pre-shared%20key=x', { errorCode: '404', error: 'Not Found: GET /sendSMS' }],
	[
		'GET',
		'/api/rest/v2/ssn_validation?ssn=1',
		{ title: 'Not Found', code: '404', message: 'Not Found: GET /api/rest/v2/ssn_validation' },
	],
])('%s %s, which is not there, is answered in the shape of its service', async (method, path, answer) => {
	const response = await fetch(`${sandbox.url}${path}`, { method });

	expect([response.status, await response.json()]).toEqual([404, answer]);
});

test.each([[12345], [['a key']], [{ of: 'something' }]])(
	'the log shows no key that is no text either: %j',
	async (key) => {
		await send(message({ 'pre-shared key': key }));

		expect(sandbox.traffic.calls).toMatchObject([
			{ status: 200, body: { 'pre-shared key': '***' }, answer: { errorCode: 'X-001' } },
		]);
	},
);

test('the page gets the keys that everybody knows, and none that somebody has set', async () => {
	const keys = async () => ((await (await control('GET', 'state')).json()) as { settings: object }).settings;
	expect(await keys()).toMatchObject({ apiKey: sandbox.settings.apiKey, preSharedKey: sandbox.settings.preSharedKey });
	await control('PATCH', 'settings', { apiKey: 'mine', preSharedKey: 'mine as well' });

	expect(await keys()).toMatchObject({ apiKey: '', preSharedKey: '' });
});

test('the switches can be set over HTTP, and a misspelt one is refused', async () => {
	expect((await control('PATCH', 'trouble', { answer: '503', times: 1, retryAfter: '2' })).status).toBe(200);
	expect((await control('PATCH', 'trouble', { anwser: '503' })).status).toBe(400);

	const first = await send(message());
	expect([first.status, first.headers.get('retry-after')]).toEqual([503, '2']);
	expect((await send(message())).status).toBe(200);
});

test('trouble for one recipient leaves the others alone', async () => {
	Object.assign(sandbox.trouble, { answer: '500', recipient: '6900000002' });

	expect((await send(message())).status).toBe(200);
	expect((await send(message({ recipient: '6900000002' }))).status).toBe(500);
	expect([sandbox.accepted('6900000001'), sandbox.accepted('6900000002')]).toEqual([1, 0]);
	// The registry asks for its key, as ever.
	expect((await fetch(`${sandbox.url}/api/rest/v1/ssn_validation`)).status).toBe(403);
});

test('trouble for some time is over after that, counted from the first request', async () => {
	Object.assign(sandbox.trouble, { answer: '429', forMs: 300 });
	await sleep(400);
	const begun = Date.now();
	expect((await send(message())).status).toBe(429);
	await until('the trouble is over', async () => (await send(message())).status === 200);
	expect(Date.now() - begun).toBeGreaterThanOrEqual(300);
	expect(sandbox.trouble).toMatchObject({ answer: 'normal', forMs: null });
	expect((await send(message())).status).toBe(200);
});

test('a message is held until so many were taken', async () => {
	Object.assign(sandbox.trouble, { holdUntilTaken: 2, recipient: '6900000002' });
	let answered = false;
	const held = send(message({ recipient: '6900000002' })).finally(() => (answered = true));
	await until('it is there', () => sandbox.inFlight === 1);
	await send(message());
	expect([answered, sandbox.messages.length]).toEqual([false, 1]);
	await send(message());

	expect((await held).status).toBe(200);
	expect(sandbox.messages.map(({ recipient }) => recipient)).toEqual(['6900000001', '6900000001', '6900000002']);
});

describe('an echo', () => {
	const key = 'κλειδί "1"+2/3 &\\<';
	const ask = async (changes: object): Promise<{ status: number; type: string | null; text: string }> => {
		Object.assign(sandbox.trouble, { answer: 'echo' }, changes);
		const response = await send(message({ 'pre-shared key': key }));
		return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
	};

	test.each(['object', 'text', 'html', 'refusal', 'success'] as const)(
		'as %s holds the key, and takes nothing',
		async (echoIn) => {
			const { status, type, text } = await ask({ echoIn, echoAs: 'url', status: 422 });

			expect([status, type]).toEqual([
				422,
				expect.stringContaining({ text: 'text/plain', html: 'text/html' }[echoIn as 'text'] ?? 'json'),
			]);
			expect(text).toContain(encodeURIComponent(encodings.json(key)));
			expect(sandbox.messages).toEqual([]);
		},
	);

	test.each(Object.keys(encodings) as Encoding[])('is written as %s', async (echoAs) => {
		const { status, text } = await ask({ echoIn: 'text', echoAs });

		expect(status).toBe(400);
		// A line may end in the middle of the key.
		expect(findSecrets(text.replaceAll('\n', ''), [encodings.json(key)])).not.toEqual([]);
	});
});

test.each([301, 302, 303, 307, 308])('a redirect with %d names the same path elsewhere', async (status) => {
	Object.assign(sandbox.trouble, { answer: 'redirect', redirectTo: 'http://127.0.0.1:9', status });
	const response = await fetch(`${sandbox.url}/sendSMS`, { method: 'POST', redirect: 'manual' });

	expect([response.status, response.headers.get('location')]).toEqual([status, 'http://127.0.0.1:9/sendSMS']);
});

test('an SMS without a known keyword goes nowhere', async () => {
	expect((await control('POST', 'forward', { msisdn: '6900000001', text: 'καλημέρα' })).status).toBe(404);
	expect(sandbox.traffic.calls).toEqual([]);
});

test('a share is not delivered, evenly spread, and the final report comes first', async () => {
	const receiver = await startSandbox();
	Object.assign(sandbox.trouble, { report: 'outOfOrder', notDelivered: 20 });
	const statuses = () =>
		sandbox.traffic.calls
			.filter((call) => call.direction === 'out')
			.map(({ body }) => (body as { status: string }).status);
	const sendOne = async () => await send(message({ 'dlr-url': `${receiver.url}/sendSMS` }));
	await sendOne();
	await sandbox.settled();
	expect(statuses()).toEqual(['DELIVRD', 'SENT', 'SUBMITTED']);
	for (let time = 2; time <= 10; time++) await sendOne();
	await sandbox.settled();
	await receiver.close();

	expect(sandbox.messages.map(({ failure }) => failure)).toEqual(['', '', '', '', '27', '', '', '', '', '27']);
	expect(['ERROR', 'DELIVRD'].map((final) => statuses().filter((status) => status === final).length)).toEqual([2, 8]);
});

test('reports go out as the switches say, and again until they are taken', async () => {
	const receiver = await startSandbox();
	const dlrUrl = `${receiver.url}/sendSMS?ref=1`;
	Object.assign(sandbox.trouble, { report: 'intermediate', reportError: '27' });
	Object.assign(receiver.trouble, { answer: '500', times: 1 });
	await send(message({ 'dlr-url': dlrUrl }));
	await sandbox.settled();
	await receiver.close();

	const reports = sandbox.traffic.calls.filter((call) => call.direction === 'out');
	expect(reports.map(({ url }) => url)).toEqual(Array(4).fill(dlrUrl));
	expect(reports.map(({ status, body }) => [status, body])).toEqual([
		[500, { serviceId: '101', recipient: '6900000001', status: 'SUBMITTED' }],
		[200, { serviceId: '101', recipient: '6900000001', status: 'SUBMITTED' }],
		[200, { serviceId: '101', recipient: '6900000001', status: 'SENT' }],
		[200, { serviceId: '101', recipient: '6900000001', status: 'ERROR', error: '27' }],
	]);
});

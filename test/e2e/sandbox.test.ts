import { setTimeout as sleep } from 'node:timers/promises';
import { messageLines } from '../../sandbox/agreed';
import { encodings, type Encoding } from '../../sandbox/echo';
import { startSandbox, type Sandbox } from '../../sandbox/server';
import { findSecrets } from '../spellings';
import { until } from './n8n';
import { control, send } from './sandboxCalls';

/** Checks the sandbox itself, because it replaces the real services in most other tests. */
let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

test('the sandbox calls only this computer', async () => {
	sandbox.settings.forwardUrl = 'https://n8n.example.gr/webhook/x/forward';

	expect(await sandbox.forward('6900000001', 'ΒΑ ΦΥΣΙΚΗ')).toEqual({
		status: 0,
		answer: expect.stringContaining('to this computer only, not to n8n.example.gr'),
	});
	await sandbox.settled();
});

test('the sandbox forwards an SMS that is marked as a test to the Test URL, and other SMS to the Production URL', async () => {
	sandbox.settings.forwardUrl = 'http://127.0.0.1:9/webhook/x/forward';
	await sandbox.forward('6900000001', 'ΒΑ ΦΥΣΙΚΗ');
	await (await control(sandbox, 'POST', 'forward', { msisdn: '6900000001', text: 'ΒΑ ΔΟΚΙΜΗ', isTest: true })).text();
	expect(sandbox.texts.map(({ text, url }) => [text, url])).toEqual([
		['ΒΑ ΦΥΣΙΚΗ', 'http://127.0.0.1:9/webhook/x/forward'],
		['ΒΑ ΔΟΚΙΜΗ', 'http://127.0.0.1:9/webhook-test/x/forward'],
	]);
	await sandbox.settled();
});

test('the sandbox accepts each message in the list of messages for the credential, and sends its text', async () => {
	const lines = messageLines().map(
		(line) => /^([^/]+)\/([^:]+): (.+)$/.exec(line)!.slice(1) as [string, string, string],
	);
	for (const [serviceId, messageId, text] of lines) {
		const positions = [...text.matchAll(/\{[^{}]*,(\d+)\}/g)].map(([, position]) => Number(position));
		const replacements = Array.from({ length: Math.max(0, ...positions) }, (_, index) => `value ${index + 1}`);
		const response = await send(sandbox, { serviceId, messageId, replacements });
		expect(await response.json()).toEqual({ serviceId, errorCode: '', error: '' });
		expect(sandbox.messages.at(-1)!.text).toBe(text.replace(/\{[^{}]*,(\d+)\}/g, 'value $1'));
	}
	expect(lines.map(([service, message]) => `${service}/${message}`)).toEqual(
		expect.arrayContaining(['101/1', 'gradeService/testMessage', 'otp/OTP_SEND', 'newsService/subscribed']),
	);
});

test.each(['6900000001', '306900000001', '00306900000001', '+306900000001', 'dokimastikos'])(
	'a message to %s reaches its phone, even if the empty fields of the request are null',
	async (recipient) => {
		const nothing = { messageId: '2', serviceId: '101', replacements: null, 'sms-forward-id': null, 'dlr-url': null };
		expect(await (await send(sandbox, { recipient, ...nothing })).json()).toMatchObject({ errorCode: '' });
		expect(sandbox.messages).toMatchObject([{ recipient, dlrUrl: '', smsForwardId: '' }]);
		expect(sandbox.accepted('6900000001')).toBe(1);
	},
);

test.each([
	['E-002', { serviceId: '999' }],
	['E-002', { serviceId: 'toString' }],
	['X-001', { replacements: 'Άλγεβρα' }],
	['X-002', { institution: 'another' }],
	['X-003', { 'pre-shared key': 'another' }],
	['X-004', { messageId: '9' }],
	['X-005', { replacements: [] }],
	['X-006', { recipient: '2100000000' }],
	['X-006', { recipient: '3069000000011' }],
	['X-007', { recipient: '6999999991' }],
	['X-007', { recipient: '+306999999991' }],
	['X-008', { recipient: '6999999992' }],
])('the sandbox rejects a message with error code %s for %j', async (errorCode, changes) => {
	const response = await send(sandbox, changes);

	expect([response.status, await response.json()]).toEqual([
		200,
		expect.objectContaining({ errorCode, error: expect.stringMatching(/./) as unknown }),
	]);
	expect(sandbox.messages).toEqual([]);
});

test("the sandbox's log shows every call, even a call whose connection was cut, and no key", async () => {
	Object.assign(sandbox.trouble, { answer: 'cutAfter', times: 1 });
	await expect(send(sandbox)).rejects.toThrow();
	for (const key of ['a key of something else', ['a list']]) await send(sandbox, { 'pre-shared key': key });
	await fetch(`${sandbox.url}/api/rest/v1/ssn_validation?ssn=1`, {
		headers: { authorization: `Token ${sandbox.settings.apiKey}` },
	});

	const { messages, calls } = (await (await control(sandbox, 'GET', 'state')).json()) as Record<string, object[]>;
	expect({ messages, calls }).toMatchObject({
		messages: [{ recipient: '6900000001' }],
		calls: [
			{ status: 0, body: { 'pre-shared key': '***' } },
			{ status: 200, body: { 'pre-shared key': '***' }, answer: { errorCode: 'X-003' } },
			{ status: 200, body: { 'pre-shared key': '***' }, answer: { errorCode: 'X-001' } },
			{ status: 400, headers: { authorization: 'Token ***' } },
		],
	});
	expect(JSON.stringify([messages, calls])).not.toContain(sandbox.settings.apiKey);
	expect(JSON.stringify([messages, calls])).not.toContain(sandbox.settings.preSharedKey);
});

test.each([
	['malformed JSON', 'application/json', '{"serviceId":', 400],
	['an unsupported content type', 'application/xml', '<message/>', 415],
])("the sandbox's log shows a call with %s", async (_, type, body, status) => {
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
])('%s %s, which is no operation, gets a 404 in the format of the service', async (method, path, answer) => {
	const response = await fetch(`${sandbox.url}${path}`, { method });

	expect([response.status, await response.json()]).toEqual([404, answer]);
});

test("the sandbox's page gets the default keys, and no key that a user has set", async () => {
	const keys = async () => ((await (await control(sandbox, 'GET', 'state')).json()) as { settings: object }).settings;
	expect(await keys()).toMatchObject({ apiKey: sandbox.settings.apiKey, preSharedKey: sandbox.settings.preSharedKey });
	await control(sandbox, 'PATCH', 'settings', { apiKey: 'mine', preSharedKey: 'mine as well' });

	expect(await keys()).toMatchObject({ apiKey: '', preSharedKey: '' });
});

test.each([
	['unchanged', '?ref=a&mid=0123456789'],
	['amp', '?ref=a&amp;mid=0123456789'],
	['cut', '?ref=a&mid='],
] as const)(
	'with the switch reportUrl set to %s, the sandbox sends a report to the report URL with the query %s',
	async (reportUrl, query) => {
		Object.assign(sandbox.trouble, { reportUrl, callsAgain: 0 });
		// No server listens on this port.
		const url = 'http://127.0.0.1:9/dlr';
		await send(sandbox, { 'dlr-url': `${url}?ref=a&mid=0123456789` });
		await sandbox.settled();

		expect(sandbox.traffic.calls.filter(({ direction }) => direction === 'out')).toMatchObject([{ url: url + query }]);
	},
);

test('the switches of the sandbox can be set over HTTP, and unknown switches and values are rejected', async () => {
	const set = async (trouble: object) => (await control(sandbox, 'PATCH', 'trouble', trouble)).status;
	expect(await set({ answer: '503', times: 1, retryAfter: '2' })).toBe(200);
	expect(await set({ anwser: '503' })).toBe(400);
	expect(await set({ refusalStatus: 500 })).toBe(400);

	const first = await send(sandbox);
	expect([first.status, first.headers.get('retry-after')]).toEqual([503, '2']);
	expect((await send(sandbox)).status).toBe(200);
});

test('a fault of the sandbox with a duration ends after that time, counted from the first request', async () => {
	Object.assign(sandbox.trouble, { answer: '429', forMs: 300 });
	await sleep(400);
	const begun = Date.now();
	expect((await send(sandbox)).status).toBe(429);
	await until('the fault has ended', async () => (await send(sandbox)).status === 200);
	expect(Date.now() - begun).toBeGreaterThanOrEqual(300);
	expect(sandbox.trouble).toMatchObject({ answer: 'normal', forMs: null });
});

describe("the sandbox's echo of a key", () => {
	const key = 'κλειδί "1"+2/3 &\\<';
	const ask = async (changes: object): Promise<{ status: number; type: string | null; text: string }> => {
		Object.assign(sandbox.trouble, { answer: 'echo' }, changes);
		const response = await send(sandbox, { 'pre-shared key': key });
		return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
	};

	test.each(['object', 'text', 'html', 'refusal', 'success'] as const)(
		'can be in a response of type %s, and the sandbox then accepts no message',
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

	test.each(Object.keys(encodings) as Encoding[])('can be encoded as %s', async (echoAs) => {
		const { status, text } = await ask({ echoIn: 'text', echoAs });

		expect(status).toBe(400);
		// The encoding may break a line in the middle of the key.
		expect(findSecrets(text.replaceAll('\n', ''), [encodings.json(key)])).not.toEqual([]);
	});
});

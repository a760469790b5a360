import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageLines } from '../../sandbox/agreed';
import { startSandbox, type Sandbox } from '../../sandbox/server';

/** How the sandbox stands for habits of the real platform and of the people who use it. */
let sandbox: Sandbox;
/** An institution, which does as the test says, and what it was called with. */
let institution: Server;
let url: string;
let calls: Array<{ path: string; body: Record<string, string> }>;
let answer: (response: ServerResponse, call: number) => void;

const accept = (response: ServerResponse): void =>
	void response.writeHead(200, { 'content-type': 'application/json' }).end('{"result":"0","errorCode":"","error":""}');
async function listen(request: IncomingMessage, response: ServerResponse): Promise<void> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	calls.push({ path: request.url!, body: JSON.parse(Buffer.concat(chunks).toString()) as Record<string, string> });
	answer(response, calls.length);
}

beforeAll(async () => {
	sandbox = await startSandbox();
	institution = createServer((request, response) => void listen(request, response));
	await new Promise<void>((listening) => institution.listen(0, '127.0.0.1', listening));
	url = `http://127.0.0.1:${(institution.address() as AddressInfo).port}`;
});
beforeEach(() => {
	sandbox.reset();
	sandbox.settings.forwardUrl = `${url}/forward`;
	calls = [];
	answer = accept;
});
afterEach(async () => await sandbox.settled());
afterAll(async () => {
	await sandbox.close();
	institution.close();
	institution.closeAllConnections();
});

const patch = async (path: string, body: object): Promise<Response> =>
	await fetch(`${sandbox.url}/control/${path}`, {
		method: 'PATCH',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});

async function send(changes: object = {}): Promise<{ status: number; errorCode: string }> {
	const response = await fetch(`${sandbox.url}/sendSMS`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({
			serviceId: '101',
			messageId: '2',
			replacements: [],
			recipient: '6900000001',
			institution: sandbox.settings.institution,
			'pre-shared key': sandbox.settings.preSharedKey,
			...changes,
		}),
	});
	const { errorCode } = (await response.json()) as { errorCode: string };
	return { status: response.status, errorCode };
}

/** What the institution gets when somebody texts this. */
async function texted(text: string): Promise<Record<string, string> | undefined> {
	await sandbox.forward('6900000001', text);
	return calls.at(-1)?.body;
}

describe('a message', () => {
	test.each(['6900000001', '306900000001', '00306900000001', '+306900000001', 'dokimastikos'])(
		'reaches the phone behind %s',
		async (recipient) => {
			expect(await send({ recipient })).toEqual({ status: 200, errorCode: '' });
			expect(sandbox.messages).toMatchObject([{ recipient }]);
			expect(sandbox.accepted('6900000001')).toBe(1);
		},
	);

	test('may hold null where it has nothing to say', async () => {
		expect(await send({ replacements: null, 'sms-forward-id': null, 'dlr-url': null })).toEqual({
			status: 200,
			errorCode: '',
		});
		expect(sandbox.messages).toMatchObject([{ dlrUrl: '', smsForwardId: '' }]);
	});

	test.each([
		['6999999991', 'X-007'],
		['+306999999991', 'X-007'],
		['6999999992', 'X-008'],
	])('to %s, whose owner wants none, is refused with %s', async (recipient, errorCode) => {
		expect(await send({ recipient })).toEqual({ status: 200, errorCode });
		expect(sandbox.messages).toEqual([]);
	});

	test('is refused with the HTTP status that the switch says, and taken with 200 all the same', async () => {
		await patch('trouble', { refusalStatus: 403 });

		expect(await send({ serviceId: '999' })).toEqual({ status: 403, errorCode: 'E-002' });
		expect(await send()).toEqual({ status: 200, errorCode: '' });
		expect((await patch('trouble', { refusalStatus: 500 })).status).toBe(400);
	});

	test('of every service can be sent as its line in the credential says', async () => {
		const lines = messageLines().map(
			(line) => /^([^/]+)\/([^:]+): (.+)$/.exec(line)!.slice(1) as [string, string, string],
		);
		for (const [serviceId, messageId, text] of lines) {
			const replacements = [...text.matchAll(/\{[^{}]*,\d+\}/g)].map((_, index) => `value ${index + 1}`);
			expect(await send({ serviceId, messageId, replacements })).toEqual({ status: 200, errorCode: '' });
			expect(sandbox.messages.at(-1)!.text).toBe(text.replace(/\{[^{}]*,(\d+)\}/g, 'value $1'));
		}
		expect(lines.map(([service, message]) => `${service}/${message}`)).toEqual(
			expect.arrayContaining(['101/1', 'gradeService/testMessage', 'otp/OTP_SEND', 'newsService/subscribed']),
		);
	});

	test('is reported to its address as it was given, query and all', async () => {
		const query = '?ref=%CE%91%201&mid=1-2&exp=1800000000&sig=a-b_c';
		await send({ 'dlr-url': `${url}/dlr${query}` });
		await sandbox.settled();

		expect(calls).toMatchObject([{ path: `/dlr${query}`, body: { status: 'DELIVRD' } }]);
	});
});

describe('a text', () => {
	test.each([
		['ΒΑ ΦΥΣΙΚΗ', 'ΒΑ', 'ΦΥΣΙΚΗ'],
		['BA physics', 'ΒΑ', 'physics'],
		['βα  Φυσική 1', 'βα', 'Φυσική 1'],
		['ba physics', 'ba', 'physics'],
		['STOP', 'SΤΟΡ', ''],
		['NEA', 'ΝΕΑ', ''],
		['Στοπ', 'Στοπ', ''],
	])('%s arrives with shared letters as Greek ones', async (text, keyword, body) => {
		expect(await texted(text)).toMatchObject({ MSISDN: '6900000001', keyword, body });
	});

	test('in Latin letters reaches its keyword as typed, with the switch off', async () => {
		await patch('trouble', { greekLetters: false });

		expect(await texted('BA TEXT')).toMatchObject({ keyword: 'BA', body: 'TEXT' });
		expect(await texted('STOP')).toMatchObject({ keyword: 'STOP' });
	});

	test('goes with the keyword as it was registered, with that switch', async () => {
		await patch('trouble', { canonicalKeyword: true });

		expect(await texted('βαθμός φυσική')).toMatchObject({ keyword: 'ΒΑΘΜΟΣ', body: 'φυσική' });
		expect(await texted('BA physics')).toMatchObject({ keyword: 'ΒΑ' });
	});

	test.each([
		['dropped', 'uni βα Φυσική', { keyword: 'βα', body: 'Φυσική' }],
		['dropped', 'ΒΑ ΦΥΣΙΚΗ', undefined],
		['dropped', 'UNI ΑΛΛΟ', undefined],
		['keyword', 'UNI βα Φυσική', { keyword: 'UΝΙ', body: 'βα Φυσική' }],
		['keyword', 'UNI ΑΛΛΟ', { keyword: 'UΝΙ', body: 'ΑΛΛΟ' }],
		['keyword', 'ΒΑ ΦΥΣΙΚΗ', undefined],
	])("with an institution's name before it (%s): %s", async (prefix, text, expected) => {
		await patch('trouble', { prefix });
		const got = await texted(text);

		if (expected === undefined) expect(got).toBeUndefined();
		else expect(got).toMatchObject(expected);
	});

	test('goes to the address of its keyword, and to the general one where that has none', async () => {
		await patch('settings', { keywordUrls: { βα: `${url}/example`, ΔΟΚΙΜΗ: `${url}/mine` } });
		for (const text of ['BA physics', 'δοκιμή 1', 'ΣΙΤΙΣΗ']) await texted(text);

		expect(calls.map(({ path }) => path)).toEqual(['/example', '/mine', '/forward']);
		expect(sandbox.settings.keywordUrls).toEqual({ ΒΑ: `${url}/example`, ΔΟΚΙΜΗ: `${url}/mine` });
		await patch('settings', { keywordUrls: { ΒΑ: '', ΔΟΚΙΜΗ: '' } });
		for (const text of ['ΒΑ', 'δοκιμή']) await texted(text);
		expect(calls.slice(3).map(({ path }) => path)).toEqual(['/forward']);
	});

	test('carries the key of forwards, where there is one for them', async () => {
		expect(await texted('ΒΑ')).toMatchObject({ 'pre-shared key': sandbox.settings.preSharedKey });
		await patch('settings', { forwardKey: 'for forwards' });

		expect(await texted('ΒΑ')).toMatchObject({ 'pre-shared key': 'for forwards' });
		expect(JSON.stringify(sandbox.traffic.calls)).not.toContain('for forwards');
	});

	test('is not passed on where a redirect points to: it carries the key', async () => {
		await patch('trouble', { callsAgain: 0 });
		answer = (response) => void response.writeHead(307, { location: `${url}/elsewhere` }).end();
		await texted('ΒΑ');

		expect(calls.map(({ path }) => path)).toEqual(['/forward']);
		expect(sandbox.texts).toMatchObject([{ calls: 1, over: true, result: { status: 307 } }]);
	});

	test('with no address is kept, and nobody is called', async () => {
		sandbox.settings.forwardUrl = '';

		expect(await sandbox.forward('6900000001', 'ΒΑ ΦΥΣΙΚΗ')).toMatchObject({ status: 0 });
		expect(sandbox.texts).toMatchObject([{ keyword: 'ΒΑ', url: '', over: true }]);
		expect(sandbox.traffic.calls).toEqual([]);
	});

	test('no more than fifty keywords get an address', async () => {
		const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`Λ${index}`, url]));

		expect((await patch('settings', { keywordUrls: many })).status).toBe(409);
		expect(sandbox.settings.keywordUrls).toEqual({});
	});
});

describe('an impatient platform', () => {
	test('gives up and calls again with the same forward, so often as the switch says', async () => {
		await patch('trouble', { giveUpAfterMs: 100, callsAgain: 2 });
		answer = () => undefined;
		await texted('ΒΑ ΦΥΣΙΚΗ');
		await sandbox.settled();

		expect(calls).toHaveLength(3);
		expect(new Set(calls.map(({ body }) => body['sms-forward-id'])).size).toBe(1);
		expect(sandbox.texts).toMatchObject([
			{ calls: 3, over: true, result: { status: 0, answer: 'Gave up after 0.1 s' } },
		]);
	});

	test('calls no more once it was told a success', async () => {
		await patch('trouble', { giveUpAfterMs: 100, callsAgain: 5 });
		answer = (response, call) => (call > 1 ? accept(response) : undefined);
		await texted('ΒΑ ΦΥΣΙΚΗ');
		await sandbox.settled();

		expect(calls).toHaveLength(2);
		expect(sandbox.texts).toMatchObject([{ calls: 2, over: true, result: { status: 200 } }]);
	});

	test('does the same with reports', async () => {
		await patch('trouble', { giveUpAfterMs: 100, callsAgain: 1 });
		answer = () => undefined;
		await send({ 'dlr-url': `${url}/dlr?mid=1` });
		await sandbox.settled();

		expect(calls.map(({ path, body }) => [path, body.status])).toEqual(Array(2).fill(['/dlr?mid=1', 'DELIVRD']));
	});

	test('reads a long answer only so far', async () => {
		answer = (response) => void response.writeHead(200).end('x'.repeat(1_000_000));
		await texted('ΒΑ');

		expect((sandbox.texts[0]!.result!.answer as string).length).toBeLessThan(101_000);
	});
});

test('the page is told how much it is not shown, and no reply is missing where its question is there', async () => {
	for (let round = 0; round < 4; round++) {
		await texted(`ΒΑ ${round}`);
		for (let message = 0; message < 3; message++) await send();
	}
	const state = (await (await fetch(`${sandbox.url}/control/state?latest=6`)).json()) as {
		messages: Array<{ takenAt: string }>;
		texts: Array<{ at: string }>;
		older: object;
	};
	const shown = state.messages.length + state.texts.length;
	const oldest = [...state.messages.map(({ takenAt }) => takenAt), ...state.texts.map(({ at }) => at)].sort()[0]!;

	expect(shown).toBeGreaterThanOrEqual(6);
	expect(state.older).toEqual({ messages: 16 - shown, calls: 10 });
	expect(sandbox.messages.filter(({ takenAt }) => takenAt >= oldest)).toHaveLength(state.messages.length);
});

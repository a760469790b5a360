import type { ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { startSandbox, type Sandbox } from '../../sandbox/server';
import { control, send } from './sandboxCalls';
import { listen, type Listening } from './server';

/** Checks that the sandbox calls an institution as the real SMS platform does, with texts as people write them. */
let sandbox: Sandbox;
/** A server in place of an institution. It gives the answers that a test sets, and records the calls. */
let institution: Listening;
let calls: Array<{ path: string; body: Record<string, string> }>;
let answer: (response: ServerResponse, call: number) => void;

const accept = (response: ServerResponse): void =>
	void response.writeHead(200, { 'content-type': 'application/json' }).end('{"result":"0","errorCode":"","error":""}');

beforeAll(async () => {
	sandbox = await startSandbox();
	institution = await listen((request, response) => {
		void json(request).then((body) => {
			calls.push({ path: request.url!, body: body as Record<string, string> });
			answer(response, calls.length);
		});
	});
});
beforeEach(() => {
	sandbox.reset();
	sandbox.settings.forwardUrl = `${institution.url}/forward`;
	calls = [];
	answer = accept;
});
afterEach(async () => await sandbox.settled());
afterAll(async () => {
	await sandbox.close();
	await institution.close();
});

const patch = async (path: string, body: object): Promise<Response> => await control(sandbox, 'PATCH', path, body);

/** Sends a text from a phone. @returns the body of the latest call that the institution got; undefined if it got none */
async function texted(text: string): Promise<Record<string, string> | undefined> {
	await sandbox.forward('6900000001', text);
	return calls.at(-1)?.body;
}

describe('a text from a phone', () => {
	test.each([
		[{}, 'ΒΑ ΦΥΣΙΚΗ', { MSISDN: '6900000001', keyword: 'ΒΑ', body: 'ΦΥΣΙΚΗ' }],
		// Latin letters that look like Greek capitals arrive as Greek letters.
		[{}, 'BA physics', { keyword: 'ΒΑ', body: 'physics' }],
		[{}, 'βα  Φυσική 1', { keyword: 'βα', body: 'Φυσική 1' }],
		[{}, 'ba physics', { keyword: 'ba', body: 'physics' }],
		[{}, 'STOP', { keyword: 'SΤΟΡ', body: '' }],
		[{ greekLetters: false }, 'BA TEXT', { keyword: 'BA', body: 'TEXT' }],
		[{ canonicalKeyword: true }, 'βαθμός φυσική', { keyword: 'ΒΑΘΜΟΣ', body: 'φυσική' }],
		[{ canonicalKeyword: true }, 'BA physics', { keyword: 'ΒΑ' }],
		// The institution's name stands before the keyword.
		[{ prefix: 'dropped' }, 'uni βα Φυσική', { keyword: 'βα', body: 'Φυσική' }],
		[{ prefix: 'dropped' }, 'ΒΑ ΦΥΣΙΚΗ', undefined],
		[{ prefix: 'dropped' }, 'UNI ΑΛΛΟ', undefined],
		[{ prefix: 'keyword' }, 'UNI βα Φυσική', { keyword: 'UΝΙ', body: 'βα Φυσική' }],
		[{ prefix: 'keyword' }, 'UNI ΑΛΛΟ', { keyword: 'UΝΙ', body: 'ΑΛΛΟ' }],
		[{ prefix: 'keyword' }, 'ΒΑ ΦΥΣΙΚΗ', undefined],
	])(
		'arrives with the switches %j and the text "%s" as %j (undefined: it does not arrive)',
		async (switches, text, expected) => {
			expect((await patch('trouble', switches)).status).toBe(200);
			const got = await texted(text);

			if (expected === undefined) expect(got).toBeUndefined();
			else expect(got).toMatchObject(expected);
		},
	);

	test('is forwarded to the URL of its keyword, or to the general URL if the keyword has no URL', async () => {
		const { url } = institution;
		await patch('settings', { keywordUrls: { βα: `${url}/example`, ΔΟΚΙΜΗ: `${url}/mine` } });
		for (const text of ['BA physics', 'δοκιμή 1', 'ΣΙΤΙΣΗ']) await texted(text);

		expect(calls.map(({ path }) => path)).toEqual(['/example', '/mine', '/forward']);
		expect(sandbox.settings.keywordUrls).toEqual({ ΒΑ: `${url}/example`, ΔΟΚΙΜΗ: `${url}/mine` });
		await patch('settings', { keywordUrls: { ΒΑ: '', ΔΟΚΙΜΗ: '' } });
		for (const text of ['ΒΑ', 'δοκιμή']) await texted(text);
		expect(calls.slice(3).map(({ path }) => path)).toEqual(['/forward']);
	});

	test('is forwarded with the separate key for incoming SMS, if such a key is set', async () => {
		expect(await texted('ΒΑ')).toMatchObject({ 'pre-shared key': sandbox.settings.preSharedKey });
		await patch('settings', { forwardKey: 'for forwards' });

		expect(await texted('ΒΑ')).toMatchObject({ 'pre-shared key': 'for forwards' });
		expect(JSON.stringify(sandbox.traffic.calls)).not.toContain('for forwards');
	});

	test('is not forwarded to the target of a redirect, because the call contains the key', async () => {
		await patch('trouble', { callsAgain: 0 });
		answer = (response) => void response.writeHead(307, { location: `${institution.url}/elsewhere` }).end();
		await texted('ΒΑ');

		expect(calls.map(({ path }) => path)).toEqual(['/forward']);
		expect(sandbox.texts).toMatchObject([{ calls: 1, over: true, result: { status: 307 } }]);
	});
});

describe('the sandbox as the caller of an institution', () => {
	test('gives up a call after the time-out, and repeats it with the same forward id as often as the switch says', async () => {
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

	test('stops calling after a success', async () => {
		await patch('trouble', { giveUpAfterMs: 100, callsAgain: 5 });
		answer = (response, call) => (call > 1 ? accept(response) : undefined);
		await texted('ΒΑ ΦΥΣΙΚΗ');
		await sandbox.settled();

		expect(calls).toHaveLength(2);
		expect(sandbox.texts).toMatchObject([{ calls: 2, over: true, result: { status: 200 } }]);
	});

	test('repeats a delivery report to its unchanged URL too', async () => {
		const query = '?ref=%CE%91%201&mid=1-2&exp=1800000000&sig=a-b_c';
		await patch('trouble', { giveUpAfterMs: 100, callsAgain: 1 });
		answer = () => undefined;
		await send(sandbox, { 'dlr-url': `${institution.url}/dlr${query}` });
		await sandbox.settled();

		expect(calls.map(({ path, body }) => [path, body.status])).toEqual(Array(2).fill([`/dlr${query}`, 'DELIVRD']));
	});

	test('reads a long response only up to a limit', async () => {
		answer = (response) => void response.writeHead(200).end('x'.repeat(1_000_000));
		await texted('ΒΑ');

		expect((sandbox.texts[0]!.result!.answer as string).length).toBeLessThan(101_000);
	});
});

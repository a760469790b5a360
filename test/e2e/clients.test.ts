import { route } from '../../sandbox/keywords';
import { startSandbox, type Sandbox } from '../../sandbox/server';
import { bodyOf, callsOf, clients, type Answer } from '../fixtures/clients';
import { listen, type Listening } from './server';

/** Tests that the sandbox treats existing clients of the platform like the real platform. */
let sandbox: Sandbox;
let institution: Listening;
let answer: Answer;
let called: number;

beforeAll(async () => {
	sandbox = await startSandbox();
	institution = await listen((request, response) => {
		called++;
		request.resume().on('end', () => response.writeHead(answer.status, answer.headers).end(answer.body));
	});
});
beforeEach(() => {
	sandbox.reset();
	called = 0;
});
afterAll(async () => {
	await sandbox.close();
	await institution.close();
});

const post = async (headers: Record<string, string>, body: string): Promise<Response> =>
	await fetch(`${sandbox.url}/sendSMS`, { method: 'POST', headers, body });

test.each(callsOf('sends'))('the sandbox accepts the request of %s', async (_, send) => {
	sandbox.trouble.report = 'lost';
	const response = await post(send.headers, bodyOf(send, sandbox.settings.institution, sandbox.settings.preSharedKey));

	expect([response.status, await response.json()]).toEqual([
		200,
		{ serviceId: send.body.serviceId, errorCode: '', error: '' },
	]);
	expect(sandbox.messages).toMatchObject([{ text: send.text, recipient: send.body.recipient }]);
	expect(sandbox.accepted(send.phone)).toBe(1);
});

test.each(clients.filter(({ sends }) => sends.length > 0))(
	'the client $client recognises a message that the sandbox has accepted, and a rejection with HTTP 4xx',
	async ({ sends, judges }) => {
		const [send] = sends;
		const judged = async (key: string): Promise<boolean> => {
			const response = await post(send!.headers, bodyOf(send!, sandbox.settings.institution, key));
			const { error } = (await response.json()) as { error: string };
			return judges!.status.includes(response.status) && (!judges!.emptyError || error === '');
		};
		sandbox.trouble.report = 'lost';
		expect(await judged(sandbox.settings.preSharedKey)).toBe(true);
		// A client that looks only at the status treats a rejection with HTTP 200 as a success.
		expect(await judged('another')).toBe(!judges!.emptyError);
		sandbox.trouble.refusalStatus = 400;
		expect(await judged('another')).toBe(false);
	},
);

test.each(callsOf('answers'))(
	'after the answer of %s to a forwarded SMS or a report, the sandbox repeats its request only if the answer is not a success',
	async (_, given) => {
		answer = given;
		if (given.to === 'forward') {
			sandbox.settings.forwardUrl = `${institution.url}/forward`;
			await sandbox.forward('6912345678', 'ΒΑ ΦΥΣΙΚΗ');
		} else {
			const send = callsOf('sends')[0]![1];
			const body = { ...send.body, 'dlr-url': `${institution.url}/dlr` };
			await post(send.headers, bodyOf({ ...send, body }, sandbox.settings.institution, sandbox.settings.preSharedKey));
		}
		await sandbox.settled();

		expect(called).toBe(given.calls);
	},
);

test.each(callsOf('forwards'))(
	'the sandbox splits the text of an SMS into the keyword and the body of the recorded request %s',
	(_, { body }) => {
		const text = `${String(body.keyword)} ${String(body.body ?? '')}`.trim();
		const known = ['ΒΑ', 'ΝΕΑ', 'ΣΤΟΠ', 'STOP', 'UNI'];

		expect(route(text, known, { greekLetters: true, canonicalKeyword: false, prefix: 'none' })).toMatchObject({
			keyword: body.keyword,
			body: body.body ?? '',
		});
	},
);

import type { IDataObject, INodeType } from 'n8n-workflow';

import { runNode, testCredential } from './harness/engine';
import { tinyNode } from './harness/layout';
import { BASE, bodyOf, CREDENTIAL, DLR, KEY, OPERATION, TAKEN } from './harness/send';
import { type Reply, serve } from './harness/wire';

describe('the test of the credential', () => {
	const values = { baseUrl: BASE, institution: 'example-university', preSharedKey: KEY };
	const test = async (reply: Reply, more: IDataObject = {}) => {
		const sent = serve('POST', OPERATION, reply);
		const result = await testCredential('smsPlatformApi', { ...values, ...more } as never);
		expect(result.message).not.toContain(KEY);
		return { ...result, sent };
	};

	it('names nothing that could be sent, and claims no more than it knows', async () => {
		const { status, message, sent } = await test({
			body: { serviceId: '', errorCode: 'E-002', error: 'Unknown Service' },
		});
		expect(status).toBe('OK');
		expect(message).toMatch(/confirm/);
		for (const each of sent) {
			const { recipient, messageId } = bodyOf(each);
			expect([recipient ?? '', messageId ?? '']).toEqual(['', '']);
		}
	});

	it.each<[string, Reply, RegExp]>([
		['a host that cannot be reached', { cut: 'ECONNREFUSED' }, /reach/i],
		['an untrusted certificate', { cut: 'SELF_SIGNED_CERT_IN_CHAIN' }, /Ignore SSL Issues/],
		['a wrong base address', { status: 404 }, /Base URL|address/],
		['another server', { body: '<html>hello</html>' }, /Base URL/],
		['a refused key', { status: 401 }, /key/],
		['a refused key in words', { body: { errorCode: 'E-7', error: 'Invalid pre-shared key' } }, /key/],
		...[
			...['Authentication failed', 'Pre-shared key mismatch', 'Bad credentials', 'Invalid Pre Shared Key'],
			...['Unauthorized', 'Institution not found', 'Λάθος κλειδί', 'Το ίδρυμα δεν βρέθηκε'],
		].map((error): [string, Reply, RegExp] => [`"${error}"`, { body: { errorCode: 'A-1', error } }, /rejected/]),
		['an unknown institution', { body: { errorCode: 'E-4', error: 'Unknown institution' } }, /institution/],
		[
			'an address that is not registered',
			{ body: { errorCode: 'E-5', error: 'Unauthorized sender address' } },
			/address/,
		],
		['a proxy that refuses', { status: 403 }, /proxy/],
		['an outage', { status: 500 }, /500/],
		['an outage with a code', { status: 503, body: { errorCode: 'GW', error: 'upstream unavailable' } }, /503/],
		['a wrong base address with a code', { status: 404, body: { errorCode: '404', error: 'Not Found' } }, /Base URL/],
		['a redirect with a code', { status: 302, body: { errorCode: 'X', error: 'moved' } }, /redirects/],
		['a refused key with a code', { status: 400, body: { errorCode: 'INVALID_KEY', error: '' } }, /key/],
	])('tells %s apart', async (_, reply, text) => {
		const { status, message } = await test(reply);
		expect(status).toBe('Error');
		expect(message).toMatch(text);
	});

	it.each([200, 404, 500])('knows the platform by the service that it repeats, with HTTP %i too', async (status) => {
		expect((await test({ status, body: { serviceId: '', errorCode: 'E-002', error: 'Unknown Service' } })).status).toBe(
			'OK',
		);
	});

	it('asks for an institution before it sends anything', async () => {
		const { status, message, sent } = await test(TAKEN, { institution: ' \u200b' });
		expect([status, message, sent]).toEqual(['Error', 'Institution is empty. Fill it in the credential.', []]);
	});

	it.each([
		...['Unknown keyword', 'Unknown key word', 'Message not found for institution X', 'Unknown recipient address'],
		...['Unknown Service for institution X', 'Άγνωστη λέξη-κλειδί'],
	])('takes "%s" for neither a refused key nor a refused server', async (error) => {
		expect((await test({ status: 400, body: { errorCode: 'E-9', error } })).status).toBe('OK');
	});

	const NOT_REJECTED: Reply = { body: { serviceId: '', errorCode: 'E-002', error: 'Unknown Service' } };

	const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
	const DLR_OF_TRIGGER = 'https://n8n.example.gr/webhook/abc';
	it.each<[IDataObject, RegExp]>([
		[{ messages: 'a/b: c\nwrong\nworse' }, /did not reject the key\. Line 2 of Messages/],
		[
			{ messages: 'a/b: {Βαθμός,1}\na/c: Ο βαθμός σας στο {Μάθημα} είναι {Βαθμός,1}\nwrong' },
			/Line 2 of Messages contains \{Μάθημα\} without a position: write \{Μάθημα,1\}/,
		],
		[{ dlrUrl: `${DLR_OF_TRIGGER}/forward` }, /ends in \/forward.*\/dlr/],
		[{ dlrUrl: `${DLR_OF_TRIGGER}/forward\u200b` }, /ends in \/forward/],
		[{ dlrUrl: 'https://n8n.example.gr/webhook-test/abc/dlr' }, /contains \/webhook-test\/.*Production URL/],
		[{ dlrUrl: 'n8n.example.gr/dlr' }, /Delivery Report URL must be/],
		[{ previousPreSharedKey: 'old' }, /Key Changed On is missing/],
		[{ previousPreSharedKey: 'old', keyChangedOn: '11/05/2026' }, /Key Changed On is not a date/],
		[{ previousPreSharedKey: 'old', keyChangedOn: '2126-05-11' }, /Key Changed On is in the future/],
		[{ previousPreSharedKey: 'old', keyChangedOn: daysFromNow(2) }, /Key Changed On is in the future/],
		[{ quietHours: '22-08' }, /Quiet Hours .*can't be read \(22-08\)\. Write two times/],
		[{ trialRecipients: '6900000001\n2101234567' }, /Trial Recipients .*number 2: .*landline/],
		[{ maxMessagesPerRun: 'many' }, /Max Messages per Run .*must be a whole number/],
	])('names what can not be used in %j', async (more, text) => {
		const { status, message } = await test(NOT_REJECTED, more);
		expect(status).toBe('Error');
		expect(message).toMatch(text);
	});

	it.each([0, -1])('takes a key changed today, in whichever time zone that is (%d days from now)', async (days) => {
		const more = { previousPreSharedKey: 'old', keyChangedOn: `${daysFromNow(days)}T23:59:59` };
		expect((await test(NOT_REJECTED, more)).status).toBe('OK');
	});

	it('finds nothing wrong with a credential that is whole', async () => {
		const whole = {
			messages: 'grades/result: {Βαθμός,1} για {Σχολή, Τμήμα,2}',
			dlrUrl: DLR,
			previousPreSharedKey: 'old',
			keyChangedOn: '2026-05-11',
			forwardKey: 'fwd',
			trialRecipients: '6900000001',
			maxMessagesPerRun: 500,
			quietHours: '22:00-08:00',
		};
		const { status, message } = await test(NOT_REJECTED, { ...whole, preSharedKey: 'Vq7-w0Zr_tB31xKe' });
		expect(status).toBe('OK');
		expect(message).toMatch(/test sends none\.$/);
	});

	it('says nothing of a key that can be guessed, nor of messages that are not there yet', async () => {
		expect(await test(NOT_REJECTED, { messages: '# none yet\n', preSharedKey: 'sms-2026' })).toMatchObject({
			status: 'OK',
			message: expect.stringMatching(/test sends none\.$/) as unknown,
		});
	});

	it('asks nothing by plain http, except on this computer and private addresses', async () => {
		const plain = serve('POST', 'http://sms.example.gr:9999/sendSMS', TAKEN);
		const { status, message } = await test(TAKEN, { baseUrl: 'http://sms.example.gr:9999' });
		expect([status, plain]).toEqual(['Error', []]);
		expect(message).toMatch(/^Base URL begins with http:\/\/.* must begin with https:\/\//);
		const near = serve('POST', 'http://sms.lan:9999/sendSMS', TAKEN);
		expect((await test(TAKEN, { baseUrl: 'http://sms.lan:9999' })).status).toBe('OK');
		expect(near).toHaveLength(1);
	});
});

/* Other nodes than this package's, n8n's HTTP Request for one, with the credentials of this package. */

const API_KEY = 'an-api-key-of-the-registry';
const values = {
	amkaApi: { baseUrl: `${BASE}/`, apiKey: API_KEY, allowUnauthorizedCerts: false },
	smsPlatformApi: { ...CREDENTIAL, allowUnauthorizedCerts: false },
};
type Type = keyof typeof values;
type Helper = 'httpRequestWithAuthentication' | 'requestWithAuthentication';

/** A node that makes one request, with one of n8n's two helpers. */
const other = (type: Type, helper: Helper, options: IDataObject): INodeType =>
	tinyNode(
		'other',
		async function () {
			const request = { method: 'POST', body: { a: 1 }, json: true, ...options } as never;
			const answer: unknown = await this.helpers[helper].call(this, type, request);
			return [[{ json: { answer: JSON.stringify(answer ?? null) } }]];
		},
		{ credentials: [{ name: type }] },
	);

const cases = (['amkaApi', 'smsPlatformApi'] as const).flatMap((type) =>
	(['httpRequestWithAuthentication', 'requestWithAuthentication'] as const).map((helper) => [type, helper] as const),
);

describe.each(cases)('%s through %s', (type, helper) => {
	const attempt = async (options: IDataObject, more: IDataObject = {}) =>
		await runNode(
			{ node: other(type, helper, options), credentials: { [type]: { ...values[type], ...more } as never } },
			[{}],
		);
	const carriesKey = (sent: { body: string; headers: Record<string, string> } | undefined) =>
		type === 'amkaApi'
			? sent?.headers.authorization === `Token ${API_KEY}`
			: sent?.body.includes(JSON.stringify(KEY)) === true;

	it.each<[string, IDataObject]>([
		['the whole URL', { url: `${BASE}/any/path?x=1` }],
		['the URL with its host in capitals', { url: 'HTTPS://SMS.EXAMPLE.GR:9999/any/path' }],
		['a base and a path', { baseURL: BASE, url: '/any/path' }],
		...(helper === 'requestWithAuthentication'
			? ([
					['uri', { uri: `${BASE}/any/path` }],
					['uri and an empty url', { uri: `${BASE}/any/path`, url: undefined }],
				] as Array<[string, IDataObject]>)
			: []),
	])('carries the key to the Base URL: %s', async (_, options) => {
		const sent = serve('POST', `${BASE}/any/path`, { body: { ok: true } });
		const run = await attempt(options);
		expect(run.error).toBeUndefined();
		expect(sent.map(carriesKey)).toEqual([true]);
	});

	it.each<[string, IDataObject]>([
		['another host', { url: 'https://evil.example.gr/any/path' }],
		['plain http', { url: 'http://sms.example.gr:9999/any/path' }],
		['the Base URL as a user name', { url: `${BASE}@evil.example.gr/any/path` }],
		['another host by uri', { uri: 'https://evil.example.gr/any/path' }],
		['one of two', { url: `${BASE}/any/path`, uri: 'https://evil.example.gr/any/path' }],
		['the other of two', { uri: `${BASE}/any/path`, url: 'https://evil.example.gr/any/path' }],
		['another host by baseURL', { baseURL: 'https://evil.example.gr', url: '/any/path' }],
		[
			'another host by baseURL, beside what is a whole URL to one library and a part of one to another',
			{ baseURL: 'https://evil.example.gr', url: ` ${BASE}/any/path` },
		],
		['another host beside its baseURL', { baseURL: BASE, url: 'https://evil.example.gr/any/path' }],
		['another host without a scheme', { baseURL: BASE, url: '//evil.example.gr/any/path' }],
		['another host with backslashes', { baseURL: BASE, url: '\\\\evil.example.gr\\any\\path' }],
	])('goes nowhere else: %s', async (_, options) => {
		const elsewhere = [
			'https://evil.example.gr/any/path',
			`${BASE}/any/path`,
			'https://sms.example.gr/any/path',
			'http://sms.example.gr:9999/any/path',
		].map((address) => serve('POST', address));
		const run = await attempt(options);
		expect(elsewhere.flat()).toEqual([]);
		expect(run.error?.message).toMatch(
			/gives its key to its own Base URL alone, and this request goes to https?:\/\/(?:evil|sms)\.example\.gr/,
		);
		expect(JSON.stringify(run.error)).not.toContain(JSON.stringify(values[type]).slice(20, 40));
	});

	it.each<[string, IDataObject, IDataObject]>([
		['no URL at all', {}, {}],
		['words', { url: 'no url' }, {}],
		['an object', { url: { href: `${BASE}/any/path` } }, {}],
		['a proxy of the request', { url: `${BASE}/any/path`, proxy: 'http://evil.example.gr:3128' }, {}],
		['a credential without a Base URL', { url: `${BASE}/any/path` }, { baseUrl: '' }],
		[
			'a credential whose Base URL is plain http',
			{ url: 'http://sms.example.gr:9999/any/path' },
			{ baseUrl: 'http://sms.example.gr:9999' },
		],
	])("is refused where it can't be told: %s", async (_, options, more) => {
		const sent = serve('POST', `${BASE}/any/path`);
		const plain = serve('POST', 'http://sms.example.gr:9999/any/path');
		const run = await attempt(options, more);
		expect(run.status).toBe('error');
		expect(run.error?.message).toMatch(/credential/);
		expect([...sent, ...plain]).toEqual([]);
	});

	it.each([301, 302, 303, 307, 308])('follows no redirect with %i', async (status) => {
		for (const method of ['GET', 'POST'] as const) {
			serve(method, `${BASE}/any/path`, { status, headers: { location: 'https://evil.example.gr/any/path' } });
			const elsewhere = (['GET', 'POST'] as const).map((each) => serve(each, 'https://evil.example.gr/any/path'));
			const run = await attempt({
				method,
				url: `${BASE}/any/path`,
				uri: `${BASE}/any/path`,
				followRedirect: true,
				followAllRedirects: true,
				maxRedirects: 5,
				disableFollowRedirect: false,
				sendCredentialsOnCrossOriginRedirect: true,
			});
			expect(elsewhere.flat()).toEqual([]);
			expect(run.status).toBe('error');
		}
	});

	it('trusts no certificate that the credential does not', async () => {
		const sent = serve('POST', `${BASE}/any/path`, { cut: 'SELF_SIGNED_CERT_IN_CHAIN' });
		const run = await attempt({
			url: `${BASE}/any/path`,
			rejectUnauthorized: false,
			skipSslCertificateValidation: true,
		});
		expect([run.status, sent.length]).toEqual(['error', 1]);
	});
});

describe('while Trial Recipients is filled', () => {
	const options = { url: `${BASE}/sendSMS`, body: { recipient: '6987654321' } };
	const trial = (trialRecipients: unknown) => ({
		smsPlatformApi: { ...values.smsPlatformApi, trialRecipients } as never,
	});

	it.each(['httpRequestWithAuthentication', 'requestWithAuthentication'] as const)(
		'no other node can use the credential (%s)',
		async (helper) => {
			const sent = serve('POST', `${BASE}/sendSMS`, { body: { errorCode: '', error: '' } });
			for (const more of [{}, { trial: true, credentialsDecrypted: true, headers: { own: 'true' } }]) {
				const run = await runNode(
					{ node: other('smsPlatformApi', helper, { ...options, ...more }), credentials: trial('6912345678') },
					[{}],
				);
				expect(run.error?.message).toMatch(/on trial.*only SMS Send and SMS Code/);
			}
			expect(sent).toEqual([]);
			for (const empty of ['', ' \u200b\n', undefined]) {
				const run = await runNode({ node: other('smsPlatformApi', helper, options), credentials: trial(empty) }, [{}]);
				expect(run.error).toBeUndefined();
			}
			expect(sent).toHaveLength(3);
		},
	);
});

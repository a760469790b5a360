import type { IDataObject, INodeType } from 'n8n-workflow';

import { AmkaApi } from '../../credentials/AmkaApi.credentials';
import { SmsPlatformApi } from '../../credentials/SmsPlatformApi.credentials';
import { runNode, testCredential } from './harness/engine';
import { tinyNode } from './harness/layout';
import { BASE, bodyOf, CREDENTIAL, DLR, KEY, OPERATION, platform, TAKEN } from './harness/send';
import { type Reply, serve } from './harness/httpServer';

describe('the connection test of the SMS Platform credential', () => {
	const test = async (reply: Reply, more: IDataObject = {}) => {
		const sent = platform(reply);
		const result = await testCredential('smsPlatformApi', { ...CREDENTIAL, ...more } as never);
		expect(result.message).not.toContain(KEY);
		return { ...result, sent };
	};

	const NOT_REJECTED: Reply = { body: { serviceId: '', errorCode: 'E-002', error: 'Unknown Service' } };

	it('sends a request without recipient and message, and states only that the key was not rejected', async () => {
		const { status, message, sent } = await test(NOT_REJECTED);
		expect(status).toBe('OK');
		expect(message).toMatch(/Only a real message can prove that they are right/);
		expect(sent).toHaveLength(1);
		expect(bodyOf(sent[0])).toMatchObject({ recipient: '', messageId: '' });
	});

	const saying = (errorCode: string, error: string, status = 200): Reply => ({ status, body: { errorCode, error } });
	it.each<[string, Reply, RegExp]>([
		['a host that cannot be reached', { cut: 'ECONNREFUSED' }, /reach/i],
		['an untrusted certificate', { cut: 'SELF_SIGNED_CERT_IN_CHAIN' }, /Ignore SSL Issues/],
		['a wrong base address', { status: 404 }, /Base URL|address/],
		['another server', { body: '<html>hello</html>' }, /Base URL/],
		['a refused key', { status: 401 }, /key/],
		...[
			...['Authentication failed', 'Pre-shared key mismatch', 'Bad credentials', 'Invalid Pre Shared Key'],
			...['Unauthorized', 'Institution not found', 'Λάθος κλειδί', 'Το ίδρυμα δεν βρέθηκε'],
		].map((error): [string, Reply, RegExp] => [`"${error}"`, saying('A-1', error), /rejected/]),
		['an address that is not registered', saying('E-5', 'Unauthorized sender address'), /address/],
		['a proxy that refuses', { status: 403 }, /proxy/],
		['an outage with a code', saying('GW', 'upstream unavailable', 503), /503/],
		['a wrong base address with a code', saying('404', 'Not Found', 404), /Base URL/],
		['a redirect with a code', saying('X', 'moved', 302), /redirects/],
		['a proxy that refuses with a code', { ...NOT_REJECTED, status: 403 }, /proxy/],
		['a refused key that the platform repeats', saying('A-1', `Invalid key ${KEY}`), /rejected/],
		['a refused key with a code', saying('INVALID_KEY', '', 400), /key/],
	])('fails with its own message for %s', async (_, reply, text) => {
		expect(await test(reply)).toMatchObject({ status: 'Error', message: expect.stringMatching(text) as unknown });
	});

	it.each([404, 500])(
		'accepts an answer that names a service as an answer of the platform, even with HTTP %i',
		async (status) => {
			expect((await test({ ...NOT_REJECTED, status })).status).toBe('OK');
		},
	);

	it.each<[Reply, RegExp]>([
		[{ cut: 'ECONNRESET' }, /broke before the answer was complete/],
		[{ status: 429 }, /too many requests/],
	])('does not mention options of a node in its message about %j', async (reply, text) => {
		const { message } = await test(reply);
		expect(message).toMatch(text);
		expect(message).not.toMatch(/option|Timeout|Concurrency/);
	});

	it('requires an institution before it sends a request', async () => {
		const { status, message, sent } = await test(TAKEN, { institution: ' \u200b' });
		expect([status, message, sent]).toEqual([
			'Error',
			'Institution is empty. Fill in this field in the credential.',
			[],
		]);
	});

	it.each([
		...['Missing key field: replacements', 'Duplicate key in database', 'Institution credits exhausted'],
		...['Unknown keyword', 'Unknown key word', 'Message not found for institution X', 'Unknown recipient address'],
		...['Unknown Service for institution X', 'Άγνωστη λέξη-κλειδί'],
	])('does not read "%s" as a rejected key or a wrong server', async (error) => {
		expect((await test(saying('E-9', error, 400))).status).toBe('OK');
	});

	const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
	const DLR_OF_TRIGGER = 'https://n8n.example.gr/webhook/abc';
	it.each<[IDataObject, RegExp]>([
		[{ messages: 'a/b: c\nwrong\nworse' }, /did not reject the key, but another field is wrong\. Line 2 of Messages/],
		[{ dlrUrl: `${DLR_OF_TRIGGER}/forward` }, /ends in \/forward.*\/dlr/],
		[{ dlrUrl: 'https://n8n.example.gr/webhook-test/abc/dlr' }, /is a test URL \(\/webhook-test\/\).*Production URL/],
		[{ previousPreSharedKey: 'old' }, /Key Changed On is missing/],
		[{ previousPreSharedKey: 'old', keyChangedOn: '11/05/2026' }, /Key Changed On is not a clear date/],
		[{ previousPreSharedKey: 'old', keyChangedOn: daysFromNow(2) }, /Key Changed On is in the future/],
		[{ quietHours: '22-08' }, /Quiet Hours .*can't be read \(22-08\)\. Enter two times/],
		[{ trialRecipients: '6900000001\n2101234567' }, /Trial Recipients .*number 2: .*landline/],
		[{ maxMessagesPerRun: 'many' }, /Max Messages per Run .*must be a whole number/],
	])('names the invalid setting in %j', async (more, text) => {
		const message = expect.stringMatching(text) as unknown;
		expect(await test(NOT_REJECTED, more)).toMatchObject({ status: 'Error', message });
	});

	const whole = {
		...{ messages: 'grades/result: {Βαθμός,1} για {Σχολή, Τμήμα,2}', dlrUrl: DLR, forwardKey: 'fwd' },
		...{ previousPreSharedKey: 'old', keyChangedOn: '2026-05-11', preSharedKey: 'Vq7-w0Zr_tB31xKe' },
		...{ trialRecipients: '6900000001', maxMessagesPerRun: 500, quietHours: '22:00-08:00' },
	};
	it.each<[string, IDataObject]>([
		['with all fields', whole],
		['with a key that is easy to guess, and without messages', { messages: '# none\n', preSharedKey: 'sms' }],
		['whose key changed today', { ...whole, keyChangedOn: `${daysFromNow(0)}T23:59:59` }],
	])('accepts a credential %s', async (_, more) => {
		const message = expect.stringMatching(/test does not send one\.$/) as unknown;
		expect(await test(NOT_REJECTED, more)).toMatchObject({ status: 'OK', message });
	});

	it.each([
		['2026-07-01T20:59:59Z', 'Error'],
		['2026-07-01T21:00:00Z', 'OK'],
	])('compares Key Changed On, 2 July, with the date in Greece: at %s the result is %s', async (now, status) => {
		const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.parse(now));
		expect((await test(NOT_REJECTED, { ...whole, keyChangedOn: '2026-07-02T00:00:00' })).status).toBe(status);
		clock.mockRestore();
	});

	it('sends no request by plain http, except to private addresses', async () => {
		const plain = serve('POST', 'http://sms.example.gr:9999/sendSMS', TAKEN);
		const { status, message } = await test(TAKEN, { baseUrl: 'http://sms.example.gr:9999' });
		expect([status, plain]).toEqual(['Error', []]);
		expect(message).toMatch(/^Base URL begins with http:\/\/.* must begin with https:\/\//);
		const near = serve('POST', 'http://sms.lan:9999/sendSMS', TAKEN);
		expect((await test(TAKEN, { baseUrl: 'http://sms.lan:9999' })).status).toBe('OK');
		expect(near).toHaveLength(1);
	});
});

/* Tests other nodes, such as n8n's HTTP Request, with the credentials of this package. */

const API_KEY = 'an-api-key-of-the-registry';
const values = {
	amkaApi: { baseUrl: `${BASE}/`, apiKey: API_KEY, allowUnauthorizedCerts: false },
	smsPlatformApi: { ...CREDENTIAL, allowUnauthorizedCerts: false },
};
type Type = keyof typeof values;
type Helper = 'httpRequestWithAuthentication' | 'requestWithAuthentication';

/** Returns a node that sends one request with one of n8n's two request helpers. */
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

describe.each(cases)('another node that uses the credential %s through %s', (type, helper) => {
	const attempt = async (options: IDataObject, more: IDataObject = {}) => {
		const credentials = { [type]: { ...values[type], ...more } as never };
		return await runNode({ node: other(type, helper, options), credentials }, [{}]);
	};
	const carriesKey = (sent: { body: string; headers: Record<string, string> } | undefined) =>
		type === 'amkaApi'
			? sent?.headers.authorization === `Token ${API_KEY}`
			: sent?.body.includes(JSON.stringify(KEY)) === true;

	const byUri: Array<[string, IDataObject]> = [['uri and an empty url', { uri: `${BASE}/any/path`, url: undefined }]];
	it.each<[string, IDataObject]>([
		['the whole URL', { url: `${BASE}/any/path?x=1` }],
		['the URL with its host in capitals', { url: 'HTTPS://SMS.EXAMPLE.GR:9999/any/path' }],
		['a baseURL and a path', { baseURL: BASE, url: '/any/path' }],
		...(helper === 'requestWithAuthentication' ? byUri : []),
	])('sends the key to the Base URL: %s', async (_, options) => {
		const sent = serve('POST', `${BASE}/any/path`, { body: { ok: true } });
		const run = await attempt(options);
		expect(run.error).toBeUndefined();
		expect(sent.map(carriesKey)).toEqual([true]);
	});

	it.each<[string, IDataObject]>([
		['another host', { url: 'https://evil.example.gr/any/path' }],
		['a URL with plain http', { url: 'http://sms.example.gr:9999/any/path' }],
		['the Base URL as a user name', { url: `${BASE}@evil.example.gr/any/path` }],
		['another host by uri', { uri: 'https://evil.example.gr/any/path' }],
		['another host in uri, the right one in url', { url: `${BASE}/any/path`, uri: 'https://evil.example.gr/any/path' }],
		['another host in url, the right one in uri', { uri: `${BASE}/any/path`, url: 'https://evil.example.gr/any/path' }],
		['another host by baseURL', { baseURL: 'https://evil.example.gr', url: '/any/path' }],
		// One HTTP library reads this url as a complete URL, and another library reads it as a path.
		[
			'another host as baseURL, and a url with a leading space',
			{ baseURL: 'https://evil.example.gr', url: ` ${BASE}/any/path` },
		],
		['another host in url, the right one as baseURL', { baseURL: BASE, url: 'https://evil.example.gr/any/path' }],
		['another host without a scheme', { baseURL: BASE, url: '//evil.example.gr/any/path' }],
		['another host with backslashes', { baseURL: BASE, url: '\\\\evil.example.gr\\any\\path' }],
	])(
		'is an error without a request if it would send the key elsewhere, and the error does not contain the key: %s',
		async (_, options) => {
			const hosts = ['https://evil.example.gr', BASE, 'https://sms.example.gr', 'http://sms.example.gr:9999'];
			const elsewhere = hosts.map((host) => serve('POST', `${host}/any/path`));
			const run = await attempt(options);
			expect(elsewhere.flat()).toEqual([]);
			expect(run.error?.message).toMatch(
				/sends its key only to its own Base URL, but this request goes to https?:\/\/(?:evil|sms)\.example\.gr/,
			);
			for (const key of [API_KEY, KEY]) expect(JSON.stringify(run.error)).not.toContain(key);
		},
	);

	const PLAIN = 'http://sms.example.gr:9999';
	it.each<[string, IDataObject, IDataObject]>([
		['a request without a URL', {}, {}],
		['a text that is not a URL', { url: 'no url' }, {}],
		['an object as URL', { url: { href: `${BASE}/any/path` } }, {}],
		['a proxy of the request', { url: `${BASE}/any/path`, proxy: 'http://evil.example.gr:3128' }, {}],
		['a credential without a Base URL', { url: `${BASE}/any/path` }, { baseUrl: '' }],
		['a credential whose Base URL is plain http', { url: `${PLAIN}/any/path` }, { baseUrl: PLAIN }],
	])('is an error without a request if the target is uncertain or insecure: %s', async (_, options, more) => {
		const sent = serve('POST', `${BASE}/any/path`);
		const plain = serve('POST', `${PLAIN}/any/path`);
		const run = await attempt(options, more);
		expect(run.status).toBe('error');
		expect(run.error?.message).toMatch(/credential/);
		expect([...sent, ...plain]).toEqual([]);
	});

	it.each([301, 303, 307])('does not follow a redirect with HTTP %i', async (status) => {
		for (const method of ['GET', 'POST'] as const) {
			serve(method, `${BASE}/any/path`, { status, headers: { location: 'https://evil.example.gr/any/path' } });
			const elsewhere = (['GET', 'POST'] as const).map((each) => serve(each, 'https://evil.example.gr/any/path'));
			const run = await attempt({
				...{ method, url: `${BASE}/any/path`, uri: `${BASE}/any/path`, maxRedirects: 5, disableFollowRedirect: false },
				...{ followRedirect: true, followAllRedirects: true, sendCredentialsOnCrossOriginRedirect: true },
			});
			expect(elsewhere.flat()).toEqual([]);
			expect(run.status).toBe('error');
		}
	});
});

it.each([
	['AMKA', new AmkaApi(), values.amkaApi],
	['SMS Platform', new SmsPlatformApi(), values.smsPlatformApi],
] as const)(
	'another node that uses the %s credential cannot switch off the check of certificates',
	async (_, { authenticate }, data) => {
		// The simulated network has no certificates, so this test looks at the options that n8n gets.
		const trusting = {
			url: `${BASE}/any/path`,
			body: {},
			rejectUnauthorized: false,
			skipSslCertificateValidation: true,
		};
		const bound = (trusts: boolean) =>
			(authenticate as (...args: object[]) => Promise<object>)({ ...data, allowUnauthorizedCerts: trusts }, trusting);
		expect(await bound(false)).toMatchObject({ rejectUnauthorized: true, skipSslCertificateValidation: false });
		expect(await bound(true)).toMatchObject({ rejectUnauthorized: false, skipSslCertificateValidation: true });
	},
);

it.each(['httpRequestWithAuthentication', 'requestWithAuthentication'] as const)(
	'another node cannot use a credential in which Trial Recipients is filled in (through %s)',
	async (helper) => {
		const sent = platform();
		const attempt = async (trialRecipients: unknown, more: IDataObject = {}) => {
			const options = { url: OPERATION, body: { recipient: '6987654321' }, ...more };
			const credentials = { smsPlatformApi: { ...values.smsPlatformApi, trialRecipients } as never };
			return (await runNode({ node: other('smsPlatformApi', helper, options), credentials }, [{}])).error?.message;
		};
		for (const more of [{}, { trial: true, credentialsDecrypted: true, headers: { own: 'true' } }])
			expect(await attempt('6912345678', more)).toMatch(/in trial mode.*only SMS Send and SMS Code/);
		expect(sent).toEqual([]);
		for (const empty of ['', ' \u200b\n', undefined]) expect(await attempt(empty)).toBeUndefined();
		expect(sent).toHaveLength(3);
	},
);

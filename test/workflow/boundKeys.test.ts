import type { IDataObject, INodeType } from 'n8n-workflow';

import { runNode } from './harness/engine';
import { tinyNode } from './harness/layout';
import { BASE, CREDENTIAL, KEY } from './harness/send';
import { serve } from './harness/wire';

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

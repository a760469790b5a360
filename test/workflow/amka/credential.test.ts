import type { IDataObject } from 'n8n-workflow';

import { runNode, testCredential } from '../harness/engine';
import { serve, type Reply, type Sent } from '../harness/httpServer';
import { BASE, KEY, OPERATION } from '../harness/amka';

describe('the connection test of the AMKA credential', () => {
	const test = async (reply: Reply | ((request: Sent, index: number) => Reply), more: IDataObject = {}) => {
		const sent = serve('GET', OPERATION, reply);
		const result = await testCredential('amkaApi', { baseUrl: BASE, apiKey: KEY, ...more } as never);
		expect(result.message).not.toContain(KEY);
		return { ...result, sent };
	};

	it('succeeds if the service answers and accepts the key, and queries an invalid number instead of a real person', async () => {
		const { status, sent } = await test({ body: { match: 'false' } });
		expect(status).toBe('OK');
		expect(sent).toMatchObject([{ headers: { authorization: `Token ${KEY}`, 'content-type': 'application/json' } }]);
		const { ssn } = sent[0]!.query;
		const run = await runNode({ node: 'amka', parameters: { operation: 'checkNumber', ssn: ssn! } }, [{}]);
		expect(run.json).toMatchObject([[], [{ valid: false }]]);
	});

	it.each<[string, Reply, RegExp]>([
		['a host that cannot be reached', { cut: 'ECONNREFUSED' }, /reach/i],
		['an untrusted certificate', { cut: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, /Ignore SSL Issues/],
		['a wrong base address', { status: 404 }, /address|Base URL/i],
		['another server', { body: '<html>hello</html>' }, /Base URL/i],
		['a refused key', { status: 401 }, /key/i],
		['a proxy that refuses (403)', { status: 403, body: '<html>Forbidden</html>' }, /proxy/i],
		['an outage', { status: 500 }, /500/],
		[
			'a web server whose port expects https',
			{ status: 400, body: '<html>The plain HTTP request was sent to HTTPS port</html>' },
			/Base URL/,
		],
	])('fails with its own message for %s', async (_, reply, text) => {
		const { status, message } = await test(reply);
		expect(status).toBe('Error');
		expect(message).toMatch(text);
	});

	it.each<[string, Reply]>([
		['rejects the query', { status: 400, body: { title: 'x' } }],
		['answers "no match"', { body: { match: 'false' } }],
		['answers with an empty object', { body: {} }],
		['answers with a word that is neither yes nor no', { body: { match: 'error' } }],
	])('states only that the key was not rejected if the service %s', async (_, reply) => {
		const { status, message } = await test(reply);
		expect(status).toBe('OK');
		expect(message).toMatch(
			/did not reject the key\. (?:The test asked .* )?Only a real query can prove that the key is right/,
		);
	});

	it.each(['', 'amka', 'ftp://amka.example.gr', 'javascript:alert(1)', 'http://amka.example.gr'])(
		'rejects the Base URL "%s"',
		async (baseUrl) => {
			const result = await testCredential('amkaApi', { baseUrl, apiKey: KEY });
			expect(result).toMatchObject({ status: 'Error', message: expect.stringMatching(/Base URL/) as unknown });
		},
	);

	it.each([
		['', /API Key is empty/],
		['two\nlines', /API Key contains/],
	])('rejects the key %j before it sends a request', async (apiKey, text) => {
		const sent = serve('GET', OPERATION, { body: { match: 'false' } });
		expect(await testCredential('amkaApi', { baseUrl: BASE, apiKey })).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(text) as unknown,
		});
		expect(sent).toEqual([]);
	});

	it('reports No-Match Status Codes that are not allowed, before it sends a request', async () => {
		const { status, message, sent } = await test({ body: { match: 'false' } }, { noMatchStatusCodes: '400, 401' });
		expect([status, sent]).toEqual(['Error', []]);
		expect(message).toMatch(/^No-Match Status Codes in the credential may contain only 200 and HTTP statuses from 400/);
	});

	it('accepts a No-Match Status Code as an answer, except with an HTML page of another server', async () => {
		const codes = { noMatchStatusCodes: '404' };
		const answered = await test(
			(_, index) => ({ status: 404, body: [{ title: 'No Match' }, '', '<html>'][index] }),
			codes,
		);
		const isAnswer = { status: 'OK', message: expect.stringContaining('HTTP 404') as unknown };
		expect(answered).toMatchObject(isAnswer);
		const again = async () => await testCredential('amkaApi', { baseUrl: BASE, apiKey: KEY, ...codes });
		expect(await again()).toMatchObject(isAnswer);
		expect((await again()).status).toBe('Error');
	});
});

it('the connection test of the AMKA credential accepts an HTTP 200 without a result only if 200 is a No-Match Status Code', async () => {
	const credential = { baseUrl: BASE, apiKey: KEY };
	const bodies = [{ title: 'No Match' }, '<html>'];
	const sent = serve('GET', OPERATION, (_, index) => ({ body: bodies[index % 2] }));
	const statuses = async (more: IDataObject) =>
		[
			await testCredential('amkaApi', { ...credential, ...more } as never),
			await testCredential('amkaApi', credential),
		].map(({ status }) => status);
	expect(await statuses({ noMatchStatusCodes: '200' })).toEqual(['OK', 'Error']);
	expect(await statuses({})).toEqual(['Error', 'Error']);
	expect(sent).toHaveLength(4);
});

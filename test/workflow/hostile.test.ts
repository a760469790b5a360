import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { body, mutated, overTheWire, text, type Body } from '../hostile/generators';
import { signature } from '../hostile/model';
import { holds } from '../hostile/property';
import { logLines, runNode, TestWorkflow, type Result } from './harness/engine';
import { callResumeAddress, TestTrigger, type Answer, type Call } from './harness/webhook';
import { serve, type Reply, type Sent } from './harness/wire';

/*
 * The same strangers, at a smaller number, before n8n's own engine, request helpers and webhook contexts. n8n reads
 * the body first here, so some answers are its own.
 */

const KEY = 'psk"7&Ω-91';
const SUCCESS = '{"result":"0","errorCode":"","error":""}';
const BASE = 'https://sms.example.gr:9999';
const credentials = { smsPlatformApi: { baseUrl: BASE, institution: 'example-university', preSharedKey: KEY } };
const spellings = [KEY, JSON.stringify(KEY).slice(1, -1), encodeURIComponent(KEY)];

/** Every place where a user, an admin or a backup could find it. */
function expectNowhere(run: Result, secrets: string[]) {
	for (const place of [run.stored, logLines.join('\n'), JSON.stringify(run.hints)]) {
		for (const secret of secrets) expect(place).not.toContain(secret);
	}
	logLines.length = 0;
}

/** In the platform's format, or n8n's own words where it could not read the body. */
function expectAnswer({ status, json, text: shown, thrown }: Answer) {
	expect(thrown).toBeUndefined();
	for (const spelling of spellings) expect(shown).not.toContain(spelling);
	if (status === 422) expect(json).toEqual({ code: 422, message: 'Failed to parse request body' });
	else expect(Object.keys(json as object)).toEqual(['result', 'errorCode', 'error']);
	expect([200, 400, 401, 422]).toContain(status);
}

const contentType = fc.constantFrom(
	null,
	'application/json',
	'APPLICATION/JSON',
	'application/json; charset=utf-8',
	'text/plain',
	'text/json',
	'application/x-www-form-urlencoded',
	'application/xml',
	'multipart/form-data',
);
const forward: fc.Arbitrary<Body> = fc.record({
	MSISDN: fc.constant('6912345678'),
	keyword: fc.constant('ΒΑ'),
	body: text,
	'pre-shared key': fc.constant(KEY),
	'sms-forward-id': fc.uuid(),
});
const report: fc.Arbitrary<Body> = fc.record({
	serviceId: fc.constant('grades'),
	recipient: fc.constantFrom('6912345678', '+30 691 234 5678'),
	status: fc.constantFrom('DELIVRD', 'ERROR', 'SENT', 'EXPIRED'),
});
/** What is sent: JSON, JSON that breaks off, or anything. */
const sent = (valid: fc.Arbitrary<Body>) =>
	fc.oneof(
		{ weight: 4, arbitrary: body(valid).map((one) => JSON.stringify(one) ?? '') },
		{ weight: 1, arbitrary: fc.tuple(valid, fc.nat(100)).map(([one, end]) => JSON.stringify(one).slice(0, end)) },
		{ weight: 1, arbitrary: text },
	);

describe("in n8n's own webhook machinery", () => {
	const trigger = new TestTrigger({ parameters: {}, credentials });
	const exp = String(Math.floor(Date.now() / 1000) + 3600);
	const query = fc.oneof(
		fc.uuid().map((mid): Body => ({ ref: 'r', mid, exp, sig: signature(KEY, 'grades', 'r', mid, exp) })),
		mutated(fc.constant({ ref: 'r', mid: 'm', exp, sig: signature(KEY, 'grades', 'r', 'm', exp) })),
	);

	holds(
		'a forward starts the workflow with the key alone, and every answer has a known shape',
		2,
		fc.tuple(sent(forward), contentType),
		async ([bytes, type]) => {
			const answer = await trigger.call({ path: 'forward', body: bytes, contentType: type });
			expectAnswer(answer);
			if (answer.started) expect([bytes.includes(JSON.stringify(KEY)), answer.text]).toEqual([true, SUCCESS]);
		},
	);

	holds(
		'a report starts the workflow with a signature alone, and every answer has a known shape',
		2,
		fc.tuple(sent(report), contentType, query),
		async ([bytes, type, signed]) => {
			const answer = await trigger.call({
				path: 'dlr',
				body: bytes,
				contentType: type,
				query: overTheWire(signed) as Call['query'],
			});
			expectAnswer(answer);
			const { ref, mid, sig } = signed;
			if (answer.started)
				expect([sig, answer.text]).toEqual([signature(KEY, 'grades', String(ref), String(mid), exp), SUCCESS]);
		},
	);

	let paused: { workflow: TestWorkflow; run: Result } | undefined;
	holds(
		'a waiting execution goes on with a final report on its own message alone',
		1,
		fc.tuple(
			sent(report),
			contentType,
			fc.constantFrom<string | string[]>('ref-1', 'ref-1', 'ref-1', 'ref-2', '', ['ref-1', 'ref-1']),
		),
		async ([bytes, type, ref]) => {
			if (!paused) {
				serve('POST', `${BASE}/sendSMS`, { body: { serviceId: 'grades', errorCode: '', error: '' } });
				const workflow = new TestWorkflow({
					node: 'smsSend',
					parameters: {
						operation: 'sendAndWait',
						serviceId: 'grades',
						messageId: 'm',
						recipient: '6912345678',
						specifyReplacements: 'fields',
						options: { reference: 'ref-1' },
					},
					credentials,
				});
				paused = { workflow, run: await workflow.run([{}]) };
				expect(paused.run.waitTill).toBeDefined();
			}
			const answer = await callResumeAddress(paused.workflow, paused.run, {
				body: bytes,
				contentType: type,
				query: { ref },
			});
			expectAnswer(answer);
			if (!answer.started) return;
			const said = JSON.parse(bytes) as Body;
			expect([ref, said.serviceId]).toEqual(['ref-1', 'grades']);
			expect(String(said.status).trim()).not.toBe('SENT');
			expect(answer.execution?.json[0]).toEqual([
				expect.objectContaining({ reference: 'ref-1', recipient: '6912345678', delivered: said.status === 'DELIVRD' }),
			]);
		},
	);
});

const oddHeaders = fc.dictionary(
	fc.constantFrom('content-type', 'content-encoding', 'retry-after', 'location', 'set-cookie', 'x-odd'),
	fc.constantFrom(
		'gzip',
		'br',
		'application/json; charset=windows-1253',
		'text/html',
		'0',
		'-1',
		'Fri, 31 Dec 1999 23:59:59 GMT',
		'https://elsewhere.example.gr/',
		'a'.repeat(4000),
	),
);
const oddStatus = fc.constantFrom(200, 200, 200, 204, 301, 307, 400, 401, 404, 418, 429, 500, 502, 503, 599);
const cut = fc.constantFrom<Reply>({ cut: 'ECONNRESET' }, { cut: 'ETIMEDOUT' }, { cut: 'EPIPE' });

const reply = (answers: fc.Arbitrary<unknown>): fc.Arbitrary<Reply | 'echo'> =>
	fc.oneof(
		{
			weight: 6,
			arbitrary: fc.record({
				status: oddStatus,
				headers: oddHeaders,
				body: fc.oneof(
					answers,
					text,
					answers.map((one) => (JSON.stringify(one) ?? '').slice(0, 40)),
				),
			}),
		},
		{ weight: 3, arbitrary: fc.constant('echo' as const) },
		{ weight: 1, arbitrary: cut },
	);

describe('whatever a service answers', () => {
	/** Its own words back, as servers do that explain a fault. */
	const echo = (status: number, said: string, headers: object): Reply => ({
		status,
		body: { errorCode: said, error: `${said} ${JSON.stringify(headers)}`, match: 'no' },
	});
	let answer: (request: Sent) => Reply;
	let platform: Sent[] | undefined;
	let registry: Sent[] | undefined;
	/** n8n asks once more after a 401 whose body can't be unpacked, as if to renew a token. A 401 took no message, so none is sent twice. */
	const isUnreadable401 = (given: Reply | 'echo') =>
		given !== 'echo' &&
		'headers' in given &&
		given.status === 401 &&
		['gzip', 'br'].includes(given.headers?.['content-encoding'] ?? '');
	const anError = (json: IDataObject | undefined) =>
		Object.keys(json ?? {})
			.sort()
			.join() === 'details,error,message';

	holds(
		'a sent row is taken or an error item, and the key is nowhere',
		0.5,
		fc.tuple(
			reply(
				body(fc.record({ serviceId: fc.constant('grades'), errorCode: fc.constantFrom('', 'E-002'), error: text })),
			),
			oddStatus,
		),
		async ([given, status]) => {
			answer = (request) => (given === 'echo' ? echo(status, request.body, request.headers) : given);
			platform ??= serve('POST', `${BASE}/sendSMS`, (request) => answer(request));
			const run = await runNode(
				{
					node: 'smsSend',
					parameters: {
						serviceId: 'grades',
						messageId: 'm',
						recipient: '6912345678',
						specifyReplacements: 'fields',
						ifAlreadySent: 'send',
						options: { retries: 0 },
					},
					credentials,
					onError: 'continueRegularOutput',
				},
				[{}],
			);
			expect([1, isUnreadable401(given) ? 2 : 1]).toContain(platform.splice(0).length);
			const [json] = run.json[0]!;
			if (!anError(json)) expect(json).toMatchObject({ accepted: true, recipient: '6912345678' });
			else expect(`${String(json!.error)}${String(json!.message)}`).not.toContain('6912345678');
			expectNowhere(run, spellings);
		},
	);

	const API_KEY = 'amka-key-7f3e';
	const record = fc.record({
		match: fc.constantFrom('true', 'true', 'false'),
		ssn: fc.constant('15039904568'),
		sex: text,
		birth_date: text,
		surname_cur_gr: text,
	});

	holds(
		'a person is matched, not matched or an error, and an error shows neither key nor number',
		0.5,
		fc.tuple(reply(body(record)), oddStatus, fc.constantFrom('simplified', 'record', 'verdict', 'selected')),
		async ([given, status, output]) => {
			const address = 'https://amka.example.gr';
			answer = ({ url, query, headers }) =>
				given === 'echo' ? echo(status, `${url}?${new URLSearchParams(query).toString()}`, headers) : given;
			registry ??= serve('GET', `${address}/api/rest/v1/ssn_validation`, (request) => answer(request));
			const run = await runNode(
				{
					node: 'amka',
					parameters: {
						ssn: '15039904568',
						birthDate: '15/03/1999',
						surname: 'Παπαδοπούλου',
						output,
						fields: ['ssn', 'constructor', '__proto__', 'toString'],
						options: { retries: 0 },
					},
					credentials: { amkaApi: { baseUrl: address, apiKey: API_KEY } },
					onError: 'continueRegularOutput',
				},
				[{}],
			);
			expect([1, isUnreadable401(given) ? 2 : 1]).toContain(registry.splice(0).length);
			const [json] = run.json[0]!;
			if (anError(json)) {
				expect(JSON.stringify(json)).not.toContain('15039904568');
				expectNowhere(run, [API_KEY]);
			} else {
				expect([typeof json!.matched, json!.ssn, Object.hasOwn(json!, 'error')]).toEqual([
					'boolean',
					expect.anything(),
					false,
				]);
				for (const name of ['constructor', 'toString'])
					expect(output === 'selected' && Object.hasOwn(json!, name)).toBe(false);
			}
		},
	);
});

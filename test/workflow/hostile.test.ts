import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { body, text, type Body } from '../hostile/generators';
import { holds } from '../hostile/property';
import { findSecrets } from '../spellings';
import { ELENI, KEY as API_KEY, OPERATION as QUESTION, validate } from './harness/amka';
import { runNode } from './harness/engine';
import { continuing, expectNoKey, KEY, OPERATION, ROW, send, withoutWaits } from './harness/send';
import { MESSAGE, pause, report as reported, wait } from './harness/waiting';
import { callResumeAddress, type Call } from './harness/webhook';
import { serve, type Reply, type Sent } from './harness/httpServer';

/*
 * Tests hostile input with n8n's own engine, request helpers and webhook contexts: any answer of a service, and any request to
 * the URL of a waiting execution. test/unit/hostile and test/e2e send more requests to a trigger.
 */

const contentType = fc.constantFrom(
	...[null, 'application/json', 'APPLICATION/JSON', 'application/json; charset=utf-8', 'text/plain'],
	...['text/json', 'application/x-www-form-urlencoded', 'application/xml', 'multipart/form-data'],
);
const report: fc.Arbitrary<Body> = fc.record({
	serviceId: fc.constant('grades'),
	recipient: fc.constantFrom('6912345678', '+30 691 234 5678'),
	status: fc.constantFrom('DELIVRD', 'ERROR', 'SENT', 'EXPIRED'),
});
/** Bodies of reports: JSON, incomplete JSON, or any text. */
const sent = fc.oneof(
	{ weight: 4, arbitrary: body(report).map((one) => JSON.stringify(one) ?? '') },
	{ weight: 1, arbitrary: fc.tuple(report, fc.nat(100)).map(([one, end]) => JSON.stringify(one).slice(0, end)) },
	{ weight: 1, arbitrary: text },
);
const changedQuery = fc.constantFrom<object>(
	...[{}, {}, {}, {}, { ref: 'ref-2' }, { ref: ['ref-1', 'ref-1'] }, { once: '' }],
);

const workflow = wait();
let paused: Awaited<ReturnType<typeof pause>> | undefined;
holds(
	'for any request, a waiting execution continues only with a final report on its own message',
	1,
	fc.tuple(sent, contentType, changedQuery),
	async ([bytes, type, changes]) => {
		paused ??= await pause(workflow);
		const query = { ...reported().query, ...changes } as NonNullable<Call['query']>;
		const answer = await callResumeAddress(workflow, paused.run, { body: bytes, contentType: type, query });
		expect(answer.thrown).toBeUndefined();
		expect(findSecrets(answer.text, [KEY])).toEqual([]);
		// n8n answers without the node if it cannot parse the body.
		if (answer.status === 422) expect(answer.json).toEqual({ code: 422, message: 'Failed to parse request body' });
		else expect(Object.keys(answer.json as object)).toEqual(['result', 'errorCode', 'error']);
		expect([200, 400, 401, 422]).toContain(answer.status);
		if (!answer.started) return;
		const said = JSON.parse(bytes) as Body;
		expect([changes, said.serviceId]).toEqual([{}, 'grades']);
		expect(String(said.status).trim()).not.toBe('SENT');
		const { reference, recipient } = MESSAGE;
		const delivered = said.status === 'DELIVRD';
		expect(answer.execution?.json[0]).toEqual([expect.objectContaining({ reference, recipient, delivered })]);
	},
);

const oddHeaders = fc.dictionary(
	fc.constantFrom('content-type', 'content-encoding', 'retry-after', 'location', 'set-cookie', 'x-odd'),
	fc.constantFrom(
		...['gzip', 'br', 'application/json; charset=windows-1253', 'text/html', '0', '-1', 'a'.repeat(4000)],
		...['Fri, 31 Dec 1999 23:59:59 GMT', 'https://elsewhere.example.gr/'],
	),
);
const oddStatus = fc.constantFrom(200, 200, 200, 204, 301, 307, 400, 401, 404, 408, 409, 418, 499, 500, 502, 599);
const cut = fc.constantFrom<Reply>({ cut: 'ECONNRESET' }, { cut: 'ETIMEDOUT' }, { cut: 'EPIPE' });

/** Answers of a service: complete, interrupted, any data, an echo of the request, or none. */
const reply = (answers: fc.Arbitrary<unknown>): fc.Arbitrary<Reply | 'echo'> => {
	const brokenOff = answers.map((one) => (JSON.stringify(one) ?? '').slice(0, 40));
	const odd = fc.record({ status: oddStatus, headers: oddHeaders, body: fc.oneof(answers, text, brokenOff) });
	return fc.oneof(
		{ weight: 6, arbitrary: odd },
		{ weight: 3, arbitrary: fc.constant('echo' as const) },
		{ weight: 1, arbitrary: cut },
	);
};

describe('for any answer of a service,', () => {
	/** Returns an answer that contains the request, as some servers send to explain an error. */
	const echo = (status: number, said: string, headers: object): Reply => ({
		status,
		body: { errorCode: said, error: `${said} ${JSON.stringify(headers)}`, match: 'no' },
	});
	withoutWaits();
	let answer: (request: Sent) => Reply;
	let platform: Sent[] | undefined;
	let registry: Sent[] | undefined;
	const anError = (json: IDataObject) => Object.keys(json).sort().join() === 'details,error,message';

	/** Returns the outcome that a missing answer or the HTTP status implies, or undefined if the body decides. */
	const outcomeOf = (given: Reply | 'echo', echoed: number) => {
		if (given !== 'echo' && 'cut' in given) return 'unknown';
		const { status, headers } = given === 'echo' ? { status: echoed, headers: {} } : given;
		if (status! >= 200 && status! < 300) return undefined;
		const isRefused = (status! >= 400 && status! < 500) || (status === 503 && 'retry-after' in (headers ?? {}));
		return isRefused && ![408, 409, 499].includes(status!) ? 'rejected' : 'unknown';
	};
	const isDocumentedSuccess = (said: unknown) => {
		const parsed = (typeof said === 'string' ? JSON.parse(said) : said) as Body;
		return [parsed.errorCode, parsed.error].every((field) => field === '' || field === null);
	};

	const said = fc.record({ serviceId: fc.constant('grades'), errorCode: fc.constantFrom('', 'E-002'), error: text });
	holds(
		'SMS Send returns an accepted item, or an error item without the key',
		3,
		fc.tuple(reply(body(said)), oddStatus),
		async ([given, status]) => {
			answer = (request) => (given === 'echo' ? echo(status, request.body, request.headers) : given);
			platform ??= serve('POST', OPERATION, (request) => answer(request));
			const run = await runNode(send({ recipient: '6912345678', ifAlreadySent: 'send' }, {}, continuing), [ROW]);
			// SMS Send sends the message once, or three times if the platform answers that it was overloaded.
			expect([1, 3]).toContain(platform.splice(0).length);
			const json = run.json[0]![0]!;
			const outcome = outcomeOf(given, status);
			if (!anError(json)) {
				expect(json).toMatchObject({ accepted: true, recipient: '6912345678' });
				const isTaken = given !== 'echo' && 'body' in given && isDocumentedSuccess(given.body);
				expect([outcome, isTaken]).toEqual([undefined, true]);
				return;
			}
			if (outcome !== undefined) expect(json.details).toMatchObject({ outcome });
			expect(`${String(json.error)}${String(json.message)}`).not.toContain('6912345678');
			expectNoKey(run);
		},
	);

	const record = fc.record({
		...{ match: fc.constantFrom('true', 'true', 'false'), ssn: fc.constant(ELENI.ssn) },
		...{ sex: text, birth_date: text, surname_cur_gr: text },
	});

	holds(
		'AMKA returns matched, not matched or an error, and an error contains neither the key nor the AMKA number',
		0.5,
		fc.tuple(reply(body(record)), oddStatus, fc.constantFrom('simplified', 'record', 'verdict', 'selected')),
		async ([given, status, output]) => {
			answer = ({ url, query, headers }) =>
				given === 'echo' ? echo(status, `${url}?${new URLSearchParams(query).toString()}`, headers) : given;
			registry ??= serve('GET', QUESTION, (request) =>
				// The registry rejects each retry, because further retries would only make the test slower.
				registry!.length > 1 ? { status: 418 } : answer(request),
			);
			const fields = ['ssn', 'constructor', '__proto__', 'toString'];
			const run = await runNode(validate({ output, fields }, continuing), [ELENI]);
			expect([1, 2]).toContain(registry.splice(0).length);
			const json = run.json[0]![0]!;
			if (anError(json)) {
				expect(JSON.stringify(json)).not.toContain(ELENI.ssn);
				expectNoKey(run, API_KEY);
				return;
			}
			expect([typeof json.matched, json.ssn]).toEqual(['boolean', expect.anything()]);
			expect(json).not.toHaveProperty('error');
			for (const name of ['constructor', 'toString'])
				expect(output === 'selected' && Object.hasOwn(json, name)).toBe(false);
		},
	);
});

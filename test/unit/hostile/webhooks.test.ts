import fc from 'fast-check';
import type { INodeExecutionData } from 'n8n-workflow';

import { body, mobile, mutated, overTheWire, text, writtenMobile, type Body } from '../../hostile/generators';
import { signature, verdict, meant } from '../../hostile/model';
import { holds } from '../../hostile/property';
import { KEY, TriggerUnderTest, type Outcome, type Request, type Settings } from '../../hostile/trigger';

const SUCCESS = '{"result":"0","errorCode":"","error":""}';
const inAnHour = () => String(Math.floor(Date.now() / 1000) + 3600);

const id = fc.oneof(fc.uuid(), fc.string({ minLength: 1, maxLength: 40 }), fc.integer());
const validForward: fc.Arbitrary<Body> = fc.record(
	{
		MSISDN: fc.oneof(
			mobile,
			mobile.map(Number),
			writtenMobile.map(({ written }) => written),
		),
		keyword: fc.constantFrom('ΒΑ', 'βα', 'BA', 'Βά', 'ΒΑΘΜΟΣ', 'βαθμός', 'στοπ', 'constructor', 'ΆΛΛΟ'),
		body: fc.oneof(text, fc.integer()),
		'pre-shared key': fc.constant(KEY),
		'sms-forward-id': id,
	},
	{ requiredKeys: ['MSISDN', 'keyword', 'pre-shared key'] },
);
const validReport: fc.Arbitrary<Body> = fc.record(
	{
		serviceId: fc.constantFrom('grades', 'grades', 'grades', '101'),
		recipient: mobile,
		status: fc.constantFrom('DELIVRD', ' delivrd ', 'ERROR', 'EXPIRED', 'PENDING', 'Sent', 'ENROUTE'),
		error: fc.oneof(fc.constantFrom('', '13'), fc.nat(999)),
	},
	{ requiredKeys: ['serviceId', 'recipient', 'status'] },
);

/** The query of a signed address; the last ones are signed for something else, or not at all. */
const query = (serviceId: string): fc.Arbitrary<unknown> => {
	const name = fc.oneof(fc.uuid(), fc.string({ minLength: 1, maxLength: 60 }));
	const sign = (one: Body, changes: Body = {}): Body => {
		const { ref, mid, exp } = { ...one, ...changes };
		return { ref, mid, exp, sig: signature(KEY, serviceId, String(ref), String(mid), String(exp)) };
	};
	const signed = fc.record({ ref: name, mid: name, exp: fc.constant('').map(inAnHour) }).map((one) => sign(one));
	const oddExp = fc.constantFrom(
		...['0', '1', '1700000000', '-1', '0x7fffffff', '1e12', '999999999999', '9999999999999', 'NaN'],
		...[' 9999999999', '9999999999\n', '', '١٢٣٤٥٦٧٨٩٠'],
	);
	return fc.oneof(
		{ weight: 4, arbitrary: signed },
		{ weight: 4, arbitrary: mutated(signed) },
		{
			weight: 2,
			arbitrary: fc
				.tuple(signed, oddExp, fc.boolean())
				.map(([one, exp, resign]) => (resign ? sign(one, { exp }) : { ...one, exp })),
		},
		{
			weight: 1,
			arbitrary: fc
				.tuple(signed, text, fc.constantFrom('ref', 'mid'))
				.map(([one, odd, part]) => sign(one, { [part]: odd })),
		},
		{ weight: 1, arbitrary: fc.tuple(signed, signed).map(([one, other]) => ({ ...one, sig: other.sig })) },
		{ weight: 1, arbitrary: fc.constant({}) },
	);
};

/** Lists and callers of which it is clear who is on them. */
const address = fc.constantFrom<[string | undefined, string | undefined, boolean]>(
	[undefined, '192.0.2.1', true],
	['', undefined, true],
	['192.0.2.0/24, 2001:db8::/32', '192.0.2.77', true],
	['192.0.2.0/24, 2001:db8::/32', '::ffff:192.0.2.77', true],
	['192.0.2.0/24, 2001:db8::/32', '2001:db8::1', true],
	['192.0.2.0/24', '192.0.3.1', false],
	['nonsense', '192.0.2.1', false],
	['192.0.2.0/24', undefined, false],
	['192.0.2.0/24', '192.0.2.1, 10.0.0.1', false],
	['192.0.2.0/24', 'unknown', false],
);

const settings: fc.Arbitrary<Settings> = fc.record({
	events: fc.oneof<fc.MaybeWeightedArbitrary<string[]>[]>(
		{ weight: 8, arbitrary: fc.constant<string[]>(['smsForward', 'deliveryReport']) },
		{ weight: 1, arbitrary: fc.constantFrom<string[]>([], ['smsForward'], ['deliveryReport']) },
	),
	keywords: fc.constantFrom('', '', 'ΒΑ', ' βα , ΒΑΘΜΟΣ,', ',,', 'constructor,__proto__', 'ΣΤΟΠ'),
	acceptUnsignedReports: fc.boolean(),
	options: fc.constant(null).map(() => ({})),
	preSharedKey: fc.oneof(
		{ weight: 10, arbitrary: fc.constant<string | Error>(KEY) },
		{ weight: 1, arbitrary: fc.constantFrom<string | Error>('', 'another key', new Error('No credentials are set')) },
	),
});

/** How one thought of a body gets to the node. */
const transport = fc.constantFrom<[Request['how'], string | undefined]>(
	['json', 'application/json'],
	['json', 'application/json; charset=utf-8'],
	['raw', undefined],
	['raw', 'text/plain'],
	['raw', 'text/json'],
	['raw', 'application/problem+json'],
	['raw', 'application/json ; charset=utf-8'],
	['raw', 'application/x-www-form-urlencoded'],
	['raw', 'application/octet-stream'],
	['unreadable', 'multipart/form-data; boundary=x'],
);

const request = (event: Request['event'], bodies: fc.Arbitrary<unknown>): fc.Arbitrary<Omit<Request, 'ip'>> =>
	fc
		.tuple(
			bodies,
			transport,
			fc.constantFrom('grades', 'grades', 'grades', '101').chain(query),
			fc.constantFrom('POST', 'POST', 'POST', 'PUT', 'GET'),
		)
		.map(([sent, [how, contentType], signed, method]) => {
			const json = overTheWire(sent);
			// A form or a query repeats a parameter where there is a list; its other values are text.
			const inQuery = method === 'GET' && typeof json === 'object' && json !== null ? json : {};
			return {
				event,
				method,
				how,
				contentType,
				query: { ...inQuery, ...(event === 'deliveryReport' && (signed as object)) },
				body: how === 'json' ? json : JSON.stringify(json),
			};
		});

const anyCall = fc.oneof(request('smsForward', body(validForward)), request('deliveryReport', body(validReport)));

/** What is true of every answer, whatever was sent. */
function expectPlatformAnswer({ text, started }: Outcome): { result: string; errorCode: string; error: string } {
	const answer = JSON.parse(text) as { result: string; errorCode: string; error: string };
	expect(Object.keys(answer)).toEqual(['result', 'errorCode', 'error']);
	if (answer.result === '0' || started !== undefined) expect(text).toBe(SUCCESS);
	else expect([answer.result, typeof answer.error, answer.error === '']).toEqual(['1', 'string', false]);
	expect(text).not.toContain(KEY);
	expect(text.length).toBeLessThan(200);
	return answer;
}

/** Written from the interface: without case and surrounding blanks. */
const isDelivered = (status: unknown) => /^\s*(?:delivrd|delivered)\s*$/i.test(String(status));
const isIntermediate = (status: unknown) => /^\s*(pending|sent|submitted|acceptd|enroute)\s*$/i.test(String(status));

/** The fields of an item, by its event. */
const FIELDS = {
	smsForward: 'event msisdn mobile keyword matchedKeyword body words smsForwardId receivedAt'.split(' '),
	deliveryReport: 'event serviceId recipient mobile status delivered final errorCode reference receivedAt'.split(' '),
};

describe('a webhook of SMS Trigger', () => {
	holds(
		'answers every call as the order of checks in the interface says, and starts nothing else',
		45,
		fc.tuple(settings, anyCall, address),
		async ([parameters, call, [ipAllowlist, ip, allowed]]) => {
			parameters.options.ipAllowlist = ipAllowlist;
			const node = new TriggerUnderTest();
			const outcome = await node.call(parameters, { ...call, ip });
			const answer = expectPlatformAnswer(outcome);

			const right = verdict(parameters, { ...call, ip }, allowed, Date.now() / 1000);
			if ('errorCode' in right) {
				expect([outcome.status, answer.errorCode]).toEqual([right.status, right.errorCode]);
				expect(outcome.started).toBeUndefined();
			} else {
				expect([outcome.status, outcome.text]).toEqual([200, SUCCESS]);
				const outputs = outcome.started as INodeExecutionData[][];
				expect(outputs.map((items) => items.length)).toEqual(right.starts === 'smsForward' ? [1, 0] : [0, 1]);
				const { json } = outputs.flat()[0]!;
				expect(Object.getPrototypeOf(json)).toBe(Object.prototype);
				expect(Object.keys(json).filter((field) => !FIELDS[right.starts].includes(field))).toEqual([]);
				expect(json.event).toBe(right.starts);
				expect(json.reference).toBe(right.reference);
				const sent = meant({ ...call, ip }) as Body;
				if (right.starts === 'smsForward') {
					expect([json.msisdn, json.keyword, json.matchedKeyword, json.body]).toEqual([
						String(sent.MSISDN),
						String(sent.keyword),
						right.matchedKeyword,
						String(sent.body ?? ''),
					]);
				} else {
					expect([json.serviceId, json.status, json.delivered, json.final]).toEqual([
						String(sent.serviceId)
							.replace(/\p{Cf}/gu, '')
							.trim(),
						String(sent.status),
						isDelivered(sent.status),
						!isIntermediate(sent.status),
					]);
				}
			}
			expect(node.logLines.join('')).not.toContain(KEY);
			// A trigger's first refusal is in the log, and nothing that the caller sent.
			const line =
				/^Trigger \(SMS Trigger, workflow workflow\) refused a request with ([A-Z_]+), HTTP \d+: [A-Za-z ,;:-]+$/;
			expect(node.logLines.map((text) => line.exec(text)?.[1])).toEqual('errorCode' in right ? [right.errorCode] : []);
		},
	);
});

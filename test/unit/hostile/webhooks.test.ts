import fc from 'fast-check';
import type { INodeExecutionData } from 'n8n-workflow';

import { body, mobile, mutated, overTheWire, text, writtenMobile, type Body } from '../../hostile/generators';
import { holds } from '../../hostile/property';
import { KEY, signature, TriggerUnderTest, type Request, type Settings } from '../../hostile/trigger';

/* Sends any requests to the webhooks of SMS Trigger. test/workflow/trigger tests which request gets which answer. */

const SUCCESS = '{"result":"0","errorCode":"","error":""}';
const now = () => Math.floor(Date.now() / 1000);

const validForward: fc.Arbitrary<Body> = fc.record(
	{
		MSISDN: fc.oneof(
			mobile,
			mobile.map(Number),
			writtenMobile.map(({ written }) => written),
		),
		keyword: fc.constantFrom('ΒΑ', 'βα', 'BA', 'ΒΑΘΜΟΣ', 'στοπ', 'constructor', 'ΆΛΛΟ'),
		body: fc.oneof(text, fc.integer()),
		'pre-shared key': fc.constant(KEY),
		'sms-forward-id': fc.oneof(fc.uuid(), fc.string({ minLength: 1, maxLength: 40 }), fc.integer()),
	},
	{ requiredKeys: ['MSISDN', 'keyword', 'pre-shared key'] },
);
const validReport: fc.Arbitrary<Body> = fc.record(
	{
		serviceId: fc.constantFrom('grades', 'grades', 'grades', '101'),
		recipient: mobile,
		status: fc.constantFrom('DELIVRD', ' delivrd ', 'ERROR', 'EXPIRED', 'PENDING', 'Sent'),
		error: fc.oneof(fc.constantFrom('', '13'), fc.nat(999)),
	},
	{ requiredKeys: ['serviceId', 'recipient', 'status'] },
);

/** Values of `ref` and `mid`. */
const name = fc.oneof(fc.uuid(), fc.string({ minLength: 1, maxLength: 60 }), text);
const oddExp = fc.constantFrom('0', '1700000000', '-1', '1e12', '9999999999999', ' 9999999999', '', '١٢٣٤٥٦٧٨٩٠');
const signed: fc.Arbitrary<Body> = fc
	.tuple(name, name, fc.oneof({ weight: 6, arbitrary: fc.constant('').map(() => String(now() + 3600)) }, oddExp))
	.map(([ref, mid, exp]) => ({ ref, mid, exp, sig: signature('grades', ref, mid, exp) }));
/** Queries of report URLs. Some are signed for another message, some have expired, and some are not signed. */
const query = fc.oneof(signed, mutated(signed), fc.constant<Body>({}));

/** Allowlists and callers, and whether the caller is allowed. */
const address = fc.constantFrom<[string | undefined, string | undefined, boolean]>(
	[undefined, '192.0.2.1', true],
	['192.0.2.0/24, 2001:db8::/32', '::ffff:192.0.2.77', true],
	['192.0.2.0/24', '192.0.3.1', false],
	['nonsense', '192.0.2.1', false],
	['192.0.2.0/24', '192.0.2.1, 10.0.0.1', false],
);
const settings: fc.Arbitrary<Settings> = fc.record({
	events: fc.constantFrom(['smsForward', 'deliveryReport'], ['smsForward', 'deliveryReport'], ['smsForward'], []),
	keywords: fc.constantFrom('', '', 'ΒΑ', ' βα , ΒΑΘΜΟΣ,', 'constructor,__proto__'),
	acceptUnsignedReports: fc.boolean(),
	options: fc.constant(null).map(() => ({})),
});
/** The ways in which a body can reach the node. */
const transport = fc.constantFrom<[Request['how'], string | undefined]>(
	['json', 'application/json'],
	['raw', undefined],
	['raw', 'text/plain'],
	['raw', 'application/x-www-form-urlencoded'],
	['unreadable', 'multipart/form-data; boundary=x'],
);
const request = (event: Request['event'], bodies: fc.Arbitrary<unknown>): fc.Arbitrary<Omit<Request, 'ip'>> =>
	fc
		.tuple(bodies, transport, query, fc.constantFrom('POST', 'POST', 'PUT', 'GET'))
		.map(([sent, [how, contentType], inAddress, method]) => {
			const json = overTheWire(sent);
			const inQuery = method === 'GET' && typeof json === 'object' && json !== null ? json : {};
			return {
				...{ event, method, how, contentType },
				query: { ...inQuery, ...(event === 'deliveryReport' && inAddress) },
				body: how === 'json' ? json : JSON.stringify(json),
			};
		});
const anyCall = fc.oneof(request('smsForward', body(validForward)), request('deliveryReport', body(validReport)));

/** Returns the fields that the caller has sent, in any format. */
function sentFields({ method, query: inQuery, how, body: sent }: Omit<Request, 'ip'>): Body {
	const whole = method === 'GET' ? inQuery : how === 'unreadable' ? undefined : how === 'raw' ? parsed(sent) : sent;
	return typeof whole === 'object' && whole !== null ? Object.fromEntries(Object.entries(whole)) : {};
}
/** Parses a body as the node does. The node parses no body of more than 200,000 bytes. */
const parsed = (sent: unknown) =>
	Buffer.byteLength(String(sent)) > 200_000 ? undefined : (JSON.parse(String(sent)) as unknown);

/** Returns whether the report's URL was signed for its service and has not expired. */
function isSigned(inAddress: unknown, serviceId: unknown): boolean {
	const { ref, mid, exp, sig } = inAddress as Record<string, unknown>;
	if (![ref, mid, exp, sig].every((part) => typeof part === 'string') || typeof serviceId === 'object') return false;
	const service = String(serviceId)
		.replace(/\p{Cf}/gu, '')
		.trim();
	return sig === signature(service, `${ref as string}`, `${mid as string}`, `${exp as string}`) && Number(exp) >= now();
}

/** The fields that an item may have, for each event. */
const FIELDS = {
	smsForward: 'event msisdn mobile keyword matchedKeyword body words smsForwardId receivedAt received'.split(' '),
	deliveryReport:
		'event serviceId recipient mobile status delivered final errorCode reference receivedAt received'.split(' '),
};

holds(
	'a webhook answers every request, and starts an execution only for a request with the key or a valid signature, or for an unsigned report if Accept Unsigned Reports is on',
	45,
	fc.tuple(settings, anyCall, address),
	async ([parameters, call, [ipAllowlist, ip, isAllowed]]) => {
		parameters.options.ipAllowlist = ipAllowlist;
		const node = new TriggerUnderTest();
		const { status, text: said, started } = await node.call(parameters, { ...call, ip });

		const answer = JSON.parse(said) as { result: string; errorCode: string; error: string };
		expect(Object.keys(answer)).toEqual(['result', 'errorCode', 'error']);
		expect(said.length).toBeLessThan(200);
		// The first rejected request of a trigger is logged, without data of the caller.
		const line =
			/^Trigger \(SMS Trigger, workflow workflow\) refused a request with ([A-Z_]+), HTTP \d+: [A-Za-z ,;:-]+$/;
		expect(node.logLines.map((one) => line.exec(one)?.[1])).toEqual(started ? [] : [answer.errorCode]);
		for (const shown of [said, ...node.logLines]) expect(shown).not.toContain(KEY);

		const sent = sentFields(call);
		const isForward = call.event === 'smsForward';
		const isUnsigned = ['ref', 'mid', 'exp', 'sig'].every((part) => (call.query as Body)[part] === undefined);
		const isKnown = isForward
			? sent['pre-shared key'] === KEY
			: isUnsigned
				? parameters.acceptUnsignedReports
				: isSigned(call.query, sent.serviceId);
		if (!parameters.events.includes(call.event)) expect([status, answer.errorCode]).toEqual([404, 'NOT_FOUND']);
		else if (!isAllowed) expect([status, answer.errorCode]).toEqual([403, 'FORBIDDEN_ADDRESS']);
		else if (!isKnown)
			expect([status, answer.errorCode]).toEqual([401, isForward ? 'INVALID_KEY' : 'INVALID_SIGNATURE']);
		else if (started === undefined)
			expect(['INVALID_REQUEST', ...(isForward ? ['UNKNOWN_KEYWORD'] : ['INVALID_SIGNATURE'])]).toContain(
				answer.errorCode,
			);
		else {
			expect([status, said]).toEqual([200, SUCCESS]);
			const outputs = started as INodeExecutionData[][];
			expect(outputs.map((items) => items.length)).toEqual(
				isForward ? (parameters.events.includes('deliveryReport') ? [1, 0] : [1]) : [0, 1],
			);
			const { json } = outputs.flat()[0]!;
			expect(Object.getPrototypeOf(json)).toBe(Object.prototype);
			expect(Object.keys(json).filter((field) => !FIELDS[call.event].includes(field))).toEqual([]);
			const [shown, meant] = isForward
				? [
						[json.msisdn, json.keyword, json.body],
						[sent.MSISDN, sent.keyword, sent.body ?? ''],
					]
				: [
						[json.recipient, json.status, json.reference],
						[sent.recipient, sent.status, isUnsigned ? undefined : (call.query as Body).ref],
					];
			expect(shown).toEqual(meant.map((one) => (one === undefined ? undefined : String(one as string))));
			return;
		}
		expect([started, answer.result, answer.error === '']).toEqual([undefined, '1', false]);
	},
);

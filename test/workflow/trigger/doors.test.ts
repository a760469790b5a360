import type { INode, INodeParameters } from 'n8n-workflow';
import { HookContext } from 'n8n-core';

import { logLines } from '../harness/engine';
import type { Answer, Call } from '../harness/webhook';
import { expectRefusal, expectStarted, forward, KEY, report, signed, trigger } from '../harness/trigger';

describe('SMS Trigger checks', () => {
	/*
	 * events.test.ts and test/unit/hostile/webhooks.test.ts test that the key or signature is checked before the other fields.
	 */
	it.each([
		['whether the event is on', [], 404, 'NOT_FOUND'],
		['the IP address', ['smsForward', 'deliveryReport'], 403, 'FORBIDDEN_ADDRESS'],
	])('%s before the key, the fields and the keyword', async (_, events, status, code) => {
		const node = trigger({ events, keywords: 'ΑΛΛΟ' }, { ipAllowlist: '198.51.100.7' });
		for (const call of [forward(), forward({ 'pre-shared key': 'x', MSISDN: '' }), report(), report({}, {})])
			expectRefusal(await node.call(call), status, code);
	});

	it('the key even for a repeated request while the first request is in progress', async () => {
		const node = trigger({ keywords: 'ΒΑ' });
		const call = forward();
		const [first, stranger] = await Promise.all([
			node.call(call),
			node.call({ ...call, body: { ...(call.body as object), 'pre-shared key': 'x' } }),
		]);
		expectStarted(first);
		expectRefusal(stranger, 401, 'INVALID_KEY');
	});

	it('the keyword before a repeated request is recognised', async () => {
		const node = trigger();
		const call = forward();
		expectStarted(await node.call(call));
		node.spec.parameters = { keywords: 'ΑΛΛΟ', options: {} };
		expectRefusal(await node.call(call), 200, 'UNKNOWN_KEYWORD');
	});
});

/* test/unit/nodes/SmsTrigger/ipAllowlist.test.ts tests which addresses are on a list. */
describe('IP Allowlist', () => {
	const both = async (ipAllowlist: string, ip: string, check: (answer: Answer) => void) => {
		for (const call of [forward(), report()]) check(await trigger({}, { ipAllowlist }).call({ ...call, ip }));
	};
	const refused = (answer: Answer) => expectRefusal(answer, 403, 'FORBIDDEN_ADDRESS');
	const warnings = () => logLines.filter((line) => line.startsWith('warn'));

	it.each<[string, string, boolean]>([
		['', '192.0.2.1', true],
		[' 198.51.100.7 , 192.0.2.0/24 ', '192.0.2.1', true],
		['192.0.2.1', '', false],
		["={{ ['198.51.100.7', '192.0.2.0/24'] }}", '192.0.2.1', true],
		["={{ ['198.51.100.7', '192.0.2.0/24'] }}", '203.0.113.1', false],
		['={{ "198.51.100.7 192.0.2.0/24" }}', '192.0.2.1', true],
		['={{ "198.51.100.7 192.0.2.0/24" }}', '203.0.113.1', false],
	])('set to "%s" allows the IP address "%s": %s', async (ipAllowlist, ip, allowed) => {
		await both(ipAllowlist, ip, allowed ? expectStarted : refused);
	});

	const HOLDS_NONE = 'IP Allowlist contains no valid IP address or range';
	const IS_EMPTY = 'The expression in IP Allowlist returns no value';
	it.each([
		...[',', ' , ,\n', 'nonsense', '192.0.2.1/33, ::1::', '={{ 42 }}', '={{ "*" }}'].map((list) => [list, HOLDS_NONE]),
		...['={{ null }}', '={{ undefined }}', '={{ $vars.missing }}', '={{ "" }}'].map((list) => [list, IS_EMPTY]),
		...['={{ " , " }}', '={{ [] }}', '={{ [null] }}', '='].map((list) => [list, IS_EMPTY]),
	])('set to "%s" rejects every request, and the log explains why', async (ipAllowlist, why) => {
		await both(ipAllowlist!, '192.0.2.1', refused);
		const line = expect.stringMatching(
			`^warn Node \\(SMS Trigger, workflow workflow1[\\w-]*\\) refused a request with FORBIDDEN_ADDRESS, HTTP 403: ${why}, so all requests are refused`,
		) as unknown;
		expect(warnings()).toEqual([line, line]);
	});

	it('is not blamed in the log for refusing all requests if one of its entries is valid', async () => {
		await both('nonsense, 203.0.113.1', '192.0.2.1', refused);
		expect(logLines.join()).toContain('FORBIDDEN_ADDRESS');
		expect(logLines.join()).not.toContain('all requests are refused');
	});

	it.each(['={{ true }}', '={{ { a: 1 } }}', "={{ $('Nowhere').item.json.x }}"])(
		'set to %s is an error for every request, because the value is not a list or the expression fails',
		async (ipAllowlist) => {
			await both(ipAllowlist, '192.0.2.1', (answer) => expectRefusal(answer, 500, 'INTERNAL_ERROR'));
		},
	);
});

describe('with Refuse with Status 200, a rejection', () => {
	const on = { refuseWithStatus200: true };

	it.each<[string, INodeParameters, INodeParameters, Call, string]>([
		['the event is off', { events: ['deliveryReport'] }, on, forward(), 'NOT_FOUND'],
		['the IP address', {}, { ...on, ipAllowlist: '198.51.100.0/24' }, forward(), 'FORBIDDEN_ADDRESS'],
		['the key', {}, on, forward({ 'pre-shared key': 'x' }), 'INVALID_KEY'],
		['an invalid field', {}, on, forward({ MSISDN: '' }), 'INVALID_REQUEST'],
		['the keyword', { keywords: 'ΑΛΛΟ' }, on, forward(), 'UNKNOWN_KEYWORD'],
		['a fault of the node', { keywords: "={{ $('Nowhere').item.json.x }}" }, on, forward(), 'INTERNAL_ERROR'],
	])('has HTTP 200 and its usual error code: %s', async (_, parameters, options, call, code) => {
		expectRefusal(await trigger(parameters, options).call(call), 200, code);
		expect(logLines).toContainEqual(expect.stringContaining(`refused a request with ${code}, HTTP 200: `));
	});

	it('of a repeated SMS also has HTTP 200, but a rejection of a report does not', async () => {
		const node = trigger({}, on);
		const call = forward();
		const [, repeat] = await Promise.all([node.call(call), node.call(call)]);
		expectRefusal(repeat, 200, 'INTERNAL_ERROR');
		expectRefusal(await node.call(report({}, {})), 401, 'INVALID_SIGNATURE');
	});
});

describe('Accept Unsigned Reports with an expression', () => {
	it('that returns nothing is an error, and does not count as off', async () => {
		const node = trigger({ acceptUnsignedReports: '={{ $vars.missing }}' });
		expectRefusal(await node.call(report({}, {})), 500, 'INTERNAL_ERROR');
		expect(logLines).toContainEqual(expect.stringMatching(/^warn .*Accept Unsigned Reports has no value/));
	});

	it('that returns the text "false" counts as off', async () => {
		const node = trigger({ acceptUnsignedReports: '={{ "false" }}' });
		expectRefusal(await node.call(report({}, {})), 401, 'INVALID_SIGNATURE');
	});
});

describe('the HTTP method that SMS Trigger accepts', () => {
	it.each([
		['POST', {}, 'GET'],
		['PUT', { httpMethod: 'PUT' }, 'POST'],
	] as const)('is only %s with %j', async (method, options, other) => {
		for (const call of [forward(), report()]) {
			const node = trigger({}, options);
			expectStarted(await node.call({ ...call, method }));
			const refused = await node.call({ ...call, method: other });
			expect([refused.status, refused.started]).toEqual([404, undefined]);
		}
	});

	it('may be GET, POST and PUT together', async () => {
		for (const method of ['GET', 'POST', 'PUT'] as const) {
			const { body, ...call } = report();
			const query = { ...call.query, ...(method === 'GET' && (body as Record<string, string>)) };
			const answer = await trigger({}, { httpMethod: 'GET,POST,PUT' }).call({ ...call, method, body, query });
			expectStarted(answer);
		}
	});

	it('may be GET, with the fields in the query', async () => {
		const node = trigger({}, { httpMethod: 'GET' });
		const query = { MSISDN: '6912345678', keyword: 'ΒΑ', body: 'x', 'pre-shared key': KEY, 'sms-forward-id': '1' };
		expectStarted(await node.call({ path: 'forward', method: 'GET', query }));
		const twoKeys = { ...query, 'pre-shared key': [KEY, KEY] };
		expectRefusal(await node.call({ path: 'forward', method: 'GET', query: twoKeys }), 401, 'INVALID_KEY');
		const fields = { serviceId: 'grades', recipient: '6912345678', status: 'DELIVRD' };
		expectStarted(await node.call({ path: 'dlr', method: 'GET', query: { ...fields, ...signed('grades', 'r') } }));
	});
});

describe('SMS Trigger with a credential that cannot be read', () => {
	it("answers HTTP 500 in the platform's format, without the internal reason", async () => {
		const node = trigger({}, {}, { credentials: { smsPlatformApi: new Error(`the store with ${KEY} is down`) } });
		for (const call of [forward(), report()]) {
			const answer = await node.call(call);
			expect(answer.json).toMatchObject({ result: '1', errorCode: 'INTERNAL_ERROR' });
			expect([answer.status, answer.thrown, answer.started]).toEqual([500, undefined, undefined]);
			expect(answer.text).not.toContain('store');
		}
	});
});

describe('a deeply nested body', () => {
	const nested = `${'['.repeat(120_000)}${']'.repeat(120_000)}`;
	const number = '6912345678';
	const fields = { MSISDN: number, keyword: 'ΒΑ', serviceId: 'grades', recipient: number, status: 'DELIVRD' };
	const within = (more: object) => `{"x":${nested},${JSON.stringify({ ...fields, ...more }).slice(1)}`;
	const shapes: Array<[string, (more: object) => string]> = [
		['as the whole body', () => nested],
		['next to valid fields', within],
		['as a field', (more) => within(more).replaceAll(JSON.stringify(number), nested)],
	];

	it.each(shapes)('is rejected like any other body without the key or the signature (%s)', async (_, body) => {
		expectRefusal(await trigger().call({ ...forward(), body: body({}) }), 401, 'INVALID_KEY');
		expectRefusal(await trigger().call({ ...report({}, {}), body: body({}) }), 401, 'INVALID_SIGNATURE');
	});

	it('is accepted with the key or signature if only an unknown field is nested', async () => {
		expectStarted(await trigger().call({ ...forward(), body: within({ 'pre-shared key': KEY }) }));
		expectStarted(await trigger().call({ ...report(), body: within({}) }));
		const asField = shapes[2]![1];
		const forwarded = { ...forward(), body: asField({ 'pre-shared key': KEY }) };
		expectRefusal(await trigger().call(forwarded), 400, 'INVALID_REQUEST');
		const reported = { ...report({}, {}), body: asField({}) };
		expectRefusal(await trigger({ acceptUnsignedReports: true }).call(reported), 400, 'INVALID_REQUEST');
	});
});

/** Calls the methods that n8n calls for each webhook when a workflow is published or unpublished. */
async function publish(parameters: INodeParameters): Promise<boolean[]> {
	const workflow = trigger({ events: ['smsForward'], keywordOutputs: true, ...parameters });
	const loaded = workflow.load();
	const { data } = workflow.additionalData('trigger');
	const context = new HookContext(loaded, loaded.getNode('Node') as INode, data, 'trigger', 'activate');
	const answers: boolean[] = [];
	for (const methods of Object.values(workflow.nodeType.webhookMethods!))
		for (const method of ['checkExists', 'create', 'delete'] as const)
			answers.push(await methods[method]!.call(context));
	return answers;
}

test.each<[string, INodeParameters]>([
	['an output for each keyword', { keywords: 'ΒΑ, Βαθμός' }],
	['keywords from an expression', { keywordOutputs: false, keywords: '={{ $vars.missing }}' }],
	['no keywords', { keywordOutputs: false, keywords: '' }],
	['messages and reports', { events: ['smsForward', 'deliveryReport'], keywords: 'ΒΑ, ba' }],
])('a trigger with %s can be published', async (_, parameters) => {
	expect(await publish(parameters)).toEqual(Array(6).fill(true));
});

test.each([
	['ΒΑ, ba', /^Keywords has "ba" twice/],
	[' ,', /^Keywords is empty, so there is no output/],
	['={{ "ΒΑ" }}', /^Keywords is an expression, so the outputs can't be known in advance/],
])('a trigger with an output for each keyword cannot be published with the keywords %j', async (keywords, message) => {
	await expect(publish({ keywords })).rejects.toThrow(
		expect.objectContaining({
			name: 'NodeOperationError',
			message: expect.stringMatching(message) as unknown,
			description: expect.stringMatching(/./) as unknown,
		}),
	);
});

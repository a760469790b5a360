import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeParameters,
} from 'n8n-workflow';
import { createHmac, randomUUID } from 'node:crypto';

import { findSecrets } from '../spellings';
import { logLines, runNode, type NodeUnderTest } from './engine';
import { TestTrigger, type Answer, type Call } from './webhook';
import { serve } from './wire';

const KEY = 'psk"7&Ω-91';
const SUCCESS = '{"result":"0","errorCode":"","error":""}';
const credentials = (preSharedKey: string = KEY, more: IDataObject = {}) => ({
	smsPlatformApi: { baseUrl: 'https://sms.example.gr:9999', institution: 'example-university', preSharedKey, ...more },
});

const trigger = (
	parameters: INodeParameters = {},
	options: INodeParameters = {},
	more: Partial<NodeUnderTest> = {},
): TestTrigger => new TestTrigger({ parameters: { ...parameters, options }, credentials: credentials(), ...more });

/** A forward, each with an id of its own. */
const forward = (changes: IDataObject = {}): Call => ({
	path: 'forward',
	body: {
		MSISDN: '6912345678',
		keyword: 'ΒΑ',
		body: 'ΗΛΕΚΤΡΟΝΙΚΗ',
		'pre-shared key': KEY,
		'sms-forward-id': randomUUID(),
		...changes,
	},
});

/** The query of a signed address, written from interface.md alone. */
function signed(serviceId: string, ref: string, exp: number | string = Math.floor(Date.now() / 1000) + 60, key = KEY) {
	const sig = createHmac('sha256', key).update(`dlr.v1\n${serviceId}\n${ref}\n${exp}`).digest('base64url');
	return { ref, exp: String(exp), sig };
}

/** A report on a message, each with a reference of its own. */
const report = (changes: IDataObject = {}, query: Call['query'] = signed('grades', randomUUID())): Call => ({
	path: 'dlr',
	body: { serviceId: 'grades', recipient: '6912345678', status: 'DELIVRD', ...changes },
	query,
});

function expectRefusal(answer: Answer, status: number, errorCode: string) {
	expect(answer.status).toBe(status);
	expect(answer.json).toEqual({ result: '1', errorCode, error: expect.any(String) as unknown });
	expect((answer.json as IDataObject).error).not.toBe('');
	expect(answer.headers['content-type']).toMatch(/^application\/json/);
	expect(answer.text.length).toBeLessThan(300);
	expect(answer.started).toBeUndefined();
	expect(answer.thrown).toBeUndefined();
	for (const text of [answer.text, logLines.join('\n')]) expect(text).not.toContain(KEY);
}

/** Started, and acknowledged by n8n only after it recorded the execution: the node itself must not have answered. */
function expectStarted(answer: Answer) {
	expect(answer.thrown).toBeUndefined();
	expect([answer.status, answer.text]).toEqual([200, SUCCESS]);
	expect(answer.started).toBeDefined();
	expect(answer.returned?.noWebhookResponse).toBeFalsy();
	expect(answer.execution?.status).toBe('success');
}

/** Acknowledged, and nothing started. */
function expectIgnored(answer: Answer) {
	expect([answer.status, answer.text]).toEqual([200, SUCCESS]);
	expect(answer.started).toBeUndefined();
}

const items = (answer: Answer) => answer.started?.map((output) => output.map(({ json }) => json));

const now = () => {
	const before = Date.now();
	return {
		asymmetricMatch: (value: unknown) =>
			typeof value === 'string' && /Z$/.test(value) && Date.parse(value) >= before - 5 && Date.parse(value) <= Date.now(),
	};
};

const long = 'Α'.repeat(1024 * 1024);
const deep = JSON.parse('{"a":'.repeat(200) + '1' + '}'.repeat(200)) as IDataObject;

describe('an SMS forward', () => {
	it('starts the workflow with the documented item, and is answered as the platform expects', async () => {
		const receivedAt = now();
		const answer = await trigger().call(forward({ 'sms-forward-id': 'f-1', body: '  ηλεκτρονική\n8 ' }));
		expectStarted(answer);
		expect(items(answer)).toEqual([
			[
				{
					event: 'smsForward',
					msisdn: '6912345678',
					mobile: '6912345678',
					keyword: 'ΒΑ',
					body: '  ηλεκτρονική\n8 ',
					words: ['ηλεκτρονική', '8'],
					smsForwardId: 'f-1',
					receivedAt,
				},
			],
			[],
		]);
		expect(answer.execution?.stored).not.toContain(KEY);
		expect(answer.execution?.outputs[0]).toHaveLength(1);
	});

	it.each(['MSISDN', 'keyword', 'body', 'sms-forward-id'])('stores no key that stands in %s', async (field) => {
		const answer = await trigger().call(forward({ [field]: `ΒΑ ${KEY}` }));
		expectStarted(answer);
		expect(findSecrets(answer.execution!.stored, [KEY])).toEqual([]);
		expect(JSON.stringify(items(answer))).toContain('ΒΑ •••');
	});

	it.each<[string, IDataObject, IDataObject]>([
		['a number with a country code', { MSISDN: '306912345678' }, { msisdn: '306912345678', mobile: '6912345678' }],
		['a number of another country', { MSISDN: '4915112345678' }, { msisdn: '4915112345678' }],
		['a number that is one in JSON', { MSISDN: 6912345678 }, { msisdn: '6912345678', mobile: '6912345678' }],
		['an id that is a number', { 'sms-forward-id': 4711 }, { smsForwardId: '4711' }],
		['an empty body', { body: '' }, { body: '', words: [] }],
		['the longest body', { body: 'λέξη '.repeat(8000) }, { body: 'λέξη '.repeat(8000), words: Array(8000).fill('λέξη') }],
		['no body', { body: undefined }, { body: '', words: [] }],
		['null for a body', { body: null }, { body: '', words: [] }],
		['a body that is a number', { body: 42 }, { body: '42', words: ['42'] }],
		['markup', { body: '<b>{{ $json }}</b>' }, { body: '<b>{{ $json }}</b>' }],
	])('takes %s', async (_, changes, expected) => {
		const answer = await trigger().call(forward(changes));
		expectStarted(answer);
		const item = items(answer)?.[0]?.[0];
		expect(item).toMatchObject(expected);
		if (!('mobile' in expected) && 'MSISDN' in changes) expect(item).not.toHaveProperty('mobile');
	});

	it('takes more fields than documented', async () => {
		expectStarted(await trigger().call(forward({ error: 'x', operator: { deep: [1] } })));
	});

	it.each([
		['JSON with a charset', 'application/json; charset=utf-8'],
		['text', 'text/plain'],
	])('is understood when it calls itself %s', async (_, contentType) => {
		expectStarted(await trigger().call({ ...forward(), contentType }));
	});

	it.each<[string, unknown]>([
		['no key', undefined],
		['null', null],
		['an empty key', ''],
		['a wrong key', 'wrong'],
		['the start of the key', KEY.slice(0, -1)],
		['the key and more', `${KEY}x`],
		['the key in capitals', KEY.toUpperCase()],
		['the key in a list', [KEY]],
		['the key in an object', { toString: KEY }],
		['true', true],
		['42', 42],
		['a megabyte', long],
	])('with %s is a stranger\'s, and learns nothing but that', async (_, key) => {
		const node = trigger({ keywords: 'ΒΑ' });
		const known = forward({ 'sms-forward-id': 'known' });
		await node.call(known);
		const texts = new Set<string>();
		for (const changes of [{}, { keyword: 'ΑΛΛΟ' }, { MSISDN: '' }, { keyword: [] }, { 'sms-forward-id': 'known' }]) {
			const answer = await node.call(forward({ ...changes, 'pre-shared key': key as never }));
			expectRefusal(answer, 401, 'INVALID_KEY');
			texts.add(answer.text);
		}
		expect(texts.size).toBe(1);
	});

	it.each<[string, unknown]>([
		['nothing', undefined],
		['null', 'null'],
		['a list', '[]'],
		['text', '"pre-shared key"'],
		['a number', '42'],
		['true', 'true'],
		['an empty object', '{}'],
		['a deep object', deep],
		['a megabyte of text', JSON.stringify(long)],
		['a prototype', `{"__proto__":{"pre-shared key":${JSON.stringify(KEY)},"MSISDN":"6912345678","keyword":"ΒΑ"}}`],
	])('that is %s is refused without the key', async (_, body) => {
		expectRefusal(await trigger().call({ path: 'forward', body }), 401, 'INVALID_KEY');
	});

	it('never gets in with the key before the current one', async () => {
		const node = trigger({}, {}, { credentials: credentials('new', { previousPreSharedKey: KEY, keyChangedOn: '2026-11-20' }) });
		expectRefusal(await node.call(forward()), 401, 'INVALID_KEY');
		expectStarted(await node.call(forward({ 'pre-shared key': 'new' })));
	});

	it('never gets in where the credential has no key', async () => {
		const node = trigger({}, {}, { credentials: credentials('') });
		for (const key of ['', undefined, null]) {
			expectRefusal(await node.call(forward({ 'pre-shared key': key as never })), 401, 'INVALID_KEY');
		}
	});

	it.each<[string, IDataObject]>([
		['no MSISDN', { MSISDN: undefined }],
		['an empty MSISDN', { MSISDN: '' }],
		['a blank MSISDN', { MSISDN: '  ' }],
		['a list as MSISDN', { MSISDN: [] }],
		['an object as MSISDN', { MSISDN: deep }],
		['a megabyte of MSISDN', { MSISDN: long }],
		['no keyword', { keyword: undefined }],
		['an empty keyword', { keyword: '' }],
		['null as keyword', { keyword: null }],
		['a list as keyword', { keyword: ['ΒΑ'] }],
		['a megabyte of keyword', { keyword: long }],
		['an object as body', { body: deep }],
		['a list as body', { body: [] }],
		['an object as id', { 'sms-forward-id': {} }],
		['a megabyte of id', { 'sms-forward-id': long }],
	])('with %s is malformed, also when the keyword is not ours', async (_, changes) => {
		for (const keywords of ['', 'ΑΛΛΟ']) {
			const answer = await trigger({ keywords }).call(forward(changes));
			expectRefusal(answer, 400, 'INVALID_REQUEST');
			expect(answer.text).toContain(Object.keys(changes)[0]);
		}
	});

	describe('and the keywords', () => {
		it.each(['ΒΑ', 'βα', 'Βά', 'BA', 'bα', ' ΒΑ ', 'ΒΑΘΜΟΣ', 'βαθμός', 'βαθμοσ', 'ΒAΘΜΟΣ', 'ΜΑΪΟΣ', 'μάιος', 'Μαι\u0308ος'])(
			'let %j in',
			async (keyword) => {
				expectStarted(await trigger({ keywords: 'βα, Βαθμός,ΜΑΙΟΣ' }).call(forward({ keyword })));
			},
		);

		it.each(['ΒΑΘ', 'Β', 'ΒΑ ΒΑ', 'ΒΑ,Βαθμός', 'BAR', '.*', 'Γ'])('keep %j out', async (keyword) => {
			expectRefusal(await trigger({ keywords: 'βα, Βαθμός' }).call(forward({ keyword })), 200, 'UNKNOWN_KEYWORD');
		});

		it.each<[string, string]>([
			['a list', "={{ ['βα', 'Βαθμός'] }}"],
			['a number', '={{ 17 }}'],
			['nothing', '={{ null }}'],
		])('may be %s, as an expression gives it', async (what, keywords) => {
			const answers = await Promise.all(['ΒΑ', '17', 'ΑΛΛΟ'].map(async (keyword) => await trigger({ keywords }).call(forward({ keyword }))));
			expect(answers.map(({ started }) => started !== undefined)).toEqual([what === 'a list', what === 'a number', false]);
			for (const answer of answers) expect(answer.status).toBe(200);
		});

		it.each(['', '  ', ' , ,'])('let everything in when they are %j', async (keywords) => {
			expectStarted(await trigger({ keywords }).call(forward({ keyword: 'ΟΤΙΔΗΠΟΤΕ' })));
		});
	});

	describe('that comes again', () => {
		it('is answered as a success and starts nothing, whatever else changed in it', async () => {
			const node = trigger();
			expectStarted(await node.call(forward({ 'sms-forward-id': '4711' })));
			expectIgnored(await node.call(forward({ 'sms-forward-id': '4711' })));
			expectIgnored(await node.call(forward({ 'sms-forward-id': 4711, body: 'άλλο' })));
			expectStarted(await node.call(forward({ 'sms-forward-id': '4712' })));
		});

		it.each(['', ' ', '\u200b'])('is not known by the id %j', async (id) => {
			const node = trigger();
			expectStarted(await node.call(forward({ 'sms-forward-id': id })));
			expectStarted(await node.call(forward({ 'sms-forward-id': id })));
		});

		it('is not known by a number so large that another id would be the same', async () => {
			const node = trigger();
			const call = { ...forward(), body: JSON.stringify(forward().body).replace(/("sms-forward-id":)"[^"]+"/, '$112345678901234567890') };
			expectStarted(await node.call(call));
			expectStarted(await node.call(call));
		});

		it('is known after a restart of n8n', async () => {
			const node = trigger();
			const call = forward();
			expectStarted(await node.call(call));
			node.restart();
			expectIgnored(await node.call(call));
		});

		it('is known when both come at the same moment', async () => {
			const node = trigger();
			const call = forward();
			const answers = await Promise.all([node.call(call), node.call(call), node.call(call)]);
			expect(answers.map(({ status, text }) => [status, text])).toEqual(Array(3).fill([200, SUCCESS]));
			expect(answers.filter(({ started }) => started)).toHaveLength(1);
		});

		it('does not hide others that came at the same moment', async () => {
			const node = trigger();
			const calls = [forward(), forward(), forward()];
			for (const answer of await Promise.all(calls.map(async (call) => await node.call(call)))) expectStarted(answer);
			for (const call of calls) expectIgnored(await node.call(call));
		});

		it.each([[undefined], [null], ['']])('starts the workflow again when its id is %j', async (id) => {
			const node = trigger();
			for (let i = 0; i < 2; i++) expectStarted(await node.call(forward({ 'sms-forward-id': id as never })));
		});

		it('starts the workflow again where the user wants that', async () => {
			const node = trigger({}, { ignoreDuplicates: false });
			const call = forward();
			for (let i = 0; i < 2; i++) expectStarted(await node.call(call));
		});

		it('is not a duplicate of one that was refused', async () => {
			const node = trigger({ keywords: 'ΒΑ' });
			expectRefusal(await node.call(forward({ 'sms-forward-id': '1', 'pre-shared key': 'x' })), 401, 'INVALID_KEY');
			expectRefusal(await node.call(forward({ 'sms-forward-id': '1', keyword: 'Γ' })), 200, 'UNKNOWN_KEYWORD');
			expectRefusal(await node.call(forward({ 'sms-forward-id': '1', MSISDN: '' })), 400, 'INVALID_REQUEST');
			expectStarted(await node.call(forward({ 'sms-forward-id': '1' })));
		});

		it('gets through when n8n could not record the first', async () => {
			const node = trigger();
			const call = forward();
			const lost = await node.call({ ...call, unrecorded: true });
			expect([lost.status, lost.started]).toEqual([500, undefined]);
			expectStarted(await node.call(call));
			expectIgnored(await node.call(call));
		});

		it('leaves no number and no text in the stored memory', async () => {
			const node = trigger();
			await node.call(forward({ 'sms-forward-id': 'id-6912345678' }));
			const memory = JSON.stringify(node.staticData);
			expect(memory).not.toBe('{}');
			for (const personal of ['6912345678', 'ΗΛΕΚΤΡΟΝΙΚΗ', KEY]) expect(memory).not.toContain(personal);
		});
	});
});

describe('a delivery report', () => {
	it('starts the workflow on the second output with the documented item', async () => {
		const receivedAt = now();
		const answer = await trigger().call(report({}, signed('grades', 'αίτηση 17&x=1')));
		expectStarted(answer);
		expect(items(answer)).toEqual([
			[],
			[
				{
					event: 'deliveryReport',
					serviceId: 'grades',
					recipient: '6912345678',
					status: 'DELIVRD',
					delivered: true,
					reference: 'αίτηση 17&x=1',
					receivedAt,
				},
			],
		]);
	});

	it.each<[IDataObject, IDataObject]>([
		[{ status: 'ERROR', error: '27' }, { status: 'ERROR', delivered: false, errorCode: '27' }],
		[{ status: 'ERROR', error: 27 }, { delivered: false, errorCode: '27' }],
		[{ status: 'ERROR', error: 0 }, { delivered: false, errorCode: '0' }],
		[{ status: 'ERROR' }, { status: 'ERROR', delivered: false }],
		[{ status: 'EXPIRED' }, { status: 'EXPIRED', delivered: false }],
		[{ status: 'delivrd' }, { status: 'delivrd', delivered: false }],
		[{ status: 'DELIVRD', error: '' }, { delivered: true }],
		[{ status: 'DELIVRD', error: null }, { delivered: true }],
		[{ recipient: 6912345678 }, { recipient: '6912345678' }],
		[{ recipient: 'e.papadopoulou', extra: { deep: 1 } }, { recipient: 'e.papadopoulou' }],
	])('takes %j', async (changes, expected) => {
		const answer = await trigger().call(report(changes));
		expectStarted(answer);
		const item = items(answer)?.[1]?.[0];
		expect(item).toMatchObject(expected);
		expect(item).not.toHaveProperty('error');
		if (!('errorCode' in expected)) expect(item).not.toHaveProperty('errorCode');
	});

	const good = signed('grades', 'r');
	const seconds = Math.floor(Date.now() / 1000);
	it.each<[string, Call['query']]>([
		['no signature', {}],
		['a reference alone', { ref: 'r' }],
		['no reference', { exp: good.exp, sig: good.sig }],
		['no expiry', { ref: good.ref, sig: good.sig }],
		['no sig', { ref: good.ref, exp: good.exp }],
		['an empty sig', { ...good, sig: '' }],
		['a wrong sig', { ...good, sig: good.sig.replace(/^./, (c) => (c === 'A' ? 'B' : 'A')) }],
		['a shortened sig', { ...good, sig: good.sig.slice(0, -1) }],
		['a longer sig', { ...good, sig: `${good.sig}A` }],
		['another reference', { ...good, ref: 'q' }],
		['another expiry', { ...good, exp: String(Number(good.exp) + 1) }],
		['an expiry in the past', signed('grades', 'r', seconds - 1)],
		['an expiry that is no number', signed('grades', 'r', 'never')],
		['an expiry beyond numbers', signed('grades', 'r', '9'.repeat(400))],
		['the signature of another service', signed('exams', 'r')],
		['the signature of another key', signed('grades', 'r', undefined, 'other')],
		['the signature of no key', signed('grades', 'r', undefined, '')],
		['a reference that smuggles a line', signed('grades', `r\n${seconds + 60}`)],
		['two signatures', { ...good, sig: [good.sig, good.sig] }],
		['a megabyte of signature', { ...good, sig: long }],
	])('with %s is refused, signed reports wanted or not', async (_, query) => {
		const unsigned = Object.keys(query ?? {}).length === 0;
		for (const acceptUnsignedReports of unsigned ? [false] : [false, true]) {
			expectRefusal(await trigger({ acceptUnsignedReports }).call(report({}, query)), 401, 'INVALID_SIGNATURE');
		}
	});

	it('is refused where its body names another service than its address', async () => {
		expectRefusal(await trigger().call(report({ serviceId: 'exams' })), 401, 'INVALID_SIGNATURE');
		expectRefusal(await trigger().call(report({ serviceId: undefined })), 401, 'INVALID_SIGNATURE');
	});

	it('is refused where the credential has no key, however it is signed', async () => {
		const node = trigger({}, {}, { credentials: credentials('') });
		expectRefusal(await node.call(report({}, signed('grades', 'r', undefined, ''))), 401, 'INVALID_SIGNATURE');
	});

	it.each<[string, IDataObject]>([
		['no recipient', { recipient: undefined }],
		['an empty recipient', { recipient: '' }],
		['an object as recipient', { recipient: deep }],
		['a megabyte of recipient', { recipient: long }],
		['no status', { status: undefined }],
		['an empty status', { status: '' }],
		['null as status', { status: null }],
		['a list as status', { status: ['DELIVRD'] }],
		['a megabyte of status', { status: long }],
		['an object as error', { error: {} }],
	])('with %s is malformed', async (_, changes) => {
		const answer = await trigger().call(report(changes));
		expectRefusal(answer, 400, 'INVALID_REQUEST');
		expect(answer.text).toContain(Object.keys(changes)[0]);
	});

	it.each([undefined, 'null', '[]', '42', '"x"', 'true', '{}'])('with the body %s is refused', async (body) => {
		expectRefusal(await trigger().call({ ...report(), body }), 401, 'INVALID_SIGNATURE');
		const unsigned = trigger({ acceptUnsignedReports: true });
		expectRefusal(await unsigned.call({ path: 'dlr', body }), 400, 'INVALID_REQUEST');
	});

	it('without a signature is taken where the user wants that, without a reference', async () => {
		const answer = await trigger({ acceptUnsignedReports: true }).call(report({}, {}));
		expectStarted(answer);
		expect(items(answer)?.[1]?.[0]).not.toHaveProperty('reference');
	});

	it('starts once for each reference and status', async () => {
		const node = trigger();
		const query = signed('grades', 'r-1');
		expectStarted(await node.call(report({ status: 'SENT' }, query)));
		expectStarted(await node.call(report({ status: 'DELIVRD' }, query)));
		expectIgnored(await node.call(report({ status: 'DELIVRD' }, query)));
		expectIgnored(await node.call(report({ status: 'SENT' }, signed('grades', 'r-1', seconds + 500))));
		expectStarted(await node.call(report({ status: 'SENT' }, signed('grades', 'r-2'))));
		node.restart();
		expectIgnored(await node.call(report({ status: 'DELIVRD' }, query)));
	});

	it('without a reference is never a duplicate', async () => {
		const node = trigger({ acceptUnsignedReports: true });
		for (let i = 0; i < 2; i++) expectStarted(await node.call(report({}, {})));
	});

	it('is not compared with forwards', async () => {
		const node = trigger();
		expectStarted(await node.call(forward({ 'sms-forward-id': 'DELIVRD same' })));
		expectStarted(await node.call(report({}, signed('grades', 'same'))));
	});

	it('comes back to the address SMS Send gave away, with the same reference', async () => {
		const node = trigger();
		const sent = serve('POST', 'https://sms.example.gr:9999/sendSMS', { body: { serviceId: 'grades', errorCode: '', error: '' } });
		const run = await runNode(
			{
				node: 'smsSend',
				parameters: { serviceId: 'grades', messageId: 'm', recipient: '6912345678', dlrUrl: node.address('setup') },
				credentials: credentials(),
			},
			[{}],
		);
		const url = new URL((JSON.parse(sent[0]!.body) as { 'dlr-url': string })['dlr-url']);
		expect(url.pathname).toMatch(/\/dlr$/);
		const answer = await node.call(report({}, Object.fromEntries(url.searchParams)));
		expectStarted(answer);
		expect(items(answer)?.[1]?.[0]?.reference).toBe(run.json[0]?.[0]?.reference);
	});
});

describe('the order of checks', () => {
	/** Every fault of a forward in the order in which it must be found; each case has all the later ones too. */
	const faults = [
		['the event is off', 404, 'NOT_FOUND'],
		['the address', 403, 'FORBIDDEN_ADDRESS'],
		['the key', 401, 'INVALID_KEY'],
		['the shape', 400, 'INVALID_REQUEST'],
		['the keyword', 200, 'UNKNOWN_KEYWORD'],
	] as const;

	it.each(faults.map(([name, status, code], first) => [name, status, code, first] as const))(
		'of a forward finds first: %s',
		async (_, status, code, first) => {
			const has = (fault: number) => fault >= first;
			const node = trigger(
				{ events: has(0) ? ['deliveryReport'] : ['smsForward'], keywords: 'ΑΛΛΟ' },
				has(1) ? { ipAllowlist: '198.51.100.0/24' } : {},
			);
			const answer = await node.call(
				forward({ ...(has(2) && { 'pre-shared key': 'x' }), ...(has(3) && { MSISDN: '' }), keyword: 'ΒΑ' }),
			);
			if (code === 'NOT_FOUND') {
				expect([answer.status, answer.started]).toEqual([404, undefined]);
			} else {
				expectRefusal(answer, status, code);
			}
		},
	);

	it.each([
		['the event is off', 404, 0],
		['the address', 403, 1],
		['the signature', 401, 2],
		['the shape', 400, 3],
	])('of a report finds first: %s', async (_, status, first) => {
		const has = (fault: number) => fault >= first;
		const node = trigger(
			{ events: has(0) ? ['smsForward'] : ['deliveryReport'] },
			has(1) ? { ipAllowlist: '198.51.100.0/24' } : {},
		);
		const answer = await node.call(report({ status: '' }, has(2) ? { ref: 'r' } : undefined));
		expect([answer.status, answer.started]).toEqual([status, undefined]);
	});

	it('of a duplicate finds the keyword first', async () => {
		const node = trigger();
		const call = forward();
		expectStarted(await node.call(call));
		node.spec.parameters = { keywords: 'ΑΛΛΟ', options: {} };
		expectRefusal(await node.call(call), 200, 'UNKNOWN_KEYWORD');
	});
});

describe('the outputs', () => {
	it.each<[string[], string, number, number]>([
		[['smsForward', 'deliveryReport'], 'forward', 2, 0],
		[['smsForward', 'deliveryReport'], 'dlr', 2, 1],
		[['deliveryReport', 'smsForward'], 'forward', 2, 0],
		[['deliveryReport', 'smsForward'], 'dlr', 2, 1],
		[['smsForward'], 'forward', 1, 0],
		[['deliveryReport'], 'dlr', 1, 0],
	])('for %j put a call of %s on the right one', async (events, path, outputs, expected) => {
		const node = trigger({ events });
		const answer = await node.call(path === 'dlr' ? report() : forward());
		expectStarted(answer);
		expect(answer.started).toHaveLength(outputs);
		expect(answer.started?.map(({ length }) => length)).toEqual(
			Array.from({ length: outputs }, (_, output) => (output === expected ? 1 : 0)),
		);
		expect(answer.execution?.outputs[expected]).toHaveLength(1);
	});
});

describe('the address list', () => {
	it.each<[string, string, boolean]>([
		['', '192.0.2.1', true],
		['192.0.2.1', '192.0.2.1', true],
		['192.0.2.1', '192.0.2.10', false],
		[' 198.51.100.7 , 192.0.2.0/24 ', '192.0.2.1', true],
		['192.0.2.0/25', '192.0.2.200', false],
		['192.0.2.1', '::ffff:192.0.2.1', true],
		['2001:db8::/32', '2001:db8:0:1::5', true],
		['2001:db8::/32', '2001:db9::1', false],
		['nonsense', '192.0.2.1', false],
		['192.0.2.1/33', '192.0.2.1', false],
		['192.0.2', '192.0.2.1', false],
		['0.0.0.0/0', '192.0.2.1', true],
		['192.0.2.1', '', false],
	])('"%s" for %s: %s', async (ipAllowlist, ip, allowed) => {
		for (const call of [forward(), report()]) {
			const answer = await trigger({}, { ipAllowlist }).call({ ...call, ip });
			if (allowed) expectStarted(answer);
			else expectRefusal(answer, 403, 'FORBIDDEN_ADDRESS');
		}
	});
});

describe('the HTTP method', () => {
	it.each([
		['POST', {}, 'GET'],
		['PUT', { httpMethod: 'PUT' }, 'POST'],
	] as const)('is %s with %j, and no other', async (method, options, other) => {
		for (const call of [forward(), report()]) {
			const node = trigger({}, options);
			expectStarted(await node.call({ ...call, method }));
			const refused = await node.call({ ...call, method: other });
			expect([refused.status, refused.started]).toEqual([404, undefined]);
		}
	});

	it('may be GET, with the fields in the query', async () => {
		const node = trigger({}, { httpMethod: 'GET' });
		const query = { MSISDN: '6912345678', keyword: 'ΒΑ', body: 'x', 'pre-shared key': KEY, 'sms-forward-id': '1' };
		expectStarted(await node.call({ path: 'forward', method: 'GET', query }));
		expectRefusal(
			await node.call({ path: 'forward', method: 'GET', query: { ...query, 'pre-shared key': [KEY, KEY] } }),
			401,
			'INVALID_KEY',
		);
		const fields = { serviceId: 'grades', recipient: '6912345678', status: 'DELIVRD' };
		expectStarted(await node.call({ path: 'dlr', method: 'GET', query: { ...fields, ...signed('grades', 'r') } }));
	});
});

describe('when the platform gets its answer', () => {
	const last = async (items: INodeExecutionData[]) => [items.map(() => ({ json: { result: '1', errorCode: 'FULL', error: 'Κλειστό' } }))];

	it('at once: before the workflow runs, and whatever becomes of it', async () => {
		const answer = await trigger({ respond: 'onReceived' }, {}, {
			then: async () => {
				throw new Error('the workflow fails');
			},
		}).call(forward());
		expect([answer.status, answer.text]).toEqual([200, SUCCESS]);
		expect(answer.returned?.noWebhookResponse).toBeFalsy();
		expect(answer.execution?.status).toBe('error');
	});

	it('after the last node: what that node gives', async () => {
		const answer = await trigger({ respond: 'lastNode' }, {}, { then: last }).call(forward());
		expect([answer.status, answer.json]).toEqual([200, { result: '1', errorCode: 'FULL', error: 'Κλειστό' }]);
	});

	it('with the Respond to Webhook node: what that node says', async () => {
		const answer = await trigger({ respond: 'responseNode' }, {}, {
			async then(this: IExecuteFunctions, items) {
				this.sendResponse({ body: { result: '0', errorCode: '', error: '' }, statusCode: 202, headers: { 'x-by': 'workflow' } });
				return [items];
			},
		}).call(forward());
		expect(answer).toMatchObject({ status: 202, text: SUCCESS, headers: { 'x-by': 'workflow' } });
	});

	it.each(['lastNode', 'responseNode'])('refusals and duplicates are answered at once with %s, too', async (respond) => {
		const node = trigger({ respond, keywords: 'ΒΑ' }, {}, { then: last });
		expectRefusal(await node.call(forward({ 'pre-shared key': 'x' })), 401, 'INVALID_KEY');
		expectRefusal(await node.call(forward({ keyword: 'Γ' })), 200, 'UNKNOWN_KEYWORD');
		const call = forward();
		expect((await node.call(call)).started).toBeDefined();
		expectIgnored(await node.call(call));
	});

	it.each(['onReceived', 'lastNode', 'responseNode'])('reports are answered at once with %s, too', async (respond) => {
		expectStarted(await trigger({ respond }).call(report()));
	});

	describe.each(['lastNode', 'responseNode'])('and the workflow failed with %s', (respond) => {
		it.each([false, true])('the message gets through when the platform calls again (n8n restarted: %s)', async (restarted) => {
			let healthy = false;
			const node = trigger({ respond }, {}, {
				async then(this: IExecuteFunctions, items) {
					if (!healthy) throw new Error('the workflow fails');
					if (respond === 'responseNode') this.sendResponse({ body: { result: '0' } });
					return [items];
				},
			});
			const call = forward();
			expect((await node.call(call)).status).toBe(500);
			healthy = true;
			if (restarted) node.restart();
			expect((await node.call(call)).started).toBeDefined();
			expect((await node.call(call)).started).toBeUndefined();
		});
	});
});

describe('when the node cannot work', () => {
	it('answers in the platform\'s format, without a reason from inside', async () => {
		const node = trigger({}, {}, { credentials: { smsPlatformApi: new Error(`the store with ${KEY} is down`) } });
		for (const call of [forward(), report()]) {
			const answer = await node.call(call);
			expect(answer.thrown).toBeUndefined();
			expect(answer.status).toBe(500);
			expect(answer.json).toMatchObject({ result: '1', errorCode: 'INTERNAL_ERROR' });
			expect(answer.text).not.toContain('store');
			expect(answer.started).toBeUndefined();
		}
	});

	it('an expression that fails in its settings is no open door', async () => {
		const answer = await trigger({ keywords: "={{ $('Nowhere').item.json.x }}" }).call(forward());
		expectRefusal(answer, 500, 'INTERNAL_ERROR');
	});
});

describe('a body whose content type is not JSON', () => {
	it.each([[null], ['text/plain'], ['application/x-www-form-urlencoded'], ['application/octet-stream']])(
		'is read as JSON all the same (%s)',
		async (contentType) => {
			const answer = await trigger().call({ ...forward(), contentType });
			expect(answer.text).toBe(SUCCESS);
			expect(answer.started?.[0]?.[0]?.json).toMatchObject({ keyword: 'ΒΑ', body: 'ΗΛΕΚΤΡΟΝΙΚΗ' });
		},
	);

	it('is refused where it is none', async () => {
		const { body: _, ...call } = forward();
		expectRefusal(await trigger().call({ ...call, body: 'keyword=ΒΑ', contentType: 'text/plain' } as Call), 401, 'INVALID_KEY');
	});
});

import {
	dlrRequest,
	fieldOf,
	sendSmsRequest,
	sendSmsResponse,
	smsForwardRequest,
	withInstitution,
} from '../../nodes/Sms/wire';

const HOSTILE = [null, undefined, '', 42, [], true, 'x'.repeat(1_000_000), { a: { b: { c: {} } } }];

describe('sendSmsResponse', () => {
	it.each([
		[
			{ serviceId: 's', errorCode: '', error: '' },
			{ serviceId: 's', errorCode: '', error: '' },
		],
		[
			{ serviceId: 's', errorCode: 'E-002', error: 'Unknown Service' },
			{ serviceId: 's', errorCode: 'E-002', error: 'Unknown Service' },
		],
		[
			{ errorCode: 7, error: null },
			{ errorCode: 7, error: null },
		],
		[
			{ errorCode: '', error: '', extra: [] },
			{ errorCode: '', error: '' },
		],
	])('%j', (body, expected) => {
		expect(sendSmsResponse.parse(body)).toEqual(expected);
	});

	it.each(
		[
			...HOSTILE,
			{ serviceId: 's' },
			{ errorCode: '' },
			{ error: '' },
			{ errorCode: {}, error: '' },
			{ errorCode: '', error: [] },
			{ errorCode: false, error: '' },
			'<html></html>',
		].map((body) => [body]),
	)('%p is not the documented object', (body) => {
		expect(sendSmsResponse.safeParse(body).success).toBe(false);
	});
});

describe('smsForwardRequest', () => {
	it.each([[' '], ['\u200b'], [12_345_678_901_234_567_890]])(
		'%p is no id: nothing tells the message from others',
		(id) => {
			expect(smsForwardRequest.parse({ MSISDN: '6912345678', keyword: 'ΒΑ', 'sms-forward-id': id })).toMatchObject({
				smsForwardId: '',
			});
		},
	);

	it('takes the largest whole number that is exact, and any id that is text', () => {
		for (const id of [Number.MAX_SAFE_INTEGER, '12345678901234567890', ' 7']) {
			expect(smsForwardRequest.parse({ MSISDN: '6912345678', keyword: 'ΒΑ', 'sms-forward-id': id })).toMatchObject({
				smsForwardId: String(id),
			});
		}
	});

	it('needs no id', () => {
		for (const absent of [{}, { 'sms-forward-id': null }, { 'sms-forward-id': '' }]) {
			expect(smsForwardRequest.parse({ MSISDN: '6912345678', keyword: 'ΒΑ', ...absent })).toMatchObject({
				smsForwardId: '',
			});
		}
	});

	it('takes numbers for text, and a body that is empty or absent', () => {
		expect(smsForwardRequest.parse({ MSISDN: 6912345678, keyword: 'ΒΑ', 'sms-forward-id': 17 })).toEqual({
			msisdn: '6912345678',
			keyword: 'ΒΑ',
			body: '',
			smsForwardId: '17',
		});
	});

	it.each(
		[
			...HOSTILE,
			{ MSISDN: '6912345678' },
			{ keyword: 'ΒΑ' },
			{ MSISDN: '', keyword: 'ΒΑ' },
			{ MSISDN: '6912345678', keyword: ' ' },
			{ MSISDN: '6912345678', keyword: '\u200b' },
			{ MSISDN: ' \u2060', keyword: 'ΒΑ' },
			{ MSISDN: Infinity, keyword: 'ΒΑ' },
			{ MSISDN: '6912345678', keyword: 'ΒΑ', 'sms-forward-id': Infinity },
			{ MSISDN: ['6912345678'], keyword: 'ΒΑ' },
			{ MSISDN: '6912345678', keyword: 'ΒΑ', body: {} },
			{ MSISDN: '6'.repeat(65), keyword: 'ΒΑ' },
			{ MSISDN: '6912345678', keyword: 'ΒΑ', body: 'x'.repeat(40_001) },
		].map((body) => [body]),
	)('refuses %p', (body) => {
		expect(smsForwardRequest.safeParse(body).success).toBe(false);
	});
});

describe('dlrRequest', () => {
	it('takes any status, and an error beside it', () => {
		expect(dlrRequest.parse({ serviceId: 's', recipient: '6912345678', status: 'UNDELIV', error: 34 })).toEqual({
			serviceId: 's',
			recipient: '6912345678',
			status: 'UNDELIV',
			error: '34',
		});
	});

	it.each(
		[...HOSTILE, { serviceId: 's', recipient: 'r' }, { serviceId: 's', status: 'DELIVRD' }].map((body) => [body]),
	)('refuses %p', (body) => {
		expect(dlrRequest.safeParse(body).success).toBe(false);
	});
});

describe('fieldOf', () => {
	it('reads own fields of an object, and nothing else', () => {
		expect(fieldOf({ serviceId: 'a' }, 'serviceId')).toBe('a');
		expect(fieldOf(Object.create({ serviceId: 'a' }), 'serviceId')).toBeUndefined();
		for (const body of HOSTILE) expect(fieldOf(body, 'serviceId')).toBeUndefined();
		expect(fieldOf({ serviceId: ['a'] }, 'serviceId')).toBeUndefined();
	});
});

describe('sendSmsRequest', () => {
	const message = { serviceId: 's', messageId: 'm', recipient: '6912345678', replacements: [] };

	it('leaves out the optional fields', () => {
		expect(withInstitution(sendSmsRequest(message), 'example-university', 'key')).toEqual({
			serviceId: 's',
			messageId: 'm',
			recipient: '6912345678',
			replacements: [],
			institution: 'example-university',
			'pre-shared key': 'key',
		});
	});

	it('names the optional fields as the platform does', () => {
		expect(sendSmsRequest({ ...message, dlrUrl: 'https://n8n.example.gr/dlr', smsForwardId: '17' })).toMatchObject({
			'dlr-url': 'https://n8n.example.gr/dlr',
			'sms-forward-id': '17',
		});
	});
});

test('the schemas stand on the zod that these tests are to run with', () => {
	const { zodVersion = 3 } = globalThis as { zodVersion?: number };

	expect('_zod' in dlrRequest ? 4 : 3).toBe(zodVersion);
});

describe('withInstitution', () => {
	const added = { institution: 'example-university', 'pre-shared key': 'key' };

	it('adds its fields to an object, and to the text of one', () => {
		expect(withInstitution({ a: 1, institution: 'other' }, 'example-university', 'key')).toEqual({ a: 1, ...added });
		expect(JSON.parse(withInstitution('{"a":1}', 'example-university', 'key') as string)).toEqual({ a: 1, ...added });
	});

	it.each([
		['raw text'],
		['[]'],
		['"text"'],
		['null'],
		['42'],
		[''],
		[[]],
		[null],
		[undefined],
		[Buffer.from('{}')],
		[new URLSearchParams('a=1')],
		[{ pipe() {} }],
	])('says what body it needs instead of %p', (body) => {
		expect(() => withInstitution(body, 'example-university', 'key')).toThrow(/JSON object/);
	});
});

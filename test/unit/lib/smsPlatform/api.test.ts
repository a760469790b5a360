import {
	dlrRequest,
	fieldOf,
	sendSmsRequest,
	smsForwardRequest,
	withInstitution,
} from '../../../../lib/smsPlatform/api';

const HOSTILE = [null, undefined, '', 42, [], true, 'x'.repeat(1_000_000), { a: { b: { c: {} } } }];
const each = <T>(bodies: T[]): Array<[T]> => bodies.map((body) => [body]);

/* test/workflow/trigger tests which fields of a request from the platform are accepted. */

describe('smsForwardRequest', () => {
	it.each<[unknown, string]>([
		[' ', ''],
		['\u200b', ''],
		[12_345_678_901_234_567_890, ''],
		[null, ''],
		[undefined, ''],
		[Number.MAX_SAFE_INTEGER, String(Number.MAX_SAFE_INTEGER)],
		['12345678901234567890', '12345678901234567890'],
		[' 7', ' 7'],
	])('reads the sms-forward-id %p as %j', (id, smsForwardId) => {
		const forward = { MSISDN: 6912345678, keyword: 'ΒΑ', 'sms-forward-id': id };
		expect(smsForwardRequest.parse(forward)).toEqual({ msisdn: '6912345678', keyword: 'ΒΑ', body: '', smsForwardId });
	});

	const forward = { MSISDN: '6912345678', keyword: 'ΒΑ' };
	it.each(
		each<unknown>([
			...HOSTILE,
			{ ...forward, keyword: '\u200b' },
			{ ...forward, MSISDN: Infinity },
			{ ...forward, 'sms-forward-id': Infinity },
			{ ...forward, 'sms-forward-id': `${'\u200b'.repeat(257)}7` },
			{ ...forward, MSISDN: '6'.repeat(65) },
			{ ...forward, body: 'x'.repeat(40_001) },
		]),
	)('refuses the body %p', (body) => {
		expect(smsForwardRequest.safeParse(body).success).toBe(false);
	});
});

test('fieldOf reads only own fields of an object, not inherited fields', () => {
	expect(fieldOf({ serviceId: 'a' }, 'serviceId')).toBe('a');
	for (const body of [...HOSTILE, Object.create({ serviceId: 'a' }), { serviceId: ['a'] }])
		expect(fieldOf(body, 'serviceId')).toBeUndefined();
});

test('the schemas use the version of zod that this test run is for', () => {
	const { zodVersion = 3 } = globalThis as { zodVersion?: number };

	expect('_zod' in dlrRequest ? 4 : 3).toBe(zodVersion);
});

describe('the body of a request to the platform', () => {
	const message = { serviceId: 's', messageId: 'm', recipient: '6912345678', replacements: [] };
	const added = { institution: 'example-university', 'pre-shared key': 'key' };

	it("has only the optional fields that are set, with the platform's names", () => {
		expect(sendSmsRequest(message)).toEqual(message);
		const dlrUrl = 'https://n8n.example.gr/dlr';
		const whole = { ...message, 'dlr-url': dlrUrl, 'sms-forward-id': '17' };
		expect(sendSmsRequest({ ...message, dlrUrl, smsForwardId: '17' })).toEqual(whole);
	});

	it('gets the institution and the key, if it is an object or the JSON text of an object', () => {
		expect(withInstitution({ a: 1, institution: 'other' }, 'example-university', 'key')).toEqual({ a: 1, ...added });
		expect(JSON.parse(withInstitution('{"a":1}', 'example-university', 'key') as string)).toEqual({ a: 1, ...added });
	});

	it.each(
		each<unknown>([
			...['raw text', '[]', '"text"', 'null', '42', '', [], null, undefined],
			...[Buffer.from('{}'), new URLSearchParams('a=1'), { pipe() {} }],
		]),
	)('causes an error that states the expected form, if it is not a JSON object: %p', (body) => {
		expect(() => withInstitution(body, 'example-university', 'key')).toThrow(/JSON object/);
	});
});

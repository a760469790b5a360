import { NodeApiError, NodeSslError, type INode } from 'n8n-workflow';

import { errorItem, Problem } from '../../nodes/shared/errors';
import { isAllowedAddress } from '../../nodes/shared/ipAllowlist';
import { operationUrl } from '../../nodes/shared/operationUrl';
import { readText } from '../../nodes/shared/readText';
import { readTimeout } from '../../nodes/shared/readTimeout';
import { describeFailure, transportFailure } from '../../nodes/shared/request';
import { withDeadline } from '../../nodes/shared/withDeadline';

describe('operationUrl', () => {
	it.each([
		['https://sms.example.gr:9999', 'https://sms.example.gr:9999/sendSMS'],
		['https://sms.example.gr:9999/', 'https://sms.example.gr:9999/sendSMS'],
		['https://sms.example.gr:9999/sendSMS', 'https://sms.example.gr:9999/sendSMS'],
		['https://sms.example.gr:9999/sendSMS/', 'https://sms.example.gr:9999/sendSMS'],
		['https://sms.example.gr:9999/sendsms?x=1#y', 'https://sms.example.gr:9999/sendSMS'],
		[' https://sms.example.gr/platform/v2// ', 'https://sms.example.gr/platform/v2/sendSMS'],
		['\u200bhttps://sms.example.gr/sendSMS\u200b', 'https://sms.example.gr/sendSMS'],
	])('%j', (base, expected) => {
		expect(operationUrl(base, '/sendSMS')).toBe(expected);
	});

	it.each([
		['https://amka.example.gr', 'https://amka.example.gr/api/rest/v1/ssn_validation'],
		['https://amka.example.gr/x/api/rest/v1', 'https://amka.example.gr/x/api/rest/v1/ssn_validation'],
		['https://amka.example.gr/x/api', 'https://amka.example.gr/x/api/rest/v1/ssn_validation'],
		['https://amka.example.gr/api/rest/v1/ssn_validation?ssn=1', 'https://amka.example.gr/api/rest/v1/ssn_validation'],
	])('%j', (base, expected) => {
		expect(operationUrl(base, '/api/rest/v1/ssn_validation')).toBe(expected);
	});

	it.each([[''], ['sms.example.gr'], ['https://user:password@sms.example.gr'], ['https://user@sms.example.gr'], ['ftp://sms.example.gr'], ['javascript:alert(1)'], [null], [42], [{}]])(
		'%j is no address',
		(base) => {
			expect(operationUrl(base, '/sendSMS')).toBeUndefined();
		},
	);
});

describe('isAllowedAddress', () => {
	it.each([
		['', '203.0.113.9', true],
		[' , ', '203.0.113.9', true],
		['203.0.113.9', '203.0.113.9', true],
		['203.0.113.9', '203.0.113.10', false],
		['203.0.113.0/24', '203.0.113.200', true],
		['203.0.113.0/24', '203.0.114.1', false],
		['0.0.0.0/0', '203.0.113.9', true],
		['0.0.0.0/0', '2001:db8::1', false],
		['203.0.113.9', '::ffff:203.0.113.9', true],
		['198.51.100.1, 203.0.113.9', '203.0.113.9', true],
		['2001:db8::/32', '2001:db8:1::7', true],
		['2001:db8::/32', '2001:db9::1', false],
		['::1', '::1', true],
		['::1', '0:0:0:0:0:0:0:1', true],
		['203.0.113.0/33', '203.0.113.1', false],
		['203.0.113.0/', '203.0.113.0', false],
		['203.0.113', '203.0.113.1', false],
		['999.0.113.1', '203.0.113.1', false],
		['*', '203.0.113.1', false],
		['203.0.113.1', undefined, false],
		['203.0.113.1', 'unknown', false],
		['1:2:3:4:5:6:7:8:9', '::1', false],
		[':::1', '::1', false],
		['192.0.2.1', '::ffff:c000:201', true],
		['192.0.2.1', '::FFFF:C000:0201', true],
		['192.0.2.1', '0:0:0:0:0:ffff:192.0.2.1', true],
		['192.0.2.1', '0:0:0:0:0:ffff:c000:202', false],
		['::ffff:192.0.2.0/120', '192.0.2.77', true],
		['::ffff:192.0.2.0/120', '::ffff:c000:24d', true],
		['::ffff:192.0.2.0/120', '192.0.3.1', false],
		['::ffff:c000:201', '192.0.2.1', true],
		['::ffff:0:0/96', '192.0.2.1', true],
		['::ffff:192.0.2.0/24', '192.0.2.1', false],
		['0.0.0.0/0', '::ffff:c000:201', true],
		['::/0', '192.0.2.1', false],
		['64:ff9b::/96', '64:ff9b::192.0.2.1', true],
		['::1', '::192.0.2.1', false],
		['::1', '::999.0.2.1', false],
		['::1', '1.2.3.4::1', false],
		['fe80::/10', 'fe80::1%eth0', true],
		['192.0.2.1', '::ffff:192.0.2.1%2', true],
		['fe80::1%eth0', 'fe80::1', false],
	])('list %j, caller %j: %s', (list, address, expected) => {
		expect(isAllowedAddress(list, address)).toBe(expected);
	});
});

describe('readText', () => {
	it.each([
		['x', 'x'],
		[' x\u200b ', 'x'],
		[17, '17'],
	])('%j', (value, expected) => {
		expect(readText(value, 'Service ID', 10)).toBe(expected);
	});

	it.each([
		['', 'is empty'],
		['  ', 'is empty'],
		[null, 'is empty'],
		[undefined, 'is empty'],
		[[], 'a list'],
		[{}, 'of type object'],
		[Number.NaN, 'of type number'],
		[true, 'of type boolean'],
		['x'.repeat(1_000_000), 'longer than 10'],
		['a\nb', 'control characters'],
		['a\u0000b', 'control characters'],
		['a\ud800', 'broken Unicode'],
	])('refuses %p and names the parameter', (value, rule) => {
		expect(() => readText(value, 'Service ID', 10)).toThrow(new RegExp(`^Service ID .*${rule}`));
	});
});

describe('withDeadline', () => {
	it.each([33.3, 1, 2 ** 40])('takes a time-out of %d ms', (timeout) => {
		expect(withDeadline({ url: '', timeout }).abortSignal).toMatchObject({ aborted: false });
	});
	it.each([undefined, 0])('sets none for %p, which is no limit', (timeout) => {
		expect(withDeadline({ url: '', timeout })).toEqual({ url: '', timeout });
	});
	it('leaves the signal that stops a cancelled execution in force', () => {
		const execution = new AbortController();
		const { abortSignal } = withDeadline({ url: '', timeout: 60_000, abortSignal: execution.signal });
		execution.abort();
		expect(abortSignal?.aborted).toBe(true);
	});
});

describe('readTimeout', () => {
	it('is given in seconds and used in milliseconds', () => {
		expect(readTimeout(undefined)).toBe(30_000);
		expect(readTimeout(0.5)).toBe(500);
	});
	it.each([[0], [-1], ['x'], [Number.NaN], [3601], [null]])('refuses %p', (value) => {
		expect(() => readTimeout(value)).toThrow(/^Timeout must be /);
	});
});

test("a refused certificate is known by n8n's own error too, which keeps neither code nor cause", () => {
	const refused = Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
	const failure = transportFailure(new NodeSslError(refused));

	expect(failure).toMatchObject({ kind: 'notSent', passing: false });
	expect(describeFailure('SMS platform', failure).whatToDo).toContain('Ignore SSL Issues');
});

/** The error of n8n's request helper: older versions keep of the HTTP client's error its code alone. */
function wrapped(code: string, httpCode = code): NodeApiError {
	const error = new NodeApiError({} as INode, Object.assign(new Error(code), { code }) as never);
	return Object.assign(error, { httpCode, cause: undefined });
}

test.each([
	['ECONNREFUSED', { kind: 'notSent', code: 'ECONNREFUSED', passing: true }],
	['DEPTH_ZERO_SELF_SIGNED_CERT', { kind: 'notSent', code: 'DEPTH_ZERO_SELF_SIGNED_CERT', passing: false }],
	['ECONNABORTED', { kind: 'lost', code: 'ECONNABORTED' }],
	// Whether the connection or the answer took too long is not known, so it may have been sent.
	['ETIMEDOUT', { kind: 'lost', code: 'ETIMEDOUT' }],
	['EHOSTUNREACH', { kind: 'lost', code: 'EHOSTUNREACH' }],
])('%s without a cause, as older versions of n8n throw it', (code, failure) => {
	expect(transportFailure(wrapped(code))).toEqual(failure);
});

describe('whether a request can have reached the service', () => {
	const failing = (code: string, more: object = {}) =>
		transportFailure(new Error('by n8n', { cause: Object.assign(new Error('by the client', { cause: Object.assign(new Error(code), { code, ...more }) }), { code }) }));
	const connecting = { syscall: 'connect' };

	test.each(['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])('%s: no while connecting, otherwise perhaps', (code) => {
		expect(failing(code, connecting)).toEqual({ kind: 'notSent', code, passing: true });
		expect(failing(code, { errors: [connecting, connecting] })).toEqual({ kind: 'notSent', code, passing: true });
		for (const other of [{ syscall: 'read' }, { syscall: 'write' }, { errors: [] }, { errors: [connecting, {}] }, {}]) {
			expect(failing(code, other)).toEqual({ kind: 'lost', code });
		}
	});

	// OpenSSL's own codes come after the handshake: the other side may have read the request.
	test.each(['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_BAD_RECORD_TYPE', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'EPIPE', 'ERR_CANCELED'])('%s: perhaps', (code) => {
		expect(failing(code)).toEqual({ kind: 'lost', code });
	});

	test('a handshake that fails is no matter of certificates', () => {
		const failure = failing('EPROTO');
		expect(failure).toEqual({ kind: 'notSent', code: 'EPROTO', passing: false });
		expect(Object.values(describeFailure('SMS platform', failure)).join()).not.toMatch(/certificate|SSL Issues/);
		expect(describeFailure('SMS platform', failure).whatToDo).toContain('http or https');
	});
});

test('an HTTP status is no code of a connection', () => {
	expect(transportFailure(wrapped('ECONNRESET', '502'))).toEqual({ kind: 'lost', code: 'UNKNOWN' });
});

describe('the item of a failed row', () => {
	const problem = new Problem('Recipient: is empty', 'Fill the column', { outcome: 'rejected' });

	test('for the error branch it is an error to every version of n8n, and copies as its JSON alone', () => {
		const item = errorItem(problem, 3, 'continueErrorOutput');

		expect(item.error).toBeInstanceOf(Error);
		expect({ ...item }).toStrictEqual({
			json: { error: 'Recipient: is empty', message: 'Fill the column', details: { outcome: 'rejected' } },
			pairedItem: { item: 3 },
		});
	});

	test('for the one branch it is its JSON alone: an error would replace that', () => {
		expect(errorItem(problem, 3, 'continueRegularOutput').error).toBeUndefined();
	});
});

import { baseUrlFault, isLocal, operationUrl } from '../../../../lib/http/baseUrl';
import { Problem } from '../../../../lib/texts/problem';

describe('operationUrl', () => {
	it.each([
		['https://sms.example.gr:9999', 'https://sms.example.gr:9999/sendSMS'],
		['https://sms.example.gr:9999/sendSMS', 'https://sms.example.gr:9999/sendSMS'],
		['https://sms.example.gr:9999/sendSMS/', 'https://sms.example.gr:9999/sendSMS'],
		['https://sms.example.gr:9999/sendsms?x=1#y', 'https://sms.example.gr:9999/sendSMS'],
		[' https://sms.example.gr/platform/v2// ', 'https://sms.example.gr/platform/v2/sendSMS'],
		['\u200bhttps://sms.example.gr/sendSMS\u200b', 'https://sms.example.gr/sendSMS'],
	])('makes the URL for sending from the Base URL %j', (base, expected) => {
		expect(operationUrl(base, '/sendSMS')).toBe(expected);
	});

	it.each([
		['https://amka.example.gr', 'https://amka.example.gr/api/rest/v1/ssn_validation'],
		['https://amka.example.gr/x/api/rest/v1', 'https://amka.example.gr/x/api/rest/v1/ssn_validation'],
		['https://amka.example.gr/api/v9', 'https://amka.example.gr/api/v9/api/rest/v1/ssn_validation'],
		['https://amka.example.gr/rest/api', 'https://amka.example.gr/rest/api/rest/v1/ssn_validation'],
		['https://amka.example.gr/api/rest/v1/ssn_validation?ssn=1', 'https://amka.example.gr/api/rest/v1/ssn_validation'],
	])('makes the URL for AMKA look-ups from the Base URL %j', (base, expected) => {
		expect(operationUrl(base, '/api/rest/v1/ssn_validation')).toBe(expected);
	});

	it('throws an error that names the fault in the Base URL and the place to correct it', () => {
		expect(() => operationUrl('sms.example.gr', '/sendSMS')).toThrow(Problem);
		expect(() => operationUrl('sms.example.gr', '/sendSMS')).toThrow(
			expect.objectContaining({
				message: expect.stringMatching(/^Base URL must be a URL that begins with https:/) as unknown,
				description: 'Correct it in the credential',
			}),
		);
	});
});

describe('baseUrlFault', () => {
	it.each([
		...['', 'sms.example.gr', 'ftp://sms.example.gr', 'xhttps://sms.example.gr', 'javascript:alert(1)', null, 42, {}],
		...['https://user:password@sms.example.gr', 'https://user@sms.example.gr', 'https://:password@sms.example.gr'],
		`https://sms.example.gr/${'x'.repeat(2000)}`,
	])('rejects %j, because it is not a usable URL', (base) => {
		expect(baseUrlFault(base)).toMatch(/^must be a URL that begins with https:\/\/ and contains no user name$/);
	});

	it.each(['http://sms.example.gr', 'http://[2001:db8::1]'])(
		'rejects %j, because it would send the key unencrypted',
		(base) => expect(baseUrlFault(base)).toMatch(/unencrypted\. It must begin with https:/),
	);

	it.each([
		'https://sms.example.gr',
		'https://203.0.113.7',
		'http://localhost:5678',
		'http://2130706433:9999',
		`https://sms.example.gr/${'x'.repeat(2000 - 'https://sms.example.gr/'.length)}`,
	])('accepts %j', (base) => {
		expect(baseUrlFault(base)).toBeUndefined();
	});
});

describe('isLocal', () => {
	const hosts = (list: string) => list.split(' ').map((host) => new URL(`http://${host}/`).hostname);

	it.each([
		...hosts(
			'localhost sms n8n.localhost sms.local SMS.Internal a.b.lan 0.0.0.0 127.0.0.1 127.9.9.9 10.0.0.1 10.255.1.1',
		),
		...hosts('172.16.0.1 172.19.1.1 172.20.1.1 172.29.1.1 172.30.1.1 172.31.255.255 192.168.0.1'),
		...hosts('[::1] [::]'),
	])('returns true for %s', (host) => expect(isLocal(host)).toBe(true));

	it.each([
		...hosts('sms.example.gr local.example.gr sms.local.gr xlocal.gr sms.mylan 10.example.gr lan.gr sms.notlocal'),
		...hosts(
			'10.0.0.1.gr.example 127.0.0.1.example.gr 11.0.0.1 1.10.0.1 100.64.0.1 126.0.0.1 128.0.0.1 172.15.0.1 172.32.0.1 172.160.0.1 192.167.1.1 193.168.1.1',
		),
		...hosts('192.169.1.1 169.254.1.1 203.0.113.1 8.127.0.1'),
		...hosts('[2001:db8::1] [::2] [::ffff:203.0.113.1] [fd12:3456::1] [fe80::1] [2001:db8::fd00:1]'),
	])('returns false for %s', (host) => expect(isLocal(host)).toBe(false));
});

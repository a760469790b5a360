import { BASE_URL_RULE, operationUrl, requireOperationUrl } from '../../nodes/shared/baseUrl';

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

	it.each([
		[''],
		['sms.example.gr'],
		['https://user:password@sms.example.gr'],
		['https://user@sms.example.gr'],
		['ftp://sms.example.gr'],
		['javascript:alert(1)'],
		[null],
		[42],
		[{}],
	])('%j is no address', (base) => {
		expect(operationUrl(base, '/sendSMS')).toBeUndefined();
	});
});

test('an address that is none is an error that says what one has to be', () => {
	expect(() => requireOperationUrl('sms.example.gr', '/sendSMS')).toThrow(`Base URL ${BASE_URL_RULE}`);
	expect(BASE_URL_RULE).toContain('begins with http:// or https://');
	expect(requireOperationUrl('https://sms.example.gr', '/sendSMS')).toBe('https://sms.example.gr/sendSMS');
});

import { readRetryAfter } from '../../nodes/Sms/sendWithRetries';

describe('Retry-After', () => {
	it.each([
		['0', 0],
		[' 17 ', 17],
		['1.5', 1.5],
	])('%j is %d seconds', (header, seconds) => {
		expect(readRetryAfter(header)).toBe(seconds);
	});

	it('may be a date', () => {
		expect(readRetryAfter(new Date(Date.now() + 60_000).toUTCString())! / 60).toBeCloseTo(1, 1);
		expect(readRetryAfter('Wed, 21 Oct 2015 07:28:00 GMT')).toBe(0);
	});

	it.each([undefined, '', '-1', '1,5', '1.5.1', 'soon', '10 s', 'x 5'].map((header) => [header]))(
		'%j says nothing',
		(header) => {
			expect(readRetryAfter(header)).toBeUndefined();
		},
	);
});

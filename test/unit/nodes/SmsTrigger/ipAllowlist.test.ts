import { holdsAddress, isAllowedAddress } from '../../../../nodes/SmsTrigger/ipAllowlist';

/** Splits a row into an allowlist and the IP address of a client. */
const split = (row: string) => row.split(' <- ') as [list: string, client: string];

describe('the IP address of a client', () => {
	it.each([
		...[' <- 192.0.2.1', ' ,\n <- 192.0.2.1'],
		...['192.0.2.1 <- 192.0.2.1', '255.255.255.255 <- 255.255.255.255', '192.0.2.1/32 <- 192.0.2.1'],
		...['192.0.2.0/24 <- 192.0.2.255', '192.0.2.128/25 <- 192.0.2.129', '128.0.0.0/1 <- 255.0.0.1'],
		...['0.0.0.0/0 <- 203.0.113.9', 'nonsense 198.51.100.1,192.0.2.1 <- 192.0.2.1'],
		// IPv4 addresses that are mapped into IPv6, in the list and in the client, in each spelling.
		...['192.0.2.1 <- ::ffff:192.0.2.1', '192.0.2.1 <- ::FFFF:c000:201'],
		...['255.255.255.255 <- 0000:0000:0000:0000:0000:ffff:255.255.255.255', '::ffff:192.0.2.1 <- 192.0.2.1'],
		...['::ffff:192.0.2.1/128 <- 192.0.2.1', '::ffff:192.0.2.0/120 <- 192.0.2.7', '::ffff:0:0/96 <- 203.0.113.9'],
		...['::ffff:0:0/97 <- 127.0.0.1', '2001:db8::1 <- 2001:DB8:0:0:0:0:0:1', '2001:db8::1/128 <- 2001:db8::1'],
		...['2001:db8::/32 <- 2001:db8:ffff::1', '::/0 <- 2001:db8::1', ':: <- 0:0:0:0:0:0:0:0', '::1 <- ::0001'],
		...['1:2:3:4:5:6:7:8 <- 1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:: <- 1:2:3:4:5:6:7:0'],
		...['::2:3:4:5:6:7:8 <- 0:2:3:4:5:6:7:8', '1::8 <- 1:0:0:0:0:0:0:8'],
		...['2001:db8::192.0.2.1 <- 2001:db8::c000:201', '1:2:3:4:5:6:192.0.2.1 <- 1:2:3:4:5:6:c000:201'],
		...['fe80::/10 <- fe80::1%eth0', 'fe80::1 <- fe80::1%eth0%1'],
		// Some proxies add the client's port to its address.
		...['192.0.2.1 <- 192.0.2.1:51234', '2001:db8::1 <- [2001:db8::1]:443', '::1 <- [::1]'],
	])('is allowed if it is on the list, or if the list is empty: %s', (row) => {
		expect(isAllowedAddress(...split(row))).toBe(true);
	});

	it.each([
		...['192.0.2.1 <- ', '128.0.0.0/1 <- 127.255.255.255', 'fe80::1%eth0 <- fe80::1'],
		...['192.0.2.1 <- 192.0.2.2', '192.0.2.1 <- 192.0.3.1', '192.0.2.1 <- 192.1.2.1', '192.0.2.1 <- 193.0.2.1'],
		...['0.0.0.0/0 <- unknown', '192.0.2.0/24 <- 192.0.3.0', '192.0.2.0/31 <- 192.0.2.2'],
		// A range of one address family contains no address of the other family.
		...['::/0 <- 192.0.2.1', '::/0 <- ::ffff:192.0.2.1', '0.0.0.0/0 <- 2001:db8::1', '192.0.2.1 <- ::192.0.2.1'],
		...['192.0.2.1 <- ::fffe:192.0.2.1', '192.0.2.1 <- 1::ffff:192.0.2.1', '::1 <- ::2'],
		...['192.0.2.1 <- 192.0.2.2:51234', '192.0.2.1 <- 192.0.2.1:', '192.0.2.1 <- 192.0.2.1:x', '::1 <- [::2]:1'],
		...['2001:db8::/32 <- 2001:db9::', '2001:db8::/127 <- 2001:db8::2', '::8 <- 1:2:3:4:5:6:7:8'],
	])('is rejected if it is not on the list: %s', (row) => {
		expect(isAllowedAddress(...split(row))).toBe(false);
	});
});

/*
 * An invalid entry of the list allows no client. Each row has the client that the entry would allow if it were valid.
 */
describe('an invalid entry of the IP allowlist', () => {
	it.each([
		// A prefix outside of its bounds. For an IPv4 address that is mapped into IPv6 the least prefix is 96.
		...['::ffff:0:0/90 <- 203.0.113.9', '::ffff:0:0/95 <- 203.0.113.9', '::ffff:0:0/0 <- 203.0.113.9'],
		...['::ffff:192.0.2.1/129 <- 192.0.2.1', '192.0.2.1/33 <- 192.0.2.1', '2001:db8::1/129 <- 2001:db8::1'],
		...['192.0.2.1/ <- 192.0.2.1', '192.0.2.1/-1 <- 192.0.2.1', '192.0.2.1/+8 <- 192.0.2.1'],
		...['192.0.2.1/8x <- 192.0.2.1', '192.0.2.1/x8 <- 192.0.2.1', '192.0.2.1/1e1 <- 192.0.2.1'],
		...['192.0.2.1/0008 <- 192.0.2.1', '192.0.2.1/24/24 <- 192.0.2.1', '192.0.2.1/24/ <- 192.0.2.1'],
		...['/0 <- 192.0.2.1', '192.0.2 <- 192.0.2.0', '192.0.2.1.1 <- 192.0.2.1', 'x192.0.2.1 <- 192.0.2.1'],
		...['192.0.2.1x <- 192.0.2.1', '192.0.2.0001 <- 192.0.2.1', '192.0.0.256 <- 192.0.1.0'],
		...['256.0.0.0 <- 0.0.0.0', '192.0.2. <- 192.0.2.0', '1:2:3:4:5:6:7 <- 1:2:3:4:5:6:7:0'],
		...['1:2:3:4:5:6:7:8:9 <- 1:2:3:4:5:6:7:8', '1:2:3:4::5:6:7:8 <- 1:2:3:4:5:6:7:8'],
		...['1:2:3:4:5:6:7:8:: <- 1:2:3:4:5:6:7:8', '1::2::3 <- 1:0:0:2:0:0:0:3', '1::2::3 <- 1::2', '1:::8 <- 1::8'],
		...[':2:3:4:5:6:7:8 <- 0:2:3:4:5:6:7:8', '1:2:3:4:5:6:7: <- 1:2:3:4:5:6:7:0', '::00001 <- ::1', '::g <- ::'],
		...['::-1 <- ::1', '::1 x <- ::2', '::1.2.3.4:5 <- ::5', '::1.2.3.256 <- ::1.2.3.0', '1.2.3.4:: <- 1.2.3.4'],
		...['192.0.2.1: <- 192.0.2.1', 'sms.example.gr <- 192.0.2.1', '* <- 192.0.2.1'],
	])('does not allow the client that it would allow if it were valid: %s', (row) => {
		const [entry, client] = split(row);
		expect(isAllowedAddress(entry, client)).toBe(false);
		expect(isAllowedAddress(`198.51.100.1 ${entry}`, client)).toBe(false);
	});
});

test('a client without an IP address is rejected if the IP allowlist is not empty', () => {
	expect(isAllowedAddress('192.0.2.1', undefined)).toBe(false);
});

test.each<[string, boolean]>([
	['192.0.2.1', true],
	['nonsense, 2001:db8::/32', true],
	['192.0.2.0/24 nonsense', true],
	['', false],
	[' ,', false],
	['nonsense', false],
	['::ffff:0:0/90', false],
])('holdsAddress recognises whether the list %j contains a valid address: %j', (list, holds) => {
	expect(holdsAddress(list)).toBe(holds);
});

/**
 * Returns whether a client's IP address is in a list of addresses and CIDR ranges. An empty list allows all clients. An entry
 * that can't be read allows no client. IPv4 mapped into IPv6 counts as IPv4 (RFC 4291, 2.5.5.2).
 * @param address the client's address, which may have a port and an IPv6 zone
 */
export function isAllowedAddress(list: string, address: string | undefined): boolean {
	const entries = entriesOf(list);
	if (entries.length === 0) return true;
	const client = parseAddress(withoutPort((address ?? '').slice(0, LONGEST)).split('%', 1)[0]!);
	return client !== undefined && entries.some((entry) => contains(parseRange(entry), client));
}

/** The longest text that can be an address with zone and port. The address may come from a header, which can be longer. */
const LONGEST = 100;

/** Removes the client's port, as in 192.0.2.1:51234 or [2001:db8::1]:51234. Some proxies (Azure's, IIS) add it. */
const withoutPort = (address: string) => address.replace(/^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/, '$1$2');

/** Returns whether a list has at least one entry that can be read, so that it can allow a client. */
export const holdsAddress = (list: string): boolean => entriesOf(list).some((entry) => parseRange(entry) !== undefined);

const entriesOf = (list: string): string[] => list.split(/[\s,]+/u).filter(Boolean);

/** Parses an address or a CIDR range. @returns `length`: the number of bits of the network */
function parseRange(entry: string) {
	const [network, prefix, ...rest] = entry.split('/');
	const range = parseAddress(network!);
	if (range === undefined || rest.length > 0) return undefined;
	if (prefix !== undefined && !/^\d{1,3}$/.test(prefix)) return undefined;
	const length = prefix === undefined ? range.bits : Number(prefix) - range.before;
	return length < 0 || length > range.bits ? undefined : { ...range, length };
}

/** Returns whether a range contains the address of a client. */
function contains(range: ReturnType<typeof parseRange>, client: { bits: number; value: bigint }): boolean {
	if (range === undefined || range.bits !== client.bits) return false;
	const shift = BigInt(range.bits - range.length);
	return range.value >> shift === client.value >> shift;
}

/**
 * Parses an address.
 * @returns `before`: the number of bits that were removed before the address. It is 96 for IPv4 mapped into IPv6, otherwise 0
 */
function parseAddress(text: string) {
	// The longest form, an IPv4 address mapped into IPv6 with all its zeros, has 45 characters.
	if (text.length > 45) return undefined;
	const ipv4 = parseIpv4(text);
	if (ipv4 !== undefined) return { bits: 32, value: ipv4, before: 0 };
	const ipv6 = parseIpv6(text);
	if (ipv6 === undefined) return undefined;
	return ipv6 >> 32n === 0xffffn
		? { bits: 32, value: ipv6 & 0xffff_ffffn, before: 96 }
		: { bits: 128, value: ipv6, before: 0 };
}

function parseIpv4(text: string): bigint | undefined {
	if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)) return undefined;
	const octets = text.split('.').map(Number);
	if (octets.some((octet) => octet > 255)) return undefined;
	return octets.reduce((value, octet) => (value << 8n) | BigInt(octet), 0n);
}

/**
 * Parses an IPv6 address (RFC 4291, 2.2): eight groups of hex digits. `::` stands for one run of zero groups. The last two groups
 * may be written as an IPv4 address.
 */
function parseIpv6(text: string): bigint | undefined {
	const [, start, last = ''] = /(.*:)(.*)/s.exec(text) ?? [];
	const ipv4 = parseIpv4(last);
	const inHex = ipv4 === undefined ? text : `${start}${(ipv4 >> 16n).toString(16)}:${(ipv4 & 0xffffn).toString(16)}`;
	const halves = inHex.split('::');
	if (halves.length > 2) return undefined;
	const [head, tail] = halves.map((half) => (half === '' ? [] : half.split(':')));
	const missing = 8 - head!.length - (tail?.length ?? 0);
	if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined;
	const groups = [...head!, ...new Array<string>(missing).fill('0'), ...(tail ?? [])];
	if (!groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined;
	return groups.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n);
}

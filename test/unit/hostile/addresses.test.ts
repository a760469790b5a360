import fc from 'fast-check';

import { isAllowedAddress } from '../../../nodes/SmsTrigger/ipAllowlist';
import { signReportUrl, verifyReportUrl } from '../../../lib/smsPlatform/reportSignature';
import { oneChanged } from '../../hostile/generators';
import { holds } from '../../hostile/property';

describe('for any IP address or report URL,', () => {
	const v4 = fc.ipV4();
	const toNumber = (address: string) => address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);

	holds(
		'a client is in an IP range of the allowlist exactly if the first bits are equal',
		2.5,
		fc.tuple(v4, v4, fc.nat(32)),
		([network, caller, length]) => {
			const size = 2 ** (32 - length);
			const expected = Math.floor(toNumber(network) / size) === Math.floor(toNumber(caller) / size);
			expect(isAllowedAddress(`${network}/${length}`, caller)).toBe(expected);
			expect(isAllowedAddress(`10.0.0.1 , ${network}/${length}`, `::ffff:${caller}`)).toBe(
				expected || caller === '10.0.0.1',
			);
			expect(isAllowedAddress(network, network)).toBe(true);
		},
	);

	const reference = fc
		.string({ unit: 'binary', minLength: 1, maxLength: 60 })
		.filter((one) => !/[\p{Cc}\p{Cs}]/u.test(one));
	const signed = fc.record({
		serviceId: fc.string({ minLength: 1, maxLength: 20 }),
		reference,
		mid: fc.uuid(),
		key: fc.string({ minLength: 1, maxLength: 40 }),
	});
	const now = 1_700_000_000;
	const queryOf = (url: string) => Object.fromEntries(new URL(url).searchParams);
	const verify = async (query: unknown, serviceId: string | undefined, key: string, at = now) =>
		(await verifyReportUrl(query, serviceId, async () => ({ current: key }), at)).state;

	holds(
		'a signed report URL is valid for a week, and invalid if a character of a signed value, of the key or of the signature is changed',
		7,
		signed.chain((one) =>
			fc.tuple(
				fc.constant(one),
				fc.record({
					serviceId: oneChanged(one.serviceId),
					key: oneChanged(one.key),
					ref: oneChanged(one.reference),
					mid: oneChanged(one.mid),
				}),
				fc.nat(42),
				fc.nat(9),
			),
		),
		async ([{ serviceId, reference: ref, mid, key }, other, at, digit]) => {
			const query = queryOf(
				signReportUrl('https://n8n.example.gr/webhook/x/dlr?keep=1', { serviceId, reference: ref, mid }, key, now),
			);
			expect(await verifyReportUrl(query, serviceId, async () => ({ current: key }), now)).toEqual({
				state: 'valid',
				reference: ref.normalize('NFC'),
				mid,
			});
			expect(await verify(query, serviceId, key, now + 7 * 86_400)).toBe('valid');
			expect(await verify(query, serviceId, key, now + 7 * 86_400 + 1)).toBe('invalid');
			expect(await verify(query, other.serviceId, key)).toBe('invalid');
			expect(await verify(query, serviceId, other.key)).toBe('invalid');
			expect(await verify({ ...query, ref: other.ref }, serviceId, key)).toBe('invalid');
			expect(await verify({ ...query, mid: other.mid }, serviceId, key)).toBe('invalid');
			const { sig, exp } = query as { sig: string; exp: string };
			const flip = (whole: string, i: number, to: string) =>
				whole.slice(0, i) + (whole[i] === to ? '_' : to) + whole.slice(i + 1);
			expect(await verify({ ...query, sig: flip(sig, at, 'A') }, serviceId, key)).toBe('invalid');
			expect(await verify({ ...query, exp: flip(exp, digit, '9') }, serviceId, key)).toBe('invalid');
		},
	);
});

import fc from 'fast-check';
import type { IExecuteFunctions } from 'n8n-workflow';

import { isAllowedAddress } from '../../../nodes/Sms/receive/ipAllowlist';
import { countSegments, fillPlaceholders } from '../../../nodes/Sms/messageText';
import { signReportAddress, verifyReportAddress } from '../../../nodes/Sms/reportAddress';
import { sendMessage, sendProblem, type Row } from '../../../nodes/Sms/send';
import { body, mutated, oneChanged, overTheWire, text, value, type Body } from '../../hostile/generators';
import { holds } from '../../hostile/property';

const short = (of: fc.Arbitrary<string>) => of.map((long) => long.slice(0, 300));

describe('the answer of the SMS platform', () => {
	const KEY = 'psk-7&Ω"<9f3 a\\';
	const row: Row = {
		message: { serviceId: 'grades', messageId: 'g1', recipient: '6912345678', replacements: ['8'] },
		reference: 'r-1',
		timeout: 1000,
	};
	const request = JSON.stringify({ ...row.message, institution: 'uni', 'pre-shared key': KEY });
	const echo = fc.constantFrom(
		KEY,
		request,
		JSON.stringify(request),
		JSON.stringify(JSON.stringify(request)),
		request.replace(/[^ -~]/gu, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`),
		encodeURIComponent(request),
		new URLSearchParams({ 'pre-shared key': KEY, recipient: '6912345678' }).toString(),
		request.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
		request.replaceAll('&', '&#38;').replaceAll('"', '&#x22;'),
	);
	const said = fc.oneof(
		{ weight: 2, arbitrary: fc.constant('') },
		{ weight: 3, arbitrary: text },
		{ weight: 3, arbitrary: fc.tuple(short(text), echo, short(text)).map((parts) => parts.join('')) },
		{ weight: 1, arbitrary: fc.tuple(echo, fc.integer({ min: 1, max: 300 })).map(([one, times]) => one.repeat(times)) },
	);
	const valid: fc.Arbitrary<Body> = fc.record({ serviceId: fc.constant('grades'), errorCode: said, error: said }, { requiredKeys: [] });
	const status = fc.oneof({ weight: 3, arbitrary: fc.constant(200) }, { weight: 2, arbitrary: fc.constantFrom(204, 302, 400, 401, 403, 404, 408, 429, 500, 502, 503) }, { weight: 1, arbitrary: fc.integer({ min: 200, max: 599 }) });

	holds(
		'counts as taken only without an error, and otherwise ends in an error without the key or a whole number',
		10,
		fc.tuple(status, body(valid), fc.dictionary(fc.constantFrom('retry-after', 'location', '__proto__'), fc.oneof(text, fc.array(text, { maxLength: 2 })))),
		async ([statusCode, answered, headers]) => {
			const answer = overTheWire(answered);
			const context = {
				helpers: { httpRequestWithAuthentication: async () => ({ statusCode, body: answer, headers }) },
			} as unknown as IExecuteFunctions;
			const credential = { type: 'smsPlatformApi', data: { baseUrl: 'https://sms.example.gr:9999', institution: 'uni', preSharedKey: KEY } };
			const sent = await sendMessage(context, credential, row.message, row.timeout);

			const isObject = typeof answer === 'object' && answer !== null && !Array.isArray(answer);
			const says = ['errorCode', 'error'].filter((name) => isObject && Object.hasOwn(answer, name)).map((name) => (answer as Body)[name]);
			const isClean = says.length > 0 && says.every((one) => one === null || one === '');
			if (sent.outcome === 'taken') expect([isClean, statusCode < 300]).toEqual([true, true]);
			else expect(isClean && statusCode < 300).toBe(false);
			// Nothing that the platform may have taken may be sent again by itself.
			if (statusCode >= 500 && statusCode !== 503) expect(sent.outcome).toBe('unknown');
			if (sent.outcome === 'taken') return;

			const problem = sendProblem(sent, row);
			const shown = `${problem.message}\n${problem.description}\n${JSON.stringify({ ...problem.details, recipient: '' })}`;
			for (const secret of [KEY, JSON.stringify(KEY).slice(1, -1), encodeURIComponent(KEY), '9f3', '6912345678']) {
				expect(shown).not.toContain(secret);
			}
			expect(problem.message).not.toMatch(/\d{7}/);
			expect(shown.length).toBeLessThan(1000);
		},
	);
});

describe('the text of a message', () => {
	const label = fc.string({ unit: fc.constantFrom(...'Μάθημα, 1') });

	holds('has each replacement at its placeholder, and a replacement is never read as a placeholder', 1.25, fc.tuple(fc.array(short(text), { maxLength: 5 }), fc.array(label, { minLength: 5, maxLength: 5 })), ([replacements, labels]) => {
		const parts = replacements.map((_, i) => `{${labels[i]!.replace(/,\s*1*\s*$/, '')},${i + 1}}`);
		expect(fillPlaceholders(parts.join(' | '), replacements)).toEqual({ text: replacements.join(' | ') });
		expect(fillPlaceholders(parts.join(' | '), [...replacements, 'x'])).toHaveProperty('fault');
	});

	holds('what the operator wrote by mistake is a fault or stays as it is', 1.25, fc.tuple(fc.string({ unit: fc.constantFrom(...'{},01239 \n$&α') }), fc.array(short(text), { maxLength: 3 })), ([messageText, replacements]) => {
		const filled = fillPlaceholders(messageText, replacements);
		if ('text' in filled && replacements.length === 0) expect(filled.text).toBe(messageText);
		else if ('fault' in filled) expect(filled.fault).not.toBe('');
	});

	const letters = fc.string({ unit: fc.oneof(fc.constantFrom(...'abΔΦ\n@€{}~^|'), fc.constantFrom('ά', '😀', 'Ж')), maxLength: 700 });
	const plain = fc.string({ unit: fc.constantFrom(...'abcXYZ0123 ΔΦΓ€[]'), maxLength: 700 });

	holds('takes as many segments as the standard says', 1.25, plain, (message) => {
		const septets = [...message].reduce((sum, letter) => sum + ('€[]'.includes(letter) ? 2 : 1), 0);
		const segments = countSegments(message);
		if (septets <= 160) expect(segments).toBe(1);
		else {
			// An escaped letter is not split, so a part may lose one septet.
			expect(segments).toBeGreaterThanOrEqual(Math.ceil(septets / 153));
			expect(segments).toBeLessThanOrEqual(Math.ceil(septets / 152));
		}
		// One letter that the alphabet lacks makes each of them 16 bits wide.
		const units = message.length + 1;
		expect(countSegments(`${message}ά`)).toBe(units <= 70 ? 1 : Math.ceil(units / 67));
	});

	holds('never takes fewer segments when something is added', 1.25, fc.tuple(letters, letters), ([message, more]) => {
		expect(countSegments(message + more)).toBeGreaterThanOrEqual(countSegments(message));
	});
});

describe('addresses', () => {
	const v4 = fc.ipV4();
	const toNumber = (address: string) => address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);

	holds('a caller is in a range where the first bits agree', 1.25, fc.tuple(v4, v4, fc.nat(32)), ([network, caller, length]) => {
		const size = 2 ** (32 - length);
		const expected = Math.floor(toNumber(network) / size) === Math.floor(toNumber(caller) / size);
		expect(isAllowedAddress(`${network}/${length}`, caller)).toBe(expected);
		expect(isAllowedAddress(`10.0.0.1 , ${network}/${length}`, `::ffff:${caller}`)).toBe(expected || caller === '10.0.0.1');
		expect(isAllowedAddress(network, network)).toBe(true);
	});

	holds('a caller who is not on the list is not let in by what it calls itself', 1.25, fc.tuple(text, fc.oneof(text, fc.ipV6(), v4)), ([list, caller]) => {
		expect(isAllowedAddress('192.0.2.1, 2001:db8::/32', caller)).toBe(/^(::ffff:)?192\.0\.2\.1$|^2001:0?db8:/i.test(caller) && isAllowedAddress('0.0.0.0/0, ::/0', caller));
		if (/[^\s,]/u.test(list) && !/[\d.:]/.test(list)) expect(isAllowedAddress(list, '192.0.2.1')).toBe(false);
	});

	const reference = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }).filter((one) => !/[\p{Cc}\p{Cs}]/u.test(one));
	const signed = fc.record({ serviceId: fc.string({ minLength: 1, maxLength: 20 }), reference, key: fc.string({ minLength: 1, maxLength: 40 }) });
	const now = 1_700_000_000;
	const queryOf = (url: string) => Object.fromEntries(new URL(url).searchParams);
	const verify = async (query: unknown, serviceId: string | undefined, key: string, at = now) => (await verifyReportAddress(query, serviceId, async () => ({ current: key }), at)).state;

	holds(
		'a signed report address is valid for a week, and with any character changed it is not',
		4,
		signed.chain((one) =>
			fc.tuple(fc.constant(one), fc.record({ serviceId: oneChanged(one.serviceId), key: oneChanged(one.key), ref: oneChanged(one.reference) }), fc.nat(42), fc.nat(9)),
		),
		async ([{ serviceId, reference: ref, key }, other, at, digit]) => {
			const query = queryOf(signReportAddress('https://n8n.example.gr/webhook/x/dlr?keep=1', serviceId, ref, key, now));
			expect(await verifyReportAddress(query, serviceId, async () => ({ current: key }), now)).toEqual({ state: 'valid', reference: ref });
			expect(await verify(query, serviceId, key, now + 7 * 86_400)).toBe('valid');
			expect(await verify(query, serviceId, key, now + 7 * 86_400 + 1)).toBe('invalid');
			expect(await verify(query, other.serviceId, key)).toBe('invalid');
			expect(await verify(query, serviceId, other.key)).toBe('invalid');
			expect(await verify({ ...query, ref: other.ref }, serviceId, key)).toBe('invalid');
			const { sig, exp } = query as { sig: string; exp: string };
			const flip = (whole: string, i: number, to: string) => whole.slice(0, i) + (whole[i] === to ? '_' : to) + whole.slice(i + 1);
			expect(await verify({ ...query, sig: flip(sig, at, 'A') }, serviceId, key)).toBe('invalid');
			expect(await verify({ ...query, exp: flip(exp, digit, '9') }, serviceId, key)).toBe('invalid');
		},
	);

	holds('no query that was not signed is valid', 3, fc.oneof(mutated(fc.constant({ ref: 'r', exp: '99999999999', sig: 'A'.repeat(43) })), value), async (query) => {
		expect(['invalid', 'missing']).toContain(await verify(query, 'grades', 'key'));
	});
});

import fc from 'fast-check';

import { hideInData, hideNumber, hideSecret, keyAsUsed, sameText } from '../../nodes/shared/secrets';
import { encodings } from '../../sandbox/echo';
import { findSecrets } from '../spellings';

/** Printable, as keys are; not of the mark that hides them. */
const secrets = fc
	.string({ unit: 'grapheme', minLength: 3, maxLength: 40 })
	.filter((text) => !/[\p{Cc}\p{Cs}•]/u.test(text) && !/\\{8}/.test(text));
const others = fc.string({ maxLength: 20 });

describe('hideSecret', () => {
	it.each(Object.entries(encodings))('finds any secret that is written as %s, in any text', (_, encode) => {
		fc.assert(
			fc.property(secrets, others, others, (secret, before, after) => {
				// A short secret is not looked for inside of what is encoded as a whole.
				fc.pre(Buffer.byteLength(secret) >= 8 || !/base64|hex/.test(encode.name));
				const hidden = hideSecret(encode(before + secret + after), secret);
				expect(findSecrets(hidden, [secret])).toEqual([]);
			}),
			{ numRuns: 50 },
		);
	});

	it.each(Object.entries(encodings))('finds any secret in a JSON body that is written as %s', (_, encode) => {
		fc.assert(
			fc.property(secrets, others, (secret, other) => {
				fc.pre(Buffer.byteLength(secret) >= 8);
				const body = encode(JSON.stringify({ institution: other, 'pre-shared key': secret }));
				expect(findSecrets(hideSecret(body, secret), [secret, JSON.stringify(secret).slice(1, -1)])).toEqual([]);
			}),
			{ numRuns: 50 },
		);
	});

	it.each(['base64', 'base64url', 'hex'] as const)('finds a key with a quote and a backslash in a JSON body that is written as %s', (name) => {
		const secret = 'psk"7&Ω\\-91';
		const body = encodings[name](JSON.stringify({ 'pre-shared key': secret }));
		expect(hideSecret(`echo: ${body}`, secret)).toBe('echo: •••');
	});

	it.each(['κλειδί"1"+2/3 &\\<', '\\\\\\\\', '%25%25', '&amp;&', 'aaaaaaaaaaaa', '$&$1.*+?^${}()|[]\\/-'])(
		'comes back from long texts of what %j is made of, and takes nothing for it that is not',
		(secret) => {
			for (const part of ['\\', '%25', '&amp;', '&#0000', '\\u00', 'a', '\\"', secret.slice(0, -1) + '·', ' ']) {
				const text = part.repeat(Math.floor(90_000 / part.length));
				const hidden = hideSecret(text, secret);
				if (!text.includes(secret[0]!) && !/^[\\%&]/.test(part)) expect(hidden).toBe(text);
			}
			expect(hideSecret('a'.repeat(1_000_000), secret)).toBe('•••');
		},
	);

	it('finds a backslash that HTML writes as a number', () => {
		expect(hideSecret('&#97;&#92;&#98; &#x61;&#x5C;&#x62;', 'a\\b')).toBe('••• •••');
	});

	it('leaves everything as it is where there is no secret', () => {
		expect(hideSecret('abc', '')).toBe('abc');
	});
});

describe('hideInData', () => {
	it('goes through names and values, lists and objects, and leaves the rest', () => {
		const data = { a: ['x secret-1 y', 7, null, true], 'secret-1': { deep: 'secret-1' }, b: undefined };
		expect(hideInData(data, ['secret-1'])).toEqual({ a: ['x ••• y', 7, null, true], '•••': { deep: '•••' }, b: undefined });
	});

	it('leaves out what is too long to be looked through, and keeps what stands beside it', () => {
		const megabyte = 'a'.repeat(1_000_000);
		expect(hideInData({ before: 'a', megabyte, [megabyte]: 1, after: 'b' }, ['secret-1'])).toEqual({ before: 'a', megabyte: '•••', '•••': 1, after: 'b' });
		const parts = hideInData(megabyte.match(/.{1000}/g)!, ['secret-1']);
		expect(parts.slice(0, 40)).toEqual(parts.slice(0, 40).map(() => 'a'.repeat(1000)));
		expect(parts.slice(100)).toEqual(parts.slice(100).map(() => '•••'));
	});

	it.each(['4938', '049381', '4938120493'])('finds the code %s by itself and in a request, in base64 and in hexadecimal', (code) => {
		for (const encoding of ['base64', 'base64url', 'hex'] as const) {
			for (const text of [code, `["${code}"]`, `x${code}`, `xy${code}z`]) {
				const packed = Buffer.from(text).toString(encoding);
				expect(hideSecret(`The request was ${packed}, which is wrong`, code)).toBe('The request was •••, which is wrong');
			}
		}
		expect(hideSecret('Unknown service verification, reference 1f0c77be-90a4', code)).toBe('Unknown service verification, reference 1f0c77be-90a4');
	});

	it('looks for no secret of a few letters', () => {
		expect(hideInData({ match: 'true' }, ['true', ''])).toEqual({ match: 'true' });
	});

	it('pollutes no prototype, and comes back from the deepest data', () => {
		const polluted = hideInData(JSON.parse('{"__proto__":{"polluted":"secret-1"}}') as object, ['secret-1']);
		expect(Object.keys(polluted)).toEqual(['__proto__']);
		expect(({} as { polluted?: string }).polluted).toBeUndefined();
		const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as unknown;
		expect(JSON.stringify(hideInData(deep, ['secret-1'])).length).toBeLessThan(200);
	});
});

describe('hideNumber', () => {
	it.each([
		['to 6912345678!', 'to •••78!'],
		['to +30 691 234 5678!', 'to +30 •••78!'],
		['691\u2212234\u22125678', '•••78'],
		['691-234-5678, 691%20234%205678', '•••78, •••78'],
		['code 1000000007, service 2026100', 'code 1000000007, service 2026100'],
		['', ''],
	])('takes the row\'s own number out of %j, and no other', (text, expected) => {
		expect(hideNumber(text, '6912345678')).toBe(expected);
	});

	it('knows the number however the row wrote it', () => {
		expect(hideNumber('6912345678', '691 234-5678')).toBe('•••78');
	});

	it.each(['', 'dokimi01', '123456'])('%j is no number', (name) => {
		expect(hideNumber('dokimi01 123456', name)).toBe('dokimi01 123456');
	});
});

test('a key is used without what came along when it was pasted', () => {
	expect([' key\n', '\u200bkey\ufeff', 'key', undefined, null].map(keyAsUsed)).toEqual(['key', 'key', 'key', '', '']);
});

test('texts are the same only where they are', () => {
	expect([sameText('a', 'a'), sameText('a', 'b'), sameText('', 'a'), sameText('', '')]).toEqual([true, false, false, true]);
	expect(sameText('a'.repeat(1_000_000), 'a'.repeat(1_000_000))).toBe(false);
});

import { hideInData, hideSecrets, keyAsUsed, sameText } from '../../nodes/shared/secrets';
import { encodings } from '../../sandbox/echo';
import { findSecrets } from '../spellings';

/** Texts that other programs wrote of this key, none of them by code of this repository. */
const GOLDEN_KEY = 'κλειδί"$1_a-9+é/%=';
const golden: Array<[string, string]> = [
	["Python's repr of bytes", "b'\\xce\\xba\\xce\\xbb\\xce\\xb5\\xce\\xb9\\xce\\xb4\\xce\\xaf\"$1_a-9+\\xc3\\xa9/%='"],
	["Python's ascii", "'\\u03ba\\u03bb\\u03b5\\u03b9\\u03b4\\u03af\"$1_a-9+\\xe9/%='"],
	['git and C, in octal', '\\316\\272\\316\\273\\316\\265\\316\\271\\316\\264\\316\\257"$1_a-9+\\303\\251/%='],
	["nginx's log", '\\xCE\\xBA\\xCE\\xBB\\xCE\\xB5\\xCE\\xB9\\xCE\\xB4\\xCE\\xAF\\x22$1_a-9+\\xC3\\xA9/%='],
	[
		"JavaScript's code points",
		'\\u{3BA}\\u{3BB}\\u{3B5}\\u{3B9}\\u{3B4}\\u{3AF}\\u{22}\\u{24}1\\u{5F}a\\u{2D}9\\u{2B}\\u{E9}\\u{2F}\\u{25}\\u{3D}',
	],
	[
		'mail',
		'{"pre-shared key":"=CE=BA=CE=BB=CE=B5=CE=B9=CE=B4=CE=AF\\"$1_a-9+=C3=A9/%=3D=\n","more":"and a line that is long enough to be broken"}',
	],
	[
		'base64 in lines',
		'eyJpbnN0aXR1dGlvbiI6ImV4YW1wbGUtdW5pdmVyc2l0eSIsInJlY2lwaWVudCI6IjY5MTIzNDU2\nNzgiLCJwcmUtc2hhcmVkIGtleSI6Ilx1MDNiYVx1MDNiYlx1MDNiNVx1MDNiOVx1MDNiNFx1MDNh\nZlwiJDFfYS05K1x1MDBlOS8lPSJ9\n',
	],
	[
		'base64 in lines of Windows',
		'eyJpbnN0aXR1dGlvbiI6ImV4YW1wbGUtdW5pdmVyc2l0eSIsInJlY2lwaWVudCI6IjY5MTIzNDU2\r\nNzgiLCJwcmUtc2hhcmVkIGtleSI6Is66zrvOtc65zrTOr1wiJDFfYS05K8OpLyU9In0=\r\n',
	],
	['hexadecimal with spaces', 'ce ba ce bb ce b5 ce b9 ce b4 ce af 22 24 31 5f 61 2d 39 2b c3 a9 2f 25 3d'],
	['hexadecimal with colons', 'ce:ba:ce:bb:ce:b5:ce:b9:ce:b4:ce:af:22:24:31:5f:61:2d:39:2b:c3:a9:2f:25:3d'],
	[
		'hexadecimal with dashes, in capitals',
		'CE-BA-CE-BB-CE-B5-CE-B9-CE-B4-CE-AF-22-24-31-5F-61-2D-39-2B-C3-A9-2F-25-3D',
	],
	[
		'a list of C',
		'0xce, 0xba, 0xce, 0xbb, 0xce, 0xb5, 0xce, 0xb9, 0xce, 0xb4, 0xce, 0xaf, 0x22, 0x24, 0x31, 0x5f, 0x61, 0x2d, 0x39, 0x2b, 0xc3, 0xa9, 0x2f, 0x25, 0x3d',
	],
	[
		"JSON's list of bytes",
		'[206, 186, 206, 187, 206, 181, 206, 185, 206, 180, 206, 175, 34, 36, 49, 95, 97, 45, 57, 43, 195, 169, 47, 37, 61]',
	],
	['HTML 5 by PHP', 'κλειδί&quot;&dollar;1&lowbar;a-9&plus;&eacute;&sol;&percnt;&equals;'],
	[
		'HTML with Greek letters',
		'&kappa;&lambda;&epsi;&iota;&delta;&#943;&quot;&dollar;1&lowbar;a-9+&eacute;&sol;&percnt;=',
	],
];

describe('a key that somebody else wrote', () => {
	it.each(golden)('is found: %s', (_, text) => {
		for (const whole of [
			text,
			`Cannot read: ${text} (see the manual)`,
			JSON.stringify({ error: text }),
			encodeURIComponent(text),
		]) {
			const hidden = hideSecrets(whole, [GOLDEN_KEY]);
			expect(hidden).toContain('•••');
			for (const part of ['1_a-9', '1&lowbar;a', '\\xc3\\xa9', 'c3 a9', 'c3:a9', '195, 169', '0xc3', '=C3=A9'])
				expect(hidden).not.toContain(part);
		}
	});

	it.each(golden)('is not found where another one is written: %s', (_, text) => {
		expect(hideSecrets(text, ['another "key" $2_b-8'])).toBe(text);
	});

	it('is found in any two ways of writing, one inside the other', () => {
		const secret = 'psk "7$&_Ω-91/λ';
		const body = JSON.stringify({
			institution: 'example-university',
			recipient: '6912345678',
			'pre-shared key': secret,
		});
		const missed: string[] = [];
		for (const [inner, write] of Object.entries(encodings)) {
			for (const [outer, writeAgain] of Object.entries(encodings)) {
				const text = writeAgain(write(body));
				const hidden = hideSecrets(text, [secret]);
				if (!hidden.includes('•••') || findSecrets(hidden, [secret]).length > 0) missed.push(`${inner} in ${outer}`);
			}
		}
		expect(missed).toEqual([]);
	});
});

describe('hideSecrets', () => {
	it.each(['base64', 'base64url', 'hex'] as const)(
		'finds a key with a quote and a backslash in a JSON body that is written as %s',
		(name) => {
			const secret = 'psk"7&Ω\\-91';
			const body = encodings[name](JSON.stringify({ 'pre-shared key': secret }));
			expect(hideSecrets(`echo: ${body}`, [secret])).toBe('echo: •••');
		},
	);

	it.each(['κλειδί"1"+2/3 &\\<', '\\\\\\\\', '%25%25', '&amp;&', 'aaaaaaaaaaaa', '$&$1.*+?^${}()|[]\\/-'])(
		'comes back from long texts of what %j is made of, and takes nothing for it that is not',
		(secret) => {
			for (const part of ['\\', '%25', '&amp;', '&#0000', '\\u00', 'a', '\\"', secret.slice(0, -1) + '·', ' ']) {
				const text = part.repeat(Math.floor(45_000 / part.length));
				const hidden = hideSecrets(text, [secret]);
				if (!text.includes(secret[0]!) && !/^[\\%&]/.test(part)) expect(hidden).toBe(text);
			}
			expect(hideSecrets('a'.repeat(1_000_000), [secret])).toBe('•••');
		},
	);

	it.each([
		['  %', '00', 'url'],
		['key-1%', '25', 'urlTwice'],
		['key-1&', 'lt;', 'html'],
		['key-1&', 'lt;', 'url'],
		['key-1"%', '41', 'json'],
		['key-1"%', '41', 'jsonTwice'],
		['key-1&%', '41', 'html'],
		['key-1+', '%41', 'form'],
	] as const)(
		'finds %j where %j follows, which reads on in the way of another kind, written as %s',
		(secret, after, encoding) => {
			expect(hideSecrets(encodings[encoding](`is ${secret}${after}`), [secret])).not.toContain('key-1');
			expect(findSecrets(hideSecrets(encodings[encoding](`is ${secret}${after}`), [secret]), [secret])).toEqual([]);
		},
	);

	it.each([
		['\\/', (base64: string) => base64.replaceAll('/', '\\/')],
		['%2F', encodeURIComponent],
		['\\u002f', (base64: string) => base64.replaceAll('/', '\\u002f')],
	])('finds a key in base64 whose slashes are written as %s', (_, escape) => {
		const secret = 'key-???????????-1';
		const packed = Buffer.from(JSON.stringify({ 'pre-shared key': secret })).toString('base64');
		expect(packed).toMatch(/[/].*[/]/);
		expect(hideSecrets(`echo: ${escape(packed)}`, [secret])).toBe('echo: •••');
	});

	it('comes to an end where the key is made of the mark that hides it', () => {
		expect(['•', '•••', 'x••'].map((secret) => hideSecrets('xxx••••', [secret]))).toEqual([
			'•••',
			'xxx••••',
			'•'.repeat(7),
		]);
	});

	it('finds a key that was put into capitals', () => {
		expect(hideSecrets('THE KEY ΚΛΕΙΔΊ-7A%22', ['κλειδί-7a"'])).toBe('THE KEY •••');
	});

	it('finds a backslash that HTML writes as a number', () => {
		expect(hideSecrets('&#97;&#92;&#98; &#x61;&#x5C;&#x62;', ['a\\b'])).toBe('••• •••');
	});

	it('hides several, and the longer one where one begins with another', () => {
		const hidden = hideSecrets('a key-1 b key-1-long c%20key%2D2', ['key-1', '', 'key-1-long', 'key-2']);
		expect(hidden).toBe('a ••• b ••• c •••');
	});

	it('leaves everything as it is where there is no secret', () => {
		expect(hideSecrets('abc', ['', 'abcd'])).toBe('abc');
	});
});

describe('hideInData', () => {
	it('goes through names and values, lists and objects, and leaves the rest', () => {
		const data = { a: ['x secret-1 y', 7, null, true], 'secret-1': { deep: 'secret-1' }, b: undefined };
		expect(hideInData(data, ['secret-1'])).toEqual({
			a: ['x ••• y', 7, null, true],
			'•••': { deep: '•••' },
			b: undefined,
		});
	});

	it('leaves out what is too long to be looked through, and keeps what stands beside it', () => {
		const megabyte = 'a'.repeat(1_000_000);
		expect(hideInData({ before: 'a', megabyte, [megabyte]: 1, after: 'b' }, ['secret-1'])).toEqual({
			before: 'a',
			megabyte: '•••',
			'•••': 1,
			after: 'b',
		});
		const parts = hideInData(megabyte.match(/.{1000}/g)!, ['secret-1']);
		expect(parts.slice(0, 40)).toEqual(parts.slice(0, 40).map(() => 'a'.repeat(1000)));
		expect(parts.slice(100)).toEqual(parts.slice(100).map(() => '•••'));
	});

	it.each(['4938', '049381', '4938120493'])(
		'finds the code %s by itself and in a request, in base64 and in hexadecimal',
		(code) => {
			for (const encoding of ['base64', 'base64url', 'hex'] as const) {
				for (const text of [code, `["${code}"]`, `x${code}`, `xy${code}z`]) {
					const packed = Buffer.from(text).toString(encoding);
					expect(hideSecrets(`The request was ${packed}, which is wrong`, [code])).toBe(
						'The request was •••, which is wrong',
					);
				}
			}
			expect(hideSecrets('Unknown service verification, reference 1f0c77be-90a4', [code])).toBe(
				'Unknown service verification, reference 1f0c77be-90a4',
			);
		},
	);

	it('finds a key of digits that is a number, whole or in a longer one, and one so long that digits are lost', () => {
		const data = JSON.parse(
			'{"key":12345678,"inside":9912345678,"long":12345678901234567890123,"other":12345679,"small":7,"list":[12345678]}',
		) as object;
		expect(hideInData(data, ['12345678', '12345678901234567890123', '00000007'])).toEqual({
			key: '•••',
			inside: '•••',
			long: '•••',
			other: 12345679,
			small: 7,
			list: ['•••'],
		});
	});

	it('finds a key in a list of its bytes', () => {
		const bytes = [...Buffer.from(JSON.stringify({ key: 'secret-1' }))];
		expect(hideInData({ type: 'Buffer', data: bytes, other: [1, 2, 3, 4, 5, 6, 7, 8, 9] }, ['secret-1'])).toEqual({
			type: 'Buffer',
			data: '•••',
			other: [1, 2, 3, 4, 5, 6, 7, 8, 9],
		});
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

test('a key is used without what came along when it was pasted', () => {
	expect([' key\n', '\u200bkey\ufeff', 'key', undefined, null].map(keyAsUsed)).toEqual(['key', 'key', 'key', '', '']);
});

test('texts are the same only where they are', () => {
	expect([sameText('a', 'a'), sameText('a', 'b'), sameText('', 'a'), sameText('', '')]).toEqual([
		true,
		false,
		false,
		true,
	]);
	expect(sameText('a'.repeat(1_000_000), 'a'.repeat(1_000_000))).toBe(false);
});

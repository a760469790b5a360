import { redactSecretsInData, redactNumber, redactPersonalNumbers, redactSecrets } from '../../../../lib/texts/redact';
import { encodings } from '../../../../sandbox/echo';
import { findSecrets } from '../../../spellings';

describe('redactSecrets', () => {
	/** The key. The spellings below were written by other programs, not by code of this repository. */
	const KEY = 'κλειδί"$1_a-9+é/%=';
	const written: Array<[by: string, text: string]> = [
		["Python's ascii", "'\\u03ba\\u03bb\\u03b5\\u03b9\\u03b4\\u03af\"$1_a-9+\\u00e9/%='"],
		["JavaScript's encodeURI", '%CE%BA%CE%BB%CE%B5%CE%B9%CE%B4%CE%AF%22$1_a-9+%C3%A9/%25='],
		["Python's quote_plus", '%CE%BA%CE%BB%CE%B5%CE%B9%CE%B4%CE%AF%22%241_a-9%2B%C3%A9%2F%25%3D'],
		["PHP's htmlspecialchars", 'κλειδί&quot;$1_a-9+é/%='],
		["Python's xmlcharrefreplace", '&#954;&#955;&#949;&#953;&#948;&#943;"$1_a-9+&#233;/%='],
		["Perl's HTML::Entities", '&#x3BA;&#x3BB;&#x3B5;&#x3B9;&#x3B4;&#x3AF;&quot;$1_a-9+&#xE9;/%='],
		[
			'base64',
			'eyJpbnN0aXR1dGlvbiI6ImV4YW1wbGUtdW5pdmVyc2l0eSIsInJlY2lwaWVudCI6IjY5MTIzNDU2NzgiLCJwcmUtc2hhcmVkIGtleSI6Is66zrvOtc65zrTOr1wiJDFfYS05K8OpLyU9In0=',
		],
		["curl's basic authentication", 'Basic dW5pdmVyc2l0eTrOus67zrXOuc60zq8iJDFfYS05K8OpLyU9'],
	];

	it.each(written)('redacts a key as %s writes it, and no other text', (_, text) => {
		for (const whole of [text, `Cannot read: ${text} (see`]) {
			const hidden = redactSecrets(whole, [KEY]);
			expect(hidden).toContain('•••');
			expect(hidden).not.toMatch(/1_a-9|%C3%A9|JDFfYS05|vOtc65zrT/);
			expect(redactSecrets(whole, ['another "key" $2_b-8'])).toBe(whole);
		}
	});

	it.each<[how: string, text: string, secrets: string[], expected?: string]>([
		[
			'keeps a text without a secret unchanged',
			'abc %20 &amp; \\" YWJjZA==',
			['', 'secret', 'longer than the text itself'],
		],
		[
			'redacts several secrets, the longer one first',
			'a k-1 b k-1-long c%20k-2',
			['k-1', '', 'k-1-long', 'k-2'],
			'a ••• b ••• c%20•••',
		],
		['redacts a secret in capitals', 'THE KEY ΚΛΕΙΔΊ-7A%22', ['κλειδί-7a"'], 'THE KEY •••'],
		[
			'redacts a secret with special characters of regular expressions',
			'x \\^$.*+?()[]{}|/ y',
			['\\^$.*+?()[]{}|/'],
			'x ••• y',
		],
		['redacts a key whose backslash is a numeric HTML entity', 'a&#92;b a&#x5C;b', ['a\\b'], '••• •••'],
		['redacts a key that a form has encoded, with its spaces as plus signs', 'key=a+b%2Bc', ['a b+c'], 'key=•••'],
		[
			'redacts a key in JSON that is a text in other JSON',
			JSON.stringify({ error: JSON.stringify({ key: 'a"b\\c-9' }) }),
			['a"b\\c-9'],
			JSON.stringify({ error: JSON.stringify({ key: '•••' }) }),
		],
		[
			'redacts a key in JSON that is in the query of a URL',
			`?body=${encodeURIComponent(JSON.stringify('a"b\\c-9'))}`,
			['a"b\\c-9'],
			'?body=%22•••%22',
		],
		['redacts a key with HTML entities in capitals', 'a&LT;b&GT;&APOS;', ["a<b>'"], '•••'],
		['redacts a key whose slashes JSON has escaped', 'a\\/b\\/c', ['a/b/c'], '•••'],
		[
			'redacts a key in base64 whose slashes JSON has escaped',
			'eyJrZXkiOiJrZXktPz8\\/Pz8\\/Pz8\\/Pz8tMSJ9',
			['key-???????????-1'],
			'eyJrZXkiO•••',
		],
		['redacts a key whose letters are all URL-encoded', 'a=%50%66%31%2d%39&b', ['Pf1-9'], 'a=•••&b'],
		[
			'redacts a key whose letters are all HTML entities, decimal or hexadecimal',
			'<&#80;&#x66;1&#0045;&#X0039;>',
			['Pf1-9'],
			'<•••>',
		],
		['redacts a key whose letters are all JSON escapes', '"\\u0050\\u0066\\u0031\\u002D9"', ['Pf1-9'], '"•••"'],
		['keeps another word whose letters are all URL-encoded', 'a=%50%66%31%2d%38&b', ['Pf1-9']],
		['does not read the letter of an escape sequence as part of a secret', 'a\\nb', ['anb']],
		['does not search base64 for a secret of three bytes', 'eGFiY3g= abc', ['abc'], 'eGFiY3g= •••'],
		['redacts a whole text that is too long to be searched', 'a'.repeat(50_001), ['b'], '•••'],
		['keeps the longest text that is searched, if it contains no secret', 'a'.repeat(50_000), ['b']],
		['ends if the secret contains the mark that replaces secrets', 'xxx••••', ['x••'], 'xx•••••'],
	])('%s', (_, text, secrets, expected = text) => {
		expect(redactSecrets(text, secrets)).toBe(expected);
	});

	it.each(['4938', '049381', '4938120493'])('redacts the code %s in base64, at any position', (code) => {
		for (const how of ['base64', 'base64url'] as const) {
			for (const before of ['', '[', '["', 'xyz']) {
				const hidden = redactSecrets(`It was ${encodings[how](`${before}${code}"`)}, wrong`, [code]);
				expect(hidden).toContain('•••');
				expect(findSecrets(hidden, [code.padEnd(8, '"')])).toEqual([]);
			}
		}
		const other = 'Unknown service verification, reference 1f0c77be-90a4';
		expect(redactSecrets(other, [code])).toBe(other);
	});

	it.each(['κλειδί"1"+2/3 &\\<', '\\\\\\\\', '%25%25', '&amp;&', 'aaaaaaaaaaaa', '$&$1.*+?^${}()|[]\\/-'])(
		'is fast on long texts with the characters of the secret %j, and redacts no other text',
		(secret) => {
			for (const part of ['\\', '%25', '&amp;', '&#0000', '\\u00', 'a', '\\"', secret.slice(0, -1) + '·', ' ']) {
				const text = part.repeat(Math.floor(45_000 / part.length));
				const hidden = redactSecrets(text, [secret]);
				if (!text.includes(secret[0]!) && !/^[\\%&]/.test(part)) expect(hidden).toBe(text);
			}
		},
	);
});

describe('redactSecretsInData', () => {
	it.each([
		['redacts values in objects and lists', { a: ['x secret-1 y', 7, null, true] }, { a: ['x ••• y', 7, null, true] }],
		[
			'redacts names of fields',
			{ 'secret-1': { deep: 'secret-1' }, b: undefined },
			{ '•••': { deep: '•••' }, b: undefined },
		],
		[
			'redacts a key of digits that is a number',
			{ key: 12345678, in: [9912345678], other: 12345679 },
			{ key: '•••', in: ['•••'], other: 12345679 },
		],
		['does not redact a secret of only seven characters', 'it is seven77', 'it is seven77'],
	])('%s', (_, data, expected) => {
		expect(redactSecretsInData(data, ['secret-1', '12345678', 'seven77', ''])).toEqual(expected);
	});

	it('redacts whole values that are too long to be searched, and keeps the values next to them', () => {
		const long = 'a'.repeat(50_001);
		const expected = { before: 'a', long: '•••', '•••': 1, after: 'b' };
		expect(redactSecretsInData({ before: 'a', long, [long]: 1, after: 'b' }, ['secret-1'])).toEqual(expected);
		const parts = Array<string>(60).fill('a'.repeat(1000));
		expect(redactSecretsInData(parts, ['secret-1'])).toEqual([...parts.slice(0, 50), ...Array<string>(10).fill('•••')]);
	});

	it('changes no prototype, and replaces data that is nested too deeply with •••', () => {
		const polluted = redactSecretsInData(JSON.parse('{"__proto__":{"polluted":"secret-1"}}') as object, ['secret-1']);
		expect(Object.keys(polluted)).toEqual(['__proto__']);
		expect(({} as { polluted?: string }).polluted).toBeUndefined();
		const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown;
		expect(redactSecretsInData(nested(51), ['secret-1'])).toEqual(nested(51));
		const inside = (depth: number, core: unknown): unknown => (depth === 0 ? core : { a: inside(depth - 1, core) });
		expect(redactSecretsInData(inside(60, {}), ['secret-1'])).toEqual(inside(51, '•••'));
		expect(JSON.stringify(redactSecretsInData(nested(100_000), ['secret-1']))).toBe(
			`${'['.repeat(51)}"•••"${']'.repeat(51)}`,
		);
	});
});

describe('redactPersonalNumbers', () => {
	it.each([
		['AMKA 010130 - 99997, 1 010180 12345', 'AMKA •••97, •••45'],
		['to +30 691 234 5678!', 'to +•••78!'],
		['00306912345678, 0044 7700 900123', '•••78, •••23'],
		['(691) 234.56.78, 694,555,1234', '(•••78, •••34'],
		['691\u200b234\u200b5678 691\u2212234\u22125678', '•••78'],
		['691&nbsp;234&nbsp;5678', '•••78'],
		['691%20234%205678, 691+234+5678', '•••78, •••78'],
		['{%22recipient%22%3A%226987654321%22}', '{%22recipient%22%3A%•••21%22}'],
		["LIKE '%01018012345%' or '%21068302674%'", "LIKE '%•••45%' or '%•••74%'"],
		['%2B447700900123, %286987654321%29', '%2B•••23, %•••21%29'],
		['６９１２３４５６７８, ٦٩١٢٣٤٥٦٧٨', '•••７８, •••٧٨'],
		['6912345678/6987654321 6912345679', '•••79'],
		['2026-11-23 6912345678 on 2026-11-23', '2026-11-23 •••78 on 2026-11-23'],
		['2026-11-23 10:15:02.123 and 2026-11-23T10', '2026-11-23 10:15:02.123 and 2026-11-23T10'],
		['1826-11-23 12, 2026-21-23 13, 2026-11-43 14, 2026-11-234', '•••12, •••13, •••14, •••34'],
		['IP 203.0.113.25. Or 192.168.100.125:99, 250.249.1.9', 'IP 203.0.113.25. Or 192.168.100.125:99, 250.249.1.9'],
		['69.123.123.12, 694.555.12.34, 69.45.55.12.34', '•••12, •••34, •••34'],
		['256.123.12.34 255.299.12.34', '•••34'],
		['123456789 and service 20261001', '•••89 and service 20261001'],
		['1%2023%2045%2067%2089, 12%23456789012', '•••89, •••12'],
		['1%2023%2045%2067%208', '1%2023%2045%2067%208'],
		// Escape sequences of a URL, of HTML or of JSON, which stand for digits.
		['to %36%39%31%32%33%34%35%36%37%38!', 'to •••78!'],
		['%2B%33%30%20%36%39%31%2D%32%33%34%2D%35%36%37%38', '%2B•••78'],
		['&#54;&#57;&#49;&#50;&#51;&#0052;&#x35;&#x36;&#X37;&#x0038;', '•••78'],
		['\\u0036\\u0039\\u0031\\u0032\\u0033\\u0034\\u0035\\u0036\\u0037\\u0038', '•••78'],
		['at 20%31 and 50%32 percent', 'at 20%31 and 50%32 percent'],
	])('turns %j into %j', (text, expected) => {
		expect(redactPersonalNumbers(text)).toBe(expected);
	});

	it('is fast on long texts of digits and separators', () => {
		for (const part of ['1', '1 ', '1 - - ', '1,', '+1', '%2B1', '00 ', '1 , , ', '1.1.1.1 ', '2026-11-2', '１'])
			expect(redactPersonalNumbers(part.repeat(200_000 / part.length)).length).toBeGreaterThan(0);
	});
});

describe('redactNumber', () => {
	it.each([
		['to 6912345678!', '6912345678', 'to •••78!'],
		['to +30 691 234 5678!', '691 234-5678', 'to +30 •••78!'],
		['691\u2212234\u22125678, 691-234-5678', '+306912345678', '•••78, •••78'],
		['691%20234%205678, 691,234,5678', '6912345678', '•••78, •••78'],
		['٦٩١٢٣٤٥٦٧٨ was', '٦٩١٢٣٤٥٦٧٨', '•••٧٨ was'],
		['6  -  912345678', '6912345678', '6  -  912345678'],
		['%36%39%31%20%32%33%34%20%35%36%37%38', '6912345678', '•••78'],
		['&#54;&#57;&#49;&#50;&#51;&#52;&#53;&#54;&#55;&#56;', '6912345678', '•••78'],
		['unknown recipient 491701234567', '00491701234567', 'unknown recipient •••67'],
		['unknown recipient 00491701234567', '+491701234567', 'unknown recipient 00•••67'],
		['unknown recipient 491700123456', '491700123456', 'unknown recipient •••56'],
		['code 1000000007, service 2026100', '6912345678', 'code 1000000007, service 2026100'],
		['1234567 123456', '1234567', '•••67 123456'],
		['dokimi01 123456', '123456', 'dokimi01 123456'],
		['', '', ''],
	])('turns %j, if the number is %j, into %j', (text, number, expected) => {
		expect(redactNumber(text, number)).toBe(expected);
	});

	it('is fast on a text that has almost the same number many times', () => {
		const almost = `${[...'49123456789012'].join('    ')} x `.repeat(2000);
		expect(redactNumber(almost, '+491234567890123')).toBe(almost);
	});
});

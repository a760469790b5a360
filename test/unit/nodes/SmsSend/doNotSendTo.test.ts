import { Problem } from '../../../../lib/texts/problem';
import { parseDoNotSendTo } from '../../../../nodes/SmsSend/doNotSendTo';
import { readRecipient } from '../../../../lib/smsPlatform/recipient';

describe('Do Not Send To', () => {
	it.each<[string, unknown, string[]]>([
		[
			'numbers separated by commas and line breaks',
			'690 000 0001,+306900000002\n\n00306900000003 ,,',
			['6900000001', '6900000002', '6900000003'],
		],
		['numbers separated by semicolons', '6900000001; 6900000002;', ['6900000001', '6900000002']],
		[
			'a list of numbers and user names',
			['6900000001', 6900000002, '', null, undefined, ' \u200b', '+44 7700 900123', 'ab.smith'],
			['6900000001', '6900000002', '+447700900123', 'ab.smith'],
		],
		['one number', 6900000001, ['6900000001']],
		['an empty list', [], []],
		['one undefined entry, which a table without rows gives', [undefined], []],
	])('reads %s that an expression returns', (_, value, expected) => {
		expect([...parseDoNotSendTo(value, true, true)]).toEqual(expected);
	});

	it.each([undefined, null, '', ' ', ' ,\n'])(
		'excludes no person if %j was typed, and is an error if an expression returns this',
		(value) => {
			expect(parseDoNotSendTo(value, false, true).size).toBe(0);
			expect(() => parseDoNotSendTo(value, true, true)).toThrow(Problem);
			expect(() => parseDoNotSendTo(value, true, true)).toThrow(
				expect.objectContaining({
					message: expect.stringMatching(
						/^Do Not Send To has an expression that evaluates to (?:an empty value|a value without a recipient)$/,
					) as unknown,
					description: expect.stringContaining('{{ [] }}') as unknown,
				}),
			);
		},
	);

	it.each([[['', null]], [[undefined, undefined, undefined]]])(
		'is an error if an expression returns several entries that are all empty, as for a column that does not exist: %j',
		(value) => {
			expect(() => parseDoNotSendTo(value, true, true)).toThrow(/evaluates to a list of \d empty entries/);
		},
	);

	it.each<[unknown, RegExp]>([
		['6900000001, 2101234567', /^Do Not Send To .*number 2: .*landline/],
		[['6900000001', '', 'undefined'], /^Do Not Send To .*number 3:/],
		[[{ mobile: '6900000001' }], /^Do Not Send To .*number 1:/],
		[{ mobile: '6900000001' }, /^Do Not Send To must be a list/],
		[true, /^Do Not Send To must be a list/],
		[6.9e-9, /^Do Not Send To .*number 1:/],
		['6900000001, {{ $json.mobile }}', /^Do Not Send To .*number 2: .*code/],
	])(
		'is an error if the value is no list, or if a recipient in the list is invalid; then the error names the position, but no whole number: %j',
		(value, text) => {
			for (const isExpression of [true, false]) {
				expect(() => parseDoNotSendTo(value, isExpression, true)).toThrow(text);
				expect(() => parseDoNotSendTo(value, isExpression, true)).not.toThrow(/\d{7}/);
			}
		},
	);

	it('accepts user names only if User Names is on in the credential', () => {
		expect(() => parseDoNotSendTo('6900000001, ab.smith', false, false)).toThrow(/number 2: .*not a mobile number/);
		expect([...parseDoNotSendTo('6900000001, ab.smith', false, true)]).toEqual(['6900000001', 'ab.smith']);
	});

	it.each(['+30 690 000 0001', '(0030) 6900000001', '+44 7700-900123', 'Ab.Smith', 'AB.SMITH', '0044 7700900123'])(
		'excludes a recipient that a row has in another format than the list: %s',
		(typed) => {
			const excluded = parseDoNotSendTo('6900000001, +44 7700 900123, aB.smith', false, true);
			expect(excluded.has(readRecipient(typed, { mobileFormat: 'international', userNames: true }).normal)).toBe(true);
		},
	);
});

import { toText, cleanKey } from '../../../../lib/values/text';

const circular: { self?: object } = {};
circular.self = circular;

it.each<[unknown, string]>([
	['Μαρία ', 'Μαρία '],
	[8.5, '8.5'],
	[Number.NaN, 'NaN'],
	[true, 'true'],
	[undefined, ''],
	[null, ''],
	[['α', 1], '["α",1]'],
	[JSON.parse('{"toString":1}'), '{"toString":1}'],
	[Object.create(null), '{}'],
	[circular, ''],
	[Symbol('x'), ''],
])('toText turns %p into the text %j', (value, text) => {
	expect(toText(value)).toBe(text);
});

test('a key is read without the spaces and invisible characters that were pasted with it', () => {
	expect([' key\n', '\u200bkey\ufeff', 'key', undefined, null].map(cleanKey)).toEqual(['key', 'key', 'key', '', '']);
});

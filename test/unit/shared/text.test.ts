import { asText } from '../../../nodes/shared/text';

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
	[10n, ''],
	[Symbol('x'), ''],
])('%p is the text %j', (value, text) => {
	expect(asText(value)).toBe(text);
});

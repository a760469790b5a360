import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import {
	getParameter,
	isBlank,
	readChoice,
	readFlag,
	readList,
	readNumber,
	readNumberOption,
	readOptionalText,
	readText,
} from '../../../../lib/n8n/parameters';

const context = (read: (path: string, itemIndex: number, fallback: unknown) => unknown) =>
	({ getNodeParameter: read }) as unknown as IExecuteFunctions;

test('getParameter passes the path, the item and the fallback to n8n', () => {
	const given = (path: string, itemIndex: number, fallback: unknown, options?: object) =>
		options === undefined ? [path, itemIndex, fallback] : '={{ 1 + 1 }}';
	const asked = getParameter(context(given as never), 'options.timeout', 'Timeout', 3, 30);
	expect(asked).toEqual(['options.timeout', 3, 30]);
});

test.each([
	['and masks a long number', 'See 6912345678', 'See •••78'],
	["and tells what to do if n8n's error does not", undefined, 'Check the expression in Timeout'],
])('the error for an expression that fails names its parameter, %s', (_, description, expected) => {
	const failing = context(() => {
		throw Object.assign(new Error('Bad 01013099997'), { description });
	});
	const details = { outcome: 'rejected' };
	expect(() => getParameter(failing, 'options.timeout', 'Timeout', 0)).toThrow(
		expect.objectContaining({ message: "Timeout can't be read: Bad •••97", description: expected, details }),
	);
});

const LONG = 'true'.repeat(250_000);
/** Values that an expression returns for a missing column, an empty cell or a cell with only invisible characters. */
const NOTHING = [undefined, null, '', '  ', '\u200b\u00a0'];
const timeout: INodeProperties = {
	displayName: 'Field',
	name: 'timeout',
	type: 'number',
	default: 30,
	typeOptions: { minValue: 0.001, maxValue: 3600 },
};

const text = (value: unknown) => readText(value, 'Field', 10);
const optionalText = (value: unknown) => readOptionalText(value, 'Field', 10);
const flag = (value: unknown) => readFlag(value, 'Field');
const wholeNumber = (value: unknown) => readNumber(value, 'Field', [0, 50], 5);
const numberOption = (value: unknown) =>
	readNumberOption(
		context(() => value),
		timeout,
	);
const choice = (value: unknown) => readChoice(value, 'Field', ['skip', 'send']);
const list = (value: unknown) => readList(value, 'Field');

test.each<[(value: unknown) => unknown, unknown, unknown[]]>([
	[isBlank, true, NOTHING],
	[isBlank, false, [0, false, '0', [], {}, Number.NaN, ' '.repeat(1_000_000)]],
	[text, 'x', ['x', ' x\u200b ']],
	[text, '17', [17, '17']],
	[optionalText, undefined, NOTHING],
	[optionalText, 'x', [' x ']],
	[flag, true, [true, 'true', ' True\u200b', 'TRUE']],
	[flag, false, [false, 'false', 'FALSE ']],
	[wholeNumber, 0, [0]],
	[wholeNumber, 7, ['7', ' 7\u200b', '7.0']],
	[wholeNumber, 50, [50]],
	[numberOption, 0.5, [0.5, '0.5']],
	[numberOption, 3600, [3600]],
	[choice, 'skip', ['skip', ' skip ']],
	[list, [], [...NOTHING, [], ' , ,']],
	[list, ['ΒΑ', 'ΒΑΘΜΟΣ'], ['ΒΑ, ΒΑΘΜΟΣ', 'ΒΑ; ΒΑΘΜΟΣ', 'ΒΑ\nΒΑΘΜΟΣ,']],
	[list, ['a', 'b', '7'], [['a', ' b ', null, '', 7]]],
	[list, ['404'], [404, '404']],
])('the reader %p returns %j for each of the values %j', (read, expected, values) => {
	for (const value of values) expect([value, read(value)]).toEqual([value, expected]);
});

test.each<[(value: unknown) => unknown, RegExp, unknown[]]>([
	[text, /^Field is empty$/, NOTHING],
	[text, /^Field must be text, but is a list$/, [[]]],
	[text, /^Field must be text, but is of type/, [{}, true]],
	[text, /^Field must be text, but is a number that is not finite$/, [Number.NaN, Infinity]],
	[text, /^Field is longer than 10 characters$/, ['x'.repeat(11), LONG]],
	[text, /^Field contains control characters or broken Unicode$/, ['a\nb', 'a\u0000b', 'a\ud800']],
	[optionalText, /^Field must be text/, [[]]],
	// An expression for a missing column must not switch off a guard, so an empty value is an error.
	[flag, /^Field has no value$/, NOTHING],
	[flag, /^Field must be true or false$/, [0, 1, 'yes', '0', 'ναι', [], ['true'], {}, Number.NaN, LONG]],
	[wholeNumber, /^Field has no value$/, NOTHING],
	[wholeNumber, /^Field must be a whole number from 0 to 50$/, [-1, 51, 1.5, '1,5', 'x', Number.NaN, Infinity, true]],
	[wholeNumber, /^Field must be a whole number from 0 to 50$/, [[], [7], {}, new Date(7), '7'.repeat(1_000_000)]],
	[numberOption, /^Field has no value$/, NOTHING],
	[numberOption, /^Field must be a number from 0.001 to 3600$/, [0, -1, 3601, 'x', Infinity, Number.NaN, []]],
	[choice, /^Field has no value$/, NOTHING],
	[choice, /^Field has an unknown value$/, ['Skip', true, 0, ['skip'], 'constructor', LONG]],
	[list, /^Field /, [{}, true, [{}], [['a']], LONG]],
])('the reader %p throws an error that matches %p for each of the values %p', (read, rule, values) => {
	for (const value of values) expect(() => read(value)).toThrow(rule);
});

test('the error for an invalid parameter names a valid value', () => {
	expect(() => choice('Skip')).toThrow(expect.objectContaining({ description: 'Use one of these: skip, send' }));
	expect(() => numberOption(0)).toThrow(expect.objectContaining({ description: 'Set a number such as 30' }));
});

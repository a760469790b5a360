import type { IExecuteFunctions } from 'n8n-workflow';

import {
	getParameter,
	isNothing,
	readChoice,
	readFlag,
	readList,
	readNumberOption,
	readOptionalText,
	readText,
	readWholeNumber,
} from '../../nodes/shared/parameter';

const context = (read: (path: string, itemIndex: number, fallback: unknown) => unknown) =>
	({ getNodeParameter: read }) as unknown as IExecuteFunctions;

test('a parameter is read by its path, for its row, with its fallback', () => {
	expect(
		getParameter(
			context((...asked) => asked),
			'options.timeout',
			'Timeout',
			3,
			30,
		),
	).toEqual(['options.timeout', 3, 30]);
});

test('one whose expression fails is named, and shows no long number', () => {
	const failing = context(() => {
		throw Object.assign(new Error('Bad 01013099997'), { description: 'See 6912345678' });
	});
	expect(() => getParameter(failing, 'options.timeout', 'Timeout', 0)).toThrow(
		expect.objectContaining({
			message: "Timeout can't be read: Bad •••97",
			description: 'See •••78',
			details: { outcome: 'rejected' },
		}),
	);
});

test('one whose error says nothing of what to do: the expression is to be checked', () => {
	const failing = context(() => {
		throw new Error('Expression evaluation failed');
	});
	expect(() => getParameter(failing, 'serviceId', 'Service', 0)).toThrow(
		expect.objectContaining({
			message: "Service can't be read: Expression evaluation failed",
			description: 'Check the expression in Service',
		}),
	);
});

/** What an expression gives of a column that is not there, or of an empty cell. */
const NOTHING: Array<[unknown]> = [[undefined], [null], [''], ['  '], ['\u200b\u00a0']];

describe('isNothing', () => {
	it.each(NOTHING)('%j is', (value) => {
		expect(isNothing(value)).toBe(true);
	});
	it.each([[0], [false], ['0'], [[]], [{}], [Number.NaN], [' '.repeat(1_000_000)]])('%p is not', (value) => {
		expect(isNothing(value)).toBe(false);
	});
});

describe('readText', () => {
	it.each([
		['x', 'x'],
		[' x\u200b ', 'x'],
		[17, '17'],
	])('%j', (value, expected) => {
		expect(readText(value, 'Service ID', 10)).toBe(expected);
	});

	it.each([
		['', 'is empty'],
		['  ', 'is empty'],
		[null, 'is empty'],
		[undefined, 'is empty'],
		[[], 'a list'],
		[{}, 'of type object'],
		[Number.NaN, 'no finite number'],
		[Infinity, 'no finite number'],
		[true, 'of type boolean'],
		['x'.repeat(1_000_000), 'longer than 10'],
		['a\nb', 'control characters'],
		['a\u0000b', 'control characters'],
		['a\ud800', 'broken Unicode'],
	])('refuses %p and names the parameter', (value, rule) => {
		expect(() => readText(value, 'Service ID', 10)).toThrow(new RegExp(`^Service ID .*${rule}`));
	});
});

describe('readOptionalText', () => {
	it.each(NOTHING)('%j is left out', (value) => {
		expect(readOptionalText(value, 'Reference', 10)).toBeUndefined();
	});
	it('is otherwise the same', () => {
		expect(readOptionalText(' x ', 'Reference', 10)).toBe('x');
		expect(() => readOptionalText([], 'Reference', 10)).toThrow(/^Reference must be text/);
	});
});

describe('readFlag', () => {
	it.each([[true], ['true'], [' True\u200b'], ['TRUE']])('%j is on', (value) => {
		expect(readFlag(value, 'Dry Run')).toBe(true);
	});
	it.each([[false], ['false'], ['FALSE ']])('%j is off', (value) => {
		expect(readFlag(value, 'Dry Run')).toBe(false);
	});
	it.each(NOTHING)('%j is neither: what guards is not off by a column that is not there', (value) => {
		expect(() => readFlag(value, 'Dry Run')).toThrow('Dry Run has no value');
	});
	it.each([[0], [1], ['yes'], ['0'], ['ναι'], [[]], [{}], [Number.NaN], ['true'.repeat(1_000_000)]])(
		'%p could mean either',
		(value) => {
			expect(() => readFlag(value, 'Dry Run')).toThrow('Dry Run must be true or false');
		},
	);
});

describe('readWholeNumber', () => {
	const read = (value: unknown) => readWholeNumber(value, 'Concurrency', 0, 50, 5);
	it.each<[unknown, number]>([
		[0, 0],
		[50, 50],
		['7', 7],
		[' 7\u200b', 7],
		['7.0', 7],
	])('%j is %d', (value, expected) => {
		expect(read(value)).toBe(expected);
	});
	it.each(NOTHING)('%j is no number', (value) => {
		expect(() => read(value)).toThrow('Concurrency has no value');
	});
	it.each([
		[-1],
		[51],
		[1.5],
		['1,5'],
		['x'],
		[Number.NaN],
		[Infinity],
		[true],
		[[]],
		[[7]],
		[{}],
		[new Date(7)],
		['7'.repeat(1_000_000)],
	])('%p is refused with its bounds', (value) => {
		expect(() => read(value)).toThrow('Concurrency must be a whole number from 0 to 50');
	});
});

test('an option that is a number has its bounds, its default and fractions from its form', () => {
	const read = (value: unknown, numberPrecision?: number) =>
		readNumberOption(
			context(() => value),
			{
				displayName: 'Timeout',
				name: 'timeout',
				type: 'number',
				default: 30,
				typeOptions: { minValue: 0.001, maxValue: 3600, numberPrecision },
			},
		);
	expect([0.5, '0.5', 3600].map((value) => read(value, 3))).toEqual([0.5, 0.5, 3600]);
	for (const value of [0, -1, 3601, 'x', Infinity, Number.NaN, []])
		expect(() => read(value, 3)).toThrow('Timeout must be a number from 0.001 to 3600');
	expect(() => read(0.5)).toThrow(
		expect.objectContaining({
			message: 'Timeout must be a whole number from 0.001 to 3600',
			description: 'Set a number such as 30',
		}),
	);
});

describe('readChoice', () => {
	const read = (value: unknown) => readChoice(value, 'If Already Sent', ['skip', 'send']);
	it.each([['skip'], [' skip ']])('%j', (value) => {
		expect(read(value)).toBe('skip');
	});
	it.each(NOTHING)('%j is none of them', (value) => {
		expect(() => read(value)).toThrow('If Already Sent has no value');
	});
	it.each([['Skip'], [true], [0], [['skip']], ['constructor'], ['x'.repeat(1_000_000)]])(
		'%p is none of them, and the error says which there are',
		(value) => {
			expect(() => read(value)).toThrow(
				expect.objectContaining({
					message: 'If Already Sent has an unknown value',
					description: 'Use one of these: skip, send',
				}),
			);
		},
	);
});

describe('readList', () => {
	it.each<[unknown, string[]]>([
		['ΒΑ, ΒΑΘΜΟΣ', ['ΒΑ', 'ΒΑΘΜΟΣ']],
		['ΒΑ\nΒΑΘΜΟΣ,', ['ΒΑ', 'ΒΑΘΜΟΣ']],
		[' , ,', []],
		[
			['a', ' b ', null, '', 7],
			['a', 'b', '7'],
		],
		[404, ['404']],
		[[], []],
	])('%j is %j', (value, expected) => {
		expect(readList(value, 'Keywords')).toEqual(expected);
	});
	it.each(NOTHING)('%j is an empty one', (value) => {
		expect(readList(value, 'Keywords')).toEqual([]);
	});
	it.each([[{}], [true], [[{}]], [[['a']]], ['x'.repeat(1_000_000)]])('%p is none', (value) => {
		expect(() => readList(value, 'Keywords')).toThrow(/^Keywords /);
	});
});

import fc from 'fast-check';
import type { IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { getParameter } from '../../lib/n8n/parameters';
import { plainColumnOf } from '../../lib/n8n/plainColumns';
import { runNode } from './harness/engine';
import { tinyNode } from './harness/layout';

/*
 * A plain column, such as `={{ $json.name }}`, is read without n8n's expression engine. These tests compare each value with the
 * value that the engine returns.
 */

const properties = (count: number) =>
	Array.from({ length: count }, (_, index) => ({
		...{ displayName: `Field ${index}`, name: `field${index}`, type: 'json' as const, default: '' },
	}));

/** The value of a parameter as this package reads it, and as n8n's engine reads it. */
interface Pair {
	own: unknown;
	engine: unknown;
	/** How often this package has read the value from n8n. Reading the stored parameter does not count. */
	asked: number;
}

const attempt = (read: () => unknown) => {
	try {
		return read();
	} catch {
		return 'an error';
	}
};

/** Reads the parameters of one item both with this package and with n8n's engine. */
async function readBoth(parameters: INodeParameters[], json: IDataObject): Promise<Pair[]> {
	const pairs: Pair[] = [];
	const names = parameters.map((_, index) => `field${index}`);
	const node = tinyNode(
		'reader',
		async function () {
			let asked = 0;
			const counting = Object.create(this, {
				getNodeParameter: {
					value: (...args: Parameters<IExecuteFunctions['getNodeParameter']>) => {
						if (!(args[3] as { rawExpressions?: boolean } | undefined)?.rawExpressions) asked++;
						return this.getNodeParameter(...args) as unknown;
					},
				},
			}) as IExecuteFunctions;
			for (const name of names) {
				asked = 0;
				const own = attempt(() => getParameter(counting, name, 'Field', 0));
				const engine = attempt(() => this.getNodeParameter(name, 0));
				pairs.push({ own, engine, asked });
			}
			return [[{ json: {} }]];
		},
		{ properties: properties(names.length) },
	);
	const fields = Object.fromEntries(names.map((name, index) => [name, parameters[index]])) as INodeParameters;
	const run = await runNode({ node, parameters: fields }, [json]);
	expect([run.status, run.error]).toEqual(['success', undefined]);
	return pairs;
}

const inBrackets = (name: string) => `={{ $json[${JSON.stringify(name)}] }}`;

describe('an expression that names a plain column', () => {
	const VALUES: IDataObject = {
		...{ Κινητό: '6900000001', 'Αρ. κινητού': 6_900_000_002, 'Κινητό (69...)': ' 690 ', Βαθμός_1: 8.5, $x: 'd', _: '' },
		...{
			'2024': 'year',
			'0': 'zero',
			'a.b': 'dot',
			class: 'word',
			length: 3,
			name: 'n',
			first: 'f',
			é: 'é',
			'e\u0301': 'e',
		},
		...{
			nothing: null,
			off: false,
			on: true,
			negative: -0,
			formula: '={{ 1 + 1 }}',
			braces: '{{ $json.on }}',
			'😀': 'x',
			'e\u0301': 'decomposed',
		},
	};

	it.each([
		...Object.keys(VALUES).map((name): [string, string] => [name, inBrackets(name)]),
		['Κινητό', '={{ $json.Κινητό }}'],
		['Κινητό', '={{$json.Κινητό}}'],
		['Κινητό', "={{ $json['Κινητό'] }}"],
		['class', '={{ $json.class }}'],
		['missing', '={{ $json.missing }}'],
		['missing', '={{ $json["not there"] }}'],
	])('(%s in %s) is read as the same value as by n8n, without calling n8n', async (_, field) => {
		const [pair] = await readBoth([field as never], VALUES);
		expect(pair!.own).toEqual(pair!.engine);
		expect(pair!.asked).toBe(0);
	});

	it.each([
		...[
			'={{ $json.list }}',
			'={{ $json.nested }}',
			'={{ $json.nested.inner }}',
			'={{ $json.list[0] }}',
			'={{ $json }}',
		],
		...[
			'={{ $json.toString }}',
			'={{ $json["hasOwnProperty"] }}',
			'={{ $json.constructor }}',
			'={{ $json.__proto__ }}',
		],
		...['={{ $json.Κινητό }} ', ' {{ $json.Κινητό }}', '=a{{ $json.Κινητό }}', '={{ $json.Κινητό.trim() }}', '=text'],
		...['={{ $json["\\u0061"] }}', '={{ $json.a + $json.b }}', '={{ $json?.Κινητό }}', '={{ $json["a}}b"] }}', '='],
		...['={{ $json.date.toISOString() }}', '={{ $json.missing.inner }}', '={{ $("Start").item.json.Κινητό }}'],
	])('and any other expression are read as n8n would read them: %s', async (field) => {
		const json = { list: ['x'], nested: { inner: { deep: 1 } }, Κινητό: ' 69 ', a: '1', b: 2 };
		const [pair] = await readBoth([field as never], json);
		expect(pair!.own).toEqual(pair!.engine);
	});

	it('in a resource mapper is read as n8n would read it, without calling n8n unless another value is a list or a longer expression', async () => {
		const mapper = (value: IDataObject) => ({ mappingMode: 'defineBelow', value, schema: [{ id: 'Βαθμός' }] });
		const json = { Μάθημα: 'Φυσική', Βαθμός: 8, list: [1] };
		const plain = mapper({
			Μάθημα: '={{ $json.Μάθημα }}',
			Βαθμός: '={{ $json["Βαθμός"] }}',
			Έτος: '2026',
			Νέο: '={{ $json.x }}',
		});
		const composed = mapper({ Μάθημα: '={{ $json.Μάθημα }}', Βαθμός: '={{ $json.Βαθμός + 1 }}' });
		const nested = mapper({ Μάθημα: '={{ $json.list }}' });
		const [first, second, third] = await readBoth([plain, composed, nested] as never, json);
		expect(first).toMatchObject({ own: first!.engine, asked: 0 });
		expect(second).toMatchObject({ own: second!.engine, asked: 1 });
		expect(third).toMatchObject({ own: third!.engine, asked: 1 });
	});

	it('of any name is read as n8n would read it, for any value', async () => {
		const names = fc.oneof(
			fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
			fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }),
			fc.constantFrom(
				'__proto__',
				'constructor',
				'valueOf',
				'prototype',
				'arguments',
				'$json',
				'a"b',
				"a'b",
				'\\',
				' ',
			),
			fc.integer().map(String),
			fc.string({
				unit: fc.integer({ min: 0x386, max: 0x1fff }).map((code) => String.fromCodePoint(code)),
				maxLength: 5,
			}),
		);
		const values = fc.oneof(
			fc.string({ unit: 'grapheme' }),
			fc.double(),
			fc.integer(),
			fc.boolean(),
			fc.constant(null),
			fc.jsonValue({ maxDepth: 2 }),
		);
		const columns = fc.array(fc.tuple(names, values, fc.boolean()), { minLength: 1, maxLength: 8 });
		await fc.assert(
			fc.asyncProperty(columns, async (cells) => {
				const there = cells.filter(([, , isThere]) => isThere);
				// n8n stores items as JSON.
				const json = JSON.parse(JSON.stringify(Object.fromEntries(there))) as IDataObject;
				const expressions = cells.flatMap(([name]) => [inBrackets(name), `={{ $json.${name} }}`]);
				const plain = expressions.filter((each) => plainColumnOf(each) !== undefined);
				for (const { own, engine } of await readBoth(plain as never, json)) expect(own).toEqual(engine);
			}),
			{ numRuns: 60 },
		);
	});
});

it('a parameter without an expression is read from n8n only for the first item of a run', async () => {
	const asked: number[] = [];
	const node = tinyNode(
		'reader',
		async function () {
			const counting = Object.create(this, {
				getNodeParameter: {
					value: (...args: Parameters<IExecuteFunctions['getNodeParameter']>) => {
						asked.push(args[1]);
						return this.getNodeParameter(...args) as unknown;
					},
				},
			}) as IExecuteFunctions;
			const values = this.getInputData().map((_, index) => getParameter(counting, 'field0', 'Field', index));
			return [values.map((value) => ({ json: { value: value as string } }))];
		},
		{ properties: properties(1) },
	);
	const run = await runNode({ node, parameters: { field0: 'fixed' } }, [{}, {}, {}]);
	expect(run.json[0]).toEqual([{ value: 'fixed' }, { value: 'fixed' }, { value: 'fixed' }]);
	// n8n is called twice, both times for the item with index 0: for the stored parameter, and for its value.
	expect(asked).toEqual([0, 0]);
});

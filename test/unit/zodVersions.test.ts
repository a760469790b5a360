import fc from 'fast-check';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ZodType } from 'zod';

/*
 * A community package gets the zod that n8n has, or the zod that another community package has installed. This test loads every
 * module that has schemas with zod 3 and with zod 4, and compares the results of all schemas for the same inputs.
 */

const root = join(__dirname, '../..');
const modules = globSync('{nodes,lib}/**/*.ts', { cwd: root })
	.filter((file) => file.endsWith('.ts') && /^import \{ z\b.* from 'zod'/m.test(readFileSync(join(root, file), 'utf8')))
	.sort();

interface Loaded {
	zod: string;
	schemas: Record<string, ZodType>;
}

const isSchema = (value: unknown): value is ZodType =>
	typeof value === 'object' && value !== null && typeof (value as ZodType).safeParse === 'function';

/**
 * Returns the schemas of all modules: the exported schemas, and each object schema that a module creates, in the order of
 * their creation.
 */
function load(zod: 'zod' | 'zod4'): Loaded {
	const schemas: Record<string, ZodType> = {};
	jest.isolateModules(() => {
		// n8n's own code keeps its zod, because this test does not compare n8n's schemas.
		require('n8n-workflow');
		const actual = jest.requireActual<typeof import('zod')>(zod);
		let made = 0;
		const object: typeof actual.z.object = (...args) =>
			(schemas[`object ${++made}`] = actual.z.object(...args)) as never;
		jest.doMock('zod', () => ({ ...actual, z: { ...actual.z, object } }));
		for (const file of modules) {
			for (const [name, value] of Object.entries(require(join(root, file)) as object)) {
				if (isSchema(value)) schemas[`${file}: ${name}`] = value;
			}
		}
	});
	jest.dontMock('zod');
	const { version } = jest.requireActual<{ version: string }>(`${zod}/package.json`);
	return { zod: version, schemas };
}

/** Values that JSON can contain, also Infinity, because JSON.parse reads `1e999` as Infinity. */
const values: unknown[] = [
	...['', ' ', '\u200b', '0', '7', 'ΒΑ ΦΥΣΙΚΗ', 'DELIVRD', '2026-11-21', '2026-11-21T22:00:00.000Z', '01013099997'],
	...['x'.repeat(65), 'x'.repeat(257), 'x'.repeat(40_001), '\ud83d'],
	...[0, -0, 1, -1, 1.5, 1e21, 12_345_678_901_234_567_890, Number.MAX_SAFE_INTEGER, Infinity, -Infinity],
	...[null, true, false, [], [''], [null], ['a', 1]],
	...[{}, { a: { b: [] } }, { toString: 'x' }, JSON.parse('{ "__proto__": 1 }')],
];

const sources = modules.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
/** Returns the matches of a pattern in the sources of the modules. */
const inSources = (pattern: RegExp) => [...new Set(Array.from(sources.matchAll(pattern), ([, found]) => found!))];
/** Names from the sources that may be field names. */
const names = inSources(/([\w-]+)'?: /g);
/** Values of fields that allow only a single value. */
const literals = inSources(/literal\('([^']+)'\)/g);

const value = fc.oneof(fc.constantFrom(...values), fc.jsonValue(), fc.string({ unit: 'binary' }));
// Some of these objects have no prototype, like objects from a form. The others have one, like objects from JSON.
const like = fc.dictionary(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...names) }, fc.string()), value, {
	maxKeys: names.length,
});
/** Objects that have all fields, most of them with a value that some field accepts. */
const plausible = fc.record(
	Object.fromEntries(
		names.map((name) => [name, fc.oneof({ weight: 12, arbitrary: fc.constantFrom('7', 'ΒΑ', 3, ...literals) }, value)]),
	),
);
const generated = fc.oneof(like, plausible, fc.array(plausible, { maxLength: 3 }), value);
const corpus: unknown[] = [
	undefined,
	...values,
	...names.flatMap((name) => values.map((each) => ({ [name]: each }))),
	...fc.sample(generated, { numRuns: 1000, seed: 7 }),
];

/** Returns the part of zod's result that the nodes use: the data, or the names of the faulty fields without zod's texts. */
function answerOf(schema: ZodType, input: unknown): object {
	const { success, data, error } = schema.safeParse(input);
	return success ? { data } : { faults: [...new Set(error!.issues.map(({ path }) => String(path[0])))].sort() };
}

const [three, four] = [load('zod'), load('zod4')];

test('the modules create the same schemas with zod 3 and with zod 4', () => {
	expect([three.zod, four.zod]).toEqual([expect.stringMatching(/^3\.25\./), expect.stringMatching(/^4\./)]);
	expect(modules).toContain('lib/smsPlatform/api.ts');
	expect(Object.keys(four.schemas)).toEqual(Object.keys(three.schemas));
	expect(Object.values(three.schemas).filter((schema) => '_zod' in schema)).toEqual([]);
	expect(Object.values(four.schemas).filter((schema) => !('_zod' in schema))).toEqual([]);
});

test.each(Object.keys(three.schemas))('the schema %s gives the same results with zod 3 and with zod 4', (name) => {
	let taken = 0;
	for (const input of corpus) {
		const answer = answerOf(three.schemas[name]!, input);
		const other = answerOf(four.schemas[name]!, input);
		taken += Number('data' in answer);
		// toStrictEqual is slower than all other steps of this test, so it runs only to print a difference.
		if (!isDeepStrictEqual(other, answer)) expect({ input, ...other }).toStrictEqual({ input, ...answer });
	}
	// The inputs include some inputs that the schema accepts, so that accepted values are compared, too.
	expect(taken).toBeGreaterThan(0);
});

import fc from 'fast-check';

/* Generates request bodies for unauthenticated callers: valid bodies, valid bodies with mistakes, and other values. */

export type Body = Record<string, unknown>;

/** Texts at which parsers often fail, each for a different reason. */
const ODD_TEXTS = [
	...['', ' ', '\t\n\r', '\0', '\u200b\u200e\u202e', '\ufeff', '\ud800', 'a\udfff', '\u0301\u0323', 'ﬁΰς', '７', '١'],
	...['={{ $json }}', "' OR 1=1 --"],
	...'__proto__ constructor toString hasOwnProperty null undefined true NaN Infinity -0 0x10 1e999 -1'.split(' '),
	...'[] {} {"$gt":""} <script> %00 ../../etc/passwd ${7*7}'.split(' '),
];

const oneOf = fc.constantFrom<string[]>(...ODD_TEXTS);
const greek = fc.string({ unit: fc.constantFrom(...'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεσςάέήίόύώΐΰϊϋABEZHIKMNOPTYXabo ') });
const digits = fc.string({ unit: fc.constantFrom(...'0123456789 +-.()/'), maxLength: 24 });
const anyText = fc.string({ unit: 'binary' });
const brokenUnicode = fc.string({ unit: fc.constantFrom('\ud800', '\udc00', 'a', '\u0301', '\u200b', '\n') });
/**
 * A long text that repeats characters which a quantifier (+ or *) of a regular expression of this package matches. With such a
 * text, an expression that backtracks too much takes very long.
 */
const longText = fc
	.tuple(
		fc.constantFrom('a', '7', ' ', '\n', '7 ', '\u0301\u0323', '\u200b', '{', '{,', ',', ':', 'Ά', '😀'),
		fc.integer({ min: 50, max: 50_000 }),
	)
	.map(([unit, times]) => unit.repeat(times));

export const text = fc.oneof(
	{ weight: 4, arbitrary: oneOf },
	{ weight: 3, arbitrary: anyText },
	{ weight: 2, arbitrary: greek },
	{ weight: 2, arbitrary: digits },
	{ weight: 1, arbitrary: brokenUnicode },
	{ weight: 1, arbitrary: longText },
);

/** Any value that JSON can contain, or undefined. */
export const value: fc.Arbitrary<unknown> = fc.oneof(
	text,
	fc.double({ noDefaultInfinity: true, noNaN: true }),
	fc.maxSafeInteger(),
	fc.boolean(),
	fc.constantFrom(null, undefined, [], {}, [[]], [null], { length: 5 }, { toString: 'x' }),
	fc.array(text, { maxLength: 3 }),
	fc.jsonValue({ maxDepth: 3 }),
	fc.integer({ min: 10, max: 500 }).map((depth) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown),
);

/** Field names with a special meaning in JavaScript or in a careless parser. */
const oddName = fc.oneof(
	fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'then', 'toJSON', 'error', '0', '', 'length'),
	text,
);

/** Sets an own property, also one with the name `__proto__`, as JSON.parse does. */
function put(body: Body, name: string, value: unknown): void {
	Object.defineProperty(body, name, { value, enumerable: true, configurable: true, writable: true });
}

type Mutation = (body: Body) => void;

/** Generates a change of one random field of a body. */
const inField = (change: (body: Body, name: string) => void) =>
	fc.nat().map(
		(n): Mutation =>
			(body) => {
				const names = Object.keys(body);
				change(body, names[n % Math.max(1, names.length)] ?? '');
			},
	);
/** Generates a change of one random field that uses another generated value. */
const inFieldWith = <T>(more: fc.Arbitrary<T>, change: (body: Body, name: string, more: T) => void) =>
	more.chain((one) => inField((body, name) => change(body, name, one)));

function rename(body: Body, name: string, other: string): void {
	const value = body[name];
	delete body[name];
	put(body, other, value);
}

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
	inField((body, name) => delete body[name]),
	inFieldWith(fc.oneof(value, text), put),
	inFieldWith(oddName, rename),
	inFieldWith(fc.nat(), (body, name, n) => {
		const names = Object.keys(body);
		const other = names[n % Math.max(1, names.length)] ?? '';
		const [one, two] = [body[name], body[other]];
		put(body, name, two);
		put(body, other, one);
	}),
	inField((body, name) => put(body, name, [body[name]])),
	inField((body, name) => put(body, name, { value: body[name] })),
	inField((body, name) => rename(body, name, name.toUpperCase())),
	inFieldWith(text, (body, name, more) => put(body, name, `${JSON.stringify(body[name])}${more}`)),
	fc.tuple(oddName, value).map(
		([name, other]): Mutation =>
			(body) =>
				put(body, name, other),
	),
	fc.constant<Mutation>((body) => put(body, '__proto__', { ...body, polluted: true })),
);

/** A body with up to three mistakes in it. */
export function mutated(valid: fc.Arbitrary<Body>): fc.Arbitrary<Body> {
	return fc.tuple(valid, fc.array(mutation, { maxLength: 3 })).map(([body, mutations]) => {
		const copy = { ...body };
		for (const mutate of mutations) mutate(copy);
		return copy;
	});
}

/** A valid body, a body with mistakes, any other value, or a list of valid bodies. */
export function body(valid: fc.Arbitrary<Body>): fc.Arbitrary<unknown> {
	return fc.oneof(
		{ weight: 3, arbitrary: valid },
		{ weight: 6, arbitrary: mutated(valid) },
		{ weight: 1, arbitrary: value },
		{ weight: 1, arbitrary: fc.array(valid, { maxLength: 2 }) },
	);
}

/** Returns a value after it was sent as JSON. Instead of undefined, an empty object is sent. */
export const overTheWire = (sent: unknown): unknown => JSON.parse(JSON.stringify(sent) ?? '{}') as unknown;

export const mobile = fc
	.tuple(fc.constantFrom('69', '68', '94'), fc.nat(99_999_999))
	.map(([range, rest]) => range + String(rest).padStart(8, '0'));

/** A Greek mobile number, and a text in which a person may have written it. */
export const writtenMobile = mobile.chain((number) =>
	fc
		.tuple(
			fc.constantFrom('', '30', '+30', '0030', '+30 '),
			fc.array(fc.constantFrom('', '', ' ', '-', '.', '\u200b', '\u00a0'), { minLength: 10, maxLength: 10 }),
		)
		.map(([prefix, between]) => ({
			number,
			written: prefix + [...number].map((digit, i) => digit + between[i]!).join(''),
		})),
);

/** The text with one of its UTF-16 units replaced. */
export const oneChanged = (original: string): fc.Arbitrary<string> =>
	fc.tuple(fc.nat(original.length - 1), fc.integer({ min: 32, max: 125 })).map(([at, code]) => {
		const unit = String.fromCharCode(code);
		return original.slice(0, at) + (unit === original[at] ? '~' : unit) + original.slice(at + 1);
	});

import fc from 'fast-check';

import { columnField, COMPARED, COMPARED_NAMES } from '../../../nodes/Amka/comparedFields';
import { toComparison } from '../../../nodes/Amka/compare';
import { verdictOf } from '../../../nodes/Amka/verdict';
import { normalForm, type Kind } from '../../../nodes/Amka/normalForm';
import { text } from '../../hostile/generators';
import { holds } from '../../hostile/property';

const short = text.map((long) => long.slice(0, 300));
const kind = fc.constantFrom<Kind>('text', 'number', 'phone', 'sex', 'country', 'prefecture');
/** Names of people: words of Greek letters, some with accents, with a usual separator or none between them. */
const word = fc.string({
	unit: fc.constantFrom(...'αάβγεέηήιίϊΐκλμνοόπρσςτυύϋχωώΑΆΕΈΗΙΟΡΤΥΧ'),
	minLength: 1,
	maxLength: 12,
});
const name = fc.array(word, { minLength: 1, maxLength: 3 });
const between = fc.constantFrom(' ', '-', ' - ', '.', '  ', '–', '');

describe('in a comparison of any two values,', () => {
	holds(
		'a value equals its own normal form, and spaces and invisible characters around it do not count, except around a prefecture',
		2,
		fc.tuple(kind, short),
		([of, value]) => {
			const form = normalForm(value, of);
			expect(normalForm(form, of)).toBe(form);
			expect(normalForm(` ${value}\u200b`, of === 'prefecture' ? 'text' : of)).toBe(
				normalForm(value, of === 'prefecture' ? 'text' : of),
			);
		},
	);

	holds(
		'names are equal with different separators, accents and capitals',
		2,
		fc.tuple(name, between, between),
		([words, one, other]) => {
			const accented = words.join(one);
			const plain = words.join(other).normalize('NFD').replace(/\p{M}/gu, '').toUpperCase();
			expect(normalForm(accented, 'text')).toBe(normalForm(plain, 'text'));
			expect(normalForm(accented, 'text')).not.toBe('');
		},
	);

	holds(
		'two numbers are equal only if their digits are equal, apart from leading zeros',
		1,
		fc.tuple(fc.nat(), fc.nat(), fc.nat(9)),
		([one, other, zeros]) => {
			expect(normalForm(`${'0'.repeat(zeros)}${one}`, 'number') === normalForm(String(other), 'number')).toBe(
				one === other,
			);
		},
	);
});

holds('each column heading is read as one of the compared fields, or as none', 1, short, (column) => {
	expect([undefined, ...COMPARED_NAMES]).toContain(columnField(column));
});

holds(
	"the result of a comparison names each mapped field at most once, and contains no text of the registry's record, except in its warning",
	2,
	fc.tuple(
		fc.dictionary(fc.constantFrom(...COMPARED_NAMES), fc.array(short, { maxLength: 3 })),
		fc.dictionary(
			fc.constantFrom(...COMPARED_NAMES.flatMap((each) => [...COMPARED[each].registry])),
			fc.oneof(
				short.map((value) => `registry ${value}`),
				fc.constant(''),
				fc.constant(null),
			),
		),
	),
	([mine, record]) => {
		const ours = new Map(Object.entries(mine)) as never;
		const result = { match: 'true', ...record };
		const verdict = verdictOf('15039904568', result, [], false);
		const json = toComparison({ verdict, record: result }, ours, false).item;
		const named = (['same', 'differs', 'missingHere', 'missingThere'] as const).flatMap(
			(list) => json[list] as string[],
		);
		expect(new Set(named).size).toBe(named.length);
		expect(Object.keys(mine)).toEqual(expect.arrayContaining(named));
		expect(JSON.stringify(json).replace(/"warning":"[^"]*"/, '')).not.toContain('registry ');
	},
);

import fc from 'fast-check';

import { baseUrlFault, operationUrl } from '../../../lib/http/baseUrl';
import { capitalsWithoutTonos, foldForComparison, clean } from '../../../lib/greek/letters';
import { greekMobile } from '../../../lib/greek/mobile';
import { redactPersonalNumbers } from '../../../lib/texts/redact';
import { toProblem, Problem } from '../../../lib/texts/problem';
import { readFlag, readList, readNumber, readText } from '../../../lib/n8n/parameters';
import { text, value, writtenMobile } from '../../hostile/generators';
import { holds } from '../../hostile/property';

const short = (of: fc.Arbitrary<string>) => of.map((long) => long.slice(0, 300));

describe('for any value in a row or a form,', () => {
	holds(
		'a Greek mobile number is read as the same ten digits in each accepted format',
		1.25,
		writtenMobile,
		({ number, written }) => {
			expect(greekMobile(written)).toBe(number);
			expect(greekMobile(number)).toBe(number);
		},
	);

	holds(
		'readText returns a trimmed text within the length limit and without control characters, or refuses the value',
		1.25,
		fc.tuple(value, fc.integer({ min: 1, max: 300 })),
		([given, longest]) => {
			try {
				const read = readText(given, 'Field', longest);
				expect(read).toBe(clean(read));
				expect(read.length).toBeLessThanOrEqual(longest);
				expect(read).not.toMatch(/^$|[\p{Cc}\p{Cs}]/u);
			} catch (error) {
				expect(error).toBeInstanceOf(Problem);
				expect((error as Problem).message.length).toBeLessThan(200);
			}
		},
	);

	holds(
		'readFlag, readNumber and readList return a value of their type, or throw an error that names the field',
		1.25,
		value,
		(given) => {
			const read = [
				() => readFlag(given, 'Field'),
				() => readNumber(given, 'Field', [0, 9], 5),
				() => readList(given, 'Field'),
			];
			const right = [(of: unknown) => typeof of === 'boolean', (of: unknown) => Number.isInteger(of), Array.isArray];
			read.forEach((one, i) => {
				try {
					expect(right[i]!(one())).toBe(true);
				} catch (error) {
					expect(error).toBeInstanceOf(Problem);
					expect((error as Problem).message).toMatch(/^Field /);
				}
			});
		},
	);

	holds(
		"the URL of an operation is on the Base URL's host",
		1.25,
		fc.oneof(text, fc.webUrl({ withQueryParameters: true, withFragments: true })),
		(base) => {
			if (baseUrlFault(base) !== undefined) return;
			const address = operationUrl(base, '/sendSMS');
			expect(operationUrl(address, '/sendSMS')).toBe(address);
			expect(new URL(address).host).toBe(new URL(base.trim()).host);
			expect(new URL(address).pathname).toMatch(/\/sendSMS$/);
		},
	);
});

describe('for any letters,', () => {
	const strip = (letters: string) => letters.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');

	holds(
		'a keyword folds to the same text in NFC, in NFD and with spaces around it, and folding again changes nothing',
		3,
		short(text),
		(given) => {
			const folded = foldForComparison(given);
			expect(foldForComparison(folded)).toBe(folded);
			expect(foldForComparison(` ${given}\u200b`)).toBe(folded);
			expect(foldForComparison(given.normalize('NFD'))).toBe(foldForComparison(given.normalize('NFC')));
		},
	);

	holds(
		'Greek words fold to the same text in capitals, in small letters, without accents and with Latin look-alikes',
		1.25,
		fc.string({ unit: fc.constantFrom(...'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΆΈΉΊΌΎΏΪΫ') }),
		(word) => {
			const latin = [...strip(word)]
				.map((letter) => 'ABEZHIKMNOPTYX'['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ'.indexOf(letter)] ?? letter)
				.join('');
			const forms = [word, word.toLowerCase(), strip(word), latin, latin.toLowerCase()].map(foldForComparison);
			expect(new Set(forms).size).toBe(1);
		},
	);

	holds('capitalsWithoutTonos does not change its own result', 1.25, short(text), (given) => {
		const capitals = capitalsWithoutTonos(given);
		expect(capitalsWithoutTonos(capitals)).toBe(capitals);
	});

	holds(
		'no phone or AMKA number remains in a redacted text',
		1.25,
		fc.array(
			fc.oneof(short(text), fc.constantFrom('6912345678', '01019512345', '691 234 5678', '+30 (691) 234-5678')),
			{ maxLength: 4 },
		),
		(parts) => {
			const masked = redactPersonalNumbers(parts.join(' και '));
			expect(masked).not.toMatch(/\d(?:[\s().\-/]{0,2}\d){8,}/u);
			expect(toProblem(new Error(parts.join(' '))).message).not.toMatch(/\d{9}/);
		},
	);
});
